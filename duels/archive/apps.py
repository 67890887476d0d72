"""The app's configuration."""

from django.apps import AppConfig


class ArchiveConfig(AppConfig):
    name = "duels.archive"
    label = "archive"
