"""Forms of the accounts that say what they ask for in the site's words."""

from allauth.account.forms import RequestLoginCodeForm, ResetPasswordForm
from allauth.core import context
from allauth.mfa.webauthn.forms import AddWebAuthnForm
from django import forms

from spellcaster.accounts import count_mail


class CodeForm(RequestLoginCodeForm):  # type: ignore[misc]  # allauth ships no types
    """Asks to which address a code shall go; so often and no more."""

    def clean_email(self) -> str:
        email: str = super().clean_email()
        count_mail(context.request, email)
        return email


class LostPasswordForm(ResetPasswordForm):  # type: ignore[misc]  # likewise
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
