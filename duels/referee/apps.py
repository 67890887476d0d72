"""The registration of the referees' room."""

from django.apps import AppConfig


class RefereeConfig(AppConfig):
    name = "duels.referee"
    label = "referee"
    default_auto_field = "django.db.models.BigAutoField"
