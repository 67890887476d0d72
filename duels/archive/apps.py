"""The app's configuration. It registers a step that runs when a duel ends."""

from django.apps import AppConfig


class ArchiveConfig(AppConfig):
    name = "duels.archive"

    def ready(self) -> None:
        from duels.archive.commands import archive_duel, remove_archived_duel
        from duels.commands import callbacks
        from duels.commands.duel_end import EndStep

        callbacks.end_steps.add(EndStep(apply=archive_duel, undo=remove_archived_duel))
