"""The guide of a lesson, shown above the order sheet before each turn and at the end.

The guide's text comes from the script while the learner follows it. Afterwards, it suggests the
moves that the practice opponent would make in the learner's place, and warns of dangers that the
learner can see coming.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import engine.play
from duels import lessons
from duels.lessons.script import Lesson
from duels.models import Outcome
from duels.queries import practising
from duels.queries.rows import DuelPage
from duels.screens.order_sheet.form_parts import Choice, HandPart, OrderForm, SetPart
from engine.play import HAND_NAMES, NOTHING, STAB, SpellClass

SHOWN = "The gestures are revealed, and you have something to decide."
OWN_WAY = "You are on your own now, which is how the game is learnt."
STANDING = (
    "You are on your own now. You have {mine} points of damage, {rival} has {his}, and {limit} "
    "are fatal."
)


@dataclass(frozen=True)
class Guide:
    """The guide's current text. `pair` has the two gestures to try, or is empty."""

    title: str
    happened: str
    advice: str = ""
    pair: str = ""
    follows: bool = True
    ended: str = ""  # the outcome, when the lesson is over
    met: int = 0  # number of different spells cast in the lesson
    spells: int = 0  # number of spells in the ruleset

    @property
    def signs(self) -> tuple[tuple[str, str], ...]:
        """Each hand's side and gesture."""
        return tuple(zip(("left", "right"), self.pair, strict=False))


def lesson_guide(page: DuelPage) -> Guide | None:
    """Return the guide for this page, or None if the reader is not in a lesson."""
    lesson = lessons.LESSONS.get(page.duel.lesson)
    if lesson is None or page.me is None or page.turn is None:
        return None
    rival = next(seat.name for seat in page.seats if not seat.you)
    if page.duel.is_over:
        return _final_guide(lesson, page, rival)
    if page.questions:
        return Guide(f"Turn {page.turn.ordinal}", SHOWN, "Answer below, and the turn continues.")
    if page.sheet is None:
        return None
    step = lesson.step_at(page.turn.ordinal, page.turn.position)
    if step is None:
        return _guide_without_script(page, rival)
    return Guide(
        f"Turn {page.turn.ordinal} of {len(lesson.steps)}",
        step.happened.format(rival=rival),
        step.advice.format(rival=rival),
        step.learner,
    )


def with_marked_gestures(form: OrderForm, page: DuelPage) -> OrderForm:
    """Return the order sheet with the guide's suggested gestures marked."""
    if not page.duel.lesson or not form.sets:
        return form
    guide = lesson_guide(page)
    if guide is None or not guide.pair:
        return form
    first, *others = form.sets
    return replace(form, sets=(_with_marked_pair(first, guide.pair), *others))


def _with_marked_pair(part: SetPart, pair: str) -> SetPart:
    hands = (_with_marked_gesture(hand, sign) for hand, sign in zip(part.hands, pair, strict=True))
    return replace(part, hands=tuple(hands))


def _with_marked_gesture(hand: HandPart, letter: str) -> HandPart:
    choice: Choice = hand.gestures
    options = tuple(
        replace(option, suggested=option.value == letter and option.allowed)
        for option in choice.options
    )
    return replace(hand, gestures=replace(choice, options=options))


def _final_guide(lesson: Lesson, page: DuelPage, rival: str) -> Guide:
    assert page.me is not None
    assert page.view is not None
    won = page.me.outcome == Outcome.WON
    return Guide(
        "Well duelled" if won else "That was your first duel",
        (lesson.won if won else lesson.lost).format(rival=rival),
        ended=page.me.outcome,
        met=len(_names_of_cast_spells(page.view)),
        spells=len(engine.play.RULESETS[lesson.ruleset].spells),
    )


def _names_of_cast_spells(view: engine.play.View) -> set[str]:
    """Return the names of spells in the grid."""
    rows = (row for turn in view.turns for rows in turn.rows.values() for row in rows)
    return {cell.spell for row in rows for cell in (row.left, row.right) if cell.spell}


