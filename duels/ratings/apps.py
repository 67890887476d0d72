"""The app's configuration, which also registers its step at the end of duels."""

from django.apps import AppConfig


class RatingsConfig(AppConfig):
    name = "duels.ratings"
    label = "ratings"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from duels.commands.duel_end import EndStep
        from duels.commands.end_steps import register_end_step
        from duels.ratings.commands import rate_duel, restore_ratings

        register_end_step(EndStep(apply=rate_duel, undo=restore_ratings))
