"""Beings that orders can name: subjects of spells and stabs, monsters and their victims.

rules: R14, R15, R55, R94, F17-F25, F56
"""

from collections.abc import Iterable, Iterator

from engine.gestures import BANK
from engine.ids import FUTURE_BEINGS, SEATS, future_being_id, is_monster, monster_number
from engine.legality import scope
from engine.legality.casting import default_opponent, default_subject
from engine.legality.moves import PossibleSpells
from engine.positions.position import (
    ALIVE,
    DEAD,
    EXTRA,
    HASTE,
    NORMAL,
    SACRIFICE,
    STANDING,
    TIME_STOP_IN_OWN_TURN,
    Monster,
    Position,
    Wizard,
    can_make_gestures,
)
from engine.rules_text.wording import PLACE_WORDS, future_being_text, own_future_monster_text
from engine.rulesets.choices import DefaultVictim, HasteMode
from engine.sheet.sheet_types import STAB_ID, BankSheet, MonsterSheet, SetSheet, SubjectChoice
from engine.spellbook import AffectedBeings, Spell

OPPONENT, LAST_OR_NOBODY = DefaultVictim.OPPONENT, DefaultVictim.LAST_OR_NOBODY
VICTIM_IS_KEPT = DefaultVictim.KEPT


def nameable_beings(possible: PossibleSpells) -> Iterator[str]:
    """Yield the beings that orders may name: known ones, then monsters that may be made."""
    position, own = possible.position, possible.own
    for wizard in position.wizards:
        if wizard.standing in (STANDING, DEAD):
            yield wizard.id
    yield from _known_monsters(position, own)
    for number in range(1, len(possible.pairs) + 1):
        for hand in ("L", "R"):
            if any(spell.monster for spell in possible.castable_spells(number, hand)):
                yield future_being_id(own.id, hand, number)
    if possible.orders.release and _has_banked_summons(position, own):
        yield future_being_id(own.id, BANK)
    for wizard in position.wizards:
        acts_too = wizard.standing == STANDING and can_make_gestures(position, wizard)
        if wizard is not own and acts_too:
            for hand in ("L", "R"):
                yield future_being_id(wizard.id, hand)
            if position.rules.bank_is_public and _has_banked_summons(position, wizard):
                yield future_being_id(wizard.id, BANK)


def _has_banked_summons(position: Position, wizard: Wizard) -> bool:
    return bool(wizard.bank and position.rules.spells[wizard.bank].monster)


def _known_monsters(position: Position, own: Wizard) -> list[str]:
    if own.knows is None:
        return [monster.id for monster in position.monsters]
    known = set(own.knows)
    known |= {monster.id for monster in position.monsters if monster.controller == own.id}
    return sorted(known, key=monster_number)


class NameableBeings:
    """The beings that a wizard may name. There can be many, so each is looked up only once."""

    def __init__(self, possible: PossibleSpells) -> None:
        self.possible = possible
        self.ids = tuple(nameable_beings(possible))
        self.monsters = {monster.id: monster for monster in possible.position.monsters}

    def find(self, id: str) -> Wizard | Monster | None:
        return self.possible.position.being(id) if id in SEATS else self.monsters.get(id)

    def is_living(self, id: str) -> bool:
        """Return whether the being may be alive, as far as the wizard knows."""
        if id in FUTURE_BEINGS:
            return True
        being, own = self.find(id), self.possible.own
        if isinstance(being, Wizard):
            return being.standing == STANDING
        if own.knows is not None:
            return id in own.knows or (being is not None and being.controller == own.id)
        return being is not None and being.state == ALIVE

    def subjects(self, spell: Spell) -> list[str]:
        """Return the possible subjects. Living monsters are all alike, and so are corpses."""
        found: dict[str, bool] = {}
        options: list[str] = []
        for id in self.ids:
            monster = self.monsters.get(id)
            alike = monster.state if monster is not None else "gone" if is_monster(id) else id
            if alike not in found:
                found[alike] = self.possible.moves.is_possible_subject(spell, id)
            if found[alike]:
                options.append(id)
        return options

    def name(self, id: str) -> str:
        """Return the being's name on the wizard's order sheet, or the hand that may make it."""
        position, own = self.possible.position, self.possible.own
        known = (own.knows or {}).get(id)
        if known is not None:
            return known
        if id in FUTURE_BEINGS:
            return future_being_text(
                id, lambda maker: "your" if maker == own.id else f"{position.wizard(maker).name}’s"
            )
        being = self.find(id)
        return being.name if being is not None else id


