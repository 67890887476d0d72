"""Forms of the accounts that say what they ask for in the site's words."""

from allauth.mfa.webauthn.forms import AddWebAuthnForm
from django import forms


class PasskeyForm(AddWebAuthnForm):  # type: ignore[misc]  # allauth ships no types
    """A passkey signs in alone, unless its owner wants it for a second factor only."""

    passwordless = forms.BooleanField(
        label="It signs me in without a password",
        initial=True,
        required=False,
        help_text="Your device then asks for your fingerprint, your face or its PIN. Otherwise it "
        "is asked for after the password.",
    )
