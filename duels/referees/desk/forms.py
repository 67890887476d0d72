"""Forms for referees. They check only the format of input, and commands check the rest."""

from collections.abc import Sequence
from typing import Any, Final

from django import forms

from duels.models import MAX_REASON_LENGTH, User
from duels.referees.acts.act_types import ActField, ActSpec, FieldType
from duels.referees.log.act_log import public_name, referees
from duels.referees.models import MAX_CASE_WORDS_LENGTH, MAX_RULING_WORDS_LENGTH, Case, Verdict

Choices = Sequence[tuple[str, str]]

WIDGETS: Final = {
    FieldType.TEXT: forms.Textarea(attrs={"rows": 4}),
    FieldType.MOMENT: forms.DateTimeInput(attrs={"type": "datetime-local"}),
}
HELP_TEXTS: Final = {
    FieldType.DURATION: "“90” (minutes), “36 hours” or “2 days”.",
    FieldType.MOMENT: "In UTC.",
}


def _text_area(label: str, rows: int, max_length: int, **options: Any) -> forms.CharField:
    """Return a text area. It accepts twice the maximum length, which commands check."""
    area = forms.Textarea(attrs={"rows": rows})
    return forms.CharField(label=label, widget=area, max_length=2 * max_length, **options)


class NoteForm(forms.Form):
    """A note for other referees, which can also be addressed to the players."""

    words = _text_area("Note", 3, MAX_CASE_WORDS_LENGTH)
    for_players = forms.BooleanField(
        label="Let the players read it too (only if you hold this case)", required=False
    )


class ReasonForm(forms.Form):
    """The reason for returning a case to the queue, or for opening sealed orders."""

    reason = _text_area("Reason", 2, MAX_CASE_WORDS_LENGTH)


class CloseForm(forms.Form):
    """A message that closes a report without a ruling."""

    words = _text_area("Message to the player who reported it", 3, MAX_CASE_WORDS_LENGTH)


class RefereeChoiceField(forms.ModelChoiceField):  # type: ignore[type-arg]  # not generic at run time
    """A select field for referees, which shows their public names."""

    def label_from_instance(self, obj: User) -> str:
        return public_name(obj)


class HandOverForm(ReasonForm):
    """The new referee for a case, and the reason for handing it over."""

    to = RefereeChoiceField(None, label="New referee", empty_label=None)
    field_order = ("to", "reason")

    def __init__(self, *args: Any, referee: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["to"].queryset = referees().exclude(pk=referee.pk)  # type: ignore[attr-defined]


class RulingForm(forms.Form):
    """A ruling: its verdict, its texts and its rules. The public text must not name anyone."""

    verdict = forms.ChoiceField(label="Verdict", choices=[("", "Choose"), *Verdict.choices])
    words = _text_area(
        "Ruling, for everyone to read",
        5,
        MAX_RULING_WORDS_LENGTH,
        help_text="It is published under its number. Do not name anyone.",
    )
    private_words = _text_area("For the players only", 3, MAX_RULING_WORDS_LENGTH, required=False)
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

    def clean_rules(self) -> list[str]:
        return [each.strip() for each in self.cleaned_data["rules"].split(",") if each.strip()]


class ActForm(forms.Form):
    """The form for one kind of act, with the fields from its specification (`ActSpec`)."""

    def __init__(
        self, spec: ActSpec, choices: dict[FieldType, Choices], *args: Any, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        for each in spec.fields:
            self.fields[each.name] = _act_form_field(each, choices)

    @property
    def typed(self) -> dict[str, str]:
        """The submitted values as text, which the act parses."""
        return {name: str(self.data.get(name, "")) for name in self.fields}


def _act_form_field(spec: ActField, choices: dict[FieldType, Choices]) -> forms.Field:
    options: dict[str, Any] = {"label": spec.label, "required": spec.is_required}
    if (offered := choices.get(spec.type)) is not None:
        return forms.ChoiceField(choices=[("", spec.if_empty or "Choose"), *offered], **options)
    if_empty = "" if spec.is_required else f"If empty: {spec.if_empty}."
    return forms.CharField(
        widget=WIDGETS.get(spec.type, forms.TextInput()),
        help_text=f"{HELP_TEXTS.get(spec.type, '')} {if_empty}".strip(),
        max_length=2 * MAX_CASE_WORDS_LENGTH,
        **options,
    )


class ConfirmForm(forms.Form):
    """The reason for an act."""

    reason = _text_area("Reason", 3, MAX_REASON_LENGTH, help_text="The players can read it.")
