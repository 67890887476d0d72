"""The moves open to a wizard in the coming turn, and the spells that a draft of orders completes.

Both use only what the wizard may know. `check` reads faults from them, the sheet shows them, and
`legal_orders` lists all orders that they allow. rules: turn:orders, R14, R81, R94, R146
"""

from collections.abc import Iterator, Sequence

from engine.gestures import BOTH, GESTURES, LETTERS, NOTHING, STAB, STABS_PAIR
from engine.ids import FUTURE_BEINGS, is_monster
from engine.legality import scope
from engine.legality.casting import (
    ChosenSpell,
    choose_spells,
    completed_spells,
    default_choice,
    is_allowed_subject,
)
from engine.legality.hand_constraints import (
    PAIR_FOR_TWO_STABS,
    UNLIMITED_HANDS,
    hand_limits,
    has_free_hands,
    last_row,
    mind_spell_without_caster,
    paralysed_letter,
    set_count,
)
from engine.orders import HandSet, Orders
from engine.positions.position import ALIVE, NORMAL, Monster, Position, Wizard
from engine.rulesets.choices import TwoStabs
from engine.rulesets.ruleset import CompletablePattern
from engine.spellbook import SUBJECTS_WITH_MONSTERS, HandEffect, Spell


class Moves:
    """The moves open to a wizard in the duel, whatever spells their gestures complete.

    - `is_free`: whether the wizard makes one set this turn, with any lawful gestures.
    - `limits`: the limits of the wizard's hands.
    - `sets`: the number of sets that the wizard makes; 0 if they make no gestures this turn.
    """

    __slots__ = ("is_free", "limits", "own", "position", "sets")

    def __init__(self, position: Position, own: Wizard) -> None:
        self.position = position
        self.own = own
        acts = scope.is_acting(position, own)
        self.is_free = acts and position.kind == NORMAL and has_free_hands(position.rules, own)
        if self.is_free:
            self.limits, self.sets = UNLIMITED_HANDS, 1
        else:
            self.limits = hand_limits(position, own)
            self.sets = set_count(position, own) if acts else 0

    def allowed_letters(self, number: int, hand: str) -> str:
        """Return the letters that may be written for the hand ("L" or "R") in this set.

        If a letter is forced, it is the only one, but the hand may also be left idle. rules: R87
        """
        if must := self.limits.forced[number - 1]["LR".index(hand)]:
            return must
        return self.limits.letters if self.position.rules.fear_refuses else GESTURES

    def has_two_stabs(self, number: int, hands: HandSet) -> bool:
        """Return whether both hands would stab, in a ruleset that rejects this. rules: R16"""
        if self.position.rules.two_stabs is not TwoStabs.REFUSED:
            return False
        left, right = self.limits.forced[number - 1]
        return (left or hands.left) + (right or hands.right) == STABS_PAIR

    def expected_pair(self, number: int, hands: HandSet) -> str:
        """Return the set that the wizard can expect, from forced or written letters. rules: R16"""
        pair = self.limits.expected_pair(number, hands.left, hands.right)
        return PAIR_FOR_TWO_STABS[self.position.rules.two_stabs] if pair == STABS_PAIR else pair

    def possible_pairs(self, pair: str) -> Sequence[str]:
        """Return the sets that can result from this pair, if others may change the hands."""
        changeable = self.limits.changeable
        if not changeable:
            return (pair,)
        outcomes, made = [pair], dict.fromkeys("LR", LETTERS + STAB + NOTHING)
        departed = mind_spell_without_caster(self.position, self.own)
        rules = self.position.rules
        if rules.hands_under.get(departed or self.limits.mind) is HandEffect.HELD:
            row = last_row(self.own)
            made = {hand: paralysed_letter(rules, row["LR".index(hand)]) for hand in "LR"}
            outcomes = [pair] if departed else []  # otherwise one hand is always held
        if "L" in changeable:
            outcomes += [letter + pair[1] for letter in made["L"]]
        if "R" in changeable:
            outcomes += [pair[0] + letter for letter in made["R"]]
        return tuple(dict.fromkeys(outcomes))

    @property
    def can_release(self) -> bool:
        """Whether the wizard can release a banked spell this turn."""
        return bool(self.own.bank and self.sets)

    def is_possible_subject(self, spell: Spell, subject: str) -> bool:
        """Return whether the subject may be written for the spell. The blind cannot see corpses."""
        if (
            self.own.knows is not None
            and is_monster(subject)
            and spell.legal in SUBJECTS_WITH_MONSTERS
        ):
            return spell.aimable or not spell.is_area
        return is_allowed_subject(self.position, spell, subject, self.own.id)


