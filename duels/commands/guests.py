"""Guests: they try the game without an account, and are kept by signing up or forgotten in time."""

import secrets
from datetime import datetime, timedelta

from django.db import IntegrityError, transaction

from duels import names
from duels.commands.renaming import rename_in_duels
from duels.errors import Refused
from duels.models import (
    Duel,
    Pronouns,
    Seat,
    Speech,
    Wizard,
    WizardKind,
)

KEPT_FOR = timedelta(days=30)
# Letters and digits none of which is taken for another, however it is written.
SIGNS = "ACDEFGHJKMNPQTUXY24679"
SIGNS_IN_NAME = 5
MOST_TRIES = 8
FORGOTTEN_AT_ONCE = 200  # the next sweep goes on


@transaction.atomic
def create_guest(*, key: str, now: datetime) -> Wizard:
    """A guest whose browser holds the token of this key; kept for thirty days."""
    for _ in range(MOST_TRIES):
        name = "Guest " + "".join(secrets.choice(SIGNS) for _ in range(SIGNS_IN_NAME))
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
            continue  # another guest has this name
    raise Refused("no_room", "There are too many guests just now. Come back a little later.")


@transaction.atomic
def keep_guest(*, guest: Wizard, wizard: Wizard) -> int:
    """The guest's duels are this player's from now on, under the player's name; the guest is gone.

    Answers how many duels. Twice is as good as once.
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
    _delete(found)
    return len(moved)


@transaction.atomic
def forget_guest(*, guest: Wizard) -> bool:
    """The guest and all their duels are gone, as they wish. Answers whether by this call."""
    found = _locked_guest(guest.pk)
    if found is None:
        return False
    _delete(found)
    return True


def forget_guests(*, now: datetime) -> int:
    """Guests whose time is up are gone, with their duels; not more than a batch. How many."""
    due = Wizard.objects.filter(kind=WizardKind.GUEST, kept_until__lte=now)
    # Whoever else may ever have come to sit with one: a player's duel is not deleted.
    due = due.exclude(seats__duel__lesson="").order_by("kept_until")
    found = list(due.values_list("pk", flat=True)[:FORGOTTEN_AT_ONCE])
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


@transaction.atomic
def _forget(pk: int, now: datetime) -> bool:
    guest = _locked_guest(pk)
    if guest is None or guest.kept_until is None or guest.kept_until > now:
        return False
    _delete(guest)
    return True


def _locked_guest(pk: int) -> Wizard | None:
    """The guest, if they are one still: nobody begins a duel for them or keeps them meanwhile."""
    guests = Wizard.objects.filter(pk=pk, kind=WizardKind.GUEST)
    return guests.select_for_update().first()


def _lock_duels_of(guest: Wizard) -> None:
    duels = Duel.objects.filter(seats__wizard=guest).order_by("pk")
    list(duels.select_for_update(of=("self",), no_key=True).values_list("pk"))


def _delete(guest: Wizard) -> None:
    delete_practice(guest)
    guest.delete()
