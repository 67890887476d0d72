"""The operators' admin for replies. It shows the wizard, turn and outcome of each reply."""

from django.contrib import admin

from duels.read_only_admin import ReadOnlyAdmin
from duels.replies.models import Reply


@admin.register(Reply)
class ReplyAdmin(ReadOnlyAdmin):
    list_display = ("pk", "wizard", "turn", "outcome", "is_from_other_address", "received_at")
    list_filter = ("outcome", "is_from_other_address")
    search_fields = ("=turn__duel__id", "wizard__name")
    date_hierarchy = "received_at"
