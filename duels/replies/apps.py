"""App configuration, which also registers the receiver of emails from email services."""

from django.apps import AppConfig


class RepliesConfig(AppConfig):
    name = "duels.replies"

    def ready(self) -> None:
        from duels.replies import inbound  # noqa: F401  # importing it registers what it holds
