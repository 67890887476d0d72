"""The operators' admin for push notifications, without keys or addresses."""

from urllib.parse import urlsplit

from django.contrib import admin

from duels.push.models import Push, PushSubscription
from duels.read_only_admin import DELIVERY_COLUMNS, ReadOnlyAdmin


@admin.register(PushSubscription)
class PushSubscriptionAdmin(ReadOnlyAdmin):
    search_fields = ("wizard__name",)
    date_hierarchy = "created_at"
    fields = ("wizard", "device", "push_service", "created_at", "last_success_at", "failures")
    list_display = ("pk", *fields)
    readonly_fields = ("push_service",)

    @admin.display(description="push service")
    def push_service(self, subscription: PushSubscription) -> str:
        """Return only the host, because anyone who knows the address can send to it."""
        return urlsplit(subscription.endpoint).hostname or ""


@admin.register(Push)
class PushAdmin(ReadOnlyAdmin):
    list_display = ("pk", "kind", "wizard", "device", "duel", "turn", *DELIVERY_COLUMNS)
    list_filter = ("status", "dropped_for", "was_interrupted", "kind")
    search_fields = ("=duel__id", "wizard__name")
    date_hierarchy = "created_at"
