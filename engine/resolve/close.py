"""The end of a turn: damage, deaths, the winner, the clocks, and constraints on the next turn.

rules: turn:damage, turn:deaths, turn:winner, turn:clock, turn:extra, R30, R56, R73, R93, R109-R113
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from engine import events
from engine.gestures import NOTHING
from engine.ids import FUTURE_BEINGS
from engine.legality.hand_constraints import CHARMED, HELD, REPEATED, last_row, paralysed_letter
from engine.positions.position import (
    ALIVE,
    CORPSE,
    DEAD,
    DRAW,
    EXTRA,
    FOREVER,
    NO_EFFECTS,
    NORMAL,
    STANDING,
    SURRENDERED,
    Effect,
    Monster,
    Position,
    Wizard,
    is_effect_active,
)
from engine.resolve.enchant import hand_held_this_turn, mind_casts_that_act
from engine.resolve.event_factories import enchanted, lapsed, wounded
from engine.resolve.table import Being, Casting, Table, is_alive, living, unseen_by
from engine.rulesets.choices import HandNamingTime
from engine.spellbook import DIRECTED_EFFECTS, Spell, VictimEffect


def settle_damage(table: Table) -> None:
    """Apply this turn's damage and cures to every being, together or cures first. rules: R30, W4"""
    damage, cures = table.damage, table.cures
    for id in sorted({*damage, *cures}) if cures else damage:
        being = table.position.being(id)
        if being is None or id in table.destroyed:
            continue
        before = being.damage
        after = damage_after(table, being) if cures else before + damage[id]
        if after != before:
            being.damage = after
            if table.emit:
                table.emit(wounded(id, before, after))


def damage_after(table: Table, being: Being) -> int:
    """Return the being's damage after the harm and cures recorded so far. rules: R30, W4"""
    hurt, cured = table.damage.get(being.id, 0), table.cures.get(being.id, 0)
    before, floor = being.damage, -table.rules.surplus
    if table.rules.cures_first:
        return max(min(before, floor), before - cured) + hurt
    return max(min(before, floor), before + hurt - cured)


def apply_deaths(table: Table) -> None:
    """Apply all deaths and destructions at once. rules: turn:deaths, R112, R171"""
    rules = table.rules
    if rules.hearts_stop:
        stop_hearts(table)
    limit, illnesses, slain = rules.wizard_hit_points, rules.illnesses, table.slain
    surrendering: Sequence[str] = ()
    if table.surrenders and rules.illness_spares_the_surrendering:
        surrendering = [wizard.id for wizard, _ in table.surrenders]
    for wizard in table.position.wizards:
        if (
            slain
            or wizard.damage >= limit
            or (wizard.effects and not wizard.effects.keys().isdisjoint(illnesses))
        ):
            cause = death_cause(table, wizard, wizard.id in surrendering)
            if cause and wizard.standing == STANDING:
                wizard.standing = DEAD
                table.fallen += (wizard,)
                table.report(events.Died, wizard.id, cause)
    if table.position.monsters:
        apply_monster_deaths(table)


def stop_hearts(table: Table) -> None:
    """Kill the wizards who ordered their own death; this is not a surrender. rules: W27"""
    for wizard in table.started:
        if table.orders_of(wizard.id).heart:
            table.slay(wizard.id, "heart")


def death_cause(table: Table, being: Being, spared: bool) -> str:
    """Return the cause that kills the being now, or "" if nothing does."""
    if being.damage >= being.damage_limit(table.rules):
        return "wounds"
    if table.slain and being.id in table.slain:
        return table.slain[being.id]
    if not being.effects or spared or table.extra:
        return ""
    for illness in table.rules.illnesses:
        effect = being.effects.get(illness)
        if effect is not None and effect.last <= table.turn:
            return illness
    return ""


