"""The app's configuration."""

from django.apps import AppConfig


class MatchingConfig(AppConfig):
    name = "duels.matching"
    label = "matching"
    default_auto_field = "django.db.models.BigAutoField"
