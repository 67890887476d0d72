"""The beings in a view as text, with their wounds, their effects and how long effects last."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from engine.play import BeingView, EffectView, View

STATE_WORDS: Final = {
    "corpse": "corpse",
    "dead": "dead",
    "surrendered": "has surrendered",
    "resigned": "has resigned",
    "forfeited": "ran out of time",
    "removed": "was removed by a referee",
    "unseen": "not seen",
}
FALLEN_STATES: Final = frozenset({"corpse", "dead"})
GUEST_NAME_PREFIX: Final = "Guest "  # prefix that only guests' names have
DAMAGE_WARNING_SHARE: Final = 0.6  # share of the limit at which the damage meter warns


@dataclass(frozen=True)
class EffectWords:
    """An effect as text. `left` describes how long it still lasts."""

    code: str
    name: str
    left: str
    is_permanent: bool


@dataclass(frozen=True)
class Being:
    """One being in the list of beings."""

    id: str
    name: str
    kind: str
    state: str
    state_words: str
    seat: int | None
    obeys: str  # the controller's name
    is_free: bool  # a monster that obeys nobody
    damage: int | None
    limit: int
    high: float
    effects: tuple[EffectWords, ...]
    bank: str

    @property
    def is_controlled(self) -> bool:
        return bool(self.obeys)

    @property
    def is_alive(self) -> bool:
        return not self.state_words

    @property
    def has_fallen(self) -> bool:
        return self.state in FALLEN_STATES

    @property
    def has_health(self) -> bool:
        return self.state not in ("corpse", "unseen")

    @property
    def damage_shown(self) -> int:
        """The damage to show on the meter, limited to the meter's range."""
        return max(0, min(self.damage or 0, self.limit))

    @property
    def points_shown(self) -> int:
        """The hit points to show on the meter, limited to the meter's range."""
        return self.limit - self.damage_shown

    @property
    def surplus(self) -> int:
        """The number of hit points above the initial maximum. rules: W4"""
        return max(0, -(self.damage or 0))

    @property
    def points_left(self) -> int | None:
        """The hit points left, or None if unknown. Negative after death. rules: R110, R125, F9"""
        return None if self.damage is None else self.limit - self.damage


def short_names(shown: Sequence[Being], you: str) -> tuple[str, ...]:
    """Return short names of the beings, for places with little space.

    The reader, whose id is `you`, is called "You". Guests lose the prefix "Guest" unless two names
    would then be the same.
    """
    names = [being.name for being in shown]
    plain = [name.removeprefix(GUEST_NAME_PREFIX) for name in names]
    return tuple(
        "You" if being.id == you else short if plain.count(short) == 1 else being.name
        for being, short in zip(shown, plain, strict=True)
    )


def beings_of(view: View) -> tuple[Being, ...]:
    """Return all beings, in the order in which pages list them. rules: R145

    Monsters without a controller come first. Then come the wizards, in the order of the history's
    columns and each followed by their monsters. The dead come last. The reader is called "You".
    """
    places = {wizard.id: place for place, wizard in enumerate(view.wizards)}
    names = {**view.names, **{wizard.id: "you" for wizard in view.wizards if wizard.you}}
    spells = view.rules.spell_names
    with_living = {being.group for being in view.status if being.group and not _is_out(being)}

    def sort_key(being: BeingView) -> tuple[bool, int, bool, bool]:
        is_out = _is_out(being)
        comes_last = is_out and being.group not in with_living
        place = places.get(being.group, len(places) if comes_last else -1)
        return comes_last, place, being.kind != "wizard", is_out

    return tuple(_being_to_show(each, names, spells) for each in sorted(view.status, key=sort_key))


def _is_out(being: BeingView) -> bool:
    """Return whether the being is known to be dead or to have left the duel."""
    return being.state in STATE_WORDS and being.state != "unseen"


def seat_number(wizard: str) -> int:
    """Return the seat number in a wizard's id, such as 3 for `w3`."""
    return int(wizard[1:])


def _being_to_show(being: BeingView, names: Mapping[str, str], spells: Mapping[str, str]) -> Being:
    is_wizard = being.kind == "wizard"
    owner = being.id if is_wizard else being.group
    is_alive = being.state not in STATE_WORDS
    return Being(
        id=being.id,
        name="You" if names.get(being.id) == "you" else being.name,
        kind=being.kind,
        state=being.state,
        state_words=STATE_WORDS.get(being.state, ""),
        seat=seat_number(owner) if owner else None,
        obeys="" if is_wizard else names.get(being.group, ""),
        is_free=not is_wizard and is_alive and not being.group,
        damage=being.damage,
        limit=being.limit,
        high=being.limit * DAMAGE_WARNING_SHARE,
        effects=tuple(_effect_words(effect) for effect in being.effects),
        bank=spells.get(being.bank, being.bank),
    )


def _effect_words(effect: EffectView) -> EffectWords:
    detail = f" ({effect.detail})" if effect.detail else ""
    left = "permanent" if effect.permanent else _remaining_time(effect)
    return EffectWords(effect.code, f"{effect.name}{detail}", left, effect.permanent)


def _remaining_time(effect: EffectView) -> str:
    """Return how long an effect lasts, counting the coming turn as the first. rules: F51"""
    turns = effect.turns_left
    if turns is None:
        return "until removed"
    if effect.is_deadly:
        return "kills this turn" if turns <= 1 else f"kills in {turns} turns"
    return "this turn" if turns <= 1 else f"{turns} more turns"
