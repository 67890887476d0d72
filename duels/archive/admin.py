"""Admin lists of archived duels and of duels of the day."""

from django.contrib import admin

from duels.archive.models import ArchivedDuel, DailyDuel
from duels.read_only_admin import ReadOnlyAdmin


@admin.register(ArchivedDuel)
class ArchivedDuelAdmin(ReadOnlyAdmin):
    list_display = ("duel", "ended_at", "turns", "rating", "watched")
    search_fields = ("=duel__id",)
    date_hierarchy = "ended_at"


@admin.register(DailyDuel)
class DailyDuelAdmin(ReadOnlyAdmin):
    list_display = ("day", "archived", "reason")
