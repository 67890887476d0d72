"""Computation of an archive row from a duel's seats, turns and rating changes.

Codes have a dot between kind and value: "ruleset.bartle-1", "size.2", "way.kill", "wizard.7",
"won.7" and "won" (or "lost", "drew"), "cast.shield", "countered.missile" and "countered",
"monster.goblin", "opening.SDF".
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from django.db.models import Max

import engine.play
import engine.words
from duels.archive.models import ArchivedDuel
from duels.commands.duel_end import DuelEnd
from duels.loaded import adjudication
from duels.models import DuelEnding, Outcome, Turn
from duels.ratings.public import RatingChange, Result, WayToLose

OPENING_LENGTH: Final = 3  # number of gestures in an opening
WAY_OF_ENDING: Final = {
    DuelEnding.RESIGNED: WayToLose.SURRENDER,
    DuelEnding.TIME: WayToLose.TIME,
    DuelEnding.CLAIMED: WayToLose.TIME,
    DuelEnding.REMOVED: WayToLose.REFEREE,
    DuelEnding.DECLARED: WayToLose.REFEREE,
}
RESULTS: Final = {Outcome.WON: Result.WON, Outcome.DREW: Result.DREW}


def archived_duel(end: DuelEnd) -> ArchivedDuel:
    """Return an unsaved archive row for this duel."""
    duel = end.duel
    assert duel.ended_at is not None
    turns = list(Turn.objects.filter(duel=duel).exclude(events=None).order_by("ordinal"))
    history = adjudication.history(turns, end.position)
    ratings = RatingChange.objects.filter(duel=duel).aggregate(highest=Max("value_before"))
    codes = {
        f"ruleset.{duel.ruleset}",
        f"size.{duel.size}",
        f"way.{_way_of_losing(end, history)}",
        *_participant_codes(end),
        *_event_codes(history.turns),
        *_openings(history.turns),
    }
    return ArchivedDuel(
        duel=duel,
        ended_at=duel.ended_at,
        turns=turns[-1].number if turns else 0,
        rating=None if ratings["highest"] is None else round(ratings["highest"]),
        codes=" ".join(sorted(codes)),
        words=" ".join(sorted(_report_words(history))),
    )


def _way_of_losing(end: DuelEnd, history: engine.play.History) -> WayToLose:
    """Return how the last defeated wizard lost, or `WayToLose.DRAW` for a draw."""
    if end.result == engine.play.DRAW:
        return WayToLose.DRAW
    if end.how in WAY_OF_ENDING:
        return WAY_OF_ENDING[end.how]
    last = history.turns[-1].events if history.turns else ()
    surrendered = any(isinstance(event, engine.play.Surrendered) for event in last)
    return WayToLose.SURRENDER if surrendered else WayToLose.KILL


def _participant_codes(end: DuelEnd) -> Iterator[str]:
    for seat in end.seats:
        result = RESULTS.get(Outcome(seat.outcome), Result.LOST)
        yield from (f"wizard.{seat.wizard_id}", f"{result}.{seat.wizard_id}", result)


def _event_codes(turns: Sequence[engine.play.Turn]) -> Iterator[str]:
    for turn in turns:
        for event in turn.events:
            match event:
                case engine.play.Cast(spell=spell):
                    yield f"cast.{spell}"
                case (
                    engine.play.Failed(spell=spell, cause="countered")
                    | engine.play.Stopped(source=spell, cause="counter_spell")
                ):
                    yield from ("countered", f"countered.{spell}")
                case engine.play.Summoned(kind=kind):
                    yield f"monster.{kind}"
                case _:
                    pass


def _openings(turns: Sequence[engine.play.Turn]) -> Iterator[str]:
    """Yield the first three gestures of every hand that made at least three."""
    made: dict[str, list[engine.play.Gestured]] = {}
    for turn in turns:
        for event in turn.events:
            if isinstance(event, engine.play.Gestured):
                made.setdefault(event.wizard, []).append(event)
    for sets in made.values():
        if len(sets) >= OPENING_LENGTH:
            yield "opening." + "".join(each.left for each in sets[:OPENING_LENGTH])
            yield "opening." + "".join(each.right for each in sets[:OPENING_LENGTH])


def _report_words(history: engine.play.History) -> set[str]:
    """Return the words of all reports, without messages and with "wizard" in place of names."""
    view = engine.play.view(history, engine.play.ALL)
    wizards = dict.fromkeys((wizard.id for wizard in history.position.wizards), "wizard")
    reports = engine.words.narrate(replace(view, names={**view.names, **wizards}))
    lines = (line for report in reports for line in report.lines if line.code != "spoke")
    return {word for line in lines for word in re.findall(r"[a-z]{2,}", line.text.lower())}
