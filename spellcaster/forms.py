"""Account forms with this site's labels."""

from collections.abc import Mapping
from typing import Any, ClassVar, Final

from allauth.account import forms as account
from allauth.core import context
from allauth.mfa.base import forms as mfa
from allauth.mfa.totp.forms import ActivateTOTPForm
from allauth.mfa.webauthn.forms import AddWebAuthnForm
from django import forms

from spellcaster.accounts import check_email_rate

LABELS: Final = {
    "Email": "Email address",
    "Remember Me": "Stay signed in on this device",
    "Current Password": "Current password",
    "New Password": "New password",
    "New Password (again)": "New password again",
}
SECOND_FACTOR: Final = "Six digits from your authenticator app, or a recovery code"


class SiteLabelsMixin:
    """Mixin that gives fields the site's labels and removes placeholders.

    `labels` maps names of this form's fields to labels that differ from the usual ones.
    """

    labels: ClassVar[Mapping[str, str]] = {}

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        fields: dict[str, forms.Field] = self.fields  # type: ignore[attr-defined]  # of a form
        for name, field in fields.items():
            field.label = self.labels.get(name) or LABELS.get(str(field.label), field.label)
            field.widget.attrs.pop("placeholder", None)


class LoginForm(SiteLabelsMixin, account.LoginForm):  # type: ignore[misc]  # allauth ships no types
    """Sign-in by address and password."""


class SignupForm(SiteLabelsMixin, account.SignupForm):  # type: ignore[misc]  # likewise
    """Sign-up: creates an account and its wizard."""


class AddressForm(SiteLabelsMixin, account.AddEmailForm):  # type: ignore[misc]  # likewise
    """Form that adds an address."""


class ChangePasswordForm(SiteLabelsMixin, account.ChangePasswordForm):  # type: ignore[misc]  # likewise
    """Form that replaces the current password."""


class SetPasswordForm(SiteLabelsMixin, account.SetPasswordForm):  # type: ignore[misc]  # likewise
    """Form that sets a first password."""


class NewPasswordForm(SiteLabelsMixin, account.ResetPasswordKeyForm):  # type: ignore[misc]  # likewise
    """Form that replaces a forgotten password."""


class RateLimitedCodeForm(SiteLabelsMixin, account.RequestLoginCodeForm):  # type: ignore[misc]  # likewise
    """Form that requests a sign-in code. The number of codes for an address is limited."""

    def clean_email(self) -> str:
        email: str = super().clean_email()
        check_email_rate(context.request, email)
        return email


class EmailedCodeForm(SiteLabelsMixin, account.ConfirmLoginCodeForm):  # type: ignore[misc]  # likewise
    """Form that takes the emailed code."""

    labels: ClassVar = {"code": "Code from our email"}


class SecondFactorForm(SiteLabelsMixin, mfa.AuthenticateForm):  # type: ignore[misc]  # likewise
    """Form that takes the second factor after a correct password."""

    labels: ClassVar = {"code": SECOND_FACTOR}


class ReauthenticationForm(SiteLabelsMixin, mfa.ReauthenticateForm):  # type: ignore[misc]  # likewise
    """Form that asks for the second factor again before a sensitive change."""

    labels: ClassVar = {"code": SECOND_FACTOR}


class AuthenticatorAppForm(SiteLabelsMixin, ActivateTOTPForm):  # type: ignore[misc]  # likewise
    """Form that sets up an authenticator app."""

    labels: ClassVar = {"code": "Six digits from your app"}


class LostPasswordForm(SiteLabelsMixin, account.ResetPasswordForm):  # type: ignore[misc]  # likewise
    """Form that requests a link to choose a new password, limited in the same way as codes."""

    def clean_email(self) -> str:
        email: str = super().clean_email()
        check_email_rate(context.request, email)
        return email


class PasskeyForm(AddWebAuthnForm):  # type: ignore[misc]  # allauth ships no types
    """Form that adds a passkey, which signs in by itself unless it is only a second factor."""

    passwordless = forms.BooleanField(
        label="Sign in without a password",
        initial=True,
        required=False,
        help_text="Your device then asks for your fingerprint, face or PIN. If this is off, you "
        "sign in with your password and then the passkey.",
    )
