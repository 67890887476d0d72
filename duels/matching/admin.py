"""Admin list of limits of challenges."""

from django.contrib import admin

from duels.matching.models import ChallengeLimits
from duels.read_only_admin import ReadOnly


@admin.register(ChallengeLimits)
class ChallengeLimitsAdmin(ReadOnly):
    list_display = ("duel", "least_rating", "most_rating", "least_reliability")
    list_select_related = ("duel",)
    search_fields = ("=duel__id",)
