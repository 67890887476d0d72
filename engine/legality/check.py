"""Faults of a wizard's orders, each with a code, a field of the flat form, a rule and a sentence.

Faults reveal nothing that the wizard may not know: checks ignore everything that a blind wizard
cannot see. rules: turn:orders, F12, F19
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from engine.gestures import BANK, GESTURES, HAND_FIELD_NAMES, HAND_NAMES, LEFT, NOTHING, RIGHT, STAB
from engine.ids import FUTURE_BEINGS, SET_HANDS, WIZARD_HANDS, is_monster
from engine.legality import scope
from engine.legality.hand_constraints import set_count
from engine.legality.moves import Moves, PossibleSpells
from engine.orders import (
    MAX_MESSAGE_LENGTH,
    PLAIN_FIELDS,
    HandSet,
    KeyedField,
    Orders,
    SetField,
    all_fields,
    fields,
    order_field,
)
from engine.positions.position import (
    DEAD,
    HASTE,
    SACRIFICE,
    STANDING,
    STRICT,
    Monster,
    Position,
    Wizard,
)
from engine.rules_text.wording import letters_text
from engine.rulesets.choices import CaptureRule, HandNamingTime, HasteMode, TimeStopMode
from engine.spellbook import SUBJECTS_WITH_MONSTERS, Spell


@dataclass(frozen=True, slots=True)
class Fault:
    """One reason why orders are illegal, and the field to which it applies."""

    code: str
    field: str
    rule: str
    text: str


_ORDINARY_LETTERS: Final = frozenset("FPSWDC>-")


def check(position: Position, wizard: str, orders: Orders) -> tuple[Fault, ...]:
    """Return all faults of these orders. Raises KeyError for an unknown wizard."""
    own = position.wizard(wizard)
    if own.standing != STANDING or position.outcome:
        return (Fault("out_of_the_duel", "", "turn:orders", "You are no longer in this duel."),)
    if position.options and scope.are_choices_asked_later(position):
        return tuple(_name_faults(orders)) or tuple(_gestures_only_faults(position, own, orders))
    if not orders.is_hands_and_monsters_only and (faults := tuple(_name_faults(orders))):
        return faults
    return tuple(_all_faults(position, own, orders))


def _name_faults(orders: Orders) -> Iterator[Fault]:
    """Yield faults for fields and hands that do not exist, which no form on the site can send."""
    for name in all_fields(orders):
        if name not in PLAIN_FIELDS and order_field(name) is None:
            yield Fault("unknown_field", name, "turn:orders", "Orders do not have this field.")
    for field, hand in orders.marks:
        if hand not in SET_HANDS:
            yield Fault("no_hand", field, "turn:orders", "This is not the name of a hand.")


def _all_faults(position: Position, own: Wizard, orders: Orders) -> Iterator[Fault]:
    is_plain = orders.is_hands_and_monsters_only
    moves = Moves(position, own)
    gestures: list[Fault] = []
    if not is_plain or len(orders.sets) > 1 or not moves.is_free:
        gestures += _gesture_faults(moves, orders)
        yield from gestures
    if len(orders.say) > MAX_MESSAGE_LENGTH:
        yield Fault(
            "too_long", "say", "turn:orders", f"Use at most {MAX_MESSAGE_LENGTH} characters."
        )
    if not gestures and not orders.is_bare:
        possible = PossibleSpells(moves, orders)
        for number, hands in enumerate(orders.sets, 1):
            suffix = "" if number == 1 else str(number)
            if hands.spells:
                yield from _spell_faults(possible, number, hands, suffix)
            for hand, subject in hands.subjects.items():
                if not possible.is_legal_subject(number, hand, subject):
                    yield _subject_fault(possible, number, hand, subject)
        if not is_plain:
            yield from _bank_faults(possible)
            if orders.sacrifice:
                yield from _sacrifice_faults(possible)
        if orders.victims:
            yield from _victim_faults(possible)
    if is_plain:
        return
    if orders.charmed:
        yield from _charmed_hand_faults(position, own, orders)
    if orders.held:
        yield from _held_hand_faults(position, own, orders)
    if orders.heart and not scope.can_stop_heart(position, own):
        text = "You can only stop your own heart under a permanent mind spell."
        if not position.rules.hearts_stop:
            text = "In this game wizards cannot stop their own heart."
        yield Fault("heart_beats_on", "heart", "W27", text)
    if orders.answers and not position.rules.spells_that_ask:
        for kind in orders.answers:
            text = "In this game you are not asked anything after the reveal."
            yield Fault("never_asked", f"answer:{kind}", "W18", text)
    elif orders.answers and STRICT in position.options:
        for kind in orders.answers:
            text = "In a strict duel you can only answer after you are asked."
            yield Fault("strict", f"answer:{kind}", "turn:answers", text)


def _gestures_only_faults(position: Position, own: Wizard, orders: Orders) -> Iterator[Fault]:
    """Yield the faults of orders in a stepwise duel, which consist of gestures and a message.

    rules: turn:stepwise
    """
    yield from _gesture_faults(Moves(position, own), orders)
    if len(orders.say) > MAX_MESSAGE_LENGTH:
        yield Fault(
            "too_long", "say", "turn:orders", f"Use at most {MAX_MESSAGE_LENGTH} characters."
        )
    gestures = Orders(sets=tuple(HandSet(hands.left, hands.right) for hands in orders.sets))
    for field in fields(replace(orders, say="")).keys() - fields(gestures).keys():
        text = "In a strict duel you can only answer after you are asked."
        yield Fault("strict", field, "turn:answers", text)


def _gesture_faults(moves: Moves, orders: Orders) -> Iterator[Fault]:
    """Yield the faults of the gestures. rules: R16, R80, R82, R87, R97, R98, R129"""
    for number, hands in enumerate(orders.sets, 1):
        if number <= moves.sets:
            yield from _letter_faults(moves, number, hands)
            continue
        for field in _written_fields(number, hands):
            if moves.sets:
                text = "Only a hasted wizard can make a second set of gestures."
                yield Fault("no_second_set", field, "R97", text)
            else:
                yield _fault_of_idle_wizard(moves.position, field)


def _written_fields(number: int, hands: HandSet) -> Iterator[str]:
    """Yield the fields of this set that are not empty."""
    for hand, letter in ((LEFT, hands.left), (RIGHT, hands.right)):
        if letter != NOTHING:
            yield SetField(hand, number).text
    for hand in hands.spells:
        yield SetField(hand, number, "spell").text
    for hand in hands.subjects:
        yield SetField(hand, number, "subject").text


def _fault_of_idle_wizard(position: Position, field: str) -> Fault:
    """Return the fault of a gesture in a turn in which the wizard does not act."""
    if position.kind == HASTE:
        if position.rules.haste is HasteMode.OWN_TURN:
            text = "Only hasted wizards can make gestures in this turn."
            return Fault("not_your_turn", field, "W9", text)
        text = "Only hasted wizards can make gestures in this phase."
        return Fault("not_your_turn", field, "R97", text)
    rule = "W12" if position.rules.time_stop is TimeStopMode.OWN_TURN else "R98"
    text = "Time has stopped for you: you cannot make gestures in this extra turn."
    return Fault("not_your_turn", field, rule, text)


def _letter_faults(moves: Moves, number: int, hands: HandSet) -> Iterator[Fault]:
    suffix = "" if number == 1 else str(number)
    # Spellcast accepts any row, and corrects it at the reveal.
    asked = scope.are_choices_asked_later(moves.position)
    forced = moves.limits.forced[number - 1]
    for hand, letter, must in zip("LR", (hands.left, hands.right), forced, strict=True):
        side = HAND_FIELD_NAMES[hand]
        if letter not in _ORDINARY_LETTERS or len(letter) != 1:
            yield Fault(
                "no_gesture", side + suffix, "turn:orders",
                f"A gesture is one of {' '.join(GESTURES)}.",
            )  # fmt: skip
        elif asked or letter in moves.allowed_letters(number, hand):
            continue
        elif not must:
            letters = letters_text(moves.limits.letters)
            yield Fault(
                "feared_letter", side + suffix, "R87",
                f"You are afraid: you cannot make {letter}, only {letters}.",
            )  # fmt: skip
        elif letter != NOTHING:
            kind = moves.limits.mind
            yield Fault(
                "forced_hand", side + suffix, f"spell:{kind}",
                f"You do not control your {side} hand: {kind} makes it do {must}.",
            )  # fmt: skip
    if moves.has_two_stabs(number, hands):
        rule = "R129" if STAB in forced else "R16"
        text = "You have only one knife: stab with one hand only."
        for hand, must in zip("LR", forced, strict=True):
            if must != STAB:
                yield Fault("two_stabs", HAND_FIELD_NAMES[hand] + suffix, rule, text)


def _spell_faults(
    possible: PossibleSpells, number: int, hands: HandSet, suffix: str
) -> Iterator[Fault]:
    for hand, spell in hands.spells.items():
        field = f"{HAND_FIELD_NAMES[hand]}_spell{suffix}"
        if spell not in possible.position.rules.spells:
            yield Fault("unknown_spell", field, "turn:casting", f"There is no spell {spell!r}.")
        elif all(end.spell.id != spell for end in possible.completable_spells(number, hand)):
            name = possible.position.rules.spells[spell].name
            text = f"Your gestures do not complete {name} here."
            yield Fault("not_completed", field, "R7", text)
    if hands.spells.get("BH") and (hands.spells.get("L") or hands.spells.get("R")):
        chosen = {hands.spells.get(hand) for hand in ("BH", "L", "R")} - {None, ""}
        if len(chosen) > 1:
            text = "If both hands cast one spell, neither can cast its own: choose one."
            for hand in hands.spells:
                yield Fault(
                    "both_hands_used", f"{HAND_FIELD_NAMES[hand]}_spell{suffix}", "R4", text
                )


def _subject_fault(possible: PossibleSpells, number: int, hand: str, subject: str) -> Fault:
    """Return the reason why a hand's subject is illegal. rules: R8, R14, R17, R39, R150"""
    field = SetField(hand, number, "subject").text
    spells = possible.castable_spells(number, hand)
    if not spells and not possible.is_stabbing(number, hand) and not possible.is_open:
        text = "This hand does not complete a spell or stab, so it needs no target."
        return Fault("nothing_to_aim", field, "turn:orders", text)
    if subject != scope.NOWHERE and not scope.is_known_subject(
        possible.position, possible.own, subject
    ):
        return Fault("nobody_there", field, "R14", "You do not know of any such being.")
    if not spells:
        return _stab_fault(possible, subject, field)
    spell = spells[0]
    text = f"You cannot cast {spell.name} at this target: choose another."
    if spell.is_area:
        text = f"{spell.name} strikes the whole arena and does not take a target."
    return Fault("subject", field, _subject_rule(possible, spell, subject), text)


