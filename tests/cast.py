"""The cast of every test: Ada and Bram duel, Cleo watches, Dorn has no business here.

Plain factories; everything after the accounts goes through the real commands. Time stands still at
`NOW` unless a test says otherwise.
"""

from collections.abc import Mapping, MutableSequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from random import SystemRandom
from typing import Any

from allauth.account.models import EmailAddress

from duels import commands
from duels.commands import opening
from duels.models import Duel, Orders, Seat, Turn, User, Wizard

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
    """A wizard of a user of his own."""
    user = make_user(f"{name.lower().replace(' ', '-')}@example.org")
    return commands.create_wizard(user=user, name=name, pronouns=pronouns, now=NOW)


def make_cast() -> Cast:
    return Cast(
        ada=make_wizard("Ada", pronouns="she"),
        bram=make_wizard("Bram", pronouns="he"),
        cleo=make_wizard("Cleo", pronouns="they"),
        dorn=make_wizard("Dorn", pronouns="it"),
    )


def challenge(
    by: Wizard,
    opponent: Wizard | None = None,
    *,
    size: int = 2,
    visibility: str = "public",
    words: str = "",
    invitation: bool = False,
    strict: bool = False,
    sacrifice: bool = False,
    pace: str = "unhurried",
    ruleset: str = "bartle-1",
    now: datetime = NOW,
) -> Duel:
    """A challenge by this wizard."""
    return commands.create_challenge(
        by=by,
        ruleset=ruleset,
        size=size,
        pace=pace,
        visibility=visibility,
        words=words,
        opponent=opponent,
        invitation=invitation,
        strict=strict,
        sacrifice=sacrifice,
        now=now,
    )


def begin(
    *wizards: Wizard,
    visibility: str = "public",
    strict: bool = False,
    seated: bool = True,
    ruleset: str = "bartle-1",
) -> Duel:
    """A duel between these wizards at turn 1; `seated`: they sit in the order given."""
    first, *rest = wizards
    duel = challenge(
        first, size=len(wizards), visibility=visibility, strict=strict, ruleset=ruleset
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


def seat(duel: Duel, wizard: Wizard) -> Seat:
    return Seat.objects.get(duel=duel, wizard=wizard)


def seal(
    duel: Duel, wizard: Wizard, fields: Fields, *, form_seal: str = "", now: datetime = NOW
) -> Orders:
    """The wizard's orders for the open turn."""
    return commands.seal_orders(
        turn_id=open_turn(duel).pk, wizard=wizard, fields=fields, form_seal=form_seal, now=now
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
