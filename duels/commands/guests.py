"""Guests: they play without an account, and are kept by signing up or forgotten in time.

They practise, and duel with whoever has sent them an invitation, or has taken theirs.
"""

import logging
import re
import secrets
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Final

from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef, ProtectedError, QuerySet

from duels import names
from duels.clock import NO_HURRY
from duels.commands.challenges import accept, invite_friend
from duels.commands.handing_over import hand_over
from duels.commands.leaving import give_up_seat, seats_taken
from duels.commands.renaming import rename_in_duels
from duels.commands.wizards import make_neutral
from duels.errors import Refused
from duels.models import (
    Duel,
    DuelStatus,
    Outcome,
    Pronouns,
    Seat,
    Speech,
    Wizard,
    WizardKind,
)

logger = logging.getLogger(__name__)

KEPT_FOR = timedelta(days=30)
CALLED: Final = "Guest "  # no player's name has this word in it
LONGEST_NAME: Final = names.LONGEST - len(CALLED)
# Letters and digits none of which is taken for another, however it is written.
SIGNS = "ACDEFGHJKMNPQTUXY24679"
SIGNS_IN_NAME = 5
MADE_UP: Final = re.compile(f"{CALLED}[{SIGNS}]{{{SIGNS_IN_NAME}}}")
NAME_TAKEN: Final = "Another guest has this name, or one that looks like it."
MOST_TRIES = 8
FORGOTTEN_AT_ONCE = 200  # the next sweep goes on


@transaction.atomic
def create_guest(*, key: str, now: datetime, name: str = "") -> Wizard:
    """A guest whose browser holds the token of this key; kept for thirty days.

    `name`: what they want to be called after the word "Guest"; without one, something made up.
    """
    if name:
        found = _made(guest_name(name), key, now)
        if found is None:
            raise Refused("name_taken", NAME_TAKEN, field="name")
        return found
    for _ in range(MOST_TRIES):
        signs = "".join(secrets.choice(SIGNS) for _ in range(SIGNS_IN_NAME))
        found = _made(CALLED + signs, key, now)
        if found is not None:
            return found
    raise Refused("no_room", "There are too many guests just now. Come back a little later.")


def guest_name(name: str) -> str:
    """What a guest who calls themselves so is called here. Refuses what is no wizard's name."""
    try:
        name = names.checked(name)
    except names.InvalidName as error:
        raise Refused(error.code, str(error), field="name") from None
    if len(name) > LONGEST_NAME:
        text = f"A guest’s name has at most {LONGEST_NAME} letters."
        raise Refused("name_length", text, field="name")
    return CALLED + name


def available_guest_name(name: str) -> str:
    """The same, and free. Refuses what another wizard is called, or looks like it."""
    called = guest_name(name)
    if Wizard.objects.filter(skeleton=names.skeleton(called)).exists():
        raise Refused("name_taken", NAME_TAKEN, field="name")
    return called


@transaction.atomic
def accept_as_guest(*, duel_id: int, token: str, name: str, key: str, now: datetime) -> Wizard:
    """Whoever has the link of this invitation takes part, as a guest of this name."""
    guest = create_guest(key=key, name=name, now=now)
    accept(duel_id=duel_id, wizard=guest, now=now, token=token)
    return guest


def is_nameless(wizard: Wizard) -> bool:
    """Whether they are a guest who goes by a name that was made up for them."""
    return wizard.kind == WizardKind.GUEST and bool(MADE_UP.fullmatch(wizard.name))


@transaction.atomic
def accept_by_name(*, duel_id: int, guest: Wizard, token: str, name: str, now: datetime) -> Duel:
    """A guest whose name was made up takes part, and goes by this one from now on, everywhere."""
    found = _locked_guest(guest.pk)
    if found is not None and is_nameless(found):
        _lock_duels_of(found)
        called = available_guest_name(name)
        found.name, found.slug, found.skeleton = called, names.slug(called), names.skeleton(called)
        try:
            with transaction.atomic():
                found.save(update_fields=["name", "slug", "skeleton"])
        except IntegrityError:  # somebody was quicker by an instant
            raise Refused("name_taken", NAME_TAKEN, field="name") from None
        rename_in_duels(Seat.objects.filter(wizard=found))
    return accept(duel_id=duel_id, wizard=found or guest, now=now, token=token)


@transaction.atomic
def invite_as_guest(*, name: str, key: str, ruleset: str, pace: str, now: datetime) -> Duel:
    """An invitation stands to a friend of a guest of this name, who is new."""
    guest = create_guest(key=key, name=name, now=now)
    return invite_friend(by=guest, ruleset=ruleset, pace=pace, now=now)


def extend_guest(*, guest: Wizard, now: datetime) -> None:
    """The guest, who has just done something, is kept for thirty days from now on."""
    Wizard.objects.filter(pk=guest.pk, kind=WizardKind.GUEST).update(kept_until=now + KEPT_FOR)


