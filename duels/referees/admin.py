"""Admin lists of cases and rulings with their status.

The admin does not show texts that players and referees write in cases, because operators must not
read them.
"""

from django.contrib import admin

from duels.read_only_admin import ReadOnlyAdmin
from duels.referees.models import Case, Ruling

CASE_COLUMNS = tuple(
    "pk kind duel ordinal category rule status round referee opened_at claimed_at ended_at".split()
)


@admin.register(Case)
class CaseAdmin(ReadOnlyAdmin):
    list_display = CASE_COLUMNS
    list_filter = ("status", "kind", "category", "round")
    search_fields = ("=id", "=duel__id")
    date_hierarchy = "opened_at"
    fields = CASE_COLUMNS[1:]


@admin.register(Ruling)
class RulingAdmin(ReadOnlyAdmin):
    list_display = ("pk", "case", "round", "verdict", "referee_name", "published_at")
    list_filter = ("verdict", "round")
    search_fields = ("=id", "=case__id", "=case__duel__id")
    date_hierarchy = "published_at"
    fields = ("case", "round", "verdict", "referee_name", "words", "published_at")
