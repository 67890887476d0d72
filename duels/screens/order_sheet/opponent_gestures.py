"""The last gestures of each opponent, in one line next to the order sheet on phones."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby
from typing import Final

from django.utils.safestring import SafeString, mark_safe

from duels.screens.parts.signs import gesture_class, sign
from duels.standing.beings import seat_number
from engine.play import View

MAX_SHOWN_GESTURES: Final = 3  # gestures per hand
MAX_OPEN_OPPONENTS: Final = 3  # number of opponents above which the lines are collapsed
TITLE_TEXT: Final = "Opponents’ latest gestures"


@dataclass(frozen=True)
class OpponentGestures:
    """The last gestures of a wizard's hands that can still be part of a spell."""

    seat: int
    name: str
    left: str
    right: str
    why_empty: str = ""  # why there are no gestures: "fog", "break" or ""


def opponent_gestures(view: View) -> tuple[OpponentGestures, ...]:
    """Return the last gestures of every opponent still in the duel, in the order of their seats.

    Return () before the first turn has been played.
    """
    own = {wizard.id for wizard in view.wizards if wizard.you}
    found = []
    for wizard, hands in groupby(view.hands if view.turns else (), lambda hand: hand.wizard):
        if wizard not in own:
            left, right = (hand.letters[-MAX_SHOWN_GESTURES:] for hand in hands)
            why, name = "" if left else _reason_for_no_gestures(view, wizard), view.names[wizard]
            found.append(OpponentGestures(seat_number(wizard), name, left, right, why))
    return tuple(found)


def _reason_for_no_gestures(view: View, wizard: str) -> str:
    """Return "break" if this wizard's sequences were broken, "fog" if the last gestures are hidden,
    otherwise ""."""
    for turn in reversed(view.turns):
        if wizard in turn.breaks:
            return "break"
        if rows := turn.rows.get(wizard, ()):
            return "fog" if rows[-1].is_hidden else ""
    return ""


def opponent_gestures_html(opponents: Sequence[OpponentGestures]) -> SafeString:
    """Return HTML with a line for each opponent; many lines are collapsed."""
    if not opponents:
        return SafeString()
    lines = "".join(
        f'<li class="seat-{opponent.seat}"><b>{escape(opponent.name)}</b>'
        f"{_hand_html('left', opponent.left, opponent.why_empty)}"
        f"{_hand_html('right', opponent.right, opponent.why_empty)}</li>"
        for opponent in opponents
    )
    if len(opponents) > MAX_OPEN_OPPONENTS:
        return mark_safe(
            f'<details class="rivals"><summary>{TITLE_TEXT}</summary><ul>{lines}</ul></details>\n'
        )
    return mark_safe(f'<ul class="rivals" aria-label="{TITLE_TEXT}">{lines}</ul>\n')


TEXT_BY_REASON: Final = {"break": "broken", "fog": "not seen", "": "nothing"}


def _hand_html(side: str, letters: str, why_empty: str) -> str:
    """Return HTML for one hand's gestures, or for the reason why there are none."""
    made = "".join(f'<span class="{gesture_class(each)}">{escape(each)}</span>' for each in letters)
    if not letters:
        made = f"{sign(why_empty) if why_empty else ''} {TEXT_BY_REASON[why_empty]}"
    return f'<span class="trail {side}"><i>{side} </i>{made}</span>'
