"""What the accounts of django-allauth need to know of ours."""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.contrib import messages
from django.http import HttpRequest, HttpResponse

from duels import guests
from duels.models import User


class Accounts(DefaultAccountAdapter):  # type: ignore[misc]  # allauth ships no types
    """Signs in as allauth does. Who was a guest in this browser keeps the duels they began."""

    def post_login(self, request: HttpRequest, user: User, **more: Any) -> HttpResponse:
        response: HttpResponse = super().post_login(request, user, **more)
        if guests.move_guests_duels(request, response, getattr(user, "wizard", None)):
            messages.success(request, "The duels that you began as a guest are yours to keep.")
        return response


def wizards_name(user: User) -> str:
    """How pages and mails of the accounts call somebody: never by e-mail address."""
    wizard = getattr(user, "wizard", None)
    return wizard.name if wizard else "a wizard without a name"
