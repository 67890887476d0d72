"""The recorded input of a turn: gestures, choices, orders, marks and draws, but no outcome.

A record may leave open which hand was marked, or the subject of a hidden hand's spell. Each
alternative is then a separate input.
"""

from collections.abc import Container, Iterator, Mapping, Sequence
from typing import NamedTuple

from engine.battles.document import Battle, Cast, ForcedSet, Turn
from engine.battles.words import (
    ELEMENTAL_SUMMONS,
    HAND_BY_WORD,
    HAND_FIELD_BY_WORD,
    HAND_WORDS,
    HIDDEN_LETTER,
    NO_BEING,
    SUMMONS_BY_MONSTER,
    subject_in_orders,
    victim_in_orders,
)
from engine.gestures import BANK, BOTH, HAND_FIELD_NAMES, LEFT, NOTHING, RIGHT, STAB
from engine.ids import SEATS, WizardHand, future_being_id, wizard_id
from engine.legality.moves import Moves, PossibleSpells
from engine.legality.scope import NOWHERE, is_acting
from engine.orders import Orders, from_fields
from engine.positions.position import ALIVE, STANDING, Position, Wizard

HAND_NAMING_SPELLS = ("paralysis", "charm_person")
FieldsByWizard = dict[str, dict[str, str]]
"""The fields of orders, by wizard."""


class Alternative(NamedTuple):
    """Fields that one wizard's orders may have contained."""

    wizard: str
    fields: Mapping[str, str]


class CastingHand(NamedTuple):
    """A hand that casts a spell this turn."""

    wizard: str
    hand: str
    spell: str


def letters_to_write(battle: Battle, turn: Turn, seat: int) -> str:
    """Return the letters to write for that seat: those that are known, otherwise none."""
    return (recorded_or_inferred_row(battle, turn, seat) or NOTHING * 2).replace(
        HIDDEN_LETTER, NOTHING
    )


def recorded_or_inferred_row(battle: Battle, turn: Turn, seat: int) -> str:
    """Return the row of that seat, as recorded or, if hidden, as inferred."""
    row = turn.rows[seat]
    return battle.inferred.get((seat, turn.number), row) if HIDDEN_LETTER in row else row


def recorded_draws(battle: Battle, turn: Turn) -> dict[tuple[str, str], str]:
    """Return the recorded results of draws, by the being and purpose of each draw."""
    wanted: dict[tuple[str, str], str] = {}
    for forced in turn.forced:
        if forced.by == "confusion":
            hand = forced.hand or LEFT
            row = recorded_or_inferred_row(battle, turn, forced.wizard)
            wanted[wizard_id(forced.wizard), "hand"] = hand
            wanted[wizard_id(forced.wizard), "gesture"] = row[0 if hand == LEFT else 1]
    for attack in turn.attacks:
        if attack.at and not attack.is_second:
            for purpose in ("victim", "opponent"):
                wanted[attack.by, purpose] = attack.at
    return wanted


