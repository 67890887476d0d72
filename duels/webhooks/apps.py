"""The app's configuration."""

from django.apps import AppConfig


class WebhooksConfig(AppConfig):
    name = "duels.webhooks"
    label = "webhooks"
    default_auto_field = "django.db.models.BigAutoField"
