"""Attacks by monsters: their mind spells, their controllers' orders, and the blows.

rules: turn:stepwise, turn:victims, R64, R71, R73, R83, R155, R156
"""

from collections.abc import Iterator

from engine.legality.hand_constraints import first_mind_spell
from engine.legality.scope import NO_ONE, NOWHERE
from engine.positions.position import STANDING, Monster
from engine.questions import Question
from engine.resolve.event_factories import idle
from engine.resolve.stepwise.aim import opponent
from engine.resolve.stepwise.table import PresetQuestion, StepwiseTable, monsters_of
from engine.resolve.strike import ordered_victims, reason_attack_fails
from engine.resolve.table import Being, can_affect, is_alive
from engine.rulesets.choices import DefaultVictim
from engine.spellbook import VictimEffect


def monsters_attack(table: StepwiseTable) -> None:
    """Ask for all victims in one batch after the spells; then resolve the attacks in order."""
    if not table.position.monsters:
        return
    # A monster that is time-stopped again in its own extra phase attacks in the next one. R211
    attackers = [m for m in monsters_of(table) if not table.extra or table.is_in_own_phase(m)]
    if not attackers:
        return
    governing = {monster.id: active_mind_spell(table, monster) for monster in attackers}
    living = table.living()
    commanded = [m for m in attackers if is_commanded(table, m, governing[m.id])]
    if table.asks_preset_questions():
        batch = [each for monster in commanded for each in attack_questions(table, monster, living)]
        answers = table.require_answers(batch)
    else:
        answers = {id: victim for m in commanded for id, victim in orders_of(table, m, living)}
    for monster in attackers:
        attack_with_monster(table, monster, governing[monster.id], living, answers)


def active_mind_spell(table: StepwiseTable, monster: Monster) -> str:
    """Return the mind spell that governs the monster's attack, or ""."""
    kind = first_mind_spell(table.rules, monster.effects)
    return kind if kind and can_affect(table.rules.spells[kind].works, monster) else ""


def advance_mind_spells(table: StepwiseTable) -> None:
    """End the mind spells that governed this phase's attacks, and let waiting ones govern the next.

    In an extra phase this applies to time-stopped monsters, even those that attack only in the
    next. rules: R211
    """
    for monster in monsters_of(table):
        if table.is_defenceless(monster) and monster.id not in table.stopped:
            continue
        for kind in table.rules.mind_spells:
            monster.effects.pop(kind, None)
        for kind, effect in monster.waiting.items():
            monster.effects[kind] = effect._replace(last=max(effect.last, table.next_turn))
        monster.waiting = {}
        monster.keeps_victim = False


def is_commanded(table: StepwiseTable, monster: Monster, mind: str) -> bool:
    """Return whether the monster's controller chooses its victims. rules: R73"""
    if monster.is_elemental or mind in table.rules.victims_under or not monster.controller:
        return False
    return table.position.wizard(monster.controller).standing == STANDING


def number_of_attacks(table: StepwiseTable, monster: Monster) -> int:
    """Return the number of attacks: two if the monster was hasted when a normal turn began.

    rules: R204
    """
    haste = table.rules.hastening
    if table.extra or haste not in monster.effects:
        return 1
    before = table.before.being(monster.id)
    return 2 if before is not None and haste in before.effects else 1


def attack_questions(
    table: StepwiseTable, monster: Monster, living: list[Being]
) -> list[PresetQuestion]:
    options = (NOWHERE, *(being.id for being in living))
    default = unordered_victim(table, monster)
    written = victims_by_attack(table, monster)
    count = len(written)
    batch: list[PresetQuestion] = []
    for number, victim in enumerate(written, 1):
        question = Question(
            attack_question_id(monster, number), "attack", monster.controller, monster.id, options,
            default, number=number if count > 1 else 0,
        )  # fmt: skip
        batch.append((question, victim))
    return batch


def orders_of(
    table: StepwiseTable, monster: Monster, living: list[Being]
) -> Iterator[tuple[str, str]]:
    """Yield question ids and victims for questions that are not asked."""
    options = {NOWHERE, *(being.id for being in living)}
    default = unordered_victim(table, monster)
    for number, victim in enumerate(victims_by_attack(table, monster), 1):
        id = attack_question_id(monster, number)
        yield id, table.preset_answer(id, victim, options, default)


