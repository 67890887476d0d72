"""Admin lists of ratings, their changes, and ratings of running duels."""

from django.contrib import admin

from duels.ratings.models import RatingChange, RunningRating, WizardRating
from duels.read_only_admin import ReadOnlyAdmin


@admin.register(WizardRating)
class WizardRatingAdmin(ReadOnlyAdmin):
    list_display = ("wizard", "ruleset", "value", "deviation", "volatility", "at", "ranked_until")
    list_filter = ("ruleset",)
    search_fields = ("wizard__name",)


@admin.register(RatingChange)
class RatingChangeAdmin(ReadOnlyAdmin):
    list_display = (
        "duel",
        "wizard",
        "result",
        "way",
        "value_before",
        "value",
        "expected",
        "weight",
    )
    list_filter = ("ruleset", "result", "way")
    search_fields = ("=duel__id", "wizard__name")
    date_hierarchy = "at"


@admin.register(RunningRating)
class RunningRatingAdmin(ReadOnlyAdmin):
    list_display = ("duel", "ruleset", "value")
