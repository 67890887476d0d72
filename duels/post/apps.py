"""The app's configuration, which also registers its tasks and its receivers of service events."""

from django.apps import AppConfig


class PostConfig(AppConfig):
    name = "duels.post"
    label = "post"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from duels.post import mail_service, tasks  # noqa: F401  # to register what they hold
