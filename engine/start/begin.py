"""The position before turn 1, plain or based on a setup. rules: turn:start, R115

A setup is plain data for cases, lessons and analysis:

    {"turn": 1,
     "wizards": [{"damage": 10, "left": "SWW", "right": "---", "effects": {"haste": {"turns": 2}},
                  "bank": "fireball", "used_bolt": true, "state": "dead"}, …],      by seat
     "monsters": [{"kind": "goblin", "controller": "w0", "damage": 0, "victim": "w1",
                   "state": "corpse", "effects": {}}, …]}                       by creation

An effect is {"turns": turns left counting this one (absent: until removed), "permanent": true,
"caster": "w1", "hand": "L", "letter": "F", "sets": ["WP"], "victims": ["w1"]}.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from engine.gestures import GESTURE_PAIRS, GESTURES
from engine.ids import monster_id
from engine.json_values import (
    InvalidData,
    check_keys,
    parse_choice,
    parse_int,
    parse_object,
    parse_objects,
    parse_string,
    parse_strings,
)
from engine.legality.casting import default_subject
from engine.legality.hand_constraints import first_mind_spell
from engine.positions.position import (
    ALIVE,
    CORPSE,
    FOREVER,
    HASTE,
    PRONOUNS,
    SACRIFICE,
    STANDING,
    STRICT,
    WIZARD_STANDINGS,
    Effect,
    Monster,
    Position,
    Wizard,
    hand_states,
    interleaved_letters,
    is_effect_active,
)
from engine.positions.position_check import check_position
from engine.resolve.close import begin_extra_actions
from engine.resolve.summon import monster_name
from engine.rulesets import RULESETS
from engine.rulesets.choices import HandNamingTime, HasteMode, MindTiming, QuestionMode
from engine.spellbook import Duration, HandEffect

Setup = Mapping[str, object]
"""A position as plain data, in the form that the docstring of this module describes."""
PRONOUN_SUFFIXES: Final = {":m": "he", ":f": "she", ":n": "they", ":x": "it"}
"""Suffixes of names that set the wizard's pronouns; they are not part of the name. rules: F5"""
SEAT_NAMES: Final = ("White", "Black", "Red", "Green", "Blue", "Yellow", "Violet", "Orange")
"""Names for wizards without a name, by seat. rules: F3"""
MIN_WIZARDS, MAX_WIZARDS = 2, 8
OPTIONS: Final = {STRICT: "", SACRIFICE: "sacrifice"}
"""Options that duellists may agree on, with the spell that each needs, "" for none. Options that
change the rules of only one ruleset are in `Ruleset.options`."""


@dataclass(frozen=True, slots=True)
class Duellist:
    """A player of a duel. A player without a name is named after their seat.

    The suffix `:m`, `:f`, `:n` or `:x` of a name sets the pronouns and overrides the field.
    """

    name: str = ""
    pronouns: str = "they"


def begin(
    ruleset: str,
    wizards: Sequence[Duellist],
    *,
    setup: Setup | None = None,
    options: Sequence[str] = (),
) -> Position:
    """Return the position before the first turn: no gestures and no effects, unless set up.

    Raises InvalidData, naming the field, for an unknown ruleset or option, fewer than two or more
    than eight wizards, equal names, unknown pronouns, or a setup that no duel can reach.
    """
    if ruleset not in RULESETS:
        raise InvalidData("ruleset", f"unknown ruleset {ruleset!r}")
    if not MIN_WIZARDS <= len(wizards) <= MAX_WIZARDS:
        raise InvalidData("wizards", f"a duel has {MIN_WIZARDS} to {MAX_WIZARDS} wizards")
    seated = _name_duellists(wizards)
    if len({wizard.name for wizard in seated}) != len(seated):
        raise InvalidData("wizards", "every wizard needs a name of their own")
    for option in options:
        if option not in OPTIONS and all(option not in each.options for each in RULESETS.values()):
            raise InvalidData("options", f"unknown option {option!r}")
        if option not in available_options(ruleset):
            without = f" {OPTIONS[option]} for" if option in OPTIONS else ""
            raise InvalidData("options", f"{ruleset} has no{without} {option!r}")
    seats = [Wizard(seat, each.name, each.pronouns) for seat, each in enumerate(seated)]
    position = Position(ruleset, wizards=seats, options=tuple(options))
    if setup is not None:
        _SetupApplier(position).apply(setup)
    return position


