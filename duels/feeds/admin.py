"""Admin list of calendars, without their secret addresses."""

from django.contrib import admin

from duels.feeds.models import CalendarKey
from duels.read_only_admin import ReadOnly


@admin.register(CalendarKey)
class CalendarKeyAdmin(ReadOnly):
    list_display = ("wizard", "created_at")
    list_select_related = ("wizard",)
    search_fields = ("wizard__name",)
    exclude = ("token",)
