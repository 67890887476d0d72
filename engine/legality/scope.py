"""Possible results of orders, as far as the wizard who writes them can know.

rules: turn:orders, R14, R81, R94, R146
"""

from collections.abc import Iterator, Sequence

from engine.gestures import LETTERS, STAB, TWO_STABS
from engine.ids import FUTURE_BEINGS, WizardHand, is_monster
from engine.legality.casting import (
    ChosenSpell,
    choose_spells,
    completed_spells,
    default_choice,
    is_allowed_subject,
)
from engine.legality.hand_constraints import (
    ONE_STAB,
    WHEN_IT_ACTS,
    active_mind_spell,
    altered_pair,
    changeable_hands,
    forced_letters,
    is_free,
    last_row,
    mind_spell_without_caster,
    paralysed_letter,
    set_count,
)
from engine.legality.hand_constraints import is_acting as is_acting
from engine.orders import HAND_QUESTIONS, NO_SET, HandSet, Orders
from engine.positions.position import (
    DEAD,
    EXTRA,
    NORMAL,
    STANDING,
    STRICT,
    Monster,
    Position,
    Wizard,
)
from engine.rulesets.choices import STEPWISE, QuestionMode, TwoStabs
from engine.rulesets.ruleset import Completable, Ruleset
from engine.spellbook import AT_MONSTERS, HandEffect, Spell

NOWHERE, NO_ONE, ATTACKER = "nowhere", "no_one", "attacker"


def is_asked_all(position: Position) -> bool:
    """Return whether orders contain only gestures, because all else is asked after the reveal.

    rules: R9
    """
    return STRICT in position.options and position.rules.asking is QuestionMode.AT_EVERY_STEP


def is_for_subject(spell: Spell) -> bool:
    """Return whether the subject of the spell will control the monster that it summons.

    rules: R61, W43
    """
    return bool(spell.monster) and not spell.is_area


def aim_word(spell: Spell, subject: str, caster: str) -> str:
    """Return the preposition before a subject: "for Bram", "on yourself", "at the Red Goblin"."""
    if is_for_subject(spell) and subject != NOWHERE:
        return "for"
    return "on" if subject == caster and not spell.is_area else "at"


class PossibleSpells:
    """The spells that these orders can complete, as far as the wizard who writes them can know.

    If a hand is confused or charmed, several outcomes are possible. A choice is legal if it fits
    one of them (R146).
    """

    __slots__ = ("_chosen", "is_open", "orders", "own", "pairs", "position", "states")

    def __init__(self, position: Position, own: Wizard, orders: Orders) -> None:
        self.position = position
        self.own = own
        self.orders = orders
        self.states: list[list[tuple[int, int]]] = []  # possible automaton states after each set
        self.pairs: list[str] = []
        self._chosen: dict[int, Sequence[ChosenSpell]] = {}
        self.is_open = False
        if is_unbound(position, own):
            pair = orders.sets[0].pair if orders.sets else NO_SET.pair
            left_to, right_to, _ = position.rules.automaton.moves[pair]
            self.pairs.append(pair)
            self.states.append([(left_to[own.left_state], right_to[own.right_state])])
            return
        changeable = changeable_hands(position, own)
        self.is_open = bool(changeable)
        if not is_acting(position, own):
            return
        states = {(own.left_state, own.right_state)}
        for number in range(1, set_count(position, own) + 1):
            pair = expected_pair(position, own, orders, number)
            self.pairs.append(pair)
            outcomes = self._outcomes(pair, changeable)
            moves = [position.rules.automaton.moves[outcome] for outcome in outcomes]
            states = {
                (move.left[left], move.right[right]) for left, right in states for move in moves
            }
            self.states.append(sorted(states))

    def _outcomes(self, pair: str, changeable: str) -> list[str]:
        """Return the sets that can result from this pair, given the hands that may be changed."""
        outcomes, made = [pair], dict.fromkeys("LR", LETTERS + STAB + "-")
        left = mind_spell_without_caster(self.position, self.own)
        kind = left or active_mind_spell(self.position, self.own)
        rules = self.position.rules
        if changeable and rules.hands_under.get(kind) is HandEffect.HELD:
            row = last_row(self.own)
            made = {hand: paralysed_letter(rules, row["LR".index(hand)]) for hand in "LR"}
            outcomes = [pair] if left else []  # otherwise one hand is held for certain
        if "L" in changeable:
            outcomes += [letter + pair[1] for letter in made["L"]]
        if "R" in changeable:
            outcomes += [pair[0] + letter for letter in made["R"]]
        return list(dict.fromkeys(outcomes))

    def ends(self, number: int) -> Iterator[tuple[Sequence[Completable], Sequence[Completable]]]:
        """For each outcome of that set, yield the spells that each hand may complete."""
        rules, used = self.position.rules, is_bolt_spent(self.position, self.own)
        for left, right in self.states[number - 1] if number <= len(self.states) else ():
            yield (
                completed_spells(rules, left, used_bolt=used),
                completed_spells(rules, right, used_bolt=used),
            )

    def completable(self, number: int, hand: str) -> list[Completable]:
        """Return the spells that hand "L", "R" or "BH" may complete in that set."""
        found: list[Completable] = []
        for lefts, rights in self.ends(number):
            if hand == "BH":
                found += [end for end in (*lefts, *rights) if end.both]
            else:
                found += lefts if hand == "L" else rights
        return found

    def casts(self, number: int, hand: str) -> list[Spell]:
        """Return all spells that this hand of the set may cast with these orders."""
        chosen = self._chosen.get(number)
        if chosen is None:
            chosen = self._chosen[number] = self._choose(number)
        return [
            cast.completed.spell
            for cast in chosen
            if hand == cast.hand or (cast.hand == "BH" and hand == cast.maker)
        ]

    def _choose(self, number: int) -> Sequence[ChosenSpell]:
        """Return all casts that may result from that set."""
        hands = self.orders.sets[number - 1] if number <= len(self.orders.sets) else NO_SET
        rules = self.position.rules
        if hands.spells or is_bolt_spent(self.position, self.own):
            ends = self.ends(number)
            return [cast for each in ends for cast in choose_spells(rules, *each, hands.spells)]
        states = self.states[number - 1] if number <= len(self.states) else []
        if len(states) == 1:
            return default_choice(rules, *states[0]).casts
        return [cast for left, right in states for cast in default_choice(rules, left, right).casts]

    def all_casts(self) -> Iterator[tuple[str, Spell]]:
        """Yield the subject written for each hand, with each spell that the hand may cast."""
        for number in range(1, len(self.states) + 1):
            hands = self.orders.sets[number - 1] if number <= len(self.orders.sets) else HandSet()
            for hand in ("L", "R", "BH"):
                for spell in self.casts(number, hand):
                    yield hands.subjects.get(hand, ""), spell
        if self.orders.release and self.own.bank:
            yield self.orders.release_subject, self.position.rules.spells[self.own.bank]


