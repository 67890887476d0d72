"""The app's configuration."""

from django.apps import AppConfig


class RatingsConfig(AppConfig):
    name = "duels.ratings"
    label = "ratings"
    default_auto_field = "django.db.models.BigAutoField"