def available_options(ruleset: str) -> tuple[str, ...]:
    """Return the options that a duel under this ruleset can have. Raises KeyError."""
    rules = RULESETS[ruleset]
    meant = tuple(each for each, spell in OPTIONS.items() if not spell or spell in rules.spells)
    return (*meant, *rules.options)


def _name_duellists(wizards: Sequence[Duellist]) -> list[Duellist]:
    """Return the duellists with names and pronouns, without name suffixes. rules: F3, F5"""
    read = [_read_pronouns(f"wizards[{seat}]", wizard) for seat, wizard in enumerate(wizards)]
    taken = {wizard.name: seat for seat, wizard in enumerate(read) if wizard.name}
    return [
        wizard if wizard.name else Duellist(_default_name(seat, taken), wizard.pronouns)
        for seat, wizard in enumerate(read)
    ]


def _read_pronouns(place: str, wizard: Duellist) -> Duellist:
    """Return the duellist without the name's suffix, and with the pronouns that it selects."""
    name, colon, letter = wizard.name.rpartition(":")
    if not colon:
        name = letter
    elif colon + letter not in PRONOUN_SUFFIXES:
        known = ", ".join(PRONOUN_SUFFIXES)
        raise InvalidData(f"{place}.name", f"the suffix after the colon must be one of {known}")
    pronouns = PRONOUN_SUFFIXES[colon + letter] if colon else wizard.pronouns
    if ":" in name:
        raise InvalidData(f"{place}.name", "a name can have a colon only before its suffix")
    if pronouns not in PRONOUNS:
        raise InvalidData(f"{place}.pronouns", f"must be one of {', '.join(PRONOUNS)}")
    return Duellist(name, pronouns)


def _default_name(seat: int, taken: Mapping[str, int]) -> str:
    """Return the default name for a seat.

    If another wizard has chosen that name, return the default name for that wizard's seat instead.
    """
    while SEAT_NAMES[seat] in taken:
        seat = taken[SEAT_NAMES[seat]]
    return SEAT_NAMES[seat]


