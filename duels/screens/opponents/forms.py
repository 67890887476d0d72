"""The form of a wizard who is open to duels."""

from typing import Any

from django import forms

from duels.forms import FIRST_RULESET, PACE_CHOICES, ruleset_choices
from duels.matching.public import MAX_DUELS, Availability, RatedChoice


class AvailabilityForm(forms.Form):
    """The rules and the pace of duels that a wizard would accept."""

    rulesets = forms.MultipleChoiceField(
        label="Rules",
        choices=ruleset_choices,
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Choose at least one ruleset."},
    )
    paces = forms.MultipleChoiceField(
        label="Time for each turn",
        choices=PACE_CHOICES,
        widget=forms.CheckboxSelectMultiple,
        help_text="“No hurry” means that turns have no deadline.",
        error_messages={"required": "Choose at least one pace."},
    )
    rated = forms.ChoiceField(
        label="Rating",
        choices=RatedChoice.choices,
        widget=forms.RadioSelect,
        help_text=(
            "A rated duel changes your ratings, a friendly duel does not. If both of you are open "
            "to both, the duel is rated."
        ),
    )
    most_duels = forms.TypedChoiceField(
        label="Maximum number of running duels",
        coerce=int,
        choices=[(number, str(number)) for number in range(1, MAX_DUELS + 1)],
        help_text="While you are in this many duels, you are not paired with an opponent.",
    )

    @staticmethod
    def initial_terms(own: Availability | None) -> dict[str, Any]:
        """Return the wizard's current choices, or the usual choices if there are none."""
        if own is not None:
            return {name: getattr(own, name) for name in AvailabilityForm.base_fields}
        return {
            "rulesets": [FIRST_RULESET],
            "paces": [PACE_CHOICES[0][0]],
            "rated": RatedChoice.EITHER,
            "most_duels": 3,
        }
