"""The app's configuration. It registers callbacks for the start and the end of duels."""

from django.apps import AppConfig


class RatingsConfig(AppConfig):
    name = "duels.ratings"

    def ready(self) -> None:
        from duels.commands import callbacks
        from duels.commands.duel_end import EndStep
        from duels.ratings import commands

        callbacks.duel_start_callbacks.add(commands.store_running_rating)
        callbacks.duel_end_steps.add(
            EndStep(commands.delete_running_rating, commands.restore_running_rating)
        )
        callbacks.duel_end_steps.add(EndStep(commands.rate_duel, commands.restore_ratings))
