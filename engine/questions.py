"""Decisions that are open after the reveal. rules: R9, R81, R163"""

from dataclasses import dataclass
from typing import Final

BEFORE_REVEAL: Final = frozenset({"charm_gesture"})
"""The kinds of questions that are answered before anybody sees the gestures. rules: R86"""


@dataclass(frozen=True, slots=True)
class Question:
    """One decision: whose it is, about whom, and what may be answered.

    The default is what a deadline plays; `is_preset` says that it stands chosen beforehand. Where
    options are hands, `labels` has each one's spell.
    """

    id: str  # the same for the same decision, so that an answer finds it
    kind: str  # "elemental", "paralysis", "charm_person"
    wizard: str
    about: str
    options: tuple[str, ...]
    default: str
    spell: str = ""  # the spell in question
    hand: str = ""  # its hand, or the hand in question
    number: int = 0  # which attack of a hasted monster, from 1
    labels: tuple[str, ...] = ()
    is_preset: bool = True

    @property
    def precedes_reveal(self) -> bool:
        """Whether it is to be answered before anybody sees the gestures. rules: R86"""
        return self.kind in BEFORE_REVEAL


class OpenQuestions(Exception):
    """Raised inside the engine when a turn waits for answers; never leaves it."""

    def __init__(self, questions: tuple[Question, ...]) -> None:
        super().__init__(questions)
        self.questions = questions
