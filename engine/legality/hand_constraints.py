"""Forced and barred letters: the effects that limit a wizard's hands before the wizard chooses.

rules: R79, R80, R82, R87, R88, R168
"""

from collections.abc import Collection
from typing import Final, NamedTuple

from engine.gestures import GESTURES, NOTHING, STAB, STABS_PAIR
from engine.positions.position import EXTRA, STANDING, Effect, Position, Wizard, can_make_gestures
from engine.rulesets.choices import HandNamingTime, HasteMode, MindTiming, TwoStabs
from engine.rulesets.ruleset import Ruleset
from engine.spellbook import DIRECTED_EFFECTS, WORKS_ON_MONSTERS, HandEffect

HELD, CHARMED = DIRECTED_EFFECTS
REPEATED, DRAWN = HandEffect.REPEATED, HandEffect.DRAWN
FRIGHTENED, COPIED, FREE = HandEffect.FRIGHTENED, HandEffect.COPIED, HandEffect.FREE
MINDS_ACT_BY_TURN: Final = MindTiming.BY_TURN
MINDS_ACT_ON_NEXT_ROW: Final = MindTiming.NEXT_ROW
MINDS_ACT_ON_NEXT_TURN: Final = MindTiming.NEXT_TURN
NAMED_WHEN_SPELL_ACTS: Final = HandNamingTime.WHEN_IT_ACTS

PAIR_FOR_TWO_STABS: Final = {
    TwoStabs.REFUSED: STABS_PAIR,
    TwoStabs.LEFT: STAB + NOTHING,
    TwoStabs.RIGHT: NOTHING + STAB,
}
"""The set that is made if both hands stab and neither is forced. rules: R16"""


def is_acting(position: Position, wizard: Wizard) -> bool:
    """Return whether this wizard makes gestures in the coming turn."""
    if wizard.standing != STANDING or position.outcome:
        return False
    return can_make_gestures(position, wizard)


def has_free_hands(rules: Ruleset, wizard: Wizard) -> bool:
    """Return whether no effect limits the wizard's hands, so that they make one set as written."""
    return not wizard.effects or wizard.effects.keys().isdisjoint(rules.binding)


def set_count(position: Position, wizard: Wizard) -> int:
    """Return the number of sets that a wizard makes in the turn or phase to come.

    Hasted wizards make two, but only one in an extra turn or if haste has its own phase or turn.
    rules: R97, W9
    """
    haste = wizard.effects.get(position.rules.hastening)
    if haste is None or position.rules.haste is not HasteMode.TWO_SETS:
        return 1
    return 2 if haste.is_active(position.turn) and position.kind != EXTRA else 1


def last_row(wizard: Wizard) -> str:
    """Return the last set actually made, even if sequences were broken since. rules: R80, R93"""
    if wizard.letters:
        return wizard.letters[-2:]
    return wizard.made[-1] if wizard.made else NOTHING * 2


def first_mind_spell(rules: Ruleset, kinds: Collection[str]) -> str:
    """Return the first mind spell among these spells or effects, or "" if there is none."""
    for kind in rules.mind_spells:
        if kind in kinds:
            return kind
    return ""


def active_mind_spells(rules: Ruleset, position: Position, wizard: Wizard) -> tuple[str, ...]:
    """Return the mind spells due to act on this turn's gestures. Two or more cancel each other.

    In an extra turn, only permanent ones act, or none. rules: R79, R168, W12, W16
    """
    effects = wizard.effects
    if not effects:
        return ()
    turn, extra = position.turn, position.kind == EXTRA
    if extra and rules.minds is MINDS_ACT_ON_NEXT_TURN:
        return ()
    hands = rules.hands_under
    found: list[str] = []
    for kind, effect in effects.items():
        if extra and not effect.permanent:
            continue
        if kind in hands and effect.first <= turn <= effect.last:
            found.append(kind)
    return tuple(found) if len(found) < 2 else tuple(kind for kind in hands if kind in found)


def active_mind_spell(position: Position, wizard: Wizard) -> str:
    """Return the one mind spell that will act on this wizard's next gestures, or ""."""
    return _active_mind_spell(position.rules, position, wizard) if wizard.effects else ""


def _active_mind_spell(rules: Ruleset, position: Position, wizard: Wizard) -> str:
    if rules.minds is MINDS_ACT_ON_NEXT_ROW:
        kind = first_mind_spell(rules, wizard.effects)  # it waits for the next row. rules: R168
        return kind if kind and rules.spells[kind].works not in WORKS_ON_MONSTERS else ""
    minds = active_mind_spells(rules, position, wizard)
    if len(minds) != 1 or is_hand_spell_dormant(
        rules, position, minds[0], wizard.effects[minds[0]]
    ):
        return ""
    return minds[0]


def is_hand_spell_dormant(rules: Ruleset, position: Position, kind: str, effect: Effect) -> bool:
    """Return whether a paralysis or a charm has no effect in the turn to come. rules: W18

    The caster names the hand in the orders of that turn, so the spell needs a caster who acts in
    it.
    """
    return (
        rules.hand_named is NAMED_WHEN_SPELL_ACTS
        and rules.hands_under[kind] in DIRECTED_EFFECTS
        and not (effect.caster and is_acting(position, position.wizard(effect.caster)))
    )


