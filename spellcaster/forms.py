"""Account forms with this site's labels."""

from collections.abc import Mapping
from typing import Any, ClassVar, Final

from allauth.account import forms as account
from allauth.core import context
from allauth.mfa.base import forms as mfa
from allauth.mfa.totp.forms import ActivateTOTPForm
from allauth.mfa.webauthn.forms import AddWebAuthnForm
from django import forms
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse

from duels.commands.guests import chosen_name
from duels.models import User
from duels.sign_in import guests
from spellcaster.accounts import check_email_rate, stored_spelling

LABELS: Final = {
    "Email": "Email address",
    "Remember Me": "Stay signed in on this device",
    "Current Password": "Current password",
    "New Password": "New password",
    "New Password (again)": "New password again",
}
SECOND_FACTOR_LABEL: Final = "Six digits from your authenticator app, or a recovery code"


class SiteLabelsMixin:
    """Mixin that gives form fields the site's labels and help, and no placeholders.

    `labels` maps names of this form's fields to labels that differ from `LABELS`.
    """

    labels: ClassVar[Mapping[str, str]] = {}

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        fields: dict[str, forms.Field] = self.fields  # type: ignore[attr-defined]  # of a form
        for name, field in fields.items():
            field.label = self.labels.get(name) or LABELS.get(str(field.label), field.label)
            field.widget.attrs.pop("placeholder", None)
            if name == "password1":
                field.help_text = "At least 10 characters. Common passwords are rejected."


class KnownAddressMixin:
    """Mixin that replaces the spelling of a typed address with the one that the site has stored."""

    def clean_email(self) -> str:
        cleaned: dict[str, Any] = self.cleaned_data  # type: ignore[attr-defined]  # of a form
        cleaned["email"] = stored_spelling(cleaned["email"])
        email: str = super().clean_email()  # type: ignore[misc]  # of a form
        return email


class RateLimitedAddressMixin(KnownAddressMixin):
    """Mixin that also limits the number of emails that are sent to the typed address."""

    def clean_email(self) -> str:
        email = super().clean_email()
        check_email_rate(context.request, email)
        return email


class LoginForm(SiteLabelsMixin, account.LoginForm):  # type: ignore[misc]  # allauth ships no types
    """Form to sign in by email address and password."""

    def clean_login(self) -> str:
        return stored_spelling(super().clean_login())


class SignupForm(SiteLabelsMixin, KnownAddressMixin, account.SignupForm):  # type: ignore[misc]  # likewise
    """Sign-up form. Two forms with the same address create only one account."""

    account_already_exists: bool

    def get_initial_for_field(self, field: forms.Field, field_name: str) -> Any:
        """Return the initial value; for the name, the one that this browser's guest has chosen."""
        guest = guests.guest_of(context.request) if field_name == "name" else None
        return chosen_name(guest) if guest else super().get_initial_for_field(field, field_name)

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean()
        if self.errors and "password1" in cleaned:
            self["password1"].help_text = "Enter the password again: the site never sends it back."
        return cleaned

    def try_save(self, request: HttpRequest) -> tuple[User | None, HttpResponse | None]:
        """Return the new account, or the response for an address that already has an account."""
        try:
            with transaction.atomic():
                return self._save_account(request)
        except IntegrityError:  # another form has just created an account with this address
            self.account_already_exists = True
            return self._save_account(request)

    def _save_account(self, request: HttpRequest) -> tuple[User | None, HttpResponse | None]:
        result: tuple[User | None, HttpResponse | None] = super().try_save(request)
        return result


class AddressForm(SiteLabelsMixin, KnownAddressMixin, account.AddEmailForm):  # type: ignore[misc]  # likewise
    """Form that adds an email address."""


class ChangePasswordForm(SiteLabelsMixin, account.ChangePasswordForm):  # type: ignore[misc]  # likewise
    """Form that replaces the current password."""


class SetPasswordForm(SiteLabelsMixin, account.SetPasswordForm):  # type: ignore[misc]  # likewise
    """Form that sets a first password."""


class NewPasswordForm(SiteLabelsMixin, account.ResetPasswordKeyForm):  # type: ignore[misc]  # likewise
    """Form that replaces a forgotten password."""


class RateLimitedCodeForm(SiteLabelsMixin, RateLimitedAddressMixin, account.RequestLoginCodeForm):  # type: ignore[misc]  # likewise
    """Form that requests an emailed sign-in code."""


class EmailedCodeForm(SiteLabelsMixin, account.ConfirmLoginCodeForm):  # type: ignore[misc]  # likewise
    """Form for the emailed sign-in code."""

    labels: ClassVar = {"code": "Code from our email"}


class SecondFactorForm(SiteLabelsMixin, mfa.AuthenticateForm):  # type: ignore[misc]  # likewise
    """Form for the second factor, shown after a correct password."""

    labels: ClassVar = {"code": SECOND_FACTOR_LABEL}


class ReauthenticationForm(SiteLabelsMixin, mfa.ReauthenticateForm):  # type: ignore[misc]  # likewise
    """Form that asks for the second factor again before a sensitive change."""

    labels: ClassVar = {"code": SECOND_FACTOR_LABEL}


class AuthenticatorAppForm(SiteLabelsMixin, ActivateTOTPForm):  # type: ignore[misc]  # likewise
    """Form that sets up an authenticator app."""

    labels: ClassVar = {"code": "Six digits from your app"}


class LostPasswordForm(SiteLabelsMixin, RateLimitedAddressMixin, account.ResetPasswordForm):  # type: ignore[misc]  # likewise
    """Form that requests a link for choosing a new password."""


class PasskeyForm(AddWebAuthnForm):  # type: ignore[misc]  # allauth ships no types
    """Form that adds a passkey: for signing in without a password, or only as a second factor."""

    passwordless = forms.BooleanField(
        label="Sign in without a password",
        initial=True,
        required=False,
        help_text="Your device then asks for your fingerprint, face or PIN. If this is off, you "
        "sign in with your password and then the passkey.",
    )
