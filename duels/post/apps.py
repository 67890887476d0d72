"""App configuration, which also registers tasks and receivers of email-service events."""

from django.apps import AppConfig


class PostConfig(AppConfig):
    name = "duels.post"

    def ready(self) -> None:
        from duels.post import mail_service, tasks  # noqa: F401  # to register what they hold
