"""Checks that a loaded position names only beings of its duel and spells of its ruleset.

Each error names the field. rules: none; `codec` uses this.
"""

from collections.abc import Iterable, Mapping
from typing import Final

from engine.gestures import BANK, BOTH, GESTURES, LEFT, RIGHT, STAB, SYMBOLS_OF_PAIR
from engine.ids import FUTURE_BEINGS, MAX_SEATS, monster_id
from engine.json_values import InvalidData, parse_choice
from engine.positions.position import DRAW, HASTE, Effect, Monster, PendingCast, Position, Wizard
from engine.rulesets.choices import HandNamingTime, HasteMode
from engine.spellbook import UNDECIDED_ELEMENTAL, HandEffect

MIN_SEATS: Final = 2
CHARMED, HELD = HandEffect.CHARMED, HandEffect.HELD
NON_BEINGS: Final = ("", "nowhere", "no_one")
SINGLE_HANDS: Final = (LEFT, RIGHT)
PENDING_HANDS: Final = (LEFT, RIGHT, BOTH, BANK)


def check_position(position: Position) -> None:
    """Raise InvalidData for the first field with a value that no duel of this kind can have."""
    seats = len(position.wizards)
    if not MIN_SEATS <= seats <= MAX_SEATS:
        raise InvalidData("wizards", f"a duel has {MIN_SEATS} to {MAX_SEATS} wizards")
    _Checker(position).check_all()


def monster_number_of_id(id: str) -> int | None:
    """Return the number of the monster with this id, or None if it is not a monster's."""
    digits = id[1:]
    is_monster = id[:1] == "m" and digits.isascii() and digits.isdigit()
    return int(digits) if is_monster and monster_id(int(digits)) == id else None


