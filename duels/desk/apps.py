"""Configuration of the desk's app."""

from django.apps import AppConfig


class DeskConfig(AppConfig):
    name = "duels.desk"
    label = "desk"
    default_auto_field = "django.db.models.BigAutoField"
