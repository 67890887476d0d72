"""Tests of the guided first duel: everyone can finish it, and the guide leads to a win."""

import re
from collections.abc import Iterator
from dataclasses import replace
from unittest import mock

import pytest

import engine.play
from duels import errors, lessons
from duels.commands import endings, lesson_returns, practising, sealing
from duels.lessons.first import FIRST_LESSON
from duels.lessons.script import LEARNER, RIVAL, gesture_orders, positions_before_turns
from duels.loaded import adjudication
from duels.models import Duel, DuelStatus, Outcome, Seat, Stage, Turn, Wizard
from duels.proof import records
from duels.queries import pages
from duels.screens.order_sheet.lesson_guide import LessonGuide, lesson_guide
from engine.events import Cast
from engine.proof.transcript import transcript
from engine.proof.verify import verify
from tests.cast import NOW, hands, open_turn, seal
from tests.duels.visitors import Committed, GuideParser, Visitor

MAX_WORDS = 60
STEP_NUMBERS = range(1, len(FIRST_LESSON.steps) + 1)


def lesson_duel(wizard: Wizard, committed: Committed) -> Duel:
    with committed():
        return practising.start_lesson(wizard=wizard, lesson="first", now=NOW)


def practice_duel(wizard: Wizard, committed: Committed) -> Duel:
    with committed():
        return practising.start_practice(wizard=wizard, ruleset="bartle-1", now=NOW)


def guide_for(duel: Duel, wizard: Wizard) -> LessonGuide:
    duel.refresh_from_db()
    found = lesson_guide(pages.duel_page(duel, wizard))
    assert found is not None
    return found


def take_turn(duel: Duel, wizard: Wizard, pair: str, committed: Committed) -> None:
    with committed():
        seal(duel, wizard, hands(pair[0], pair[1]))
    duel.refresh_from_db()


def answer_by_default(duel: Duel, wizard: Wizard, committed: Committed) -> None:
    """Answer the wizard's questions after the reveal with the defaults."""
    turn = open_turn(duel)
    assert turn.stage == Stage.ANSWERS
    asked = adjudication.questions_to(turn, LEARNER)
    given = {question.id: question.default for question in asked}
    with committed():
        sealing.answer_questions(
            turn_id=turn.pk, wizard=wizard, answers=given, batch=turn.batch, form_seal="", now=NOW
        )
    duel.refresh_from_db()


def test_first_lesson_lasts_eight_to_ten_turns() -> None:
    assert 8 <= len(FIRST_LESSON.steps) <= 10
    cast = []
    position = engine.play.begin(
        FIRST_LESSON.ruleset,
        [engine.play.Duellist("Learner"), engine.play.Duellist("Rival")],
        setup=FIRST_LESSON.engine_setup(),
    )
    for step in FIRST_LESSON.steps:
        assert engine.play.check(position, LEARNER, gesture_orders(step.learner)) == ()
        assert engine.play.check(position, RIVAL, gesture_orders(step.rival)) == ()
        assert engine.play.cautions(position, LEARNER, gesture_orders(step.learner)) == ()
        orders = {LEARNER: gesture_orders(step.learner), RIVAL: gesture_orders(step.rival)}
        position, events = engine.play.resolve(position, orders, {}, engine.play.NoDice())
        mine = [each for each in events if isinstance(each, Cast) and each.wizard == LEARNER]
        cast += [each.spell for each in mine]
    assert cast == [
        "missile",
        "shield",
        "summon_goblin",
        "shield",
        "missile",
        "cause_heavy_wounds",
        "counter_spell",
        "missile",
        "missile",
    ]
    assert position.outcome == LEARNER


@pytest.mark.parametrize("number", STEP_NUMBERS)
def test_guide_is_short_and_names_the_gestures_that_it_suggests(number: int) -> None:
    step = FIRST_LESSON.steps[number - 1]
    text = f"{step.happened} {step.advice}".format(rival="Old Quill")
    assert len(text.split()) <= MAX_WORDS
    assert "{" not in text
    advice = step.advice.lower()
    for hand, sign in zip(("left", "right"), step.learner, strict=True):
        named = (
            rf"{hand} hand[^.]*\b{sign.lower()}\b" if sign != "-" else f"{hand} hand does nothing"
        )
        assert re.search(named, advice), (hand, sign, step.advice)


