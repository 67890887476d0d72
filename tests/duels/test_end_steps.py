"""Steps that apps add to the end of a duel. Each end applies them once, and can be undone."""

from collections.abc import Callable
from functools import partial

import pytest

from duels.commands import callbacks, deadlines, endings
from duels.commands.callbacks import Registry
from duels.commands.duel_end import DuelEnd, EndStep
from duels.models import ActKind, Duel, DuelEnding
from duels.referees.acts import carrying_out
from tests.cast import LATER, NOW, Cast, begin, hands, open_turn, play, seal
from tests.duels.referees.acts.refereeing import make_referee, perform_act
from tests.duels.test_deadlines import (
    begin_timed_duel,
    hours_after_start,
    play_missed_turns,
    process_deadlines_at,
    resolve_open_turn,
)

IDLE = hands("-", "-")
SURRENDER = hands("P", "P")

RecordedEnd = tuple[str, DuelEnding, str]


@pytest.fixture
def recorded_ends(monkeypatch: pytest.MonkeyPatch) -> list[RecordedEnd]:
    """The list of ends that an app's step has applied or undone, with their kinds and results."""
    monkeypatch.setattr(callbacks, "duel_end_steps", Registry[EndStep]())
    found: list[RecordedEnd] = []

    def record_end(what: str, end: DuelEnd) -> None:
        found.append((what, end.how, end.result))

    step = EndStep(apply=partial(record_end, "applied"), undo=partial(record_end, "undone"))
    for _ in range(2):
        callbacks.duel_end_steps.add(step)
    return found


def end_by_win(cast: Cast) -> Duel:
    duel = begin(cast.ada, cast.bram)
    turn = open_turn(duel)
    turn.position["wizards"][1]["damage"] = 14
    turn.save(update_fields=["position"])
    play(duel, {cast.ada: hands(">", "-"), cast.bram: IDLE})
    return duel


def end_by_draw(cast: Cast) -> Duel:
    duel = begin(cast.ada, cast.bram)
    play(duel, {cast.ada: SURRENDER, cast.bram: SURRENDER})
    return duel


def end_by_surrender(cast: Cast) -> Duel:
    duel = begin(cast.ada, cast.bram)
    play(duel, {cast.ada: IDLE, cast.bram: SURRENDER})
    return duel


def end_by_resignation(cast: Cast) -> Duel:
    duel = begin(cast.ada, cast.bram, cast.cleo)
    for wizard in (cast.cleo, cast.bram):
        endings.resign(duel_id=duel.pk, wizard=wizard, now=NOW)
    return duel


def end_by_agreement(cast: Cast) -> Duel:
    duel = begin(cast.ada, cast.bram)
    for wizard in (cast.ada, cast.bram):
        endings.offer_draw(duel_id=duel.pk, wizard=wizard, ordinal=None, now=NOW)
    return duel


def end_by_forfeit(cast: Cast) -> Duel:
    duel = begin_timed_duel(cast)
    play_missed_turns(duel, cast.ada, 2)
    seal(duel, cast.ada, hands("W", "W"), now=hours_after_start(49))
    process_deadlines_at(duel, 72)
    return duel


def end_by_claim(cast: Cast) -> Duel:
    duel = begin_timed_duel(cast)
    play_missed_turns(duel, cast.ada, 2)
    deadlines.claim_duel(duel_id=duel.pk, wizard=cast.ada, now=hours_after_start(49))
    return duel


def end_by_abandonment(cast: Cast) -> Duel:
    duel = begin_timed_duel(cast)
    for turn in (1, 2):
        process_deadlines_at(duel, 24 * turn)
        resolve_open_turn(duel, 24 * turn)
    process_deadlines_at(duel, 72)
    return duel


def end_by_referee(kind: ActKind, cast: Cast, **fields: str) -> Duel:
    duel = begin(cast.ada, cast.bram)
    perform_act(kind, make_referee(), duel, **fields)
    return duel


end_by_removal = partial(end_by_referee, ActKind.REMOVE, seat="w1")
end_by_declared_result = partial(end_by_referee, ActKind.DECLARE, result="w0")
end_by_annulment = partial(end_by_referee, ActKind.ANNUL)

