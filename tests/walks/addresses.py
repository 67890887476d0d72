"""Every URL of the site, read from the URL configuration so that none is left out.

`every_address(arguments)` fills each route with examples of its arguments. If an argument has no
example, this fails with a message that says what to add here.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from django.urls import URLPattern, URLResolver, get_resolver

# An argument in a route: <int:duel_id>, or (?P<key>[-:\w]+) in a regular expression.
ARGUMENT_PATTERN = re.compile(r"<(?:\w+:)?(\w+)>|\(\?P<(\w+)>(?:\[[^]]*\]|[^()])*\)")

# Arguments with the same meaning in every route. Values that depend on the test, such as the number
# of a duel, come from the test's `arguments`, which take precedence.
ARGUMENT_EXAMPLES: Mapping[str, str] = {
    "anchor": "R12",
    "app_label": "duels",
    "content_type_id": "1",
    "duel_id": "1",
    "key": "a-key",
    "kind": "pause",
    "message_id": "1",
    "name": "a-mail",
    "notice_id": "1",
    "number": "1",
    "object_id": "1",
    "opponent": "bram",
    "ordinal": "1",
    "roll_back": "1",
    "pk": "1",
    "ruleset_id": "bartle-1",
    "seat": "w1",
    "seen": "open",
    "session_id": "1",
    "slug": "ada",
    "speech_id": "1",
    "webhook_id": "1",
    "which": "duel",
    "token": "a-token",
    "uidb36": "1",
    "url": "nowhere",
}
# Arguments for routes in which a name has a different meaning, by the prefix of the route.
ARGUMENTS_BY_PREFIX: Mapping[str, Mapping[str, str]] = {
    "rules/": {"slug": "black-and-white"},
}


@dataclass(frozen=True)
class Address:
    """An address whose arguments are filled in. `path` begins with a slash."""

    path: str
    route: str
    name: str
    arguments: Mapping[str, str]  # arguments that are filled in


def every_address(arguments: Mapping[str, str] | None = None) -> list[Address]:
    """Return every address, including the admin's.

    `arguments` has the test's own values by name.
    """
    return [
        _filled_route(route, name, arguments or {}) for route, name in _routes(get_resolver(), "")
    ]


def _routes(resolver: URLResolver, prefix: str) -> Iterator[tuple[str, str]]:
    for entry in resolver.url_patterns:
        route = prefix + str(entry.pattern)
        if isinstance(entry, URLPattern):
            yield route, entry.name or ""
        else:
            yield from _routes(entry, route)


def _filled_route(route: str, name: str, own: Mapping[str, str]) -> Address:
    known = dict(ARGUMENT_EXAMPLES)
    for beginning, others in ARGUMENTS_BY_PREFIX.items():
        if route.startswith(beginning):
            known |= others
    names = {one or other for one, other in ARGUMENT_PATTERN.findall(route)}
    if unknown := names - known.keys() - own.keys():
        raise AssertionError(
            f"The address {route!r} has arguments without an example: {sorted(unknown)}. "
            f"Add one to ARGUMENT_EXAMPLES in {__name__}, or to the arguments of the worlds in "
            "tests/walks/secret_worlds.py if it is the id of a row."
        )
    plain = re.sub(r"[$^]", "", route)
    arguments = {each: own.get(each, known.get(each, "")) for each in names}
    path = ARGUMENT_PATTERN.sub(lambda found: arguments[found[1] or found[2]], plain)
    return Address(f"/{path}", route, name, arguments)
