"""Forms. They validate only the format of input; commands and the engine decide what is allowed."""

from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import Any, Final
from zoneinfo import ZoneInfo

from django import forms
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html

import engine.play
from duels import errors
from duels.accounts import names
from duels.clocks.clock import LIMITS, NO_HURRY, InvalidPace, Pace
from duels.clocks.vacation import start_of_day
from duels.clocks.zones import UTC, zone_groups
from duels.commands import guests, profiles, sign_ups
from duels.loaded import adjudication
from duels.matching.public import HIGHEST_RATING, MOST_DUELS, PACES, Availability, RatedChoice
from duels.models import (
    LARGEST_DUEL,
    MOST_EXCUSES,
    NAME_LENGTH,
    SMALLEST_DUEL,
    USUAL_EXCUSES,
    WORDS_LENGTH,
    Duel,
    Pronouns,
    User,
    Visibility,
    Wizard,
    WizardKind,
)
from duels.models.wizards import ABOUT_LENGTH
from duels.post.public import When
from duels.queries.listing import ListFilter
from duels.typed_text import clean_line
from duels.wording.options import OPTIONS, selected_options
from engine.play import Ruleset

LARGEST_ORDINAL = 2**31 - 1  # maximum of a PostgreSQL integer column
LONGEST_TYPED = 100  # maximum length of a name as typed, before spaces are collapsed
PACE_CHOICES: Final = tuple((str(pace), pace.words) for pace in PACES)


class WizardForm(forms.Form):
    """The name and pronouns of a new wizard."""

    name = forms.CharField(
        label="Wizard’s name",
        max_length=LONGEST_TYPED,
        help_text=(
            "2 to 24 letters, digits, spaces, hyphens, apostrophes or full stops. It cannot be "
            "changed later."
        ),
    )
    pronouns = forms.ChoiceField(
        label="Pronouns",
        choices=Pronouns.choices,
        initial=Pronouns.THEY,
        help_text="The pronouns that reports use for your wizard.",
    )

    def clean_name(self) -> str:
        try:
            return profiles.available_name(self.cleaned_data["name"])
        except errors.Refused as refused:
            raise ValidationError(refused.text, code=refused.code) from refused


class SignupForm(WizardForm):
    """The fields of the sign-up form, except for email address and password."""

    field_order = ("email", "password1", "name", "pronouns")

    def signup(self, request: HttpRequest, user: User) -> None:
        """Request the wizard. This is called by allauth after the user has been saved."""
        # If another user has just taken the name, the site asks for a different one at sign-in.
        with suppress(errors.Refused):
            sign_ups.request_wizard(
                user=user,
                name=self.cleaned_data["name"],
                pronouns=self.cleaned_data["pronouns"],
            )


class GuestForm(forms.Form):
    """The name of a guest who creates or accepts an invitation."""

    name = forms.CharField(
        label="Your name",
        max_length=LONGEST_TYPED,
        help_text="Letters, digits, spaces, hyphens or apostrophes. Others see “Guest” before it.",
        widget=forms.TextInput(attrs={"autocomplete": "nickname", "maxlength": None}),
    )

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        try:
            guests.validated_guest_name(name)
        except errors.Refused as refused:
            raise ValidationError(refused.text, code=refused.code) from refused
        return name


class GuestMailForm(forms.Form):
    """The email address of a guest."""

    address = forms.EmailField(
        label="Your email address",
        max_length=254,
        help_text="Other players never see it. We delete it when you stop emails or leave.",
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )


class ProfileForm(forms.Form):
    """The fields of a wizard's profile that the wizard can change."""

    pronouns = WizardForm.base_fields["pronouns"]
    about = forms.CharField(
        label="A line about you",
        required=False,
        max_length=ABOUT_LENGTH,
        help_text="Everyone can read it on your page.",
    )
    shows_last_seen = forms.BooleanField(
        label="Show others the day of my last visit", required=False
    )

    def __init__(self, typed: Mapping[str, str] | None, wizard: Wizard) -> None:
        super().__init__(typed, initial={name: getattr(wizard, name) for name in self.base_fields})


class CloseAccountForm(forms.Form):
    """Confirmation before an account is closed, to prevent mistakes.

    The user must type the wizard's name, or the email address if there is no wizard.
    """

    name = forms.CharField(max_length=254)

    def __init__(self, *args: object, name: str, email: str, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]  # handed on as they come
        self.expected = name or email
        self.asked = "your wizard’s name" if name else "your email address"
        self.fields["name"].label = f"Type {self.asked} to confirm"

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if names.normalised_name(clean_line(name)).casefold() != self.expected.casefold():
            raise ValidationError(f"That is not {self.asked}.", code="name_differs")
        return name


