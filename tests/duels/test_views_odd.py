"""Odd input at every address, also at those that come with the accounts: never a 500."""

import re

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from tests.cast import Cast, begin, challenge
from tests.duels.test_views import signed_in

pytestmark = pytest.mark.django_db

ODD = ["\0", "x" * 3000, "‮", "%", "..", "a b", "-1", "9" * 30, "<script>", "'\"", "ﬁ", "🜏"]
FIELDS = [
    *("email", "login", "password", "password1", "password2", "oldpassword", "name", "code"),
    *("pronouns", "to", "opponent", "ruleset", "size", "pace", "visibility", "words", "token"),
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


def test_the_addresses_were_found():
    assert "settings/" in ADDRESSES
    assert "wizards/{}/" in ADDRESSES
    assert "accounts/confirm-email/{}/" in ADDRESSES


@pytest.mark.parametrize("value", ODD)
def test_odd_words_in_addresses(cast: Cast, value: str):
    begin(cast.ada, cast.bram)
    for client in (signed_in(cast.ada), Client()):
        for address in ADDRESSES:
            path = "/" + address.replace("{}", value.replace("%", "%25").replace("\0", "%00"))
            answer = client.get(path, dict.fromkeys(("next", "order", "rules", "known"), value))
            assert answer.status_code < 500, path


@pytest.mark.parametrize("value", ODD)
def test_odd_words_in_forms(cast: Cast, value: str):
    challenge(cast.bram)
    begin(cast.ada, cast.bram)
    typed = dict.fromkeys(FIELDS, value)
    for address in ADDRESSES:
        if "logout" in address:
            continue
        path = "/" + address.replace("{}", "ada")
        for client in (signed_in(cast.ada), Client()):
            assert client.post(path, typed).status_code < 500, path
