"""Orders as plain sentences: the orders about to be sealed, and the choices still open.

These sentences do not contain warnings; see `cautions`. rules: turn:orders, R7, R86, R162
"""

from collections.abc import Iterator, Sequence

from engine.advice.foreseen_orders import (
    RANDOM_SUBJECT,
    ForeseenOrders,
    binding_mind_spell,
    with_first_letter_capital,
)
from engine.advice.foresight import (
    can_take_part_in_turn,
    foresee_turn,
    known_position,
    without_invalid_letters,
)
from engine.advice.gestures import surrender_consequence
from engine.events import Banked, Cast, Extended, Failed
from engine.gestures import BOTH, CLAP, HAND_NAMES, NOTHING, PALM, STAB, SURRENDER_PAIR
from engine.ids import FUTURE_BEINGS, SET_HANDS, WIZARD_HANDS, SetHand, WizardHand, is_monster
from engine.legality import scope
from engine.legality.casting import default_opponent
from engine.legality.moves import Moves, PossibleSpells
from engine.orders import ADVANCE_ANSWERS, KIND_OF_HAND_QUESTION, HandSet, Orders
from engine.positions.position import HASTE, Monster, Position, Wizard
from engine.rules_text.wording import DRAWN_OPPONENT, PLACE_WORDS, and_list, hand_text, or_list
from engine.rulesets.choices import CaptureRule, HandNamingTime, HasteMode, QuestionMode
from engine.sheet.beings import NameableBeings, monster_sheets, will_never_appear
from engine.sheet.sheet_types import MonsterSheet
from engine.spellbook import DIRECTED_EFFECTS, UNDECIDED_ELEMENTAL, HandEffect


def orders_text(position: Position, wizard: str, orders: Orders) -> tuple[str, ...]:
    """Return the content of these orders as sentences, including defaults and forced hands.

    Every field of legal orders is mentioned; faulty parts are left out. Raises KeyError for an
    unknown wizard.
    """
    own = position.wizard(wizard)
    if not can_take_part_in_turn(position, own):
        return ("You are no longer in this duel.",)
    if scope.are_choices_asked_later(position):
        known, written = known_position(position, wizard), without_invalid_letters(orders)
        nothing = ForeseenOrders(known, known.wizard(wizard), written, (), (), {})
        return tuple(OrdersText(position, own, nothing).gesture_sentences())
    foreseen = foresee_turn(position, wizard, orders)
    return tuple(OrdersText(position, own, foreseen).sentences())


