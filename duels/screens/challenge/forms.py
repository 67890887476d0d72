"""Forms of challenges: who can accept them, the rules, the pace and the limits."""

from collections.abc import Mapping
from datetime import time
from typing import Any, Final

from django import forms
from django.core.exceptions import ValidationError
from django.urls import reverse

from duels import errors, models
from duels.accounts import names
from duels.clocks.clock import NO_HURRY, TURN_TIME_RANGE_ERROR, InvalidPace, Pace
from duels.clocks.zones import UTC, zone_groups
from duels.commands import guests
from duels.forms import (
    FIRST_RULESET,
    MAX_TYPED_LENGTH,
    PACE_CHOICES,
    OptionsForm,
    RulesetChoice,
    ruleset_choices,
)
from duels.matching.public import MAX_RATING
from duels.queries.wizard_search import find_by_former_name
from duels.typed_text import clean_line
from duels.wording.options import OPTION_TEXTS


class GuestForm(forms.Form):
    """The name of a guest who creates or accepts an invitation, without the word "Guest"."""

    name = forms.CharField(
        label="Your name",
        max_length=MAX_TYPED_LENGTH,
        help_text=(
            "Letters, digits, spaces, hyphens, apostrophes and full stops. "
            "Others see “Guest” before it."
        ),
        widget=forms.TextInput(attrs={"autocomplete": "nickname", "maxlength": None}),
    )

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        try:
            guests.validated_guest_name(name)
        except errors.Refused as refused:
            raise ValidationError(refused.text, code=refused.code) from refused
        return name


class CollapsedFieldsForm(forms.Form):
    """A form with fields that are in a collapsed section, because they are rarely changed."""

    MORE: tuple[str, ...] = ()

    @property
    def more_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in self.MORE]

    @property
    def is_more_open(self) -> bool:
        """Whether one of `more_fields` has an error or differs from its default."""
        return any(
            field.errors or str(field.value() or "") != str(field.field.initial or "")
            for field in self.more_fields
        )


class InviteForm(CollapsedFieldsForm):
    """An invitation for a friend, created by a player or guest who already has a name."""

    MORE = ("ruleset", "pace")

    ruleset = forms.ChoiceField(
        label="Rules",
        choices=ruleset_choices,
        initial=FIRST_RULESET,
        widget=RulesetChoice,
        help_text=(
            "Richard Bartle invented the game, and the guided first duel uses his rules. If you "
            "are not sure, choose these."
        ),
    )
    pace = forms.ChoiceField(
        label="Time for each turn",
        choices=PACE_CHOICES,
        initial=PACE_CHOICES[0][0],
        help_text=(
            "A turn is played as soon as both of you have sealed, even if there is time left. If "
            "your time runs out, an extension adds half a turn’s time. If no extension is left, "
            "default orders are played, which cast nothing."
        ),
    )


class GuestInviteForm(GuestForm, InviteForm):
    """An invitation for a friend, created by a guest who does not have a name yet."""

    field_order = ("name", "ruleset", "pace")


