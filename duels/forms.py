"""Forms that several screens use, and the choices of a ruleset and its options.

Forms validate only the format of input; commands and the engine decide what is allowed.
"""

from collections import Counter
from contextlib import suppress
from typing import Any, Final

from django import forms
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils.html import format_html

import engine.play
from duels import errors
from duels.commands import profiles, sign_ups
from duels.loaded import adjudication
from duels.matching.public import OFFERED_PACES
from duels.models import Pronouns, User
from duels.wording.options import OPTION_TEXTS

MAX_ORDINAL = 2**31 - 1  # maximum of a PostgreSQL integer column
MAX_TYPED_LENGTH = 100  # maximum length of a name as typed, before spaces are collapsed
FIRST_RULESET: Final = next(iter(engine.play.RULESETS))
PACE_CHOICES: Final = tuple((str(pace), pace.words) for pace in OFFERED_PACES)


def ruleset_choices() -> list[tuple[str, str]]:
    """Return the published rulesets as choices, each with a description."""
    return [
        (id, format_html("<strong>{}.</strong> {}", ruleset.name, ruleset.description))
        for id, ruleset in engine.play.RULESETS.items()
    ]


class WizardForm(forms.Form):
    """The name and pronouns of a new wizard."""

    name = forms.CharField(
        label="Wizard’s name",
        max_length=MAX_TYPED_LENGTH,
        help_text=(
            "You cannot change it later. Use 2 to 24 letters, digits, spaces, hyphens, apostrophes "
            "or full stops."
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
                user=user, name=self.cleaned_data["name"], pronouns=self.cleaned_data["pronouns"]
            )


class RulesetChoice(forms.RadioSelect):
    """Radio buttons for rulesets, with the options of each in an attribute for scripts."""

    def create_option(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        option = super().create_option(*args, **kwargs)
        options = adjudication.available_options(option["value"])
        return {**option, "attrs": {**option["attrs"], "data-options": " ".join(options)}}


def focus_first_error(form: forms.Form) -> None:
    """Set `autofocus`, which needs no script, on the first field with an error."""
    for field in form.visible_fields():
        if field.errors:
            field.field.widget.attrs["autofocus"] = True
            return


class OptionsForm(forms.Form):
    """The ruleset, and a checkbox for each option that a duel can have.

    Once the form is valid, `options` contains the names of the ticked options.
    """

    ruleset = forms.ChoiceField(
        label="Rules", choices=ruleset_choices, initial=FIRST_RULESET, widget=RulesetChoice
    )

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]  # handed on as they come
        for option in OPTION_TEXTS.values():
            self.fields[option.name] = forms.BooleanField(
                label=option.label, required=False, help_text=option.help
            )

    @property
    def options(self) -> list[str]:
        """The ticked options."""
        return [name for name in OPTION_TEXTS if self.cleaned_data[name]]


def shared_options() -> list[str]:
    """Return the options that several rulesets share."""
    rulesets_with_option = Counter(
        name for id in engine.play.RULESETS for name in adjudication.available_options(id)
    )
    return [name for name in OPTION_TEXTS if rulesets_with_option[name] > 1]
