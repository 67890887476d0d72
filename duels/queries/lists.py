"""Lists of duels and challenges, and lookups of single wizards and duels."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from django.db import connection
from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.utils.crypto import constant_time_compare

import engine.play
from duels.loaded.database_clock import site_now
from duels.loaded.joined_rows import fetch_rows
from duels.models import (
    MIN_WIZARDS,
    PRACTICE_LESSON,
    Block,
    Duel,
    DuelStatus,
    Marker,
    Seat,
    Visibility,
    Wizard,
    WizardKind,
)
from duels.queries.listing import PAGE_ROWS, DuelList
from duels.queries.rows import MarkerRank

# Lists of duels


def waiting_list(wizard: Wizard) -> DuelList:
    """Return duels that wait for this wizard, except practice duels, longest waiting first."""
    waiting = Seat.objects.filter(wizard=wizard, awaited=True, duel__lesson="")
    return DuelList(waiting, moment="awaited_since", oldest_first=True)


@dataclass(frozen=True)
class OwnCounts:
    """The numbers of a wizard's unfinished duels and challenges in each list."""

    waiting: int
    practice: int
    running: int
    challenges: int  # all challenges, including challenges to answer
    to_answer: int

    @property
    def unanswered(self) -> int:
        """The number of the wizard's challenges that wait for others."""
        return self.challenges - self.to_answer


def own_counts(wizard: Wizard, now: datetime) -> OwnCounts:
    """Return how many duels and challenges are in this wizard's lists, with one query."""
    is_challenge = Q(place=None, duel__status=DuelStatus.GATHERING, duel__expires_at__gt=now)
    conditions = {
        "waiting": Q(awaited=True, duel__lesson=""),
        "practice": Q(awaited=True) & ~Q(duel__lesson=""),
        "running": Q(awaited=False, place__isnull=False),
        "challenges": is_challenge,
        "to_answer": is_challenge & Q(accepted_at=None),
    }
    found = Seat.objects.filter(wizard=wizard, duel_ended_at=None)
    counts = {name: Count("pk", filter=condition) for name, condition in conditions.items()}
    return OwnCounts(**found.aggregate(**counts))


# The numbers of unread notices about this page (rank -2) and about other pages (-1), then
# `waiting_list` (0) and `unanswered_challenges` (1). The fourth column names a wizard who has just
# accepted the reader's challenge, until the reader opens the duel. Every page for a player runs
# this query, and Django would take longer to compile the union than the database takes to run it.
AWAITING_SQL = """
    SELECT 0, seat.awaited_since, seat.duel_id, CASE
        WHEN duel.challenger_id = seat.wizard_id AND NOT duel.paired
            AND duel.started_at > %s AND EXISTS (
            SELECT 1 FROM post_notice notice WHERE notice.wizard_id = seat.wizard_id
                AND notice.duel_id = duel.id AND notice.kind = 'started' AND notice.is_unread
        ) THEN (
            SELECT MIN(wizard.name)
            FROM duels_seat other JOIN duels_wizard wizard ON wizard.id = other.wizard_id
            WHERE other.duel_id = duel.id AND other.wizard_id <> seat.wizard_id
        ) END, duel.size
    FROM duels_seat seat JOIN duels_duel duel ON duel.id = seat.duel_id
    WHERE seat.wizard_id = %s AND seat.awaited AND duel.lesson = ''
    UNION ALL
    SELECT 1, seat.awaited_since, seat.duel_id, NULL, duel.size
    FROM duels_seat seat JOIN duels_duel duel ON duel.id = seat.duel_id
    WHERE seat.wizard_id = %s AND seat.place IS NULL AND seat.duel_ended_at IS NULL
        AND seat.accepted_at IS NULL AND duel.status = 'gathering'
    UNION ALL
    SELECT CASE WHEN notice.path = %s THEN -2 ELSE -1 END, NULL, COUNT(*), NULL, 0
    FROM post_notice notice WHERE notice.wizard_id = %s AND notice.is_unread
    GROUP BY 1
    ORDER BY 1, 2, 3
    LIMIT %s
"""


ACCEPTANCE_SHOWN_FOR: Final = timedelta(minutes=10)  # the header names the opponent of a newer duel


@dataclass(frozen=True)
class ChallengeAcceptance:
    """A challenge that has just become a duel: one of its opponents, and how many more it has."""

    duel: int
    name: str
    others: int


