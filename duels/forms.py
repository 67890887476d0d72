"""Forms check the shape of what was typed. What may be done, the commands and the engine say."""

from contextlib import suppress
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils import timezone
from django.utils.html import format_html

from duels import adjudication, commands, names
from duels.models import (
    LARGEST_DUEL,
    SMALLEST_DUEL,
    WORDS_LENGTH,
    Pace,
    Pronouns,
    User,
    Visibility,
    Wizard,
    WizardKind,
)

LONGEST_TYPED = 100  # of a name as typed, before spaces are folded


class WizardForm(forms.Form):
    """The name and pronouns of a wizard who is still to be made."""

    name = forms.CharField(
        label="Wizard’s name",
        max_length=LONGEST_TYPED,
        help_text="2 to 24 letters, digits, spaces or hyphens. It is for good.",
    )
    pronouns = forms.ChoiceField(
        label="Pronouns",
        choices=Pronouns.choices,
        initial=Pronouns.THEY,
        help_text="How the reports speak of your wizard.",
    )

    def clean_name(self) -> str:
        try:
            return commands.available_name(self.cleaned_data["name"])
        except commands.Refused as refused:
            raise ValidationError(refused.text, code=refused.code) from refused


class SignupForm(WizardForm):
    """What signing up asks for besides e-mail address and password."""

    field_order = ("email", "password1", "name", "pronouns")

    def signup(self, request: HttpRequest, user: User) -> None:
        """Called by allauth when the user has been saved."""
        # Whose name went to somebody quicker by an instant is asked for another one on signing in.
        with suppress(commands.Refused):
            commands.create_wizard(
                user=user,
                name=self.cleaned_data["name"],
                pronouns=self.cleaned_data["pronouns"],
                now=timezone.now(),
            )


class PronounsForm(forms.Form):
    """What a wizard can change."""

    pronouns = WizardForm.base_fields["pronouns"]


class CloseAccountForm(forms.Form):
    """Asks for the wizard's name, so that nobody closes an account by a slip."""

    name = forms.CharField(label="Type your wizard’s name to confirm", max_length=LONGEST_TYPED)

    def __init__(self, *args: object, expected: str, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]  # handed on as they come
        self.expected = expected

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if names.normal(name).casefold() != self.expected.casefold():
            raise ValidationError("That is not your wizard’s name.", code="name_differs")
        return name


class RulesetChoice(forms.RadioSelect):
    """Says of each ruleset which options it has, so that the page shows no others."""

    def create_option(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        option = super().create_option(*args, **kwargs)
        options = adjudication.options_of(option["value"])
        return {**option, "attrs": {**option["attrs"], "data-options": " ".join(options)}}


class PracticeForm(forms.Form):
    """The rules of a practice duel."""

    ruleset = forms.ChoiceField(label="Rules", choices=[], widget=RulesetChoice)
    strict = forms.BooleanField(
        label="Strict: questions are always asked after the reveal, none answered in advance",
        required=False,
    )
    sacrifice = forms.BooleanField(
        label="House rule: a Sacrifice destroys a monster of its caster and does its strength "
        "in damage",
        required=False,
    )

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]  # handed on as they come
        offer_rulesets(self.fields["ruleset"])


def offer_rulesets(field: forms.Field) -> None:
    """The field's choices are the published rulesets, each with a word on it."""
    rulesets = adjudication.rulesets()
    assert isinstance(field, forms.ChoiceField)
    field.choices = [
        (id, format_html("<strong>{}.</strong> {}", ruleset.name, ruleset.description))
        for id, ruleset in rulesets.items()
    ]
    field.initial = next(iter(rulesets))


class ChallengeForm(forms.Form):
    """A challenge: to whom, and on which terms."""

    NAMED, OPEN, INVITATION = "named", "open", "invitation"

    to = forms.ChoiceField(
        label="Whom do you challenge?",
        choices=[
            (OPEN, "Anybody: an open challenge"),
            (NAMED, "A wizard by name"),
            (INVITATION, "Whoever has my invitation link"),
        ],
        widget=forms.RadioSelect,
        initial=OPEN,
    )
    opponent = forms.CharField(
        label="The wizard’s name",
        max_length=LONGEST_TYPED,
        required=False,
        help_text="Only for a challenge by name.",
    )
    ruleset = forms.ChoiceField(label="Rules", choices=[], widget=RulesetChoice)
    size = forms.TypedChoiceField(
        label="Number of wizards",
        coerce=int,
        choices=[(size, str(size)) for size in range(SMALLEST_DUEL, LARGEST_DUEL + 1)],
        initial=SMALLEST_DUEL,
        help_text="Places that are not named stand open, or wait for the link.",
    )
    pace = forms.ChoiceField(label="Pace", choices=Pace.choices, initial=Pace.UNHURRIED)
    visibility = forms.ChoiceField(
        label="Watching", choices=Visibility.choices, initial=Visibility.PUBLIC
    )
    strict = forms.BooleanField(
        label="Strict: questions are always asked after the reveal, none answered in advance",
        required=False,
    )
    sacrifice = forms.BooleanField(
        label="House rule: a Sacrifice destroys a monster of its caster and does its strength "
        "in damage",
        required=False,
        help_text="Only under rules that have the spell; without the house rule it does nothing.",
    )
    words = forms.CharField(
        label="A line of text", max_length=WORDS_LENGTH, required=False, strip=True
    )

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]  # handed on as they come
        offer_rulesets(self.fields["ruleset"])

    def clean_opponent(self) -> Wizard | None:
        """The wizard who is named, if this is a challenge by name."""
        if self.cleaned_data.get("to") != self.NAMED:
            return None
        name = names.normal(self.cleaned_data["opponent"])
        if not name:
            raise ValidationError("Name the wizard whom you challenge.", code="required")
        found = Wizard.objects.filter(
            name__iexact=name, kind=WizardKind.PLAYER, closed_at__isnull=True
        ).first()
        if found is None:
            raise ValidationError("There is no wizard of this name.", code="unknown_wizard")
        return found
