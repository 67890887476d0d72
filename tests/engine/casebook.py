"""Parser that reads case files into plain values, without playing any turn.

`tests/engine/cases/README.md` describes the notation, and `tests/engine/referee.py` plays the
cases. A case is read once and played under every ruleset that it names. `Case.for_ruleset` leaves
out the lines for other rulesets.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

CASES_FOLDER = Path(__file__).parent / "cases"

SINGLE_HANDS = {"L": ("L", 1), "R": ("R", 1), "L2": ("L", 2), "R2": ("R", 2)}
ALL_HANDS = {**SINGLE_HANDS, "BH": ("BH", 1), "BH2": ("BH", 2)}
GESTURE_LETTERS = frozenset("FPSWDC>-")
LEAVING_ACTS = ("resign", "forfeit", "remove")
NAMED_DIE_PATTERN = re.compile(r'dice "([^"]+)" (\d+)')
NAME_PATTERN = re.compile(r"[A-Za-z][A-Za-z0-9_-]*$")
BRACKET_PATTERN = re.compile(r"\[([^\]]*)\]\s*(.*)$")
RULESET_BY_CODE: Final = {
    "ba": "bartle-1",
    "sp": "spellcast-1",
    "wi": "wizards-1",
    "ar": "archmage-1",
    "wa": "warlocks-1",
}
MONSTER_KINDS = ("goblin", "ogre", "troll", "giant", "fire", "ice")


class InvalidCase(Exception):
    """Error with file and line for a case that cannot be read or set up."""

    def __init__(self, where: str, text: str) -> None:
        super().__init__(f"{where}: {text}")


@dataclass(frozen=True, slots=True)
class CaseLine:
    """One line of a case: its place, its text, and its rulesets (all if empty)."""

    where: str
    text: str
    only: tuple[str, ...] = ()

    @property
    def words(self) -> list[str]:
        return self.text.split()

    def applies_to(self, ruleset: str) -> bool:
        return not self.only or ruleset in self.only

    def limited_to_rulesets_of(self, outer: "CaseLine | None") -> "CaseLine":
        """Return the line, limited also to the rulesets of the enclosing line."""
        if outer is None or not outer.only:
            return self
        if not self.only:
            return replace(self, only=outer.only)
        both = tuple(id_ for id_ in self.only if id_ in outer.only)
        if not both:
            raise self.fault("the line applies to none of its turn's rulesets")
        return replace(self, only=both)

    def fault(self, text: str) -> InvalidCase:
        return InvalidCase(self.where, f"{text}: {self.text!r}")


@dataclass(frozen=True, slots=True)
class OrderClause:
    """One clause of a wizard's orders: a gesture, a spell, a choice, or a monster's victim."""

    kind: str
    entry: CaseLine
    words: tuple[str, ...] = ()
    hand: str = ""
    gesture_set: int = 1
    subject: str = ""
    creates: str = ""


@dataclass(slots=True)
class CaseTurn:
    """One turn of a case with its orders, dice and verdicts; or a wizard who leaves."""

    kind: str
    entry: CaseLine
    resigns: str = ""
    clauses: dict[str, list[OrderClause]] = field(default_factory=dict)
    dice: list[CaseLine] = field(default_factory=list)
    refusals: list[CaseLine] = field(default_factory=list)
    expect: list[CaseLine] = field(default_factory=list)

    @property
    def refusal(self) -> CaseLine | None:
        return self.refusals[0] if self.refusals else None

    def dice_in_order(self) -> list[int]:
        """Return the dice without a label, in the order in which they are rolled."""
        plain = [
            entry.words[1:] for entry in self.dice if not NAMED_DIE_PATTERN.fullmatch(entry.text)
        ]
        return [int(value) for values in plain for value in values]

    def named_dice(self) -> dict[str, int]:
        found = [NAMED_DIE_PATTERN.fullmatch(entry.text) for entry in self.dice]
        return {named[1]: int(named[2]) for named in found if named}

    def for_ruleset(self, ruleset: str) -> "CaseTurn":
        clauses = {
            name: [clause for clause in written if clause.entry.applies_to(ruleset)]
            for name, written in self.clauses.items()
        }
        return CaseTurn(
            self.kind,
            self.entry,
            self.resigns,
            {name: written for name, written in clauses.items() if written},
            _lines_for_ruleset(self.dice, ruleset),
            _lines_for_ruleset(self.refusals, ruleset),
            _lines_for_ruleset(self.expect, ruleset),
        )


@dataclass(slots=True)
class Case:
    """A case as written: the rules that it settles, the starting position, and the turns."""

    name: str
    entry: CaseLine
    rules: tuple[str, ...] = ()
    title: str = ""
    rulesets: tuple[str, ...] = ("bartle-1",)
    wizards: tuple[str, ...] = ("A", "B")
    options: tuple[str, ...] = ()
    given: list[CaseLine] = field(default_factory=list)
    blocks: list[CaseTurn] = field(default_factory=list)

    def for_ruleset(self, ruleset: str) -> "Case":
        """Return the case under one ruleset, without the lines for other rulesets."""
        blocks = [
            block.for_ruleset(ruleset) for block in self.blocks if block.entry.applies_to(ruleset)
        ]
        return replace(self, given=_lines_for_ruleset(self.given, ruleset), blocks=blocks)


def _lines_for_ruleset(entries: Iterable[CaseLine], ruleset: str) -> list[CaseLine]:
    return [entry for entry in entries if entry.applies_to(ruleset)]


def read_cases(folder: Path = CASES_FOLDER) -> tuple[Case, ...]:
    """Return the cases of all files in the folder, in order."""
    cases: list[Case] = []
    for path in sorted(folder.glob("*.case")):
        cases.extend(parse_cases(path.read_text(encoding="utf-8"), path.name))
    seen: dict[str, Case] = {}
    for case in cases:
        if case.name in seen:
            raise case.entry.fault(f"the name is taken by {seen[case.name].entry.where}")
        seen[case.name] = case
    return tuple(cases)


def parse_cases(text: str, source: str) -> tuple[Case, ...]:
    """Return the cases of one file; `source` is its name for error messages."""
    readers: list[_CaseReader] = []
    for entry in _case_lines(text, source):
        words = entry.words
        if words[0] == "case":
            if len(words) != 2 or entry.only:
                raise entry.fault("a case has one name")
            readers.append(_CaseReader(Case(words[1], entry)))
        elif not readers:
            raise entry.fault("the file must begin with a case")
        else:
            readers[-1].read(entry)
    for reader in readers:
        _require_complete_case(reader.case)
    return tuple(reader.case for reader in readers)


def _case_lines(text: str, source: str) -> Iterator[CaseLine]:
    for number, line in enumerate(text.splitlines(), start=1):
        bare = line.split(" #", 1)[0].strip()
        if bare and not bare.startswith("#"):
            yield _move_rulesets_out_of_text(CaseLine(f"{source}:{number}", bare))


def _move_rulesets_out_of_text(entry: CaseLine) -> CaseLine:
    """Move rulesets in leading brackets (`[wi ar] B 5`) from the text to `only`."""
    found = BRACKET_PATTERN.match(entry.text)
    if found is None:
        return entry
    if not found[1] or not found[2]:
        raise entry.fault("nothing follows")
    return CaseLine(entry.where, found[2], _ruleset_ids(found[1].split(), entry))


def _ruleset_ids(words: Iterable[str], entry: CaseLine) -> tuple[str, ...]:
    """Return ruleset ids from short or full names."""
    ids = tuple(RULESET_BY_CODE.get(word, word) for word in words)
    for id_ in ids:
        if id_ not in RULESET_BY_CODE.values():
            raise entry.fault(f"no such ruleset as {id_!r}")
    return ids


class _CaseReader:
    """Reader of one case, line by line. Brackets before a block apply to all its lines."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.section = "head"
        self.outer: list[CaseLine] = []

    def read(self, entry: CaseLine) -> None:
        first = entry.words[0]
        if self._begins_turn(entry):
            self.outer = [entry]
            resigns = entry.words[1] if first in LEAVING_ACTS else ""
            self.case.blocks.append(CaseTurn(first, entry, resigns))
            self.section = "turn"
        elif entry.text == "given" and self.section == "head":
            self.section = "given"
        elif entry.text == "expect":
            if self.section not in ("turn", "judged"):
                raise entry.fault("a verdict belongs to a turn")
            self.outer = [self.outer[0], entry]
            self.section = "expect"
        elif first == "refused" and self.section not in ("head", "given"):
            self.case.blocks[-1].refusals.append(entry.limited_to_rulesets_of(self.outer[0]))
            self.section = "judged"
        else:
            self._read_line(entry)

    def _begins_turn(self, entry: CaseLine) -> bool:
        if entry.words[0] in LEAVING_ACTS and self.section != "turn":
            return entry.words[1:] in [[name] for name in self.case.wizards]
        return entry.text in ("turn", "extra", "haste")

    def _read_line(self, entry: CaseLine) -> None:
        for outer in self.outer:
            entry = entry.limited_to_rulesets_of(outer)
        if self.section == "head":
            _read_head_line(self.case, entry)
        elif self.section == "given":
            self.case.given.append(entry)
        elif self.section == "turn":
            _read_turn_line(self.case, self.case.blocks[-1], entry)
        elif self.section == "expect":
            self.case.blocks[-1].expect.append(entry)
        else:
            raise entry.fault("a refused turn has no other verdict")


