"""Admin lists of challenge limits, and of wizards who are open to duels."""

from django.contrib import admin

from duels.matching.models import Availability, ChallengeLimits
from duels.read_only_admin import ReadOnlyAdmin


@admin.register(ChallengeLimits)
class ChallengeLimitsAdmin(ReadOnlyAdmin):
    list_display = ("duel", "least_rating", "most_rating", "least_reliability")
    search_fields = ("=duel__id",)


@admin.register(Availability)
class AvailabilityAdmin(ReadOnlyAdmin):
    list_display = ("wizard", "rulesets", "paces", "rated", "most_duels", "since")
    search_fields = ("wizard__name",)
