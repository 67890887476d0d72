"""Form keys, which identify forms that are sent twice.

A key contains the owner of the page, so that text typed by one wizard is never shown to another.
The owner is the id of the wizard who opened it, or "u" and the id of a user without a wizard.
"""

import hashlib
import json
import re
import secrets
from typing import Final

from django.conf import settings
from django.http import HttpRequest

from duels.commands.submitting import FormDigest
from duels.errors import Refused
from duels.sign_in import guests

FORM_KEY_FIELD: Final = "form_key"
# Fields whose values can differ even if the user's input is the same.
TECHNICAL_FIELDS: Final = frozenset({"csrfmiddlewaretoken", FORM_KEY_FIELD, "chance"})
_FORM_KEY_PATTERN: Final = re.compile(r"[A-Za-z0-9_-]{22}(?:\.(u?[1-9][0-9]{0,18}))?")


def page_key(request: HttpRequest) -> str:
    """Return the key for the forms on a page.

    Reuse the submitted key if it is valid and has not been used.
    """
    key: str = getattr(request, "_form_key", "")
    if not key:
        sent = request.POST.get(FORM_KEY_FIELD, "") if request.method == "POST" else ""
        is_reusable = bool(_FORM_KEY_PATTERN.fullmatch(sent)) and not getattr(
            request, "_key_is_used", False
        )
        owner = owner_of(request)
        mark = f".{owner}" if owner else ""
        key = sent if is_reusable else secrets.token_urlsafe(16) + mark
        request._form_key = key  # type: ignore[attr-defined]  # one key for each page
    return key


def renew_page_key(request: HttpRequest) -> None:
    """Give the forms on the response's page a new key."""
    request._key_is_used = True  # type: ignore[attr-defined]  # for `page_key`


def submitted_key(request: HttpRequest) -> str:
    """Return the key of the submitted form, or "" if it has none. Raise `Refused` if invalid."""
    key = request.POST.get(FORM_KEY_FIELD, "")
    if key and not _FORM_KEY_PATTERN.fullmatch(key):
        text = "The field “form_key” is not valid. Reload the page."
        raise Refused("invalid_form_key", text, field=FORM_KEY_FIELD)
    return key


def owner_in_key(key: str) -> str:
    """Return the owner of the page of the form with this key, or ""."""
    found = _FORM_KEY_PATTERN.fullmatch(key)
    return (found[1] or "") if found else ""


def form_digest(request: HttpRequest, key: str) -> FormDigest:
    """Return the hashes of a submitted form's key and content."""
    fields = sorted(
        (name, request.POST.getlist(name)) for name in request.POST.keys() - TECHNICAL_FIELDS
    )
    content = json.dumps([key, fields])
    return FormDigest(key_digest(request.path, key), _hash(content))


def form_digest_in_browser(request: HttpRequest, key: str) -> str:
    """Return a hash that only copies of a form from the same browser share.

    They have the same key, content and CSRF cookie, which every sign-in replaces.
    """
    cookie = request.COOKIES.get(settings.CSRF_COOKIE_NAME, "")
    return _hash("\n".join((*form_digest(request, key), cookie)))


def key_digest(path: str, key: str) -> str:
    """Return the hash of a form's key together with the path that the form is sent to."""
    return _hash(f"{path}\n{key}")


def owner_of(request: HttpRequest) -> str:
    """Return the owner of pages that this request opens, or "" for visitors."""
    wizard = guests.wizard_of(request)
    if wizard is not None:
        return str(wizard.pk)
    return f"u{request.user.pk}" if request.user.is_authenticated else ""


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()
