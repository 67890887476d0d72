"""Odd input at every address, also at those that come with the accounts: never a 500."""

import re

import pytest
from django.contrib.auth import SESSION_KEY
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from tests.cast import Cast, begin, challenge
from tests.duels.test_views import signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.long]

ODD = ["\0", "x" * 3000, "‮", "%", "..", "a b", "-1", "9" * 30, "<script>", "'\"", "ﬁ", "🜏"]
FIELDS = [
    *("email", "login", "password", "password1", "password2", "oldpassword", "name", "code"),
    *("pronouns", "to", "opponent", "ruleset", "size", "pace", "visibility", "words", "token"),
    *("pace_number", "pace_unit", "pace_hour", "pace_zone", "excuses", "zone", "guessed_zone"),
    *("next", "action", "action_primary", "action_remove", "action_add", "remember", "sure", "do"),
]


def addresses(resolver: URLResolver, prefix: str = "") -> list[str]:
    """Every address, a `{}` in place of each word; the admin's are its own affair."""
    found = []
    for entry in resolver.url_patterns:
        route = prefix + str(entry.pattern)
        if isinstance(entry, URLPattern):
            found.append(spelt_out(route))
        elif route != "admin/":
            found += addresses(entry, route)
    return found


def spelt_out(route: str) -> str:
    """A route without its patterns: 1 for a number, `{}` for words."""
    route = re.sub(r"<int:\w+>", "1", route.replace("^", "").replace("$", ""))
    return re.sub(r"\(\?P<\w+>[^)]*\)|<(?:\w+:)?\w+>", "{}", route)


ADDRESSES = addresses(get_resolver())


def test_addresses_of_the_site_and_of_accounts_are_collected():
    assert "settings/" in ADDRESSES
    assert "wizards/{}/" in ADDRESSES
    assert "accounts/confirm-email/{}/" in ADDRESSES


@pytest.mark.parametrize("value", ODD)
def test_odd_input_in_addresses_gives_no_500(cast: Cast, value: str):
    begin(cast.ada, cast.bram)
    for client in (signed_in(cast.ada), Client()):
        for address in ADDRESSES:
            path = "/" + address.replace("{}", value.replace("%", "%25").replace("\0", "%00"))
            answer = client.get(path, dict.fromkeys(("next", "order", "rules", "known"), value))
            assert answer.status_code < 500, path


@pytest.mark.parametrize("value", ODD)
def test_odd_input_in_forms_gives_no_500(cast: Cast, value: str):
    challenge(cast.bram)
    begin(cast.ada, cast.bram)
    typed = dict.fromkeys(FIELDS, value)
    ada = signed_in(cast.ada)
    for address in ADDRESSES:
        if "logout" in address:
            continue
        if SESSION_KEY not in ada.session:  # some forms end the session
            ada = signed_in(cast.ada)
        path = "/" + address.replace("{}", "ada")
        for client in (ada, Client()):
            answer = client.post(path, typed)
            assert answer.status_code < 500, path
            answer.getvalue()  # what is streamed holds a file open until it is read