class _Checker:
    """Checker of one position, with the ids that may be named in it."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.rules = position.rules
        self.wizards = tuple(wizard.id for wizard in position.wizards)

    def check_all(self) -> None:
        position = self.position
        for wizard in position.wizards:
            if wizard.effects or wizard.lasting or wizard.made or wizard.knows:
                self.check_effects_and_gestures(f"wizards[{wizard.seat}]", wizard)
            if wizard.bank or wizard.bank_pattern or wizard.bank_subject:
                self.check_bank(f"wizards[{wizard.seat}]", wizard)
            if wizard.attacker:
                self.check_being(f"wizards[{wizard.seat}].attacker", wizard.attacker)
            for hand in wizard.blind_charms:
                parse_choice(f"wizards[{wizard.seat}].charming", hand.wizard, self.wizards)
        if position.monsters:
            self.check_monsters()
        if position.outcome:
            parse_choice("outcome", position.outcome, (DRAW, *self.wizards))
        if position.kind == HASTE and self.rules.haste is HasteMode.TWO_SETS:
            raise InvalidData("kind", f"{position.ruleset} has no hasted turns")
        for id in position.stopped:
            if position.being(id) is None:
                raise InvalidData("stopped", f"there is no being {id!r}")
        for id in position.left_now:
            parse_choice("left_now", id, self.wizards)
        for number, cast in enumerate(position.pending):
            self.check_pending(f"pending[{number}]", cast)

    def check_effects_and_gestures(self, place: str, wizard: Wizard) -> None:
        if wizard.effects:
            self.check_effects(f"{place}.effects", wizard.effects, has_hands=True)
        if wizard.lasting:
            self.check_effects(f"{place}.lasting", wizard.lasting, has_hands=True)
        for pair in wizard.made:
            if pair not in SYMBOLS_OF_PAIR:
                raise InvalidData(f"{place}.made", f"{pair!r} is not a set of gestures")
        self.check_beings(f"{place}.knows", wizard.knows or ())

    def check_bank(self, place: str, wizard: Wizard) -> None:
        spell = self.rules.spells.get(wizard.bank)
        if spell is None:
            raise InvalidData(f"{place}.bank", f"unknown spell {wizard.bank!r}")
        if wizard.bank_pattern:
            parse_choice(f"{place}.bank_pattern", wizard.bank_pattern, spell.patterns)
        if wizard.bank_subject not in NON_BEINGS:
            self.check_being(f"{place}.bank_subject", wizard.bank_subject)

    def check_effects(
        self, place: str, effects: Mapping[str, Effect], *, has_hands: bool = False
    ) -> None:
        """Check the effects on a wizard (`has_hands`) or on a monster."""
        for kind, effect in effects.items():
            here = f"{place}.{kind}"
            if kind not in self.rules.spells:
                raise InvalidData(place, f"unknown spell {kind!r}")
            if effect.caster:
                parse_choice(f"{here}.caster", effect.caster, self.wizards)
            if effect.hand:
                parse_choice(f"{here}.hand", effect.hand, SINGLE_HANDS)
            if effect.letter:
                parse_choice(f"{here}.letter", effect.letter, GESTURES)
            if has_hands:
                self.check_hand_effect(here, kind, effect)
            for id in effect.unseen_by:
                parse_choice(f"{here}.unseen_by", id, self.wizards)
            for each in effect.sets:
                if each not in SYMBOLS_OF_PAIR and has_hands:
                    raise InvalidData(f"{here}.sets", f"{each!r} is not a set of gestures")
                if each not in SYMBOLS_OF_PAIR:
                    self.check_being(f"{here}.sets", each)

    def check_hand_effect(self, place: str, kind: str, effect: Effect) -> None:
        """Check that a mind spell on a hand has a caster and a hand, which later turns need."""
        hands = self.rules.spells[kind].hands
        is_named_later = self.rules.hand_named is HandNamingTime.WHEN_IT_ACTS
        if not effect.caster and (hands is CHARMED or (hands is HELD and is_named_later)):
            raise InvalidData(f"{place}.caster", "is missing: the caster names the hand")
        if not effect.hand and hands is CHARMED and not is_named_later:
            raise InvalidData(f"{place}.hand", "is missing")

    def check_monsters(self) -> None:
        ids: set[str] = set()
        for index, monster in enumerate(self.position.monsters):
            place = f"monsters[{index}]"
            number = monster_number_of_id(monster.id)
            if number is None or monster.id in ids:
                raise InvalidData(f"{place}.id", "is not the unique id of a monster")
            if number >= self.position.created:
                raise InvalidData("created", f"must count {monster.id!r}")
            ids.add(monster.id)
            self.check_monster(place, monster)

    def check_monster(self, place: str, monster: Monster) -> None:
        if monster.kind == UNDECIDED_ELEMENTAL or monster.kind not in self.rules.monsters:
            raise InvalidData(f"{place}.kind", f"{monster.kind!r} is not a kind of monster")
        if monster.controller:
            parse_choice(f"{place}.controller", monster.controller, self.wizards)
        if monster.victim not in NON_BEINGS:
            self.check_being(f"{place}.victim", monster.victim)
        self.check_beings(f"{place}.made", monster.made)
        for name in ("effects", "lasting", "waiting"):
            self.check_effects(f"{place}.{name}", getattr(monster, name))

    def check_beings(self, place: str, ids: Iterable[str]) -> None:
        for id in ids:
            self.check_being(place, id)

    def check_being(self, place: str, id: str) -> None:
        """Check that this is a wizard's id or can be a monster's, even one that is gone."""
        if id not in self.wizards and monster_number_of_id(id) is None:
            raise InvalidData(place, f"there is no being {id!r}")

    def check_pending(self, place: str, cast: PendingCast) -> None:
        parse_choice(f"{place}.wizard", cast.wizard, self.wizards)
        parse_choice(f"{place}.hand", cast.hand, PENDING_HANDS)
        if cast.pattern != STAB:
            spell = self.rules.spells.get(cast.spell)
            if spell is None:
                raise InvalidData(f"{place}.spell", f"unknown spell {cast.spell!r}")
            parse_choice(f"{place}.pattern", cast.pattern, spell.patterns)
        if cast.subject not in NON_BEINGS and cast.subject not in FUTURE_BEINGS:
            self.check_being(f"{place}.subject", cast.subject)