def remembered_set(rules: Ruleset, wizard: Wizard, effect: Effect, number: int) -> str:
    """Return the set that amnesia repeats as set `number`. rules: R82, W8"""
    if rules.minds is not MINDS_ACT_BY_TURN:
        return last_row(wizard)
    return effect.sets[min(number, len(effect.sets)) - 1] if effect.sets else NOTHING * 2


def paralysed_letter(rules: Ruleset, letter: str) -> str:
    """Return the letter that a hand must make if it is paralysed after this one. rules: R80"""
    return rules.paralysed.get(letter, letter)


def held_letter(rules: Ruleset, wizard: Wizard, effect: Effect) -> str:
    """Return the letter that the paralysed hand must make in the coming set. rules: R80, W8"""
    if rules.minds is MINDS_ACT_BY_TURN:
        return effect.letter
    return paralysed_letter(rules, last_row(wizard)[0 if effect.hand == "L" else 1])


def frightened_pair(rules: Ruleset, pair: str) -> str:
    """Return the letters that frightened hands make if these are written. rules: R87, W24"""
    return "".join(each if each in rules.under_fear else NOTHING for each in pair)


def mind_spell_without_caster(position: Position, wizard: Wizard) -> str:
    """Return the mind spell that has no effect because its caster has just left, or "".

    Orders may have been written before the caster left. rules: turn:resign, W18
    """
    if not position.left_now or position.rules.hand_named is not NAMED_WHEN_SPELL_ACTS:
        return ""
    rules = position.rules
    for kind in active_mind_spells(rules, position, wizard):
        if (
            rules.hands_under[kind] in DIRECTED_EFFECTS
            and wizard.effects[kind].caster in position.left_now
        ):
            return kind
    return ""


class HandLimits(NamedTuple):
    """The limits of a wizard's hands in the coming turn, as far as the wizard knows.

    - `mind`: the mind spell that will act on them, or "".
    - `effect`: its effect on hands.
    - `forced`: for the first and the second set, both hands' forced letters; "" for a free hand.
    - `letters`: the letters that a hand can make if no spell forces it. rules: R87
    - `changeable`: the hands whose letters another wizard or chance may change: "", "L", "R" or
      "LR". These include hands under the mind spell of a caster who has just left, because the
      orders may have been written before or after that.
    """

    mind: str = ""
    effect: HandEffect = FREE
    forced: tuple[tuple[str, str], tuple[str, str]] = (("", ""), ("", ""))
    letters: str = GESTURES
    changeable: str = ""

    def expected_pair(self, number: int, left: str, right: str) -> str:
        """Return the set that these written letters lead to, as far as the wizard knows."""
        forced = self.forced[number - 1]
        return self.pair_after_changes((forced[0] or left) + (forced[1] or right))

    def pair_after_changes(self, pair: str) -> str:
        """Return the pair as changed at the reveal by spells that do not ask anyone.

        A frightened hand does nothing, and a maladroit left hand copies the right. rules: W23, W24
        """
        if self.effect is COPIED:
            return pair[1] * 2
        if self.effect is FRIGHTENED:
            return "".join([each if each in self.letters else NOTHING for each in pair])
        return pair


UNLIMITED_HANDS: Final = HandLimits()


def hand_limits(position: Position, wizard: Wizard) -> HandLimits:
    """Return the limits of the wizard's hands in the coming turn."""
    if not wizard.effects:
        return UNLIMITED_HANDS
    rules = position.rules
    kind = _active_mind_spell(rules, position, wizard)
    if not kind:
        departed = mind_spell_without_caster(position, wizard)
        if not departed:
            return UNLIMITED_HANDS
        return HandLimits(changeable=wizard.effects[departed].hand or "LR")
    effect, hands = wizard.effects[kind], rules.hands_under.get(kind, FREE)
    forced = (
        _forced_letters(rules, wizard, effect, hands, 1),
        _forced_letters(rules, wizard, effect, hands, 2),
    )
    letters = rules.under_fear if hands is FRIGHTENED else GESTURES
    return HandLimits(kind, hands, forced, letters, _changeable_hands(rules, effect, hands))


def _forced_letters(
    rules: Ruleset, wizard: Wizard, effect: Effect, hands: HandEffect, number: int
) -> tuple[str, str]:
    """Return the letters that this mind spell is known to force in set `number`."""
    if hands is REPEATED:
        forced = remembered_set(rules, wizard, effect, number)
        return forced[0], forced[1]
    letter = held_letter(rules, wizard, effect) if hands is HELD else effect.letter
    if not letter or not effect.hand:
        return "", ""  # the hand is not known yet. rules: W18
    return (letter, "") if effect.hand == "L" else ("", letter)


def _changeable_hands(rules: Ruleset, effect: Effect, hands: HandEffect) -> str:
    """Return the hands whose letters this mind spell may change: "", "L", "R" or "LR"."""
    if effect.letter:
        return ""
    if rules.hand_named is NAMED_WHEN_SPELL_ACTS and hands in DIRECTED_EFFECTS:
        return "" if effect.hand else "LR"
    if hands is DRAWN:
        return "LR"
    return effect.hand if hands is CHARMED else ""
