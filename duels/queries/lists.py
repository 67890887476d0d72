"""Lists of duels and challenges, and finding one thing by its address."""

from dataclasses import replace
from datetime import datetime

from django.db.models import Prefetch, Q, QuerySet

from duels.models import (
    OPEN_STAGES,
    Block,
    Duel,
    DuelStatus,
    Marker,
    Seat,
    Stage,
    Turn,
    Visibility,
    Wizard,
)
from duels.queries.rows import (
    DuelRow,
    MarkerRow,
    Rank,
    TurnRow,
)

LISTED = 50  # rows of a list


def duels_awaiting(wizard: Wizard, now: datetime) -> tuple[DuelRow, ...]:
    """Duels that wait for this wizard, the longest waiting first, and last those for practice."""
    waiting = Seat.objects.filter(wizard=wizard, awaited=True).order_by("awaited_since")
    order = list(waiting.values_list("duel_id", flat=True))
    rows = {row.duel.pk: row for row in rows_of(Duel.objects.filter(pk__in=order), wizard)}
    found = [rows[duel_id] for duel_id in order]
    return tuple(sorted(found, key=lambda row: row.duel.is_practice))


def duels_running(wizard: Wizard) -> tuple[DuelRow, ...]:
    """Duels of this wizard that go on without waiting for him now, the newest first."""
    mine = Seat.objects.filter(wizard=wizard, awaited=False)
    running = Duel.objects.filter(seats__in=mine, status=DuelStatus.RUNNING)
    return rows_of(running.order_by("-started_at")[:LISTED], wizard)


def challenges_for(wizard: Wizard, now: datetime | None = None) -> tuple[DuelRow, ...]:
    """Challenges in which this wizard has a place: to answer, his own, or accepted."""
    gathering = Duel.objects.filter(status=DuelStatus.GATHERING, seats__wizard=wizard)
    if now is not None:
        gathering = gathering.filter(expires_at__gt=now)
    return rows_of(gathering.order_by("-created_at")[:LISTED], wizard)


def open_challenges(viewer: Wizard | None, now: datetime) -> tuple[DuelRow, ...]:
    """Challenges that this viewer may accept; without one, all open ones."""
    challenges = Duel.objects.filter(status=DuelStatus.GATHERING, open=True, expires_at__gt=now)
    if viewer is not None:
        parted = Block.objects.filter(Q(wizard=viewer) | Q(blocked=viewer))
        pairs = parted.values_list("wizard_id", "blocked_id")
        strangers = {pk for pair in pairs for pk in pair} - {viewer.pk}
        challenges = challenges.exclude(seats__wizard__in=[viewer.pk, *strangers])
    rows = rows_of(challenges.order_by("-created_at")[:LISTED], viewer)
    return tuple(row for row in rows if row.free_places)


def finished_duels(wizard: Wizard, viewer: Wizard | None = None) -> tuple[DuelRow, ...]:
    """Duels of this wizard that are over and that the viewer may read, the newest first."""
    over = Duel.objects.filter(status=DuelStatus.OVER, seats__wizard=wizard)
    if viewer is None:
        over = over.filter(visibility=Visibility.PUBLIC)
    elif viewer.pk != wizard.pk:
        over = over.filter(Q(visibility=Visibility.PUBLIC) | Q(pk__in=_duels_of(viewer)))
    return rows_of(over.order_by("-ended_at")[:LISTED], wizard)


def rank_of(wizard: Wizard, viewer: Wizard | None = None) -> Rank:
    """The wizard's markers. Whose they are shows where the viewer may read the duel."""
    held = Marker.objects.filter(holder=wizard, returned_at=None)
    seen = held
    if viewer is None:
        seen = held.filter(duel__visibility=Visibility.PUBLIC)
    elif viewer.pk != wizard.pk:
        seen = held.filter(Q(duel__visibility=Visibility.PUBLIC) | Q(duel__in=_duels_of(viewer)))
    rows = seen.select_related("duel", "bears").order_by("-won_at", "-pk")
    markers = tuple(MarkerRow(marker.duel, marker.bears) for marker in rows)
    ever = Marker.objects.filter(Q(holder=wizard) | Q(bears=wizard))
    return Rank(markers, held.count() - len(markers), ever.exists())


def public_duels() -> tuple[DuelRow, ...]:
    """Duels that everybody may watch, and then those that everybody may read."""
    public = Duel.objects.filter(visibility=Visibility.PUBLIC)
    running = public.filter(status=DuelStatus.RUNNING).order_by("-started_at")
    over = public.filter(status=DuelStatus.OVER).order_by("-ended_at")
    return rows_of(running[:LISTED], None) + rows_of(over[:LISTED], None)


def duels_to_watch(wizard: Wizard) -> tuple[DuelRow, ...]:
    """Duels of this wizard that everybody may watch now, the newest first."""
    running = Duel.objects.filter(status=DuelStatus.RUNNING, seats__wizard=wizard)
    public = running.filter(visibility=Visibility.PUBLIC)
    return rows_of(public.order_by("-started_at")[:LISTED], None)


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
    """The duel, if the viewer may see it: his own, a public one, or one whose link he has."""
    duel = Duel.objects.filter(pk=duel_id).first()
    if duel is None:
        return None
    if token and duel.token == token:
        return duel
    if is_public(duel):
        return duel
    is_seated = viewer is not None and Seat.objects.filter(duel=duel, wizard=viewer).exists()
    return duel if is_seated else None


def challenge_by_token(token: str) -> Duel | None:
    """The duel to which this invitation leads."""
    if not token or not _can_be_stored(token):
        return None
    return Duel.objects.select_related("challenger").filter(token=token).first()


def rows_of(duels: QuerySet[Duel], viewer: Wizard | None) -> tuple[DuelRow, ...]:
    found = list(
        duels.select_related("challenger").prefetch_related(
            Prefetch("seats", Seat.objects.select_related("wizard"))
        )
    )
    at = Turn.objects.filter(duel__in=found, stage__in=OPEN_STAGES)
    turns = {
        turn.duel_id: TurnRow(turn.ordinal, turn.number, turn.kind, turn.stage, turn.opened_at)
        for turn in at.only("duel", "ordinal", "number", "kind", "stage", "opened_at")
    }
    return tuple(row_of(duel, viewer, turns.get(duel.pk)) for duel in found)


def row_of(duel: Duel, viewer: Wizard | None, turn: TurnRow | None) -> DuelRow:
    seats = tuple(duel.seats.all())
    mine = next((seat for seat in seats if viewer and seat.wizard_id == viewer.pk), None)
    if turn is not None and not (mine and mine.awaited):
        # That somebody is asked is for him to know. rules: R121, R162
        turn = replace(turn, stage=Stage.ORDERS)
    return DuelRow(duel=duel, seats=seats, mine=mine, turn=turn)


def _duels_of(wizard: Wizard) -> QuerySet[Seat, int]:
    return Seat.objects.filter(wizard=wizard).values_list("duel_id", flat=True)


def _can_be_stored(text: str) -> bool:
    """Whether a row can hold this text: PostgreSQL takes no NUL, not even to look for it."""
    return "\0" not in text


def is_public(duel: Duel) -> bool:
    """Whether everybody may see it."""
    if duel.status in (DuelStatus.GATHERING, DuelStatus.LAPSED):
        return duel.open and duel.status == DuelStatus.GATHERING
    return duel.visibility == Visibility.PUBLIC
