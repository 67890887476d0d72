"""Admin lists of calendars, without their secret addresses, and of follows. Notes are private."""

from django.contrib import admin

from duels.feeds.models import CalendarKey, Follow
from duels.read_only_admin import ReadOnly


@admin.register(CalendarKey)
class CalendarKeyAdmin(ReadOnly):
    list_display = ("wizard", "created_at")
    search_fields = ("wizard__name",)
    exclude = ("token",)


@admin.register(Follow)
class FollowAdmin(ReadOnly):
    list_display = ("wizard", "followed", "duel", "created_at")
    search_fields = ("wizard__name", "followed__name")
