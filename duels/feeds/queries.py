"""Queries for calendars, follows and private notes."""

from datetime import datetime, timedelta
from typing import Any, Final

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery

from duels.feeds.models import MAX_FOLLOWED, CalendarKey, Follow, PrivateNote
from duels.models import Block, Duel, DuelStatus, Seat, Visibility, Wizard
from duels.queries.listing import DuelList

FINISHED_DUELS_LISTED_FOR: Final = timedelta(days=14)


def calendar_key(wizard: Wizard) -> CalendarKey | None:
    """Return the key of the wizard's calendar, or None if it is off."""
    return CalendarKey.objects.filter(wizard=wizard).first()


def wizard_by_calendar_token(token: str) -> Wizard | None:
    """Return the wizard whose calendar has this token, or None."""
    if "\0" in token:
        return None
    key = CalendarKey.objects.filter(token=token).select_related("wizard").first()
    return key.wizard if key else None


def follow_and_note_for(wizard: Wizard, reader: Wizard) -> dict[str, Any]:
    """Return whether the reader follows the wizard, and their private note, with one query."""
    follows = Follow.objects.filter(wizard=reader, followed=OuterRef("pk"))
    notes = PrivateNote.objects.filter(wizard=reader, about=OuterRef("pk")).values("words")
    found = Wizard.objects.filter(pk=wizard.pk).values_list(Exists(follows), Subquery(notes))
    is_followed, note = found.get()
    return {"is_followed": is_followed, "note": note or ""}


def is_following_duel(wizard: Wizard, duel: Duel) -> bool:
    """Return whether the wizard follows this duel."""
    return Follow.objects.filter(wizard=wizard, duel=duel).exists()


def followed_wizards(wizard: Wizard) -> QuerySet[Wizard]:
    """Return the wizards that this wizard follows, sorted by name."""
    return Wizard.objects.filter(followed_by__wizard=wizard).order_by("name")


def followed_duels(wizard: Wizard) -> DuelList:
    """Return the duels that this wizard follows, newest first."""
    found = _visible(wizard).filter(followed_by__wizard=wizard)
    return DuelList(found, limit=MAX_FOLLOWED)


def private_notes(wizard: Wizard) -> QuerySet[PrivateNote]:
    """Return this wizard's private notes, sorted by the names of the wizards they describe."""
    return PrivateNote.objects.filter(wizard=wizard).select_related("about").order_by("about__name")


def followed_running_list(wizard: Wizard) -> DuelList:
    """Return running public duels that this wizard follows, or whose wizards they follow."""
    running = _followed_duels_of_others(wizard, Q(duel_ended_at__isnull=True))
    return DuelList(running.filter(status=DuelStatus.RUNNING), moment="started_at")


def followed_finished_list(wizard: Wizard, now: datetime) -> DuelList:
    """Return followed duels that ended in the last two weeks, most recent first."""
    over = _followed_duels_of_others(wizard, Q(duel_ended_at__gt=now - FINISHED_DUELS_LISTED_FOR))
    recent = over.filter(status=DuelStatus.OVER, ended_at__gt=now - FINISHED_DUELS_LISTED_FOR)
    return DuelList(recent, moment="ended_at")


def _followed_duels_of_others(wizard: Wizard, of_seats: Q) -> QuerySet[Duel]:
    """Return followed duels in which this wizard has no seat.

    `of_seats` is a condition for the seats of followed wizards. The query starts from the wizard's
    follows, so its cost does not depend on the number of duels.
    """
    follows = Follow.objects.filter(wizard=wizard)
    seats = Seat.objects.filter(of_seats, wizard__followed_by__wizard=wizard, place__isnull=False)
    duels = follows.filter(duel__isnull=False).values("duel").union(seats.order_by().values("duel"))
    own = Seat.objects.filter(duel=OuterRef("pk"), wizard=wizard)
    return _visible(wizard).filter(~Exists(own), pk__in=duels)


def _visible(wizard: Wizard) -> QuerySet[Duel]:
    """Return public duels, except duels of wizards who have blocked this wizard."""
    blockers = Block.objects.filter(blocked=wizard, wizard__seats__duel=OuterRef("pk"))
    return Duel.objects.filter(~Exists(blockers), visibility=Visibility.PUBLIC)


def followers_to_notify(duel: Duel) -> list[Wizard]:
    """Return the followers of a public duel or of its wizards, except the wizards themselves and
    those whom one of them has blocked."""
    if duel.visibility != Visibility.PUBLIC:
        return []
    seated = Seat.objects.filter(duel=duel).values("wizard")
    follows = Follow.objects.filter(Q(duel=duel) | Q(followed__in=seated))
    readers = Wizard.objects.filter(pk__in=follows.values("wizard"))
    blocked = Block.objects.filter(wizard__in=seated).values("blocked")
    return list(readers.exclude(pk__in=seated).exclude(pk__in=blocked).order_by("pk"))


def exported_feeds(wizard: Wizard) -> dict[str, Any]:
    """Return the wizard's data in this app, without the calendar's secret address."""
    key = calendar_key(wizard)
    follows = Follow.objects.filter(wizard=wizard).order_by("pk")
    return {
        "calendar_address_since": key and key.created_at,
        "follows": list(follows.values("followed__name", "duel", "created_at")),
        "private_notes": list(private_notes(wizard).values("about__name", "words", "changed_at")),
    }
