"""Commands for guests, who play without an account until they sign up or are deleted.

Guests can practise, duel with players they invite or are invited by, and accept open challenges
that allow guests.
"""

import logging
import re
import secrets
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from math import inf
from typing import Final

from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef, ProtectedError

from duels.accounts import names
from duels.caching.poll_cache import forget_wizard_on_site
from duels.clocks.budget import Budget
from duels.clocks.clock import NO_HURRY
from duels.commands import callbacks
from duels.commands.challenges import accept, invite_friend
from duels.commands.error_isolation import run_for_each
from duels.commands.leaving import give_up_seat, seats_in_unfinished_duels
from duels.commands.profiles import anonymise_wizard, create_wizard_if_name_available, set_name
from duels.commands.renaming import rename_in_duels
from duels.errors import Refused
from duels.models import (
    Block,
    Duel,
    DuelStatus,
    Mute,
    Outcome,
    Pronouns,
    Seat,
    Speech,
    Wizard,
    WizardKind,
)

logger = logging.getLogger(__name__)

GUEST_LIFETIME = timedelta(days=30)
NAME_PREFIX: Final = "Guest "  # players may not use this word in their names
MAX_NAME_LENGTH: Final = names.MAX_NAME_LENGTH - len(NAME_PREFIX)
# Letters and digits that cannot be mistaken for each other in any font.
NAME_CHARACTERS = "ACDEFGHJKMNPQTUXY24679"
NAME_CHARACTER_COUNT = 5
GENERATED_NAME: Final = re.compile(f"{NAME_PREFIX}[{NAME_CHARACTERS}]{{{NAME_CHARACTER_COUNT}}}")
NAME_TAKEN: Final = "Another guest has this name or one that looks like it. Choose a different one."
MAX_NAME_ATTEMPTS = 8
DELETION_BATCH = 200  # guests deleted in one sweep


@transaction.atomic
def create_guest(*, key: str, now: datetime, name: str = "") -> Wizard:
    """Create a guest for the browser whose token has the digest `key`, and keep them for thirty
    days.

    `name` is the name to show after the word "Guest". If it is empty, a name is made up.
    """
    if name:
        found = _create_guest(validated_guest_name(name), key, now)
        if found is None:
            raise Refused("name_taken", NAME_TAKEN, field="name")
        return found
    for _ in range(MAX_NAME_ATTEMPTS):
        signs = "".join(secrets.choice(NAME_CHARACTERS) for _ in range(NAME_CHARACTER_COUNT))
        found = _create_guest(NAME_PREFIX + signs, key, now)
        if found is not None:
            return found
    raise Refused("no_room", "There are too many guests right now. Try again a little later.")


def validated_guest_name(name: str) -> str:
    """Return a guest's full name, or raise `Refused` if it is not a valid wizard name."""
    name = names.validated_name(name)
    if len(name) > MAX_NAME_LENGTH:
        text = f"Use at most {MAX_NAME_LENGTH} letters."
        raise Refused("name_length", text, field="name")
    return NAME_PREFIX + name


def available_guest_name(name: str) -> str:
    """Return the guest's full name. Raise `Refused` if it is taken or looks like one that is."""
    full_name = validated_guest_name(name)
    if Wizard.objects.filter(skeleton=names.confusable_skeleton(full_name)).exists():
        raise Refused("name_taken", NAME_TAKEN, field="name")
    return full_name


@transaction.atomic
def accept_as_guest(
    *, duel_id: int, token: str, name: str, key: str, now: datetime, guest: Wizard | None = None
) -> Wizard:
    """Accept an invitation by its link, as a new guest or one whose name was made up."""
    named = _named_guest(guest, name, key, now)
    accept(duel_id=duel_id, wizard=named, now=now, token=token)
    return named


@transaction.atomic
def invite_as_guest(
    *, name: str, key: str, ruleset: str, pace: str, now: datetime, guest: Wizard | None = None
) -> Duel:
    """Create an invitation to a friend, by a new guest or one whose name was made up."""
    named = _named_guest(guest, name, key, now)
    return invite_friend(challenger=named, ruleset=ruleset, pace=pace, now=now)


