"""What effects in force make of a wizard's hands before they choose: forced and barred letters.

rules: R79, R80, R82, R87, R88, R168
"""

from collections.abc import Mapping
from typing import Final

from engine.gestures import GESTURES, NOTHING, STAB, TWO_STABS
from engine.position import Effect, Position, Wizard
from engine.rulesets import Ruleset
from engine.rulesets.choices import Haste, Minds, TwoStabs
from engine.spellbook import MIND_SPELLS

_ACTING: Final = ("amnesia", "confusion", "charm_person", "paralysis", "fear")


NEXT_ROW: Final = Minds.NEXT_ROW
BINDING: Final = frozenset({*_ACTING, "haste"})
"""The effects that change what a wizard's hands make or how often."""


ONE_STAB: Final = {
    TwoStabs.REFUSED: TWO_STABS,
    TwoStabs.LEFT: STAB + NOTHING,
    TwoStabs.RIGHT: NOTHING + STAB,
}
"""What becomes of two stabs that nobody was forced to make. rules: R16"""


def is_free(wizard: Wizard) -> bool:
    """Whether nothing in force touches the wizard's hands: one set is made, as it is written."""
    return not wizard.effects or wizard.effects.keys().isdisjoint(BINDING)


def count_sets(wizard: Wizard, turn: int, *, extra: bool) -> int:
    """How many sets the wizard makes: two while hasted, one in an extra turn. rules: R97"""
    haste = wizard.effects.get("haste")
    return 2 if haste is not None and haste.acts(turn) and not extra else 1


def sets_due(position: Position, wizard: Wizard) -> int:
    """How many sets a wizard makes in the phase to come; where haste has its own phase, one. R97"""
    if "haste" not in wizard.effects or position.rules.haste is Haste.OWN_PHASE:
        return 1
    return count_sets(wizard, position.turn, extra=position.kind == "extra")


def last_row(wizard: Wizard) -> str:
    """The last set really made, whatever has broken the sequences since. rules: R80, R93"""
    if wizard.left:
        return wizard.left[-1] + wizard.right[-1]
    return wizard.made[-1] if wizard.made else NOTHING * 2


def mind_among(effects: Mapping[str, Effect]) -> str:
    """The first mind spell among these effects, "" if there is none."""
    for kind in MIND_SPELLS:
        if kind in effects:
            return kind
    return ""


def acting_minds(wizard: Wizard, turn: int, *, extra: bool) -> tuple[str, ...]:
    """The mind spells that would act on this turn's gestures; one acts, two or more do not.

    In an extra turn only a permanent one is at work. rules: R79, R168
    """
    effects = wizard.effects
    if not effects:
        return ()
    return tuple(
        kind
        for kind in _ACTING
        if (effect := effects.get(kind)) is not None
        and effect.acts(turn)
        and (effect.permanent or not extra)
    )


def mind_at_work(position: Position, wizard: Wizard) -> str:
    """The one mind spell that will act on this wizard's next gestures, or ""."""
    if not wizard.effects:
        return ""
    if position.rules.minds is NEXT_ROW:
        return mind_among(wizard.effects)  # the one that waits for the next row. rules: R168
    minds = acting_minds(wizard, position.turn, extra=position.kind == "extra")
    return minds[0] if len(minds) == 1 else ""


def amnesiac_set(effect: Effect, number: int) -> str:
    """What set `number` must repeat. rules: R82"""
    return effect.sets[min(number, len(effect.sets)) - 1] if effect.sets else NOTHING * 2


def paralysed_letter(rules: Ruleset, letter: str) -> str:
    """What a paralysed hand that made this letter must make. rules: R80"""
    return rules.paralysed.get(letter, letter)


def forced_letters(position: Position, wizard: Wizard, number: int) -> tuple[str, str]:
    """What the wizard knows their left and right hand must make in set `number`; "" where free."""
    kind = mind_at_work(position, wizard)
    if not kind:
        return "", ""
    effect = wizard.effects[kind]
    if kind == "amnesia":
        by_row = position.rules.minds is NEXT_ROW
        forced = last_row(wizard) if by_row else amnesiac_set(effect, number)
        return forced[0], forced[1]
    if kind == "paralysis" and position.rules.minds is NEXT_ROW:
        made = last_row(wizard)
        if effect.hand == "L":
            return paralysed_letter(position.rules, made[0]), ""
        return "", paralysed_letter(position.rules, made[1])
    if effect.letter:
        return (effect.letter, "") if effect.hand == "L" else ("", effect.letter)
    return "", ""


def allowed_letters(position: Position, wizard: Wizard) -> str:
    """The letters that a hand left free may make. rules: R87"""
    return position.rules.under_fear if mind_at_work(position, wizard) == "fear" else GESTURES


def changeable_hands(position: Position, wizard: Wizard) -> str:
    """The hands whose letters another or chance may still change: "", "L", "R" or "LR"."""
    kind = mind_at_work(position, wizard)
    if kind in ("confusion", "charm_person") and not wizard.effects[kind].letter:
        return "LR" if kind == "confusion" else wizard.effects[kind].hand
    return ""
