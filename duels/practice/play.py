"""The practice opponent's orders: every sensible set is imagined against what rivals may do."""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Final

import engine
from duels.practice.aims import Aims
from duels.practice.foresight import Scenario, pairs, scenarios
from duels.practice.imagined import Imagined, imagined
from duels.practice.lawful import lawful
from duels.practice.outlook import needs_of, outlook
from duels.practice.worth import Needs
from engine.gestures import NOTHING, STAB

FORESEEN: Final = 10
"""How many sets are thought through to the end."""
CAUTION: Final = 0.3
"""How much the worst that may happen weighs beside what happens on the average."""
NEARLY: Final = 0.15
"""Sets as good as the best but for this are left to luck."""
VARIANTS: Final = 6
DICE: Final = engine.Dice(b"imagined")


def orders(history: engine.History, wizard: str, luck: random.Random) -> engine.Orders:
    """Legal orders for this wizard's turn, from what his seat may know."""
    return Mind(history, wizard, luck).orders()


class Mind:
    """One wizard before one turn. Of the position it keeps only the way to his sheet and faults."""

    def __init__(self, history: engine.History, wizard: str, luck: random.Random) -> None:
        self._position = history.position
        self.wizard = wizard
        self.luck = luck
        self.view = engine.view(history, wizard)
        self.rules = engine.RULESETS[self.view.ruleset]
        self.blank = engine.sheet(self._position, wizard)
        self.aims = Aims.of(self.view)
        self.needs = needs_of(self.view)
        self.charmed = {hand.key: self._charmed_letter(hand) for hand in self.blank.charmed}

    def orders(self) -> engine.Orders:
        sets: list[engine.HandSet] = []
        if self.blank.acts and self.aims.foes:
            for number in range(1, len(self.blank.sets) + 1):
                sets.append(self._set(sets, number))
        made = engine.Orders(sets=tuple(sets), charmed=self._letters(), answers=self._advance())
        if self.blank.is_gestures_only:
            bare = tuple(engine.HandSet(hands.left, hands.right) for hands in sets)
            return lawful(self._position, self.wizard, engine.Orders(sets=bare))
        return lawful(self._position, self.wizard, self._commanded(made))

    # -- gestures

    def _set(self, before: Sequence[engine.HandSet], number: int) -> engine.HandSet:
        sheet = engine.sheet(self._position, self.wizard, engine.Orders(sets=tuple(before)))
        table = Foretelling(self, before)
        plans = list(self._plans(sheet, sheet.sets[number - 1]))
        first = sorted(plans, key=lambda plan: -table.value(plan, 1))[:FORESEEN]
        scored = [(table.value(plan, len(table.scenarios)), plan) for plan in first]
        best = max(value for value, _ in scored)
        return self.luck.choice([plan for value, plan in scored if value >= best - NEARLY])

    def _plans(self, sheet: engine.Sheet, hands: engine.SetSheet) -> Iterator[engine.HandSet]:
        """The sets he may make, each with choices and subjects that make sense."""
        for pair in self._pairs(hands):
            yield from self._aimed(sheet, pair, hands.completions.get(pair, ()))

    def _pairs(self, hands: engine.SetSheet) -> list[str]:
        """No surrender, if he can help it, even should somebody else move one of his hands."""
        lefts, rights = (
            hand.forced or "".join(o.letter for o in hand.gestures if o.allowed)
            for hand in (hands.left, hands.right)
        )
        found = pairs(lefts, rights)
        if hands.left.changeable or hands.right.changeable:
            found = [pair for pair in found if "P" not in pair] or found
        busy = [pair for pair in found if NOTHING not in pair]
        return busy or found

    def _aimed(
        self, sheet: engine.Sheet, pair: str, completions: Sequence[engine.Completion]
    ) -> Iterator[engine.HandSet]:
        choices: list[tuple[dict[str, str], list[engine.Completion]]]
        choices = [({}, [row for row in completions if row.default])]
        choices += [({row.hand: row.spell}, [row]) for row in completions if not row.default]
        for spells, cast in choices:
            hands = {row.hand: self._subjects(sheet, row.spell) for row in cast}
            for hand, letter in zip("LR", pair, strict=True):
                if letter == STAB:
                    hands[hand] = [id for id in self.aims.victims() if id in self._stabbed(sheet)]
            aimed = {hand: subjects for hand, subjects in hands.items() if subjects}
            for number, chosen in enumerate(product(*aimed.values())):
                if number == VARIANTS:
                    break
                subjects = dict(zip(aimed, chosen, strict=True))
                yield engine.HandSet(pair[0], pair[1], spells, subjects)

    def _subjects(self, sheet: engine.Sheet, spell: str) -> list[str]:
        choice = sheet.subjects.get(spell)
        options = choice.options if choice is not None else ()
        return [id for id in self.aims.subjects(self.rules.spells[spell]) if id in options]

    def _stabbed(self, sheet: engine.Sheet) -> tuple[str, ...]:
        choice = sheet.subjects.get("stab")
        return choice.options if choice is not None else ()

    # -- the rest

    def _charmed_letter(self, hand: engine.CharmedHand) -> str:
        """Nothing helps a rival less than a palm beside another palm."""
        return NOTHING

    def _letters(self) -> Mapping[str, tuple[str, ...]]:
        return {hand.key: (self.charmed[hand.key],) * hand.sets for hand in self.blank.charmed}

    def _advance(self) -> Mapping[str, str]:
        return {question.kind: question.default for question in self.blank.advance}

    def _commanded(self, made: engine.Orders) -> engine.Orders:
        sheet = engine.sheet(self._position, self.wizard, made)
        victims = {
            monster.key: (victim,) * monster.attacks
            for monster in sheet.monsters
            if (victim := self._victim(monster))
        }
        return replace(made, victims=victims, release=sheet.bank is not None)

    def _victim(self, monster: engine.MonsterSheet) -> str:
        return next((id for id in self.aims.victims() if id in monster.options), "")


