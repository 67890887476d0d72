"""Commands for calendar addresses, follows and private notes."""

import secrets
from datetime import datetime

from django.db import transaction
from django.db.models import Q

from duels.commands.duel_end import DuelEnd
from duels.commands.locking import lock_account
from duels.errors import Refused
from duels.feeds.models import MAX_FOLLOWED, MAX_NOTE_LENGTH, CalendarKey, Follow, PrivateNote
from duels.feeds.queries import followers_to_notify
from duels.models import Block, Duel, Turn, User, Visibility, Wizard, WizardKind
from duels.post.kinds.followed import Followed
from duels.post.public import notify
from duels.typed_text import clean_text


@transaction.atomic
def renew_calendar_key(*, wizard: Wizard, now: datetime) -> CalendarKey:
    """Give the wizard's calendar a new secret address, and invalidate the old one."""
    lock_account(wizard)
    values = {"token": secrets.token_urlsafe(32), "created_at": now}
    key, _ = CalendarKey.objects.update_or_create(wizard=wizard, defaults=values)
    return key


def delete_calendar_key(*, wizard: Wizard) -> None:
    """Turn off the wizard's calendar."""
    CalendarKey.objects.filter(wizard=wizard).delete()


@transaction.atomic
def follow_wizard(*, wizard: Wizard, other: Wizard, now: datetime) -> None:
    """Follow another player."""
    if other.pk == wizard.pk or other.kind != WizardKind.PLAYER or other.is_closed:
        raise Refused("not_followed", "You cannot follow this wizard.")
    lock_account(wizard)
    _check_may_follow(wizard, Q(wizard=other))
    Follow.objects.get_or_create(wizard=wizard, followed=other, defaults={"created_at": now})


@transaction.atomic
def follow_duel(*, wizard: Wizard, duel: Duel, now: datetime) -> None:
    """Follow a public duel that has begun."""
    if duel.visibility != Visibility.PUBLIC or duel.started_at is None:
        raise Refused("not_followed", "You cannot follow this duel.")
    lock_account(wizard)
    _check_may_follow(wizard, Q(wizard__seats__duel=duel))
    Follow.objects.get_or_create(wizard=wizard, duel=duel, defaults={"created_at": now})


def _check_may_follow(wizard: Wizard, followed: Q) -> None:
    if Block.objects.filter(followed, blocked=wizard).exists():
        raise Refused("blocked", "You cannot follow a wizard who has blocked you.")
    if Follow.objects.filter(wizard=wizard).count() >= MAX_FOLLOWED:
        text = f"You already follow {MAX_FOLLOWED} wizards and duels. Unfollow one first."
        raise Refused("too_many_followed", text)


def unfollow(*, wizard: Wizard, other: Wizard | None = None, duel: Duel | None = None) -> None:
    """Stop following another wizard or a duel."""
    Follow.objects.filter(wizard=wizard, followed=other, duel=duel).delete()


@transaction.atomic
def set_private_note(*, wizard: Wizard, about: Wizard, words: str, now: datetime) -> None:
    """Replace the wizard's private note on another wizard, or delete it if the text is empty."""
    words = clean_text(words)
    if len(words) > MAX_NOTE_LENGTH:
        raise Refused(
            "too_long", f"A note has at most {MAX_NOTE_LENGTH} characters.", field="words"
        )
    notes = PrivateNote.objects
    if not words:
        notes.filter(wizard=wizard, about=about).delete()
        return
    lock_account(wizard)
    values = {"words": words, "changed_at": now}
    notes.update_or_create(wizard=wizard, about=about, defaults=values)


def notify_followers_of_start(duel: Duel, turn: Turn, now: datetime) -> None:
    """Notify followers that a duel has begun."""
    occasion = f"start of {duel.pk}"
    notify(Followed, followers_to_notify(duel), duel, now, turn=turn, occasion=occasion)


def notify_followers_of_end(end: DuelEnd) -> None:
    """Notify followers that a duel is over."""
    occasion = f"end of {end.duel.pk}"
    notify(Followed, followers_to_notify(end.duel), end.duel, end.now, occasion=occasion)


def delete_feeds_data(*, user: User, now: datetime) -> None:
    """Delete the data of a user who closes their account.

    Also delete other wizards' follows of this user and their private notes about them.
    """
    own = Q(wizard__user=user)
    CalendarKey.objects.filter(own).delete()
    Follow.objects.filter(own | Q(followed__user=user)).delete()
    PrivateNote.objects.filter(own | Q(about__user=user)).delete()
