"""The app's configuration, which registers its callbacks and its task."""

from django.apps import AppConfig


class MatchingConfig(AppConfig):
    name = "duels.matching"

    def ready(self) -> None:
        from duels.commands import callbacks
        from duels.matching import tasks  # noqa: F401  # registers the task
        from duels.matching.availability import delete_availability
        from duels.matching.limits import check_limits

        callbacks.acceptance_checks.add(check_limits)
        callbacks.account_data_deletions.add(delete_availability)
