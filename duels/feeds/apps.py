"""The app's configuration, which registers its callbacks."""

from django.apps import AppConfig


class FeedsConfig(AppConfig):
    name = "duels.feeds"

    def ready(self) -> None:
        from duels.commands.before_closing import register_closing_callback
        from duels.commands.duel_end import EndStep
        from duels.commands.end_steps import register_end_step
        from duels.commands.opening import register_start_callback
        from duels.feeds import commands

        register_closing_callback(commands.delete_feeds_data)
        register_start_callback(commands.notify_followers_of_start)
        register_end_step(EndStep(commands.notify_followers_of_end))
