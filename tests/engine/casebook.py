"""The casebook: reads the case files into plain values, and plays no turn.

The notation is described in `tests/engine/cases/README.md`; what a case means on the table is
decided in `tests/engine/referee.py`.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

CASES = Path(__file__).parent / "cases"

SINGLE_HANDS = {"L": ("L", 1), "R": ("R", 1), "L2": ("L", 2), "R2": ("R", 2)}
ALL_HANDS = {**SINGLE_HANDS, "BH": ("BH", 1), "BH2": ("BH", 2)}
LETTERS = frozenset("FPSWDC>-")
NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*$")
MONSTER_KINDS = ("goblin", "ogre", "troll", "giant", "fire", "ice")


class CaseFault(Exception):
    """A case that cannot be read or cannot be put on the table; names file and line."""

    def __init__(self, where: str, text: str) -> None:
        super().__init__(f"{where}: {text}")


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a case: its words, and where it stands."""

    where: str
    text: str

    @property
    def words(self) -> list[str]:
        return self.text.split()

    def fault(self, text: str) -> CaseFault:
        return CaseFault(self.where, f"{text}: {self.text!r}")


@dataclass(frozen=True, slots=True)
class Clause:
    """One thing a wizard writes: a gesture, a spell to complete, a choice, a monster's subject."""

    kind: str
    entry: Entry
    words: tuple[str, ...] = ()
    hand: str = ""
    gesture_set: int = 1
    subject: str = ""
    creates: str = ""


@dataclass(slots=True)
class Block:
    """One turn of a case: who writes what, the dice, and the verdict. Or one who resigns."""

    kind: str
    entry: Entry
    resigns: str = ""
    clauses: dict[str, list[Clause]] = field(default_factory=dict)
    dice: list[int] = field(default_factory=list)
    named_dice: dict[str, int] = field(default_factory=dict)
    refused: Entry | None = None
    expect: list[Entry] = field(default_factory=list)


@dataclass(slots=True)
class Case:
    """A case as written: the rules it settles, the position it starts from, its turns."""

    name: str
    entry: Entry
    rules: tuple[str, ...] = ()
    title: str = ""
    rulesets: tuple[str, ...] = ("bartle-1",)
    wizards: tuple[str, ...] = ("A", "B")
    options: tuple[str, ...] = ()
    given: list[Entry] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)


def read_cases(folder: Path = CASES) -> tuple[Case, ...]:
    """Every case of every file of the folder, in the order of their files."""
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
    """The cases of one file; `source` is its name, for the faults."""
    cases: list[Case] = []
    section = ""
    for entry in _entries(text, source):
        words = entry.words
        if words[0] == "case":
            if len(words) != 2:
                raise entry.fault("a case has one name")
            cases.append(Case(words[1], entry))
            section = "head"
        elif not cases:
            raise entry.fault("the file must begin with a case")
        else:
            section = _read_line(cases[-1], section, entry)
    for case in cases:
        _require_whole(case)
    return tuple(cases)


def _entries(text: str, source: str) -> Iterator[Entry]:
    for number, line in enumerate(text.splitlines(), start=1):
        bare = line.split(" #", 1)[0].strip()
        if bare and not bare.startswith("#"):
            yield Entry(f"{source}:{number}", bare)


def _read_line(case: Case, section: str, entry: Entry) -> str:
    """Take one line into the case; answer which section the next line belongs to."""
    first = entry.words[0]
    if entry.text in ("turn", "extra"):
        case.blocks.append(Block(entry.text, entry))
        return "turn"
    if first == "resign" and section != "turn" and entry.words[1:] in [[w] for w in case.wizards]:
        case.blocks.append(Block("resign", entry, resigns=entry.words[1]))
        return "turn"
    if entry.text == "given" and section == "head":
        return "given"
    if entry.text == "expect" or (first == "refused" and section == "turn"):
        if section != "turn":
            raise entry.fault("a verdict belongs to a turn")
        if first == "refused":
            case.blocks[-1].refused = entry
        return "expect" if first == "expect" else "judged"
    if section == "head":
        _read_head(case, entry)
    elif section == "given":
        case.given.append(entry)
    elif section == "turn":
        _read_turn(case, case.blocks[-1], entry)
    elif section == "expect":
        case.blocks[-1].expect.append(entry)
    else:
        raise entry.fault("a refused turn has no other verdict")
    return section


