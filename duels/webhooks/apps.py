"""The app's configuration. It registers tasks, and a callback for closed accounts."""

from django.apps import AppConfig


class WebhooksConfig(AppConfig):
    name = "duels.webhooks"

    def ready(self) -> None:
        from duels.commands import callbacks
        from duels.webhooks import tasks  # noqa: F401  # importing it registers the tasks
        from duels.webhooks.commands.changing import delete_webhooks

        callbacks.account_data_deletions.add(delete_webhooks)
