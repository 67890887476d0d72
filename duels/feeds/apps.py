"""The app's configuration, which also registers what it does when an account is closed."""

from django.apps import AppConfig


class FeedsConfig(AppConfig):
    name = "duels.feeds"
    label = "feeds"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from duels.commands.before_closing import register_closing_callback
        from duels.feeds.commands import delete_feeds_data

        register_closing_callback(delete_feeds_data)
