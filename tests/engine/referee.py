"""The referee, which plays the cases of the casebook and compares each outcome with its verdicts.

`_check_turn_invariants` also checks every turn, and `_check_history_invariants` every case. The
referee uses only the public interface of the engine, so that cases depend on rules and not on code.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

import engine.orders
import engine.play
import engine.words
from engine.events import Event, Summoned
from engine.positions.position import Position, hand_states, interleaved_letters
from engine.rulesets import RULESETS
from engine.spellbook import MONSTER_KINDS as ALL_KINDS
from tests.engine.casebook import ALL_HANDS, MONSTER_KINDS, Case, CaseLine, CaseTurn, OrderClause
from tests.engine.rulebook import RULES
from tests.engine.verdicts import (
    ELEMENT_BY_ELEMENTAL,
    Batch,
    PlayedTurn,
    check_verdicts,
    question_kind_in_cases,
    spell_id_in_ruleset,
)

FIELD_NAMES_BY_HAND = {"L": "left", "R": "right", "BH": "both"}
EFFECT_ALIASES = {"invisible": "invisibility", "blind": "blindness"}
ONE_TURN_EFFECTS = ("amnesia", "confusion", "paralysis", "fear", "charm_person")
OBSERVERS = ("spectator", "all")


class CaseDice:
    """The dice of a case, by label or in the order in which they are first rolled.

    A case writes the dice of a confused wizard as 1 to 6, and a choice among beings from 0.
    """

    def __init__(self, values: list[int], named: Mapping[str, int]) -> None:
        self._values = list(values)
        self._named = dict(named)
        self._drawn: dict[str, int] = {}

    def draw(self, label: str, sides: int) -> int:
        if label not in self._drawn:
            written = self._named.pop(label) if label in self._named else self._next_value(label)
            value = written - 1 if label.endswith((" hand", " gesture")) else written
            if not 0 <= value < sides:
                raise AssertionError(f"the case gives {written} for {label!r}, of {sides}")
            self._drawn[label] = value
        return self._drawn[label]

    def _next_value(self, label: str) -> int:
        if not self._values:
            raise AssertionError(f"the case gives no dice for {label!r}")
        return self._values.pop(0)

    def unused_dice(self) -> list[object]:
        return [*self._values, *self._named]


@dataclass(slots=True)
class WrittenOrders:
    """One wizard's orders as fields, with the gestures that they need and the intended spells."""

    fields: dict[str, str] = field(default_factory=dict)
    needs: dict[tuple[int, str], str] = field(default_factory=dict)
    lettered: set[tuple[int, str]] = field(default_factory=set)
    wanted: list[tuple[int, str, str, CaseLine]] = field(default_factory=list)
    answers: list[tuple[str, str, CaseLine]] = field(default_factory=list)
    elements: list[tuple[int, str, str]] = field(default_factory=list)


class CaseAnswers:
    """The wizards' answers in a turn: `answer` lines, and kinds of elementals summoned by name."""

    def __init__(self, written: Mapping[str, WrittenOrders]) -> None:
        self._lines = [(id_, *line) for id_, paper in written.items() for line in paper.answers]
        self._elements = {
            id_: [kind for _, _, kind in sorted(paper.elements)] for id_, paper in written.items()
        }

    def next_answer(self, question: engine.play.Question) -> str:
        """Return and remove the next answer that fits the question, or return its default."""
        for line in self._lines:
            if line[:2] == (question.wizard, question_kind_in_cases(question)):
                self._lines.remove(line)
                return line[2]
        if question.kind == "elemental":
            named = self._elements.get(question.about) or self._first_named_elements()
            return named.pop(0) if named else question.default
        return question.default

    def _first_named_elements(self) -> list[str]:
        return next((named for named in self._elements.values() if named), [])

    def require_all_asked(self) -> None:
        for _, kind, _, entry in self._lines:
            raise AssertionError(f"{entry.where}: the question {kind} is never asked")