@dataclass(slots=True)
class Foretelling:
    """What comes of a set, imagined against each thing that the rivals may do."""

    mind: Mind
    scene: Imagined
    scenarios: tuple[Scenario, ...]
    before: tuple[engine.HandSet, ...]
    needs: Mapping[str, Needs]

    def __init__(self, mind: Mind, before: Sequence[engine.HandSet]) -> None:
        self.mind = mind
        self.before = tuple(before)
        self.needs = mind.needs
        self.scene = imagined(mind.view, hasted=bool(before))
        self.scenarios = scenarios(mind.view, self.scene, mind.needs, mind.charmed)

    def value(self, plan: engine.HandSet, depth: int) -> float:
        """The balance on the average of the first so many scenarios, with an eye on the worst."""
        scene, own = self.scene, self.mind.wizard
        mine = lawful(scene.position, own, self._in_scene(plan))
        outcomes: list[tuple[float, float]] = []
        for scenario in self.scenarios[:depth]:
            rows = {foe: engine.Orders(sets=sets) for foe, sets in scenario.sets.items()}
            after, _ = engine.resolve(
                scene.position, {own: mine, **rows}, {}, DICE, sink=engine.drop
            )
            outcomes.append((outlook(after, own, self.needs), scenario.weight))
        whole = sum(weight for _, weight in outcomes)
        average = sum(value * weight for value, weight in outcomes) / whole
        worst = min(value for value, _ in outcomes)
        return (1 - CAUTION) * average + CAUTION * worst

    def _in_scene(self, plan: engine.HandSet) -> engine.Orders:
        sets = tuple(
            replace(hands, subjects={h: self.scene.id_of(s) for h, s in hands.subjects.items()})
            for hands in (*self.before, plan)
        )
        return engine.Orders(sets=sets)