def attack_question_id(monster: Monster, number: int) -> str:
    return f"attack:{monster.id}.{number}"


def victims_by_attack(table: StepwiseTable, monster: Monster) -> list[str]:
    """Return the victim that the controller wrote for each attack, "" for none."""
    written = ordered_victims(table, monster, table.names_in_orders.get(monster.id, ""))
    attacks = range(number_of_attacks(table, monster))
    if not written:
        return ["" for _ in attacks]
    return [
        option_named_in_orders(table, written[min(number, len(written) - 1)]) for number in attacks
    ]


def unordered_victim(table: StepwiseTable, monster: Monster) -> str:
    """Return the victim of a monster without orders. rules: R161, R170"""
    unordered = table.rules.unordered
    if unordered is not DefaultVictim.OPPONENT:
        last = table.position.being(monster.victim)
        if is_alive(last):
            return monster.victim
        if unordered is DefaultVictim.LAST_OR_NOBODY:
            return NOWHERE
    return opponent(table, monster.controller)


def option_named_in_orders(table: StepwiseTable, victim: str) -> str:
    """Return the option for a victim in orders, which may name a monster by its maker.

    rules: R14
    """
    if victim == NO_ONE:
        return NOWHERE
    return next((id for id, name in table.names_in_orders.items() if name == victim), victim)


def attack_with_monster(
    table: StepwiseTable, monster: Monster, mind: str, living: list[Being], answers: dict[str, str]
) -> None:
    """Resolve one monster's attacks in this phase."""
    for number in range(number_of_attacks(table, monster)):
        if monster.is_elemental:
            for being in living:
                if being is not monster:
                    apply_blow(table, monster, being)
            continue
        victim = victim_of(table, monster, mind, living, number)
        if victim is None:
            victim = answers.get(attack_question_id(monster, number + 1), NOWHERE)
        monster.victim = "" if victim == NOWHERE else victim
        attack_victim(table, monster, mind)


def victim_of(
    table: StepwiseTable, monster: Monster, mind: str, living: list[Being], number: int
) -> str | None:
    """Return the victim that the monster's mind spell forces, or None if it obeys."""
    match table.rules.victims_under.get(mind):
        case VictimEffect.LAST:
            return monster.victim
        case VictimEffect.NOBODY:
            return NOWHERE
        case VictimEffect.DRAWN:
            return drawn_victim(table, monster, mind, living, number)
        case _:
            return None


def drawn_victim(
    table: StepwiseTable, monster: Monster, mind: str, living: list[Being], number: int
) -> str:
    """Return a living being drawn at random. rules: R83

    A monster drawn as its own victim does nothing. As long as a permanent confusion is renewed
    without interruption, the first drawn victim stays. rules: R213
    """
    fixed = monster.lasting.get(mind) if monster.keeps_victim else None
    if fixed is not None and fixed.sets:
        return fixed.sets[0]
    phase = "extra " if table.extra else ""
    label = f"turn {table.turn} {phase}confusion {monster.id} attack {number + 1}"
    victim = table.draw(monster.id, "victim", label, [being.id for being in living])
    if fixed is not None:
        monster.lasting = {**monster.lasting, mind: fixed._replace(sets=(victim,))}
    return victim


def attack_victim(table: StepwiseTable, monster: Monster, mind: str) -> None:
    """Resolve the monster's attack, if it has a living victim other than itself."""
    being = table.position.being(monster.victim) if monster.victim else None
    if being is not None and being is not monster and is_alive(being):
        apply_blow(table, monster, being)
    else:
        table.report(idle, monster.id, idle_cause(table, monster, mind))


def idle_cause(table: StepwiseTable, monster: Monster, mind: str) -> str:
    """Return the reason why the monster attacks no one."""
    if mind in table.rules.victims_under:
        return mind
    if monster.victim:
        return "no_victim"
    return "ordered" if is_commanded(table, monster, mind) else "uncontrolled"


def apply_blow(table: StepwiseTable, monster: Monster, being: Being) -> None:
    """Apply one attack, unless something stops it. rules: R64, R95, turn:shield"""
    kind = table.rules.monsters[monster.kind]
    is_unseen = not kind.element and table.is_invisible_now(being)
    cause = "invisible" if is_unseen else reason_attack_fails(table, being, kind.element)
    table.strike(being, kind.attack, "attack", monster.id, cause)
