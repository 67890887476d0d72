"""Lists of duels and challenges, and finding one thing by its address."""

from dataclasses import replace
from datetime import datetime

from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.utils.crypto import constant_time_compare

from duels.joined_rows import fetched
from duels.loading import LoadedDuel, load_duel
from duels.models import (
    Block,
    Duel,
    DuelStatus,
    Marker,
    Seat,
    Visibility,
    Wizard,
    WizardKind,
)
from duels.queries.listing import (
    PAGE_ROWS,
    DuelList,
)
from duels.queries.rows import MarkerRow, Rank

# Which duels there are in a list


def waiting_list(wizard: Wizard) -> DuelList:
    """Duels with others that wait for this wizard, the longest waiting first."""
    waiting = Seat.objects.filter(wizard=wizard, awaited=True, duel__lesson="")
    return DuelList(waiting, moment="awaited_since", oldest_first=True)


# `waiting_list`, then `unanswered_challenges`. Every page of a player asks this, and Django would
# take longer to compile the union than the database takes to answer it.
AWAITING = """
    SELECT 0, seat.awaited_since, seat.duel_id
    FROM duels_seat seat JOIN duels_duel duel ON duel.id = seat.duel_id
    WHERE seat.wizard_id = %s AND seat.awaited AND duel.lesson = ''
    UNION ALL
    SELECT 1, seat.awaited_since, seat.duel_id
    FROM duels_seat seat JOIN duels_duel duel ON duel.id = seat.duel_id
    WHERE seat.wizard_id = %s AND seat.place IS NULL AND seat.duel_ended_at IS NULL
        AND seat.accepted_at IS NULL AND duel.status = 'gathering'
    ORDER BY 1, 2, 3
    LIMIT %s
"""


def duels_awaiting(wizard: Wizard, most: int) -> list[int]:
    """Return the ids of duels that wait for this wizard, the longest waiting first, and then of
    challenges that they have to answer; at most one more than `most`."""
    return [duel for _, _, duel in fetched(AWAITING, [wizard.pk, wizard.pk, most + 1])]


def unanswered_challenges(wizard: Wizard) -> QuerySet[Seat]:
    """The places in challenges that this wizard may accept or decline."""
    found: QuerySet[Seat] = challenge_list(wizard).only(accepted_at__isnull=True).found
    return found


def practice_list(wizard: Wizard) -> DuelList:
    """Practice in which it is this wizard's turn, the longest waiting first."""
    waiting = Seat.objects.filter(wizard=wizard, awaited=True).exclude(duel__lesson="")
    return DuelList(waiting, moment="awaited_since", oldest_first=True)


def running_list(wizard: Wizard) -> DuelList:
    """Duels of this wizard that go on and wait for somebody else, the newest first."""
    return DuelList(going_on(wizard).filter(awaited=False))


def challenge_list(wizard: Wizard, now: datetime | None = None) -> DuelList:
    """Challenges in which this wizard has a place: to answer, their own, or accepted."""
    challenged = Seat.objects.filter(
        wizard=wizard, place__isnull=True, duel_ended_at__isnull=True
    ).filter(duel__status=DuelStatus.GATHERING)
    return DuelList(challenged.filter(duel__expires_at__gt=now) if now else challenged)


def challenges_to_answer(wizard: Wizard, now: datetime) -> DuelList:
    """Those of these challenges that this wizard may accept or decline."""
    return challenge_list(wizard, now).only(accepted_at__isnull=True)


def challenges_that_stand(wizard: Wizard, now: datetime) -> DuelList:
    """Those of these challenges that wait for others."""
    return challenge_list(wizard, now).only(accepted_at__isnull=False)


def finished_list(wizard: Wizard, viewer: Wizard | None = None) -> DuelList:
    """Duels of this wizard that are over and that the viewer may read, the newest first."""
    ended = Seat.objects.filter(wizard=wizard, place__isnull=False, duel_ended_at__isnull=False)
    if viewer is None or viewer.pk != wizard.pk:
        ended = ended.filter(_readable_by(viewer, wizard))
    return DuelList(ended, moment="duel_ended_at")


def open_list(viewer: Wizard | None, now: datetime) -> DuelList:
    """Challenges that this viewer may accept, the newest first; without one, all open ones."""
    challenges = Duel.objects.filter(status=DuelStatus.GATHERING, open=True, expires_at__gt=now)
    if viewer is not None:
        # Told by their numbers: only so does PostgreSQL know how few they are.
        parted = Block.objects.filter(Q(wizard=viewer) | Q(blocked=viewer))
        pairs = parted.values_list("wizard_id", "blocked_id")
        not_for = {viewer.pk, *(pk for pair in pairs for pk in pair)}
        seats = Seat.objects.filter(duel=OuterRef("pk"), wizard__in=not_for)
        challenges = challenges.exclude(Exists(seats))
    return DuelList(challenges, moment="created_at")


