"""Resolution of one turn phase by phase, with dice that match the record."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from engine.dice import AnyDice
from engine.events import Drew, Event
from engine.orders import Orders
from engine.positions.position import STANDING, Effect, Position
from engine.resolve import ORDERS_OF_PLAY, require_legal_orders

DAMAGE_PHASE: Final = "settle_damage"
"""The phase after which all of the turn's damage is dealt but no one has died yet."""
CLOCK_PHASE: Final = "begin_next_turn"
"""The phase in which the clocks run."""
RecordedDraws = Mapping[tuple[str, str], str]
"""The recorded results that draws should match, by the being and purpose of each draw."""


class KeptState(NamedTuple):
    """A wizard's effects and bank before the clocks ran, or before the wizard left."""

    effects: Mapping[str, Effect]
    bank: str


class PlayedTurn(NamedTuple):
    """A resolved turn. `kept` has the effects and the bank of each wizard who took part in it."""

    after: Position
    events: tuple[Event, ...]
    kept: Mapping[str, KeptState]


def resolve_turn(
    before: Position,
    orders: Mapping[str, Orders],
    recorded_draws: RecordedDraws,
    uncounted_damage: Mapping[str, int],
) -> PlayedTurn:
    """Resolve the turn so that its draws match the recorded results as far as possible."""
    require_legal_orders(before, orders)
    dice = MatchingDice()
    while True:
        played = resolve_by_phase(before, orders, dice, uncounted_damage)
        draws = (event for event in played.events if isinstance(event, Drew))
        if not any(dice.reroll_if_different(draw, recorded_draws) for draw in draws):
            return played


class MatchingDice:
    """Dice that are rolled again until they match the record."""

    def __init__(self) -> None:
        self.values: dict[str, int] = {}

    def draw(self, label: str, sides: int) -> int:
        return min(self.values.setdefault(label, 0), sides - 1)

    def reroll_if_different(self, draw: Drew, recorded_draws: RecordedDraws) -> bool:
        """If the draw does not match the record, move its die to the next side and return True."""
        recorded = recorded_draws.get((draw.being, draw.purpose), draw.result)
        if draw.result == recorded or draw.value + 1 >= draw.sides:
            return False
        self.values[draw.label] = draw.value + 1
        return True


def resolve_by_phase(
    before: Position,
    orders: Mapping[str, Orders],
    dice: AnyDice,
    uncounted_damage: Mapping[str, int],
) -> PlayedTurn:
    """Resolve the turn by phase; undo damage that the record does not count before anyone dies."""
    events: list[Event] = []
    kept = {w.id: KeptState(w.effects, w.bank) for w in before.wizards if w.standing == STANDING}
    position = before
    play_one = ORDERS_OF_PLAY[before.rules.order_of_play].iterate_phases
    for phase, position in play_one(before, orders, {}, dice, events.append):
        if phase == DAMAGE_PHASE:
            for id, amount in uncounted_damage.items():
                being = position.being(id)
                if being is not None:
                    being.damage -= amount
        for id in kept if phase != CLOCK_PHASE else ():
            wizard = position.wizard(id)
            if wizard.standing == STANDING or wizard.effects or wizard.bank:
                kept[id] = KeptState(dict(wizard.effects), wizard.bank)
    return PlayedTurn(position, tuple(events), kept)