def is_unbound(position: Position, own: Wizard) -> bool:
    """Return whether the wizard makes one set this turn, with any lawful gestures."""
    return position.kind == NORMAL and is_free(position.rules, own)


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


def expected_pair(position: Position, own: Wizard, orders: Orders, number: int) -> str:
    """Return the set that the wizard can expect: forced letters, otherwise written ones."""
    hands = orders.sets[number - 1] if number <= len(orders.sets) else HandSet()
    left, right = forced_letters(position, own, number)
    pair = altered_pair(position, own, (left or hands.left) + (right or hands.right))
    return ONE_STAB[position.rules.two_stabs] if pair == TWO_STABS else pair  # rules: R16


def is_possible_subject(possible: PossibleSpells, spell: Spell, subject: str) -> bool:
    """Return whether the subject may be written for the spell. The blind cannot see corpses."""
    if possible.own.knows is not None and is_monster(subject) and spell.legal in AT_MONSTERS:
        return spell.aimable or not spell.is_area
    return is_allowed_subject(possible.position, spell, subject, possible.own.id)


def is_known(position: Position, own: Wizard, subject: str) -> bool:
    """Return whether the subject is a being that the wizard knows of, or may still be made."""
    if subject in FUTURE_BEINGS:
        maker = position.being(FUTURE_BEINGS[subject].maker)
        return isinstance(maker, Wizard) and is_here(position, maker)
    being = position.being(subject)
    if isinstance(being, Wizard):
        return being.standing == DEAD or is_here(position, being)
    if own.knows is not None:
        if subject in own.knows:
            return True
        return isinstance(being, Monster) and being.controller == own.id
    return being is not None


def is_here(position: Position, wizard: Wizard) -> bool:
    """Return whether orders may name the wizard: still in the duel, or just gone."""
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
    if position.rules.hand_named is WHEN_IT_ACTS:
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
    if position.rules.hand_named is not WHEN_IT_ACTS or not is_acting(position, own):
        return ()
    return tuple(
        wizard.id
        for wizard in position.wizards
        if kind in wizard.effects
        and wizard.effects[kind].caster == own.id
        and active_mind_spell(position, wizard) == kind
        and is_acting(position, wizard)
    )


def window_of(rules: Ruleset, field: str) -> str:
    """Return the window that takes the spell of the hand in this field, `bank` or `permanency`."""
    return rules.banking if field == "bank" else rules.extending


def question_spell(rules: Ruleset, kind: str) -> str:
    """Return the spell that this kind of question is about: it asks which hand the spell takes."""
    return rules.holding if kind == HAND_QUESTIONS[HandEffect.HELD] else rules.charming


def is_marking(position: Position, own: Wizard, window: str) -> bool:
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