class PaceForm(forms.Form):
    """The pace of a duel: a choice between kinds of pace, and fields for each kind.

    Only the fields of the chosen kind are validated. Once the form is valid, `pace` contains a
    `Pace` as text.
    """

    EACH_TURN, DAILY, UNHURRIED = "turn", "daily", "none"
    PARTS: Final = {
        EACH_TURN: ("pace_number", "pace_unit"),
        DAILY: ("pace_hour", "pace_zone"),
        UNHURRIED: (),
    }
    # The faulty field of this form if a pace is invalid, by kind and by `InvalidPace.field`.
    FAULTY: Final = {
        (EACH_TURN, "time"): "pace_number",
        (DAILY, "time"): "pace_hour",
        (DAILY, "zone"): "pace_zone",
    }
    UNIT_SECONDS: Final = {"minutes": 60, "hours": 3600, "days": 24 * 3600}

    pace = forms.ChoiceField(
        label="Pace",
        choices=[
            (EACH_TURN, "A time limit for each turn"),
            (DAILY, "Every day at the same hour"),
            (UNHURRIED, "No hurry: turns have no deadline"),
        ],
        widget=forms.RadioSelect,
        initial=EACH_TURN,
        help_text=(
            "The clocks start when the challenge is accepted, even at night. When a wizard’s time "
            "runs out, an extension adds half a turn’s time. If no extension is left, default "
            "orders are played, which cast nothing."
        ),
    )
    pace_number = forms.IntegerField(
        label="How many minutes, hours or days",
        required=False,
        initial=3,
        min_value=1,
        error_messages={
            "required": "Enter the number of minutes, hours or days for each turn.",
            "invalid": "Enter a whole number, such as 3.",
            "min_value": TURN_TIME_RANGE_ERROR,
        },
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )
    pace_unit = forms.ChoiceField(
        label="Unit of time",
        required=False,
        choices=[(unit, unit) for unit in UNIT_SECONDS],
        initial="days",
        error_messages={"required": "Choose minutes, hours or days."},
        help_text="From 5 minutes to 30 days.",
    )
    pace_hour = forms.TimeField(
        label="Hour",
        required=False,
        initial=time(20),
        input_formats=["%H:%M", "%H:%M:%S"],
        error_messages={
            "required": "Enter the hour of the day when orders are due.",
            "invalid": "Enter an hour from 00:00 to 23:59.",
        },
        widget=forms.TimeInput(attrs={"type": "time"}, format="%H:%M"),
    )
    pace_zone = forms.ChoiceField(
        label="Time zone",
        required=False,
        choices=zone_groups,
        error_messages={
            "required": "Choose the time zone for this hour.",
            "invalid_choice": "Choose a time zone from the list.",
        },
        help_text=(
            "Orders are due at this hour, but never earlier than half a day after the turn begins."
        ),
    )

    def __init__(self, *args: object, zone: str = UTC, **kwargs: object) -> None:
        """Create the form. `zone` is the default time zone for a daily hour."""
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]  # handed on as they come
        self.fields["pace_zone"].initial = zone

    @classmethod
    def initial_pace(cls, pace: Pace) -> dict[str, Any]:
        if pace.daily_at is not None:
            return {"pace": cls.DAILY, "pace_hour": pace.daily_at, "pace_zone": pace.zone}
        if not pace.seconds:
            return {"pace": cls.UNHURRIED}
        unit = max(
            (unit for unit, seconds in cls.UNIT_SECONDS.items() if pace.seconds % seconds == 0),
            key=cls.UNIT_SECONDS.__getitem__,
        )
        number = pace.seconds // cls.UNIT_SECONDS[unit]
        return {"pace": cls.EACH_TURN, "pace_number": number, "pace_unit": unit}

    @property
    def pace_kinds(self) -> list[tuple[Any, list[forms.BoundField]]]:
        """The radio button of each kind of pace, and the fields that belong to it."""
        return [
            (button, [self[name] for name in names])
            for button, names in zip(self["pace"], self.PARTS.values(), strict=True)
        ]

    @property
    def pace_parts(self) -> frozenset[str]:
        """The names of all fields that belong to a kind of pace."""
        return frozenset(name for names in self.PARTS.values() for name in names)

    def clean(self) -> dict[str, Any]:
        typed = super().clean() or self.cleaned_data
        kind = typed.get("pace", "")
        for name in self.pace_parts - set(self.PARTS.get(kind, ())):
            self.errors.pop(name, None)
        if not kind or self._add_missing_field_errors(kind):
            return typed
        try:
            typed["pace"] = str(self._chosen_pace(kind, typed))
        except InvalidPace as invalid:
            self.add_error(self.FAULTY.get((kind, invalid.field), "pace"), invalid.text)
        return typed

    def _add_missing_field_errors(self, kind: str) -> bool:
        """Add errors to empty fields of this kind, and return whether any field has one."""
        for name in self.PARTS[kind]:
            if name not in self.errors and self.cleaned_data.get(name) in (None, ""):
                text = self.fields[name].error_messages["required"]
                self.add_error(name, ValidationError(text, code="required"))
        return any(name in self.errors for name in self.PARTS[kind])

    def _chosen_pace(self, kind: str, typed: dict[str, Any]) -> Pace:
        if kind == self.EACH_TURN:
            return Pace(seconds=typed["pace_number"] * self.UNIT_SECONDS[typed["pace_unit"]])
        if kind == self.DAILY:
            return Pace(daily_at=typed["pace_hour"], zone=typed["pace_zone"])
        return NO_HURRY


