"""Mind spells: which one waits for a being's next move, and what it needs to act.

rules: turn:stepwise, turn:minds, R76, R79-R82, R107
"""

from engine.events import Controlled, Enchanted
from engine.minds import mind_among
from engine.position import FOREVER, Effect, Monster, Wizard
from engine.questions import Question
from engine.resolve.stepwise.table import PresetQuestion, StepwiseTable
from engine.resolve.table import Being, Casting, unseen_by
from engine.spellbook import MIND_SPELLS

HANDED = {"paralysis": "paralysis_hand", "charm_person": "charm_hand"}
MASTERED = ("paralysis", "charm_person", "charm_monster")
"""The spells that need somebody to command them: no monster's mirror does."""
MISTAKEN_CHARMER = "w1"
"""Whose Charm Monster counts like a permanent confusion renewed. rules: R213"""
FORGOTTEN_CHARMER, FORGOTTEN_HAND = "w0", "L"
"""Who chooses, and for which hand, where a permanent charm comes back undecided. rules: R214"""


def bind_mind(table: StepwiseTable, being: Being) -> None:
    """A new mind spell replaces the one that waits; without one a permanent one comes back."""
    kind = next((kind for kind in MIND_SPELLS if table.landed_on(being, kind)), "")
    if kind:
        bind_new(table, being, kind, table.landed_on(being, kind)[-1])
    renew_mind(table, being)


def renew_mind(table: StepwiseTable, being: Being) -> None:
    """The permanent mind spell waits again, if no other does. rules: R107"""
    kind = mind_among(being.lasting)
    if not kind or mind_among(waiting(being)):
        return
    again = being.lasting[kind]._replace(first=table.next_turn)
    if kind == "charm_person" and not again.letter:
        again = again._replace(caster=FORGOTTEN_CHARMER, hand=FORGOTTEN_HAND)
    waiting(being)[kind] = again
    if isinstance(being, Monster):
        if kind == "confusion":
            being.keeps_victim = True
        elif kind == "charm_monster":
            obey(table, being, again.caster)


def waiting(being: Being) -> dict[str, Effect]:
    """The effects among which the mind spell for its next move stands."""
    return being.effects if isinstance(being, Wizard) else being.waiting


def bind_new(table: StepwiseTable, being: Being, kind: str, cast: Casting) -> None:
    """One mind spell cast now."""
    if not suits(kind, being):
        table.fail(cast, "unsuitable")
        return
    if kind in MASTERED and not cast.master:
        table.fail(cast, "no_master")
        return
    hand = chosen_hand(table, being, kind, cast) if isinstance(being, Wizard) else ""
    effects = waiting(being)
    for other in MIND_SPELLS:
        effects.pop(other, None)
    last = FOREVER if cast.permanent else table.next_turn
    unseen = unseen_by(table.position, being, cast)
    effect = Effect(table.next_turn, last, cast.master, cast.permanent, hand, unseen_by=unseen)
    effects[kind] = effect
    if cast.permanent:
        being.lasting = {kind: effect}
    if isinstance(being, Monster):
        if kind == "confusion":
            being.keeps_victim = cast.permanent
        elif kind == "charm_monster":
            being.keeps_victim = cast.master == MISTAKEN_CHARMER
            obey(table, being, cast.master, told=True)
    if kind != "charm_monster" and table.emit:
        table.emit(Enchanted(being.id, kind, cast.master, cast.permanent, hand))


def obey(table: StepwiseTable, monster: Monster, charmer: str, *, told: bool = False) -> None:
    """It has its charmer for a master, from this attack on. rules: R156, R212"""
    if monster.controller != charmer or told:
        monster.controller = charmer
        if table.emit:
            table.emit(Controlled(monster.id, charmer, "charm_monster"))


def suits(kind: str, being: Being) -> bool:
    """Charms are for one sort of being each."""
    if kind == "charm_person":
        return isinstance(being, Wizard)
    return kind != "charm_monster" or isinstance(being, Monster)


def chosen_hand(table: StepwiseTable, wizard: Wizard, kind: str, cast: Casting) -> str:
    """The hand that a paralysis or a charm takes, "" for other spells. rules: R81"""
    if kind not in HANDED:
        return ""
    if kind == "paralysis" and wizard.held:
        return wizard.held
    question, written = hand_question(table, wizard, kind, cast)
    return table.answered([(question, written)])[question.id]


def hand_question(table: StepwiseTable, wizard: Wizard, kind: str, cast: Casting) -> PresetQuestion:
    question = Question(
        f"{HANDED[kind]}:{wizard.id}", HANDED[kind], cast.master, wizard.id, ("L", "R"), "L",
        kind, is_preset=False,
    )  # fmt: skip
    return question, table.orders_of(cast.master).answers.get(kind, "")