def apply_monster_deaths(table: Table) -> None:
    """Remove destroyed monsters and dead elementals, and turn other dead monsters into corpses.

    Destroyed monsters and elementals never leave a corpse. rules: R56
    """
    remaining: list[Monster] = []
    monsters = table.position.monsters
    if not (table.destroyed or table.doomed or table.slain):
        for monster in monsters:
            if monster.damage or monster.effects:
                break
        else:
            return
    youngest_first = table.rules.youngest_die_first
    for monster in reversed(monsters) if youngest_first else monsters:
        if monster.state != ALIVE:
            remaining.append(monster)
            continue
        gone = table.destroyed.get(monster.id) or table.doomed.get(monster.id)
        if gone:
            table.report(events.Destroyed, monster.id, gone)
            continue
        cause = death_cause(table, monster, False)
        if cause:
            table.report(events.Died, monster.id, cause)
            if monster.is_elemental or not table.rules.corpses:
                continue
            turn_into_corpse(monster)
        remaining.append(monster)
    table.position.monsters = remaining[::-1] if youngest_first else remaining


def turn_into_corpse(monster: Monster) -> None:
    """Turn the monster into a corpse, which keeps only its kind and name."""
    monster.state = CORPSE
    monster.controller = ""
    monster.damage = 0
    monster.effects = {}
    monster.lasting = NO_EFFECTS
    monster.waiting = {}
    monster.keeps_victim = False
    monster.victim = ""
    monster.made = ()
    monster.guards = ()


def settle_winner(table: Table) -> None:
    """End the duel if at most one wizard is left. rules: turn:winner, R109, R111-R113, R174"""
    if not table.surrenders and not table.fallen:
        return
    position = table.position
    alive = position.wizards_in_duel()
    too_late = table.rules.death_before_surrender and table.fallen and len(alive) == 1
    for wizard, _ in () if too_late else table.surrenders:
        if wizard.standing == STANDING:
            wizard.standing = SURRENDERED
            table.report(events.Surrendered, wizard.id)
    remaining = [wizard for wizard in position.wizards if wizard.standing == STANDING]
    contest = wizards_who_can_win(table)
    left = [wizard for wizard in contest if wizard.standing != STANDING]
    if not left and len(remaining) > 1:
        return
    if len(remaining) <= 1:
        position.outcome = (
            remaining[0].id if remaining else winner_among_surrendered(table, left) or DRAW
        )
        if position.outcome == DRAW:
            table.report(events.Drawn, tuple(wizard.id for wizard in contest))
        else:
            table.report(events.Won, position.outcome)
    for wizard in left:
        clear_wizard(position, wizard, table.emit)


def wizards_who_can_win(table: Table) -> list[Wizard]:
    """Return the wizards who were in the duel when the turn began or were raised in it.

    rules: R174
    """
    started = {wizard.id for wizard in table.started}
    return [w for w in table.position.wizards if w.id in started or w.id in table.raised]


def winner_among_surrendered(table: Table, left: list[Wizard]) -> str:
    """Return the wizard who surrendered but whose own spells killed an opponent on the same turn.

    Return "" if there is none, or more than one. rules: R111, R112, W48
    """
    if table.rules.death_before_surrender:
        return ""
    dead = [wizard for wizard in left if wizard.standing == DEAD]
    winners = {
        wizard.id
        for wizard, _ in table.surrenders
        if wizard.standing == SURRENDERED and any(has_killed(table, wizard, each) for each in dead)
    }
    return winners.pop() if len(winners) == 1 else ""


def has_killed(table: Table, killer: Wizard, dead: Wizard) -> bool:
    """Return whether spells that the killer's gestures completed caused the other wizard's death.

    A death by illness is not a kill by a spell of this turn. rules: R111
    """
    died_of_wounds = dead.damage >= table.rules.wizard_hit_points
    return any(
        harm.caster == killer.id and harm.subject == dead.id and (harm.slays or died_of_wounds)
        for harm in table.harms
    )


