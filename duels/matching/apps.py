"""The app's configuration, which also registers its check of wizards who accept challenges."""

from django.apps import AppConfig


class MatchingConfig(AppConfig):
    name = "duels.matching"
    label = "matching"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from duels.commands.challenges import register_acceptance_check
        from duels.matching.limits import check_limits

        register_acceptance_check(check_limits)
