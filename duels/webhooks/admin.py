"""Admin lists of webhooks and their messages, without addresses, tokens and responses."""

from django.contrib import admin

from duels.read_only_admin import ATTEMPT_COLUMNS, ReadOnlyAdmin
from duels.webhooks.models import Webhook, WebhookMessage


@admin.register(Webhook)
class WebhookAdmin(ReadOnlyAdmin):
    list_display = fields = (
        "wizard",
        "service",
        "host",
        "duel",
        "created_at",
        "failing_since",
        "turned_off_at",
    )
    list_filter = ("service",)
    search_fields = ("wizard__name",)


@admin.register(WebhookMessage)
class WebhookMessageAdmin(ReadOnlyAdmin):
    list_display = fields = ("webhook", "duel", "status", *ATTEMPT_COLUMNS)
    list_filter = ("status",)
