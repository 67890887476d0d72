"""Forms for referees. They check the format; the commands check what is allowed."""

from collections.abc import Sequence
from typing import Any, Final

from django import forms

from duels.errors import Refused
from duels.models import REASON_LENGTH, User
from duels.referees.acts.shapes import ActField, ActSpec, FieldType
from duels.referees.log.act_log import is_referee, public_name, referees
from duels.referees.models import CASE_WORDS_LENGTH, RULING_WORDS_LENGTH, Case, Verdict

Choices = Sequence[tuple[str, str]]

TALL: Final = {"rows": 5}
LONGEST_TYPED: Final = 2 * RULING_WORDS_LENGTH  # commands reject text above half of this


def add_refusal(form: forms.Form, refused: Refused) -> None:
    """Show the error of a command next to the field that it names."""
    form.add_error(refused.field if refused.field in form.fields else None, refused.text)


class NoteForm(forms.Form):
    """A note for other referees, or for the players as well."""

    words = forms.CharField(
        label="Note", widget=forms.Textarea(attrs={"rows": 3}), max_length=2 * CASE_WORDS_LENGTH
    )
    for_players = forms.BooleanField(
        label="Let the players read it too (only if you hold this case)",
        required=False,
    )


class ReasonForm(forms.Form):
    """The reason for returning a case to the queue, or for opening sealed orders."""

    reason = forms.CharField(
        label="Reason", widget=forms.Textarea(attrs={"rows": 2}), max_length=2 * CASE_WORDS_LENGTH
    )


class OpenForm(ReasonForm):
    """The reason for opening sealed orders, which is logged like the reason for an act."""


class CloseForm(forms.Form):
    """A message that closes a report without a ruling."""

    words = forms.CharField(
        label="Message to the player who reported it",
        widget=forms.Textarea(attrs={"rows": 3}),
        max_length=2 * CASE_WORDS_LENGTH,
    )


class HandOverForm(ReasonForm):
    """The next referee of a case, and the reason."""

    to = forms.ChoiceField(label="New referee")
    field_order = ("to", "reason")

    def __init__(self, *args: Any, referee: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["to"].choices = [  # type: ignore[attr-defined]  # a choice field
            (str(user.pk), public_name(user)) for user in referees().exclude(pk=referee.pk)
        ]

    @property
    def chosen(self) -> User | None:
        """The chosen referee, or None if they are no longer a referee."""
        user = User.objects.filter(pk=int(self.cleaned_data["to"])).first()
        return user if user is not None and is_referee(user) else None


class RulingForm(forms.Form):
    """A verdict and its text. The public part does not name anyone."""

    verdict = forms.ChoiceField(label="Verdict", choices=[("", "Choose"), *Verdict.choices])
    words = forms.CharField(
        label="Ruling, for everyone to read",
        widget=forms.Textarea(attrs=TALL),
        max_length=LONGEST_TYPED,
        help_text="It is published under its number. Do not name anyone.",
    )
    private_words = forms.CharField(
        label="For the players only",
        widget=forms.Textarea(attrs={"rows": 3}),
        max_length=LONGEST_TYPED,
        required=False,
    )
    rules = forms.CharField(
        label="Cited rules",
        required=False,
        max_length=400,
        help_text="Separate them with commas, as in “R21, spell:shield”.",
    )
    settles = forms.CharField(
        label="Settled rule",
        required=False,
        max_length=60,
        help_text="The rule’s page will link to the ruling. Most rulings do not settle a rule.",
    )
    dry_run = forms.BooleanField(label="Add the result of the dry run", required=False)

    def __init__(self, *args: Any, case: Case, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if case.duel is None or case.ordinal is None:
            del self.fields["dry_run"]

    @property
    def cited(self) -> list[str]:
        """The rules entered, as a list."""
        return [each.strip() for each in self.cleaned_data["rules"].split(",") if each.strip()]


class ActForm(forms.Form):
    """The fields of one kind of act, with the names and types of `referees.acts`."""

    def __init__(
        self, spec: ActSpec, choices: dict[FieldType, Choices], *args: Any, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        for each in spec.fields:
            self.fields[each.name] = _field(each, choices)

    @property
    def typed(self) -> dict[str, str]:
        """The values entered, as text for the act to parse."""
        return {name: str(self.data.get(name, "")) for name in self.fields}


def _field(each: ActField, choices: dict[FieldType, Choices]) -> forms.Field:
    offered = choices.get(each.type)
    help_text = "" if each.is_required else f"If empty: {each.if_empty}."
    if each.type == FieldType.DURATION:
        help_text = f"“90” (minutes), “36 hours” or “2 days”. {help_text}".strip()
    if each.type == FieldType.MOMENT:
        help_text = f"In UTC. {help_text}".strip()
    if offered is not None:
        first = [("", each.if_empty or "Choose")]
        return forms.ChoiceField(
            label=each.label, choices=[*first, *offered], required=each.is_required
        )
    return forms.CharField(
        label=each.label,
        required=each.is_required,
        widget=_widget(each.type),
        help_text=help_text,
        max_length=2 * CASE_WORDS_LENGTH,
    )


def _widget(type: FieldType) -> forms.Widget:
    if type == FieldType.TEXT:
        return forms.Textarea(attrs={"rows": 4})
    if type == FieldType.MOMENT:
        return forms.DateTimeInput(attrs={"type": "datetime-local"})
    return forms.TextInput()


class ConfirmForm(forms.Form):
    """The reason for an act."""

    reason = forms.CharField(
        label="Reason",
        widget=forms.Textarea(attrs={"rows": 3}),
        max_length=2 * REASON_LENGTH,
        help_text="The players can read it.",
    )
