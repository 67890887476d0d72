"""The application's registration; loading it also registers the system checks."""

from django.apps import AppConfig


class DuelsConfig(AppConfig):
    name = "duels"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from duels import checks  # noqa: F401  # importing it registers the checks
