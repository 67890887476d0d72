"""The app's configuration, which registers its callbacks and its task."""

from django.apps import AppConfig


class MatchingConfig(AppConfig):
    name = "duels.matching"

    def ready(self) -> None:
        from duels.commands.before_closing import register_closing_callback
        from duels.commands.challenges import register_acceptance_check
        from duels.matching import tasks  # noqa: F401  # registers the task
        from duels.matching.availability import delete_availability
        from duels.matching.limits import check_limits

        register_acceptance_check(check_limits)
        register_closing_callback(delete_availability)