class RecordedInput:
    """The recorded input of one turn, before it is resolved."""

    def __init__(self, battle: Battle, turn: Turn, before: Position) -> None:
        self.battle = battle
        self.turn = turn
        self.before = before
        self.acting = [wizard for wizard in before.wizards if is_acting(before, wizard)]
        self.hidden = {w.id for w in self.acting if HIDDEN_LETTER in turn.rows[w.seat]}
        self.fields: FieldsByWizard = {
            wizard.id: self.gesture_fields(wizard) for wizard in self.acting
        }
        self.keys = self.new_monster_names()
        self.add_choices()
        self.add_further_choices()
        self.questions = tuple(
            alternatives for each in self.open_questions() if (alternatives := tuple(each))
        )

    def build_orders(
        self, alternatives: Sequence[Alternative], rejected_fields: Container[tuple[str, str]] = ()
    ) -> dict[str, Orders]:
        """Return all wizards' orders, with one alternative for each open question.

        Leave out the `rejected_fields` pairs of a wizard and a field.
        """
        fields = {wizard: dict(flat) for wizard, flat in self.fields.items()}
        for alternative in alternatives:
            fields.setdefault(alternative.wizard, {}).update(alternative.fields)
        return {
            wizard: from_fields(
                {k: v for k, v in flat.items() if (wizard, k) not in rejected_fields}
            )
            for wizard, flat in fields.items()
        }

    def gesture_fields(self, wizard: Wizard) -> dict[str, str]:
        row = letters_to_write(self.battle, self.turn, wizard.seat)
        return {"left": row[0], "right": row[1]}

    def order_fields(self, wizard: str) -> dict[str, str]:
        """Return that wizard's fields.

        A wizard without a turn may still give orders to monsters.
        """
        return self.fields.setdefault(wizard, {})

    # Monsters that are made this turn

    def new_monster_names(self) -> dict[str, str]:
        """Return the names that orders use for this turn's new monsters, by id.

        Orders name a new monster by its maker's hand. Monsters of one kind are made in the order of
        seats and hands.
        """
        lost = {e.on for e in self.turn.effects if e.code == "countered"} | {NO_BEING}
        makers = [
            CastingHand(wizard_id(cast.by), HAND_BY_WORD[cast.hand], cast.spell)
            for cast in self.turn.casts
            if cast.at not in lost or cast.spell in ELEMENTAL_SUMMONS
        ]
        makers += [made for wizard in self.acting for made in self.unseen_casts(wizard)]
        makers.sort(key=lambda made: made.wizard)
        keys: dict[str, str] = {}
        for effect in self.turn.effects:
            if effect.code != "created":
                continue
            spell = SUMMONS_BY_MONSTER[effect.kind]
            maker = next((made for made in makers if made.spell == spell), None)
            if maker is not None:
                makers.remove(maker)
                keys[effect.monster] = future_being_id(maker.wizard, maker.hand)
        return keys

    def unseen_casts(self, wizard: Wizard) -> Iterator[CastingHand]:
        """Yield the spells of the wizard's hidden hands, assuming the default choices."""
        if wizard.id in self.hidden:
            possible = self.possible_spells(wizard)
            for hand in (LEFT, RIGHT):
                for spell in possible.castable_spells(1, hand):
                    yield CastingHand(wizard.id, hand, spell.id)

    def possible_spells(self, wizard: Wizard) -> PossibleSpells:
        """Return the spells that the wizard's orders can complete."""
        return PossibleSpells(Moves(self.before, wizard), from_fields(self.fields[wizard.id]))

    def name_in_orders(self, being: str) -> str:
        return self.keys.get(being, being)

    # The content of casts, attacks and orders

    def add_choices(self) -> None:
        """Add spells with subjects, stabs and victims as they were recorded."""
        for cast in self.turn.casts:
            flat = self.order_fields(wizard_id(cast.by))
            if cast.hand == HAND_WORDS[BANK]:
                flat["release"] = "yes"  # its subject was set when it was banked
            else:
                flat[f"{HAND_FIELD_BY_WORD[cast.hand]}_spell"] = cast.spell
                flat |= self.subject_field(f"{HAND_FIELD_BY_WORD[cast.hand]}_subject", cast)
        for attack in self.turn.attacks:
            if attack.by in SEATS and attack.at:
                flat = self.order_fields(attack.by)
                hand = "right" if flat.get("right") == STAB else "left"
                flat[f"{hand}_subject"] = subject_in_orders(self.name_in_orders(attack.at))
        for order in self.turn.orders:
            field = f"victim:{subject_in_orders(self.name_in_orders(order.monster))}"
            self.order_fields(wizard_id(order.by))[field] = victim_in_orders(
                self.name_in_orders(order.at)
            )

    def subject_field(self, field: str, cast: Cast) -> dict[str, str]:
        """Return the field that names the cast's subject; spells that affect everyone have none."""
        spell = self.before.rules.spells[cast.spell]
        if spell.is_area and not spell.aimable:
            return {}
        return {field: subject_in_orders(self.name_in_orders(cast.at))}

    def add_further_choices(self) -> None:
        """Add held and charmed hands, and stopped hearts."""
        for forced in self.turn.forced:
            caster = self.directing_caster(forced)
            if caster and forced.hand:
                self.order_fields(caster).update(self.directed_hand_fields(forced, forced.hand))
        for seat in self.turn.wills:
            self.order_fields(wizard_id(seat))["heart"] = "yes"

    def directing_caster(self, forced: ForcedSet) -> str:
        """Return the caster who directs the forced hand by a paralysis or a charm, or ""."""
        mind = self.before.wizards[forced.wizard].effects.get(forced.by)
        return mind.caster if mind is not None and forced.by in HAND_NAMING_SPELLS else ""

    def directed_hand_fields(self, forced: ForcedSet, hand: str) -> dict[str, str]:
        subject = wizard_id(forced.wizard)
        if forced.by == "paralysis":
            return {f"held:{subject}": hand}
        row = letters_to_write(self.battle, self.turn, forced.wizard)
        return {f"charmed:{WizardHand(subject, hand).text}": row[0 if hand == LEFT else 1]}

    # Open questions

    def open_questions(self) -> Iterator[Sequence[Alternative]]:
        """Yield, for each part of the orders that is not recorded, its alternatives."""
        for seat in self.turn.banks:
            yield [Alternative(wizard_id(seat), marks) for marks in self.bank_choices(seat)]
        for effect in self.turn.effects:
            if effect.code == "permanent":
                yield [
                    Alternative(effect.on, {"permanency": hand})
                    for hand in self.casting_hands(effect.on)
                ]
        for forced in self.turn.forced:
            caster = self.directing_caster(forced)
            if caster and not forced.hand:
                yield [
                    Alternative(caster, self.directed_hand_fields(forced, hand)) for hand in "LR"
                ]
        for wizard in self.acting:
            if wizard.id in self.hidden:
                for hand, side in HAND_FIELD_NAMES.items():
                    yield [
                        Alternative(wizard.id, each)
                        for each in self.unseen_choices(wizard, hand, side)
                    ]
                if wizard.bank:
                    yield [Alternative(wizard.id, {}), Alternative(wizard.id, {"release": "yes"})]

    def unseen_choices(self, wizard: Wizard, hand: str, side: str) -> Iterator[dict[str, str]]:
        """Yield the possible choices of a hidden hand; the default choice is empty."""
        yield {}
        possible = self.possible_spells(wizard)
        for completable in possible.completable_spells(1, hand):
            spell = completable.spell
            if completable.both != (hand == BOTH):
                continue
            chosen = {f"{side}_spell": spell.id}
            yield chosen
            if spell.aimable or not spell.is_area:
                for subject in (*self.possible_subjects(), NOWHERE):
                    yield {**chosen, f"{side}_subject": subject}

    def bank_choices(self, seat: int) -> Iterator[dict[str, str]]:
        """Yield the marks that may have banked a spell, with the subject of its later release."""
        rest = self.battle.turns[self.turn.number :]
        releases = (
            c for turn in rest for c in turn.casts if (c.by, c.hand) == (seat, HAND_WORDS[BANK])
        )
        release = next(releases, None)
        recorded = [HAND_BY_WORD[cast.hand] for cast in self.turn.casts if cast.by == seat]
        for hand, side in ((LEFT, "left"), (RIGHT, "right"), (BOTH, "both")):
            if hand not in recorded:
                subject = {} if release is None else self.subject_field(f"{side}_subject", release)
                yield {"bank": hand, **subject}

    def casting_hands(self, wizard: str) -> list[str]:
        """Return the hands with which that wizard is recorded to cast."""
        hands = [
            HAND_BY_WORD[cast.hand] for cast in self.turn.casts if wizard_id(cast.by) == wizard
        ]
        if wizard in self.hidden:
            hands += [LEFT, RIGHT, BOTH]
        return [hand for hand in hands if hand != BANK]

    def possible_subjects(self) -> list[str]:
        """Return every possible subject: beings that exist, and those that hands may make."""
        wizards = [w.id for w in self.before.wizards if w.standing == STANDING]
        monsters = [m.id for m in self.before.monsters if m.state == ALIVE]
        return [
            *wizards,
            *monsters,
            *(future_being_id(w, hand) for w in wizards for hand in (LEFT, RIGHT)),
        ]
