"""The guide of a lesson, shown above the order sheet in every turn and after the end.

As long as the learner follows the script, the guide's text comes from the script. After that, the
guide suggests the gestures that the practice opponent would make in the learner's place, and warns
of dangers that the learner can see.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import engine.play
from duels import lessons
from duels.lessons.script import Lesson, gesture_orders
from duels.loaded import adjudication
from duels.models import Outcome
from duels.queries import practising
from duels.queries.rows import DuelPage
from duels.screens.order_sheet.form_parts import HandPart, OrderForm
from duels.screens.order_sheet.lesson_threat import SpellThreat, worst_threat
from engine.play import HAND_NAMES, NOTHING, STAB

QUESTION_ADVICE = "The gestures are revealed, and you have something to decide."
NO_THREAT_ADVICE = (
    "{rival} cannot complete a damaging spell this turn. A stab or a monster can still hurt you."
)
BEARABLE_DAMAGE_ADVICE = "Or take the damage and go on."


@dataclass(frozen=True)
class LessonGuide:
    """The guide's current text. `pair` contains the two gestures to try, or is empty."""

    title: str
    happened: str
    advice: str = ""
    pair: str = ""
    follows: bool = True
    ended: str = ""  # the outcome, if the lesson is over
    met: int = 0  # number of different spells cast in the lesson
    spells: int = 0  # number of spells in the ruleset

    @property
    def signs(self) -> tuple[tuple[str, str], ...]:
        return tuple(zip(("left", "right"), self.pair, strict=False))


def lesson_guide(page: DuelPage) -> LessonGuide | None:
    """Return the guide for this page, or None if the reader is not in a lesson."""
    lesson = lessons.LESSONS.get(page.duel.lesson)
    if lesson is None or page.me is None:
        return None
    rival = next(seat.name for seat in page.seats if not seat.you)
    if page.duel.is_over:
        return _final_guide(lesson, page, rival)
    if page.questions:
        return LessonGuide(
            f"Turn {page.turn.ordinal}", QUESTION_ADVICE, "Answer below, and the turn continues."
        )
    if page.sheet is None:
        return None
    step = lesson.step_at(page.turn.ordinal, page.turn.position)
    if step is None:
        return _guide_without_script(page, rival)
    return LessonGuide(
        f"Turn {page.turn.ordinal} of {len(lesson.steps)}",
        step.happened.format(rival=rival),
        step.advice.format(rival=rival),
        step.learner,
    )


def with_marked_gestures(form: OrderForm, page: DuelPage) -> OrderForm:
    """Return the order sheet with the guide's suggested gestures marked. If they are chosen, the
    sheet does not warn about spells that they break off."""
    if not page.duel.lesson or not form.sets:
        return form
    guide = lesson_guide(page)
    if guide is None or not guide.pair:
        return form
    first, *others = form.sets
    hands = tuple(
        _with_marked_gesture(hand, letter)
        for hand, letter in zip(first.hands, guide.pair, strict=True)
    )
    given_up = () if first.pair == guide.pair else first.given_up
    return replace(form, sets=(replace(first, hands=hands, given_up=given_up), *others))


def _with_marked_gesture(hand: HandPart, letter: str) -> HandPart:
    """Return the hand with this gesture marked.

    If the gesture is *nothing* and the hand has no chosen gesture, choose it.
    """
    is_chosen = any(option.chosen for option in hand.gestures.options)
    preset = "" if is_chosen or letter != NOTHING else letter
    options = tuple(
        replace(
            option,
            suggested=option.value == letter and option.allowed,
            chosen=option.chosen or option.value == preset,
        )
        for option in hand.gestures.options
    )
    return replace(hand, gestures=replace(hand.gestures, options=options))


def _final_guide(lesson: Lesson, page: DuelPage, rival: str) -> LessonGuide:
    assert page.me is not None
    won = page.me.outcome == Outcome.WON
    return LessonGuide(
        "Well duelled" if won else "That was your first duel",
        (lesson.won if won else lesson.lost).format(rival=rival),
        ended=page.me.outcome,
        met=len(_names_of_cast_spells(page.view)),
        spells=len(engine.play.RULESETS[lesson.ruleset].spells),
    )


def _names_of_cast_spells(view: engine.play.View) -> set[str]:
    rows = (row for turn in view.turns for rows in turn.rows.values() for row in rows)
    return {cell.spell for row in rows for cell in (row.left, row.right) if cell.spell}


def _guide_without_script(page: DuelPage, rival: str) -> LessonGuide:
    """Return the guide for a learner who has left the script."""
    assert page.me is not None
    pair = practising.suggested_pair(page.open_turn, page.me.code)
    threat = worst_threat(page, pair)
    return LessonGuide(
        f"Turn {page.turn.ordinal}, your own way",
        threat.words(rival) if threat else NO_THREAT_ADVICE.format(rival=rival),
        " ".join(_advice_on_gestures(page, pair, threat)),
        pair,
        follows=False,
    )


def _advice_on_gestures(page: DuelPage, pair: str, threat: SpellThreat | None) -> Iterator[str]:
    """Yield sentences on the spells that these two gestures complete or lead to."""
    assert page.sheet is not None
    if not page.sheet.acts:
        yield "You have no gestures to choose this turn."
    if not pair:
        return
    if threat and threat.guard and not threat.is_guard_suggested:
        yield BEARABLE_DAMAGE_ADVICE
    completed = {
        row.hand: row.name for row in page.sheet.sets[0].completions.get(pair, ()) if row.default
    }
    if "BH" in completed:
        yield f"Try {pair[0]} with both hands: they complete {completed['BH']}."
        return
    for hand, sign in zip("LR", pair, strict=True):
        yield _reason_for_gesture(page, pair, hand, sign, completed.get(hand, ""))


def _reason_for_gesture(page: DuelPage, pair: str, hand: str, letter: str, completes: str) -> str:
    words = HAND_NAMES[hand].capitalize()
    if letter == NOTHING:
        return f"{words}: nothing."
    if letter == STAB:
        return f"{words}: stab."
    if completes:
        return f"{words} {letter}: that completes {completes}."
    towards = _nearest_spell(page, pair, hand)
    return f"{words} {letter}, towards {towards}." if towards else f"{words} {letter}."


def _nearest_spell(page: DuelPage, pair: str, hand: str) -> str:
    """Return the spell that this hand's gesture brings closest, with its missing gestures."""
    assert page.me is not None
    hints = adjudication.hints(page.open_turn.position, page.me.code, gesture_orders(pair))
    leads = next((row.drafted_hint.leads_to for row in hints if row.hand == hand), ())
    if not leads:
        return ""
    missing = " ".join(step.letter for step in leads[0].steps)
    return f"{leads[0].name} (then {missing})"
