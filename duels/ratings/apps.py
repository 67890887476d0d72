"""The app's configuration. It registers callbacks for the start and the end of duels."""

from django.apps import AppConfig


class RatingsConfig(AppConfig):
    name = "duels.ratings"

    def ready(self) -> None:
        from duels.commands.duel_end import EndStep
        from duels.commands.end_steps import register_end_step
        from duels.commands.opening import register_start_callback
        from duels.ratings import commands

        register_start_callback(commands.store_running_rating)
        register_end_step(EndStep(commands.delete_running_rating, commands.restore_running_rating))
        register_end_step(EndStep(commands.rate_duel, commands.restore_ratings))