class _SetupApplier:
    """Helper that applies a setup to a position. Its errors name the faulty place."""

    def __init__(self, position: Position) -> None:
        self.position = position

    def apply(self, setup: Setup) -> None:
        check_keys("setup", parse_object("setup", setup), ("turn", "wizards", "monsters"))
        self.position.turn = parse_int("setup.turn", setup.get("turn", 1), 1)
        for number, row in enumerate(parse_objects("setup.wizards", setup.get("wizards", ()))):
            place = f"setup.wizards[{number}]"
            if number >= len(self.position.wizards):
                raise InvalidData(place, "there is no such seat")
            self.apply_wizard(place, self.position.wizards[number], row)
        for number, row in enumerate(parse_objects("setup.monsters", setup.get("monsters", ()))):
            self.apply_monster(f"setup.monsters[{number}]", row)
        try:
            check_position(self.position)
        except InvalidData as error:
            raise InvalidData(f"setup.{error.field}", error.text) from error
        if not self.position.rules.blind_sense_spells:
            self.limit_monsters_known_to_blind()
        if self.position.rules.acts_before_turns:
            begin_extra_actions(self.position)
        if self.position.rules.minds is MindTiming.NEXT_ROW:
            self.begin_minds()
        if self.position.rules.haste is HasteMode.OWN_PHASE:
            self.begin_haste()

    def limit_monsters_known_to_blind(self) -> None:
        """Record the existing monsters as those that blind wizards know. rules: R94"""
        for wizard in self.position.wizards:
            if is_effect_active(wizard, self.position.rules.blinding, self.position.turn):
                wizard.knows = {monster.id: monster.name for monster in self.position.monsters}

    def beings(self) -> list[Wizard | Monster]:
        return [*self.position.wizards, *self.position.monsters]

    def begin_minds(self) -> None:
        """Make permanent mind spells act whenever no other mind spell is waiting. rules: R79"""
        for being in self.beings():
            kind = first_mind_spell(self.position.rules, being.effects)
            if kind and being.effects[kind].permanent:
                being.lasting = {kind: being.effects[kind]}

    def begin_haste(self) -> None:
        """Begin with a haste phase if anyone is hasted. rules: R97"""
        haste = self.position.rules.hastening
        if any(is_effect_active(being, haste, self.position.turn) for being in self.beings()):
            self.position.kind = HASTE

    def apply_wizard(self, place: str, wizard: Wizard, row: Mapping[str, object]) -> None:
        check_keys(
            place, row,
            ("damage", "left", "right", "effects", "bank", "bank_subject", "used_bolt", "state"),
        )  # fmt: skip
        wizard.damage = self.read_damage(place, row)
        left = _read_letters(f"{place}.left", row.get("left", ""))
        right = _read_letters(f"{place}.right", row.get("right", ""))
        if len(left) != len(right):
            raise InvalidData(f"{place}.right", "both hands need the same number of gestures")
        depth = self.position.rules.automaton.depth
        wizard.letters = interleaved_letters(left[-depth:], right[-depth:])
        wizard.left_state, wizard.right_state = hand_states(self.position.rules, left, right)
        wizard.effects = self.read_effects(f"{place}.effects", row.get("effects", {}))
        held = wizard.effects.values()
        if any(pair not in GESTURE_PAIRS for effect in held for pair in effect.sets):
            raise InvalidData(f"{place}.effects", "a wizard repeats gestures, not attacks")
        paralysis = self.position.rules.holding
        if paralysis in wizard.effects:
            self.check_paralysis(f"{place}.effects.{paralysis}", wizard.effects[paralysis])
        wizard.bank = parse_string(f"{place}.bank", row.get("bank") or "")
        if wizard.bank and wizard.bank not in self.position.rules.spells:
            raise InvalidData(f"{place}.bank", f"unknown spell {wizard.bank!r}")
        if wizard.bank and self.position.rules.asking is QuestionMode.AT_EVERY_STEP:
            wizard.bank_pattern = self.position.rules.spells[wizard.bank].patterns[0]
        wizard.bank_subject = self.read_bank_subject(place, wizard, row.get("bank_subject") or "")
        wizard.used_bolt = row.get("used_bolt") is True
        wizard.standing = parse_choice(
            f"{place}.state", row.get("state", STANDING), WIZARD_STANDINGS
        )
        if wizard.standing != STANDING and (wizard.effects or wizard.bank):
            raise InvalidData(place, "a wizard who is out of the duel has no effects")
        limit = wizard.damage_limit(self.position.rules)
        if wizard.standing == STANDING and wizard.damage >= limit:
            raise InvalidData(f"{place}.damage", f"below {limit} for a wizard in the duel")

    def read_bank_subject(self, place: str, wizard: Wizard, value: object) -> str:
        """Return the subject that is banked with the spell, or "" if none is. rules: W34"""
        subject, place = parse_string(f"{place}.bank_subject", value), f"{place}.bank_subject"
        rules = self.position.rules
        if rules.bank_keeps_subject and wizard.bank:
            spell = rules.spells[wizard.bank]
            subject = subject or default_subject(self.position, spell, wizard.id)
            if not subject and not spell.is_area:
                raise InvalidData(place, "a banked spell needs its subject")
            return subject
        if subject:
            raise InvalidData(place, "banked spells have no subject in this ruleset")
        return ""

    def check_paralysis(self, place: str, effect: Effect) -> None:
        """Check that the hand, letter and caster of a paralysis fit the ruleset. rules: R80, W18"""
        if self.position.rules.hand_named is HandNamingTime.WHEN_IT_WORKS:
            if not effect.letter:
                raise InvalidData(place, "needs a hand and its letter")
        elif effect.letter or not effect.caster:
            raise InvalidData(place, "needs a caster, who names the hand, and no letter")

    def apply_monster(self, place: str, row: Mapping[str, object]) -> None:
        check_keys(place, row, ("kind", "controller", "damage", "victim", "state", "effects"))
        rules = self.position.rules
        kinds = tuple(kind for kind in rules.monsters if kind != "elemental")
        number = self.position.created
        kind = parse_choice(f"{place}.kind", row.get("kind"), kinds)
        monster = Monster(monster_id(number), kind, monster_name(rules, kind, number))
        monster.controller = self.read_wizard_id(f"{place}.controller", row.get("controller"))
        monster.victim = parse_string(f"{place}.victim", row.get("victim") or "")
        monster.damage = self.read_damage(place, row)
        monster.state = parse_choice(f"{place}.state", row.get("state", ALIVE), (ALIVE, CORPSE))
        monster.effects = self.read_effects(f"{place}.effects", row.get("effects", {}))
        if monster.state == CORPSE:
            if monster.is_elemental:
                raise InvalidData(f"{place}.state", "elementals leave no corpse")
            monster.controller = monster.victim = ""
            monster.damage = 0
        self.position.created = number + 1
        self.position.monsters.append(monster)

    def read_damage(self, place: str, row: Mapping[str, object]) -> int:
        """Return the damage, which is negative above a being's starting hit points. rules: W4"""
        return parse_int(f"{place}.damage", row.get("damage", 0), -self.position.rules.surplus)

    def read_effects(self, place: str, rows: object) -> dict[str, Effect]:
        found: dict[str, Effect] = {}
        for kind, row in parse_object(place, rows).items():
            spell = self.position.rules.spells.get(kind)
            if spell is None or spell.lasts is Duration.INSTANT:
                raise InvalidData(place, f"unknown effect {kind!r}")
            found[kind] = effect = self.read_effect(f"{place}.{kind}", row)
            if spell.hands is HandEffect.CHARMED:
                named = self.position.rules.hand_named is HandNamingTime.WHEN_IT_WORKS
                if not effect.caster or named != bool(effect.hand):
                    needs = "a caster and a hand" if named else "a caster, who names the hand"
                    raise InvalidData(f"{place}.{kind}", f"a charm needs {needs}")
        return found

    def read_effect(self, place: str, value: object) -> Effect:
        row = parse_object(place, value)
        check_keys(
            place, row,
            ("turns", "permanent", "caster", "hand", "letter", "sets", "victims"),
        )  # fmt: skip
        turn = self.position.turn
        last = FOREVER
        if row.get("turns") is not None:
            last = turn + parse_int(f"{place}.turns", row["turns"], 1) - 1
        sets = parse_strings(f"{place}.sets", row.get("sets") or ())
        for number, pair in enumerate(sets):
            parse_choice(f"{place}.sets[{number}]", pair, GESTURE_PAIRS)
        hand = parse_choice(f"{place}.hand", row.get("hand") or "", ("", "L", "R"))
        letter = parse_choice(f"{place}.letter", row.get("letter") or "", ("", *GESTURES))
        if letter and not hand:
            raise InvalidData(f"{place}.hand", "a letter needs the hand that makes it")
        return Effect(
            min(turn, last),
            last,
            self.read_wizard_id(f"{place}.caster", row.get("caster")),
            row.get("permanent") is True,
            hand,
            letter,
            sets or parse_strings(f"{place}.victims", row.get("victims") or ()),
        )

    def read_wizard_id(self, place: str, value: object) -> str:
        """Return the id of a wizard in this duel, or "" if none is given."""
        wizards = [wizard.id for wizard in self.position.wizards]
        return parse_choice(place, value or "", ("", *wizards))


def _read_letters(place: str, value: object) -> str:
    text = parse_string(place, value)
    if any(letter not in GESTURES for letter in text):
        raise InvalidData(place, f"gestures are {' '.join(GESTURES)}")
    return text
