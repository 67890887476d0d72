"""The order sheet as rows of fields: the engine's sheet, what is typed so far, and its faults.

Field names are the flat form of orders (`engine.fields`), so that what is typed, drafted, sealed
and found faulty speaks of the same things. Nothing here knows a rule: what may be chosen, what is
chosen when nothing is, and why something may not be, all comes from the sheet.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from duels.queries import AskedQuestion
from duels.views.counsel import NONE, Counsel
from engine import (
    Completion,
    Fault,
    GestureOption,
    HandSheet,
    Progress,
    SetSheet,
    Sheet,
    SubjectChoice,
)
from engine.gestures import GESTURE_NAMES, NOTHING, STAB, written

HAND_FIELDS = {"L": "left", "R": "right", "BH": "both"}
HAND_WORDS = {"L": "Left hand", "R": "Right hand", "BH": "Both hands"}
LONGEST_TRAIL = 6
MOST_LEADS = 3
UNSEEN = "You choose before anybody sees the gestures of this turn."
QUESTION_WORDS = {"fire": "fire", "ice": "ice", "L": "the left hand", "R": "the right hand"}


@dataclass(frozen=True)
class Book:
    """What the sheet says of a ruleset's spells, by id."""

    names: Mapping[str, str]
    effects: Mapping[str, str]


@dataclass(frozen=True)
class Hint:
    """What a gesture is good for, beside what the other hand makes: spells as id and name."""

    completes: tuple[tuple[str, str], ...] = ()
    leads: tuple[tuple[str, str, str], ...] = ()  # and the gestures that are still missing

    @property
    def words(self) -> str:
        """The same for those who listen."""
        now = [f"completes {name}" for _, name in self.completes]
        later = [f"then {missing}: {name}" for _, name, missing in self.leads[:MOST_LEADS]]
        return "; ".join(now + later)


NO_HINT = Hint()


@dataclass(frozen=True)
class Option:
    """One thing that can be chosen."""

    value: str
    words: str
    chosen: bool = False
    allowed: bool = True
    rule: str = ""
    sign: str = ""
    effect: str = ""  # what it does, in short
    hint: Hint = NO_HINT
    suggested: bool = False  # the guide of a lesson points at it


@dataclass(frozen=True)
class Choice:
    """One field of the sheet: its options, and what is wrong with what is typed in it."""

    field: str
    words: str
    options: tuple[Option, ...] = ()
    faults: tuple[Fault, ...] = ()
    note: str = ""
    rule: str = ""


@dataclass(frozen=True)
class HandPart:
    """One hand of one set: its eight gestures, and why it is not free to choose among them."""

    side: str
    gestures: Choice
    forced: str
    notes: tuple[tuple[str, str], ...]  # sentence, rule
    trail: str = ""  # what it has made of late, as far as that still counts


@dataclass(frozen=True)
class CompletedPart:
    """What one hand completes with the gestures chosen so far, or whom it stabs."""

    hand: str
    words: str
    spells: Choice | None
    subjects: Choice | None


@dataclass(frozen=True)
class GivenUp:
    """What a hand has begun and sets back by its gesture: spells, and what was made of them."""

    hand: str
    spells: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class SetPart:
    """One set: both hands, what this pair of gestures completes, and what it gives up."""

    number: int
    pair: str
    hands: tuple[HandPart, ...]
    completed: tuple[CompletedPart, ...]
    given_up: tuple[GivenUp, ...] = ()


@dataclass(frozen=True)
class OrderForm:
    """Everything that the order sheet shows."""

    sets: tuple[SetPart, ...]
    asks_rest: bool = False  # all but gestures and words is asked after the reveal
    charmed: tuple[Choice, ...] = ()
    monsters: tuple[Choice, ...] = ()
    bank: tuple[Choice, ...] = ()
    captures: tuple[Choice, ...] = ()
    sacrifice: tuple[Choice, ...] = ()
    advance: tuple[Choice, ...] = ()
    say: str = ""
    say_faults: tuple[Fault, ...] = ()
    other_faults: tuple[Fault, ...] = ()  # of fields that the sheet does not show
    faults: tuple[Fault, ...] = ()
    counsel: Counsel = NONE

    @property
    def answered(self) -> int:
        """How many questions are answered before they are asked."""
        return sum(not choice.options[0].chosen for choice in self.advance)


