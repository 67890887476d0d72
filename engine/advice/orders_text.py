"""Orders as plain sentences: the orders about to be sealed, and the choices still open.

These sentences do not judge; see `cautions`. rules: turn:orders, R7, R86, R162
"""

from collections.abc import Iterator, Sequence

from engine.advice.foreseen_orders import ForeseenOrders, Names, sentence
from engine.advice.foresight import (
    DRAWN,
    foresee_turn,
    is_in_play,
    known_position,
    without_invalid_letters,
)
from engine.advice.gestures import leaves_by_surrender
from engine.events import Banked, Cast, Extended, Failed
from engine.gestures import BOTH, CLAP, HAND_NAMES, NOTHING, PALM, STAB, SURRENDER
from engine.ids import FUTURE_BEINGS, SET_HANDS, WIZARD_HANDS, SetHand, WizardHand, is_monster
from engine.legality.casting import default_opponent
from engine.legality.moves import Moves, PossibleSpells
from engine.legality.scope import (
    ATTACKER,
    NO_ONE,
    NOWHERE,
    aim_word,
    charmed_hands,
    directed_wizards,
    is_acting,
    is_asked_all,
    question_spell,
    window_of,
)
from engine.orders import HAND_QUESTIONS, QUESTIONS, HandSet, Orders
from engine.positions.position import HASTE, Effect, Monster, Position, Wizard
from engine.rules_text.wording import DRAWN_OPPONENT, PLACE_WORDS, and_list, hand_text, or_list
from engine.rulesets.choices import CaptureRule, HandNamingTime, HasteMode, MindTiming, QuestionMode
from engine.sheet.beings import NameableBeings, is_made_nowhere, monster_sheets
from engine.sheet.sheet_types import MonsterSheet
from engine.spellbook import DIRECTED, UNDECIDED, HandEffect, Spell


def orders_text(position: Position, wizard: str, orders: Orders) -> tuple[str, ...]:
    """Return the content of these orders as sentences, including defaults and forced hands.

    Every field of legal orders is mentioned; faulty parts are left out. Raises KeyError for an
    unknown wizard.
    """
    own = position.wizard(wizard)
    if not is_in_play(position, own):
        return ("You are no longer in this duel.",)
    if is_asked_all(position):
        return tuple(
            OrdersText(position, own, without_invalid_letters(orders), None).gestures_only()
        )
    foreseen = ForeseenOrders(foresee_turn(position, wizard, orders))
    return tuple(OrdersText(position, own, foreseen.orders, foreseen).lines())