def names_of(beings: NameableBeings, ids: Iterable[str]) -> dict[str, str]:
    own = beings.possible.own
    names = {id: beings.name(id) for id in ids}
    names |= own.knows or {}
    names[scope.NOWHERE] = PLACE_WORDS[scope.NOWHERE]
    names[scope.NO_ONE] = f"{PLACE_WORDS[scope.NO_ONE]} (hold back)"
    if own.knows is not None:
        names[scope.ATTACKER] = PLACE_WORDS[scope.ATTACKER]
    return names


def subject_choices(beings: NameableBeings, sets: tuple[SetSheet, ...]) -> dict[str, SubjectChoice]:
    """Return the subjects of each spell that can be completed, and of a stab.

    Stabs at corpses and dead wizards are legal but wasted, so they are not offered. rules: R17
    """
    position, own = beings.possible.position, beings.possible.own
    spells = {
        completion.spell
        for each in sets
        for rows in each.completions.values()
        for completion in rows
    }
    choices = {id: _subject_choice(beings, position.rules.spells[id]) for id in sorted(spells)}
    stab = position.rules.stab
    options = [id for id in beings.subjects(stab) if beings.is_living(id)]
    if stab.nowhere:
        options.append(scope.NOWHERE)
    choices[STAB_ID] = SubjectChoice(tuple(options), default_subject(position, stab, own.id))
    return choices


def _subject_choice(beings: NameableBeings, spell: Spell) -> SubjectChoice:
    if spell.is_area and not spell.aimable:
        return SubjectChoice((), "")
    options = beings.subjects(spell)
    if spell.nowhere:
        options.append(scope.NOWHERE)
    possible = beings.possible
    default = default_subject(possible.position, spell, possible.own.id)
    note = _note_on_default_subject(possible.position, spell, default)
    return SubjectChoice(
        tuple(options),
        default,
        note,
        is_for=scope.is_summons_for_subject(spell),
        is_for_all=spell.is_area,
    )


def _note_on_default_subject(position: Position, spell: Spell, default: str) -> str:
    """Return a warning if the spell has no effect, or none on its default subject.

    rules: R12, R24
    """
    if spell.gives_up and SACRIFICE not in position.options:
        return f"{spell.name} has no effect in this duel."
    if default in SEATS and spell.works in (AffectedBeings.MONSTERS, AffectedBeings.BEASTS):
        return f"{spell.name} does nothing to a wizard: choose a monster."
    return ""


def are_monsters_resting(position: Position) -> bool:
    """Return whether this is an extra turn in which no monster attacks. rules: W10"""
    return position.kind != NORMAL and position.rules.time_stop is TIME_STOP_IN_OWN_TURN


def takes_orders(position: Position, monster: Monster) -> bool:
    """Return whether this controlled monster takes orders now.

    If monsters rest in extra turns, wizards who act in one may give orders for the next normal
    turn. rules: R162, W10
    """
    if monster.state != ALIVE or monster.is_elemental:
        return False
    if are_monsters_resting(position):
        return can_make_gestures(position, position.wizard(monster.controller))
    if position.kind == HASTE:
        return False
    return position.kind != EXTRA or monster.id in position.stopped


def default_victim(beings: NameableBeings, monster: Monster, foe: str) -> str:
    """Return the default victim of a monster, as far as the wizard can know.

    rules: R161, R170, W39
    """
    unordered = beings.possible.position.rules.unordered
    if beings.is_living(monster.victim) and unordered is not OPPONENT:
        return monster.victim
    return scope.NO_ONE if unordered is VICTIM_IS_KEPT and monster.victim else foe


def default_victim_of_charmed_monster(beings: NameableBeings, subject: str) -> str:
    """Return the default victim of a monster that the wizard charms. rules: W20, W39"""
    position, own = beings.possible.position, beings.possible.own
    monster = beings.find(subject)
    if isinstance(monster, Monster):
        foe = default_opponent(position, monster.controller or own.id)
        return default_victim(beings, monster, foe)
    made = FUTURE_BEINGS.get(subject)
    return default_opponent(position, made.maker if made else own.id)