@dataclass(frozen=True)
class WaitingForWizard:
    """The duels that wait for a wizard, longest first, and the numbers of unread notices."""

    duels: tuple[int, ...]
    unread_here: int  # notices about the current page
    unread: int  # notices about other pages
    accepted: tuple[ChallengeAcceptance, ...]  # the reader's challenges that have just begun


def waiting_for_wizard(wizard: Wizard, path: str, limit: int) -> WaitingForWizard:
    """Return the duels and notices that wait for this wizard, who is on the page with this path.

    The result may have slightly more duels than `limit`, and always does if more are waiting.
    """
    since = connection.ops.adapt_datetimefield_value(site_now() - ACCEPTANCE_SHOWN_FOR)
    values = [since, wizard.pk, wizard.pk, path, wizard.pk, limit + 3]
    rows = fetch_rows(AWAITING_SQL, values)
    unread = {rank: number for rank, _, number, *_ in rows if rank < 0}
    duels = tuple(duel for rank, _, duel, *_ in rows if rank >= 0)
    accepted = tuple(
        ChallengeAcceptance(duel, name, size - MIN_WIZARDS)
        for _, _, duel, name, size in rows
        if name
    )
    return WaitingForWizard(duels, unread.get(-2, 0), unread.get(-1, 0), accepted)


def unanswered_challenges(wizard: Wizard) -> QuerySet[Seat]:
    """Return the wizard's seats in challenges that they may accept or decline."""
    found: QuerySet[Seat] = challenge_list(wizard).filtered(accepted_at__isnull=True).found
    return found


def practice_list(wizard: Wizard) -> DuelList:
    """Return practice duels that wait for this wizard, longest waiting first."""
    waiting = Seat.objects.filter(wizard=wizard, awaited=True).exclude(duel__lesson="")
    return DuelList(waiting, moment="awaited_since", oldest_first=True)


def running_list(wizard: Wizard) -> DuelList:
    """Return this wizard's running duels that wait for someone else, newest first."""
    return DuelList(running_seats(wizard).filter(awaited=False))


def challenge_list(wizard: Wizard, now: datetime | None = None) -> DuelList:
    """Return challenges that this wizard received, accepted or created."""
    challenged = Seat.objects.filter(
        wizard=wizard, place__isnull=True, duel_ended_at__isnull=True
    ).filter(duel__status=DuelStatus.GATHERING)
    return DuelList(challenged.filter(duel__expires_at__gt=now) if now else challenged)


def challenges_to_answer(wizard: Wizard, now: datetime) -> DuelList:
    """Return challenges that this wizard may accept or decline."""
    return challenge_list(wizard, now).filtered(accepted_at__isnull=True)


def challenges_awaiting_others(wizard: Wizard, now: datetime) -> DuelList:
    """Return this wizard's challenges that wait for others."""
    return challenge_list(wizard, now).filtered(accepted_at__isnull=False)


def finished_list(wizard: Wizard, viewer: Wizard | None = None) -> DuelList:
    """Return this wizard's finished duels that the viewer may read, newest first."""
    ended = Seat.objects.filter(wizard=wizard, place__isnull=False, duel_ended_at__isnull=False)
    return DuelList(ended.filter(_readable_by(viewer, wizard)), moment="duel_ended_at")


def open_challenge_list(viewer: Wizard | None, now: datetime) -> DuelList:
    """Return open challenges, newest first. With a viewer, return only those they may accept."""
    challenges = Duel.objects.filter(status=DuelStatus.GATHERING, open=True, expires_at__gt=now)
    if viewer is not None and viewer.is_guest:
        challenges = challenges.filter(open_to_guests=True)
    if viewer is not None:
        # Pass a list of ids instead of a subquery, so that PostgreSQL can see that there are few.
        blocks = Block.objects.filter(Q(wizard=viewer) | Q(blocked=viewer))
        pairs = blocks.values_list("wizard_id", "blocked_id")
        excluded_ids = {viewer.pk, *(pk for pair in pairs for pk in pair)}
        seats = Seat.objects.filter(duel=OuterRef("pk"), wizard__in=excluded_ids)
        challenges = challenges.exclude(Exists(seats))
    return DuelList(challenges, moment="created_at")


