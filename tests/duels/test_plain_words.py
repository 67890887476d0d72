"""Controls, errors, help and mails say things plainly: charm belongs to reports and titles."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SPOKEN = (
    *(ROOT / "templates").rglob("*.*"),
    *(ROOT / "static" / "js").glob("*.js"),
    *(
        path
        for room in ("duels", "spellcaster")
        for path in (ROOT / room).rglob("*.py")
        if "migrations" not in path.parts
    ),
)
# What once stood there, and what is said instead.
SAID_INSTEAD = {
    "seal anew": "Change orders",
    "sealed anew": "changed",
    "them anew": "again",
    "seal back": "Unseal",
    "put out the light": "Sign out?",
    "ending it otherwise": "Draw or resign",
    "who stands, and what is in force": "Wizards and effects",
    "letters that nobody wants": "check your spam folder",
    "a letter is on its way": "A mail is on its way",
    "it is for good": "It cannot be changed later.",
    "answers in advance": "Decide follow-up questions now",
    "for nothing": "does not count",
    "rows answer": "2 spells match",
    "throw down the gauntlet</button>": "Send the challenge",
    "leave it</a>": "Cancel",
    "leave it</button>": "Cancel",
    "clocks stand": "the clocks are stopped",
    "does not stand any more": "is no longer open",
    "each hand makes one sign": "gesture",
    "rows of signs": "sequences of gestures",
    "both</small>": "a small letter",
    "came to nothing": "ended without a duel",
}


def told_in(path: Path) -> list[str]:
    """What a file may tell people: its lines; of Python, the strings that are no docstrings."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".py":
        return text.splitlines()
    nodes = list(ast.walk(ast.parse(text)))
    statements = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    return [
        node.value
        for node in nodes
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and id(node) not in statements
    ]


TOLD = {path.relative_to(ROOT): " ".join(told_in(path)).casefold() for path in SPOKEN}


@pytest.mark.parametrize("phrase", SAID_INSTEAD)
def test_what_people_read_avoids_old_phrases(phrase: str):
    found = [str(path) for path, told in TOLD.items() if phrase in told]
    assert not found, f"say “{SAID_INSTEAD[phrase]}” in {found}"