def clear_wizard(
    position: Position, wizard: Wizard, emit: Callable[[events.Event], object] | None
) -> None:
    """Clear the effects, bank, history and monsters of a wizard who is out. rules: R73, R113"""
    wizard.effects = {}
    wizard.bank = wizard.bank_subject = ""
    wizard.letters = ""
    wizard.left_state = wizard.right_state = 0
    wizard.made = ()
    wizard.attacker = ""
    wizard.knows = None
    wizard.blind_charms = ()
    wizard.bank_pattern = wizard.held = ""
    wizard.lasting = NO_EFFECTS
    wizard.guards = ()
    if position.rules.monsters_outlast_masters:
        return
    for monster in position.monsters:
        if monster.controller == wizard.id:
            monster.controller = ""
            monster.victim = ""
            if emit:
                emit(events.Controlled(monster.id, "", "left"))


def break_sequences(table: Table) -> None:
    """Apply successful Anti-spells: no gesture made so far can count towards a spell. rules: R93"""
    for wizard in table.broken:
        if wizard.standing == STANDING:
            if table.rules.anti_spell_blanks:
                count_sets_as_idle(table, wizard)
            break_sequence(table, wizard)


def count_sets_as_idle(table: Table, wizard: Wizard) -> None:
    """Count this turn's sets as idle hands. A row made before an extra turn is kept. rules: W25"""
    if wizard.id in table.sets:
        table.sets[wizard.id] = (NOTHING * 2,) * len(table.sets[wizard.id])
        wizard.made = ()
    else:
        wizard.made = (last_row(wizard),)


def break_sequence(table: Table, wizard: Wizard) -> None:
    wizard.letters = ""
    wizard.left_state = wizard.right_state = 0
    table.report(events.Broke, wizard.id)


def apply_minds_to_next_turn(table: Table) -> None:
    """Prepare successful mind spells to act on the next turn. rules: R76, R80-R82"""
    for being, cast in mind_spells_for_next_turn(table):
        apply_mind_to_next_turn(table, being, cast)


def mind_spells_for_next_turn(table: Table) -> list[tuple[Being, Casting]]:
    """Return the successful mind spells on beings that are alive when the turn ends.

    Return none if the duel ends. If several of one kind are on a being, the one from the earliest
    seat comes first. rules: R76
    """
    if table.position.outcome:
        return []
    monsters, casts = table.position.monsters, mind_casts_that_act(table)
    if len(casts) < len(table.mind_casts):
        firsts = [cast for _, cast in casts]
        casts += [each for each in table.mind_casts if each[1] not in firsts]
    return [
        (being, cast)
        for being, cast in casts
        if is_alive(being) and (isinstance(being, Wizard) or being in monsters)
    ]


def apply_mind_to_next_turn(table: Table, being: Being, cast: Casting) -> None:
    """Apply a mind spell to the being's next turn, unless a permanent one of its kind acts.

    rules: R79
    """
    kind = cast.spell.id
    unseen = unseen_by(table.position, being, cast)
    held = being.effects.get(kind)
    if held is not None and held.last > table.turn:
        held = held._replace(unseen_by=tuple(w for w in held.unseen_by if w in unseen))
        being.effects[kind] = held
        if held.permanent:
            return
        before = held.first > table.turn  # cast in the turn before or after this extra one
        if before and cast.spell.one_master and held.caster != cast.master:
            del being.effects[kind]
            table.report(events.MindsClashed, being.id, (kind, kind))
            return
        if cast.permanent:
            being.effects[kind] = held._replace(permanent=True, last=FOREVER)
        return
    binding = mind_spell_constraints(table, being, cast)
    being.effects[kind] = Effect(
        table.turn + 1,
        FOREVER if cast.permanent else table.turn + 1,
        cast.master,
        cast.permanent,
        binding.hand,
        binding.letter,
        binding.sets,
        unseen,
    )
    table.report(enchanted, being.id, kind, cast.master, cast.permanent, binding.hand)


class MindSpellConstraints(NamedTuple):
    """The constraints of a mind spell on its subject's next turn; "" or () if there are none."""

    hand: str = ""
    letter: str = ""
    sets: tuple[str, ...] = ()  # sets or victims to repeat