def watch_list(wizard: Wizard | None = None) -> DuelList:
    """Duels, or those of this wizard, that everybody may watch now; the newest first."""
    if wizard is None:
        public = Duel.objects.filter(visibility=Visibility.PUBLIC, status=DuelStatus.RUNNING)
        return DuelList(public, moment="started_at")
    return DuelList(going_on(wizard).filter(duel__visibility=Visibility.PUBLIC))


def others_to_watch(wizard: Wizard) -> DuelList:
    """Duels that everybody may watch now and in which this wizard has no part."""
    public = watch_list()
    own = Seat.objects.filter(duel=OuterRef("pk"), wizard=wizard)
    return replace(public, found=public.found.exclude(Exists(own)))


def read_list() -> DuelList:
    """Duels that are over and that everybody may read, those that ended last first."""
    public = Duel.objects.filter(visibility=Visibility.PUBLIC, status=DuelStatus.OVER)
    return DuelList(public, moment="ended_at")


def _readable_by(viewer: Wizard | None, wizard: Wizard) -> Q:
    """Which duels of this wizard another one may read: public ones, and those of both."""
    # Nobody else sees practice: its opponent sits in more duels than anybody.
    is_public = Q(duel__visibility=Visibility.PUBLIC)
    if wizard.kind == WizardKind.PRACTICE:
        is_public = Q(pk__in=[])
    if viewer is None:
        return is_public
    return is_public | Q(Exists(Seat.objects.filter(duel=OuterRef("duel"), wizard=viewer)))


def going_on(wizard: Wizard) -> QuerySet[Seat]:
    """The wizard's places in duels that have begun and have not ended."""
    return Seat.objects.filter(wizard=wizard, place__isnull=False, duel_ended_at__isnull=True)


def rank_of(wizard: Wizard, viewer: Wizard | None = None) -> Rank:
    """The wizard's markers. Whose they are shows where the viewer may read the duel."""
    held = Marker.objects.filter(holder=wizard, returned_at=None)
    seen = Q()
    if viewer is None or viewer.pk != wizard.pk:
        seen = _readable_by(viewer, wizard)
    counted = held.aggregate(number=Count("pk"), seen=Count("pk", filter=seen or None))
    markers = _markers(held.filter(seen)) if counted["seen"] else ()
    ever = Marker.objects.filter(Q(holder=wizard) | Q(bears=wizard))
    number = counted["number"]
    return Rank(markers, number, number - counted["seen"], bool(number) or ever.exists())


def _markers(held: QuerySet[Marker]) -> tuple[MarkerRow, ...]:
    """The newest of these."""
    columns = ("duel__ended_at", "duel__ruleset", "bears__name", "bears__slug")
    rows = held.select_related("duel", "bears").only(*columns).order_by("-won_at", "-pk")
    return tuple(MarkerRow(marker.duel, marker.bears) for marker in rows[:PAGE_ROWS])


def wizard_named(slug: str) -> Wizard | None:
    """The wizard whose address this is."""
    return Wizard.objects.filter(slug=slug).first() if _can_be_stored(slug) else None


def wizard_of(user_id: int) -> Wizard | None:
    """The user's wizard."""
    return Wizard.objects.filter(user_id=user_id).first()


def guest_with(key: str) -> Wizard | None:
    """The guest whose browser holds the token of this key."""
    return Wizard.objects.filter(guest_key=key).first()


def visible_duel(duel_id: int, viewer: Wizard | None, token: str = "") -> Duel | None:
    """The duel, if the viewer may see it: their own, a public one, or one whose link they have."""
    duel = Duel.objects.filter(pk=duel_id).first()
    if duel is None:
        return None
    if token and constant_time_compare(duel.token or "", token):
        return duel
    if is_public(duel):
        return duel
    is_seated = viewer is not None and Seat.objects.filter(duel=duel, wizard=viewer).exists()
    return duel if is_seated else None


def load_visible_duel(duel_id: int, viewer: Wizard | None) -> LoadedDuel | None:
    """The duel with seats and newest turn, if the viewer may see it: their own, or a public one."""
    loaded = load_duel(duel_id, draft_of=viewer)
    if loaded is None:
        return None
    return loaded if is_public(loaded.duel) or loaded.seat_of(viewer) else None


def challenge_by_token(token: str) -> Duel | None:
    """The duel to which this invitation leads."""
    if not token or not _can_be_stored(token):
        return None
    return Duel.objects.select_related("challenger").filter(token=token).first()


def _can_be_stored(text: str) -> bool:
    """Whether a row can hold this text: PostgreSQL takes no NUL, not even to look for it."""
    return "\0" not in text


def is_public(duel: Duel) -> bool:
    """Whether everybody may see it."""
    if duel.status in (DuelStatus.GATHERING, DuelStatus.LAPSED):
        return duel.open and duel.status == DuelStatus.GATHERING
    return duel.visibility == Visibility.PUBLIC
