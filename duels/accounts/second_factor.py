"""The second factor that staff need in the admin and referees need at their desk.

A password or access to a mailbox is not enough. The user must also have used an authenticator app,
a passkey or a recovery code in this session, at sign-in or later.
"""

from typing import Any, Final

from allauth.account.authentication import get_authentication_records
from allauth.account.internal.flows.login import record_authentication
from allauth.mfa.models import Authenticator
from allauth.mfa.signals import authenticator_added
from django.contrib import messages
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode

REFEREE_GROUP: Final = "referees"  # the group of users who rule on disputes
FACTOR_TYPES: Final = (Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN)
FACTOR_NEEDED_TEXT: Final = (
    "This page requires a second factor. Add an authenticator app or a passkey first."
)


def has_second_factor(request: HttpRequest) -> bool:
    """Return whether the user has given a second factor in this session, and still has it."""
    if not request.user.is_authenticated:
        return False
    records = get_authentication_records(request, request.user)
    shown = any(record.get("method") == "mfa" for record in records)
    return shown and _second_factors_of_user(request).exists()


def ask_for_second_factor(request: HttpRequest, next_page: str) -> HttpResponse:
    """Redirect to a page where the user enters a second factor and then goes to `next_page`.

    If the user has none yet, redirect to the page where they can add one.
    """
    kinds = set(_second_factors_of_user(request).values_list("type", flat=True))
    if not kinds:
        messages.warning(request, FACTOR_NEEDED_TEXT)
        return redirect("mfa_index")
    by_code = Authenticator.Type.TOTP in kinds
    page = reverse("mfa_reauthenticate" if by_code else "mfa_reauthenticate_webauthn")
    return redirect(f"{page}?{urlencode({REDIRECT_FIELD_NAME: next_page})}")


def _second_factors_of_user(request: HttpRequest) -> Any:
    return Authenticator.objects.filter(user_id=request.user.pk, type__in=FACTOR_TYPES)


@receiver(authenticator_added)
def mark_second_factor_as_given(
    request: HttpRequest, authenticator: Authenticator, **_: Any
) -> None:
    """Count a new second factor as given, because the user needed the password to add it."""
    if authenticator.type in FACTOR_TYPES and request.user.is_authenticated:
        record_authentication(
            request, request.user, "mfa", id=authenticator.pk, type=authenticator.type
        )