def has_generated_name(wizard: Wizard) -> bool:
    """Return whether this is a guest with a made-up name."""
    return wizard.kind == WizardKind.GUEST and bool(GENERATED_NAME.fullmatch(wizard.name))


def chosen_name(guest: Wizard) -> str:
    """Return the name that the guest entered, without the word "Guest", or "" if it is made up."""
    return "" if has_generated_name(guest) else guest.name.removeprefix(NAME_PREFIX)


def extend_guest(*, guest: Wizard, now: datetime) -> None:
    """Keep the guest for thirty days from now, because they have just been active."""
    Wizard.objects.filter(pk=guest.pk, kind=WizardKind.GUEST).update(
        kept_until=now + GUEST_LIFETIME
    )


@transaction.atomic
def claim_guest(*, guest: Wizard, wizard: Wizard) -> int:
    """Move the guest's duels to this player, under the player's name, and delete the guest.

    Return how many duels were moved. Calling it again has no effect. If the player and the guest
    are in the same duel, the guest keeps their place in it and is not deleted.
    """
    if wizard.kind != WizardKind.PLAYER or wizard.is_closed:
        raise Refused("players_only", "Sign in with an account to keep a guest’s duels.")
    found = _lock_guest(guest.pk)
    if found is None:
        return 0
    _lock_duels_of(found)
    seats = Seat.objects.filter(wizard=found).exclude(duel__seats__wizard=wizard)
    moved = list(seats.values_list("pk", flat=True))
    Seat.objects.filter(pk__in=moved).update(wizard=wizard)
    Duel.objects.filter(challenger=found, seats__in=moved).update(challenger=wizard)
    Speech.objects.filter(wizard=found).update(wizard=wizard)
    _move_mutes_and_blocks(found, wizard)
    rename_in_duels(Seat.objects.filter(pk__in=moved))
    for callback in callbacks.guest_claim_callbacks:
        callback(guest=found, wizard=wizard)
    if not Seat.objects.filter(wizard=found, duel__lesson="").exists():
        _delete_guest_rows(found)
    return len(moved)


def _move_mutes_and_blocks(guest: Wizard, wizard: Wizard) -> None:
    """Move the guest's mutes and blocks, other wizards' mutes of the guest, and a referee's chat
    lock to the player."""
    own, of_player = Mute.objects.filter(wizard=wizard), Mute.objects.filter(muted=wizard)
    muted, by = own.values("muted"), of_player.values("wizard")
    mutes = Mute.objects.exclude(wizard=wizard).exclude(muted=wizard)
    mutes.filter(wizard=guest).exclude(muted__in=muted).update(wizard=wizard)
    mutes.filter(muted=guest).exclude(wizard__in=by).update(muted=wizard)
    blocked = Block.objects.filter(wizard=wizard).values("blocked")
    blocks = Block.objects.filter(wizard=guest).exclude(blocked=wizard)
    blocks.exclude(blocked__in=blocked).update(wizard=wizard)
    if guest.speech_locked_at is not None:
        locked = Wizard.objects.filter(pk=wizard.pk, speech_locked_at=None)
        locked.update(speech_locked_at=guest.speech_locked_at)


@transaction.atomic
def delete_guest(*, guest: Wizard, now: datetime) -> bool:
    """Delete a guest and their practice duels at their request. Return whether this call did.

    The guest resigns from duels with others, which then show a neutral name.
    """
    found = _lock_guest(guest.pk)
    if found is None:
        return False
    _leave_and_delete(found, now)
    return True


def delete_expired_guests(*, now: datetime, budget: Budget | None = None) -> int:
    """Delete a batch of expired guests with their practice duels. Return their number.

    If deleting a guest fails, log the error and continue with the next guest. Keep guests who are
    in a running duel with other people, if its deadlines will end it eventually.
    """
    due = Wizard.objects.filter(kind=WizardKind.GUEST, kept_until__lte=now)
    playing = Seat.objects.filter(wizard=OuterRef("pk"), outcome=Outcome.NONE, duel__lesson="")
    with_deadlines = playing.filter(duel__status=DuelStatus.RUNNING)
    found = list(
        due.exclude(Exists(with_deadlines.exclude(duel__pace=str(NO_HURRY))))
        .order_by("kept_until")
        .values_list("pk", flat=True)[:DELETION_BATCH]
    )
    delete = partial(_delete_expired_guest, now=now)
    deleted, _ = run_for_each(found, delete, budget or Budget(inf), "Failed to delete guest")
    return deleted