def mind_spell_constraints(table: Table, being: Being, cast: Casting) -> MindSpellConstraints:
    """Return the constraints of this mind spell on the being's next turn.

    If extra actions belong to the turn that follows, `apply_extra_action_spells` fills in letters
    and sets later.
    """
    hands = cast.spell.hands
    made = last_sets_or_victims(table, being)
    if repeats_actions(cast.spell, being):
        return MindSpellConstraints(sets=() if table.rules.acts_before_turns else made)
    if isinstance(being, Monster) or hands not in DIRECTED_EFFECTS:
        return MindSpellConstraints()
    if table.rules.hand_named is HandNamingTime.WHEN_IT_ACTS:
        return MindSpellConstraints(hand_held_by_caster(being, cast) if hands is HELD else "")
    hand = table.hands_named.get(cast.key, "L")
    if hands is CHARMED:
        return MindSpellConstraints(hand)
    hand = hand_held_this_turn(table, being) or hand
    return MindSpellConstraints(
        hand, "" if table.rules.acts_before_turns else held_letter(table, made, hand)
    )


def repeats_actions(spell: Spell, being: Being) -> bool:
    """Return whether this mind spell makes the being repeat its actions. rules: R82, R83"""
    if isinstance(being, Monster):
        return spell.victims is VictimEffect.LAST
    return spell.hands is REPEATED


def hand_held_by_caster(wizard: Wizard, cast: Casting) -> str:
    """Return the hand that the same caster's paralysis held this turn, or "". rules: W18"""
    held = wizard.effects.get(cast.spell.id)
    return held.hand if held is not None and held.caster == cast.master else ""


def held_letter(table: Table, made: Sequence[str], hand: str) -> str:
    """Return the letter that the paralysed hand will make, from its last set. rules: R80, R88"""
    last = made[-1] if made else NOTHING * 2
    return paralysed_letter(table.rules, last[0 if hand == "L" else 1])


def replace_future_bank_subjects(table: Table) -> None:
    """Replace banked subjects that were still to be made: by the monster, or none. rules: W34"""
    for wizard in table.started:
        if wizard.bank_subject in FUTURE_BEINGS:
            monster = table.find(wizard.bank_subject)
            wizard.bank_subject = monster.id if monster is not None else "nowhere"


def apply_extra_action_spells(table: Table) -> None:
    """Apply the spells cast in an extra action before this turn, now that the turn ends.

    Anti-spells break sequences after the turn's sets, and mind spells repeat what was done this
    turn. rules: R93, R169
    """
    for wizard in table.position.wizards:
        if wizard.effects and wizard.standing == STANDING:
            if table.rules.breaking in wizard.effects and wizard not in table.broken:
                break_sequence(table, wizard)
            store_repeated_actions(table, wizard)
    for monster in table.position.monsters:
        if monster.effects and monster.state == ALIVE:
            store_repeated_actions(table, monster)


def store_repeated_actions(table: Table, being: Being) -> None:
    """Store this turn's actions for mind spells that will make the being repeat them.

    rules: R169
    """
    for kind, effect in list(being.effects.items()):
        spell = table.rules.spells[kind]
        if not spell.mind or effect.first <= table.turn:
            continue
        made = last_sets_or_victims(table, being)
        if repeats_actions(spell, being):
            being.effects[kind] = effect._replace(sets=made)
        elif effect.hand and spell.hands is HELD:
            being.effects[kind] = effect._replace(letter=held_letter(table, made, effect.hand))


def last_sets_or_victims(table: Table, being: Being) -> tuple[str, ...]:
    """Return the sets that a wizard made this turn, or the victims that a monster attacked.

    If the being did not act in an extra turn, return those of the turn before.
    """
    if isinstance(being, Wizard):
        return table.sets.get(being.id) or being.made
    if being.id in table.attacks:
        return tuple(table.attacks[being.id])
    return being.made if table.extra else ()


