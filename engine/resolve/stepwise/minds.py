"""Mind spells: the one that waits for a being's next move, its hand, and control of monsters.

rules: turn:stepwise, turn:minds, R76, R79-R82, R107
"""

from engine.events import Controlled
from engine.legality.hand_constraints import first_mind_spell
from engine.orders import KIND_OF_HAND_QUESTION
from engine.positions.position import FOREVER, Effect, Monster, Wizard
from engine.questions import Question
from engine.resolve.event_factories import enchanted
from engine.resolve.stepwise.table import PresetQuestion, StepwiseTable
from engine.resolve.table import Being, Casting, can_affect, unseen_by
from engine.spellbook import DIRECTED_EFFECTS, CasterDecision, HandEffect, VictimEffect

QUESTION_KIND_BY_EFFECT = {HandEffect.HELD: "paralysis_hand", HandEffect.CHARMED: "charm_hand"}
"""Question kinds for the hand that a paralysis or a charm affects."""
DEFAULT_HAND = "L"
CHARMER_RENEWING_CONFUSION = "w1"
"""The wizard whose Charm Monster counts as renewing a permanent confusion. rules: R213"""
FORGOTTEN_CHARMER, FORGOTTEN_HAND = "w0", "L"
"""The charmer and the hand if a permanent charm returns before its first row. rules: R214"""


def update_waiting_mind_spell(table: StepwiseTable, being: Being) -> None:
    """Let a new mind spell replace the waiting one; if none waits, let a permanent one return."""
    landed = table.landed.get(being.id)
    if landed:
        kind = first_mind_spell(table.rules, landed)
        if kind:
            apply_new_mind_spell(table, being, kind, landed[kind][-1])
    if being.lasting:
        renew_permanent_mind_spell(table, being)


def renew_permanent_mind_spell(table: StepwiseTable, being: Being) -> None:
    """Let the permanent mind spell wait for the next move again, unless another one waits.

    rules: R107
    """
    kind = first_mind_spell(table.rules, being.lasting)
    if not kind or first_mind_spell(table.rules, waiting_effects(being)):
        return
    again = being.lasting[kind]._replace(first=table.next_turn)
    spell = table.rules.spells[kind]
    if spell.hands is HandEffect.CHARMED and not again.letter:
        again = again._replace(caster=FORGOTTEN_CHARMER, hand=FORGOTTEN_HAND)
    waiting_effects(being)[kind] = again
    if isinstance(being, Monster):
        if spell.victims is VictimEffect.DRAWN:
            being.keeps_victim = True
        elif spell.takes_over:
            take_control(table, being, kind, again.caster)


def waiting_effects(being: Being) -> dict[str, Effect]:
    """Return the effects that contain the mind spell for the being's next move."""
    return being.effects if isinstance(being, Wizard) else being.waiting


def apply_new_mind_spell(table: StepwiseTable, being: Being, kind: str, cast: Casting) -> None:
    """Apply a new mind spell. One that cannot work also waits, unless it is a charm."""
    if cast.spell.one_master and not can_affect(cast.spell.works, being):
        table.fail(cast, "unsuitable")
        return
    needs_master = cast.spell.one_master or cast.spell.asks is CasterDecision.HAND  # rules: R43
    if needs_master and not cast.master:
        table.fail(cast, "no_master")
        return
    hand = chosen_hand(table, being, cast) if isinstance(being, Wizard) else ""
    effects = waiting_effects(being)
    for other in table.rules.mind_spells:
        effects.pop(other, None)
    last = FOREVER if cast.permanent else table.next_turn
    unseen = unseen_by(table.position, being, cast)
    effect = Effect(table.next_turn, last, cast.master, cast.permanent, hand, unseen_by=unseen)
    effects[kind] = effect
    if cast.permanent:
        being.lasting = {kind: effect}
    if isinstance(being, Monster):
        if cast.spell.victims is VictimEffect.DRAWN:
            being.keeps_victim = cast.permanent
        elif cast.spell.takes_over:
            being.keeps_victim = cast.master == CHARMER_RENEWING_CONFUSION
            take_control(table, being, kind, cast.master, told=True)
    if not cast.spell.takes_over:
        table.report(enchanted, being.id, kind, cast.master, cast.permanent, hand)


def take_control(
    table: StepwiseTable, monster: Monster, kind: str, charmer: str, *, told: bool = False
) -> None:
    """Put the monster under its charmer's control, from this attack on. rules: R156, R212"""
    if monster.controller != charmer or told:
        monster.controller = charmer
        table.report(Controlled, monster.id, charmer, kind)


def chosen_hand(table: StepwiseTable, wizard: Wizard, cast: Casting) -> str:
    """Return the hand that a paralysis or a charm affects, "" for other spells. rules: R81"""
    if cast.spell.hands not in DIRECTED_EFFECTS:
        return ""
    if cast.spell.hands is HandEffect.HELD and wizard.held:
        return wizard.held
    if cast.spell.asks is not CasterDecision.HAND:
        return DEFAULT_HAND
    question, written = hand_question(table, wizard, cast)
    return table.require_answers([(question, written)])[question.id]


def hand_question(table: StepwiseTable, wizard: Wizard, cast: Casting) -> PresetQuestion:
    spell = cast.spell
    kind = QUESTION_KIND_BY_EFFECT[spell.hands]
    question = Question(
        f"{kind}:{wizard.id}", kind, cast.master, wizard.id, ("L", "R"), "L", spell.id,
        is_preset=False,
    )  # fmt: skip
    return question, table.orders_of(cast.master).answers.get(
        KIND_OF_HAND_QUESTION[spell.hands], ""
    )