class RulesetChoice(forms.RadioSelect):
    """Radio buttons for rulesets. Each contains the ruleset's options in an attribute, so that
    scripts can show only these."""

    def create_option(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        option = super().create_option(*args, **kwargs)
        options = adjudication.available_options(option["value"])
        return {**option, "attrs": {**option["attrs"], "data-options": " ".join(options)}}


class InviteForm(forms.Form):
    """An invitation for a friend, created by a player or guest who already has a name."""

    ruleset = forms.ChoiceField(label="Rules", choices=[], widget=RulesetChoice)
    pace = forms.ChoiceField(
        label="Time for each turn",
        choices=PACE_CHOICES,
        initial=PACE_CHOICES[0][0],
        help_text=(
            "A turn is played as soon as both of you have sealed, even if there is time left."
        ),
    )

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]  # handed on as they come
        offer_rulesets(self.fields["ruleset"])

    @property
    def more_fields(self) -> list[forms.BoundField]:
        """The fields that are rarely changed in invitations."""
        return [self["ruleset"], self["pace"]]

    @property
    def is_more_open(self) -> bool:
        """Whether one of `more_fields` has an error or differs from its default."""
        return has_error_or_change(self.more_fields)


class GuestInviteForm(GuestForm, InviteForm):
    """An invitation for a friend, created by a new guest."""

    field_order = ("name", "ruleset", "pace")


def has_error_or_change(fields: Iterable[forms.BoundField]) -> bool:
    """Return whether one of these fields has an error or differs from its default."""
    return any(
        field.errors or str(field.value() or "") != str(field.field.initial or "")
        for field in fields
    )


def focus_first_error(form: forms.Form) -> None:
    """Set `autofocus` on the first field with an error, which also works without scripts."""
    for field in form.visible_fields():
        if field.errors:
            field.field.widget.attrs["autofocus"] = True
            return


class OptionsForm(forms.Form):
    """The ruleset, and a checkbox for each option that a duel can have.

    Once the form is valid, `options` contains the names of the ticked options.
    """

    ruleset = forms.ChoiceField(label="Rules", choices=[], widget=RulesetChoice)

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]  # handed on as they come
        offer_rulesets(self.fields["ruleset"])
        for option in OPTIONS.values():
            self.fields[option.name] = forms.BooleanField(
                label=option.label, required=False, help_text=option.help
            )

    @property
    def options(self) -> list[str]:
        """The ticked options."""
        return [name for name in OPTIONS if self.cleaned_data[name]]


class PracticeForm(OptionsForm):
    """The rules of a practice duel."""

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

    turn = forms.IntegerField(min_value=1, max_value=LARGEST_ORDINAL)
    seat = forms.CharField(required=False, max_length=4)


def offer_rulesets(field: forms.Field) -> None:
    """Give the field the published rulesets as choices, each with a description."""
    rulesets = engine.play.RULESETS
    assert isinstance(field, forms.ChoiceField)
    field.choices = [
        (id, format_html("<strong>{}.</strong> {}", ruleset.name, ruleset.description))
        for id, ruleset in rulesets.items()
    ]
    field.initial = next(iter(rulesets))


def shared_options() -> list[str]:
    """Return the options that several rulesets share."""
    rulesets_with_option = Counter(
        name for id in engine.play.RULESETS for name in adjudication.available_options(id)
    )
    return [name for name in OPTIONS if rulesets_with_option[name] > 1]


