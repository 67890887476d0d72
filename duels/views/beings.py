"""Every being of a view in words: damage, what is in force, and what each hand may become."""

from collections.abc import Mapping
from dataclasses import dataclass

from duels.views.grid import seat_number
from engine import BeingView, EffectView, View

LETTER_WORDS = {
    "I": "invisible",
    "H": "resists heat",
    "C": "resists cold",
    "P": "protected from evil",
    "b": "blind",
    "d": "diseased",
    "p": "poisoned",
}
STATE_WORDS = {
    "corpse": "corpse",
    "dead": "dead",
    "surrendered": "has surrendered",
    "resigned": "has resigned",
    "unseen": "not seen",
}
HAND_WORDS = {"L": "left", "R": "right"}
HIGH = 0.6  # of the limit: from here on the meter warns


@dataclass(frozen=True)
class EffectWords:
    code: str
    words: str


@dataclass(frozen=True)
class Being:
    """One line of the list of beings."""

    id: str
    name: str
    kind: str
    state: str
    state_words: str
    seat: int | None
    under: bool
    damage: int | None
    damage_shown: int
    limit: int
    high: float
    letters: tuple[tuple[str, str], ...]
    effects: tuple[EffectWords, ...]
    bank: str

    @property
    def alive(self) -> bool:
        return not self.state_words

    @property
    def points_left(self) -> int | None:
        """What the being can still bear; below nothing after death. rules: R110, R125, F9"""
        return None if self.damage is None else self.limit - self.damage


@dataclass(frozen=True)
class Step:
    """One spell in progress: the letters made and the letters missing."""

    name: str
    done: str
    remaining: str


@dataclass(frozen=True)
class HandProgress:
    words: str
    seat: int
    spells: tuple[Step, ...]


def beings(view: View, spells: Mapping[str, str]) -> tuple[Being, ...]:
    """The beings in the view's order: monsters under those whom they obey."""
    return tuple(_being(being, spells) for being in view.status)


def _being(being: BeingView, spells: Mapping[str, str]) -> Being:
    is_wizard = being.kind == "wizard"
    owner = being.id if is_wizard else being.group
    return Being(
        id=being.id,
        name=being.name,
        kind=being.kind,
        state=being.state,
        state_words=STATE_WORDS.get(being.state, ""),
        seat=seat_number(owner) if owner else None,
        under=not is_wizard and bool(being.group),
        damage=being.damage,
        damage_shown=min(being.damage or 0, being.limit),
        limit=being.limit,
        high=being.limit * HIGH,
        letters=tuple((letter, LETTER_WORDS[letter]) for letter in being.letters),
        effects=tuple(EffectWords(effect.code, _effect(effect)) for effect in being.effects),
        bank=spells.get(being.bank, being.bank),
    )


def _effect(effect: EffectView) -> str:
    detail = f" ({effect.detail})" if effect.detail else ""
    if effect.permanent:
        return f"{effect.name}{detail}, permanent"
    if effect.turns_left is None:
        return f"{effect.name}{detail}"
    turns = "turn" if effect.turns_left == 1 else "turns"
    return f"{effect.name}{detail}, {effect.turns_left} {turns}"


def progress(view: View, most: int = 12) -> tuple[HandProgress, ...]:
    """What each hand may become, nearest first; no more than a reader takes in."""
    return tuple(
        HandProgress(
            f"{view.names[hand.wizard]}, {HAND_WORDS[hand.hand]}",
            seat_number(hand.wizard),
            tuple(
                Step(
                    step.name,
                    written(step.pattern[: step.done]),
                    written(step.pattern[step.done :]),
                )
                for step in hand.progress[:most]
            ),
        )
        for hand in view.hands
    )


def written(pattern: str) -> str:
    """Letters of a pattern, a bracket before those that both hands make."""
    return "".join(f"({letter}" if letter.islower() else letter for letter in pattern)