def test_statements_of_the_guide_are_true_in_the_duel() -> None:
    """Numbers and gestures in the guide's text must match the lesson's script."""
    known = positions_before_turns(FIRST_LESSON)
    rivals = [("".join(s.rival[0] for s in FIRST_LESSON.steps[:n])) for n in range(10)]
    right = [("".join(s.rival[1] for s in FIRST_LESSON.steps[:n])) for n in range(10)]
    assert rivals[2].endswith("S")  # before turn 3: the opponent's S, which may become a Missile
    assert right[5].endswith("DF")  # before turn 6: two gestures of the opponent's Lightning Bolt
    assert right[7].endswith("DFFD")  # before turn 8: four gestures of the Lightning Bolt
    damage = [[wizard.get("damage", 0) for wizard in start["wizards"]] for start in known]
    assert damage[2][1] - damage[1][1] == 1  # before turn 3: one point of damage by the Missile
    assert damage[6][0] - damage[5][0] == 2  # before turn 7: two points by Cause Light Wounds
    assert damage[7][1] - damage[6][1] == 3  # before turn 8: three points of damage, and no goblin
    assert damage[8] == [6, 12]  # before turn 9: twelve points in all, and the bolt has failed


def test_learner_who_follows_the_guide_wins(ada: Wizard, committed: Committed) -> None:
    duel = lesson_duel(ada, committed)
    for number in STEP_NUMBERS:
        said = guide_for(duel, ada)
        assert said.follows
        assert said.title == f"Turn {number} of {len(FIRST_LESSON.steps)}"
        take_turn(duel, ada, said.pair, committed)
    assert duel.status == DuelStatus.OVER
    assert Seat.objects.get(duel=duel, wizard=ada).outcome == Outcome.WON
    assert guide_for(duel, ada).ended == Outcome.WON
    record = records.duel_record(duel)
    assert record["setup"] == FIRST_LESSON.engine_setup()
    assert verify(record) == []
    assert "Ada has won." in transcript(record)


@pytest.fixture
def short_lesson() -> Iterator[None]:
    """Make the opponent resign soon after the end of the script, so that tests are short."""
    soon = replace(FIRST_LESSON, patience=len(FIRST_LESSON.steps) + 2)
    with mock.patch.dict(lessons.LESSONS, {"first": soon}):
        yield


@pytest.mark.parametrize(
    ("number", "pair"), [(number, ("WD", "--", ">P")[number % 3]) for number in STEP_NUMBERS]
)
def test_learner_who_leaves_the_script_is_guided_until_the_duel_ends(
    ada: Wizard, committed: Committed, short_lesson: None, number: int, pair: str
) -> None:
    duel = lesson_duel(ada, committed)
    for step in FIRST_LESSON.steps[: number - 1]:
        take_turn(duel, ada, step.learner, committed)
    take_turn(duel, ada, pair, committed)
    follows, turns = True, number
    while not duel.is_over:
        said = guide_for(duel, ada)
        assert len(f"{said.happened} {said.advice}".split()) <= MAX_WORDS
        follows &= said.follows
        if said.pair:
            take_turn(duel, ada, said.pair, committed)
            turns += 1
        else:
            answer_by_default(duel, ada, committed)
    assert not follows or number == len(FIRST_LESSON.steps)
    assert turns <= len(FIRST_LESSON.steps) + 3
    assert guide_for(duel, ada).ended
    assert verify(records.duel_record(duel)) == []


def test_lesson_ends_even_if_the_learner_does_nothing(ada: Wizard, committed: Committed) -> None:
    duel = lesson_duel(ada, committed)
    for _ in range(FIRST_LESSON.patience + 1):
        if duel.is_over:
            break
        take_turn(duel, ada, "--", committed)
    assert duel.is_over


def test_opponent_in_the_lesson_resigns_after_a_number_of_turns(
    ada: Wizard, committed: Committed
) -> None:
    with mock.patch.dict(lessons.LESSONS, {"first": replace(FIRST_LESSON, patience=2)}):
        duel = lesson_duel(ada, committed)
        for pair in ("W-", "P-"):
            take_turn(duel, ada, pair, committed)
    assert (duel.status, duel.ended) == (DuelStatus.OVER, "resigned")
    assert guide_for(duel, ada).ended == Outcome.WON


def test_learner_who_leaves_the_script_is_warned_of_the_opponents_spells(
    ada: Wizard, committed: Committed
) -> None:
    """After turn 2 the opponent's left hand has made an S, the beginning of a Missile."""
    duel = lesson_duel(ada, committed)
    with mock.patch("duels.commands.practising.gentle_orders", return_value=gesture_orders("S-")):
        take_turn(duel, ada, "WS", committed)  # the opponent had already sealed turn 2
    take_turn(duel, ada, "PF", committed)
    said = guide_for(duel, ada)
    assert not said.follows
    assert said.happened == (
        "Old Quill needs one more D for Missile, 1 point of damage: P makes a Shield."
    )


def test_learner_can_go_back_to_the_turn_in_which_they_left_the_script(
    ada: Wizard, committed: Committed
) -> None:
    """The lesson begins again, and the turns before that one are replayed."""
    left = lesson_duel(ada, committed)
    for pair in (FIRST_LESSON.steps[0].learner, FIRST_LESSON.steps[1].learner, "WW", "PS"):
        take_turn(left, ada, pair, committed)
    with committed():
        duel = lesson_returns.return_to_lesson(duel_id=left.pk, wizard=ada, now=NOW)
    left.refresh_from_db()
    assert left.is_over
    said = guide_for(duel, ada)
    assert said.follows
    assert said.title == f"Turn 3 of {len(FIRST_LESSON.steps)}"
    for step in FIRST_LESSON.steps[2:]:
        take_turn(duel, ada, step.learner, committed)
    assert Seat.objects.get(duel=duel, wizard=ada).outcome == Outcome.WON
    assert verify(records.duel_record(duel)) == []


