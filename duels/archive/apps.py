"""The app's configuration. It registers a step that runs when a duel ends."""

from django.apps import AppConfig


class ArchiveConfig(AppConfig):
    name = "duels.archive"

    def ready(self) -> None:
        from duels.archive.commands import archive_duel, remove_archived_duel
        from duels.commands.duel_end import EndStep
        from duels.commands.end_steps import register_end_step

        register_end_step(EndStep(apply=archive_duel, undo=remove_archived_duel))