class ChallengeForm(CollapsedFieldsForm, OptionsForm, PaceForm):
    """A new challenge: its opponent and its terms."""

    field_order = ("to", "opponent", "ruleset", "pace", "words")

    NAMED, OPEN, INVITATION = "named", "open", "invitation"
    RATED, FRIENDLY = "rated", "friendly"
    LIMITS: Final = ("least_rating", "most_rating", "least_reliability")
    TERMS: Final = ("size", "excuses", "visibility", *OPTION_TEXTS, "name")
    # Fields that the command takes by the same names.
    PASSED_ON: Final = (
        *("ruleset", "size", "pace", "excuses", "visibility", "words", "name", "opponent"),
        *LIMITS,
    )
    MORE = ("rating", "players_only", *LIMITS, *TERMS)

    to = forms.ChoiceField(
        label="Who do you want to challenge?",
        choices=[
            (OPEN, "Anyone (an open challenge)"),
            (NAMED, "A wizard by name"),
            (INVITATION, "Anyone with my invitation link"),
        ],
        widget=forms.RadioSelect,
        initial=OPEN,
    )
    opponent = forms.CharField(
        label="The wizard’s name",
        max_length=MAX_TYPED_LENGTH,
        required=False,
        widget=forms.TextInput(
            attrs={
                "list": "wizard-names",
                "autocomplete": "off",
                "spellcheck": "false",
                "hx-trigger": "input changed delay:150ms",
                "hx-target": "#wizard-names",
                "hx-sync": "this:replace",
            }
        ),
        help_text="Type the first letters, then choose from the list.",
    )
    rating = forms.ChoiceField(
        label="Rating",
        choices=[
            (RATED, "Rated: the result changes your ratings, unless a guest takes part"),
            (FRIENDLY, "Friendly: your ratings stay the same"),
        ],
        required=False,
        initial=RATED,
        help_text="Private duels are always friendly.",
    )
    players_only = forms.BooleanField(
        label="Only players with an account can accept",
        required=False,
        help_text=(
            "Otherwise guests, who play without an account, can also accept an open challenge. "
            "A duel with a guest is not rated."
        ),
    )
    least_rating = forms.IntegerField(
        label="Lowest rating", required=False, min_value=0, max_value=MAX_RATING
    )
    most_rating = forms.IntegerField(
        label="Highest rating",
        required=False,
        min_value=0,
        max_value=MAX_RATING,
        help_text=(
            "Only wizards within these limits can accept an open challenge; guests cannot. A "
            "wizard’s rating is 1500 before their first rated duel under these rules."
        ),
    )
    least_reliability = forms.IntegerField(
        label="Turns played in time, at least (per cent)",
        required=False,
        min_value=0,
        max_value=100,
        help_text="Counted over the last 100 turns of their rated duels under these rules.",
    )
    size = forms.TypedChoiceField(
        label="Number of wizards",
        coerce=int,
        choices=[(size, str(size)) for size in range(models.MIN_WIZARDS, models.MAX_WIZARDS + 1)],
        initial=models.MIN_WIZARDS,
        help_text=(
            "The duel begins when everyone has accepted. Places that are not reserved for a "
            "named wizard are open to anyone, or to anyone with the link."
        ),
    )
    excuses = forms.TypedChoiceField(
        label="Extensions for each wizard",
        coerce=int,
        required=False,
        choices=[(count, str(count)) for count in range(models.MAX_EXCUSES + 1)],
        initial=models.DEFAULT_EXCUSES,
        help_text=(
            "When the time for a turn runs out, an extension is used automatically and adds half "
            "a turn’s time."
        ),
    )
    visibility = forms.ChoiceField(
        label="Who can watch",
        choices=models.Visibility.choices,
        initial=models.Visibility.PUBLIC,
        help_text="Spectators see what the rules allow. Nobody sees sealed orders.",
    )
    words = forms.CharField(
        label="Message",
        max_length=models.MAX_WORDS_LENGTH,
        required=False,
        strip=True,
        help_text="Anyone who can see the challenge can read it.",
    )
    name = forms.CharField(
        label="Name of the duel",
        max_length=models.MAX_DUEL_NAME_LENGTH,
        required=False,
        strip=True,
        help_text=(
            "It helps you find the duel in lists. Anyone who can see the duel can see the name."
        ),
    )

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        self.fields["opponent"].widget.attrs["hx-get"] = f"{reverse('wizards')}?part=names"

    @property
    def main_fields(self) -> list[forms.BoundField]:
        """The fields that every challenger fills in, without those of a kind of pace."""
        return [field for field in self if field.name not in {*self.MORE, *self.pace_parts}]

    @classmethod
    def initial_values(cls, submitted: Mapping[str, str]) -> dict[str, str]:
        """Return the initial values for choices that were made on another page or before signing
        in.

        Only fields of this form are returned, and their values have not been validated.
        """
        fields = (*cls.base_fields, *OPTION_TEXTS)
        given = {
            name: submitted[name][: models.MAX_WORDS_LENGTH]
            for name in fields
            if submitted.get(name)
        }
        return {"to": cls.NAMED} | given if "opponent" in given else given

    def clean_excuses(self) -> int:
        typed: int | str = self.cleaned_data["excuses"]
        return models.DEFAULT_EXCUSES if typed == "" else int(typed)

    def clean_opponent(self) -> models.Wizard | None:
        """Return the named wizard, or None if the challenge is not by name."""
        if self.cleaned_data.get("to") != self.NAMED:
            return None
        name = names.name_slug(clean_line(self.cleaned_data["opponent"]))
        if not name:
            raise ValidationError(
                "Enter the name of the wizard you want to challenge.", code="required"
            )
        players = models.Wizard.objects.filter(
            kind=models.WizardKind.PLAYER, closed_at__isnull=True
        )
        found = players.filter(slug=name).first() or find_by_former_name(name)
        if found is None:
            raise ValidationError(
                "There is no wizard with this name. Check the spelling.", code="unknown_wizard"
            )
        return found


class CounterForm(OptionsForm, PaceForm):
    """A counter-proposal with other terms for a challenge."""

    @classmethod
    def initial_terms(cls, duel: models.Duel) -> dict[str, Any]:
        """Return the current terms of the challenge as initial values."""
        options = dict.fromkeys(duel.options, True)
        return {"ruleset": duel.ruleset, **options, **cls.initial_pace(Pace.parse(duel.pace))}

    @property
    def option_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in OPTION_TEXTS]