class OrdersText:
    """One wizard's orders as sentences."""

    def __init__(
        self, position: Position, own: Wizard, orders: Orders, foreseen: ForeseenOrders | None
    ) -> None:
        self.position = position
        self.rules = position.rules
        self.own = own
        self.moves = Moves(position, own)
        self.orders = orders
        self.casts: Sequence[Cast] = foreseen.casts if foreseen is not None else ()
        self.events = foreseen.events if foreseen is not None else ()
        self.bank_subject = foreseen.bank_subject if foreseen is not None else ""
        self.known = foreseen.position if foreseen is not None else known_position(position, own.id)
        mine = [e for e in self.events if isinstance(e, Banked) and e.wizard == own.id]
        self.banked = [event.spell for event in mine]
        self.names = Names(self.known, own)

    def lines(self) -> Iterator[str]:
        yield from self.sets()
        yield from self.keeping()
        yield from self.monsters()
        yield from self.charmed()
        yield from self.held()
        yield from self.answers()
        if self.orders.heart:
            yield "You stop your own heart: you will be dead when this turn ends."
        if self.orders.say:
            yield f"You say: “{self.orders.say}”"

    def gestures_only(self) -> Iterator[str]:
        """Yield the sentences for a duel that asks everything except gestures after the reveal.

        rules: turn:stepwise
        """
        yield from self.sets()
        if self.orders.say:
            yield f"You say: “{self.orders.say}”"
        yield "Everything else is asked after the reveal."

    # Hands

    def sets(self) -> Iterator[str]:
        if not is_acting(self.position, self.own):
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
            text, *more = self.one_set(number, hands)
            yield first + text if first else sentence(text)
            yield from more
            yield from self.unused(number, hands)
        yield from self.uncertain()

    def one_set(self, number: int, hands: HandSet) -> Iterator[str]:
        """Yield sentences about one set of gestures and the spells that it casts."""
        forced = self.moves.limits.forced[number - 1]
        pair = self.moves.pair(number, hands)
        if pair == SURRENDER:
            yield f"{self.held_by(forced)}both hands make {PALM}: you surrender, and " + (
                f"{leaves_by_surrender(self.position)}."
            )
            yield from self.surrender_spells(number)
            return
        if self.cast_with("BH", number) is not None or pair == CLAP * 2:
            yield self.joint_set(pair, forced, number)
            return
        clauses = [
            self.one_hand(hand, letter, must, number, hands)
            for hand, letter, must in zip("LR", pair, forced, strict=True)
        ]
        yield "; ".join(clauses) + "."

    def surrender_spells(self, number: int) -> Iterator[str]:
        """Yield sentences about the spells of a surrender, which work before the wizard is out."""
        outcomes = {hand: self.outcome(hand, number) for hand in ("L", "R")}
        if both := self.outcome(BOTH, number, plural=True):
            yield f"The hands together{both.removeprefix(' and')}."
        elif outcomes["L"] and outcomes["L"] == outcomes["R"]:
            yield f"Each hand{outcomes['L'].removeprefix(' and')}."
        else:
            for hand, outcome in outcomes.items():
                if outcome:
                    yield f"Your {HAND_NAMES[hand]}{outcome.removeprefix(' and')}."

    def joint_set(self, pair: Sequence[str], forced: tuple[str, str], number: int) -> str:
        """Return the sentence about a gesture that both hands make together."""
        makes = "clap" if pair[0] == CLAP else f"make {pair[0]}"
        done = f"{makes}{self.outcome(BOTH, number, plural=True)}"
        return f"{self.held_by(forced)}both hands {done}."

    def held_by(self, forced: tuple[str, ...]) -> str:
        """Return "held by …, " with the spell that forces a hand, or "" if none does."""
        return f"held by {self.spell(self.mind())}, " if any(forced) else ""

    def one_hand(self, hand: str, letter: str, must: str, number: int, hands: HandSet) -> str:
        made = self.makes(letter, hands.subjects.get(hand, ""))
        meant = "" if must else self.meant(hands.left if hand == "L" else hands.right, letter)
        held = self.held_by((must,))
        return f"{held}your {HAND_NAMES[hand]}{meant} {made}{self.outcome(hand, number)}"

    def meant(self, written: str, letter: str) -> str:
        """Return a note with the letter that was written if fear will change it, otherwise "".

        rules: W24
        """
        if self.rules.fear_refuses or written in (letter, NOTHING):
            return ""
        return f", meant to {'stab' if written == STAB else f'make {written}'},"

    def makes(self, letter: str, subject: str) -> str:
        if letter == NOTHING:
            return "does nothing"
        if letter == CLAP:
            return "claps alone"
        if letter != STAB:
            return f"makes {letter}"
        if is_asked_all(self.position):
            return "stabs"
        subject = subject or default_opponent(self.position, self.own.id) or DRAWN
        return f"stabs {'nobody' if subject == NOWHERE else self.names(subject, 'yourself')}"

    def outcome(self, hand: str, number: int, *, plural: bool = False) -> str:
        """Return the end of a clause: the spells that the gesture casts or completes."""
        cast = self.cast_with(hand, number)
        if cast is not None:
            return f" and {self.casting(cast, 'cast' if plural else 'casts')}"
        completed = self.completed(hand, number)
        if not completed:
            return ""
        names = or_list(map(self.spell, completed))
        return f" and {'complete' if plural else 'completes'} {names}"

    def completed(self, hand: str, number: int) -> Sequence[str]:
        """Return spells that a hand completes but does not cast now: banked, or chosen later."""
        known = Moves(self.known, self.known.wizard(self.own.id))
        possible = PossibleSpells(known, self.orders)
        if is_asked_all(self.position):
            return tuple(dict.fromkeys(end.spell.id for end in possible.completable(number, hand)))
        return [spell.id for spell in self.scope_casts(possible, hand, number)]

    def scope_casts(self, possible: PossibleSpells, hand: str, number: int) -> list[Spell]:
        cast = possible.casts(number, hand)
        return [spell for spell in cast if spell.id in self.banked][:1]

    def cast_with(self, hand: str, number: int) -> Cast | None:
        is_only_set = self.rules.haste is HasteMode.OWN_PHASE
        for cast in self.casts:
            if cast.hand == hand and (is_only_set or cast.set == number):
                return cast
        return None

    def casting(self, cast: Cast, verb: str) -> str:
        """Return the verb with the spell that a hand casts and the spell's subject."""
        words = f"{verb} {self.spell(cast.spell)} {self.aim(cast)}{self.short_way_note(cast)}"
        if cast.instead_of:
            words += f", not {or_list(map(self.spell, cast.instead_of))}"
        return words

    def short_way_note(self, cast: Cast) -> str:
        """Return a note if the cast uses the short way that works once in a duel. rules: R18"""
        once = self.rules.spells[cast.spell].once_by
        return " (the short way, once in a duel)" if once and cast.pattern == once else ""

    def aim(self, cast: Cast) -> str:
        spell = self.rules.spells[cast.spell]
        if not cast.subject:
            return "for nobody" if spell.monster else "on everyone"
        word = aim_word(spell, cast.subject, self.own.id)
        return f"{word} {self.names(cast.subject, 'yourself')}"

    def mind(self) -> str:
        return self.moves.limits.mind

    def spell(self, id: str) -> str:
        """Return the spell's name, or its id if the ruleset does not have the spell."""
        spell = self.rules.spells.get(id)
        return spell.name if spell else id

    def uncertain(self) -> Iterator[str]:
        """Yield sentences about gestures that may still change. rules: R2, R86, R146"""
        kind = self.mind()
        effect = self.own.effects.get(kind)
        if effect is None or effect.letter:
            return
        hands = self.rules.hands_under.get(kind)
        if hands is HandEffect.DRAWN:
            yield "You are confused: the dice may change the gesture of one of your hands."
        elif hands in DIRECTED and not effect.hand and effect.caster:
            yield self.undecided(hands, self.names(effect.caster, "you yourself"))
        elif hands is HandEffect.CHARMED:
            charmer = self.names(effect.caster, "you yourself")
            yield f"Your {HAND_NAMES[effect.hand]} is charmed: {charmer} may write its gesture."

    def undecided(self, hands: HandEffect | None, caster: str) -> str:
        """Return a sentence that the caster names the hand with this turn's orders. rules: W18"""
        if hands is HandEffect.HELD:
            return f"You are paralysed: {caster} chooses which of your hands is held."
        return f"You are charmed: {caster} may write the gesture of one of your hands."

    def unused(self, number: int, hands: HandSet) -> Iterator[str]:
        """Yield sentences about choices that only apply if a gesture changes. rules: R146"""
        for hand, spell in sorted(hands.spells.items()):
            cast = self.any_cast(hand, number)
            if (cast is None or cast.spell != spell) and spell not in self.banked:
                yield f"If {self.spell_hand(hand, number)} can cast {self.spell(spell)}, it does."
        for hand, subject in sorted(hands.subjects.items()):
            if not self.is_aimed(hand, number, subject, hands):
                whom = self.names(subject, "yourself")
                yield f"Any other spell that {self.spell_hand(hand, number)} casts goes to {whom}."

    def spell_hand(self, hand: str, number: int) -> str:
        words = hand_text(SetHand(hand, number).text)
        return f"a spell of {words}" if hand == BOTH else f"your {words}"

    def any_cast(self, hand: str, number: int) -> Cast | None:
        return self.cast_with(hand, number) or (
            self.cast_with("BH", number) if hand != "BH" else None
        )

    def is_aimed(self, hand: str, number: int, subject: str, hands: HandSet) -> bool:
        """Return whether a sentence already mentions this subject."""
        letter = {"L": hands.left, "R": hands.right}.get(hand, "")
        cast = self.any_cast(hand, number)
        if cast is not None:
            return cast.subject == subject
        return letter == STAB

    # Banks and windows

    def keeping(self) -> Iterator[str]:
        yield from self.released()
        delay, lasting = self.spell(self.rules.banking), self.spell(self.rules.extending)
        own = self.own.id
        extended = [e.spell for e in self.events if isinstance(e, Extended) and e.wizard == own]
        failed = {e.spell for e in self.events if isinstance(e, Failed) and e.wizard == own}
        for spell in self.banked:
            banked = f"{self.spell(spell)}{self.kept_aim(spell)}"
            yield f"Your {delay} banks {banked}: it is not cast this turn."
        for spell in extended:
            if spell in failed:
                yield f"Your {lasting} is spent on {self.spell(spell)}, which does nothing."
            else:
                yield f"Your {lasting} makes {self.spell(spell)} permanent."
        if self.rules.capture is CaptureRule.MARKED:
            yield from self.marks()
        elif self.orders.bank:
            yield f"You choose the spell of {self.slot(self.orders.bank)} for {delay}."
        if self.orders.permanency and self.rules.capture is not CaptureRule.MARKED:
            slot = self.slot(self.orders.permanency)
            yield f"You choose the spell of {slot} for {lasting}."
        if self.orders.sacrifice:
            monster = self.names(self.orders.sacrifice)
            yield f"{self.spell(self.rules.sacrificing)} gives up {monster}."

    def kept_aim(self, spell: str) -> str:
        """Return the subject that is banked with the spell, if the rules bank one. rules: W34"""
        subject = self.bank_subject
        if not subject or self.own.bank:
            return ""
        return f" {self.aim(Cast(self.own.id, spell, 'BANK', 1, subject))}"

    def marks(self) -> Iterator[str]:
        """Yield sentences about the hands that are marked for open windows. rules: W34, W35"""
        for mark in self.orders.marks:
            window = self.spell(window_of(self.rules, mark.field))
            yield f"You mark {self.slot(mark.hand)} for {window}."

    def released(self) -> Iterator[str]:
        if not self.own.bank or not is_acting(self.position, self.own):
            return
        name = self.spell(self.own.bank)
        cast = next((cast for cast in self.casts if cast.hand == "BANK"), None)
        if cast is None:
            yield f"{name} stays in your bank."
        else:
            yield f"You release the banked {name} {self.aim(cast)}."

    def slot(self, hand: str) -> str:
        words = hand_text(hand)
        return words if SET_HANDS[hand].hand == BOTH else f"your {words}"

    # Monsters

    def monsters(self) -> Iterator[str]:
        told: set[str] = set()
        attackers: dict[tuple[str, ...], list[str]] = {}  # monsters that only attack, by victims
        possible = PossibleSpells(self.moves, self.orders)
        for row in monster_sheets(NameableBeings(possible)):
            told.add(row.key)
            victims = self.orders.victims.get(row.key, ()) or (row.default,)
            if row.note or self.bound(row.key):
                yield self.commanded(row, victims)
            else:
                who = row.name if row.key in FUTURE_BEINGS else self.names(row.key)
                attackers.setdefault(victims, []).append(who)
        for victims, names in attackers.items():
            doing = self.attack(victims) if len(names) == 1 else self.attack_together(victims)
            yield sentence(f"{and_list(names)} {doing}.")
        for key, victims in self.orders.victims.items():
            if key not in told and not is_made_nowhere(possible, key):
                who = sentence(self.names(key))
                yield f"{who}, if it obeys you, attacks {self.victims(victims)}."

    def commanded(self, row: MonsterSheet, victims: Sequence[str]) -> str:
        """Return the sentence about a monster that may not attack as ordered."""
        who = row.name if row.key in FUTURE_BEINGS else self.names(row.key)
        if row.note:
            return sentence(f"{row.note}, {who} {self.attack(victims)}.")
        bound = f"{who} is under {self.bound(row.key)} and does not obey"
        if not self.orders.victims.get(row.key):
            return sentence(f"{bound}.")
        return sentence(f"{bound}; later it {self.attack(victims)}.")

    def attack(self, victims: Sequence[str]) -> str:
        if all(victim == NO_ONE for victim in victims):
            return "holds back"
        return f"attacks {self.victims(victims)}"

    def attack_together(self, victims: Sequence[str]) -> str:
        if all(victim == NO_ONE for victim in victims):
            return "hold back"
        return f"attack {self.victims(victims)}"

    def victims(self, victims: Sequence[str]) -> str:
        return ", then ".join(self.victim(victim) for victim in victims)

    def victim(self, id: str) -> str:
        if id in (NO_ONE, ATTACKER):
            return PLACE_WORDS[id]
        return self.names(id, "you") if id else DRAWN_OPPONENT

    def bound(self, key: str) -> str:
        """Return the mind spell that keeps a monster from obeying, or ""."""
        monster = self.known.being(key) if ":" not in key else None
        if not isinstance(monster, Monster):
            return ""
        for kind in self.rules.victims_under:
            effect = monster.effects.get(kind)
            if effect is not None and self.binds(effect):
                return self.spell(kind)
        return ""

    def binds(self, effect: Effect) -> bool:
        return self.rules.minds is MindTiming.NEXT_ROW or effect.is_active(self.position.turn)

    # Charmed hands and answers

    def held(self) -> Iterator[str]:
        """Yield sentences about the hands that this wizard's paralyses hold. rules: W18"""
        paralysis = self.rules.holding
        mine = directed_wizards(self.position, self.own, paralysis)
        for id in dict.fromkeys((*mine, *self.orders.held)):
            effect = self.position.wizard(id).effects.get(paralysis)
            hand = self.orders.held.get(id) or (effect.hand if effect is not None else "") or "L"
            whose = self.names.whose(id)
            yield f"Your {self.spell(paralysis)} holds {whose} {HAND_NAMES[hand]}."

    def charmed(self) -> Iterator[str]:
        mine = charmed_hands(self.position, self.own)
        if self.rules.hand_named is HandNamingTime.WHEN_IT_ACTS:
            mine = ()
            for id in directed_wizards(self.position, self.own, self.rules.charming):
                if all(WizardHand(id, hand).text not in self.orders.charmed for hand in "LR"):
                    text = f"{self.names.whose(id)} charmed hands make what their owner writes."
                    yield sentence(text)
        for key in dict.fromkeys((*mine, *self.orders.charmed)):
            id, hand, _ = WIZARD_HANDS[key]
            whose = f"{self.names.whose(id)} charmed {HAND_NAMES[hand]}"
            letters = self.orders.charmed.get(key, ())
            if letters:
                made = ", then ".join(letter or "its own gesture" for letter in letters)
                yield sentence(f"{whose} makes {made}.".replace("makes -", "does nothing (-)"))
            elif self.rules.asking is QuestionMode.AT_EVERY_STEP:
                yield f"You are asked for the gesture of {whose} when everyone has sealed."
            else:
                yield sentence(f"{whose} makes what its owner writes.")

    def answers(self) -> Iterator[str]:
        answers = self.orders.answers
        if "elemental" in answers:
            yield f"If you may choose an elemental’s kind, it is {answers['elemental']}."
        for kind, verb in (("paralysis", "paralyse"), ("charm_person", "charm")):
            if kind in answers:
                yield f"If you {verb} someone, you take the {HAND_NAMES[answers[kind]]}."
        for kind in QUESTIONS:
            if kind not in answers and kind in self.raised_kinds():
                what = "whether the elemental is fire or ice"
                if kind != "elemental":
                    spell = self.spell(question_spell(self.rules, kind))
                    what = f"which hand {spell} takes"
                yield f"After the reveal, you are asked {what}."

    def raised_kinds(self) -> set[str]:
        """Return the kinds of question that these casts may raise."""
        asking = self.rules.spells_that_ask
        spells = {cast.spell for cast in self.casts if not is_monster(cast.subject)} & asking
        hands = {self.rules.spells[spell].hands for spell in spells}
        made = {self.rules.spells[cast.spell].monster for cast in self.casts}
        kinds = {kind for held, kind in HAND_QUESTIONS.items() if held in hands}
        return kinds | (made & {UNDECIDED})