@dataclass(frozen=True)
class PaceKind:
    """A kind of pace: its radio button, and the fields that belong to it."""

    button: Any  # a `BoundWidget`
    parts: tuple[forms.BoundField, ...]


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
            "When a wizard’s time runs out, an extension adds half a turn’s time. If no "
            "extension is left, default orders are played, which cast nothing."
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
            "min_value": LIMITS,
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
        """Return the initial values that represent this pace."""
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
    def pace_kinds(self) -> list[PaceKind]:
        """The kinds of pace, in the order of the page."""
        return [
            PaceKind(button, tuple(self[name] for name in names))
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
        """Add errors to empty fields of this kind of pace. Return whether any of its fields has an
        error."""
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


class ChallengeForm(OptionsForm, PaceForm):
    """A new challenge: its opponent and its terms."""

    field_order = ("to", "opponent", "ruleset", "pace", "words")

    NAMED, OPEN, INVITATION = "named", "open", "invitation"
    RATED, FRIENDLY = "rated", "friendly"
    LIMITS: Final = ("least_rating", "most_rating", "least_reliability")
    TERMS: Final = ("size", "excuses", "visibility", *OPTIONS, "name")
    # Fields in a collapsed section, because beginners do not need them.
    MORE: Final = ("rating", "players_only", *LIMITS, *TERMS)

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
        max_length=LONGEST_TYPED,
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
            (RATED, "Rated: the result changes your ratings"),
            (FRIENDLY, "Friendly: your ratings stay the same"),
        ],
        required=False,
        initial=RATED,
        help_text="Private duels, and duels with a guest, are always friendly.",
    )
    players_only = forms.BooleanField(
        label="Only players with an account can accept",
        required=False,
        help_text=(
            "Otherwise guests, who play without an account, can also accept an open challenge."
        ),
    )
    least_rating = forms.IntegerField(
        label="Lowest rating",
        required=False,
        min_value=0,
        max_value=HIGHEST_RATING,
    )
    most_rating = forms.IntegerField(
        label="Highest rating",
        required=False,
        min_value=0,
        max_value=HIGHEST_RATING,
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
        choices=[(size, str(size)) for size in range(SMALLEST_DUEL, LARGEST_DUEL + 1)],
        initial=SMALLEST_DUEL,
        help_text=(
            "The duel begins when everyone has accepted. Places that are not reserved for a "
            "named wizard are open to anyone, or to anyone with the link."
        ),
    )
    excuses = forms.TypedChoiceField(
        label="Extensions for each wizard",
        coerce=int,
        required=False,
        choices=[(count, str(count)) for count in range(MOST_EXCUSES + 1)],
        initial=USUAL_EXCUSES,
        help_text=(
            "When the time for a turn runs out, an extension is used automatically and adds half "
            "a turn’s time."
        ),
    )
    visibility = forms.ChoiceField(
        label="Who can watch",
        choices=Visibility.choices,
        initial=Visibility.PUBLIC,
        help_text="Spectators see what the rules allow. Nobody sees sealed orders.",
    )
    words = forms.CharField(
        label="Message",
        max_length=WORDS_LENGTH,
        required=False,
        strip=True,
        help_text="Anyone who can see the challenge can read it.",
    )
    name = forms.CharField(
        label="Name of the duel",
        max_length=NAME_LENGTH,
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
        """The fields that every challenger fills in, without those that belong to a kind of
        pace."""
        return [field for field in self if field.name not in {*self.MORE, *self.pace_parts}]

    @property
    def more_fields(self) -> list[forms.BoundField]:
        """The fields that are rarely changed in challenges."""
        return [self[name] for name in self.MORE]

    @property
    def is_more_open(self) -> bool:
        """Whether one of `more_fields` has an error or differs from its default."""
        return has_error_or_change(self.more_fields)

    @classmethod
    def initial_values(cls, submitted: Mapping[str, str]) -> dict[str, str]:
        """Return the initial values for choices that were made on another page or before signing
        in.

        Only fields of this form are returned, and their values have not been validated.
        """
        fields = (*cls.base_fields, *OPTIONS)
        given = {name: submitted[name][:WORDS_LENGTH] for name in fields if submitted.get(name)}
        return {"to": cls.NAMED} | given if "opponent" in given else given

    def clean_excuses(self) -> int:
        typed: int | str = self.cleaned_data["excuses"]
        return USUAL_EXCUSES if typed == "" else int(typed)

    def clean_opponent(self) -> Wizard | None:
        """Return the named wizard, or None if the challenge is not by name."""
        if self.cleaned_data.get("to") != self.NAMED:
            return None
        name = names.name_slug(clean_line(self.cleaned_data["opponent"]))
        if not name:
            raise ValidationError(
                "Enter the name of the wizard you want to challenge.", code="required"
            )
        found = Wizard.objects.filter(
            slug=name, kind=WizardKind.PLAYER, closed_at__isnull=True
        ).first()
        if found is None:
            raise ValidationError(
                "There is no wizard with this name. Check the spelling.", code="unknown_wizard"
            )
        return found


class CounterForm(OptionsForm, PaceForm):
    """A counter-proposal with other terms for a challenge."""

    @classmethod
    def initial_terms(cls, duel: Duel) -> dict[str, Any]:
        """Return the current terms of the challenge as initial values."""
        options = dict.fromkeys(duel.options, True)
        return {"ruleset": duel.ruleset, **options, **cls.initial_pace(Pace.parse(duel.pace))}

    @property
    def option_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in OPTIONS]


