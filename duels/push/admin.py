"""The operators' admin for push notifications, without keys or addresses."""

from urllib.parse import urlsplit

from django.contrib import admin

from duels.push.models import Push, PushSubscription
from duels.read_only_admin import ReadOnly


@admin.register(PushSubscription)
class PushSubscriptionAdmin(ReadOnly):
    list_display = (
        "pk",
        "wizard",
        "device",
        "push_service",
        "created_at",
        "last_success_at",
        "failures",
    )
    search_fields = ("wizard__name",)
    date_hierarchy = "created_at"
    fields = ("wizard", "device", "push_service", "created_at", "last_success_at", "failures")
    readonly_fields = ("push_service",)

    @admin.display(description="push service")
    def push_service(self, subscription: PushSubscription) -> str:
        """Return only the host, because anyone who knows the address can send to it."""
        return urlsplit(subscription.endpoint).hostname or ""


@admin.register(Push)
class PushAdmin(ReadOnly):
    list_display = (
        "pk",
        "kind",
        "wizard",
        "device",
        "duel",
        "turn",
        "status",
        "dropped_for",
        "was_interrupted",
        "attempts",
        "last_error",
        "created_at",
        "due_at",
        "claimed_at",
        "sent_at",
    )
    list_filter = ("status", "dropped_for", "was_interrupted", "kind")
    search_fields = ("=duel__id", "wizard__name")
    date_hierarchy = "created_at"
