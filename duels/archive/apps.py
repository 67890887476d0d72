"""The app's configuration. It registers callbacks for duels that end and for guests."""

from django.apps import AppConfig


class ArchiveConfig(AppConfig):
    name = "duels.archive"

    def ready(self) -> None:
        from duels.archive.commands import (
            archive_claimed_duels,
            archive_duel,
            remove_archived_duel,
        )
        from duels.commands import callbacks
        from duels.commands.duel_end import EndStep

        callbacks.guest_claim_callbacks.add(archive_claimed_duels)
        callbacks.duel_end_steps.add(EndStep(apply=archive_duel, undo=remove_archived_duel))
