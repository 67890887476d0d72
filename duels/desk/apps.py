"""The room's registration."""

from django.apps import AppConfig


class DeskConfig(AppConfig):
    name = "duels.desk"
    label = "desk"
    default_auto_field = "django.db.models.BigAutoField"