class OrdersText:
    """One wizard's orders as sentences."""

    def __init__(self, position: Position, own: Wizard, foreseen: ForeseenOrders) -> None:
        self.position = position
        self.rules = position.rules
        self.own = own
        self.moves = Moves(position, own)
        self.orders = foreseen.orders
        self.casts = foreseen.casts
        self.events = foreseen.events
        self.known = foreseen.position
        mine = [e for e in self.events if isinstance(e, Banked) and e.wizard == own.id]
        self.banked = [event.spell for event in mine]
        self.bank_subject = foreseen.bank_subject
        self.names = foreseen.names

    def sentences(self) -> Iterator[str]:
        yield from self.set_sentences()
        yield from self.banking_sentences()
        yield from self.monster_sentences()
        yield from self.charmed_hand_sentences()
        yield from self.held_hand_sentences()
        yield from self.answer_sentences()
        if self.orders.heart:
            yield "You stop your own heart: you will be dead when this turn ends."
        if self.orders.say:
            yield f"You say: “{self.orders.say}”"

    def gesture_sentences(self) -> Iterator[str]:
        """Yield the sentences for a duel in which all other choices are made after the reveal.

        rules: turn:stepwise
        """
        yield from self.set_sentences()
        if self.orders.say:
            yield f"You say: “{self.orders.say}”"
        yield "You make all other choices after the reveal."

    # Hands

    def set_sentences(self) -> Iterator[str]:
        if not scope.is_acting(self.position, self.own):
            phase = "turn" if self.rules.haste is HasteMode.OWN_TURN else "phase"
            only = f"in this {phase}, which is only for the hasted"
            if self.position.kind != HASTE:
                only = "while time is stopped for you"
            yield f"You make no gestures {only}."
            return
        due = self.moves.sets
        for number in range(1, due + 1):
            hands = self.orders.hands(number)
            first = "" if due == 1 else ("First: " if number == 1 else "Then: ")
            text, *more = self.sentences_about_set(number, hands)
            yield first + text if first else with_first_letter_capital(text)
            yield from more
            yield from self.unused_choice_sentences(number, hands)
        yield from self.uncertain_gesture_sentences()

    def sentences_about_set(self, number: int, hands: HandSet) -> Iterator[str]:
        """Yield sentences about one set of gestures and the spells that it casts."""
        forced = self.moves.limits.forced[number - 1]
        pair = self.moves.expected_pair(number, hands)
        if pair == SURRENDER_PAIR:
            yield f"{self.forced_by_phrase(forced)}both hands make {PALM}: you surrender, and " + (
                f"{surrender_consequence(self.position)}."
            )
            yield from self.surrender_spell_sentences(number)
            return
        if self.cast_of_hand("BH", number) is not None or pair == CLAP * 2:
            yield self.joint_gesture_sentence(pair, forced, number)
            return
        clauses = [
            self.hand_sentence(hand, letter, must, number, hands)
            for hand, letter, must in zip("LR", pair, forced, strict=True)
        ]
        yield "; ".join(clauses) + "."

    def surrender_spell_sentences(self, number: int) -> Iterator[str]:
        """Yield sentences about the spells of a surrender, which work before the wizard is out."""
        outcomes = {hand: self.outcome_phrase(hand, number) for hand in ("L", "R")}
        if both := self.outcome_phrase(BOTH, number, plural=True):
            yield f"The hands together{both.removeprefix(' and')}."
        elif outcomes["L"] and outcomes["L"] == outcomes["R"]:
            yield f"Each hand{outcomes['L'].removeprefix(' and')}."
        else:
            for hand, outcome in outcomes.items():
                if outcome:
                    yield f"Your {HAND_NAMES[hand]}{outcome.removeprefix(' and')}."

    def joint_gesture_sentence(
        self, pair: Sequence[str], forced: tuple[str, str], number: int
    ) -> str:
        """Return the sentence about a gesture that both hands make together."""
        makes = "clap" if pair[0] == CLAP else f"make {pair[0]}"
        done = f"{makes}{self.outcome_phrase(BOTH, number, plural=True)}"
        return f"{self.forced_by_phrase(forced)}both hands {done}."

    def forced_by_phrase(self, forced: tuple[str, ...]) -> str:
        """Return "held by …, " with the spell that forces a hand, or "" if none does."""
        return f"held by {self.spell_name(self.moves.limits.mind)}, " if any(forced) else ""

    def hand_sentence(
        self, hand: str, letter: str, forced_letter: str, number: int, hands: HandSet
    ) -> str:
        made = self.gesture_phrase(letter, hands.subjects.get(hand, ""))
        meant = (
            ""
            if forced_letter
            else self.fear_note(hands.left if hand == "L" else hands.right, letter)
        )
        held = self.forced_by_phrase((forced_letter,))
        return f"{held}your {HAND_NAMES[hand]}{meant} {made}{self.outcome_phrase(hand, number)}"

    def fear_note(self, written: str, letter: str) -> str:
        """Return a note with the letter that was written if fear will change it, otherwise "".

        rules: W24
        """
        if self.rules.fear_refuses or written in (letter, NOTHING):
            return ""
        return f", meant to {'stab' if written == STAB else f'make {written}'},"

    def gesture_phrase(self, letter: str, subject: str) -> str:
        if letter == NOTHING:
            return "does nothing"
        if letter == CLAP:
            return "claps alone"
        if letter != STAB:
            return f"makes {letter}"
        if scope.are_choices_asked_later(self.position):
            return "stabs"
        subject = subject or default_opponent(self.position, self.own.id) or RANDOM_SUBJECT
        return f"stabs {self.names(subject, 'yourself')}"

    def outcome_phrase(self, hand: str, number: int, *, plural: bool = False) -> str:
        """Return the end of a clause: the spells that the gesture casts or completes."""
        cast = self.cast_of_hand(hand, number)
        if cast is not None:
            return f" and {self.cast_phrase(cast, 'cast' if plural else 'casts')}"
        completed = self.uncast_completed_spells(hand, number)
        if not completed:
            return ""
        names = or_list(map(self.spell_name, completed))
        return f" and {'complete' if plural else 'completes'} {names}"

    def uncast_completed_spells(self, hand: str, number: int) -> Sequence[str]:
        """Return spells that a hand completes but does not cast now: banked, or chosen later."""
        known = Moves(self.known, self.known.wizard(self.own.id))
        possible = PossibleSpells(known, self.orders)
        if scope.are_choices_asked_later(self.position):
            return tuple(
                dict.fromkeys(end.spell.id for end in possible.completable_spells(number, hand))
            )
        castable = (spell.id for spell in possible.castable_spells(number, hand))
        return [spell for spell in castable if spell in self.banked][:1]

    def cast_of_hand(self, hand: str, number: int) -> Cast | None:
        is_only_set = self.rules.haste is HasteMode.OWN_PHASE
        for cast in self.casts:
            if cast.hand == hand and (is_only_set or cast.set == number):
                return cast
        return None

    def cast_phrase(self, cast: Cast, verb: str) -> str:
        """Return the verb with the spell that a hand casts and the spell's subject."""
        aim = f"{self.aim_phrase(cast)}{self.short_pattern_note(cast)}"
        words = f"{verb} {self.spell_name(cast.spell)} {aim}"
        if cast.instead_of:
            words += f" instead of {or_list(map(self.spell_name, cast.instead_of))}"
        return words

    def short_pattern_note(self, cast: Cast) -> str:
        """Return a note if the cast uses the short way that works once in a duel. rules: R18"""
        once = self.rules.spells[cast.spell].once_by
        return " (the short way, once in a duel)" if once and cast.pattern == once else ""

    def aim_phrase(self, cast: Cast) -> str:
        spell = self.rules.spells[cast.spell]
        if not cast.subject:
            return "for nobody" if spell.monster else "on everyone"
        word = scope.aim_preposition(spell, cast.subject, self.own.id)
        return f"{word} {self.names(cast.subject, 'yourself')}"

    def spell_name(self, id: str) -> str:
        """Return the spell's name, or its id if the ruleset does not have the spell."""
        spell = self.rules.spells.get(id)
        return spell.name if spell else id

    def uncertain_gesture_sentences(self) -> Iterator[str]:
        """Yield sentences about gestures that may still change. rules: R2, R86, R146"""
        kind = self.moves.limits.mind
        effect = self.own.effects.get(kind)
        if effect is None or effect.letter:
            return
        hands = self.rules.hands_under.get(kind)
        if hands is HandEffect.DRAWN:
            yield "You are confused: the dice may change the gesture of one of your hands."
        elif hands in DIRECTED_EFFECTS and not effect.hand and effect.caster:
            yield self.unnamed_hand_sentence(hands, self.names(effect.caster, "you yourself"))
        elif hands is HandEffect.CHARMED:
            charmer = self.names(effect.caster, "you yourself")
            yield f"Your {HAND_NAMES[effect.hand]} is charmed: {charmer} may choose its gesture."

    def unnamed_hand_sentence(self, hands: HandEffect | None, caster: str) -> str:
        """Return a sentence saying that the caster's orders choose the hand. rules: W18"""
        if hands is HandEffect.HELD:
            return f"You are paralysed: {caster} chooses which of your hands is held."
        return f"You are charmed: {caster} may choose the gesture of one of your hands."

    def unused_choice_sentences(self, number: int, hands: HandSet) -> Iterator[str]:
        """Yield sentences about choices that only apply if a gesture changes. rules: R146"""
        for hand, spell in sorted(hands.spells.items()):
            cast = self.cast_of_hand_or_both(hand, number)
            if (cast is None or cast.spell != spell) and spell not in self.banked:
                which = self.spell_of_hand_phrase(hand, number)
                yield f"If {which} can cast {self.spell_name(spell)}, it does."
        for hand, subject in sorted(hands.subjects.items()):
            if not self.is_subject_mentioned(hand, number, subject, hands):
                whom = self.names(subject, "yourself")
                which = self.spell_of_hand_phrase(hand, number)
                yield f"Any other spell that {which} casts goes to {whom}."

    def spell_of_hand_phrase(self, hand: str, number: int) -> str:
        words = hand_text(SetHand(hand, number).text)
        return f"a spell of {words}" if hand == BOTH else f"your {words}"

    def cast_of_hand_or_both(self, hand: str, number: int) -> Cast | None:
        return self.cast_of_hand(hand, number) or (
            self.cast_of_hand("BH", number) if hand != "BH" else None
        )

    def is_subject_mentioned(self, hand: str, number: int, subject: str, hands: HandSet) -> bool:
        """Return whether a sentence already mentions this subject."""
        letter = {"L": hands.left, "R": hands.right}.get(hand, "")
        cast = self.cast_of_hand_or_both(hand, number)
        if cast is not None:
            return cast.subject == subject
        return letter == STAB

    # Banks and windows

    def banking_sentences(self) -> Iterator[str]:
        yield from self.release_sentences()
        delay, lasting = self.spell_name(self.rules.banking), self.spell_name(self.rules.extending)
        own = self.own.id
        extended = [e.spell for e in self.events if isinstance(e, Extended) and e.wizard == own]
        failed = {e.spell for e in self.events if isinstance(e, Failed) and e.wizard == own}
        for spell in self.banked:
            banked = f"{self.spell_name(spell)}{self.banked_subject(spell)}"
            yield f"Your {delay} banks {banked}: it is not cast this turn."
        for spell in extended:
            if spell in failed:
                yield f"Your {lasting} is spent on {self.spell_name(spell)}, which does nothing."
            else:
                yield f"Your {lasting} makes {self.spell_name(spell)} permanent."
        if self.rules.capture is CaptureRule.MARKED:
            for field, hand in self.orders.marks:
                window = self.spell_name(scope.window_of_field(self.rules, field))
                yield f"You mark {self.hand_phrase(hand)} for {window}."
        elif self.orders.bank:
            yield f"You choose the spell of {self.hand_phrase(self.orders.bank)} for {delay}."
        if self.orders.permanency and self.rules.capture is not CaptureRule.MARKED:
            slot = self.hand_phrase(self.orders.permanency)
            yield f"You choose the spell of {slot} for {lasting}."
        if self.orders.sacrifice:
            monster = self.names(self.orders.sacrifice)
            yield f"{self.spell_name(self.rules.sacrificing)} gives up {monster}."

    def banked_subject(self, spell: str) -> str:
        """Return the subject that is banked with the spell, if the rules bank one. rules: W34"""
        subject = self.bank_subject
        if not subject or self.own.bank:
            return ""
        return f" {self.aim_phrase(Cast(self.own.id, spell, 'BANK', 1, subject))}"

    def release_sentences(self) -> Iterator[str]:
        if not self.own.bank or not scope.is_acting(self.position, self.own):
            return
        name = self.spell_name(self.own.bank)
        cast = next((cast for cast in self.casts if cast.hand == "BANK"), None)
        if cast is None:
            yield f"{name} stays in your bank."
        else:
            yield f"You release the banked {name} {self.aim_phrase(cast)}."

    def hand_phrase(self, hand: str) -> str:
        words = hand_text(hand)
        return words if SET_HANDS[hand].hand == BOTH else f"your {words}"

    # Monsters

    def monster_sentences(self) -> Iterator[str]:
        told: set[str] = set()
        attackers: dict[tuple[str, ...], list[str]] = {}  # monsters that only attack, by victims
        possible = PossibleSpells(self.moves, self.orders)
        for row in monster_sheets(NameableBeings(possible)):
            told.add(row.key)
            victims = self.orders.victims.get(row.key, ()) or (row.default,)
            if row.note or self.binding_mind_spell(row.key):
                yield self.commanded_monster_sentence(row, victims)
            else:
                who = row.name if row.key in FUTURE_BEINGS else self.names(row.key)
                attackers.setdefault(victims, []).append(who)
        for victims, names in attackers.items():
            attack = self.attack_phrase(victims, are_many=len(names) > 1)
            yield with_first_letter_capital(f"{and_list(names)} {attack}.")
        for key, victims in self.orders.victims.items():
            if key not in told and not will_never_appear(possible, key):
                who = with_first_letter_capital(self.names(key))
                yield f"{who}, if it obeys you, attacks {self.victims_phrase(victims)}."

    def commanded_monster_sentence(self, row: MonsterSheet, victims: Sequence[str]) -> str:
        """Return the sentence about a monster that may not attack as ordered."""
        who = row.name if row.key in FUTURE_BEINGS else self.names(row.key)
        if row.note:
            return with_first_letter_capital(f"{row.note}, {who} {self.attack_phrase(victims)}.")
        bound = f"{who} is under {self.binding_mind_spell(row.key)} and does not obey"
        if not self.orders.victims.get(row.key):
            return with_first_letter_capital(f"{bound}.")
        return with_first_letter_capital(f"{bound}; later it {self.attack_phrase(victims)}.")

    def attack_phrase(self, victims: Sequence[str], *, are_many: bool = False) -> str:
        """Return the verb and the victims of one monster, or of several with the same orders."""
        if all(victim == scope.NO_ONE for victim in victims):
            return "hold back" if are_many else "holds back"
        return f"{'attack' if are_many else 'attacks'} {self.victims_phrase(victims)}"

    def victims_phrase(self, victims: Sequence[str]) -> str:
        return ", then ".join(self.victim_phrase(victim) for victim in victims)

    def victim_phrase(self, id: str) -> str:
        if id in (scope.NO_ONE, scope.ATTACKER):
            return PLACE_WORDS[id]
        return self.names(id, "you") if id else DRAWN_OPPONENT

    def binding_mind_spell(self, monster_key: str) -> str:
        """Return the mind spell that keeps a monster from obeying, or ""."""
        monster = self.known.being(monster_key) if ":" not in monster_key else None
        kind = binding_mind_spell(self.known, monster) if isinstance(monster, Monster) else ""
        return self.spell_name(kind) if kind else ""

    # Charmed hands and answers

    def held_hand_sentences(self) -> Iterator[str]:
        """Yield sentences about the hands that this wizard's paralyses hold. rules: W18"""
        paralysis = self.rules.holding
        mine = scope.directed_wizards(self.position, self.own, paralysis)
        for id in dict.fromkeys((*mine, *self.orders.held)):
            effect = self.position.wizard(id).effects.get(paralysis)
            hand = self.orders.held.get(id) or (effect.hand if effect is not None else "") or "L"
            whose = self.names.possessive(id)
            yield f"Your {self.spell_name(paralysis)} holds {whose} {HAND_NAMES[hand]}."

    def charmed_hand_sentences(self) -> Iterator[str]:
        mine = scope.charmed_hands(self.position, self.own)
        if self.rules.hand_named is HandNamingTime.WHEN_IT_ACTS:
            mine = ()
            for id in scope.directed_wizards(self.position, self.own, self.rules.charming):
                if all(WizardHand(id, hand).text not in self.orders.charmed for hand in "LR"):
                    whose = self.names.possessive(id)
                    yield with_first_letter_capital(
                        f"{whose} charmed hands make the gestures in their owner’s orders."
                    )
        for key in dict.fromkeys((*mine, *self.orders.charmed)):
            id, hand, _ = WIZARD_HANDS[key]
            whose = f"{self.names.possessive(id)} charmed {HAND_NAMES[hand]}"
            letters = self.orders.charmed.get(key, ())
            if letters:
                made = ", then ".join(letter or "its own gesture" for letter in letters)
                yield with_first_letter_capital(
                    f"{whose} makes {made}.".replace("makes -", "does nothing (-)")
                )
            elif self.rules.asking is QuestionMode.AT_EVERY_STEP:
                yield f"You are asked for the gesture of {whose} when everyone has sealed."
            else:
                yield with_first_letter_capital(
                    f"{whose} makes the gesture that its owner chooses."
                )

    def answer_sentences(self) -> Iterator[str]:
        answers = self.orders.answers
        if "elemental" in answers:
            yield f"If you may choose an elemental’s kind, it is {answers['elemental']}."
        for kind, verb in (("paralysis", "paralyse"), ("charm_person", "charm")):
            if kind in answers:
                yield f"If you {verb} someone, you choose their {HAND_NAMES[answers[kind]]}."
        for kind in ADVANCE_ANSWERS:
            if kind not in answers and kind in self.possible_question_kinds():
                what = "whether the elemental is fire or ice"
                if kind != "elemental":
                    spell = self.spell_name(scope.spell_of_question(self.rules, kind))
                    what = f"which hand {spell} affects"
                yield f"After the reveal, you are asked {what}."

    def possible_question_kinds(self) -> set[str]:
        """Return the kinds of question that these casts may raise."""
        asking = self.rules.spells_that_ask
        spells = {cast.spell for cast in self.casts if not is_monster(cast.subject)} & asking
        hands = {self.rules.spells[spell].hands for spell in spells}
        made = {self.rules.spells[cast.spell].monster for cast in self.casts}
        kinds = {kind for held, kind in KIND_OF_HAND_QUESTION.items() if held in hands}
        return kinds | (made & {UNDECIDED_ELEMENTAL})
