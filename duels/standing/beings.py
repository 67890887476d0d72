"""Every being of a view in words: wounds, what is in force on it, and for how long."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from engine import BeingView, EffectView, View

STATE_WORDS: Final = {
    "corpse": "corpse",
    "dead": "dead",
    "surrendered": "has surrendered",
    "resigned": "has resigned",
    "forfeited": "has run out of time",
    "removed": "was removed by a referee",
    "unseen": "not seen",
}
FALLEN: Final = frozenset({"corpse", "dead"})
DEADLY: Final = frozenset({"disease", "poison"})  # at their end their subject dies
HIGH: Final = 0.6  # of the limit: from here on the meter warns


@dataclass(frozen=True)
class EffectWords:
    """`left` says how long it goes on, as far as that is certain; `is_permanent` has a sign."""

    code: str
    name: str
    left: str
    is_permanent: bool


@dataclass(frozen=True)
class Being:
    """One line of the list of beings."""

    id: str
    name: str
    kind: str
    state: str
    state_words: str
    seat: int | None
    obeys: str  # the name of its controller
    is_free: bool  # a monster that obeys nobody
    damage: int | None
    limit: int
    high: float
    effects: tuple[EffectWords, ...]
    bank: str

    @property
    def under(self) -> bool:
        return bool(self.obeys)

    @property
    def alive(self) -> bool:
        return not self.state_words

    @property
    def has_fallen(self) -> bool:
        return self.state in FALLEN

    @property
    def has_health(self) -> bool:
        """Whether there is something to tell of its wounds, if only that nobody saw them."""
        return self.state not in ("corpse", "unseen")

    @property
    def damage_shown(self) -> int:
        """What the meter shows: no more than it has room for."""
        return min(self.damage or 0, self.limit)

    @property
    def points_left(self) -> int | None:
        """What the being can still bear; below nothing after death. rules: R110, R125, F9"""
        return None if self.damage is None else self.limit - self.damage


def beings(view: View, spells: Mapping[str, str]) -> tuple[Being, ...]:
    """The beings in the view's order: monsters under those whom they obey."""
    return tuple(_being(being, view.names, spells) for being in view.status)


def seat_number(wizard: str) -> int:
    """The place of a wizard's id: `w3` sits at 3."""
    return int(wizard[1:])


def _being(being: BeingView, names: Mapping[str, str], spells: Mapping[str, str]) -> Being:
    is_wizard = being.kind == "wizard"
    owner = being.id if is_wizard else being.group
    is_alive = being.state not in STATE_WORDS
    return Being(
        id=being.id,
        name=being.name,
        kind=being.kind,
        state=being.state,
        state_words=STATE_WORDS.get(being.state, ""),
        seat=seat_number(owner) if owner else None,
        obeys="" if is_wizard else names.get(being.group, ""),
        is_free=not is_wizard and is_alive and not being.group,
        damage=being.damage,
        limit=being.limit,
        high=being.limit * HIGH,
        effects=tuple(_effect(effect) for effect in being.effects),
        bank=spells.get(being.bank, being.bank),
    )


def _effect(effect: EffectView) -> EffectWords:
    detail = f" ({effect.detail})" if effect.detail else ""
    left = "for ever" if effect.permanent else _left(effect)
    return EffectWords(effect.code, f"{effect.name}{detail}", left, effect.permanent)


def _left(effect: EffectView) -> str:
    """How long an effect goes on, the coming turn being the first. rules: F51"""
    turns = effect.turns_left
    if turns is None:
        return "until removed"
    if effect.code in DEADLY:
        return "kills this turn" if turns <= 1 else f"kills in {turns} turns"
    return "this turn" if turns <= 1 else f"{turns} more turns"