@transaction.atomic
def keep_guest(*, guest: Wizard, wizard: Wizard) -> int:
    """The guest's duels are this player's from now on, under the player's name; the guest is gone.

    Answers how many duels. Twice is as good as once. Who is in a duel already does not take the
    guest's place in it as well: the guest stays for that duel.
    """
    if wizard.kind != WizardKind.PLAYER or wizard.is_closed:
        raise Refused("players_only", "Only a player can keep a guest’s duels.")
    found = _locked_guest(guest.pk)
    if found is None:
        return 0
    _lock_duels_of(found)
    seats = Seat.objects.filter(wizard=found).exclude(duel__seats__wizard=wizard)
    moved = list(seats.values_list("pk", flat=True))
    Seat.objects.filter(pk__in=moved).update(wizard=wizard)
    Duel.objects.filter(challenger=found, seats__in=moved).update(challenger=wizard)
    Speech.objects.filter(wizard=found).update(wizard=wizard)
    rename_in_duels(Seat.objects.filter(pk__in=moved))
    hand_over(guest=found, wizard=wizard)
    if not Seat.objects.filter(wizard=found, duel__lesson="").exists():
        _delete(found)
    return len(moved)


@transaction.atomic
def forget_guest(*, guest: Wizard, now: datetime) -> bool:
    """The guest is gone, as they wish, with all their practice. Answers whether by this call.

    Duels with others are resigned, and go by a neutral name.
    """
    found = _locked_guest(guest.pk)
    if found is None:
        return False
    _end(found, now)
    return True


def forget_guests(*, now: datetime) -> int:
    """Guests whose time is up are gone, with their practice; not more than a batch. How many.

    A duel with others that has deadlines ends by them, and its guest is kept until then.
    """
    due = Wizard.objects.filter(kind=WizardKind.GUEST, kept_until__lte=now)
    found = list(
        due.exclude(Exists(_has_deadlines(OuterRef("pk"))))
        .order_by("kept_until")
        .values_list("pk", flat=True)[:FORGOTTEN_AT_ONCE]
    )
    return sum(_forget(pk, now) for pk in found)


def delete_practice(wizard: Wizard, at_most: int | None = None) -> int:
    """Their duels against the practice opponent are gone, or so many of them. How many.

    No player has a part in them.
    """
    others = Seat.objects.filter(wizard__kind=WizardKind.PLAYER).exclude(wizard=wizard)
    mine = Duel.objects.filter(seats__wizard=wizard).exclude(lesson="")
    doomed = mine.exclude(pk__in=others.values("duel")).order_by("pk")[:at_most]
    locked = list(doomed.select_for_update(of=("self",)).values_list("pk", flat=True))
    Duel.objects.filter(pk__in=locked).delete()
    return len(locked)


def _made(name: str, key: str, now: datetime) -> Wizard | None:
    """The guest of this name; None where another wizard has it, or one that looks like it."""
    try:
        with transaction.atomic():
            return Wizard.objects.create(
                kind=WizardKind.GUEST,
                name=name,
                slug=names.slug(name),
                skeleton=names.skeleton(name),
                pronouns=Pronouns.THEY,
                created_at=now,
                guest_key=key,
                kept_until=now + KEPT_FOR,
            )
    except IntegrityError:
        return None


def _has_deadlines(guest: OuterRef) -> QuerySet[Seat]:
    """The guest's places in duels with others that go on until somebody is late for good."""
    playing = Seat.objects.filter(wizard=guest, outcome=Outcome.NONE, duel__lesson="")
    return playing.filter(duel__status=DuelStatus.RUNNING).exclude(duel__pace=str(NO_HURRY))


def _forget(pk: int, now: datetime) -> bool:
    try:
        with transaction.atomic():
            guest = _locked_guest(pk)
            if guest is None or guest.kept_until is None or guest.kept_until > now:
                return False
            _end(guest, now)
    except Refused as refused:  # a round later it may be possible
        logger.warning("Guest %s cannot be forgotten: %s", pk, refused.code)
        return False
    return True


def _locked_guest(pk: int) -> Wizard | None:
    """The guest, if they are one still: nobody begins a duel for them or keeps them meanwhile."""
    guests = Wizard.objects.filter(pk=pk, kind=WizardKind.GUEST)
    # Notices to the guest may be written meanwhile: whoever does holds a duel that we wait for.
    return guests.select_for_update(no_key=True).first()


def _lock_duels_of(guest: Wizard) -> None:
    duels = Duel.objects.filter(seats__wizard=guest).order_by("pk")
    list(duels.select_for_update(of=("self",), no_key=True).values_list("pk"))


def _end(guest: Wizard, now: datetime) -> None:
    """The guest leaves every duel with others, and is gone; the duels are locked first."""
    _lock_duels_of(guest)
    for seat in seats_taken(guest):
        if not seat.duel.is_practice:
            give_up_seat(seat, guest, now)
    _delete(guest)
    if Wizard.objects.filter(pk=guest.pk).exists():
        guest.kind, guest.guest_key, guest.kept_until = WizardKind.PLAYER, None, None
        make_neutral(guest, now)
        rename_in_duels(Seat.objects.filter(wizard=guest))


def _delete(guest: Wizard) -> None:
    """The guest is gone with their practice and the invitations that nobody took; the guest stays
    where a duel with others, or what a referee has to look at, is about them."""
    delete_practice(guest)
    _delete_invitations(guest)
    with suppress(ProtectedError):
        guest.delete()


def _delete_invitations(guest: Wizard) -> None:
    """Those that came to nothing, and never had a place for a wizard by name."""
    lapsed = Duel.objects.filter(challenger=guest, status=DuelStatus.LAPSED, rematch_of=None)
    others = Seat.objects.exclude(wizard=guest).filter(duel__in=lapsed)
    lapsed.exclude(pk__in=others.values("duel")).delete()