def order_form(
    sheet: Sheet,
    typed: Mapping[str, str],
    book: Book,
    faults: Sequence[Fault] = (),
    counsel: Counsel = NONE,
    trails: Mapping[str, str] | None = None,
) -> OrderForm:
    """The order sheet of a wizard. `trails`: by hand, what it has made so far."""
    builder = _Builder(sheet, typed, book, faults, counsel, trails or {})
    return replace(builder.form(), counsel=counsel)


class _Builder:
    """Lays the sheet out and remembers which faults have found their field."""

    def __init__(
        self,
        sheet: Sheet,
        typed: Mapping[str, str],
        book: Book,
        faults: Sequence[Fault],
        counsel: Counsel,
        trails: Mapping[str, str],
    ) -> None:
        self.sheet = sheet
        self.trails = trails
        self.hints = {hand.field: hand for hand in counsel.hands}
        self.typed = typed
        self.book = book
        self.spells = book.names
        self.faults = tuple(faults)
        self.placed: set[int] = set()

    def form(self) -> OrderForm:
        sheet = self.sheet
        parts = OrderForm(
            sets=tuple(self.set_part(part) for part in sheet.sets),
            asks_rest=sheet.is_gestures_only,
            charmed=tuple(self.charmed()),
            monsters=tuple(self.monsters()),
            bank=tuple(self.bank()),
            captures=tuple(self.captures()),
            sacrifice=tuple(self.sacrifice()),
            advance=tuple(self.advance()),
            say=self.typed.get("say", ""),
            say_faults=self.faults_of("say"),
            faults=self.faults,
        )
        return replace(parts, other_faults=self.rest())

    def faults_of(self, *names: str) -> tuple[Fault, ...]:
        found = [(n, fault) for n, fault in enumerate(self.faults) if fault.field in names]
        self.placed.update(n for n, _ in found)
        return tuple(fault for _, fault in found)

    def rest(self) -> tuple[Fault, ...]:
        return tuple(fault for n, fault in enumerate(self.faults) if n not in self.placed)

    def being(self, id: str) -> str:
        return "yourself" if id == self.sheet.wizard else self.sheet.beings.get(id, id)

    def select(
        self,
        name: str,
        words: str,
        options: Iterable[tuple[str, str]],
        default: str,
        *,
        note: str = "",
        rule: str = "",
    ) -> Choice:
        """A field whose first option leaves it to the default, said in words."""
        typed = self.typed.get(name, "")
        shown = [Option("", default, not typed)]
        shown += [Option(value, text, value == typed) for value, text in options]
        if typed and all(option.value != typed for option in shown):
            shown.append(Option(typed, f"{typed[:40]} (as typed)", chosen=True))
        return Choice(name, words, tuple(shown), self.faults_of(name), note, rule)

    def usual(self, being: str) -> str:
        return f"as usual: {self.being(being)}" if being else "as usual"

    # gestures

    def set_part(self, part: SetSheet) -> SetPart:
        suffix = "" if part.number == 1 else str(part.number)
        pair = "".join(
            hand.forced or self.gesture(HAND_FIELDS[hand.hand] + suffix)
            for hand in (part.left, part.right)
        )
        return SetPart(
            part.number,
            pair,
            (
                self.hand_part(part.left, suffix, pair[0]),
                self.hand_part(part.right, suffix, pair[1]),
            ),
            tuple(self.completed(part.completions.get(pair, ()), pair, suffix)),
            tuple(self.given_up(suffix)),
        )

    def gesture(self, name: str) -> str:
        letter = self.typed.get(name, NOTHING)
        return letter if letter in GESTURE_NAMES else NOTHING

    def hand_part(self, hand: HandSheet, suffix: str, letter: str) -> HandPart:
        side = HAND_FIELDS[hand.hand]
        options = tuple(
            Option(
                option.letter,
                GESTURE_NAMES[option.letter],
                option.letter == letter,
                option.allowed,
                option.rule,
                hint=self.hint(side + suffix, option),
            )
            for option in hand.gestures
        )
        notes = []
        if hand.reason:
            notes.append((hand.reason, hand.rule))
        notes += _barred(hand)
        words = HAND_WORDS[hand.hand] + (", second set" if suffix else "")
        choice = Choice(side + suffix, words, options, self.faults_of(side + suffix))
        trail = "" if suffix else self.trails.get(hand.hand, "")[-LONGEST_TRAIL:]
        return HandPart(side, choice, hand.forced, tuple(dict.fromkeys(notes)), trail)

    def hint(self, field: str, option: GestureOption) -> Hint:
        """What this gesture completes beside the other hand's, and what it leads to."""
        known = self.hints.get(field)
        if known is None or not option.allowed:
            return NO_HINT
        found = next(hint for hint in known.gestures if hint.letter == option.letter)
        return Hint(
            tuple((spell, self.spells.get(spell, spell)) for spell in found.completes),
            tuple((each.spell, each.name, _missing(each)) for each in found.leads),
        )

    def given_up(self, suffix: str) -> Iterable[GivenUp]:
        """What the gestures chosen so far set back; a hand without a choice gives up nothing."""
        for hand, side in (("L", "left"), ("R", "right")):
            known = self.hints.get(side + suffix)
            if known is not None and self.typed.get(side + suffix) and known.chosen.gives_up:
                lost = tuple(
                    (each.name, written(each.pattern[: each.done]))
                    for each in known.chosen.gives_up
                )
                yield GivenUp(HAND_WORDS[hand], lost)

    # what they complete

    def completed(
        self, completions: Sequence[Completion], pair: str, suffix: str
    ) -> Iterable[CompletedPart]:
        if self.sheet.is_gestures_only:
            yield from self.foreseen(completions)
            return
        for hand in ("BH", "L", "R"):
            mine = [completion for completion in completions if completion.hand == hand]
            field = HAND_FIELDS[hand]
            words = HAND_WORDS[hand]
            letter = {"L": pair[0], "R": pair[1]}.get(hand, "")
            if letter == STAB:
                yield CompletedPart(hand, words, None, self.stabbed(f"{field}_subject{suffix}"))
            elif mine:
                spells = self.spell_choice(f"{field}_spell{suffix}", words, mine)
                chosen = next(option.sign for option in spells.options if option.chosen)
                subjects = self.subject_choice(f"{field}_subject{suffix}", chosen)
                yield CompletedPart(hand, words, spells, subjects)

    def foreseen(self, completions: Sequence[Completion]) -> Iterable[CompletedPart]:
        """What may be cast, of which nothing is chosen before it is asked."""
        for row in completions:
            told = self.told(row, "", is_chosen=True)
            spell = Choice(f"{HAND_FIELDS[row.hand]}_spell", HAND_WORDS[row.hand], (told,))
            yield CompletedPart(row.hand, HAND_WORDS[row.hand], spell, None)

    def spell_choice(self, name: str, words: str, mine: Sequence[Completion]) -> Choice:
        """What is cast anyway is the empty choice, so that it stays right when gestures change."""
        typed = self.typed.get(name, "")
        default = next((completion.spell for completion in mine if completion.default), "")
        chosen = typed if any(completion.spell == typed for completion in mine) else default
        options = [
            self.told(
                completion,
                "" if completion.default and completion.spell != typed else completion.spell,
                is_chosen=completion.spell == chosen,
            )
            for completion in mine
        ]
        if not default:  # another hand's spell uses up this gesture unless this one is chosen
            options.append(Option("", "nothing, as usual", not chosen))
        return Choice(name, words, tuple(options), self.faults_of(name))

    def told(self, completion: Completion, value: str, *, is_chosen: bool) -> Option:
        """A completed spell, and what it does."""
        spell = completion.spell
        effect = self.book.effects.get(spell, "")
        return Option(
            value, completion.name, is_chosen, rule=completion.rule, sign=spell, effect=effect
        )

    def subject_choice(self, name: str, spell: str) -> Choice | None:
        known = self.sheet.subjects.get(spell)
        if known is None or not known.options:
            return None
        return self.subjects(name, "at", known)

    def stabbed(self, name: str) -> Choice:
        return self.subjects(name, "stabs", self.sheet.subjects["stab"])

    def subjects(self, name: str, words: str, known: SubjectChoice) -> Choice:
        options = ((being, self.being(being)) for being in known.options)
        return self.select(name, words, options, self.usual(known.default), note=known.note)

    # the rest

    def charmed(self) -> Iterable[Choice]:
        letters = [(letter, f"{letter} {name}") for letter, name in GESTURE_NAMES.items()]
        for hand in self.sheet.charmed:
            owner = self.being(hand.wizard)
            side = {"L": "left", "R": "right"}[hand.hand]
            for number in range(1, hand.sets + 1):
                name = f"charmed{_suffix(number)}:{hand.key}"
                words = f"{owner}’s {side} hand{', second set' if number > 1 else ''}"
                unwritten = "ask me then" if hand.is_asked else "leave it alone"
                yield self.select(name, words, letters, unwritten)

    def monsters(self) -> Iterable[Choice]:
        for monster in self.sheet.monsters:
            options = [(being, self.being(being)) for being in monster.options]
            for number in range(1, monster.attacks + 1):
                name = f"victim{_suffix(number)}:{monster.key}"
                words = f"{monster.name} attacks{' again' if number > 1 else ''}"
                yield self.select(
                    name, words, options, self.usual(monster.default), note=monster.note
                )

    def bank(self) -> Iterable[Choice]:
        bank = self.sheet.bank
        if bank is None:
            return
        yield self.select("release", f"Banked: {bank.name}", [("yes", "release it now")], "keep it")
        if bank.options:
            options = [(being, self.being(being)) for being in bank.options]
            yield self.select("release_subject", "at", options, self.usual(bank.default))

    def captures(self) -> Iterable[Choice]:
        words = {"bank": "Bank the spell of", "permanency": "Make permanent the spell of"}
        for capture in self.sheet.captures:
            options = [
                (hand, f"{_hand_words(hand)}: {self.spells.get(spell, spell)}")
                for hand, spell in capture.candidates
            ]
            default = f"as usual: {_hand_words(capture.default)}" if capture.default else "as usual"
            yield self.select(capture.kind, words[capture.kind], options, default)

    def sacrifice(self) -> Iterable[Choice]:
        offered = self.sheet.sacrifice
        if offered is not None:
            options = [(being, self.being(being)) for being in offered.options]
            yield self.select("sacrifice", "The Sacrifice gives up", options, "nobody")

    def advance(self) -> Iterable[Choice]:
        for question in self.sheet.advance:
            options = [(value, QUESTION_WORDS.get(value, value)) for value in question.options]
            yield self.select(question.field, question.text, options, "ask me then")