RESULTS_BY_END = {
    end_by_win: (DuelEnding.RULES, "w0"),
    end_by_draw: (DuelEnding.RULES, "draw"),
    end_by_surrender: (DuelEnding.RULES, "w0"),
    end_by_resignation: (DuelEnding.RESIGNED, "w0"),
    end_by_agreement: (DuelEnding.AGREED, "draw"),
    end_by_forfeit: (DuelEnding.TIME, "w0"),
    end_by_claim: (DuelEnding.CLAIMED, "w0"),
    end_by_abandonment: (DuelEnding.ABANDONED, "draw"),
    end_by_removal: (DuelEnding.REMOVED, "w0"),
    end_by_declared_result: (DuelEnding.DECLARED, "w0"),
    end_by_annulment: (DuelEnding.ANNULLED, ""),
}
END_NAMES = [getattr(way, "__name__", "by referee") for way in RESULTS_BY_END]
for_every_end = pytest.mark.parametrize("end", RESULTS_BY_END, ids=END_NAMES)


def test_every_way_of_ending_a_duel_is_tested() -> None:
    of_challenges = {
        DuelEnding.NOT,
        DuelEnding.WITHDRAWN,
        DuelEnding.DECLINED,
        DuelEnding.COUNTERED,
        DuelEnding.EXPIRED,
    }
    assert {how for how, _ in RESULTS_BY_END.values()} == set(DuelEnding) - of_challenges


@for_every_end
def test_step_of_an_app_is_applied_once_at_each_end(
    cast: Cast, recorded_ends: list[RecordedEnd], end: Callable[[Cast], Duel]
) -> None:
    duel = end(cast)
    duel.refresh_from_db()
    how, result = RESULTS_BY_END[end]
    assert (duel.ended, duel.result) == (how, result)
    planned = 2 if how in (DuelEnding.REMOVED, DuelEnding.DECLARED, DuelEnding.ANNULLED) else 1
    assert recorded_ends == [("applied", how, result)] * planned, (
        "a plan is applied, and rolled back"
    )


@for_every_end
@pytest.mark.parametrize("kind", [ActKind.ANNUL, ActKind.DECLARE, ActKind.ROLL_BACK])
def test_step_of_an_app_is_undone_once(
    cast: Cast, recorded_ends: list[RecordedEnd], end: Callable[[Cast], Duel], kind: ActKind
) -> None:
    if end is end_by_annulment and kind == ActKind.ANNUL:
        return  # an annulled duel cannot be annulled again
    duel = end(cast)
    recorded_ends.clear()
    duel.refresh_from_db()
    fields = {
        ActKind.ANNUL: {},
        ActKind.DECLARE: {"result": "w1"},
        ActKind.ROLL_BACK: {"turn": "1"},
    }[kind]
    perform_act(kind, make_referee(), duel, **fields)
    how, result = RESULTS_BY_END[end]
    applied_again = {
        ActKind.ANNUL: [("applied", DuelEnding.ANNULLED, "")],
        ActKind.DECLARE: [("applied", DuelEnding.DECLARED, "w1")],
        ActKind.ROLL_BACK: [],
    }[kind]
    assert recorded_ends == 2 * [("undone", how, result), *applied_again], (
        "planned, then carried out"
    )
    assert duel.is_over == (kind != ActKind.ROLL_BACK)


def test_step_is_not_applied_if_a_turn_does_not_end_the_duel(
    cast: Cast, recorded_ends: list[RecordedEnd]
) -> None:
    duel = begin(cast.ada, cast.bram, cast.cleo)
    play(duel, {cast.ada: IDLE, cast.bram: SURRENDER, cast.cleo: IDLE})
    endings.offer_draw(duel_id=duel.pk, wizard=cast.ada, ordinal=None, now=LATER)
    perform_act(ActKind.ROLL_BACK, make_referee(), duel, turn="1")
    assert recorded_ends == []


def test_change_recorded_by_a_step_is_shown_to_the_referee(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    def record_rating_change(end: DuelEnd) -> None:
        end.record_change("The rating of {}", end.seats[:1], "1500", "1510")

    monkeypatch.setattr(
        callbacks, "duel_end_steps", [EndStep(record_rating_change, record_rating_change)]
    )
    duel = end_by_surrender(cast)
    planned = carrying_out.plan_act(ActKind.ANNUL, duel_id=duel.pk, by=make_referee(), now=LATER)
    assert [change.words for change in planned.changes].count("The rating of Ada") == 2