def _read_head_line(case: Case, entry: CaseLine) -> None:
    key, *words = entry.words
    if not words:
        raise entry.fault("nothing follows")
    if entry.only:
        raise entry.fault("the head of a case applies to all its rulesets")
    if key == "title":
        case.title = " ".join(words)
    elif key == "rules":
        case.rules = (*case.rules, *words)
    elif key == "rulesets":
        case.rulesets = _ruleset_ids(words, entry)
    elif key == "options":
        case.options = tuple(words)
    elif key == "wizards":
        if not all(NAME_PATTERN.match(word) for word in words):
            raise entry.fault("a wizard's name is one word")
        case.wizards = tuple(words)
    else:
        raise entry.fault("no such heading")


def _read_turn_line(case: Case, block: CaseTurn, entry: CaseLine) -> None:
    if block.resigns:
        raise entry.fault("a wizard who leaves has no orders")
    if entry.words[0] == "dice":
        _read_dice(block, entry)
        return
    wizard, colon, rest = entry.text.partition(":")
    if not colon or wizard not in case.wizards:
        raise entry.fault("a line of a turn begins with a wizard's name and a colon")
    clauses = block.clauses.setdefault(wizard, [])
    if rest.split()[:1] == ["say"]:
        clauses.append(OrderClause("say", entry, (rest.strip()[3:].strip(),)))
        return
    clauses.extend(_parse_clause(part.strip(), entry) for part in rest.split(","))


