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
from tests.duels.referees.acts.refereeing import done, make_referee
from tests.duels.test_deadlines import absent_for, at, process_deadlines_at, resolve, timed

IDLE = hands("-", "-")
SURRENDER = hands("P", "P")

End = tuple[str, DuelEnding, str]


@pytest.fixture
def ends(monkeypatch: pytest.MonkeyPatch) -> list[End]:
    """The list of ends that an app's step has applied or undone, with their kinds and results."""
    monkeypatch.setattr(callbacks, "duel_end_steps", Registry[EndStep]())
    found: list[End] = []

    def note(what: str, end: DuelEnd) -> None:
        found.append((what, end.how, end.result))

    step = EndStep(apply=partial(note, "applied"), undo=partial(note, "undone"))
    for _ in range(2):
        callbacks.duel_end_steps.add(step)
    return found


def win(cast: Cast) -> Duel:
    duel = begin(cast.ada, cast.bram)
    turn = open_turn(duel)
    turn.position["wizards"][1]["damage"] = 14
    turn.save(update_fields=["position"])
    play(duel, {cast.ada: hands(">", "-"), cast.bram: IDLE})
    return duel


def draw(cast: Cast) -> Duel:
    duel = begin(cast.ada, cast.bram)
    play(duel, {cast.ada: SURRENDER, cast.bram: SURRENDER})
    return duel


def surrender(cast: Cast) -> Duel:
    duel = begin(cast.ada, cast.bram)
    play(duel, {cast.ada: IDLE, cast.bram: SURRENDER})
    return duel


def resign(cast: Cast) -> Duel:
    duel = begin(cast.ada, cast.bram, cast.cleo)
    for wizard in (cast.cleo, cast.bram):
        endings.resign(duel_id=duel.pk, wizard=wizard, now=NOW)
    return duel


def agree(cast: Cast) -> Duel:
    duel = begin(cast.ada, cast.bram)
    for wizard in (cast.ada, cast.bram):
        endings.offer_draw(duel_id=duel.pk, wizard=wizard, ordinal=None, now=NOW)
    return duel


def run_out_of_time(cast: Cast) -> Duel:
    duel = timed(cast)
    absent_for(duel, cast.ada, 2)
    seal(duel, cast.ada, hands("W", "W"), now=at(49))
    process_deadlines_at(duel, 72)
    return duel


def claim(cast: Cast) -> Duel:
    duel = timed(cast)
    absent_for(duel, cast.ada, 2)
    deadlines.claim_duel(duel_id=duel.pk, wizard=cast.ada, now=at(49))
    return duel


def abandon(cast: Cast) -> Duel:
    duel = timed(cast)
    for turn in (1, 2):
        process_deadlines_at(duel, 24 * turn)
        resolve(duel, 24 * turn)
    process_deadlines_at(duel, 72)
    return duel


def ended_by_referee(kind: ActKind, cast: Cast, **fields: str) -> Duel:
    duel = begin(cast.ada, cast.bram)
    done(kind, make_referee(), duel, **fields)
    return duel


remove = partial(ended_by_referee, ActKind.REMOVE, seat="w1")
declare = partial(ended_by_referee, ActKind.DECLARE, result="w0")
annul = partial(ended_by_referee, ActKind.ANNUL)

WAYS = {
    win: (DuelEnding.RULES, "w0"),
    draw: (DuelEnding.RULES, "draw"),
    surrender: (DuelEnding.RULES, "w0"),
    resign: (DuelEnding.RESIGNED, "w0"),
    agree: (DuelEnding.AGREED, "draw"),
    run_out_of_time: (DuelEnding.TIME, "w0"),
    claim: (DuelEnding.CLAIMED, "w0"),
    abandon: (DuelEnding.ABANDONED, "draw"),
    remove: (DuelEnding.REMOVED, "w0"),
    declare: (DuelEnding.DECLARED, "w0"),
    annul: (DuelEnding.ANNULLED, ""),
}
NAMES = [getattr(way, "__name__", "by referee") for way in WAYS]
every_way = pytest.mark.parametrize("end", WAYS, ids=NAMES)


def test_every_way_of_ending_a_duel_is_tested() -> None:
    of_challenges = {
        DuelEnding.NOT,
        DuelEnding.WITHDRAWN,
        DuelEnding.DECLINED,
        DuelEnding.COUNTERED,
        DuelEnding.EXPIRED,
    }
    assert {how for how, _ in WAYS.values()} == set(DuelEnding) - of_challenges


@every_way
def test_step_of_an_app_is_applied_once_at_each_end(
    cast: Cast, ends: list[End], end: Callable[[Cast], Duel]
) -> None:
    duel = end(cast)
    duel.refresh_from_db()
    how, result = WAYS[end]
    assert (duel.ended, duel.result) == (how, result)
    planned = 2 if how in (DuelEnding.REMOVED, DuelEnding.DECLARED, DuelEnding.ANNULLED) else 1
    assert ends == [("applied", how, result)] * planned, "a plan is applied, and rolled back"


@every_way
@pytest.mark.parametrize("kind", [ActKind.ANNUL, ActKind.DECLARE, ActKind.ROLL_BACK])
def test_step_of_an_app_is_undone_once(
    cast: Cast, ends: list[End], end: Callable[[Cast], Duel], kind: ActKind
) -> None:
    if end is annul and kind == ActKind.ANNUL:
        return  # an annulled duel cannot be annulled again
    duel = end(cast)
    ends.clear()
    duel.refresh_from_db()
    fields = {
        ActKind.ANNUL: {},
        ActKind.DECLARE: {"result": "w1"},
        ActKind.ROLL_BACK: {"turn": "1"},
    }[kind]
    done(kind, make_referee(), duel, **fields)
    how, result = WAYS[end]
    applied_again = {
        ActKind.ANNUL: [("applied", DuelEnding.ANNULLED, "")],
        ActKind.DECLARE: [("applied", DuelEnding.DECLARED, "w1")],
        ActKind.ROLL_BACK: [],
    }[kind]
    assert ends == 2 * [("undone", how, result), *applied_again], "planned, then carried out"
    assert duel.is_over == (kind != ActKind.ROLL_BACK)


def test_step_is_not_applied_if_a_turn_does_not_end_the_duel(cast: Cast, ends: list[End]) -> None:
    duel = begin(cast.ada, cast.bram, cast.cleo)
    play(duel, {cast.ada: IDLE, cast.bram: SURRENDER, cast.cleo: IDLE})
    endings.offer_draw(duel_id=duel.pk, wizard=cast.ada, ordinal=None, now=LATER)
    done(ActKind.ROLL_BACK, make_referee(), duel, turn="1")
    assert ends == []


def test_change_recorded_by_a_step_is_shown_to_the_referee(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    def rate(end: DuelEnd) -> None:
        end.record_change("The rating of {}", end.seats[:1], "1500", "1510")

    monkeypatch.setattr(callbacks, "duel_end_steps", [EndStep(rate, rate)])
    duel = surrender(cast)
    planned = carrying_out.plan_act(ActKind.ANNUL, duel_id=duel.pk, by=make_referee(), now=LATER)
    assert [change.words for change in planned.changes].count("The rating of Ada") == 2
