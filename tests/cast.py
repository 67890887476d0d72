"""The cast of every test: Ada and Bram duel, Cleo watches, and Dorn is a stranger.

The functions of this module create everything except accounts with the site's own commands. The
rows of the cast, and of each kind of begun duel, are created once in each process and then copied,
which is faster. The time is `NOW` unless a test passes another time.
"""

from collections.abc import Collection, Hashable, Iterator, Mapping, MutableSequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from random import SystemRandom
from typing import Any

from allauth.account.internal.flows.login import record_authentication
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.db import connection
from django.http import HttpRequest
from django.test import Client
from django.utils import timezone

from duels.commands import challenges, opening, resolution, sealing
from duels.commands.profiles import create_wizard
from duels.models import Duel, Orders, Seat, Turn, User, Wizard
from duels.post.public import deliver_due
from tests.begun_duels import BegunDuel, names_if_copyable, unsaved_copy

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
LATER = NOW + timedelta(hours=1)
PASSWORD = "a hand and a half"

Fields = Mapping[str, str]


class UnshuffledRandom(SystemRandom):
    """A replacement for random numbers that keeps players in the order of joining."""

    def shuffle(self, x: MutableSequence[Any]) -> None:
        """Do not change the order."""


@dataclass(frozen=True)
class Cast:
    """Four wizards of users with verified addresses."""

    ada: Wizard
    bram: Wizard
    cleo: Wizard
    dorn: Wizard


def make_user(email: str, *, verified: bool = True) -> User:
    """Create a user who can sign in with `PASSWORD`."""
    user = User.objects.create_user(email, PASSWORD)
    EmailAddress.objects.create(user=user, email=email, verified=verified, primary=True)
    return user


def make_wizard(name: str, *, pronouns: str = "they") -> Wizard:
    """Create a wizard with its own user."""
    user = make_user(f"{name.lower().replace(' ', '-')}@example.org")
    return create_wizard(user=user, name=name, pronouns=pronouns, now=NOW)


def signed_in(wizard: Wizard | None) -> Client:
    """Return a client in which this wizard's user is signed in, or a visitor's client for None."""
    client = Client()
    if wizard is not None:
        assert wizard.user is not None
        client.force_login(wizard.user)
    return client


def sign_in_with_second_factor(client: Client, user: User) -> None:
    """Sign the client in as this user, as if an app code had just been entered."""
    found, _ = Authenticator.objects.get_or_create(
        user=user, type=Authenticator.Type.TOTP, defaults={"data": {"secret": "JBSWY3DPEHPK3PXP"}}
    )
    client.force_login(user)
    request = HttpRequest()
    request.session = client.session
    record_authentication(request, user, "mfa", id=found.pk, type=found.type, reauthenticated=True)
    request.session.save()


def reauthenticate(client: Client) -> None:
    """Enter the signed-in user's password again, which is required for changes to an account."""
    answer = client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    assert answer.status_code == 302


def make_cast() -> Cast:
    """Create the cast: with commands the first time in a process, later by copying the rows."""
    if not _KEPT_ACCOUNTS:
        with _assert_only_accounts_created():
            cast = Cast(
                *(make_wizard(name, pronouns=pronouns) for name, pronouns in CAST_PRONOUNS.items())
            )
        emails = EmailAddress.objects.filter(user__wizard__name__in=CAST_PRONOUNS).order_by("pk")
        wizards = (
            Wizard.objects.filter(name__in=CAST_PRONOUNS).select_related("user").order_by("pk")
        )
        for email, wizard in zip(emails, wizards, strict=True):
            assert wizard.user is not None
            _KEPT_ACCOUNTS.append((wizard.user, email, wizard))
        return cast
    now = timezone.now()
    users = User.objects.bulk_create(
        unsaved_copy(user, date_joined=now) for user, _, _ in _KEPT_ACCOUNTS
    )
    rows = list(zip(users, _KEPT_ACCOUNTS, strict=True))
    EmailAddress.objects.bulk_create(unsaved_copy(email, user=user) for user, (_, email, _) in rows)
    return Cast(
        *Wizard.objects.bulk_create(unsaved_copy(wizard, user=u) for u, (_, _, wizard) in rows)
    )