class CasePlayer:
    """One case being played under one ruleset."""

    def __init__(self, case: Case, ruleset: str) -> None:
        self.case = case.for_ruleset(ruleset)
        self.ruleset = ruleset
        self.ids = {name: f"w{seat}" for seat, name in enumerate(case.wizards)}
        setup = self._setup_of_case()
        duellists = [engine.play.Duellist(name, "they") for name in case.wizards]
        self.position = engine.play.begin(ruleset, duellists, setup=setup, options=case.options)
        self.turns: list[engine.play.Turn] = []

    # -- the position before the first turn

    def _setup_of_case(self) -> dict[str, object] | None:
        if not self.case.given:
            return None
        wizards: list[dict[str, object]] = [{"effects": {}} for _ in self.case.wizards]
        monsters: list[dict[str, object]] = []
        setup: dict[str, object] = {"turn": 1, "wizards": wizards, "monsters": monsters}
        for entry in self.case.given:
            if entry.words[0] in MONSTER_KINDS and len(entry.words) > 1:
                self._add_name(entry.words[1], f"m{len(monsters)}", entry)
                monsters.append({})
        for entry in self.case.given:
            first, *rest = entry.words
            if first == "turn" and len(rest) == 1:
                setup["turn"] = int(rest[0])
            elif first in MONSTER_KINDS and rest:
                index = int(self.ids[rest[0]][1:])
                monsters[index] = {**self._monster_row(entry), **monsters[index]}
            elif first in self.ids:
                id_ = self.ids[first]
                being = (wizards if id_[0] == "w" else monsters)[int(id_[1:])]
                self._set_given_state(being, entry)
            else:
                raise entry.fault("no such being")
        return setup

    def _add_name(self, name: str, id_: str, entry: CaseLine) -> None:
        if name in self.ids:
            raise entry.fault(f"{name} is named twice")
        self.ids[name] = id_

    def _monster_row(self, entry: CaseLine) -> dict[str, object]:
        kind, _, *words = entry.words
        monster: dict[str, object] = {"kind": kind, "controller": None, "victim": None}
        while words:
            word = words.pop(0)
            if word == "corpse":
                monster["state"] = "corpse"
            elif word in ("of", "->", "damage") and words:
                value = words.pop(0)
                if word == "damage":
                    monster["damage"] = int(value)
                elif value != "none":
                    monster["controller" if word == "of" else "victim"] = self.being_id(
                        value, entry
                    )
            else:
                raise entry.fault(f"what is {word!r}")
        return monster

    def _set_given_state(self, being: dict[str, object], entry: CaseLine) -> None:
        match entry.words[1:]:
            case ["damage", number]:
                being["damage"] = int(number)
            case ["history", "L", left, "R", right] if len(left) == len(right):
                being["left"], being["right"] = left, right
            case ["banked", spell]:
                being["bank"] = spell_id_in_ruleset(spell, self.ruleset)
            case ["banked", spell, "->", name]:
                being["bank"] = spell_id_in_ruleset(spell, self.ruleset)
                being["bank_subject"] = self.being_id(name, entry)
            case ["used_bolt"]:
                being["used_bolt"] = True
            case [("dead" | "surrendered") as state]:
                being["state"] = state
            case ["has", *words]:
                effects = being.setdefault("effects", {})
                assert isinstance(effects, dict)
                code, effect = self._effect_row(words, being, entry)
                effects[code] = effect
            case _:
                raise entry.fault("this cannot be given")

    def _effect_row(
        self, words: list[str], being: dict[str, object], entry: CaseLine
    ) -> tuple[str, dict[str, object]]:
        effect: dict[str, object] = {}
        if words[0] == "permanent":
            effect["permanent"] = True
            words = words[1:]
        code = EFFECT_ALIASES.get(words[0], words[0])
        rest = words[1:]
        if code in ONE_TURN_EFFECTS and not effect:
            effect["turns"] = 1
        if code == "amnesia" and "kind" not in being:
            left, right = str(being.get("left", "-")), str(being.get("right", "-"))
            effect["sets"] = [left[-1] + right[-1]]
        while rest:
            word = rest.pop(0)
            if word in ("L", "R") and "hand" not in effect:
                effect["hand"] = word
            elif word == "for" and rest:
                effect["turns"] = int(rest.pop(0))
            elif word == "by" and rest:
                effect["caster"] = self.being_id(rest.pop(0), entry)
            elif word == "->" and rest:
                effect["victims"] = [self.being_id(name, entry) for name in rest]
                rest = []
            elif len(word) == 1 and "hand" in effect:
                effect["letter"] = word
            else:
                raise entry.fault(f"what is {word!r}")
        return code, effect

    # -- names

    def being_id(self, name: str, entry: CaseLine) -> str:
        """Return the id of a being that exists or is summoned this turn."""
        if name in ("nowhere", "no_one", "attacker"):
            return name
        if name in self.ids:
            return self.ids[name]
        if re.fullmatch(r"m\d+", name):
            return name  # a monster that nobody has seen
        hand, colon, owner = name.partition(":")
        if colon and owner in self.ids and (hand in ALL_HANDS or hand == "BANK"):
            return f"{hand}:{self.ids[owner]}"
        raise entry.fault(f"no being is called {name!r}")

    # -- one turn

    def play_all(self, *, checks_history: bool = True) -> None:
        """Play the case to its end. Raise AssertionError if a verdict is not met.

        If `checks_history`, also call `_check_history_invariants`, which takes as long as playing.
        """
        for block in self.case.blocks:
            self.play_turn(block)
        if self.turns and checks_history:
            self._check_history_invariants()

    def play_turn(self, block: CaseTurn) -> None:
        """Play one turn of the case. Raise AssertionError if its verdict is not met."""
        if block.resigns:
            self._play_departure(block)
            return
        self._check_kind_of_turn(block)
        self._name_future_monsters(block)
        written = {
            name: self._write_orders(name, clauses) for name, clauses in block.clauses.items()
        }
        for name, paper in written.items():
            self._prepare_gestures(name, paper, block)
        orders = {
            id_: engine.orders.from_fields(written[name].fields if name in written else {})
            for name, id_ in self.ids.items()
            if id_ in engine.play.acting_wizards(self.position)
        }
        if block.refusal is not None:
            self._check_refusal(block, orders)
            return
        for name, paper in written.items():
            if self.ids[name] in orders:
                self._require_legal(name, paper, orders[self.ids[name]], block)
            elif paper.fields:
                raise block.entry.fault(f"{name} does not act in this turn")
        self._resolve_turn(block, written, orders)

    def _play_departure(self, block: CaseTurn) -> None:
        before = self.position
        frozen = json.dumps(engine.play.dump(before))
        leave = {"forfeit": engine.play.forfeit, "remove": engine.play.remove}.get(
            block.kind, engine.play.resign
        )
        self.position, events = leave(before, self.ids[block.resigns])
        assert json.dumps(engine.play.dump(before)) == frozen, "leaving changed its argument"
        self._finish_turn(block, before, events, set(), ())

    def _check_kind_of_turn(self, block: CaseTurn) -> None:
        kind = {"turn": "normal"}.get(block.kind, block.kind)
        if self.position.outcome:
            raise AssertionError(f"{block.entry.where}: the duel is over already")
        if self.position.kind != kind:
            raise AssertionError(f"{block.entry.where}: the next turn is {self.position.kind}")

    def _name_future_monsters(self, block: CaseTurn) -> None:
        """Give each monster named with `as` the id of its hand until the turn is played."""
        for name, clauses in block.clauses.items():
            for clause in clauses:
                if clause.creates:
                    hand = "BANK" if clause.kind == "release" else clause.hand
                    if not hand:
                        raise clause.entry.fault(
                            "a clause that names a new monster must name the hand"
                        )
                    suffix = "2" if clause.gesture_set == 2 else ""
                    future = f"{hand}{suffix}:{self.ids[name]}"
                    self._add_name(clause.creates, future, clause.entry)

    def _write_orders(self, name: str, clauses: list[OrderClause]) -> WrittenOrders:
        paper = WrittenOrders()
        for clause in sorted(clauses, key=lambda clause: clause.kind == "plain"):
            self._write_clause(paper, clause)
        return paper

    def _write_clause(self, paper: WrittenOrders, clause: OrderClause) -> None:
        entry, words = clause.entry, clause.words
        suffix = "2" if clause.gesture_set == 2 else ""
        subject = self.being_id(clause.subject, entry) if clause.subject else ""
        match clause.kind:
            case "say":
                paper.fields["say"] = words[0]
            case "gesture":
                hands = "LR" if clause.hand == "BH" else clause.hand
                for hand in hands:
                    self._require_gesture(paper, clause.gesture_set - 1, hand, words[0], entry)
                    paper.lettered.add((clause.gesture_set, hand))
                if subject:
                    paper.fields[f"{FIELD_NAMES_BY_HAND[clause.hand]}_subject{suffix}"] = subject
            case "spell":
                self._write_spell(paper, clause, clause.hand)
            case "plain":
                if words[0] in self.ids and subject:
                    paper.fields[f"victim{suffix}:{self.ids[words[0]]}"] = subject
                else:
                    self._write_spell(paper, clause, "")
            case "monster":
                paper.fields[f"victim{suffix}:{self.being_id(words[0], entry)}"] = subject
            case "choose":
                spell = spell_id_in_ruleset(words[0], self.ruleset)
                paper.fields[f"{FIELD_NAMES_BY_HAND[clause.hand]}_spell{suffix}"] = spell
                if subject:
                    paper.fields[f"{FIELD_NAMES_BY_HAND[clause.hand]}_subject{suffix}"] = subject
            case "charm":
                victim, hand, letter = words[0], words[1], words[2]
                paper.fields[f"charmed{suffix}:{self.being_id(victim, entry)}.{hand}"] = letter
            case "hold":
                paper.fields[f"held:{self.being_id(words[0], entry)}"] = words[1]
            case "heart":
                paper.fields["heart"] = "yes"
            case "release":
                paper.fields["release"] = "yes"
                if subject:
                    paper.fields["release_subject"] = subject
            case "offer":
                paper.fields["sacrifice"] = self.being_id(words[0], entry)
            case "capture":
                paper.fields[words[0]] = words[1]
            case "advance":
                paper.fields[f"answer:{words[0]}"] = words[1]
            case "answer":
                beings = words[0] in ("target", "attack")
                given = self.being_id(words[1], entry) if beings else words[1]
                given = "nowhere" if given == "no_one" else given
                paper.answers.append((words[0], given, entry))

    def _write_spell(self, paper: WrittenOrders, clause: OrderClause, hand: str) -> None:
        """Write a spell's choice and subject into the orders, and note the gestures it needs."""
        word, _, variant = clause.words[0].partition("/")
        code = spell_id_in_ruleset(word, self.ruleset)
        spells = RULESETS[self.ruleset].under(self.case.options).spells
        if code not in spells:
            raise clause.entry.fault(f"no such spell as {code!r}")
        pattern = variant or spells[code].patterns[0]
        if pattern not in spells[code].patterns:
            raise clause.entry.fault(f"{code} is not made by {variant}")
        number = clause.gesture_set
        two_handed = pattern[-1].islower()
        if hand == "BH" and not two_handed:
            raise clause.entry.fault(f"{code} ends with one hand")
        if hand in ("", "BH"):
            hand = "L" if (number - 1, "R") in paper.needs and not two_handed else "R"
        for place, letter in enumerate(pattern):
            at = number - len(pattern) + place
            for maker in "LR" if letter.islower() else hand:
                self._require_gesture(paper, at, maker, letter.upper(), clause.entry)
        chosen = "BH" if two_handed else hand
        if word in ELEMENT_BY_ELEMENTAL and code == "summon_elemental":
            paper.elements.append((number, hand, ELEMENT_BY_ELEMENTAL[word]))
        suffix = "2" if number == 2 else ""
        paper.wanted.append((number, chosen, code, clause.entry))
        paper.fields[f"{FIELD_NAMES_BY_HAND[chosen]}_spell{suffix}"] = code
        if clause.subject:
            subject = self.being_id(clause.subject, clause.entry)
            paper.fields[f"{FIELD_NAMES_BY_HAND[chosen]}_subject{suffix}"] = subject

    @staticmethod
    def _require_gesture(
        paper: WrittenOrders, at: int, hand: str, letter: str, entry: CaseLine
    ) -> None:
        held = paper.needs.setdefault((at, hand), letter)
        if held != letter:
            when = "this turn" if at >= 0 else f"{-at} before"
            raise entry.fault(f"hand {hand} cannot make both {held} and {letter} ({when})")

    def _prepare_gestures(self, name: str, paper: WrittenOrders, block: CaseTurn) -> None:
        """Write this turn's gestures into the orders, and earlier ones into the history."""
        id_ = self.ids[name]
        for (at, hand), letter in paper.needs.items():
            if at >= 0:
                paper.fields[f"{FIELD_NAMES_BY_HAND[hand]}{'2' if at else ''}"] = letter
            both_palms = paper.needs.get((at, "L")) == paper.needs.get((at, "R")) == "P"
            if both_palms and not (at >= 0 and any(made == at + 1 for made, _ in paper.lettered)):
                raise block.entry.fault(f"{name}'s preparation would be a surrender")
        length = max((-at for at, _ in paper.needs), default=0)
        if length <= 0 or not any(at < 0 for at, _ in paper.needs):
            return
        self.position = self.position.copy()
        wizard = self.position.wizard(id_)
        hands = {}
        for hand, past in (("L", wizard.left), ("R", wizard.right)):
            letters = list(past.rjust(length, "-"))
            for (at, maker), letter in paper.needs.items():
                if at < 0 and maker == hand:
                    if not self.turns and len(past) >= -at and letters[at] != letter:
                        raise block.entry.fault(f"{name}'s history has no room for {letter}")
                    letters[at] = letter
            hands[hand] = "".join(letters)
        rules = self.position.rules
        depth = rules.automaton.depth
        wizard.letters = interleaved_letters(hands["L"][-depth:], hands["R"][-depth:])
        wizard.left_state, wizard.right_state = hand_states(rules, wizard.left, wizard.right)

    def _check_refusal(self, block: CaseTurn, orders: Mapping[str, engine.orders.Orders]) -> None:
        entry = block.refusal
        assert entry is not None
        name, *wanted = entry.words[1:]
        id_ = self.ids[name]
        faults = engine.play.check(self.position, id_, orders[id_])
        found = [(fault.field, fault.rule) for fault in faults]
        text = ", ".join(f"{field} {rule}" for field, rule in found) or "nothing"
        if not any(all(word in pair for word in wanted) for pair in found):
            raise AssertionError(f"{entry.where}: {entry.text}, but the faults are: {text}")
        try:
            engine.play.resolve(self.position, orders, {}, CaseDice([], {}))
        except engine.play.IllegalOrders:
            return
        raise AssertionError(f"{entry.where}: check refuses the orders, resolve does not")

    def _require_legal(
        self, name: str, paper: WrittenOrders, orders: engine.orders.Orders, block: CaseTurn
    ) -> None:
        """Require legal orders that complete the named spells, and no others by accident."""
        id_ = self.ids[name]
        faults = engine.play.check(self.position, id_, orders)
        if faults:
            text = "; ".join(f"{fault.field} ({fault.rule}): {fault.text}" for fault in faults)
            raise AssertionError(f"{block.entry.where}: {name}'s orders are refused: {text}")
        sheet = engine.play.sheet(self.position, id_, orders)
        for gesture_set in sheet.sets:
            number = gesture_set.number
            suffix = "2" if number == 2 else ""
            pair = "".join(
                side.forced or paper.fields.get(f"{stem}{suffix}") or "-"
                for stem, side in (("left", gesture_set.left), ("right", gesture_set.right))
            )
            completed = {(done.hand, done.spell) for done in gesture_set.completions.get(pair, ())}
            wanted = {(hand, spell) for at, hand, spell, _ in paper.wanted if at == number}
            for at, hand, spell, entry in paper.wanted:
                if at == number and (hand, spell) not in completed:
                    raise entry.fault(f"{pair} does not complete {spell}, but {sorted(completed)}")
            used = {hand for hand, _ in wanted} | {h for at, h in paper.lettered if at == number}
            sides = {"L": gesture_set.left, "R": gesture_set.right}
            # Hands forced by something other than the preparation.
            used |= {hand for hand, side in sides.items() if side.forced}
            for hand, spell in completed:
                if not used & ({hand} if hand != "BH" else {"L", "R", "BH"}) and "BH" not in used:
                    raise block.entry.fault(f"{name}'s preparation completes {spell} as well")

    def _resolve_turn(
        self,
        block: CaseTurn,
        written: Mapping[str, WrittenOrders],
        orders: Mapping[str, engine.orders.Orders],
    ) -> None:
        dice = CaseDice(block.dice_in_order(), block.named_dice())
        asked, answers, batches = self._ask_questions(written, orders, dice)
        before = self.position
        frozen = json.dumps(engine.play.dump(before))
        after, events = engine.play.resolve(before, orders, answers, dice)
        if dice.unused_dice():
            raise AssertionError(f"{block.entry.where}: dice not drawn: {dice.unused_dice()}")
        assert json.dumps(engine.play.dump(before)) == frozen, "resolve changed its argument"
        again = engine.play.resolve(
            engine.play.load_position(json.loads(frozen)), orders, answers, dice
        )
        assert again == (after, events), "the same turn had a different result"
        self.position = after
        self._rename_summoned_monsters(block, before, events)
        self._finish_turn(block, before, events, asked, batches)

    def _finish_turn(
        self,
        block: CaseTurn,
        before: Position,
        events: tuple[Event, ...],
        asked: set[tuple[str, str]],
        batches: tuple[Batch, ...],
    ) -> None:
        """Add the turn to the history, and check its verdict."""
        if self.position.outcome and self.turns:
            # The end of a duel reveals hidden gestures, so check the reports before that.
            self._check_reports(engine.play.History(tuple(self.turns), before))
        self.turns.append(engine.play.Turn(len(self.turns) + 1, before, events))
        self._check_turn_invariants()
        history = engine.play.History(tuple(self.turns), self.position)
        check_verdicts(block, PlayedTurn(self.ids, self.position, events, history, asked, batches))

    def _ask_questions(
        self,
        written: Mapping[str, WrittenOrders],
        orders: Mapping[str, engine.orders.Orders],
        dice: CaseDice,
    ) -> tuple[set[tuple[str, str]], dict[str, str], tuple[Batch, ...]]:
        """Answer the engine's questions from the case, or with their defaults."""
        asked: set[tuple[str, str]] = set()
        answers: dict[str, str] = {}
        batches: list[Batch] = []
        ready = CaseAnswers({self.ids[name]: paper for name, paper in written.items()})
        while batch := engine.play.questions(self.position, orders, answers, dice):
            batches.append(batch)
            for question in batch:
                assert question.id not in answers, f"{question.id} is asked twice"
                asked.add((question.wizard, question_kind_in_cases(question)))
                answers[question.id] = ready.next_answer(question)
                assert answers[question.id] in question.options, question
        ready.require_all_asked()
        return asked, answers, tuple(batches)

    def _rename_summoned_monsters(
        self, block: CaseTurn, before: Position, events: tuple[Event, ...]
    ) -> None:
        """Give the names from `as` to the monsters that were summoned, in the order of R164."""
        born = [event for event in events if isinstance(event, Summoned)]
        for name, clauses in block.clauses.items():
            naming = [clause for clause in clauses if clause.creates]
            for clause in sorted(
                naming, key=lambda c: (c.kind == "release", c.gesture_set, c.hand)
            ):
                wizard = before.wizard(self.ids[name])
                code = wizard.bank if clause.kind == "release" else clause.words[0]
                kind = self._kinds_summoned_by(spell_id_in_ruleset(code, self.ruleset))
                fitting = [b for b in born if b.wizard == wizard.id and b.kind in kind]
                if fitting:
                    born.remove(fitting[0])
                self.ids[clause.creates] = fitting[0].monster if fitting else "never made"

    def _kinds_summoned_by(self, spell: str) -> tuple[str, ...]:
        made = RULESETS[self.ruleset].under(self.case.options).spells.get(spell)
        if made is None:
            return tuple(ALL_KINDS)
        return ("elemental", "fire", "ice") if made.monster == "elemental" else (made.monster,)

    def _check_turn_invariants(self) -> None:
        position = self.position
        for wizard in position.wizards:
            assert wizard.damage >= -position.rules.surplus
            assert len(wizard.left) == len(wizard.right)
            if wizard.standing != "standing" or position.outcome:
                assert wizard.id not in engine.play.acting_wizards(position)
        for id_ in engine.play.acting_wizards(position):
            orders = engine.play.default_orders(position, id_)
            assert not engine.play.check(position, id_, orders), "the default orders are rejected"
            assert engine.orders.from_fields(engine.orders.fields(orders)) == orders

    def _check_history_invariants(self) -> None:
        """Check the stored form and the reports of all turns at the end of the case."""
        history = engine.play.History(tuple(self.turns), self.position)
        assert engine.play.load(engine.play.dump(history)) == history
        self._check_reports(history)

    def _check_reports(self, history: engine.play.History) -> None:
        for observer in (*(wizard.id for wizard in history.position.wizards), *OBSERVERS):
            for report in engine.words.narrate(engine.play.view(history, observer)):
                for line in report.lines:
                    assert line.text
                    assert line.rule in RULES, f"{line.text!r} cites {line.rule!r}"
