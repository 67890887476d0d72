"""The choice of the duel of the day from public duels that ended recently.

`merits` scores the duels. Reasons do not contain names, because wizards can change their names or
leave.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.db.models import F
from django.template.defaultfilters import pluralize

import engine.play
from duels.archive.models import ArchivedDuel
from duels.clocks.budget import Budget
from duels.commands.error_isolation import run_for_each
from duels.loaded import adjudication
from duels.queries.stories import whole_story
from duels.ratings.public import RatingChange, WayToLose
from engine.words import and_list

CANDIDATES_ENDED_WITHIN: Final = timedelta(days=3)
MAX_CANDIDATES: Final = 50  # duels whose turns are compared in detail
MAX_ROUND_SECONDS: Final = 200  # limit for comparing duels, less than the time limit of tasks
MIN_TURNS: Final = 8
MIN_POINTS: Final = 4  # minimum number of points for a good duel
USUAL_RATING: Final = 1500
MIN_LONG_PATTERN_GESTURES: Final = 6  # minimum number of gestures in a long pattern
MIN_COMEBACK_DAMAGE: Final = 4  # minimum damage by which the winner was behind
MAX_NARROW_WIN_HIT_POINTS: Final = 3  # maximum number of hit points left for a narrow win


@dataclass(frozen=True)
class Candidate:
    """Public facts about a finished duel, from which its merits are calculated."""

    duel: int
    turns: int
    way: str
    ratings: tuple[int, ...] = ()  # ratings of the wizards before the duel, if it was rated
    health_left: int | None = None  # the winner's remaining hit points
    most_behind: int = 0  # points of damage by which the winner was behind
    long_spells: tuple[str, ...] = ()  # names of long spells that were cast


@dataclass(frozen=True)
class DailyChoice:
    """A duel that is worth reading, with its points and the reason."""

    duel: int
    merit: int
    reason: str


def merits(duel: Candidate) -> Iterator[tuple[int, str]]:
    """Yield the points and the text of each merit of a duel."""
    if duel.ratings and (above := (min(duel.ratings) - USUAL_RATING) // 100) > 0:
        number = "Both" if len(duel.ratings) == 2 else "All"
        yield min(above, 5), f"{number} wizards were rated {USUAL_RATING + 100 * above} or more"
    if duel.most_behind >= MIN_COMEBACK_DAMAGE:
        yield 3, f"the winner had been {duel.most_behind} points of damage behind"
    if duel.health_left is not None and duel.health_left <= MAX_NARROW_WIN_HIT_POINTS:
        points = f"{duel.health_left} point{pluralize(duel.health_left)}"
        yield 2, f"the winner was {points} of damage from death"
    if duel.long_spells:
        yield 2, f"you can see {and_list(duel.long_spells)}"
    if duel.way == WayToLose.KILL:
        yield 1, f"it ended with a death on turn {duel.turns}"


def best_duel(duels: Iterable[Candidate]) -> DailyChoice | None:
    """Return the duel with the most points, or None if no duel is good enough."""
    choices = [
        _choice_of(duel)
        for duel in duels
        if duel.turns >= MIN_TURNS and duel.way not in (WayToLose.TIME, WayToLose.REFEREE)
    ]
    best = max(choices, key=lambda each: (each.merit, each.duel), default=None)
    return best if best and best.merit >= MIN_POINTS else None


def _choice_of(duel: Candidate) -> DailyChoice:
    found = list(merits(duel))
    reason = "; ".join(text for _, text in found)
    return DailyChoice(
        duel.duel, sum(points for points, _ in found), f"{reason[:1].upper()}{reason[1:]}."
    )


def recent_candidates(now: datetime) -> list[Candidate]:
    """Return recent duels that have not been duel of the day, the highest rated first."""
    recent = ArchivedDuel.objects.filter(ended_at__gt=now - CANDIDATES_ENDED_WITHIN, daily=None)
    compared = recent.order_by(F("rating").desc(nulls_last=True), "-ended_at", "-pk")
    rows = list(compared.select_related("duel").defer("words")[:MAX_CANDIDATES])
    ratings: dict[int, list[int]] = {}
    changes = RatingChange.objects.filter(duel__in=[row.pk for row in rows])
    for number, value in changes.values_list("duel", "value_before"):
        ratings.setdefault(number, []).append(round(value))
    found: list[Candidate] = []

    def add(row: ArchivedDuel) -> bool:
        found.append(_candidate(row, tuple(ratings.get(row.pk, ()))))
        return True

    run_for_each(rows, add, Budget(MAX_ROUND_SECONDS), "Failed to compare")
    return found


def _candidate(row: ArchivedDuel, ratings: tuple[int, ...]) -> Candidate:
    way = next(code.removeprefix("way.") for code in row.codes.split() if code.startswith("way."))
    story, winner = whole_story(row.duel), row.duel.result
    damage = {each.wizard: each.damage for each in story.wizards} if story else {}  # by turn
    won, others = damage.get(winner, ()), [each for code, each in damage.items() if code != winner]
    ruleset = adjudication.ruleset_of(row.duel)
    return Candidate(
        duel=row.pk,
        turns=row.turns,
        way=way,
        ratings=ratings,
        health_left=ruleset.wizard_hit_points - won[-1] if won else None,
        most_behind=max(
            (own - min(turn) for own, *turn in zip(won, *others, strict=False)), default=0
        ),
        long_spells=tuple(_long_spells(row.codes, ruleset)),
    )


def _long_spells(codes: str, ruleset: engine.play.Ruleset) -> Iterator[str]:
    """Yield the names of cast spells whose patterns are all long."""
    for code in codes.split():
        kind, _, name = code.partition(".")
        spell = ruleset.spells.get(name) if kind == "cast" else None
        if spell and min(len(pattern) for pattern in spell.patterns) >= MIN_LONG_PATTERN_GESTURES:
            yield spell.name
