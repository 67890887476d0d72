"""The cast of every test: Ada and Bram duel, Cleo watches, Dorn has no business here.

Plain factories; everything after the accounts goes through the real commands, of which the cast's
rows are kept from one test to the next. Time stands still at `NOW` unless a test says otherwise.
"""

from collections.abc import Collection, Iterator, Mapping, MutableSequence
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from random import SystemRandom
from typing import Any, TypeVar

from allauth.account.internal.flows.login import record_authentication
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.db import connection
from django.db.models import Model
from django.http import HttpRequest
from django.test import Client
from django.utils import timezone

from duels import commands
from duels.commands import opening
from duels.models import Duel, Orders, Seat, Turn, User, Wizard
from duels.post.public import deliver_due

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
LATER = NOW + timedelta(hours=1)
PASSWORD = "a hand and a half"

Fields = Mapping[str, str]


class NoLot(SystemRandom):
    """A lot that leaves everybody where they came in."""

    def shuffle(self, x: MutableSequence[Any]) -> None:
        """The order stays."""


@dataclass(frozen=True)
class Cast:
    """The four wizards, each of a user with a verified address."""

    ada: Wizard
    bram: Wizard
    cleo: Wizard
    dorn: Wizard


def make_user(email: str, *, verified: bool = True) -> User:
    """A user who can sign in with `PASSWORD`."""
    user = User.objects.create_user(email, PASSWORD)
    EmailAddress.objects.create(user=user, email=email, verified=verified, primary=True)
    return user


def make_wizard(name: str, *, pronouns: str = "they") -> Wizard:
    """A wizard of a user of their own."""
    user = make_user(f"{name.lower().replace(' ', '-')}@example.org")
    return commands.create_wizard(user=user, name=name, pronouns=pronouns, now=NOW)


def sign_in_with_second_factor(client: Client, user: User) -> None:
    """The client is signed in as a user who has an authenticator app, and has just used it."""
    found, _ = Authenticator.objects.get_or_create(
        user=user, type=Authenticator.Type.TOTP, defaults={"data": {"secret": "JBSWY3DPEHPK3PXP"}}
    )
    client.force_login(user)
    request = HttpRequest()
    request.session = client.session
    record_authentication(request, user, "mfa", id=found.pk, type=found.type, reauthenticated=True)
    request.session.save()


def prove_identity(client: Client) -> None:
    """Whoever is signed in has typed their password once more, as before what concerns the whole
    account."""
    answer = client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    assert answer.status_code == 302


def make_cast() -> Cast:
    """The first of a process is made by the commands, the next are rows like those of the first."""
    if not _KEPT:
        with _only_accounts_are_made():
            cast = Cast(*(make_wizard(name, pronouns=pronouns) for name, pronouns in CAST.items()))
        emails = EmailAddress.objects.filter(user__wizard__name__in=CAST).order_by("pk")
        wizards = Wizard.objects.filter(name__in=CAST).select_related("user").order_by("pk")
        for email, wizard in zip(emails, wizards, strict=True):
            assert wizard.user is not None
            _KEPT.append((wizard.user, email, wizard))
        return cast
    now = timezone.now()
    users = User.objects.bulk_create(_like(user, date_joined=now) for user, _, _ in _KEPT)
    rows = list(zip(users, _KEPT, strict=True))
    EmailAddress.objects.bulk_create(_like(email, user=user) for user, (_, email, _) in rows)
    return Cast(*Wizard.objects.bulk_create(_like(wizard, user=u) for u, (_, _, wizard) in rows))


CAST = {"Ada": "she", "Bram": "he", "Cleo": "they", "Dorn": "it"}
Row = TypeVar("Row", bound=Model)
_KEPT: list[tuple[User, EmailAddress, Wizard]] = []


def _like(row: Row, **changes: object) -> Row:
    """A row not yet saved: as this one, but for its key and these changes."""
    fields = [field for field in row._meta.concrete_fields if not field.primary_key]
    values = {field.name: field.value_from_object(row) for field in fields if not field.is_relation}
    return type(row)(**deepcopy(values) | changes)