def _missing(progress: Progress) -> str:
    """The gestures that a spell still needs."""
    return " ".join(f"both {step.letter}" if step.both else step.letter for step in progress.steps)


def _suffix(number: int) -> str:
    return "" if number == 1 else str(number)


def _hand_words(hand: str) -> str:
    words = HAND_WORDS.get(hand.rstrip("2"), hand).lower()
    return f"{words}, second set" if hand.endswith("2") else words


def _barred(hand: HandSheet) -> list[tuple[str, str]]:
    """One sentence for each reason that bars gestures; a forced hand has said enough already."""
    if hand.forced:
        return []
    return [(option.reason, option.rule) for option in hand.gestures if not option.allowed]


def question_choices(
    questions: Iterable[AskedQuestion],
    typed: Mapping[str, str],
    faults: Sequence[Fault] = (),
) -> list[Choice]:
    """What is asked after the reveal, each with its answers; a preset answer stands chosen."""
    return [
        Choice(
            question.id,
            question.text,
            tuple(
                Option(
                    option,
                    words,
                    option == typed.get(question.id, question.default * question.is_preset),
                )
                for option, words in zip(question.options, question.words, strict=True)
            ),
            tuple(fault for fault in faults if fault.field == question.id),
            note=UNSEEN if question.precedes_reveal else "",
            rule="R86" if question.precedes_reveal else "",
        )
        for question in questions
    ]