def _read_dice(block: CaseTurn, entry: CaseLine) -> None:
    values = entry.words[1:]
    if not NAMED_DIE_PATTERN.fullmatch(entry.text) and not (
        values and all(v.isdigit() for v in values)
    ):
        raise entry.fault("dice are numbers")
    block.dice.append(entry)


def _parse_clause(text: str, entry: CaseLine) -> OrderClause:
    """Read one clause of a line of orders."""
    text, creates = _split_at(text, " as ")
    text, subject = _split_at(text, "->")
    words = text.split()
    if not words:
        raise entry.fault("an empty clause")
    gesture_set = 1
    if words[0] in ("1", "2") and len(words) > 1:
        gesture_set = int(words.pop(0))
    first, rest = words[0], tuple(words[1:])
    if first == "choose" and len(rest) == 2 and rest[0] in ALL_HANDS:
        hand, own_set = ALL_HANDS[rest[0]]
        return OrderClause("choose", entry, rest[1:], hand, max(gesture_set, own_set), subject)
    if (
        first in ("charm", "charm2")
        and len(rest) == 3
        and rest[1] in "LR"
        and rest[2] in GESTURE_LETTERS
    ):
        return OrderClause(
            "charm", entry, rest, gesture_set=2 if first == "charm2" else gesture_set
        )
    if first == "hold" and len(rest) == 2 and rest[1] in ("L", "R"):
        return OrderClause("hold", entry, rest)
    if first == "heart" and not rest:
        return OrderClause("heart", entry)
    if first == "release" and not rest:
        return OrderClause("release", entry, subject=subject, creates=creates)
    if first == "offer" and len(rest) == 1:
        return OrderClause("offer", entry, rest)
    if first in ("bank", "permanency") and len(rest) == 1 and rest[0] in ALL_HANDS:
        return OrderClause("capture", entry, (first, *rest))
    if first in ("advance", "answer") and len(rest) == 2:
        return OrderClause(first, entry, rest)
    if first in ALL_HANDS and len(rest) == 1:
        hand, own_set = ALL_HANDS[first]
        kind = "gesture" if rest[0] in GESTURE_LETTERS else "spell"
        number = max(gesture_set, own_set)
        return OrderClause(kind, entry, rest, hand, number, subject, creates)
    if subject and (not rest or rest == ("2",)) and ":" in first:
        return OrderClause(
            "monster", entry, (first,), gesture_set=2 if rest else 1, subject=subject
        )
    if not rest or rest == ("2",):
        # This is a spell without a hand, or a monster's name; the referee finds out which.
        return OrderClause(
            "plain", entry, (first,), "", 2 if rest else gesture_set, subject, creates
        )
    raise entry.fault(f"no such clause as {text!r}")


def _split_at(text: str, mark: str) -> tuple[str, str]:
    before, found, after = text.partition(mark)
    return (before.strip(), after.strip()) if found else (text, "")


def _require_complete_case(case: Case) -> None:
    for name, value in (("rules", case.rules), ("title", case.title)):
        if not value:
            raise case.entry.fault(f"the case has no line {name!r}")
    for ruleset in case.rulesets:
        blocks = case.for_ruleset(ruleset).blocks
        if not blocks:
            raise case.entry.fault(f"the case has no turn under {ruleset}")
        if blocks[-1].refusal is None and not blocks[-1].expect:
            raise blocks[-1].entry.fault(f"the last turn has no verdict under {ruleset}")
        for block in blocks:
            if len(block.refusals) > 1 or (block.refusals and block.expect):
                raise block.refusals[0].fault(f"the turn has two verdicts under {ruleset}")


def case_names_by_rule(cases: Sequence[Case]) -> dict[tuple[str, str], list[str]]:
    """Return the names of the cases for each rule and ruleset."""
    served: dict[tuple[str, str], list[str]] = {}
    for case in cases:
        for rule in case.rules:
            for ruleset in case.rulesets:
                served.setdefault((rule, ruleset), []).append(case.name)
    return served
