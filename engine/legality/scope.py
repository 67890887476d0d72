"""The beings, other wizards' hands and windows that a wizard may name in orders.

rules: turn:orders, R14, R81, R85, W18, W27
"""

from engine.ids import FUTURE_BEINGS, WizardHand
from engine.legality.hand_constraints import NAMED_WHEN_SPELL_ACTS, active_mind_spell
from engine.legality.hand_constraints import is_acting as is_acting
from engine.orders import KIND_OF_HAND_QUESTION
from engine.positions.position import DEAD, EXTRA, STANDING, STRICT, Monster, Position, Wizard
from engine.rulesets.choices import STEPWISE, QuestionMode, TwoStabs
from engine.rulesets.ruleset import Ruleset
from engine.spellbook import HandEffect, Spell

NOWHERE = "nowhere"
"""The subject in orders of a spell that is cast at nothing."""
NO_ONE, ATTACKER = "no_one", "attacker"


def are_choices_asked_later(position: Position) -> bool:
    """Return whether orders contain only gestures and other choices follow later. rules: R9"""
    return STRICT in position.options and position.rules.asking is QuestionMode.AT_EVERY_STEP


def is_summons_for_subject(spell: Spell) -> bool:
    """Return whether the subject of the spell will control the monster that it summons.

    rules: R61, W43
    """
    return bool(spell.monster) and not spell.is_area


def aim_preposition(spell: Spell, subject: str, caster: str) -> str:
    """Return the preposition before a subject: "for Bram", "on yourself", "at the Red Goblin"."""
    if is_summons_for_subject(spell) and subject != NOWHERE:
        return "for"
    return "on" if subject == caster and not spell.is_area else "at"


def is_bolt_spent(position: Position, own: Wizard) -> bool:
    """Return whether the wizard's gestures can no longer complete the short bolt. rules: R18

    In some rulesets they still complete it, but it fizzles.
    """
    return own.used_bolt and not position.rules.spent_fizzles


def records_both_stabs(rules: Ruleset) -> bool:
    """Return whether two stabs in one set are both recorded, although only one takes effect.

    rules: W6
    """
    return rules.two_stabs is not TwoStabs.REFUSED and rules.order_of_play != STEPWISE


def is_known_subject(position: Position, own: Wizard, subject: str) -> bool:
    """Return whether the subject is a being that the wizard knows of, or may still be made."""
    if subject in FUTURE_BEINGS:
        maker = position.being(FUTURE_BEINGS[subject].maker)
        return isinstance(maker, Wizard) and can_name_wizard(position, maker)
    being = position.being(subject)
    if isinstance(being, Wizard):
        return being.standing in (STANDING, DEAD) or being.id in position.left_now
    if own.knows is not None:
        if subject in own.knows:
            return True
        return isinstance(being, Monster) and being.controller == own.id
    return being is not None


def can_name_wizard(position: Position, wizard: Wizard) -> bool:
    """Return whether orders may name the wizard, who must be in the duel or have just left it."""
    return wizard.standing == STANDING or wizard.id in position.left_now


def is_own_elemental(position: Position, own: Wizard, key: str) -> bool:
    monster = position.being(key)
    return isinstance(monster, Monster) and monster.controller == own.id and monster.is_elemental


def charmed_hands(position: Position, own: Wizard) -> tuple[str, ...]:
    """Return the hands, as "w1.L", whose gestures this wizard writes this turn. rules: R85

    Wizards who cast a charm while blind are always offered the hand they named, even if it failed
    (R81). In rulesets in which these orders name the hand, both hands are offered, but only one can
    be used (W18).
    """
    if position.rules.hand_named is NAMED_WHEN_SPELL_ACTS:
        subjects = directed_wizards(position, own, position.rules.charming)
        return tuple(WizardHand(subject, hand).text for subject in subjects for hand in "LR")
    charm = position.rules.charming
    charmed = tuple(
        WizardHand(wizard.id, wizard.effects[charm].hand).text
        for wizard in position.wizards
        if wizard.standing == STANDING
        and active_mind_spell(position, wizard) == charm
        and wizard.effects[charm].caster == own.id
        and not wizard.effects[charm].letter
        and is_acting(position, wizard)
    )
    if own.blind_charms and position.kind != EXTRA:
        named = [charm.text for charm in own.blind_charms if not charm.is_later]
        return tuple(dict.fromkeys((*named, *charmed)))
    return charmed


def directed_wizards(position: Position, own: Wizard, kind: str) -> tuple[str, ...]:
    """Return the wizards under this wizard's paralysis or charm in the turn to come.

    The result is empty if the ruleset does not name the hand with that turn's orders. rules: W18
    """
    if position.rules.hand_named is not NAMED_WHEN_SPELL_ACTS or not is_acting(position, own):
        return ()
    return tuple(
        wizard.id
        for wizard in position.wizards
        if kind in wizard.effects
        and wizard.effects[kind].caster == own.id
        and active_mind_spell(position, wizard) == kind
        and is_acting(position, wizard)
    )


def window_of_field(rules: Ruleset, field: str) -> str:
    """Return the window for which this field marks a hand, `bank` or `permanency`."""
    return rules.banking if field == "bank" else rules.extending


def spell_of_question(rules: Ruleset, kind: str) -> str:
    """Return the spell whose hand is named in the answer to this kind of question."""
    return rules.holding if kind == KIND_OF_HAND_QUESTION[HandEffect.HELD] else rules.charming


def can_mark_hand(position: Position, own: Wizard, window: str) -> bool:
    """Return whether this window is open, so that the wizard may mark a hand for it.

    rules: W34, W35
    """
    effect = own.effects.get(window)
    return effect is not None and effect.is_active(position.turn) and is_acting(position, own)


def can_stop_heart(position: Position, own: Wizard) -> bool:
    """Return whether the wizard may order their own death in the turn to come. rules: W27"""
    if not position.rules.hearts_stop or not is_acting(position, own):
        return False
    minds = position.rules.mind_spells
    return any(effect.permanent for kind, effect in own.effects.items() if kind in minds)
