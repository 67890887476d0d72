"""Tests that the text of each rule is written in one place and only quoted elsewhere.

The tests look for the same seven words in a row in two places. Shorter matches are often just terms
of the game ("mind spells that reach one being", "the hand of a paralysis or").
"""

import ast
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

ROOT = Path(__file__).parents[2]
WORDS_IN_A_ROW = 7
RULES_FILE = ROOT / "engine" / "RULES.md"
# files whose text the rules pages show
RULE_PROSE = (
    RULES_FILE,
    *(
        ROOT / "engine" / "rules_text" / f"{name}.py"
        for name in ("differences", "ruleset_text", "play_text")
    ),
    ROOT / "duels" / "screens" / "rules" / "turn_order.py",
    ROOT / "duels" / "screens" / "parts" / "rules" / "spell_rows.py",
    ROOT / "duels" / "lessons" / "from_warlocks.py",
    *(
        ROOT / "templates" / "duels" / f"{page}.html"
        for page in (
            "rules/rules",
            "rules/rulebooks",
            "rules/differences",
            "rules/turn_order",
            "spellbook/spellbook",
            "warlocks/from_warlocks",
        )
    ),
)
ALL_TEXTS = (
    RULES_FILE,
    *sorted((ROOT / "engine").rglob("*.py")),
    *sorted(path for path in (ROOT / "duels").rglob("*.py") if "migrations" not in path.parts),
    *sorted(path for path in (ROOT / "templates").rglob("*.*") if path.is_file()),
)
MARKUP_PATTERN = re.compile(
    r"\*\*In [^*]*\*\*"  # the ruleset to which a note applies
    r"|\*Source:.*?\*"
    r"|\((?:[RSW]\d+(?:, | and )?)+\)"  # cited rules
    r"|<[^<>]*>",
    re.DOTALL,
)
BREAK_PATTERN = re.compile(
    r"\{%\s*comment.*?endcomment\s*%\}|\{[{%].*?[%}]\}|</?(?:p|li|h\d)\b[^>]*>", re.S
)


def visible_texts(path: Path) -> Iterator[str]:
    """Yield the texts in a file that users may read."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".md":
        yield from re.split(r"\n\n|^#.*$", text, flags=re.MULTILINE)
    elif path.suffix == ".py":
        yield from visible_strings(ast.parse(text))
    else:
        yield from BREAK_PATTERN.split(text)


def visible_strings(node: ast.AST) -> Iterator[str]:
    """Yield the strings in code, except docstrings and dictionary keys."""
    match node:
        case ast.Constant(value=str(text)):
            yield text
        case ast.Expr(value=ast.Constant()):
            return
        case ast.Dict(values=values):
            for value in values:
                yield from visible_strings(value)
        case _:
            for child in ast.iter_child_nodes(node):
                yield from visible_strings(child)


def word_runs(path: Path) -> set[str]:
    """Return every sequence of RUN words in a file, without punctuation and capitals."""
    found = set()
    for piece in visible_texts(path):
        plain = (
            MARKUP_PATTERN.sub(" ", unescape(piece)).replace("'", "").replace("’", "").casefold()
        )
        words = re.findall(r"\w+", plain)
        found |= {
            " ".join(words[at : at + WORDS_IN_A_ROW])
            for at in range(len(words) - WORDS_IN_A_ROW + 1)
        }
    return found


def test_rule_text_is_not_repeated_elsewhere() -> None:
    """Every file is read. The order of play has no text of its own; it only quotes rules."""
    runs_by_file = {path: word_runs(path) for path in ALL_TEXTS}
    silent = {path.name for path in RULE_PROSE if not runs_by_file[path]}
    assert silent == {"play_text.py"}
    told_twice = {
        f"{home.name} and {path.relative_to(ROOT)}": shared
        for home in RULE_PROSE
        for path, found in runs_by_file.items()
        if path != home and (shared := found & runs_by_file[home])
    }
    assert told_twice == {}


def test_sentence_in_two_places_is_detected(tmp_path: Path) -> None:
    """One copy is in code and one in the rules, with different punctuation and line breaks."""
    code, rules = tmp_path / "told.py", tmp_path / "rules.md"
    code.write_text(
        'WORDS = (\n    "The mirror’s owner, "\n    "who is hasted, names no hand"\n)\n'
    )
    rules.write_text(
        "### R1 — A\n**In wizards:** The *mirror's* owner (R2) who is\nhasted names one."
    )
    assert word_runs(code) & word_runs(rules) == {"the mirrors owner who is hasted names"}
