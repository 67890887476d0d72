"""The application's registration; loading it also registers system checks and tasks."""

from django.apps import AppConfig


class DuelsConfig(AppConfig):
    name = "duels"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        # Importing them registers what they hold.
        from duels import addresses, checks, second_factor, sign_outs, tasks  # noqa: F401
