"""Everything that an observer can get from the site: responses, emails and notifications.

Responses are compared byte for byte. Only random values are masked, such as the tokens of forms and
the challenges of passkeys. The time is the same for all requests.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Final
from unittest import mock

from django.apps import apps
from django.core import mail
from django.core.cache import caches as django_caches
from django.core.management.color import no_style
from django.db import connection, transaction
from django.db.models import Max
from django.test import Client
from pytest_django import DjangoCaptureOnCommitCallbacks

from duels.caching import caches
from duels.models import Duel, User, Wizard
from duels.push import endpoints
from duels.push import message as push_messages
from duels.push.commands.subscribing import subscribe
from duels.push.models import Push
from duels.webhooks.messages import duel_message
from duels.webhooks.queries import duel_states
from engine.proof import PLACE_FIELD
from tests import daily
from tests.cast import LATER, NOW, Cast, hands, sign_in_with_second_factor
from tests.push_service import AUTH_SECRET, P256DH
from tests.walks.addresses import Address, every_address
from tests.walks.secret_worlds import ADA, BRAM, OPERATOR, VISITOR, Event, Secret

MASKS: Final = (
    (re.compile(rb'(name="csrfmiddlewaretoken" value=")\w+'), rb"\1"),
    (re.compile(rb'(name="form_key" value=")[\w-]{22}'), rb"\1"),
    (re.compile(rb'("token": ")\w{64}'), rb"\1"),
    (re.compile(rb"(csrftoken=)\w+"), rb"\1"),
    (re.compile(rb'("challenge": ")[\w-]+'), rb"\1"),  # the challenge for adding a passkey
    # Mask random salts and hashes of salted values, but not their number.
    (re.compile(rb'("(?:salt|chain)": ")\w{64}'), rb"\1"),
    (re.compile(rb'(?m)^( +")[0-9a-f]{64}(",?)$'), rb"\1\2"),
)
# query strings to request in addition to the plain address
QUERY_STRINGS: Final[Mapping[str, Sequence[str]]] = {
    "archive": ("?opponent=ada", "?words=spell", "?sort=longest", "?fate=countered&way=kill"),
    "duel": ("?from=1",),
    "duels": (
        "?show=running&wizard=bram",
        "?show=watch&opponent=a",
        "?show=finished",
        *(f"?show=watch&sort={sort}" for sort in ("rating", "turn", "watched")),
    ),
    "ladder": ("?by=month", "?by=reliability"),
    "poll": ("?complete",),
    "turn": ("?known=then", "?seen=w0", "?seen=w1", "?seen=spectator"),
    "turn_picture": ("?v=other",),
}
# pages that show the duel without its id in their address
LIST_PAGES: Final = frozenset(
    {
        "archive",
        "duels",
        "following",
        "head_to_head",
        "home",
        "ladder",
        "ladder_feed",
        "mail_settings",
        "news",
        "open_to_duels",
        "thread",
        "threads",
        "waiting",
        "wizard",
        "wizard_feed",
        "wizards",
    }
)
# every button of the order sheet, and a value that is not a button
SHEET_BUTTONS: Final = ("seal", "look", "draft", "read", "take_back", "drop", "dance")
SOME_BUTTONS: Final = SHEET_BUTTONS[:2]
TYPED_FIELDS: Final = {
    **hands("W", "-"),
    "form_seal": "",
    "words": "Well met.",
    "speech": "1",
    "to": "w1",
    "when": "off",
    "text": "P W",
}

RequestKey = tuple[str, str]
SeenResponses = dict[RequestKey, bytes]


@dataclass
class ObserverSessions:
    """Sessions of all observers, created once, so that both worlds have the same session keys."""

    cast: Cast
    sessions: dict[str, str] = field(default_factory=dict)
    browser: Client = field(default_factory=Client)

    def client(self, name: str) -> Client:
        """Return a client whose only cookie is this observer's session."""
        self.browser.cookies.clear()
        if name == VISITOR:
            return self.browser
        if name not in self.sessions:
            sign_in_with_second_factor(self.browser, self._user(name))
            self.sessions[name] = self.browser.cookies["sessionid"].value
            self.browser.cookies.clear()
        self.browser.cookies["sessionid"] = self.sessions[name]
        return self.browser

    def wizard(self, name: str) -> Wizard | None:
        found: Wizard | None = getattr(self.cast, name.lower(), None)
        return found

    def _user(self, name: str) -> User:
        if name == OPERATOR:
            return User.objects.create_superuser("root@example.org", "x")
        wizard = self.wizard(name)
        assert wizard is not None
        assert wizard.user is not None
        return wizard.user


