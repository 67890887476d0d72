"""The spells that each wizard may complete in the next turn, the turn after that, or later.

They come from `engine.play.view`, so other wizards' spells depend only on the gestures that the
observer saw. rules: F49
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from duels.standing.beings import seat_number
from duels.wording.turns import next_turn_words
from engine.play import HAND_FIELD_NAMES, HandView, PatternStep, Progress, Spell, SpellClass, View

EITHER_HAND_TEXT: Final = "either hand"
HAND_UNSEEN_TEXT: Final = "not seen: anything is possible"
HAND_PARTLY_SEEN_TEXT: Final = "not all seen: more is possible"
NEXT, AFTER = 1, 2
# Spells listed for the turn after the next; others are listed under "Later".
MAX_SHOWN_SPELLS: Final = 6
# Dangerous spells come before helpful ones.
SPELL_CLASS_ORDER: Final = (
    SpellClass.DAMAGING,
    SpellClass.SUMMONS,
    SpellClass.ENCHANTMENT,
    SpellClass.PROTECTION,
)


@dataclass(frozen=True)
class SpellInProgress:
    """A spell that a hand has begun."""

    id: str
    name: str
    hand: str  # as text
    done: str
    needs: tuple[PatternStep, ...]
    is_harm: bool


@dataclass(frozen=True)
class SpellsDue:
    """The spells that a wizard may complete in one turn, and a note about unseen ones, or ""."""

    words: str
    spells: tuple[SpellInProgress, ...]
    unseen: str = ""


@dataclass(frozen=True)
class WizardProgress:
    """One wizard's spells in progress. Spells in `later` need more than two turns."""

    id: str
    seat: int
    name: str
    you: bool
    soon: tuple[SpellsDue, ...]
    later: tuple[SpellInProgress, ...]

    @property
    def has_begun(self) -> bool:
        """Whether the wizard has, or may have, any spells in progress."""
        return bool(self.later) or any(when.spells or when.unseen for when in self.soon)


def spells_in_progress(view: View) -> tuple[WizardProgress, ...]:
    """Return the wizards' spells in progress, the soonest and most dangerous first, or ()."""
    book = view.rules.spells
    hands: dict[str, list[HandView]] = {}
    for hand in view.hands:
        hands.setdefault(hand.wizard, []).append(hand)
    you = {wizard.id for wizard in view.wizards if wizard.you}
    every = tuple(
        _wizard_progress(view, own, _spells_begun(own, book), you=wizard in you)
        for wizard, own in hands.items()
    )
    return every if any(wizard.has_begun for wizard in every) else ()


def _wizard_progress(
    view: View, hands: list[HandView], begun: list[tuple[int, SpellInProgress]], *, you: bool
) -> WizardProgress:
    wizard = hands[0].wizard
    by_turn = {
        turns: tuple(spell for each, spell in begun if each == turns) for turns in (NEXT, AFTER)
    }
    coming = next_turn_words(view, wizard)
    soon = (
        SpellsDue(coming[:1].upper() + coming[1:], by_turn[NEXT], _unseen_spells_note(hands, NEXT)),
        SpellsDue(
            "The turn after that",
            by_turn[AFTER][:MAX_SHOWN_SPELLS],
            _unseen_spells_note(hands, AFTER),
        ),
    )
    later = tuple(spell for turns, spell in begun if turns not in by_turn)
    return WizardProgress(
        wizard,
        seat_number(wizard),
        view.names[wizard],
        you,
        soon,
        (*by_turn[AFTER][MAX_SHOWN_SPELLS:], *later),
    )


def _unseen_spells_note(hands: Iterable[HandView], turns: int) -> str:
    """Return a note if the observer cannot see all spells of these hands, or ""."""
    hidden = [hand for hand in hands if turns in hand.out_of_sight]
    if not hidden:
        return ""
    return HAND_PARTLY_SEEN_TEXT if any(hand.letters for hand in hidden) else HAND_UNSEEN_TEXT


def _spells_begun(
    hands: Iterable[HandView], book: Mapping[str, Spell]
) -> list[tuple[int, SpellInProgress]]:
    """Return spells in progress, each once, with the number of turns that it still needs."""
    found: dict[tuple[str, int], tuple[Progress, list[str]]] = {}
    for hand in hands:
        for step in hand.progress:
            _, sides = found.setdefault((step.pattern, step.done), (step, []))
            sides.append(HAND_FIELD_NAMES[hand.hand])
    every = [
        (step, _spell_in_progress(step, sides, book[step.spell])) for step, sides in found.values()
    ]
    every.sort(key=lambda each: _sort_key(each[0], book[each[0].spell]))
    return [(step.turns, spell) for step, spell in every]


def gestures_text(steps: Iterable[PatternStep]) -> str:
    """Return the letters of the gestures in order, in lower case if both hands must make them."""
    return " ".join(step.letter.lower() if step.both else step.letter for step in steps)


def _sort_key(step: Progress, spell: Spell) -> tuple[int, int, int, int, str]:
    return (
        step.turns,
        SPELL_CLASS_ORDER.index(spell.class_),
        -spell.amount,
        -step.done,
        spell.name,
    )


def _spell_in_progress(step: Progress, sides: list[str], spell: Spell) -> SpellInProgress:
    return SpellInProgress(
        id=step.spell,
        name=spell.name,
        hand=sides[0] if len(sides) == 1 else EITHER_HAND_TEXT,
        done=step.pattern[: step.done].upper(),
        needs=step.steps,
        is_harm=spell.class_ is SpellClass.DAMAGING,
    )