def begin_next_turn(table: Table) -> None:
    """Prepare the next position: an extra turn if time was stopped, otherwise the next turn.

    If time stops give actions before turns, the extra turn is played when the next turn begins.
    rules: R98, R99
    """
    position = table.position
    position.left_now = ()
    if position.outcome:
        position.kind = NORMAL
        position.stopped = ()
        return
    stopped = time_stopped_survivors(table) if table.stopped else ()
    if stopped:
        begin_extra_turn(table, stopped)
        return
    if table.extra:
        position.kind = NORMAL
        position.stopped = ()
        for wizard in position.wizards:
            wizard.made = ()
        for monster in position.monsters:
            monster.made = ()
    if not table.extra or not table.rules.acts_before_turns:
        advance_turn(table)
    for wizard in position.wizards:
        if wizard.effects or wizard.knows is not None:
            update_known_monsters(position, wizard)


def advance_turn(table: Table) -> None:
    """Advance the clocks by one turn, and begin any extra actions before it."""
    position = table.position
    turn = position.turn
    position.turn = turn + 1
    under_effects = False
    for wizard in position.wizards:
        if wizard.effects:
            expire_effects(table, wizard, turn)
            under_effects = True
    for monster in position.monsters:
        if monster.effects:
            expire_effects(table, monster, turn)
            under_effects = True
    if under_effects and table.rules.acts_before_turns:
        begin_extra_actions(position)
        for id in position.stopped:
            table.report(events.TimeStopped, id)


def begin_extra_actions(position: Position) -> None:
    """If time stops for anyone before the next turn, let only them act first. rules: R99, R100"""
    stopping, turn = position.rules.stopping, position.turn
    position.stopped = ()
    beings: list[Being] = [*position.wizards, *position.monsters]
    for being in beings:
        if is_effect_active(being, stopping, turn) and is_alive(being):
            position.stopped += (being.id,)
            position.kind = EXTRA


def time_stopped_survivors(table: Table) -> tuple[str, ...]:
    """Return the time-stopped beings still alive: wizards by seat, then monsters.

    rules: R100, R175
    """
    return tuple(being.id for being in living(table.position) if being.id in table.stopped)


def begin_extra_turn(table: Table, stopped: tuple[str, ...]) -> None:
    """Make the next position an extra turn of these beings. rules: R98, R168"""
    position = table.position
    position.kind = EXTRA
    position.stopped = stopped
    for wizard in position.wizards:
        if wizard.id in table.sets:
            wizard.made = table.sets[wizard.id]
    for monster in position.monsters:
        if monster.id in table.attacks or not table.extra:
            monster.made = tuple(table.attacks.get(monster.id, ()))
    for id in stopped:
        table.report(events.TimeStopped, id)


def expire_effects(table: Table, being: Being, turn: int) -> None:
    """Remove the effects whose last turn this was. rules: turn:clock, R92"""
    for effect in being.effects.values():
        if effect.last <= turn:
            break
    else:
        return
    for kind in sorted(being.effects):
        if being.effects[kind].last <= turn:
            expire_effect(table, being, kind)


def expire_effect(table: Table, being: Being, kind: str) -> None:
    """Remove that effect from the being."""
    del being.effects[kind]
    table.report(lapsed, being.id, kind)


def update_known_monsters(position: Position, wizard: Wizard) -> None:
    """Update the monsters that a blind wizard knows: those last seen or controlled. rules: R94"""
    if position.rules.blind_sense_spells:
        return
    blindness = wizard.effects.get(position.rules.blinding)
    if blindness is None and wizard.knows is None:
        return
    if blindness is None or not blindness.is_active(position.turn):
        wizard.knows = None
        wizard.attacker = ""
    elif wizard.knows is None:
        wizard.knows = {monster.id: monster.name for monster in position.monsters}
    else:
        own = {m.id: m.name for m in position.monsters if m.controller == wizard.id}
        wizard.knows = {**wizard.knows, **own}


def leave_duel(position: Position, wizard: Wizard, standing: str) -> None:
    """Take a wizard out of the duel between two turns. rules: turn:resign"""
    wizard.standing = standing
    position.left_now = (*position.left_now, wizard.id)
    position.stopped = tuple(id for id in position.stopped if id != wizard.id)
    position.pending = tuple(cast for cast in position.pending if cast.wizard != wizard.id)
