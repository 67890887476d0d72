"""Plain wording of controls, errors, help and emails. Only reports and titles may be whimsical."""

import ast
import re
from pathlib import Path

import pytest
from django.test import Client

ROOT = Path(__file__).parents[2]
FILES_WITH_TEXT = (
    *(ROOT / "templates").rglob("*.*"),
    *(ROOT / "static" / "js").rglob("*.js"),
    *(
        path
        for room in ("duels", "spellcaster")
        for path in (ROOT / room).rglob("*.py")
        if "migrations" not in path.parts
    ),
)
# Phrases that must not be used, and their replacements.
SAID_INSTEAD = {
    "seal anew": "Seal new orders",
    "sealed anew": "changed",
    "them anew": "again",
    "seal back": "Unseal",
    "put out the light": "Sign out?",
    "ending it otherwise": "Draw or resign",
    "who stands, and what is in force": "Wizards and effects",
    "letters that nobody wants": "check your spam folder",
    "a letter is on its way": "An email is on its way",
    "it is for good": "It cannot be changed later.",
    "answers in advance": "Answer possible questions in advance",
    "for nothing": "does not count",
    "rows answer": "2 spells match",
    "throw down the gauntlet</button>": "Send challenge",
    "leave it</a>": "Cancel",
    "leave it</button>": "Cancel",
    "clocks stand": "the clocks are stopped",
    "does not stand any more": "is no longer open",
    "each hand makes one sign": "gesture",
    "rows of signs": "sequences of gestures",
    "both</small>": "a small letter",
    "came to nothing": "ended without a duel",
    "an excuse": "an extension",
    "no excuse": "no extension",
    "whoever is late": "when the time runs out",
    "is late": "the time runs out",
}


TEMPLATE_COMMENT_PATTERN = re.compile(r"\{% comment %\}.*?\{% endcomment %\}", re.DOTALL)


def visible_text(path: Path) -> list[str]:
    """Return the user-visible text of a file: its lines or, for Python, its strings.

    Docstrings, and comments in templates, are excluded.
    """
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".py":
        return TEMPLATE_COMMENT_PATTERN.sub("", text).splitlines()
    nodes = list(ast.walk(ast.parse(text)))
    statements = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    return [
        node.value
        for node in nodes
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and id(node) not in statements
    ]


def test_visible_text_avoids_old_phrases():
    texts = {
        path.relative_to(ROOT): " ".join(" ".join(visible_text(path)).casefold().split())
        for path in FILES_WITH_TEXT
    }
    found = [
        f"say “{instead}” in {path}"
        for phrase, instead in SAID_INSTEAD.items()
        for path, told in texts.items()
        if phrase in told
    ]
    assert found == []


STRAIGHT_APOSTROPHE_PATTERN = re.compile(r"(?:\w|\})'(?:s|t|re|ve|ll|d)\b|s' [a-z]")
CODE_PATTERN = re.compile(r"\{%.*?%\}|\{[^{}]*\}|^\s*(?://|/?\*).*$|// .*$")
# files whose text is printed on a console
CONSOLE_FILES = {"checks.py", "verify.py", "seed_check.py", "redis_urls.py"}


def straight_apostrophes(path: Path) -> list[str]:
    """Return the texts in this file that contain straight apostrophes."""
    if path.suffix not in (".py", ".html", ".txt", ".json"):
        return []
    if {"management", "cli"} & {*path.parts} or path.name in CONSOLE_FILES:
        return []
    told = visible_text(path)
    if path.suffix == ".py":
        nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        told += [_f_string_text(node) for node in nodes if isinstance(node, ast.JoinedStr)]
    return [text for text in told if STRAIGHT_APOSTROPHE_PATTERN.search(CODE_PATTERN.sub("", text))]


def _f_string_text(text: ast.JoinedStr) -> str:
    """Return the text of an f-string, with a placeholder for each expression."""
    return "".join(
        str(part.value) if isinstance(part, ast.Constant) else "X" for part in text.values
    )


def test_apostrophes_in_visible_text_are_typographic():
    """Apostrophes of RULES.md are converted when a page shows it."""
    games = (ROOT / "duels" / "games").glob("*.json")
    spoken = (*FILES_WITH_TEXT, *(ROOT / "engine").rglob("*.py"), *games)
    found = {str(path.relative_to(ROOT)): straight_apostrophes(path) for path in spoken}
    assert {path: texts for path, texts in found.items() if texts} == {}


@pytest.mark.django_db
def test_rules_page_has_no_straight_quotation_marks(client: Client):
    page = client.get("/rules/bartle-1/").content.decode()
    text = re.sub(r"<(head|script)\b.*?</\1>|<code>.*?</code>|<[^>]*>", "", page, flags=re.DOTALL)
    assert "the hand’s sequences" in text
    assert "&#x27;" not in text
    assert re.findall(r".{,40}[\"']", text) == []
    assert (
        "Mirrors and monsters’ attacks" in client.get("/rules/bartle-1/rule/R45").content.decode()
    )