class FakeCommitments:
    """Replacement for commitments that depends only on a seal's place and its number there.

    Opponents see a seal's commitment, so it must be the same in both worlds. Commitments are
    replaced here instead of masked in responses, so that nothing else is masked by mistake.
    """

    def __init__(self) -> None:
        self.known: dict[str, list[str]] = {}

    def __call__(self, fields: Mapping[str, str], salts: Mapping[str, str]) -> str:
        place, salt = fields[PLACE_FIELD], salts[PLACE_FIELD]
        salts_there = self.known.setdefault(place, [])
        if salt not in salts_there:
            salts_there.append(salt)
        return sha256(f"{place} {salts_there.index(salt)}".encode()).hexdigest()


def observe_both(
    secret: Secret,
    cast: Cast,
    capture: DjangoCaptureOnCommitCallbacks,
    names: Sequence[str],
    asked: Collection[str] | None = None,
) -> list[dict[str, SeenResponses]]:
    """Return what each of these observers can see in the two worlds.

    `asked` has the names of the addresses to request; the default is all of them.
    """
    observers = ObserverSessions(cast)
    with _frozen_time():
        for name in (ADA, BRAM):
            _subscribe_device(getattr(cast, name.lower()))
        duel = secret.shared(cast)
        for name in names:
            observers.client(name)
        return [
            _observe_one(secret, happening, observers, duel, capture, names, asked)
            for happening in secret.either
        ]


def _subscribe_device(wizard: Wizard) -> None:
    subscribe(
        wizard=wizard,
        endpoint=f"https://updates.push.services.mozilla.com/wpush/v2/{wizard.slug}",
        p256dh=P256DH,
        auth=endpoints.encode_key(AUTH_SECRET),
        device="Firefox on Android",
        now=NOW,
    )


def _observe_one(
    secret: Secret,
    happening: Event,
    observers: ObserverSessions,
    duel: Duel,
    capture: DjangoCaptureOnCommitCallbacks,
    names: Sequence[str],
    asked: Collection[str] | None,
) -> dict[str, SeenResponses]:
    """Create one of the two worlds, observe it, and undo its changes."""
    with _rolled_back(), mock.patch("duels.sealing.seals.seal_commitment", FakeCommitments()):
        mail.outbox.clear()
        with capture(execute=True):
            happening(observers.cast, duel)
        duel.refresh_from_db()
        return {
            name: _responses_to(name, observers, duel, secret, asked)
            | _notifications_of(observers.wizard(name))
            | {("webhook", ""): repr(duel_message(duel_states([duel.pk])[duel.pk])).encode()}
            for name in names
        }


def _responses_to(
    name: str,
    observers: ObserverSessions,
    duel: Duel,
    secret: Secret,
    asked: Collection[str] | None,
) -> SeenResponses:
    """Return every response that an observer gets, by method and path.

    The owner of the secret requests only the duel's pages, where a single difference is enough.
    """
    seen: SeenResponses = {}
    is_owner = name == secret.owner
    whole = secret.whole and not is_owner
    for address in _addresses_to_request(duel, whole=whole):
        if not _is_requested_by(address, name) or (asked is not None and address.name not in asked):
            continue
        for query in ("", *QUERY_STRINGS.get(address.name, ())):
            path = f"{address.path}{query}"
            seen["GET", path] = _masked_response(observers.client(name).get(path))
        if is_owner:
            continue
        if "duel_id" in address.arguments and (whole or name in (ADA, BRAM)):
            for what, typed in _forms_to_send(
                address, duel, SHEET_BUTTONS if whole else SOME_BUTTONS
            ):
                with _rolled_back(forgets=False):
                    answer = observers.client(name).post(address.path, typed)
                    seen[f"POST {what}", address.path] = _masked_response(answer)
    return seen


