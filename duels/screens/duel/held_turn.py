"""Decisions that wizards must still make in a revealed turn, as far as the reader may know."""

from typing import Final

from django.utils.text import capfirst

import engine.play
import engine.words
from duels.models import Stage
from duels.queries.rows import DuelPage

HAND_EFFECT_WORDS: Final = {"paralysis": "paralysed", "charm_person": "charmed"}
"""What happens to the chosen hand, by the kind of question."""


def pending_decisions_words(page: DuelPage) -> str:
    """Return a sentence about the decisions still to be made in a revealed turn, or "" before the
    reveal.

    Another wizard's question is described only if it is about the reader, and if the reader has
    seen the gestures that raise it. The sentence does not mention questions before the reveal,
    hidden questions, or targets chosen after the reveal, because nobody else knows about these yet.
    rules: R81, R121, turn:stepwise
    """
    view, turn, me = page.view, page.turn, page.me
    if me is None or turn.stage != Stage.ANSWERS:
        return ""
    if not view.is_open or not any(view.turns[-1].rows.values()):
        return ""
    others = [seat for seat in page.seats if seat.awaited and not seat.you]
    told = {seat.code: _hand_choice_words(page, seat.code) for seat in others}
    words = [f"{seat.name} {told[seat.code]}" for seat in others if told[seat.code]]
    rest = [seat.name for seat in others if not told[seat.code]]
    if rest:
        words.append(
            f"{engine.words.and_list(rest)} {'has' if len(rest) == 1 else 'have'} to decide"
        )
    title = capfirst(engine.words.turn_name(page.duel.ruleset, turn.kind, turn.number))
    return f"{title} is revealed{': ' if words else ''}{'; '.join(words)}."


def _hand_choice_words(page: DuelPage, wizard: str) -> str:
    """Return text if this wizard must choose one of the reader's hands, otherwise "".

    The reader must have seen the gestures that lead to the choice.
    """
    assert page.me is not None
    if page.view.rules.order_of_play == engine.play.STEPWISE:
        return ""
    rows = page.view.turns[-1].rows.get(wizard, ())
    if not rows or any(row.is_hidden for row in rows):
        return ""
    for asked in page.turn.questions:
        if (asked["wizard"], asked["about"]) == (wizard, page.me.code):
            become = HAND_EFFECT_WORDS.get(asked["kind"])
            if become:
                return f"chooses which of your hands is {become}"
    return ""