CAST_PRONOUNS = {"Ada": "she", "Bram": "he", "Cleo": "they", "Dorn": "it"}
_KEPT_ACCOUNTS: list[tuple[User, EmailAddress, Wizard]] = []


@contextmanager
def _assert_only_accounts_created() -> Iterator[None]:
    """Check that the block writes only users, addresses and wizards, for `_KEPT_ACCOUNTS`."""
    kept = tuple(f'INSERT INTO "{each._meta.db_table}"' for each in (User, EmailAddress, Wizard))

    def check_statement(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        assert sql.startswith(("BEGIN", "SELECT", "SAVEPOINT", "RELEASE", "ROLLBACK", *kept)), sql
        return execute(sql, params, many, context)

    with connection.execute_wrapper(check_statement):
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
    rated: bool = False,
    now: datetime = NOW,
) -> Duel:
    """Create a challenge from this wizard."""
    return challenges.create_challenge(
        challenger=by,
        ruleset=ruleset,
        size=size,
        pace=pace,
        excuses=excuses,
        visibility=visibility,
        words=words,
        opponent=opponent,
        invitation=invitation,
        options=options,
        rated=rated,
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
    draws: Mapping[str, int] | None = None,
    rated: bool = False,
) -> Duel:
    """Begin a duel between these wizards. With `seated`, they sit in the given order.

    `draws` maps labels to draws that are fixed in advance. The first duel of two seated wizards
    without such draws is kept, and later ones on the same terms are copies of it.
    """
    can_copy = seated and draws is None and len(wizards) == 2
    names = names_if_copyable(wizards) if can_copy else None
    chosen = ("strict",) if strict else tuple(options)
    kind = (names, visibility, chosen, ruleset, pace, excuses, rated)
    if kind in _BEGUN_DUELS:
        return _BEGUN_DUELS[kind].copy(wizards, NOW)
    duel = challenge(
        wizards[0],
        size=len(wizards),
        visibility=visibility,
        options=chosen,
        ruleset=ruleset,
        pace=pace,
        excuses=excuses,
        rated=rated,
    )
    if draws is not None:
        Duel.objects.filter(pk=duel.pk).update(recorded_draws=dict(draws))
    lot = opening.SECURE_RANDOM
    opening.SECURE_RANDOM = UnshuffledRandom() if seated else lot
    try:
        for wizard in wizards[1:]:
            duel = challenges.accept(duel_id=duel.pk, wizard=wizard, now=NOW)
    finally:
        opening.SECURE_RANDOM = lot
    if names is not None:
        _BEGUN_DUELS[kind] = BegunDuel.load(duel.pk)
    return duel


_BEGUN_DUELS: dict[Hashable, BegunDuel] = {}


def open_turn(duel: Duel) -> Turn:
    """Return the turn that is being played."""
    return Turn.objects.get(duel=duel, stage__in=["orders", "answers"])


def count_missing_wizards(turn: Turn) -> int:
    """Return the number of wizards who must still act in the turn."""
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
    """Seal the wizard's orders for the open turn."""
    return sealing.seal_orders(
        turn_id=open_turn(duel).pk,
        wizard=wizard,
        fields=fields,
        form_seal=form_seal,
        now=now,
        chance=chance,
    )


def hands(left: str, right: str, **more: str) -> dict[str, str]:
    """Return orders as flat fields: two gestures, and any other fields."""
    return {"left": left, "right": right, **more}


def play(duel: Duel, orders: Mapping[Wizard, Fields], *, now: datetime = NOW) -> Turn:
    """Seal these orders, resolve the turn, and refresh `duel` from the database."""
    turn = open_turn(duel)
    for wizard, fields in orders.items():
        seal(duel, wizard, fields, now=now)
    resolution.resolve_turn(turn_id=turn.pk, now=now)
    duel.refresh_from_db()
    turn.refresh_from_db()
    return turn


def deliver(*, now: datetime = NOW) -> int:
    """Run one round of the post at this time, and return the number of emails sent."""
    return deliver_due(clock=lambda: now).sent