PLACES = {"nowhere": "nowhere", "no_one": "no one", "attacker": "whoever attacked last"}

FIELD_WORDS = {
    "left": "Left hand",
    "right": "Right hand",
    "left_spell": "Left hand casts",
    "right_spell": "Right hand casts",
    "both_spell": "Both hands cast",
    "left_subject": "Left hand’s subject",
    "right_subject": "Right hand’s subject",
    "both_subject": "Both hands’ subject",
    "release": "Release the banked spell",
    "release_subject": "Banked spell’s subject",
    "bank": "Bank the spell of",
    "permanency": "Make permanent the spell of",
    "sacrifice": "The Sacrifice gives up",
    "answer:elemental": "If asked, the elemental is of",
    "answer:paralysis": "If asked, paralyse",
    "answer:charm_person": "If asked, charm",
    "say": "Say",
}


def said(
    fields: Mapping[str, str], names: Mapping[str, str], spells: Mapping[str, str]
) -> list[tuple[str, str]]:
    """Orders in words: each field and what it holds."""
    return [
        (field_words(name, names), _value_words(name, fields[name], names, spells))
        for name in sorted(filter(fields.get, fields), key=_field_order)
    ]


def field_words(name: str, names: Mapping[str, str]) -> str:
    """A field's name in words."""
    if name in FIELD_WORDS:
        return FIELD_WORDS[name]
    base = name.removesuffix("2")
    if base in FIELD_WORDS:
        return f"{FIELD_WORDS[base]}, second set"
    kind, _, key = name.partition(":")
    again = " again" if kind.endswith("2") else ""
    if kind.startswith("victim"):
        return f"{names.get(key, _future(key, names))} attacks{again}"
    if kind.startswith("charmed"):
        wizard, _, hand = key.partition(".")
        side = {"L": "left", "R": "right"}.get(hand, hand)
        return f"{names.get(wizard, wizard)}’s {side} hand makes{again}"
    return name


def _future(key: str, names: Mapping[str, str]) -> str:
    hand, _, wizard = key.partition(":")
    return f"the monster of {names.get(wizard, wizard)} ({_hand_words(hand)})" if wizard else key


def _value_words(name: str, value: str, names: Mapping[str, str], spells: Mapping[str, str]) -> str:
    if name in ("left", "right", "left2", "right2") or name.startswith("charmed"):
        return f"{value} {GESTURE_NAMES.get(value, '')}".strip()
    if "_spell" in name:
        return spells.get(value, value)
    if name in ("bank", "permanency"):
        return _hand_words(value)
    if name.startswith("answer:"):
        return QUESTION_WORDS.get(value, value)
    if name == "say":
        return f"“{value}”"
    return PLACES.get(value) or names.get(value) or _future(value, names)


def _field_order(name: str) -> tuple[int, str]:
    order = list(FIELD_WORDS)
    base = name.removesuffix("2") if name.removesuffix("2") in FIELD_WORDS else name
    place = order.index(base) if base in FIELD_WORDS else len(order)
    return (place if name != "say" else 99, name)