class PossibleSpells:
    """The spells that these orders can complete, as far as the wizard who writes them can know.

    If a hand is confused or charmed, several outcomes are possible. A choice is legal if it fits
    one of them (R146).
    """

    __slots__ = ("_chosen", "is_open", "moves", "orders", "own", "pairs", "position", "states")

    def __init__(self, moves: Moves, orders: Orders) -> None:
        self.moves = moves
        self.position = position = moves.position
        self.own = own = moves.own
        self.orders = orders
        self.is_open = bool(moves.limits.changeable)
        self.pairs: list[str] = []
        self.states: list[list[tuple[int, int]]] = []  # possible automaton states, by set
        self._chosen: dict[int, Sequence[ChosenSpell]] = {}
        if moves.is_free:
            pair = orders.first_set.pair
            step = position.rules.automaton.moves[pair]
            self.pairs.append(pair)
            self.states.append([(step.left[own.left_state], step.right[own.right_state])])
            return
        states = {(own.left_state, own.right_state)}
        for number in range(1, moves.sets + 1):
            pair = moves.expected_pair(number, orders.hands(number))
            steps = [position.rules.automaton.moves[made] for made in moves.possible_pairs(pair)]
            states = {
                (step.left[left], step.right[right]) for left, right in states for step in steps
            }
            self.pairs.append(pair)
            self.states.append(sorted(states))

    def possible_completions(
        self, number: int
    ) -> Iterator[tuple[Sequence[CompletablePattern], Sequence[CompletablePattern]]]:
        """For each outcome of that set, yield the spells that each hand may complete."""
        rules, used = self.position.rules, scope.is_bolt_spent(self.position, self.own)
        for left, right in self.states[number - 1] if number <= len(self.states) else ():
            yield (
                completed_spells(rules, left, used_bolt=used),
                completed_spells(rules, right, used_bolt=used),
            )

    def completable_spells(self, number: int, hand: str) -> list[CompletablePattern]:
        """Return the spells that hand "L", "R" or "BH" may complete in that set."""
        found: list[CompletablePattern] = []
        for lefts, rights in self.possible_completions(number):
            if hand == "BH":
                found += [end for end in (*lefts, *rights) if end.both]
            else:
                found += lefts if hand == "L" else rights
        return found

    def castable_spells(self, number: int, hand: str) -> list[Spell]:
        """Return all spells that this hand of the set may cast with these orders."""
        found: list[Spell] = []
        for cast in self._chosen.get(number) or self.possible_casts(number):
            if hand == cast.hand or (cast.hand == "BH" and hand == cast.maker):
                found.append(cast.completed.spell)
        return found

    def possible_casts(self, number: int) -> Sequence[ChosenSpell]:
        """Return all casts that may result from that set."""
        chosen = self._chosen.get(number)
        if chosen is not None:
            return chosen
        hands, rules = self.orders.hands(number), self.position.rules
        states = self.states[number - 1] if number <= len(self.states) else []
        if hands.spells or scope.is_bolt_spent(self.position, self.own):
            ends = self.possible_completions(number)
            chosen = [cast for each in ends for cast in choose_spells(rules, *each, hands.spells)]
        elif len(states) == 1:
            chosen = default_choice(rules, *states[0]).casts
        else:
            by_state = [default_choice(rules, left, right).casts for left, right in states]
            chosen = [cast for casts in by_state for cast in casts]
        self._chosen[number] = chosen
        return chosen

    def all_casts(self) -> Iterator[tuple[str, Spell]]:
        """Yield the subject written for each hand, with each spell that the hand may cast."""
        for number in range(1, len(self.states) + 1):
            hands = self.orders.hands(number)
            for hand in ("L", "R", "BH"):
                for spell in self.castable_spells(number, hand):
                    yield hands.subjects.get(hand, ""), spell
        if self.orders.release and self.own.bank:
            yield self.orders.release_subject, self.position.rules.spells[self.own.bank]

    def is_stabbing(self, number: int, hand: str) -> bool:
        """Return whether this hand of the set is expected to stab."""
        if hand == BOTH or number > len(self.pairs):
            return False
        return self.pairs[number - 1]["LR".index(hand)] == STAB

    def is_legal_subject(self, number: int, hand: str, subject: str) -> bool:
        """Return whether this subject may be written for the hand. rules: R8, R14, R17, R39"""
        if subject != scope.NOWHERE and not scope.is_known_subject(
            self.position, self.own, subject
        ):
            return False
        spells = self.castable_spells(number, hand)
        if not spells and self.is_stabbing(number, hand):
            spells = [self.position.rules.stab]
        for spell in spells:
            if self.moves.is_possible_subject(spell, subject):
                return True
        return self.is_open and not spells

    def is_legal_victim(self, key: str, victim: str) -> bool:
        """Return whether this victim may be written for the monster. rules: R74, turn:victims"""
        if victim in ("", scope.NO_ONE):
            return True
        if victim == key and not self.position.rules.can_attack_itself:
            return False
        if victim == scope.ATTACKER:
            return self.own.knows is not None
        if not scope.is_known_subject(self.position, self.own, victim):
            return False
        # The being may be alive, or may be raised by these orders.
        being = self.position.being(victim)
        if isinstance(being, Wizard):
            return scope.can_name_wizard(self.position, being)
        if victim in FUTURE_BEINGS or self.own.knows is not None:
            return True
        return isinstance(being, Monster) and (
            being.state == ALIVE
            or any(subject == victim and spell.raises for subject, spell in self.all_casts())
        )

    def can_command(self, key: str) -> bool:
        """Return whether the wizard controls the monster, or charms or raises it."""
        monster = self.position.being(key)
        if isinstance(monster, Monster) and monster.controller == self.own.id:
            return monster.state == ALIVE
        return any(
            subject == key and (spell.takes_over or spell.raises)
            for subject, spell in self.all_casts()
        )
