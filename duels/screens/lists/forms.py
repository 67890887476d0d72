"""Forms that filter and order lists of duels."""

from collections.abc import Mapping

from django import forms

import engine.play
from duels.forms import MAX_TYPED_LENGTH
from duels.queries.listing import ListFilter


class ListFilterForm(forms.Form):
    """The filter of a list of duels, taken from the query string. Invalid fields are ignored."""

    opponent = forms.CharField(
        label="Opponent",
        required=False,
        max_length=MAX_TYPED_LENGTH,
        widget=forms.TextInput(attrs={"type": "search", "autocomplete": "off"}),
    )
    ruleset = forms.ChoiceField(
        label="Rules",
        required=False,
        choices=[("", "All"), *((id, each.name) for id, each in engine.play.RULESETS.items())],
    )
    result = forms.ChoiceField(
        label="Result",
        required=False,
        choices=[("", "All"), ("won", "Won"), ("drew", "Drawn"), ("lost", "Lost")],
    )

    def __init__(self, query: Mapping[str, str], *, is_own: bool, is_over: bool) -> None:
        """Create the form for one wizard's list (`is_own`) or all duels, with results if over."""
        super().__init__(query)
        if not is_over:
            del self.fields["result"]
        elif not is_own:  # "lost" would find the same duels as "won"
            self.fields["result"].widget.choices = self.base_fields["result"].widget.choices[:-1]
        if not is_own:
            self.fields["opponent"].label = "Wizard"

    @property
    def wanted(self) -> ListFilter:
        self.full_clean()
        filled = {name: value for name, value in self.cleaned_data.items() if value}
        filled.pop("sort", None)  # of `WatchForm`
        return ListFilter(**filled)


class WatchForm(ListFilterForm):
    """The filter and the order of the list of running duels."""

    sort = forms.ChoiceField(
        label="Order",
        required=False,
        choices=[
            ("newest", "Newest"),
            ("rating", "Highest rating"),
            ("turn", "Latest turn"),
            ("watched", "Most watched"),
        ],
    )

    def __init__(self, query: Mapping[str, str]) -> None:
        super().__init__(query, is_own=False, is_over=False)

    @property
    def sort_or_newest(self) -> str:
        return str(self.cleaned_data.get("sort") or "newest")