def test_only_lessons_offer_to_go_back(ada: Wizard, bram: Wizard, committed: Committed) -> None:
    lesson, practice = lesson_duel(ada, committed), practice_duel(ada, committed)
    for duel, wizard in ((practice, ada), (lesson, bram)):
        with pytest.raises(errors.Refused) as refused:
            lesson_returns.return_to_lesson(duel_id=duel.pk, wizard=wizard, now=NOW)
        assert refused.value.code == "no_such_lesson"


def test_lesson_step_depends_only_on_turn_and_position(ada: Wizard, committed: Committed) -> None:
    duel = lesson_duel(ada, committed)
    position = open_turn(duel).position
    assert FIRST_LESSON.step_at(1, position) is FIRST_LESSON.steps[0]
    assert FIRST_LESSON.step_at(2, position) is None
    assert FIRST_LESSON.step_at(0, position) is None
    assert FIRST_LESSON.step_at(len(FIRST_LESSON.steps) + 1, position) is None


def test_unfinished_lesson_can_be_resumed(ada: Wizard, committed: Committed) -> None:
    duel = lesson_duel(ada, committed)
    take_turn(duel, ada, "-S", committed)
    assert lesson_duel(ada, committed) == duel
    assert Duel.objects.count() == 1
    endings.resign(duel_id=duel.pk, wizard=ada, now=NOW)
    assert lesson_duel(ada, committed) != duel


def test_unknown_lesson_is_rejected(ada: Wizard) -> None:
    for name in ("", "practice", "second"):
        with pytest.raises(errors.Refused) as refused:
            practising.start_lesson(wizard=ada, lesson=name, now=NOW)
        assert refused.value.code == "no_such_lesson"


# Lessons on pages without JavaScript


def test_visitor_is_guided_through_the_whole_lesson(visitor: Visitor) -> None:
    assert "Play your first duel" in visitor.page("/")
    address = visitor.begin()
    for step in FIRST_LESSON.steps:
        page = visitor.page(address)
        assert page.count("data-suggested") == 2
        form = GuideParser(page)
        look = visitor.post(f"{address}orders", form.hidden | form.gestures | {"do": "look"})
        assert b"data-given-up" not in look.content, "the guide suggested these gestures"
        marked = visitor.follow(address)
        assert marked == {"left": step.learner[0], "right": step.learner[1]}
    page = visitor.page(address)
    assert "You win." in page
    assert "Well duelled" in page
    assert "you have met 7 of its 39 spells" in page
    assert "/accounts/signup/" in page
    assert "/practice/" in page
    assert 'href="/invite"' in page.partition("<main")[2]
    assert 'action="/somebody"' in page
    assert "/rules/bartle-1/" in page
    assert "Ask for a rematch" not in page
    assert Turn.objects.filter(stage=Stage.RESOLVED).count() == len(FIRST_LESSON.steps)


def test_first_button_after_a_lost_lesson_is_try_again(
    visitor: Visitor, committed: Committed
) -> None:
    address = visitor.begin()
    with committed():
        endings.resign(
            duel_id=Duel.objects.get().pk, wizard=Wizard.objects.get(kind="guest"), now=NOW
        )
    page = visitor.page(address)
    guide = page[page.index('id="guide"') :]
    assert re.findall(r'class="[^"]*\bprime"[^>]*>(.*?)<', guide)[0] == "Try again"
    parts = ["What next", "Try again", "Keep it: sign up", "Record, transcript and checks"]
    assert sorted(parts, key=page.index) == parts
    assert visitor.post("/play").url != address


def test_suggested_gestures_are_still_marked_after_a_preview(visitor: Visitor) -> None:
    address = visitor.begin()
    typed = {"turn": "1", "form_seal": "", "left": "P", "right": "W", "do": "look"}
    answer = visitor.post(f"{address}orders", typed)
    assert answer.content.decode().count("data-suggested") == 2


def test_page_of_a_practice_duel_does_not_mention_draws(visitor: Visitor) -> None:
    page = visitor.page(visitor.begin())
    ending = page.partition('id="live-ending"')[2].partition("</section>")[0]
    assert "Resign" in ending
    assert "draw" not in ending.lower()


def test_practice_duels_have_no_guide(ada: Wizard, visitor: Visitor, committed: Committed):
    duel = practice_duel(ada, committed)
    assert lesson_guide(pages.duel_page(duel, ada)) is None
    assert visitor.get(f"/duels/{duel.pk}/").status_code == 404