def _stab_fault(possible: PossibleSpells, subject: str, field: str) -> Fault:
    """Return why this subject cannot be stabbed, from the ruleset's stab row. rules: R14, R17"""
    if subject == possible.own.id:
        return Fault("stab_self", field, "R17", "You cannot stab yourself.")
    if subject == scope.NOWHERE:
        return Fault("stab_nowhere", field, "R17", "A stab needs a target.")
    if subject in FUTURE_BEINGS:
        text = "In this game you can only stab beings that are already here."
        return Fault("subject", field, "R14", text)
    being = possible.position.being(subject)
    if (
        isinstance(being, Monster)
        and possible.position.rules.stab.legal not in SUBJECTS_WITH_MONSTERS
    ):
        return Fault("subject", field, "R17", "In this game you can only stab wizards.")
    return Fault("subject", field, "R17", "In this game you can only stab living beings.")


def _subject_rule(possible: PossibleSpells, spell: Spell, subject: str) -> str:
    """Return the rule that forbids this subject for the spell."""
    if subject == scope.NOWHERE:
        return "R8"
    if subject in FUTURE_BEINGS and not possible.position.rules.subjects_to_come:
        return "R14"
    being = possible.position.being(subject)
    if isinstance(being, Wizard):
        if spell.raises and being.standing == DEAD:
            return "R54"
        if spell.breaks:
            return "R93"
    return spell.rule


