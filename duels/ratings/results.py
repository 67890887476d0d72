"""The results of a duel that has ended, as rows without ratings."""

from collections.abc import Mapping
from typing import Any, Final

from django.db.models import Count, Max, Q

import engine.words
from duels.commands.duel_end import DuelEnd
from duels.loaded import adjudication
from duels.models import (
    Duel,
    DuelEnding,
    Orders,
    Outcome,
    SealSource,
    Seat,
    Stage,
    Turn,
    WizardKind,
)
from duels.ratings.models import RatingChange, Result, WayToLose
from engine.play import DEAD, STANDING, Gestured

MIN_RATED_TURNS: Final = 3  # duels that end before this turn are not rated
OPENING_LENGTH: Final = 3  # number of gestures of each hand in an opening
WAY_OF_OUTCOME: Final = {
    Outcome.RESIGNED: WayToLose.SURRENDER,
    Outcome.FORFEITED: WayToLose.TIME,
    Outcome.REMOVED: WayToLose.REFEREE,
}
RANK_OF_OUTCOME: Final = {Outcome.WON: 2, Outcome.DREW: 1}  # all other outcomes have rank 0
RESULTS: Final = {Outcome.WON: Result.WON, Outcome.DREW: Result.DREW}


def results_to_rate(end: DuelEnd) -> list[RatingChange]:
    """Return a row for each wizard, in order of id, or no rows if the result does not count."""
    duel = end.duel
    is_rated = (
        duel.rated
        and end.how not in (DuelEnding.ABANDONED, DuelEnding.ANNULLED)
        and all(seat.wizard.kind == WizardKind.PLAYER for seat in end.seats)
    )
    if not is_rated or _last_turn_ordinal(duel) < MIN_RATED_TURNS:
        return []
    lasted, turns, habits = _last_turns(end), _turn_counts(end), _habits_by_wizard(end)
    ranks = {
        seat.code: (RANK_OF_OUTCOME.get(Outcome(seat.outcome), 0), lasted.get(seat.code, 0))
        for seat in end.seats
    }
    rows = {}
    for seat in end.seats:
        count, missed = turns.get(seat.pk, (0, 0))
        rows[seat.code] = RatingChange(
            duel=duel,
            wizard=seat.wizard,
            ruleset=duel.ruleset,
            at=duel.ended_at or end.now,
            place=1 + sum(rank > ranks[seat.code] for rank in ranks.values()),
            result=RESULTS.get(Outcome(seat.outcome), Result.LOST),
            way=_way_to_lose(seat, end),
            turns=count,
            missed_turns=missed,
            **habits.get(seat.code, {}),
        )
    winner, second, *_ = sorted(rows.values(), key=lambda row: row.place)
    if winner.result == Result.WON:
        winner.way = second.way
    return sorted(rows.values(), key=lambda row: row.wizard_id)


def _last_turn_ordinal(duel: Duel) -> int:
    return int(Turn.objects.filter(duel=duel).aggregate(last=Max("number"))["last"])


def _way_to_lose(seat: Seat, end: DuelEnd) -> WayToLose:
    if seat.outcome in (Outcome.WON, Outcome.DREW):
        return WayToLose.DRAW
    if seat.outcome in WAY_OF_OUTCOME:
        return WAY_OF_OUTCOME[Outcome(seat.outcome)]
    standing = next(each.standing for each in end.position.wizards if each.id == seat.code)
    return {DEAD: WayToLose.KILL, STANDING: WayToLose.REFEREE}.get(standing, WayToLose.SURRENDER)


def _last_turns(end: DuelEnd) -> Mapping[str, int]:
    """Return the last turn that each wizard began while still in the duel.

    Return {} for a duel of two wizards, which does not need it.
    """
    if len(end.seats) == 2:
        return {}
    return {
        wizard.id: turn.ordinal
        for turn in Turn.objects.filter(duel=end.duel).order_by("ordinal")
        for wizard in adjudication.position_at_start(turn).wizards
        if wizard.standing == STANDING
    }


def _turn_counts(end: DuelEnd) -> Mapping[int, tuple[int, int]]:
    """Return each seat's number of turns with orders, and how many of these had default orders."""
    sealed = Orders.objects.filter(
        turn__in=Turn.objects.filter(duel=end.duel), stage=Stage.ORDERS, superseded=False
    )
    missed = Count("pk", filter=Q(source=SealSource.DEFAULT))
    counted = sealed.order_by().values_list("seat").annotate(turns=Count("pk"), missed=missed)
    return {seat: (turns, missed) for seat, turns, missed in counted}


def _habits_by_wizard(end: DuelEnd) -> Mapping[str, dict[str, Any]]:
    """Return the habits of each wizard who made a gesture in the duel, as values of `RatingChange`:
    the first gestures (`opening`), and how often they cast each spell (`spells`).
    """
    turns = Turn.objects.filter(duel=end.duel).exclude(events=None).order_by("ordinal")
    history = adjudication.history(turns, end.position)
    if not history.turns:
        return {}
    sets: dict[str, list[Gestured]] = {}
    for turn in history.turns:
        for event in turn.events:
            if isinstance(event, Gestured):
                sets.setdefault(event.wizard, []).append(event)
    casts = {story.wizard: story.cast for story in engine.words.story_of(history).wizards}
    return {
        wizard: {
            "opening": _opening(made),
            "spells": {count.spell: count.times for count in casts[wizard]},
        }
        for wizard, made in sets.items()
    }


def _opening(sets: list[Gestured]) -> str:
    first = sets[:OPENING_LENGTH]
    return "/".join("".join(hand) for hand in zip(*((s.left, s.right) for s in first), strict=True))
