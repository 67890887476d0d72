"""Construction of the order sheet from the engine's sheet, the submitted fields and their errors.

Fields have the names from `engine.orders.fields`. Submitted, drafted and sealed orders use the same
names, and so do their faults. This module does not contain any rules: the options, the defaults and
the reasons why an option is not allowed come from the engine's sheet.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from duels.queries.rows import AskedQuestion
from duels.screens.order_sheet.advice import NO_ADVICE, Advice
from duels.screens.order_sheet.answer_effects import charmed_gesture_effect, held_hand_effect
from duels.screens.order_sheet.being_groups import being_groups, with_group_headings
from duels.screens.order_sheet.foreseen_questions import COMPLETED_THIS_TURN
from duels.screens.order_sheet.form_parts import (
    NO_HINT,
    Choice,
    CompletedPart,
    HandPart,
    Hint,
    InterruptedSpells,
    Option,
    OrderForm,
    SetPart,
    SpellTexts,
)
from duels.screens.order_sheet.order_words import (
    FIXED_FIELD_LABELS,
    SPELL_MARK_LABELS,
    SPELL_MARK_RULES,
    attack_label,
    charmed_hand_label,
    hand_label,
    held_hand_label,
)
from duels.standing.progress import gestures_text
from duels.wording.order_fields import COMMON_TARGET_FIELD, OrderField
from engine.play import (
    GESTURE_NAMES,
    HAND_FIELD_NAMES,
    NOTHING,
    STAB,
    Completion,
    Fault,
    GestureOption,
    HandHint,
    HandSheet,
    SetSheet,
    Sheet,
    SubjectChoice,
    View,
)
from engine.words import DRAWN_OPPONENT, OPTION_WORDS, hand_text

MAX_SHOWN_GESTURES = 6
MIN_MONSTERS_FOR_COMMON_TARGET = 3  # minimum number of monsters for a common target field
ONE_CHARMED_HAND_HINT = "Choose a gesture for one of the two hands: the charm takes that hand."
REASON_FOR_ADVANCE_CHOICE = "You choose before anyone sees the gestures of this turn."


def order_form(
    sheet: Sheet,
    typed: Mapping[str, str],
    book: SpellTexts,
    faults: Sequence[Fault] = (),
    advice: Advice = NO_ADVICE,
    view: View | None = None,
) -> OrderForm:
    """Return the order sheet of a wizard.

    `view` adds headings to lists of beings, each hand's gestures so far, and the effects of choices
    for other wizards' hands.
    """
    return _Builder(sheet, typed, book, tuple(faults), advice, view).form()


@dataclass
class _Builder:
    """A builder for the sheet. It tracks which faults are already shown next to a field."""

    sheet: Sheet
    typed: Mapping[str, str]
    book: SpellTexts
    faults: tuple[Fault, ...]
    advice: Advice
    view: View | None
    placed: set[str] = field(default_factory=set)  # fields whose faults are already shown

    def __post_init__(self) -> None:
        self.hints = {hand.field: hand for hand in self.advice.hands}
        self.groups = being_groups(self.view, self.sheet.wizard) if self.view else {}

    def form(self) -> OrderForm:
        sheet = self.sheet
        parts = OrderForm(
            sets=tuple(self.build_set_part(part) for part in sheet.sets),
            asks_rest=sheet.is_gestures_only,
            why=sheet.sets[0].reason if sheet.sets else "",
            why_rule=sheet.sets[0].rule if sheet.sets else "",
            marks=tuple(self.marked_hand_fields()),
            held=tuple(self.held_hand_fields()),
            charmed=tuple(self.charmed_hand_fields()),
            monsters=tuple(self.attack_fields()),
            all_attack=self.common_target_field(),
            bank=tuple(self.bank_fields()),
            captures=tuple(self.capture_fields()),
            sacrifice=tuple(self.sacrifice_fields()),
            heart=tuple(self.heart_fields()),
            advance=tuple(self.advance_answer_fields()),
            say=self.typed.get("say", ""),
            message_faults=self.take_faults_of("say"),
            faults=self.faults,
            advice=self.advice,
        )
        others = tuple(fault for fault in self.faults if fault.field not in self.placed)
        return replace(parts, other_faults=others)

    def take_faults_of(self, name: str) -> tuple[Fault, ...]:
        self.placed.add(name)
        return tuple(fault for fault in self.faults if fault.field == name)

    def being_name(self, id: str) -> str:
        return "yourself" if id == self.sheet.wizard else self.sheet.beings.get(id, id)

    def select_field(
        self, name: str, words: str, options: Iterable[tuple[str, str]], default: str, **more: str
    ) -> Choice:
        """Return a `list_field` with options as pairs of value and text."""
        rows = (Option(value, text) for value, text in options)
        return self.list_field(name, words, rows, default, **more)

    def being_field(
        self, name: str, words: str, options: Iterable[str], default: str, **more: str
    ) -> Choice:
        typed = self.typed.get(name)
        possible = [each for each in options if each == typed or self.may_exist(each)]
        rows = (
            Option(being, self.being_name(being), group=group)
            for being, group in with_group_headings(possible, self.groups)
        )
        return self.list_field(name, words, rows, default, **more)

    def may_exist(self, being: str) -> bool:
        """Return whether a being may exist this turn, judging by the gestures that were seen.

        The engine accepts a monster of any hand of another wizard, even if the hand cannot summon.
        """
        side, _, wizard = being.partition(":")
        hands = self.view.hands if self.view else ()
        hand = next((each for each in hands if (each.hand, each.wizard) == (side, wizard)), None)
        if hand is None or self.view is None or wizard == self.sheet.wizard:
            return True
        spells = self.view.rules.spells
        return COMPLETED_THIS_TURN in hand.out_of_sight or any(
            each.turns == COMPLETED_THIS_TURN and spells[each.spell].monster
            for each in hand.progress
        )

    def list_field(
        self,
        name: str,
        words: str,
        options: Iterable[Option],
        default: str,
        *,
        value: str = "",
        note: str = "",
        rule: str = "",
    ) -> Choice:
        """Return a field whose first option is the default.

        `value` is the option that applies by default, if any. It is not listed a second time; if it
        was submitted, the first option has this value.
        """
        typed = self.typed.get(name, "")
        is_default = typed in ("", value)
        shown = [Option(typed if is_default else "", default, is_default)]
        shown += [
            replace(option, chosen=option.value == typed)
            for option in options
            if not value or option.value != value
        ]
        if typed and all(option.value != typed for option in shown):
            shown.append(Option(typed, f"{typed[:40]} (as typed)", chosen=True))
        return Choice(name, words, tuple(shown), self.take_faults_of(name), note, rule)

    def default_option_words(self, being: str) -> str:
        name = self.being_name(being) if being else DRAWN_OPPONENT
        if name.endswith(")"):  # the name already ends with a bracket
            return f"{name[:-1]}, default)"
        return f"{name} (default)"

    # gestures

    def build_set_part(self, part: SetSheet) -> SetPart:
        number = part.number
        pair = "".join(
            hand.forced or self.chosen_gesture(OrderField("gesture", hand.hand, number).name)
            for hand in (part.left, part.right)
        )
        return SetPart(
            number,
            pair,
            (
                self.build_hand_part(part.left, number, pair[0]),
                self.build_hand_part(part.right, number, pair[1]),
            ),
            tuple(self.completed_parts(part.completions.get(pair, ()), pair, number)),
            tuple(self.interrupted_spells(number)),
        )

    def chosen_gesture(self, name: str) -> str:
        letter = self.typed.get(name) or NOTHING
        return letter if letter in GESTURE_NAMES else NOTHING

    def build_hand_part(self, hand: HandSheet, number: int, letter: str) -> HandPart:
        name = OrderField("gesture", hand.hand, number).name
        is_chosen = bool(hand.forced or self.typed.get(name))
        options = tuple(
            Option(
                option.letter,
                GESTURE_NAMES[option.letter],
                is_chosen and option.letter == letter,
                option.allowed,
                option.rule,
                hint=self.gesture_hint(name, option),
            )
            for option in hand.gestures
        )
        notes = [(hand.reason, hand.rule)] if hand.reason else []
        if not hand.forced:
            notes += [(each.reason, each.rule) for each in hand.gestures if not each.allowed]
        choice = Choice(name, hand_label(hand.hand, number), options, self.take_faults_of(name))
        trail = self.last_gestures(self.sheet.wizard, hand.hand) if number == 1 else ""
        return HandPart(
            HAND_FIELD_NAMES[hand.hand], choice, hand.forced, tuple(dict.fromkeys(notes)), trail
        )

    def last_gestures(self, wizard: str, hand: str) -> str:
        """Return the hand's last gestures that can still be part of a spell."""
        seen = self.view.hands if self.view is not None else ()
        letters = (each.letters for each in seen if (each.wizard, each.hand) == (wizard, hand))
        return next(letters, "")[-MAX_SHOWN_GESTURES:]

    def gesture_hint(self, name: str, option: GestureOption) -> Hint:
        """Return the spells that this gesture completes or leads to, alone or with both hands."""
        known = self.hints.get(name)
        if known is None or not option.allowed:
            return NO_HINT
        found = next(hint for hint in known.gestures if hint.letter == option.letter)
        return Hint(
            self.named(found.completes),
            self.named(found.both_complete),
            tuple((each.spell, each.name, gestures_text(each.steps)) for each in found.leads_to),
            is_made_by_both=option.letter == self.drafted_by_other_hand(known),
        )

    def named(self, spells: Iterable[str]) -> tuple[tuple[str, str], ...]:
        return tuple((spell, self.book.names.get(spell, spell)) for spell in spells)

    def drafted_by_other_hand(self, hand: HandHint) -> str:
        return next(
            other.drafted
            for other in self.hints.values()
            if other.set == hand.set and other.hand != hand.hand
        )

    def interrupted_spells(self, number: int) -> Iterable[InterruptedSpells]:
        """Yield the spells in progress that the chosen gestures interrupt, for each hand."""
        for hand in "LR":
            name = OrderField("gesture", hand, number).name
            known = self.hints.get(name)
            if known is not None and self.typed.get(name) and known.drafted_hint.sets_back:
                lost = dict.fromkeys(  # remove duplicates: a spell may have two continuations
                    (each.spell, each.name, " ".join(each.pattern[: each.done]))
                    for each in known.drafted_hint.sets_back
                )
                yield InterruptedSpells(hand_label(hand), tuple(lost))

    # completed spells

    def completed_parts(
        self, completions: Sequence[Completion], pair: str, number: int
    ) -> Iterable[CompletedPart]:
        if self.sheet.is_gestures_only:
            yield from self.foreseen_parts(completions)
            return
        for hand in ("BH", "L", "R"):
            mine = [completion for completion in completions if completion.hand == hand]
            label = hand_label(hand)
            subject = OrderField("subject", hand, number).name
            letter = {"L": pair[0], "R": pair[1]}.get(hand, "")
            if letter == STAB:
                stab = self.subject_field(subject, "stabs", self.sheet.subjects["stab"])
                yield CompletedPart(hand, label, None, stab)
            elif mine:
                spells = self.spell_field(OrderField("spell", hand, number).name, label, mine)
                chosen = next(option.sign for option in spells.options if option.chosen)
                subjects = self.subject_field_of_spell(subject, chosen)
                yield CompletedPart(hand, label, spells, subjects)

    def foreseen_parts(self, completions: Sequence[Completion]) -> Iterable[CompletedPart]:
        """Yield the spells that may be cast, if players choose after the reveal."""
        for row in completions:
            told = self.spell_option(row, "", is_chosen=True)
            label = hand_label(row.hand)
            spell = Choice(OrderField("spell", row.hand).name, label, (told,))
            yield CompletedPart(row.hand, label, spell, None)

    def spell_field(self, name: str, label: str, completions: Sequence[Completion]) -> Choice:
        """Return the field for choosing a spell.

        The default option has an empty value, so that it stays correct when the gestures change.
        """
        typed = self.typed.get(name, "")
        default = next((completion.spell for completion in completions if completion.default), "")
        chosen = typed if any(completion.spell == typed for completion in completions) else default
        options = [
            self.spell_option(
                completion,
                "" if completion.default and completion.spell != typed else completion.spell,
                is_chosen=completion.spell == chosen,
            )
            for completion in completions
        ]
        if not default:  # by default, a two-handed spell uses this hand's gesture
            options.append(Option("", "nothing (default)", not chosen))
        return Choice(name, label, tuple(options), self.take_faults_of(name))

    def spell_option(self, completion: Completion, value: str, *, is_chosen: bool) -> Option:
        spell = completion.spell
        effect = self.book.effects.get(spell, "")
        return Option(
            value, completion.name, is_chosen, rule=completion.rule, sign=spell, effect=effect
        )

    def subject_field_of_spell(self, name: str, spell: str) -> Choice | None:
        known = self.sheet.subjects.get(spell)
        if known is None or not known.options:
            return None
        return self.subject_field(name, "for whom" if known.is_for else "at whom", known)

    def subject_field(self, name: str, words: str, subjects: SubjectChoice) -> Choice:
        default = (
            "nobody (default)"
            if subjects.is_for_all
            else self.default_option_words(subjects.default)
        )
        value = "" if subjects.is_for_all else subjects.default
        return self.being_field(
            name, words, subjects.options, default, value=value, note=subjects.note
        )

    # other fields

    def marked_hand_fields(self) -> Iterable[Choice]:
        """Yield the fields that choose the hand whose spell is banked or made permanent. rules:
        W34, W35

        By default, no hand is marked.
        """
        for capture in self.sheet.captures:
            completed = dict(capture.candidates)
            shown = {"L", "R", self.typed.get(capture.kind, ""), *completed}
            options = [
                (hand, self.hand_with_spell(hand, completed.get(hand, "")))
                for hand in capture.hands
                if hand in shown
            ]
            if options:
                words = SPELL_MARK_LABELS[capture.kind]
                yield self.select_field(
                    capture.kind, words, options, "nothing", rule=SPELL_MARK_RULES[capture.kind]
                )

    def held_hand_fields(self) -> Iterable[Choice]:
        for held in self.sheet.held:
            words = held_hand_label(f"{self.being_name(held.wizard)}’s")
            named = {
                hand: self.with_effect(hand_text(hand), held_hand_effect, held.wizard, hand)
                for hand in held.options
            }
            default = f"{named[held.default]} (default)"
            if len(named) == 1:
                default = f"{named[held.default]}, same as last turn"
            yield self.select_field(
                held.field, words, named.items(), default, value=held.default, rule="W18"
            )

    def with_effect(self, text: str, effect_of: Callable[..., str], *choice: str) -> str:
        """Return the text of an option, with the effect of this choice, if it is known."""
        effect = effect_of(self.view, *choice) if self.view is not None else ""
        return f"{text}: {effect}" if effect else text

    def charmed_hand_fields(self) -> Iterable[Choice]:
        for hand in self.sheet.charmed:
            whose = f"{self.being_name(hand.wizard)}’s"
            key = hand.wizard, hand.hand
            made = " ".join(self.last_gestures(*key))
            for number in range(1, hand.sets + 1):
                name = OrderField("charmed", hand.hand, number, hand.wizard).name
                words = charmed_hand_label(whose, hand.hand, number)
                letters = {letter: f"{letter} {text}" for letter, text in GESTURE_NAMES.items()}
                if number == 1:
                    words += f" ({made} so far)" if made else ""
                    letters = {
                        letter: self.with_effect(text, charmed_gesture_effect, *key, letter)
                        for letter, text in letters.items()
                    }
                unwritten = "ask me later" if hand.is_asked else "leave it alone"
                note = ONE_CHARMED_HAND_HINT if hand.is_one_of_two and hand.hand == "R" else ""
                yield self.select_field(name, words, letters.items(), unwritten, note=note)

    def attack_fields(self) -> Iterable[Choice]:
        for monster in self.sheet.monsters:
            for number in range(1, monster.attacks + 1):
                name = OrderField("victim", number=number, about=monster.key).name
                words = attack_label(monster.name, number)
                default = self.default_option_words(monster.default)
                value, note = monster.default, monster.note
                yield self.being_field(
                    name, words, monster.options, default, value=value, note=note
                )

    def common_target_field(self) -> Choice | None:
        """Return the field that sets one target for all monsters, or None if there are too few
        monsters or no shared targets.

        When the form is submitted, its value replaces each monster's own target.
        """
        if len(self.sheet.monsters) < MIN_MONSTERS_FOR_COMMON_TARGET:
            return None
        first, *others = self.sheet.monsters
        shared = [
            being for being in first.options if all(being in other.options for other in others)
        ]
        if not shared:
            return None
        return self.being_field(
            COMMON_TARGET_FIELD, "All monsters attack", shared, "their own victims, below"
        )

    def bank_fields(self) -> Iterable[Choice]:
        bank = self.sheet.bank
        if bank is None:
            return
        aim = f"{bank.aim} {self.being_name(bank.subject)}" if bank.subject else ""
        note = f"Released, it is cast {aim}." if aim else ""
        release = [("yes", "release it now")]
        yield self.select_field("release", f"Banked: {bank.name}", release, "keep it", note=note)
        if bank.options:
            words, usual = f"{bank.aim} whom", self.default_option_words(bank.default)
            yield self.being_field(
                "release_subject", words, bank.options, usual, value=bank.default
            )

    def capture_fields(self) -> Iterable[Choice]:
        for capture in self.sheet.captures:
            if capture.hands:
                continue
            options = {
                hand: self.hand_with_spell(hand, spell) for hand, spell in capture.candidates
            }
            usual = f"{options[capture.default]} (default)" if capture.default else "default"
            words = FIXED_FIELD_LABELS[capture.kind]
            yield self.select_field(
                capture.kind, words, options.items(), usual, value=capture.default
            )

    def hand_with_spell(self, hand: str, spell: str) -> str:
        return hand_text(hand) + (f": {self.book.names.get(spell, spell)}" if spell else "")

    def sacrifice_fields(self) -> Iterable[Choice]:
        offered = self.sheet.sacrifice
        if offered is not None:
            yield self.being_field(
                "sacrifice", FIXED_FIELD_LABELS["sacrifice"], offered.options, "nobody"
            )

    def heart_fields(self) -> Iterable[Choice]:
        if self.sheet.may_stop_heart:
            stop = [("yes", "yes: you die at the end of the turn")]
            yield self.select_field("heart", FIXED_FIELD_LABELS["heart"], stop, "no", rule="W27")

    def advance_answer_fields(self) -> Iterable[Choice]:
        for question in self.sheet.advance:
            options = [(value, OPTION_WORDS.get(value, value)) for value in question.options]
            yield self.select_field(question.field, question.text, options, "ask me later")


def question_choices(
    questions: Iterable[AskedQuestion],
    typed: Mapping[str, str],
    faults: Sequence[Fault] = (),
    effect_of: Callable[[AskedQuestion, str], str] = lambda question, option: "",
) -> list[Choice]:
    """Return the questions after the reveal as fields, with the given answers selected.

    `effect_of` returns the effect of an answer.
    """
    return [
        Choice(
            question.id,
            question.text,
            tuple(
                Option(
                    option,
                    words,
                    option == typed.get(question.id, question.default * question.is_preset),
                    effect=effect_of(question, option),
                )
                for option, words in zip(question.options, question.words, strict=True)
            ),
            tuple(fault for fault in faults if fault.field == question.id),
            note=REASON_FOR_ADVANCE_CHOICE if question.precedes_reveal else "",
            rule="R86" if question.precedes_reveal else "",
        )
        for question in questions
    ]