def _bank_faults(possible: PossibleSpells) -> Iterator[Fault]:
    """Yield the faults of releases and captures. rules: spell:delayed_effect, R53, R172"""
    orders, own, position = possible.orders, possible.own, possible.position
    if orders.release and not possible.moves.can_release:
        yield Fault("nothing_banked", "release", "R53", "You have no banked spell to release.")
    elif orders.release_subject and position.rules.bank_keeps_subject:
        text = "A banked spell keeps its target: you cannot change it now."
        yield Fault("subject_is_banked", "release_subject", "W34", text)
    elif orders.release_subject and not orders.release:
        text = "Release the banked spell to give it a target."
        yield Fault("not_released", "release_subject", "spell:delayed_effect", text)
    elif orders.release and orders.release_subject:
        spell, subject = position.rules.spells[own.bank], orders.release_subject
        if subject != scope.NOWHERE and not scope.is_known_subject(position, own, subject):
            text = "You do not know of any such being."
            yield Fault("nobody_there", "release_subject", "R14", text)
        elif not possible.moves.is_possible_subject(spell, subject):
            text = f"You cannot cast {spell.name} at this target: choose another."
            yield Fault("subject", "release_subject", _subject_rule(possible, spell, subject), text)
    if position.rules.capture is CaptureRule.MARKED:
        yield from _mark_faults(position, own, orders)
        return
    for field, hand in orders.marks:
        marked = SET_HANDS[hand]
        spells = possible.castable_spells(marked.set, marked.hand)
        if field == "permanency":
            spells = [spell for spell in spells if spell.can_be_permanent]
        if not spells and not possible.is_open:
            text = "This hand does not complete a suitable spell."
            yield Fault(
                "nothing_to_capture", field, f"R{107 if field == 'permanency' else 103}", text
            )


