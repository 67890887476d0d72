"""App configuration, which also registers the app's tasks and system checks."""

from django.apps import AppConfig


class PushConfig(AppConfig):
    name = "duels.push"

    def ready(self) -> None:
        from duels.push import checks, tasks  # noqa: F401  # importing registers what they hold