def _guide_without_script(page: DuelPage, rival: str) -> Guide:
    """Return the guide for a learner who no longer follows the script."""
    assert page.turn is not None
    assert page.open_turn is not None
    assert page.me is not None
    orders = practising.advised_orders(page.open_turn, page.me.code)
    pair = orders.sets[0].left + orders.sets[0].right if orders and orders.sets else ""
    danger = next(_danger_warnings(page, rival), "")
    return Guide(
        f"Turn {page.turn.ordinal}",
        f"{_damage_comparison(page, rival)} {danger}".strip(),
        " ".join(_advice_on_gestures(page, pair)) if orders else "",
        pair,
        follows=False,
    )


def _damage_comparison(page: DuelPage, rival: str) -> str:
    """Compare the damage of both wizards, if both are visible."""
    assert page.view is not None
    assert page.me is not None
    damage = {
        being.id: being.damage
        for being in page.view.status
        if being.kind == "wizard" and being.damage is not None
    }
    mine = damage.pop(page.me.code, None)
    if mine is None or not damage:
        return OWN_WAY
    (his,) = damage.values()
    limit = page.view.rules.wizard_hit_points
    return STANDING.format(mine=mine, rival=rival, his=his, limit=limit)


def _danger_warnings(page: DuelPage, rival: str) -> Iterator[str]:
    """Yield warnings about damaging spells that the rival may complete next, worst first.

    The warnings are based only on gestures that the learner has seen.
    """
    assert page.view is not None
    assert page.me is not None
    spells = page.view.rules.spells
    dangers = [
        (spells[step.spell].amount, hand.hand, step)
        for hand in page.view.hands
        if hand.wizard != page.me.code
        for step in hand.progress
        if len(step.remaining) == 1 and spells[step.spell].class_ is SpellClass.DAMAGING
    ]
    for _, hand, step in sorted(dangers, key=lambda each: -each[0]):
        signs = (
            step.remaining.upper()
            if step.remaining.isupper()
            else _both_hands_words(step.remaining)
        )
        yield f"Take care: {rival}’s {HAND_NAMES[hand]} needs only {signs} for {step.name}."


def _both_hands_words(letter: str) -> str:
    return f"{letter.upper()} with both hands"


def _advice_on_gestures(page: DuelPage, pair: str) -> Iterator[str]:
    """Return text on the spells that these two gestures complete or lead to."""
    assert page.sheet is not None
    if len(pair) != len("LR") or not page.sheet.sets:
        yield "You have no gestures to choose this turn."
        return
    completed = {
        row.hand: row.name for row in page.sheet.sets[0].completions.get(pair, ()) if row.default
    }
    if "BH" in completed:
        yield f"Try {pair[0]} with both hands: they complete {completed['BH']}."
        return
    for hand, sign in zip("LR", pair, strict=True):
        yield _reason_for_gesture(page, hand, sign, completed.get(hand, ""))


def _reason_for_gesture(page: DuelPage, hand: str, letter: str, completes: str) -> str:
    words = HAND_NAMES[hand].capitalize()
    if letter == NOTHING:
        return f"{words}: let it rest."
    if letter == STAB:
        return f"{words}: the knife."
    if completes:
        return f"{words} {letter}: that completes {completes}."
    towards = _nearest_spell(page, hand, letter)
    return f"{words} {letter}, towards {towards}." if towards else f"{words} {letter}."


def _nearest_spell(page: DuelPage, hand: str, letter: str) -> str:
    """Return the spell that this gesture of this hand continues and that needs the fewest turns."""
    assert page.view is not None
    assert page.me is not None
    for seen in page.view.hands:
        if (seen.wizard, seen.hand) == (page.me.code, hand):
            nearer = [step.name for step in seen.progress if step.remaining[0] == letter]
            return nearer[0] if nearer else ""
    return ""
