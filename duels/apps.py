"""The app's configuration, which also registers system checks, signal handlers and tasks."""

from django.apps import AppConfig


class DuelsConfig(AppConfig):
    name = "duels"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        # Importing these modules registers their contents.
        from duels import addresses, checks, release, second_factor, sign_outs, tasks  # noqa: F401

        release.check_unchanged()