def _mark_faults(position: Position, own: Wizard, orders: Orders) -> Iterator[Fault]:
    """Yield the faults of marked hands, which need not complete a spell. rules: W34, W35"""
    for field, hand in orders.marks:
        rule = "W34" if field == "bank" else "W35"
        window = scope.window_of_field(position.rules, field)
        if not scope.can_mark_hand(position, own, window):
            name = position.rules.spells[window].name
            text = f"You have no {name} to use on a spell this turn."
            yield Fault("window_shut", field, rule, text)
        elif SET_HANDS[hand].set > 1 and set_count(position, own) < 2:
            text = "You make only one set of gestures."
            yield Fault("no_second_set", field, rule, text)


def _sacrifice_faults(possible: PossibleSpells) -> Iterator[Fault]:
    """Yield the faults of the monster that a Sacrifice gives up. rules: R24"""
    position, own, key = possible.position, possible.own, possible.orders.sacrifice
    if SACRIFICE not in position.options:
        text = "In this duel a Sacrifice does not give up a monster."
        yield Fault("no_such_option", "sacrifice", "R24", text)
    elif not possible.is_open and not any(spell.gives_up for _, spell in possible.all_casts()):
        text = "These orders do not cast Sacrifice."
        yield Fault("nothing_sacrificed", "sacrifice", "R24", text)
    elif key in FUTURE_BEINGS and FUTURE_BEINGS[key].maker == own.id:
        if why := _future_monster_fault(possible, key):
            yield replace(why, field="sacrifice")
    elif not is_monster(key) or not scope.is_known_subject(position, own, key):
        text = "You do not know of any such monster."
        yield Fault("nobody_there", "sacrifice", "R14", text)
    elif not possible.can_command(key):
        text = "That monster does not obey you, so you cannot give it up."
        yield Fault("not_your_monster", "sacrifice", "R24", text)
    elif scope.is_own_elemental(position, own, key):
        text = "An elemental cannot be given up."
        yield Fault("subject", "sacrifice", "R24", text)


def _victim_faults(possible: PossibleSpells) -> Iterator[Fault]:
    """Yield the faults of monsters' victims. rules: R15, R55, R74, R123, F19-F22"""
    for key, victims in possible.orders.victims.items():
        named = _keyed_fields("victim", key, victims)
        if why := _monster_fault(possible, key):
            yield from (replace(why, field=field) for field in named)
            continue
        if len(victims) > 1 and possible.position.rules.haste is HasteMode.OWN_TURN:
            text = "A hasted monster strikes the same victim twice: name only one."
            yield Fault("one_victim", f"victim2:{key}", "W42", text)
        for field, victim in named.items():
            if not possible.is_legal_victim(key, victim):
                yield _victim_fault(possible, key, victim, field)


def _keyed_fields(kind: str, key: str, values: Sequence[str]) -> dict[str, str]:
    """Return the values that are not empty, by the fields that contain them."""
    return {
        KeyedField(kind, key, number).text: value for number, value in enumerate(values, 1) if value
    }


