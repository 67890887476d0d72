"""Reader of the interaction matrix: the effect of each spell, and of two spells on each other."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

MATRIX_FOLDER: Final = Path(__file__).parent
SUBJECT_KINDS: Final = ("wizard", "giant", "fire", "ice", "corpse")
"""Columns of `alone`: the possible subjects of a spell."""

VERDICTS: Final = (
    "stops", "spares", "shelters", "guards", "returns", "unmakes", "void", "neither", "once",
    "destroys", "merges", "catches", "extends", "ends", "renews", "hides", "uses", "unshields",
)  # fmt: skip
CONDITIONS: Final = (
    "anywhere", "own spell", "wizard", "corpse", "not corpse", "not elemental", "not wizard",
    "not fire", "not ice", "two casters", "by another", "own spell at another",
    "gestured",
)  # fmt: skip
ELEMENTS: Final = ("fire", "ice")
IN_FORCE_SUFFIX: Final = "*"
ILLEGAL: Final = "illegal"


class InvalidMatrix(ValueError):
    """Error for a line of a matrix that cannot be read."""


@dataclass(frozen=True, slots=True)
class Statement:
    """One line of `together` for one pair: the effect of `of` on `on`, and where it applies."""

    verdict: str
    of: str
    on: str
    where: str


@dataclass(slots=True)
class InteractionMatrix:
    """One ruleset's matrix: `alone` by spell and column, `together` by pair of spells.

    `caster_picks`: the caster, not the subject, chooses fire or ice. `merged_are_whole`: two
    elementals of a kind become one unhurt elemental. `in_steps`: monsters attack after the cures,
    by default the lowest seat, and mind spells are evaluated when they attack. `numbered`: every
    extra turn has its own number, and elementals have no controller.
    """

    caster_picks: bool = False
    merged_are_whole: bool = True
    in_steps: bool = False
    numbered: bool = False
    left_out: set[str] = field(default_factory=set)
    groups: dict[str, list[str]] = field(default_factory=dict)
    alone: dict[str, dict[str, tuple[str, ...]]] = field(default_factory=dict)
    lines: list[tuple[str, str, str, str, str]] = field(default_factory=list)
    together: dict[tuple[str, str], list[Statement]] = field(default_factory=dict)

    def expand_names(self, words: str, where: str) -> list[str]:
        """Return the spells and elements in these words, with groups expanded."""
        found: list[str] = []
        for word in words.split():
            if word in self.groups:
                found += self.expand_names(" ".join(self.groups[word]), where)
            elif word in self.alone or word in ELEMENTS:
                found.append(word)
            elif word not in self.left_out:
                raise InvalidMatrix(f"{where}: {word!r} is not a spell, element or group")
        return found

    def statements_between(self, one: str, other: str) -> list[Statement]:
        """Return the statements about the first spell's effect on the second."""
        return self.together.get((one, other), [])

    def spells(self) -> list[str]:
        """Return all spells in the order of the file."""
        return [name for name in self.alone if not name.endswith(IN_FORCE_SUFFIX)]

    def effects_in_force(self) -> list[str]:
        """Return the effects that can already be in force, whose names end with a star."""
        return [name for name in self.alone if name.endswith(IN_FORCE_SUFFIX)]

    def effect_parts(self, spell: str, column: str) -> tuple[str, ...]:
        return self.alone[spell][column]


def read_matrix(name: str, folder: Path = MATRIX_FOLDER) -> InteractionMatrix:
    """Return the matrix in this file. Raise InvalidMatrix, with file and line, if malformed."""
    book = InteractionMatrix()
    _read_file(book, name, folder)
    for where, verdict, of, on, place in book.lines:
        for one in book.expand_names(of, where):
            for other in book.expand_names(on, where):
                statement = Statement(verdict, one, other, place)
                held = book.together.setdefault((one, other), [])
                if statement in held:
                    raise InvalidMatrix(f"{where}: {one} {verdict} {other} is stated twice")
                held.append(statement)
    return book


def _read_file(book: InteractionMatrix, name: str, folder: Path) -> None:
    section = ""
    for number, raw in enumerate((folder / name).read_text(encoding="utf-8").splitlines(), 1):
        line = raw.partition("#")[0].strip()
        where = f"{name}:{number}"
        first, _, rest = line.partition(" ")
        if not line:
            continue
        if line in ("alone", "together"):
            section = line
        elif first == "like":
            _read_file(book, f"{rest.strip()}.txt", folder)
        elif first == "group":
            group, _, words = rest.partition("=")
            book.groups[group.strip()] = words.split()
        elif first == "without":
            for spell in book.expand_names(rest, where):
                del book.alone[spell]
                book.left_out.add(spell)
        elif line == "the caster picks the element":
            book.caster_picks = True
        elif line == "of two elementals the newer is destroyed":
            book.merged_are_whole = False
        elif line == "played step by step":
            book.in_steps = True
        elif line == "every extra turn has its number":
            book.numbered = True
        elif first == "restated":
            gone = rest.split()
            book.lines = [kept for kept in book.lines if kept[2] not in gone]
        elif section == "alone":
            _read_spell_row(book, _split_cells(line, 6, where), where)
        elif section == "together":
            verdict, of, on, place = _split_cells(line, 4, where)
            if verdict not in VERDICTS or place not in ("", *CONDITIONS):
                raise InvalidMatrix(f"{where}: no such verdict as {verdict!r} {place!r}")
            book.lines.append((where, verdict, of, on, place))
        else:
            raise InvalidMatrix(f"{where}: {line!r} is outside `alone` and `together`")


def _split_cells(line: str, count: int, where: str) -> list[str]:
    cells = [cell.strip() for cell in line.split("|")]
    if len(cells) != count:
        raise InvalidMatrix(f"{where}: {len(cells)} cells, not {count}")
    return cells


def _read_spell_row(book: InteractionMatrix, cells: list[str], where: str) -> None:
    spell, *columns = cells
    row = {}
    for column, cell in zip(SUBJECT_KINDS, columns, strict=True):
        parts = [part.strip() for part in cell.split(",")]
        for part in parts:
            if part != "-" and not _is_known_part(part):
                raise InvalidMatrix(f"{where}: {part!r} is not an effect of a spell")
        row[column] = tuple(part for part in parts if part != "-")
    book.alone[spell] = row


def _is_known_part(part: str) -> bool:
    match part.split():
        case ["hurt" | "cure", number] | ["all", "hurt", number]:
            return number.isdigit()
        case [_, "for", span]:
            return span == "ever" or span.isdigit()
        case ["attacks", whom]:
            return whom in ("w0", "w2", "twice")
        case ["makes", kind]:
            return kind in ("goblin", "ogre", "troll", "giant", *ELEMENTS)
    return part in (
        "shield", "dies", "goes", "vanishes", "melts", "obeys", "raised", "revives", "breaks",
        "extra turn", "monsters go", "others only", "idle", "unseen", "unseen by monsters",
        "unseen by wizards", "banked", "hasted turn", "strikes again", ILLEGAL,
    )  # fmt: skip
