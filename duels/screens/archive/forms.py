"""The search form of the archive."""

from collections.abc import Mapping
from datetime import UTC, date, datetime, time, timedelta
from typing import Final

from django import forms
from django.core.exceptions import ValidationError

import engine.play
from duels.archive.public import SORT_COLUMNS, ArchiveSearch
from duels.forms import MAX_ORDINAL, MAX_TYPED_LENGTH
from duels.models import MAX_WIZARDS, MIN_WIZARDS, Wizard
from duels.queries.listing import FigurePlace
from duels.queries.wizard_search import find_wizard
from duels.ratings.public import WayToLose
from duels.screens.lists.forms import ListFilterForm

CAST, COUNTERED = "cast", "countered"
OPENING_LENGTH: Final = 3
DAY: Final = timedelta(days=1)
SPELLS: Final = {
    spell.id: spell.name
    for rules in tuple(engine.play.RULESETS.values())[::-1]
    for spell in rules.spells.values()
}
SORT_TITLES: Final = dict(
    zip(
        SORT_COLUMNS,
        ("Newest", "Oldest", "Longest", "Shortest", "Highest rating", "Most watched"),
        strict=True,
    )
)
# Query lookups for the fields that filter duels by a number or date.
LOOKUP_BY_FIELD: Final = {
    "since": "ended_at__gte",
    "until": "ended_at__lt",
    "turns_min": "turns__gte",
    "turns_max": "turns__lte",
    "rating_min": "rating__gte",
}


def _optional_choice(label: str, choices: Mapping[str, str]) -> forms.ChoiceField:
    return forms.ChoiceField(label=label, required=False, choices=[("", "All"), *choices.items()])


def _number_field(label: str) -> forms.IntegerField:
    return forms.IntegerField(label=label, required=False, min_value=0, max_value=MAX_ORDINAL)


def _date_field(label: str) -> forms.DateField:
    return forms.DateField(
        label=label,
        required=False,
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
    )


class ArchiveForm(ListFilterForm):
    """The archive's search form, with the filters of the duel lists and more."""

    way = _optional_choice(
        "Decided", dict(WayToLose.choices) | {WayToLose.TIME: "because time ran out"}
    )
    spell = _optional_choice("Spell", dict(sorted(SPELLS.items(), key=lambda each: each[1])))
    fate = forms.ChoiceField(
        label="The spell was",
        required=False,
        choices=[(CAST, "cast"), (COUNTERED, "countered")],
    )
    monster = _optional_choice(
        "Monster", {kind.id: kind.name for kind in engine.play.MONSTER_KINDS.values()}
    )
    opening = forms.CharField(
        label="First three gestures of a hand",
        required=False,
        max_length=MAX_TYPED_LENGTH,
        widget=forms.TextInput(attrs={"maxlength": None, "placeholder": "such as SWD"}),
    )
    words = forms.CharField(
        label="Words in the report", required=False, max_length=MAX_TYPED_LENGTH
    )
    size = _optional_choice(
        "Size", {str(each): f"{each} wizards" for each in range(MIN_WIZARDS, MAX_WIZARDS + 1)}
    )
    turns_min = _number_field("Turns, at least")
    turns_max = _number_field("Turns, at most")
    rating_min = _number_field("Rating, at least")
    since = _date_field("Ended on or after")
    until = _date_field("Ended on or before")
    sort = forms.ChoiceField(label="Order", required=False, choices=list(SORT_TITLES.items()))
    after = forms.CharField(label="Page", required=False, widget=forms.HiddenInput)

    field_order = ("opponent", "result", "way", "ruleset")

    def __init__(self, query: Mapping[str, str]) -> None:
        super().__init__(query, is_own=True, is_over=True)
        self.fields["opponent"].label = "Wizard"

    def clean_opponent(self) -> Wizard | None:
        name = self.cleaned_data["opponent"]
        found = find_wizard(name) if name else None
        if name and found is None:
            raise ValidationError("There is no wizard with this name.")
        return found

    def clean_opening(self) -> str:
        """Accept three gestures in upper or lower case."""
        typed = str(self.cleaned_data["opening"]).upper()
        is_valid = len(typed) == OPENING_LENGTH and set(typed) <= set(engine.play.GESTURE_NAMES)
        if typed and not is_valid:
            raise ValidationError("Enter the first three gestures of a hand, such as SWD.")
        return typed

    def clean_until(self) -> date | None:
        """Return the following day, so that the search includes the day entered."""
        day: date | None = self.cleaned_data["until"]
        return min(day, date.max - DAY) + DAY if day else None

    def clean_after(self) -> FigurePlace | None:
        """Parse the place in the list where the page begins."""
        typed = self.cleaned_data["after"]
        place = FigurePlace.parse(typed) if typed else None
        if typed and place is None:
            raise ValidationError("There is no such page. Start with the first one.")
        return place

    @property
    def search(self) -> ArchiveSearch:
        """The search described by this form. The form must be valid."""
        values = self.cleaned_data
        limits = {
            LOOKUP_BY_FIELD[name]: values[name]
            for name in LOOKUP_BY_FIELD
            if values[name] is not None
        }
        for name, value in limits.items():
            if isinstance(value, date):
                limits[name] = datetime.combine(value, time.min, UTC)
        return ArchiveSearch(
            tuple(self._codes()),
            values["words"],
            limits,
            values["sort"] or next(iter(SORT_COLUMNS)),
            values["after"],
        )

    def _codes(self) -> list[str]:
        values = self.cleaned_data
        wizard = values["opponent"]
        codes = [
            f"{kind}.{values[kind]}"
            for kind in ("ruleset", "way", "size", "monster", "opening")
            if values[kind]
        ]
        if wizard:
            codes.append(f"{values['result'] or 'wizard'}.{wizard.pk}")
        elif values["result"]:
            codes.append(values["result"])
        if values["spell"]:
            codes.append(f"{values['fate'] or CAST}.{values['spell']}")
        elif values["fate"] == COUNTERED:
            codes.append(COUNTERED)
        return codes
