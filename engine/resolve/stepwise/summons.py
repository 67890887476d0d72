"""Summons: elementals become fire or ice, and monsters appear.

rules: turn:stepwise, R35, R61-R63, R164
"""

from engine.events import Summoned
from engine.positions.position import Wizard
from engine.questions import Question
from engine.resolve.stepwise.table import PresetQuestion, StepwiseTable
from engine.resolve.summon import make_monster
from engine.resolve.table import Casting
from engine.spellbook import FIRE, UNDECIDED_ELEMENTAL, CasterDecision


def summon_monsters(table: StepwiseTable) -> None:
    """Make this phase's monsters by their wizards' seats, and for each wizard by size."""
    if table.kinds.isdisjoint(table.rules.summons):
        return
    elements = table.require_answers(
        [
            element_question(table, wizard, number, kind)
            for wizard in table.position.wizards
            for kind in table.rules.summons
            for number, cast in enumerate(table.casts_that_reached(wizard, kind))
            if cast.spell.asks is CasterDecision.ELEMENT
        ]
    )
    for wizard in table.position.wizards:
        for kind in table.rules.summons:
            for number, cast in enumerate(table.casts_that_reached(wizard, kind)):
                element = elements.get(element_question_id(wizard, number), FIRE)
                summon_monster(
                    table,
                    wizard,
                    cast,
                    element if cast.spell.monster == UNDECIDED_ELEMENTAL else "",
                )


def element_question_id(wizard: Wizard, number: int) -> str:
    return f"elemental:{wizard.id}.{number}"


def element_question(
    table: StepwiseTable, wizard: Wizard, number: int, spell: str
) -> PresetQuestion:
    """Return the question "fire or ice?" for the wizard who will control the elemental.

    rules: R63
    """
    question = Question(
        element_question_id(wizard, number), "elemental", wizard.id, wizard.id, ("fire", "ice"),
        "fire", spell, is_preset=False,
    )  # fmt: skip
    return question, table.orders_of(wizard.id).answers.get("elemental", "")


def summon_monster(table: StepwiseTable, wizard: Wizard, cast: Casting, element: str) -> None:
    """Make one monster of the spell's kind for this wizard."""
    kind = element or cast.spell.monster
    monster = make_monster(table.position, kind, wizard.id)
    table.names_in_orders[monster.id] = cast.key
    table.report(Summoned, monster.id, kind, monster.name, wizard.id, cast.wizard.id)
