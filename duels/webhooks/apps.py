"""The app's configuration, which also registers its tasks and what it does when an account is
closed."""

from django.apps import AppConfig


class WebhooksConfig(AppConfig):
    name = "duels.webhooks"
    label = "webhooks"

    def ready(self) -> None:
        from duels.commands.before_closing import register_closing_callback
        from duels.webhooks import tasks  # noqa: F401  # importing registers them
        from duels.webhooks.commands.changing import delete_webhooks

        register_closing_callback(delete_webhooks)