@contextmanager
def _only_accounts_are_made() -> Iterator[None]:
    """Inside the block only users, addresses and wizards are written, which `_KEPT` can keep."""
    kept = tuple(f'INSERT INTO "{each._meta.db_table}"' for each in (User, EmailAddress, Wizard))

    def watch(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        assert sql.startswith(("BEGIN", "SELECT", "SAVEPOINT", "RELEASE", "ROLLBACK", *kept)), sql
        return execute(sql, params, many, context)

    with connection.execute_wrapper(watch):
        yield


def challenge(
    by: Wizard,
    opponent: Wizard | None = None,
    *,
    size: int = 2,
    visibility: str = "public",
    words: str = "",
    invitation: bool = False,
    options: Collection[str] = (),
    pace: str = "none",
    excuses: int = 0,
    ruleset: str = "bartle-1",
    now: datetime = NOW,
) -> Duel:
    """A challenge by this wizard."""
    return commands.create_challenge(
        by=by,
        ruleset=ruleset,
        size=size,
        pace=pace,
        excuses=excuses,
        visibility=visibility,
        words=words,
        opponent=opponent,
        invitation=invitation,
        options=options,
        now=now,
    )


def begin(
    *wizards: Wizard,
    visibility: str = "public",
    strict: bool = False,
    options: Collection[str] = (),
    seated: bool = True,
    ruleset: str = "bartle-1",
    pace: str = "none",
    excuses: int = 0,
) -> Duel:
    """A duel between these wizards at turn 1; `seated`: they sit in the order given."""
    first, *rest = wizards
    duel = challenge(
        first,
        size=len(wizards),
        visibility=visibility,
        options=["strict"] if strict else options,
        ruleset=ruleset,
        pace=pace,
        excuses=excuses,
    )
    lot = opening.LOT
    opening.LOT = NoLot() if seated else lot
    try:
        for wizard in rest:
            duel = commands.accept(duel_id=duel.pk, wizard=wizard, now=NOW)
    finally:
        opening.LOT = lot
    return duel


def open_turn(duel: Duel) -> Turn:
    """The turn that is being played."""
    return Turn.objects.get(duel=duel, stage__in=["orders", "answers"])


def missing(turn: Turn) -> int:
    """How many seals the turn waits for."""
    waiting = Seat.objects.filter(duel=turn.duel_id, awaited=True)
    return waiting.count() if turn.is_open else 0


def seat(duel: Duel, wizard: Wizard) -> Seat:
    return Seat.objects.get(duel=duel, wizard=wizard)


def seal(
    duel: Duel,
    wizard: Wizard,
    fields: Fields,
    *,
    form_seal: str = "",
    now: datetime = NOW,
    chance: str = "",
) -> Orders:
    """The wizard's orders for the open turn."""
    return commands.seal_orders(
        turn_id=open_turn(duel).pk,
        wizard=wizard,
        fields=fields,
        form_seal=form_seal,
        now=now,
        chance=chance,
    )


def hands(left: str, right: str, **more: str) -> dict[str, str]:
    """Orders in the flat form: two gestures, and what else there is to say."""
    return {"left": left, "right": right, **more}


def play(duel: Duel, orders: Mapping[Wizard, Fields], *, now: datetime = NOW) -> Turn:
    """These seals, then the turn is resolved; the duel as it is afterwards is in `duel`."""
    turn = open_turn(duel)
    for wizard, fields in orders.items():
        seal(duel, wizard, fields, now=now)
    commands.resolve_turn(turn_id=turn.pk, now=now)
    duel.refresh_from_db()
    turn.refresh_from_db()
    return turn


def deliver(*, now: datetime = NOW) -> int:
    """A round of the post in which time stands still; how many mails were sent."""
    return deliver_due(clock=lambda: now).sent