def running_public_list(wizard: Wizard | None = None, viewer: Wizard | None = None) -> DuelList:
    """Return running public duels, newest first. With a wizard, return this wizard's running duels
    that the viewer may read."""
    if wizard is None:
        public = Duel.objects.filter(visibility=Visibility.PUBLIC, status=DuelStatus.RUNNING)
        return DuelList(public, moment="started_at")
    return DuelList(running_seats(wizard).filter(_readable_by(viewer, wizard)))


def running_list_of_others(wizard: Wizard) -> DuelList:
    """Return running public duels in which this wizard does not take part."""
    public = running_public_list()
    own = Seat.objects.filter(duel=OuterRef("pk"), wizard=wizard)
    return replace(public, found=public.found.exclude(Exists(own)))


def finished_public_list() -> DuelList:
    """Return finished public duels, most recent first."""
    public = Duel.objects.filter(visibility=Visibility.PUBLIC, status=DuelStatus.OVER)
    return DuelList(public, moment="ended_at")


def _readable_by(viewer: Wizard | None, wizard: Wizard) -> Q:
    """Return a condition for this wizard's duels that are public or shared with the viewer. All
    duels satisfy it if the wizard is the viewer."""
    if viewer is not None and viewer.pk == wizard.pk:
        return Q()
    # Practice duels are private. Skip the search, because the practice opponent is in more duels
    # than anyone else.
    is_public = Q(duel__visibility=Visibility.PUBLIC)
    if wizard.kind == WizardKind.PRACTICE:
        is_public = Q(pk__in=[])
    if viewer is None:
        return is_public
    return is_public | Q(Exists(Seat.objects.filter(duel=OuterRef("duel"), wizard=viewer)))


def running_seats(wizard: Wizard) -> QuerySet[Seat]:
    return Seat.objects.filter(wizard=wizard, place__isnull=False, duel_ended_at__isnull=True)


def marker_rank_of(wizard: Wizard, viewer: Wizard | None = None) -> MarkerRank:
    """Return the wizard's markers, with details only for duels that the viewer may read."""
    held = Q(holder=wizard, returned_at=None)
    seen = held & _readable_by(viewer, wizard)
    ever = Marker.objects.filter(Q(holder=wizard) | Q(bears=wizard))
    counted = ever.aggregate(
        number=Count("pk", filter=held), seen=Count("pk", filter=seen), ever=Count("pk")
    )
    columns = ("duel__ended_at", "duel__ruleset", "bears__name", "bears__slug")
    rows = Marker.objects.filter(seen).select_related("duel", "bears").only(*columns)
    newest = rows.order_by("-won_at", "-pk")[:PAGE_ROWS] if counted["seen"] else ()
    number = counted["number"]
    return MarkerRank(tuple(newest), number, number - counted["seen"], counted["ever"] > 0)


def guest_by_key(key: str) -> Wizard | None:
    return Wizard.objects.filter(guest_key=key).first()


def visible_duel(duel_id: int, viewer: Wizard | None, token: str = "") -> Duel | None:
    """Return the duel if it is public, the viewer's own, or has this token, otherwise None."""
    duel = Duel.objects.filter(pk=duel_id).first()
    if duel is None:
        return None
    if token and constant_time_compare(duel.token or "", token):
        return duel
    if is_public(duel):
        return duel
    is_seated = viewer is not None and Seat.objects.filter(duel=duel, wizard=viewer).exists()
    return duel if is_seated else None


def challenge_by_token(token: str) -> Duel | None:
    if not token or "\0" in token:  # PostgreSQL rejects NUL even in conditions
        return None
    return Duel.objects.select_related("challenger").filter(token=token).first()


def rules_of_last_duel(wizard: Wizard | None, *, is_practice: bool = False) -> dict[str, str]:
    """Return the ruleset of the last duel that this wizard created, as initial values for a form.

    Lessons do not count, and practice duels count only for a form to practise. Return {} if there
    is no such duel, or if its ruleset is not offered.
    """
    kinds = ("", PRACTICE_LESSON) if is_practice else ("",)
    created = Duel.objects.filter(challenger=wizard, lesson__in=kinds).order_by("-pk")
    ruleset = created.values_list("ruleset", flat=True).first() if wizard else None
    return {"ruleset": ruleset} if ruleset and ruleset in engine.play.RULESETS else {}


def is_public(duel: Duel) -> bool:
    """Return whether everyone may see the duel."""
    if duel.status in (DuelStatus.GATHERING, DuelStatus.LAPSED):
        return duel.open and duel.status == DuelStatus.GATHERING
    return duel.visibility == Visibility.PUBLIC
