"""The record of a battle as a Python value: the orders and the recorded result of each turn.

Beings are named as in the record (`w0`, `m3`, `LH:w1`, `-`); seats are numbers.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import NamedTuple, cast


class ForcedSet(NamedTuple):
    """A set of gestures that a mind spell has decided. `hand` is "" if not recorded."""

    wizard: int
    by: str
    hand: str = ""
    same: bool = False  # whether the mind spell made no difference


class Cast(NamedTuple):
    """A spell that is recorded as cast. `hand`: L, R, B for both, or bank."""

    by: int
    spell: str
    at: str
    hand: str


class Effect(NamedTuple):
    """One recorded effect. Fields that its code does not need are "" or None."""

    code: str
    on: str = ""
    what: str = ""
    by: str = ""
    monster: str = ""
    kind: str = ""
    owner: str = ""
    amount: int | None = None


class MonsterOrder(NamedTuple):
    """A victim ordered for a monster."""

    by: int
    monster: str
    at: str


class Attack(NamedTuple):
    """A stab, or a monster's attack, with its result."""

    by: str
    out: str
    at: str = ""
    damage: int | None = None
    is_second: bool = False
    is_uncounted: bool = False  # whether its damage is recorded but never deducted


class Illness(NamedTuple):
    """Number of turns a sick wizard has left; -1 for none."""

    wizard: int
    left: int


class DepartedWizard(NamedTuple):
    """A wizard who is out of the battle, dead or surrendered."""

    wizard: int
    how: str


class LivingMonster(NamedTuple):
    """A monster between two turns. `kind` and `victim` are "" if not recorded."""

    id: str
    hit_points: int
    owner: str
    kind: str = ""
    victim: str = ""


class BattleResult(NamedTuple):
    """The result of the battle: the winner's seat, or None for a draw."""

    winner: int | None


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn. `rows`: both letters by seat, "" if none were made, "?" for a hidden one."""

    number: int
    kind: str
    rows: tuple[str, ...]
    forced: tuple[ForcedSet, ...]
    casts: tuple[Cast, ...]
    banks: tuple[int, ...]
    wills: tuple[int, ...]
    effects: tuple[Effect, ...]
    orders: tuple[MonsterOrder, ...]
    attacks: tuple[Attack, ...]
    sick: tuple[Illness, ...]
    deaths: tuple[str, ...]
    leavings: tuple[DepartedWizard, ...]
    hit_points: tuple[int | None, ...]
    monsters: tuple[LivingMonster, ...]
    result: BattleResult | None


class FinalWizard(NamedTuple):
    """A wizard at the end of the battle.

    `status` maps words of the status line to the turns left, or to "permanent". `perhaps` contains
    other word-value pairs that a record may show instead; 0 means that the word is not shown.
    """

    how: str
    hit_points: int | None
    status: Mapping[str, object]
    bank: str
    perhaps: Collection[tuple[str, object]] = ()


class FinalState(NamedTuple):
    """The state at the end of the battle. `grid`: letters of the left and right hand, by seat."""

    wizards: tuple[FinalWizard, ...]
    monsters: tuple[LivingMonster, ...]
    result: BattleResult
    grid: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Battle:
    """A whole battle. `inferred`: hidden rows that the record implies, by seat and turn."""

    name: str
    options: tuple[str, ...]
    players: tuple[str, ...]
    inferred: Mapping[tuple[int, int], str]
    turns: tuple[Turn, ...]
    final: FinalState


_DAMAGING_EFFECTS = ("hit", "wounds")  # effects whose amount is called damage
_KEY_OF_FIELD: Mapping[type, tuple[str, ...]] = {
    ForcedSet: ("w", "by", "hand", "same"),
    Cast: ("by", "spell", "at", "hand"),
    Effect: ("e", "on", "what", "by", "m", "kind", "for", "n"),
    MonsterOrder: ("by", "m", "at"),
    Attack: ("by", "out", "at", "dmg", "burst", "uncounted"),
    Illness: ("w", "left"),
    DepartedWizard: ("w", "how"),
    LivingMonster: ("id", "hp", "owner", "kind", "target"),
}


def as_json(value: object) -> object:
    """Return a part of a record as its JSON value, or any other value unchanged."""
    if isinstance(value, BattleResult):
        return {"winner": value.winner}
    keys = _KEY_OF_FIELD.get(type(value))
    if keys is None or not isinstance(value, tuple):
        return value
    found: dict[str, object] = {}
    for key, part in zip(keys, cast("tuple[object, ...]", value), strict=True):
        if part is not None and part is not False and part != "":
            found[key] = part
    if found.get("e") in _DAMAGING_EFFECTS:
        found["dmg"] = found.pop("n")
    return found
