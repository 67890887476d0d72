"""Forms of the accounts that say what they ask for in the site's words."""

from collections.abc import Mapping
from typing import Any, ClassVar, Final

from allauth.account import forms as account
from allauth.core import context
from allauth.mfa.base import forms as mfa
from allauth.mfa.totp.forms import ActivateTOTPForm
from allauth.mfa.webauthn.forms import AddWebAuthnForm
from django import forms

from spellcaster.accounts import count_mail

LABELS: Final = {
    "Email": "E-mail address",
    "Remember Me": "Stay signed in on this device",
    "Current Password": "Your password as it is",
    "New Password": "New password",
    "New Password (again)": "New password again",
}
SECOND_FACTOR: Final = "The six digits in your authenticator app, or a recovery code"


class PlainLabels:
    """Fields are called as the site calls them, once: nothing stands in an empty field.

    `labels`: of fields of this form by name, where the same word means something else elsewhere.
    """

    labels: ClassVar[Mapping[str, str]] = {}

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        fields: dict[str, forms.Field] = self.fields  # type: ignore[attr-defined]  # of a form
        for name, field in fields.items():
            field.label = self.labels.get(name) or LABELS.get(str(field.label), field.label)
            field.widget.attrs.pop("placeholder", None)


class LoginForm(PlainLabels, account.LoginForm):  # type: ignore[misc]  # allauth ships no types
    """Signs in by address and password."""


class SignupForm(PlainLabels, account.SignupForm):  # type: ignore[misc]  # likewise
    """Makes an account and its wizard."""


class AddressForm(PlainLabels, account.AddEmailForm):  # type: ignore[misc]  # likewise
    """Adds an address."""


class ChangePasswordForm(PlainLabels, account.ChangePasswordForm):  # type: ignore[misc]  # likewise
    """Another password instead of the one there is."""


class SetPasswordForm(PlainLabels, account.SetPasswordForm):  # type: ignore[misc]  # likewise
    """A password where there was none."""


class NewPasswordForm(PlainLabels, account.ResetPasswordKeyForm):  # type: ignore[misc]  # likewise
    """A password instead of one that is lost."""


class CodeForm(PlainLabels, account.RequestLoginCodeForm):  # type: ignore[misc]  # likewise
    """Asks to which address a code shall go; so often and no more."""

    def clean_email(self) -> str:
        email: str = super().clean_email()
        count_mail(context.request, email)
        return email


class CodeInMailForm(PlainLabels, account.ConfirmLoginCodeForm):  # type: ignore[misc]  # likewise
    """The code that was mailed."""

    labels: ClassVar = {"code": "The code in our mail"}


class SecondFactorForm(PlainLabels, mfa.AuthenticateForm):  # type: ignore[misc]  # likewise
    """Signs in whose password was right."""

    labels: ClassVar = {"code": SECOND_FACTOR}


class SecondFactorAgainForm(PlainLabels, mfa.ReauthenticateForm):  # type: ignore[misc]  # likewise
    """Asks once more who sits before the screen."""

    labels: ClassVar = {"code": SECOND_FACTOR}


class AuthenticatorAppForm(PlainLabels, ActivateTOTPForm):  # type: ignore[misc]  # likewise
    """An app shows codes from now on."""

    labels: ClassVar = {"code": "The six digits that your app shows"}


class LostPasswordForm(PlainLabels, account.ResetPasswordForm):  # type: ignore[misc]  # likewise
    """The same for the link by which a new password is chosen."""

    def clean_email(self) -> str:
        email: str = super().clean_email()
        count_mail(context.request, email)
        return email


class PasskeyForm(AddWebAuthnForm):  # type: ignore[misc]  # allauth ships no types
    """A passkey signs in alone, unless its owner wants it for a second factor only."""

    passwordless = forms.BooleanField(
        label="It signs me in without a password",
        initial=True,
        required=False,
        help_text="Your device then asks for your fingerprint, your face or its PIN. Otherwise it "
        "is asked for after the password.",
    )
