"""Admin lists of calendars, without their secret addresses, and of follows. Notes are private."""

from django.contrib import admin

from duels.feeds.models import CalendarKey, Follow
from duels.read_only_admin import ReadOnlyAdmin


@admin.register(CalendarKey)
class CalendarKeyAdmin(ReadOnlyAdmin):
    list_display = ("wizard", "created_at")
    search_fields = ("wizard__name",)
    exclude = ("token",)


@admin.register(Follow)
class FollowAdmin(ReadOnlyAdmin):
    list_display = ("wizard", "followed", "duel", "created_at")
    search_fields = ("wizard__name", "followed__name")