def delete_practice_duels(wizard: Wizard, at_most: int | None = None) -> int:
    """Delete up to `at_most` practice duels without another player. Return their number."""
    others = Seat.objects.filter(wizard__kind=WizardKind.PLAYER).exclude(wizard=wizard)
    mine = Duel.objects.filter(seats__wizard=wizard).exclude(lesson="")
    deletable = mine.exclude(pk__in=others.values("duel")).order_by("pk")[:at_most]
    locked = list(deletable.select_for_update(of=("self",)).values_list("pk", flat=True))
    Duel.objects.filter(pk__in=locked).delete()
    return len(locked)


def _create_guest(name: str, key: str, now: datetime) -> Wizard | None:
    columns = {"kind": WizardKind.GUEST, "pronouns": Pronouns.THEY, "guest_key": key}
    return create_wizard_if_name_available(
        name, **columns, created_at=now, kept_until=now + GUEST_LIFETIME
    )


def _named_guest(guest: Wizard | None, name: str, key: str, now: datetime) -> Wizard:
    """Return a new guest with this name, or rename this guest if their name is a made-up one."""
    if guest is None:
        return create_guest(key=key, name=name, now=now)
    found = _lock_guest(guest.pk)
    if found is None or not has_generated_name(found):
        return found or guest
    _lock_duels_of(found)
    columns = set_name(found, available_guest_name(name))
    try:
        with transaction.atomic():
            found.save(update_fields=columns)
    except IntegrityError:  # another wizard has just taken it
        raise Refused("name_taken", NAME_TAKEN, field="name") from None
    rename_in_duels(Seat.objects.filter(wizard=found))
    return found


def _delete_expired_guest(pk: int, now: datetime) -> bool:
    try:
        with transaction.atomic():
            guest = _lock_guest(pk)
            if guest is None or guest.kept_until is None or guest.kept_until > now:
                return False
            _leave_and_delete(guest, now)
    except Refused as refused:  # a later round may succeed
        logger.warning("Guest %s cannot be deleted: %s", pk, refused.code)
        return False
    return True


def _lock_guest(pk: int) -> Wizard | None:
    """Lock the guest, so that their duels cannot be started or moved. Return the guest, or None."""
    guests = Wizard.objects.filter(pk=pk, kind=WizardKind.GUEST)
    # A stronger lock could deadlock: another transaction may hold the lock of a duel that this one
    # waits for, and write notices to the guest.
    return guests.select_for_update(no_key=True).first()


def _lock_duels_of(guest: Wizard) -> None:
    duels = Duel.objects.filter(seats__wizard=guest).order_by("pk")
    list(duels.select_for_update(of=("self",), no_key=True).values_list("pk"))


def _leave_and_delete(guest: Wizard, now: datetime) -> None:
    """Lock the guest's duels, leave those with others, and delete the guest."""
    _lock_duels_of(guest)
    for seat in seats_in_unfinished_duels(guest):
        if not seat.duel.is_practice:
            give_up_seat(seat, guest, now)
    _delete_guest_rows(guest)
    if Wizard.objects.filter(pk=guest.pk).exists():
        guest.kind, guest.guest_key, guest.kept_until = WizardKind.PLAYER, None, None
        anonymise_wizard(guest, now)
        rename_in_duels(Seat.objects.filter(wizard=guest))


def _delete_guest_rows(guest: Wizard) -> None:
    """Delete the guest with their practice duels, unless a duel or case still refers to them."""
    delete_practice_duels(guest)
    # Also delete lapsed invitations in which nobody else has a seat.
    lapsed = Duel.objects.filter(challenger=guest, status=DuelStatus.LAPSED, rematch_of=None)
    others = Seat.objects.exclude(wizard=guest).filter(duel__in=lapsed)
    lapsed.exclude(pk__in=others.values("duel")).delete()
    pk = guest.pk
    with suppress(ProtectedError):
        guest.delete()
        transaction.on_commit(partial(forget_wizard_on_site, pk), robust=True)
