"""Reader of text orders, in which each line states fields of the flat form.

It finds the meaning of each line, or the place of an error and what was expected there. `check`
decides if the orders are legal. rules: turn:orders, F14-F22, F26, F27
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, NamedTuple

from engine import gestures, orders
from engine.legality.casting import completed_spells
from engine.legality.moves import Moves
from engine.legality.scope import ATTACKER, NO_ONE, NOWHERE
from engine.positions.position import Position, Wizard
from engine.rules_text.wording import or_list
from engine.text_orders import naming

MAX_TEXT_LENGTH: Final = 10_000
MAX_LINE_LENGTH: Final = 1_200  # enough for the longest message, even if every letter is escaped

SIDES_OF_HAND: Final = {"L": ("left",), "R": ("right",), "BH": ("left", "right")}
_GESTURE_BY_WORD: Final = (
    {letter.casefold(): letter for letter in gestures.GESTURES}
    | {name: letter for letter, name in gestures.GESTURE_NAMES.items()}
    | dict.fromkeys("\N{EN DASH}\N{EM DASH}\N{MINUS SIGN}", "-")
)
_CLOSING_QUOTE: Final = {'"': '"', "“": "”"}
_COMMENT_PATTERN = re.compile(r"^\s*#.*|\s#(?:\s.*)?$")
_SAY_LINE_PATTERN = re.compile(r"\s*say:?(?:\s|$)", re.IGNORECASE)
_HAND_PATTERN = re.compile(rf"({naming.HAND_PATTERN})(2?)", re.IGNORECASE)
_HAND_AND_COLON_PATTERN = re.compile(rf"({naming.HAND_PATTERN})(2?)\s*:", re.IGNORECASE)
_EXACT_MESSAGE_PATTERN = re.compile(r'"((?:[^"\\]|\\[nrt"\\])*)"')
ESCAPED_CHARACTERS: Final = {"n": "\n", "r": "\r", "t": "\t", '"': '"', "\\": "\\"}

EXPECTED_GESTURE: Final = f"a gesture ({' '.join(gestures.GESTURES)})"
EXPECTED_ORDER: Final = (
    "A line begins with a hand (LH, RH, BH, or left, right, both), TARGET, RELEASE, BANK,"
    " PERMANENT, HOLD, SACRIFICE, HEART, ANSWER or SAY. A remark begins with #."
)


@dataclass(frozen=True, slots=True)
class Misreading:
    """An unreadable line: the place of the error, counted from 1, and what was expected there."""

    code: str
    line: int
    column: int
    source: str
    text: str
    rule: str = "turn:orders"


class _Phrase(NamedTuple):
    """Consecutive words of a line, with the column of the first word, counted from 1."""

    text: str
    column: int

    @property
    def end(self) -> int:
        """The index after the last character."""
        return self.column - 1 + len(self.text)

    @property
    def shown(self) -> str:
        """The words in quotation marks, shortened for error messages."""
        return f"“{self.text[:40]}{'…' if len(self.text) > 40 else ''}”"


class _Line:
    """One line, split into words."""

    def __init__(self, number: int, source: str) -> None:
        self.number = number
        self.source = source
        self.order = source if _SAY_LINE_PATTERN.match(source) else _COMMENT_PATTERN.sub("", source)
        self.words = list(_split_words(self.order, 0))
        self.end = _Phrase("", len(self.order.rstrip()) + 1)

    def phrase(self, first: int, last: int | None = None) -> _Phrase:
        """Return the words from `first` up to, but not including, `last`."""
        start, stop, _ = slice(first, last).indices(len(self.words))
        if start >= stop:
            return self.end
        return _Phrase(
            self.source[self.words[start].column - 1 : self.words[stop - 1].end],
            self.words[start].column,
        )

    def length(self, first: int, last: int | None = None) -> int:
        """Return the number of characters from the first of these words to the last."""
        start, stop, _ = slice(first, last).indices(len(self.words))
        return self.words[stop - 1].end - self.words[start].column + 1 if start < stop else 0

    def split_after_hand(self, colon: int) -> None:
        """Split the line again, so that the hand before the colon is the first word."""
        hand = self.phrase(0)
        first = _Phrase(hand.text[: colon - 1].rstrip(), hand.column)
        self.words = [first, *_split_words(self.order, hand.column - 1 + colon)]


def _split_words(order: str, start: int) -> Iterator[_Phrase]:
    """Yield the words from `start` on. A quotation counts as part of one word, even with spaces.

    The last closing quotation mark of each kind is found first, so that each character is read only
    once.
    """
    last = {quote: order.rfind(closing) for quote, closing in _CLOSING_QUOTE.items()}
    at = start
    while at < len(order):
        if order[at].isspace():
            at += 1
            continue
        first = at
        while at < len(order) and not order[at].isspace():
            is_closed = last.get(order[at], -1) > at
            at = order.index(_CLOSING_QUOTE[order[at]], at + 1) + 1 if is_closed else at + 1
        yield _Phrase(order[first:at], first + 1)


class _MisreadError(Exception):
    """Error at the place where a line stops making sense."""

    def __init__(self, code: str, at: _Phrase, text: str) -> None:
        super().__init__(text)
        self.code = code
        self.column = at.column
        self.text = text


class OrderParser:
    """Parser that collects the flat form of orders, and the errors of unreadable lines."""

    def __init__(self, position: Position, own: Wizard, beings: naming.BeingsByName) -> None:
        self.position = position
        self.own = own
        self.beings = beings
        self.spells = naming.SpellNames(position.rules)
        self.flat: dict[str, str] = {}
        self.places: dict[str, tuple[_Line, _Phrase]] = {}
        self.said: list[str] = []
        self.misreadings: list[Misreading] = []

    def parse_text(self, text: str) -> None:
        if len(text) > MAX_TEXT_LENGTH:
            problem = f"Orders can have at most {MAX_TEXT_LENGTH} characters."
            self.misreadings.append(Misreading("too_long", 1, 1, text[:80], problem))
            return
        for number, source in enumerate(re.split(r"\r\n|\r|\n", text), 1):
            line = _Line(number, source)
            try:
                self.parse_line(line)
            except _MisreadError as misread:
                self.note_misreading(line, misread)
        if self.said:
            self.flat["say"] = "\n".join(self.said)

    def note_misreading(self, line: _Line, misread: _MisreadError) -> None:
        self.misreadings.append(
            Misreading(misread.code, line.number, misread.column, line.source, misread.text)
        )

    def parse_line(self, line: _Line) -> None:
        if not line.words:
            return
        first = line.words[0]
        if len(line.source) > MAX_LINE_LENGTH:
            raise _MisreadError(
                "too_long", first, f"A line can have at most {MAX_LINE_LENGTH} characters."
            )
        if found := _HAND_AND_COLON_PATTERN.match(line.phrase(0).text):
            self.parse_hand_and_colon(line, found)
        elif hand := _HAND_PATTERN.fullmatch(first.text):
            self.parse_hand_order(line, naming.hand_code(hand[1]), hand[2])
        elif command := _PARSER_OF_COMMAND.get(first.text.casefold().removesuffix(":")):
            command(self, line)
        else:
            raise _MisreadError("unknown_order", first, EXPECTED_ORDER)

    def set_field(self, line: _Line, field: str, value: str, at: _Phrase) -> None:
        """Set the field to this value. A line may repeat an earlier one but not contradict it."""
        if self.flat.get(field, value) != value:
            before = self.places[field][0].number
            text = f"Line {before} already gives another order for this."
            raise _MisreadError("contradiction", at, text)
        self.flat[field] = value
        self.places.setdefault(field, (line, at))

    # hands

    def parse_hand_order(self, line: _Line, hand: str, suffix: str) -> None:
        """Read `LH F`, `LH Paralysis` or `LH F Paralysis`; after `LH F`, also another hand."""
        letter = _GESTURE_BY_WORD.get(line.phrase(1, 2).text.casefold())
        if letter and len(line.words) > 2 and self.spells.find_spells(line.phrase(1).text):
            letter = None  # a spell whose name begins with a gesture's: Clap of Lightning
        if letter and _HAND_PATTERN.fullmatch(line.phrase(2, 3).text):
            following, line.words = line.words[2:], line.words[:2]
            self.parse_hand_order(line, hand, suffix)
            line.words = following
            self.parse_line(line)
            return
        phrase = line.phrase(2 if letter else 1)
        spell = self.parse_spell(phrase) if phrase.text or not letter else ""
        if letter:
            for side in SIDES_OF_HAND[hand]:
                self.set_field(line, side + suffix, letter, line.words[1])
        if spell:
            self.set_field(line, f"{gestures.HAND_FIELD_NAMES[hand]}_spell{suffix}", spell, phrase)

    def parse_spell(self, phrase: _Phrase) -> str:
        rules = self.position.rules
        if not phrase.text:
            raise _MisreadError(
                "nothing_ordered", phrase, f"Expected {EXPECTED_GESTURE} or the name of a spell."
            )
        meant = self.spells.find_spells(phrase.text)
        if not meant:
            raise _MisreadError(
                "unknown_spell", phrase,
                f"Expected {EXPECTED_GESTURE} or a spell of these rules, not {phrase.shown}."
                " Write each order on a line of its own. The target of a hand is TARGET LH and the"
                " name.",
            )  # fmt: skip
        if len(meant) > 1:
            names = or_list([rules.spells[id].name for id in meant])
            text = f"{phrase.shown} could mean {names}."
            raise _MisreadError("ambiguous_spell", phrase, text)
        return meant[0]

    def parse_hand_and_colon(self, line: _Line, found: re.Match[str]) -> None:
        """Read `LH:Bram F` (another wizard's hand), `L: F` or `LH: D Fireball` (their own)."""
        letter = _GESTURE_BY_WORD.get(line.words[-1].text.casefold())
        owner = line.phrase(0, -1)
        if letter and owner.text[found.end() :].strip():
            self.parse_charmed_hand(line, found, owner, letter)
            return
        line.split_after_hand(found.end())
        if len(line.words) > 1 and not self.is_gesture_or_spell(line):
            raise _MisreadError(
                "no_gesture", line.words[-1],
                f"Expected {EXPECTED_GESTURE} or a spell for your own hand, as in LH: F, or a"
                " gesture for the hand of another wizard you have charmed, as in LH:Bram F.",
            )  # fmt: skip
        self.parse_hand_order(line, naming.hand_code(found[1]), found[2])

    def is_gesture_or_spell(self, line: _Line) -> bool:
        is_gesture = line.words[1].text.casefold() in _GESTURE_BY_WORD
        return is_gesture or bool(self.spells.find_spells(line.phrase(1).text))

    def parse_charmed_hand(
        self, line: _Line, found: re.Match[str], owner: _Phrase, letter: str
    ) -> None:
        """Read `LH:Bram F`, the gesture of a hand that this wizard has charmed. rules: F27"""
        name = owner.text[found.end() :].strip()
        owners = [id for id in self.beings.find_named(name) if id in self.beings.wizards]
        wizard = self.require_one_being(owners, owner, list(self.beings.wizards.values()))
        kind = f"charmed{found[2]}"
        for side in SIDES_OF_HAND[naming.hand_code(found[1])]:
            self.set_field(line, f"{kind}:{wizard}.{side[0].upper()}", letter, line.words[-1])

    def parse_hold(self, line: _Line) -> None:
        """Read `HOLD RH:Bram`, the hand that this wizard's paralysis holds. rules: W18"""
        phrase = line.phrase(1)
        found = _HAND_AND_COLON_PATTERN.match(phrase.text)
        hand = naming.hand_code(found[1]) if found and not found[2] else ""
        if found is None or hand not in (gestures.LEFT, gestures.RIGHT):
            text = "Expected the held hand and its wizard, as in HOLD RH:Bram."
            raise _MisreadError("no_hand", phrase, text)
        name = phrase.text[found.end() :].strip()
        owners = [id for id in self.beings.find_named(name) if id in self.beings.wizards]
        wizard = self.require_one_being(owners, phrase, list(self.beings.wizards.values()))
        self.set_field(line, f"held:{wizard}", hand, phrase)

    def parse_heart(self, line: _Line) -> None:
        """Read `HEART`, which stops the wizard's own heart. rules: W27"""
        if len(line.words) > 1:
            text = "Write HEART on a line of its own: it stops your own heart."
            raise _MisreadError("unknown_order", line.words[1], text)
        self.set_field(line, "heart", "yes", line.words[0])

    # subjects and victims

    def parse_target(self, line: _Line) -> None:
        """Read `TARGET LH Froodal`, the subject of a hand, or a monster's victim."""
        place = line.phrase(1, 2).text
        hand = _HAND_PATTERN.fullmatch(place)
        if hand or place.upper() == gestures.BANK:
            side = gestures.HAND_FIELD_NAMES[naming.hand_code(hand[1])] if hand else ""
            field = f"{side}_subject{hand[2]}" if hand else "release_subject"
            phrase = line.phrase(2)
            self.set_field(line, field, self.parse_subject(phrase), phrase)
        else:
            self.parse_victim(line)

    def parse_subject(self, phrase: _Phrase) -> str:
        meant = [NOWHERE if id == NO_ONE else id for id in self.beings.find_candidates(phrase.text)]
        return self.require_one_being(
            [id for id in meant if id != ATTACKER], phrase, self.possible_subjects()
        )

    def possible_subjects(self) -> list[str]:
        can_miss = any(spell.nowhere for spell in self.position.rules.spells.values())
        return [*self.beings.names.values(), *(["nowhere"] if can_miss else [])]

    def require_one_being(self, meant: Sequence[str], phrase: _Phrase, names: Sequence[str]) -> str:
        """Return the one being that is meant. Raises _MisreadError if there are none or several."""
        if not phrase.text:
            raise _MisreadError("no_name", phrase, f"Expected a name: {or_list(names)}.")
        if not meant:
            text = f"{phrase.shown} cannot be named here. Expected {or_list(names)}."
            raise _MisreadError("unknown_name", phrase, text)
        return self.require_unambiguous(meant, phrase)

    def require_unambiguous(self, meant: Sequence[str], phrase: _Phrase) -> str:
        """Return the one being that is meant. Raises _MisreadError if there are several."""
        if len(meant) > 1:
            names = or_list([self.beings.phrase_of_being(id, naming.PLAIN_STYLE) for id in meant])
            text = f"{phrase.shown} could mean {names}: write its exact name."
            raise _MisreadError("ambiguous_name", phrase, text)
        return meant[0]

    def parse_victim(self, line: _Line, suffix: str = "") -> None:
        """Read `TARGET Red Goblin Bram`, a monster and its victim.

        Both names may contain spaces, so this tries every place where the first name can end, as
        long as both phrases are short enough to be names.
        """
        found = {
            cut: (keys, victims)
            for cut in self.possible_ends_of_name(line)
            if line.length(cut) <= self.beings.longest
            if (keys := self.beings.find_commanded(line.phrase(1, cut).text))
            if (victims := self.possible_victims(line.phrase(cut)))
        }
        if not found:
            raise self.missing_victim_error(line)
        if len(found) > 1:
            text = "This can be read in more than one way: put each name in quotation marks."
            raise _MisreadError("ambiguous_name", line.words[1], text)
        ((cut, (keys, victims)),) = found.items()
        key = self.require_unambiguous(keys, line.phrase(1, cut))
        self.set_field(
            line,
            f"victim{suffix}:{key}",
            self.require_unambiguous(victims, line.phrase(cut)),
            line.words[1],
        )

    def possible_ends_of_name(self, line: _Line) -> Iterator[int]:
        """Yield the places where a monster's name can end, from left to right."""
        for cut in range(2, len(line.words)):
            if line.length(1, cut) > self.beings.longest:
                return
            yield cut

    def possible_victims(self, phrase: _Phrase) -> list[str]:
        return [NO_ONE if id == NOWHERE else id for id in self.beings.find_candidates(phrase.text)]

    def missing_victim_error(self, line: _Line) -> _MisreadError:
        """Return the error for a line that does not name a monster, or its victim."""
        names = self.beings.monsters.values()
        for cut in (len(line.words), *reversed([*self.possible_ends_of_name(line)])):
            if cut > 1 and self.beings.find_commanded(line.phrase(1, cut).text):
                victims = or_list([*self.beings.names.values(), "no_one"])
                text = f"Expected the victim of {line.phrase(1, cut).shown}: {victims}."
                return _MisreadError("unknown_name", line.phrase(cut), text)
        for cut in self.possible_ends_of_name(line):
            if self.possible_victims(line.phrase(cut)):
                text = f"There is no monster {line.phrase(1, cut).shown}. "
                break
        else:
            text = ""
        text += "Expected a hand (LH, RH, BH, BANK) or a monster: "
        text += or_list([*names, f"one that a hand makes this turn, as in RH:{self.own.name}"])
        return _MisreadError("unknown_monster", line.phrase(1, 2), text + ".")

    # the rest

    def parse_release(self, line: _Line) -> None:
        """Read `RELEASE`, optionally with the name of the banked spell. rules: F88"""
        phrase = line.phrase(1)
        if phrase.text and self.own.bank not in self.spells.find_spells(phrase.text):
            banked = self.position.rules.spells.get(self.own.bank)
            what = f"Your banked spell is {banked.name}." if banked else "You have no banked spell."
            raise _MisreadError("not_banked", phrase, what)
        self.set_field(line, "release", "yes", line.words[0])

    def parse_mark(self, line: _Line, field: str) -> None:
        """Read `BANK LH` or `PERMANENT LH`, the hand marked for a window. rules: F89"""
        phrase = line.phrase(1)
        hand = _HAND_PATTERN.fullmatch(phrase.text)
        if hand is None:
            text = "Expected the hand that casts the spell: LH, RH, BH, LH2, RH2 or BH2."
            raise _MisreadError("no_hand", phrase, text)
        self.set_field(line, field, naming.hand_code(hand[1]) + hand[2], line.words[0])

    def parse_sacrifice(self, line: _Line) -> None:
        """Read `SACRIFICE Red Goblin`, the monster that a Sacrifice gives up. rules: R24"""
        phrase = line.phrase(1)
        monster = self.require_one_being(
            self.beings.find_commanded(phrase.text), phrase, list(self.beings.monsters.values())
        )
        self.set_field(line, "sacrifice", monster, phrase)

    def parse_answer(self, line: _Line) -> None:
        """Read `ANSWER elemental ice`, an answer given in advance. rules: turn:answers"""
        kinds = {naming.normalised_name(kind): kind for kind in orders.ADVANCE_ANSWERS}
        asked = line.phrase(1, -1)
        kind = kinds.get(naming.normalised_name(asked.text)) if len(line.words) > 2 else None
        if kind is None:
            names = or_list([kind.replace("_", " ") for kind in orders.ADVANCE_ANSWERS])
            raise _MisreadError("no_question", line.phrase(1), f"Expected {names}, and the answer.")
        last = line.words[-1].text
        given = naming.hand_code(last) if _HAND_PATTERN.fullmatch(last) else last.casefold()
        if given not in orders.ADVANCE_ANSWERS[kind]:
            options = or_list(
                [naming.hand_word(option).upper() for option in orders.ADVANCE_ANSWERS[kind]]
            )
            text = f"Expected {options}."
            raise _MisreadError("no_answer", line.words[-1], text)
        self.set_field(line, f"answer:{kind}", given, line.words[-1])

    def parse_message_line(self, line: _Line) -> None:
        """Read `SAY` and one line of the message. Several such lines form one message."""
        phrase = line.phrase(1)
        exact = _EXACT_MESSAGE_PATTERN.fullmatch(phrase.text)
        words = phrase.text
        if exact:
            words = re.sub(r"\\(.)", lambda found: ESCAPED_CHARACTERS[found[1]], exact[1])
        if not words:
            raise _MisreadError("no_words", phrase, "Expected a message.")
        if orders.has_unprintable_characters(words):
            raise _MisreadError(
                "no_letter", phrase, "This contains a character that cannot be shown."
            )
        if len("\n".join([*self.said, words])) > orders.MAX_MESSAGE_LENGTH:
            text = f"A message can have at most {orders.MAX_MESSAGE_LENGTH} characters."
            raise _MisreadError("too_long", phrase, text)
        self.said.append(words)

    # gestures that follow from a spell's name

    def fill_in_gestures(self) -> None:
        """Add the gesture that completes a named spell if its hand has no gesture."""
        states = self.own.left_state, self.own.right_state
        moves = Moves(self.position, self.own)
        for number, suffix in enumerate(("", "2"), 1):
            for hand in ("BH", "L", "R"):
                field = f"{gestures.HAND_FIELD_NAMES[hand]}_spell{suffix}"
                if field in self.flat:
                    self.fill_in_gesture(states, hand, suffix, field)
            pair = moves.expected_pair(number, orders.from_fields(self.flat).hands(number))
            move = self.position.rules.automaton.moves[pair]
            states = move.left[states[0]], move.right[states[1]]

    def fill_in_gesture(self, states: tuple[int, int], hand: str, suffix: str, field: str) -> None:
        sides = "left" + suffix, "right" + suffix
        written = self.flat.get(sides[0], ""), self.flat.get(sides[1], "")
        if all(written):
            return
        fitting = {
            pair
            for pair in self.pairs_completing_spell(states, hand, self.flat[field])
            if all(
                not made or not letter or made == letter
                for made, letter in zip(written, pair, strict=True)
            )
        }
        if len(fitting) == 1:
            for side, letter in zip(sides, fitting.pop(), strict=True):
                if letter:
                    self.flat.setdefault(side, letter)
        elif any(side + suffix not in self.flat for side in SIDES_OF_HAND[hand]):
            self.reject_spell(hand, suffix, field)

    def pairs_completing_spell(
        self, states: tuple[int, int], hand: str, spell: str
    ) -> Iterator[tuple[str, str]]:
        """Yield the pairs of left and right letters that complete the spell; "" is any letter."""
        rules = self.position.rules
        for letter in gestures.LETTERS:
            for own_hand, pair in (
                (gestures.LEFT, (letter, "")), (gestures.LEFT, (letter, letter)),
                (gestures.RIGHT, ("", letter)), (gestures.RIGHT, (letter, letter)),
            ):  # fmt: skip
                both = all(pair)
                if hand not in (own_hand, "BH") or (hand == "BH" and not both):
                    continue
                side = 0 if own_hand == gestures.LEFT else 1
                symbol = gestures.SYMBOLS_OF_PAIR[
                    "".join(made or gestures.NOTHING for made in pair)
                ][side]
                state = rules.automaton.step[states[side] * gestures.SYMBOL_COUNT + symbol]
                ends = completed_spells(rules, state, used_bolt=self.own.used_bolt)
                if any(end.spell.id == spell and end.both == both for end in ends):
                    yield pair

    def reject_spell(self, hand: str, suffix: str, field: str) -> None:
        line, phrase = self.places[field]
        name = self.position.rules.spells[self.flat[field]].name
        which = naming.hand_word(hand + suffix)
        text = f"No gesture of {which} clearly completes {name}: write the gesture you mean."
        self.note_misreading(line, _MisreadError("not_completed", phrase, text))


_PARSER_OF_COMMAND: Final[Mapping[str, Callable[[OrderParser, _Line], None]]] = {
    "target": OrderParser.parse_target,
    "target2": partial(OrderParser.parse_victim, suffix="2"),
    "release": OrderParser.parse_release,
    "bank": partial(OrderParser.parse_mark, field="bank"),
    "permanent": partial(OrderParser.parse_mark, field="permanency"),
    "hold": OrderParser.parse_hold,
    "sacrifice": OrderParser.parse_sacrifice,
    "heart": OrderParser.parse_heart,
    "answer": OrderParser.parse_answer,
    "say": OrderParser.parse_message_line,
}
