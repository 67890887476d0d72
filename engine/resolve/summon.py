"""Summons: making new monsters, naming them and giving them to their controllers.

rules: R35, R61-R63, R65, R75, R153, R164
"""

from engine.ids import FUTURE_BEINGS, monster_id, monster_number
from engine.positions.position import ALIVE, DEAD, Monster, Position, Wizard
from engine.questions import Question
from engine.resolve.event_factories import summoned
from engine.resolve.guard import apply_waiting_guards, reached_being
from engine.resolve.table import Being, Casting, Table, can_affect, is_alive
from engine.rulesets.ruleset import Ruleset
from engine.spellbook import FIRE, ICE, OPPOSITE_ELEMENT, UNDECIDED_ELEMENTAL

MONSTER_COLOURS = (
    "Red", "Green", "Blue", "Grey", "White", "Black", "Brown", "Golden", "Silver", "Purple",
    "Orange", "Pink",
)  # fmt: skip
MONSTER_NUMERALS = ("", " II", " III", " IV", " V", " VI", " VII", " VIII", " IX", " X")


def summon_monsters(table: Table) -> None:
    """Make the monsters of all summons that work.

    Summons aimed at a monster that is being made come after it. Two that wait for each other are
    lost.
    """
    pending = [cast for cast in table.casts if cast.spell.monster]
    if table.rules.summons_by_kind:
        kinds = tuple(table.rules.monsters)
        pending.sort(key=lambda cast: kinds.index(cast.spell.monster))
    if not table.rules.early_spells_wait:
        for cast in [c for c in pending if c.subject in FUTURE_BEINGS and not c.spell.is_area]:
            pending.remove(cast)
            table.fail(cast, "too_early")
    while pending:
        ready = [
            cast
            for cast in pending
            if ":" not in cast.subject or cast.spell.is_area or table.find(cast.subject)
        ]
        if not ready:
            break
        for cast in ready:
            pending.remove(cast)
            resolve_summons(table, cast)
    for cast in pending:
        table.fail(cast, "no_subject")


def resolve_summons(table: Table, cast: Casting) -> None:
    """Make the monster of one summons, or record why the summons fails. rules: R62, R118"""
    if cast.spell.is_area:
        summon_for_no_one(table, cast)
        return
    if cast.subject == "nowhere":
        table.fail(cast, "nowhere")
        return
    being = table.find(cast.subject)
    if being is None or not is_alive(being):
        lies = isinstance(being, Monster) or (being is not None and being.standing == DEAD)
        table.fail(cast, "corpse" if lies else "no_subject")
        return
    final = reached_being(table, cast, being)
    if final is None:
        return
    if not can_affect(cast.spell.works, final):
        table.fail(cast, "unsuitable")
        return
    summon_monster(table, cast, final.id, controller_for(table, final))


def summon_for_no_one(table: Table, cast: Casting) -> None:
    """Summon a monster that no one controls, unless its written subject is countered.

    rules: W3, W36
    """
    being = table.find(cast.subject) if cast.subject else None
    if being is not None and is_alive(being) and reached_being(table, cast, being) is None:
        return
    summon_monster(table, cast, "", "")


def summon_monster(table: Table, cast: Casting, subject: str, controller: str) -> None:
    """Make the monster of this cast, and apply the guards that were waiting for it."""
    monster = make_monster(table.position, cast.spell.monster, controller)
    table.created = {**table.created, cast.key: monster}
    if cast.spell.monster == UNDECIDED_ELEMENTAL:
        table.chosen_elementals += ((cast, monster),)
        decide_element(table, cast, monster)
    else:
        report_summoned(table, cast, monster)
    merge_elementals(table)
    if monster.id in table.merged:
        monster = table.merged[monster.id]
    table.summoned_for += ((subject, monster),)
    apply_waiting_guards(table, monster, cast.key)


def report_summoned(table: Table, cast: Casting, monster: Monster) -> None:
    table.report(
        summoned, monster.id, monster.kind, monster.name, monster.controller, cast.wizard.id
    )


def decide_element(table: Table, cast: Casting, monster: Monster) -> None:
    """Make the elemental one of fire or of ice, unless that question is still open. rules: R63"""
    question = element_question(table, cast, monster)
    element = table.given_answer(question)
    if element is None and question.wizard and table.asking:
        return
    monster.kind = element or question.default
    monster.name = monster_name(table.rules, monster.kind, monster_number(monster.id))


def element_question(table: Table, cast: Casting, monster: Monster) -> Question:
    """Return the question "fire or ice?"; its wizard is "" if nobody can choose.

    rules: R63, R133, R135, R162
    """
    by_caster = table.extra or not table.rules.subject_picks_element
    decider = cast.wizard.id if by_caster else monster.controller
    return Question(
        f"elemental:{cast.key}", "elemental", decider, cast.wizard.id, (FIRE, ICE), FIRE
    )


def merge_elementals(table: Table) -> None:
    """Merge elementals of one kind into the oldest, which is healed, if the ruleset does so.

    This comes before guards and all other spells, so that everything aimed at either elemental
    reaches the one that stays. rules: R65, R153
    """
    if not table.rules.elementals_merge or table.dispelled:
        return
    oldest: dict[str, Monster] = {}
    for monster in list(table.position.monsters):
        if monster.kind not in OPPOSITE_ELEMENT or monster.state != ALIVE:
            continue
        kept = oldest.setdefault(monster.kind, monster)
        if kept is not monster:
            kept.damage = 0
            table.position.monsters.remove(monster)
            table.merged = {**table.merged, monster.id: kept}


def controller_for(table: Table, subject: Being) -> str:
    """Return the controller of a monster that is summoned for this being. rules: R61"""
    if isinstance(subject, Wizard):
        return subject.id
    before = table.before.being(subject.id)
    return before.controller if isinstance(before, Monster) else subject.controller


def make_monster(position: Position, kind: str, controller: str) -> Monster:
    """Add a new monster of that kind to the position, with the next number and its own name."""
    number = position.created
    name = monster_name(position.rules, kind, number)
    monster = Monster(monster_id(number), kind, name, controller)
    position.created = number + 1
    position.monsters.append(monster)
    return monster


def monster_name(rules: Ruleset, kind: str, number: int) -> str:
    """Return the name of the duel's monster with this number. Names are never reused. rules: R75"""
    lap, colour = divmod(number, len(MONSTER_COLOURS))
    suffix = MONSTER_NUMERALS[lap] if lap < len(MONSTER_NUMERALS) else f" {lap + 1}"
    return f"{MONSTER_COLOURS[colour]} {rules.monsters[kind].name}{suffix}"