def _is_requested_by(address: Address, name: str) -> bool:
    """Return whether this observer should request an address.

    Rules and spellbooks do not show duels, so only two observers request them. Only operators can
    use the admin.
    """
    if address.route.startswith("admin/"):
        return name == OPERATOR
    return name in (ADA, VISITOR) or not address.route.startswith(("rules/", "spellbook/"))


def _addresses_to_request(duel: Duel, *, whole: bool) -> Iterator[Address]:
    """Yield the addresses to request, including those of the last two turns.

    With `whole`, a quarter of the site's other pages is included, a different quarter each day.
    """
    last = duel.turns.aggregate(last=Max("ordinal"))["last"]
    known = set()
    for ordinal in range(max(1, last - 1), last + 1):
        arguments = {"duel_id": str(duel.pk), "ordinal": str(ordinal), "object_id": str(duel.pk)}
        every = every_address(arguments)
        others = {*daily.sample(sorted({each.route for each in every}), 4)} if whole else set()
        for address in every:
            is_asked = (
                "duel_id" in address.arguments
                or address.name in LIST_PAGES
                or address.route in others
                or (whole and address.route.startswith("admin/"))
            )
            if is_asked and "logout" not in address.path and address.path not in known:
                known.add(address.path)
                yield address


def _forms_to_send(
    address: Address, duel: Duel, buttons: Sequence[str]
) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the forms to send to an address of the duel, one for each button.

    Forms that end the duel are left out, because the end makes everything public.
    """
    typed = TYPED_FIELDS | {"turn": str(duel.turns.count())}
    if address.name in ("orders", "answers"):
        for button in buttons:
            yield button, typed | {"do": button}
    else:
        yield "", typed


def _masked_response(response: Any) -> bytes:
    """Return the masked response as bytes: status, headers, cookies and body."""
    headers = sorted(f"{name}: {value}" for name, value in response.headers.items())
    cookies = sorted(morsel.OutputString() for morsel in response.cookies.values())
    whole = "\n".join((str(response.status_code), *headers, *cookies, "")).encode()
    whole += response.getvalue()
    for pattern, plain in MASKS:
        whole = pattern.sub(plain, whole)
    return whole


def _notifications_of(wizard: Wizard | None) -> SeenResponses:
    """Return the emails to this wizard, and the notifications on their devices."""
    if wizard is None or wizard.user is None:
        return {}
    mails = [each for each in mail.outbox if each.to == [wizard.user.email]]
    pushes = Push.objects.filter(wizard=wizard).order_by("pk")
    return {
        **{
            ("mail", str(number)): repr(
                (each.subject, each.body, getattr(each, "alternatives", ()), each.extra_headers)
            ).encode()
            for number, each in enumerate(mails)
        },
        **{
            ("push", str(number)): repr(push_messages.push_message_for(each, LATER)).encode()
            for number, each in enumerate(pushes)
        },
    }


@contextmanager
def _frozen_time() -> Iterator[None]:
    with ExitStack() as stack:
        stack.enter_context(mock.patch("django.utils.timezone.now", return_value=LATER))
        stack.enter_context(mock.patch("time.time", return_value=LATER.timestamp()))
        yield


@contextmanager
def _rolled_back(*, forgets: bool = True) -> Iterator[None]:
    """Undo all changes to the database at the end. With `forgets`, first clear all caches."""
    if forgets:
        for shared in django_caches.all(initialized_only=True):
            shared.clear()
        caches.clear_all()
        _restart_sequences()
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def _restart_sequences() -> None:
    """Reset the sequences of all tables, so that new rows have the same ids in both worlds.

    PostgreSQL does not reuse the ids of rows that were rolled back.
    """
    models = apps.get_models(include_auto_created=True)
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), models):
            cursor.execute(statement)


def differences(first: SeenResponses, second: SeenResponses) -> list[str]:
    """Return a description of each difference: its request and the first place that differs."""
    return [
        f"{' '.join(key)}: {_first_difference(first.get(key, b''), second.get(key, b''))}"
        for key in first.keys() | second.keys()
        if first.get(key) != second.get(key)
    ]


def _first_difference(one: bytes, other: bytes) -> str:
    one, other = (re.sub(rb"Content-Length: .*", b"", each) for each in (one, other))
    at = next(
        (at for at, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]),
        min(len(one), len(other)),
    )
    start = max(0, at - 80)
    return f"{one[start : at + 80]!r} and {other[start : at + 80]!r}"
