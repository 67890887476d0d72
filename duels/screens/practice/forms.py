"""Forms that begin a practice duel or continue another duel as one."""

from django import forms

import engine.play
from duels.forms import MAX_ORDINAL, OptionsForm, shared_options
from duels.loaded import adjudication
from duels.wording.options import selected_options
from engine.play import Ruleset


class PracticeForm(OptionsForm):
    @property
    def options(self) -> list[str]:
        """The ticked options, without those that belong only to other rulesets."""
        known = {*adjudication.available_options(self.cleaned_data["ruleset"]), *shared_options()}
        return [name for name in super().options if name in known]

    @property
    def shared(self) -> list[forms.BoundField]:
        """The checkboxes of options that several rulesets share."""
        return [self[name] for name in shared_options()]

    @property
    def is_more_open(self) -> bool:
        """Whether one of the shared options is ticked."""
        return any(field.value() for field in self.shared)

    @property
    def rulesets(self) -> list[tuple[Ruleset, list[forms.BoundField]]]:
        """The published rulesets, each with the checkboxes of options that no other ruleset has."""
        shared = shared_options()
        return [
            (
                ruleset,
                [self[each.name] for each in selected_options(own) if each.name not in shared],
            )
            for id, ruleset in engine.play.RULESETS.items()
            for own in [adjudication.available_options(id)]
        ]


class PlayOnForm(forms.Form):
    """The ordinal of the turn in a finished duel from which to play on, and the seat to take."""

    turn = forms.IntegerField(min_value=1, max_value=MAX_ORDINAL)
    seat = forms.CharField(required=False, max_length=4)
