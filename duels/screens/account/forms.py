"""The form that closes an account."""

from django import forms
from django.core.exceptions import ValidationError

from duels.accounts import names
from duels.typed_text import clean_line


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
