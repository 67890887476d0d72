"""The app's configuration, which registers its callbacks."""

from django.apps import AppConfig


class FeedsConfig(AppConfig):
    name = "duels.feeds"

    def ready(self) -> None:
        from duels.commands import callbacks
        from duels.commands.duel_end import EndStep
        from duels.feeds import commands

        callbacks.account_data_deletions.add(commands.delete_feeds_data)
        callbacks.duel_start_callbacks.add(commands.notify_followers_of_start)
        callbacks.duel_end_steps.add(EndStep(commands.notify_followers_of_end))