class AvailabilityForm(forms.Form):
    """The duels that a wizard is open to."""

    rulesets = forms.MultipleChoiceField(
        label="Rules",
        choices=[(id, ruleset.name) for id, ruleset in engine.play.RULESETS.items()],
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Choose at least one ruleset."},
    )
    paces = forms.MultipleChoiceField(
        label="Time for each turn",
        choices=PACE_CHOICES,
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Choose at least one pace."},
    )
    rated = forms.ChoiceField(
        label="Rating",
        choices=RatedChoice.choices,
        widget=forms.RadioSelect,
        help_text="If both of you are open to rated and friendly duels, the duel is rated.",
    )
    most_duels = forms.TypedChoiceField(
        label="Maximum number of running duels",
        coerce=int,
        choices=[(number, str(number)) for number in range(1, MOST_DUELS + 1)],
        help_text="While you are in this many duels, you are not paired with an opponent.",
    )

    @staticmethod
    def initial_terms(own: Availability | None) -> dict[str, Any]:
        """Return the wizard's current choices, or the usual choices if there are none."""
        if own is not None:
            return {name: getattr(own, name) for name in AvailabilityForm.base_fields}
        usual = [next(iter(engine.play.RULESETS))]
        pace = [PACE_CHOICES[0][0]]
        return {"rulesets": usual, "paces": pace, "rated": RatedChoice.EITHER, "most_duels": 3}


class MailForm(forms.Form):
    """A wizard's preferences for emails about all duels."""

    when = forms.ChoiceField(label="Email me", choices=When.choices, widget=forms.RadioSelect)
    hour = forms.TypedChoiceField(
        label="Hour of the daily email",
        coerce=int,
        choices=[(hour, f"{hour:02}:00") for hour in range(24)],
        help_text="In your time zone.",
    )
    though_here = forms.BooleanField(
        label="Also while I am on the site",
        required=False,
        help_text=(
            "If this is off and you are on the site, emails wait five minutes and are not sent "
            "if you have read the news by then."
        ),
    )
    words = forms.BooleanField(
        label="Also messages between turns",
        required=False,
        help_text=(
            "Messages within five minutes are sent in one email, unless you have read them by "
            "then. You do not get messages from wizards you mute or block."
        ),
    )
    followed = forms.BooleanField(
        label="Also news about wizards and duels that I follow",
        required=False,
        help_text="When one of their public duels begins or ends.",
    )
    messages = forms.BooleanField(
        label="Also private messages",
        required=False,
        help_text="Only from wizards whose first message you have accepted.",
    )


class DuelMailForm(forms.Form):
    """A wizard's preference for emails about one duel. `usual` is the preference for all duels, as
    text."""

    when = forms.ChoiceField(
        label="Email me about this duel", widget=forms.RadioSelect, required=False
    )

    def __init__(self, *args: object, usual: str, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]  # handed on as they come
        field = self.fields["when"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [("", f"as for all my duels: {usual}"), *When.choices]


class ListFilterForm(forms.Form):
    """The filter of a list of duels, taken from the query string. Invalid fields are ignored."""

    opponent = forms.CharField(
        label="Opponent",
        required=False,
        max_length=LONGEST_TYPED,
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
        """Create the form for the list of one wizard (`is_own`) or of all duels. It offers results
        only if the duels are over."""
        super().__init__(query)
        if not is_over:
            del self.fields["result"]
        elif not is_own:  # a duel that someone lost was also won by someone
            self.fields["result"].widget.choices = self.base_fields["result"].widget.choices[:-1]
        if not is_own:
            self.fields["opponent"].label = "Wizard"

    @property
    def wanted(self) -> ListFilter:
        """The filter for the duels to show."""
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


class PushForm(forms.Form):
    """The events about which a wizard's devices get notifications."""

    turns = forms.BooleanField(label="When it is my turn", required=False)
    reminders = forms.BooleanField(label="When my time is nearly over", required=False)
    messages = forms.BooleanField(label="When I get a private message", required=False)


class DeviceForm(forms.Form):
    """The data that a browser sends to subscribe to push notifications. It is validated by the
    command."""

    endpoint = forms.CharField(max_length=4_000)
    p256dh = forms.CharField(max_length=200)
    auth = forms.CharField(max_length=200)
    replaces = forms.CharField(max_length=4_000, required=False)


class VacationForm(forms.Form):
    """The end of a vacation, when a day begins in the wizard's time zone."""

    until = forms.DateField(
        label="Back on", widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"})
    )

    def __init__(
        self, *args: object, zone: ZoneInfo, days: tuple[date, date] | None, **kwargs: object
    ) -> None:
        """Create the form. `days` contains the earliest and latest days that the page offers."""
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]  # handed on as they come
        self.zone = zone
        field = self.fields["until"]
        field.help_text = f"The vacation ends when this day begins in your time zone, {zone.key}."
        for name, day in zip(("min", "max"), days or (), strict=False):
            field.widget.attrs[name] = day.isoformat()

    def clean_until(self) -> datetime:
        """Return the time when the chosen day begins."""
        try:
            return start_of_day(self.cleaned_data["until"], self.zone)
        except OverflowError:  # for the first and last dates that Python can represent
            raise ValidationError("Enter another date.", code="invalid") from None