def _monster_fault(possible: PossibleSpells, key: str) -> Fault | None:
    """Return a fault without a field if this monster does not take orders, otherwise None."""
    position, own = possible.position, possible.own
    if key in FUTURE_BEINGS:
        return _future_monster_fault(possible, key)
    if not is_monster(key) or not scope.is_known_subject(position, own, key):
        return Fault("nobody_there", "", "R14", "You do not know of any such monster.")
    if not possible.can_command(key):
        return Fault("not_your_monster", "", "R15", "That monster does not obey you.")
    if scope.is_own_elemental(position, own, key):
        text = "Elementals attack everyone and do not take orders."
        return Fault("takes_no_orders", "", "spell:summon_elemental", text)
    return None


def _future_monster_fault(possible: PossibleSpells, key: str) -> Fault | None:
    """Return a fault without a field if this monster cannot be made, otherwise None.

    If the wizard's own hand or bank would make it, these orders must cast that summons. An order
    for a monster that another wizard may make is accepted, and takes effect if it is made.
    """
    made = FUTURE_BEINGS[key]
    if not scope.is_known_subject(possible.position, possible.own, key):
        return Fault("nobody_there", "", "R14", "No wizard here can make that monster.")
    if made.maker != possible.own.id or possible.is_open:
        return None
    if made.hand == BANK:
        bank = possible.own.bank if possible.orders.release else ""
        spells = [possible.position.rules.spells[bank]] if bank else []
    else:
        spells = possible.castable_spells(made.set, made.hand)
    if any(spell.monster for spell in spells):
        return None
    text = "With these orders, that hand does not make a monster."
    return Fault("makes_no_monster", "", "R15", text)


def _victim_fault(possible: PossibleSpells, key: str, victim: str, field: str) -> Fault:
    """Return the reason why a monster cannot be ordered to attack this victim."""
    if victim == key and not possible.position.rules.can_attack_itself:
        return Fault("attacks_itself", field, "R74", "A monster cannot attack itself.")
    if victim == scope.ATTACKER:
        text = "You can only name your last attacker while you are blind."
        return Fault("not_blind", field, "spell:blindness", text)
    if not scope.is_known_subject(possible.position, possible.own, victim):
        return Fault("nobody_there", field, "R14", "You do not know of any such being.")
    return Fault("victim", field, "turn:victims", "Monsters can only attack living beings.")


def _charmed_hand_faults(position: Position, own: Wizard, orders: Orders) -> Iterator[Fault]:
    """Yield the faults of letters for charmed hands. rules: spell:charm_person, R85, R86"""
    mine = set(scope.charmed_hands(position, own))
    for key, letters in orders.charmed.items():
        moved = WIZARD_HANDS[key].wizard
        if moved in position.left_now:
            continue
        if key not in mine:
            text = "You have not charmed that hand, so you cannot move it."
            for field in _keyed_fields("charmed", key, letters):
                yield Fault("not_your_hand", field, "R85", text)
            continue
        subject = position.wizard(moved)
        if len(letters) > set_count(position, subject):
            text = f"{subject.name} makes only one set of gestures."
            yield Fault("no_second_set", f"charmed2:{key}", "R97", text)
    if position.rules.hand_named is HandNamingTime.WHEN_IT_ACTS:
        charmed = [WIZARD_HANDS[key].wizard for key in orders.charmed if key in mine]
        for key, letters in orders.charmed.items():
            if key in mine and charmed.count(WIZARD_HANDS[key].wizard) > 1:
                text = "Your charm moves only one hand: choose a gesture for the left or the right."
                for field in _keyed_fields("charmed", key, letters):
                    yield Fault("two_charmed_hands", field, "W18", text)


def _held_hand_faults(position: Position, own: Wizard, orders: Orders) -> Iterator[Fault]:
    """Yield the faults of hands that this wizard's paralyses should hold. rules: R81, W18"""
    paralysis = position.rules.holding
    mine = scope.directed_wizards(position, own, paralysis)
    by_orders = position.rules.hand_named is HandNamingTime.WHEN_IT_ACTS
    for id, hand in orders.held.items():
        field = f"held:{id}"
        if not by_orders:
            text = "In this game you choose the hand as an answer, when you cast the paralysis."
            yield Fault("named_later", field, "R81", text)
        elif id in position.left_now:
            continue
        elif id not in mine:
            text = "You have no paralysis that holds a hand of this wizard this turn."
            yield Fault("nothing_held", field, "W18", text)
        elif (before := position.wizard(id).effects[paralysis].hand) and hand != before:
            name = HAND_NAMES[before]
            text = f"You held their {name} last turn, so it must be the same hand again."
            yield Fault("same_hand", field, "W18", text)
