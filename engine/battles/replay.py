"""Replay of a battle by the engine, compared with its record value by value.

The engine gets gestures, choices, orders and draws, and must derive everything else itself.
"""

from collections.abc import Collection, Iterator

from engine.battles import compare
from engine.battles.document import Battle, Effect, FinalWizard, Illness, Turn
from engine.battles.outcome import Outcome, result_of
from engine.battles.resolution import PlayedTurn
from engine.battles.search import Search
from engine.battles.status import undecided_status_entries, wizard_status
from engine.battles.words import TURN_KIND_WORDS
from engine.ids import wizard_id
from engine.positions.position import HASTE, STANDING, Monster, Position, Wizard
from engine.positions.position import Effect as LastingEffect
from engine.resolve.numbered.turns import postponed_effect
from engine.rulesets.warlocks import WARLOCKS_1
from engine.start.begin import Duellist, begin


def replay_and_compare(battle: Battle) -> Iterator[compare.Comparison]:
    """Yield every comparison between the engine's replay of this battle and its record."""
    replay = _Replay(battle)
    for turn in battle.turns:
        for compared in replay.replay_turn(turn):
            yield compared._replace(battle=battle.name, turn=turn.number)
        if replay.is_stuck:
            return
    for compared in replay.compare_end():
        yield compared._replace(battle=battle.name)


class _Replay:
    """A battle that is being replayed."""

    def __init__(self, battle: Battle) -> None:
        self.battle = battle
        seats = [Duellist() for _ in battle.players]  # names do not matter
        self.position = begin(WARLOCKS_1.id, seats, options=battle.options)
        self.left: dict[str, FinalWizard] = {}
        self.is_stuck = False
        self.last: Outcome | None = None

    def replay_turn(self, turn: Turn) -> Iterator[compare.Comparison]:
        """Resolve the turn in the way that matches its record best, and yield the comparisons."""
        if self.position.outcome:
            self.is_stuck = True
            yield compare.compare_values("type", turn.kind, "the battle is over")
            return
        before = with_unannounced_extra_turn(self.position, turn)
        if before is self.position:
            kind = compare.compare_values("type", turn.kind, TURN_KIND_WORDS[before.kind])
            yield kind
            if not kind.agrees:
                self.is_stuck = True
                return
        yield compare.compare_values("n", turn.number, before.turn)
        best, fault = Search(self.battle, turn, before).best_attempt()
        if fault:
            yield compare.Comparison("orders", "legal", fault, agrees=False)
        if best is None:
            self.is_stuck = True
            return
        self.last = best.outcome
        self.position = best.played.after
        self.left |= final_wizard_states(before, best.played, turn.sick, turn.effects)
        yield from best.compared

    def compare_end(self) -> Iterator[compare.Comparison]:
        """Yield the comparisons of the final state."""
        final = self.battle.final
        for seat, recorded in enumerate(final.wizards):
            yield from compare.compare_wizard(seat, recorded, self.left[wizard_id(seat)])
        assert self.last is not None
        yield from compare.compare_monsters("final.monsters", final.monsters, self.last)
        yield compare.compare_values("final.result", final.result, result_of(self.position))


def final_wizard_states(
    before: Position,
    played: PlayedTurn,
    sick: Collection[Illness] = (),
    effects: Collection[Effect] = (),
) -> dict[str, FinalWizard]:
    """Return every wizard's status after this turn, which is final if they leave in it.

    `sick` and `effects` are the values recorded for this turn.

    Wizards keep the effects that they had when they left, but the record shows their bank only in
    the turn in which they leave.
    """
    found: dict[str, FinalWizard] = {}
    counted = {one.wizard for one in sick if one.left >= 0}
    for wizard in before.wizards:
        if wizard.standing == STANDING:
            kept = played.kept[wizard.id]
            after = played.after.wizard(wizard.id)
            shown = wizard_status(before, played, wizard.id, is_counted=wizard.seat in counted)
            perhaps = undecided_status_entries(before, played, wizard.id, effects)
            bank = kept.bank if after.standing == STANDING or played.after.outcome else ""
            points = after.damage_limit(before.rules) - after.damage
            found[wizard.id] = FinalWizard(after.standing, points, shown, bank, perhaps)
    return found


def with_unannounced_extra_turn(position: Position, turn: Turn) -> Position:
    """Return the position for a turn that is recorded as normal, but in which some do not act.

    Such a turn is played as a hasted turn of the others, so the clocks have not run before it.
    """
    idle = [
        wizard.id
        for wizard, row in zip(position.wizards, turn.rows, strict=True)
        if wizard.standing == STANDING and not row and wizard.seat not in turn.wills
    ]
    if turn.kind != TURN_KIND_WORDS["normal"] or position.kind != "normal" or not idle:
        return position
    new = position.copy()
    new.kind = HASTE
    minds = new.rules.mind_spells
    beings: list[Wizard | Monster] = [*new.wizards, *new.monsters]
    for being in beings:
        for kind, effect in being.effects.items():
            waits = kind in minds or kind in new.rules.windows
            being.effects[kind] = postponed_effect(effect, new.turn - 1, begins_later=not waits)
    for wizard in new.wizards:
        if wizard.standing == STANDING and wizard.id not in idle:
            wizard.effects.setdefault("haste", LastingEffect(new.turn, new.turn))
    return new
