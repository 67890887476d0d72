"""Decisions that are still open after the reveal. rules: R9, R81, R163"""

from dataclasses import dataclass
from typing import Final

KINDS_ASKED_BEFORE_REVEAL: Final = frozenset({"charm_gesture"})
"""The kinds of questions that are answered before anyone sees the gestures. rules: R86"""


@dataclass(frozen=True, slots=True)
class Question:
    """One decision: its owner, the being it is about, and the possible answers.

    The default is played at the deadline; `is_preset` means that it is selected in advance. If the
    options are hands, `labels` has the spell of each.
    """

    # The same decision always has the same id, so that answers can be matched to it.
    id: str
    kind: str  # "elemental", "paralysis", "charm_person"
    wizard: str
    about: str
    options: tuple[str, ...]
    default: str
    # The spell that the question is about.
    spell: str = ""
    # The hand that cast the spell, or the hand that the question is about.
    hand: str = ""
    # The number of a hasted monster's attack, from 1.
    number: int = 0
    labels: tuple[str, ...] = ()
    is_preset: bool = True

    @property
    def precedes_reveal(self) -> bool:
        """Whether the answer is needed before anyone sees the gestures. rules: R86"""
        return self.kind in KINDS_ASKED_BEFORE_REVEAL


class OpenQuestions(Exception):
    """Exception for a turn that must wait for answers. It never leaves the engine."""

    def __init__(self, questions: tuple[Question, ...]) -> None:
        super().__init__(questions)
        self.questions = questions