def monster_sheets(beings: NameableBeings) -> Iterator[MonsterSheet]:
    """Yield sheets for monsters that obey the wizard, or may obey them after these orders.

    rules: R15, R55
    """
    possible = beings.possible
    position, own = possible.position, possible.own
    places = (scope.NO_ONE,) if own.knows is None else (scope.ATTACKER, scope.NO_ONE)
    victims = (*filter(beings.is_living, beings.ids), *places)
    unordered = position.rules.unordered
    foe = scope.NO_ONE if unordered is LAST_OR_NOBODY else default_opponent(position, own.id)
    is_ordered_twice = position.rules.haste is not HasteMode.OWN_TURN  # rules: W42
    later = "in the next normal turn" if are_monsters_resting(position) else ""

    def monster_sheet(
        key: str, name: str, default: str, note: str, attacks: int = 1
    ) -> MonsterSheet:
        can_attack_itself = position.rules.can_attack_itself  # rules: R74, W39
        return MonsterSheet(key, name, attacks, victims, default, note, can_attack_itself)

    named: set[str] = set()
    for monster in position.monsters:
        if monster.controller == own.id and takes_orders(position, monster):
            named.add(monster.id)
            haste = monster.effects.get(position.rules.hastening)
            hasted = haste is not None and haste.is_active(position.turn) and position.kind != EXTRA
            default = default_victim(beings, monster, foe)
            count = 2 if hasted and is_ordered_twice else 1
            yield monster_sheet(monster.id, monster.name, default, later, count)
    for subject, spell in possible.all_casts():
        if not (spell.takes_over or spell.raises) or subject in ("", *named):
            continue
        if scope.is_own_elemental(position, own, subject):
            continue
        if subject not in SEATS and scope.is_known_subject(position, own, subject):
            named.add(subject)
            note = ", ".join(filter(None, (f"if {spell.name} succeeds", later)))
            kept = unordered is VICTIM_IS_KEPT
            default = default_victim_of_charmed_monster(beings, subject) if kept else foe
            yield monster_sheet(subject, beings.name(subject), default, note)
    for id in beings.ids:
        made = FUTURE_BEINGS.get(id)
        if made and made.maker == own.id and id not in named and _will_take_orders(possible, id):
            note = ", ".join(filter(None, ("if the summons succeeds", later)))
            yield monster_sheet(id, own_future_monster_text(id), foe, note)


def _will_take_orders(possible: PossibleSpells, key: str) -> bool:
    """Return whether this future monster would take orders: it is neither an elemental nor lost."""
    made = FUTURE_BEINGS[key]
    if will_never_appear(possible, key):
        return False
    if made.hand == BANK:
        spells = [possible.position.rules.spells[possible.own.bank]]
    else:
        spells = possible.castable_spells(made.set, made.hand)
    monsters = possible.position.rules.monsters
    kinds = [monsters[spell.monster] for spell in spells if spell.monster]
    return any(not kind.element for kind in kinds)


def will_never_appear(possible: PossibleSpells, key: str) -> bool:
    """Return whether this future monster never appears: its summons has no target. rules: R8"""
    orders, made = possible.orders, FUTURE_BEINGS.get(key)
    if made is None or made.maker != possible.own.id:
        return False
    if made.hand == BANK:
        return orders.release_subject == scope.NOWHERE
    hands = orders.hands(made.set)
    return hands.subjects.get(made.hand) == scope.NOWHERE


def bank_sheet(beings: NameableBeings) -> BankSheet | None:
    possible = beings.possible
    own = possible.own
    if not possible.moves.can_release:
        return None
    spell = possible.position.rules.spells[own.bank]
    if possible.position.rules.bank_keeps_subject:
        aim = scope.aim_preposition(spell, own.bank_subject, own.id)
        return BankSheet(spell.id, spell.name, (), "", own.bank_subject, aim)
    choice = _subject_choice(beings, spell)
    aim = "for" if choice.is_for else "at"
    return BankSheet(spell.id, spell.name, choice.options, choice.default, aim=aim)
