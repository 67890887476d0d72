"""Search in a spellbook by name, gestures or effect."""

import re
from collections.abc import Iterable
from typing import Final

from duels.screens.parts.rules.spell_rows import BookEntry
from engine.play import LETTERS

MAX_SEARCH_LENGTH: Final = 60  # maximum length of a query; longer than any spell's row
# Ranks of matches, from best to worst.
NAME_BEGINS, NAME_CONTAINS, DESCRIPTION_CONTAINS = range(3)
# The books' terms for everyday words.
SYNONYMS: Final = {"hurt": "damage", "harm": "damage", "heal": "cure", "block": "stop"}


def search_spells(entries: Iterable[BookEntry], typed: str) -> list[BookEntry]:
    """Return the entries that match the text, best first, or all if it is empty."""
    words = typed[:MAX_SEARCH_LENGTH].casefold().split()
    if not words:
        return list(entries)
    gestures = gestures_in(typed)
    ranked = [
        (rank, entry)
        for entry in entries
        if (
            rank := _gesture_match_rank(entry, gestures)
            if gestures
            else _word_match_rank(entry, words)
        )
        is not None
    ]
    return [entry for _, entry in sorted(ranked, key=lambda each: each[0])]


def gestures_in(typed: str) -> str:
    """Return the typed text as gestures (`s-w w` means `SWW`), or "" if it is not only gestures.

    >>> gestures_in("s-w w"), gestures_in("(c-D"), gestures_in("swirl"), gestures_in("-")
    ('SWW', 'CD', '', '')
    """
    letters = re.sub(r"[\s(),–-]", "", typed[:MAX_SEARCH_LENGTH]).upper()
    return letters if letters and set(letters) <= set(LETTERS) else ""


def _gesture_match_rank(entry: BookEntry, gestures: str) -> int | None:
    made = entry.pattern.upper()
    if made.startswith(gestures):
        return NAME_BEGINS
    return NAME_CONTAINS if gestures in made else None


def _word_match_rank(entry: BookEntry, words: list[str]) -> int | None:
    name = entry.spell.name.casefold()
    facts = entry.facts
    told = " ".join((name, facts.effect, facts.class_words, facts.default_words, facts.lasts_words))
    told = told.casefold()
    if not all(word in told or SYNONYMS.get(word, word) in told for word in words):
        return None
    if name.startswith(words[0]):
        return NAME_BEGINS
    return NAME_CONTAINS if words[0] in name else DESCRIPTION_CONTAINS