def _read_head(case: Case, entry: Entry) -> None:
    key, *words = entry.words
    if not words:
        raise entry.fault("nothing follows")
    if key == "title":
        case.title = " ".join(words)
    elif key == "rules":
        case.rules = (*case.rules, *words)
    elif key == "rulesets":
        case.rulesets = tuple(words)
    elif key == "options":
        case.options = tuple(words)
    elif key == "wizards":
        if not all(NAME.match(word) for word in words):
            raise entry.fault("a wizard's name is one word")
        case.wizards = tuple(words)
    else:
        raise entry.fault("no such heading")


def _read_turn(case: Case, block: Block, entry: Entry) -> None:
    if block.resigns:
        raise entry.fault("who resigns casts nothing")
    if entry.words[0] == "dice":
        _read_dice(block, entry)
        return
    wizard, colon, rest = entry.text.partition(":")
    if not colon or wizard not in case.wizards:
        raise entry.fault("a line of a turn begins with a wizard's name and a colon")
    clauses = block.clauses.setdefault(wizard, [])
    if rest.split()[:1] == ["say"]:
        clauses.append(Clause("say", entry, (rest.strip()[3:].strip(),)))
        return
    clauses.extend(_clause(part.strip(), entry) for part in rest.split(","))


def _read_dice(block: Block, entry: Entry) -> None:
    named = re.fullmatch(r'dice "([^"]+)" (\d+)', entry.text)
    if named:
        block.named_dice[named[1]] = int(named[2])
        return
    values = entry.words[1:]
    if not values or not all(value.isdigit() for value in values):
        raise entry.fault("dice are numbers")
    block.dice.extend(int(value) for value in values)


def _clause(text: str, entry: Entry) -> Clause:
    """One clause of a wizard's line."""
    text, creates = _split(text, " as ")
    text, subject = _split(text, "->")
    words = text.split()
    if not words:
        raise entry.fault("an empty clause")
    gesture_set = 1
    if words[0] in ("1", "2") and len(words) > 1:
        gesture_set = int(words.pop(0))
    first, rest = words[0], tuple(words[1:])
    if first == "choose" and len(rest) == 2 and rest[0] in ALL_HANDS:
        hand, own_set = ALL_HANDS[rest[0]]
        return Clause("choose", entry, rest[1:], hand, max(gesture_set, own_set), subject)
    if first in ("charm", "charm2") and len(rest) == 3 and rest[1] in "LR" and rest[2] in LETTERS:
        return Clause("charm", entry, rest, gesture_set=2 if first == "charm2" else gesture_set)
    if first == "release" and not rest:
        return Clause("release", entry, subject=subject, creates=creates)
    if first in ("bank", "permanency") and len(rest) == 1 and rest[0] in ALL_HANDS:
        return Clause("capture", entry, (first, *rest))
    if first in ("advance", "answer") and len(rest) == 2:
        return Clause(first, entry, rest)
    if first in ALL_HANDS and len(rest) == 1:
        hand, own_set = ALL_HANDS[first]
        kind = "gesture" if rest[0] in LETTERS else "spell"
        number = max(gesture_set, own_set)
        return Clause(kind, entry, rest, hand, number, subject, creates)
    if subject and (not rest or rest == ("2",)) and ":" in first:
        return Clause("monster", entry, (first,), gesture_set=2 if rest else 1, subject=subject)
    if not rest or rest == ("2",):
        # a spell without a hand, or a monster's name: the referee knows the spellbook
        return Clause("plain", entry, (first,), "", 2 if rest else gesture_set, subject, creates)
    raise entry.fault(f"no such clause as {text!r}")


def _split(text: str, mark: str) -> tuple[str, str]:
    before, found, after = text.partition(mark)
    return (before.strip(), after.strip()) if found else (text, "")


def _require_whole(case: Case) -> None:
    for name, value in (("rules", case.rules), ("title", case.title)):
        if not value:
            raise case.entry.fault(f"the case has no line {name!r}")
    if not case.blocks:
        raise case.entry.fault("the case has no turn")
    last = case.blocks[-1]
    if last.refused is None and not last.expect:
        raise last.entry.fault("the last turn has no verdict")


def rules_with_cases(cases: Sequence[Case]) -> dict[str, list[str]]:
    """For each rule named by a case, the names of its cases."""
    served: dict[str, list[str]] = {}
    for case in cases:
        for rule in case.rules:
            served.setdefault(rule, []).append(case.name)
    return served
