"""Context for the spellbook, which can be sorted in three ways, and for its search."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any, NamedTuple

import engine.play
from duels.caching.caches import named_cache
from duels.models import Duel
from duels.screens.parts.rules.spell_rows import SORT_ORDERS, BookEntry, book_entries
from duels.screens.spellbook.spell_search import MAX_SEARCH_LENGTH, search_spells
from duels.wording.options import selected_options
from engine.play import GESTURE_NAMES, LETTERS, Ruleset


class Heading(NamedTuple):
    """The heading of a group of spells: a gesture with its name, or an initial letter."""

    letter: str
    words: str = ""


@named_cache("spellbooks", size=64, key="ruleset, options and order, which are public")
def _book_entries(ruleset_id: str, options: tuple[str, ...], order: str) -> tuple[BookEntry, ...]:
    return tuple(book_entries(engine.play.RULESETS[ruleset_id].under(options), order))


def _entry_groups(
    shown: Iterable[BookEntry], order: str
) -> Iterator[tuple[Heading, list[BookEntry]]]:
    headings = {
        "gesture": lambda entry: _gesture_heading(entry.pattern[0]),
        "name": lambda entry: Heading(entry.spell.name[0]),
        "last": lambda entry: _gesture_heading(entry.pattern[-1]),
    }
    for heading, group in groupby(shown, key=headings[order]):
        yield heading, list(group)


def _gesture_heading(step: str) -> Heading:
    letter = step.upper()
    return Heading(letter, GESTURE_NAMES[letter])


def book_options_of(duel: Duel) -> str:
    """Return the options of a duel that change its book, as a query parameter's value."""
    known = engine.play.RULESETS[duel.ruleset].options
    return ",".join(option for option in duel.options if option in known)


def spellbook_context(
    ruleset: Ruleset, options: tuple[str, ...], order: str, typed: str
) -> dict[str, Any]:
    """Return the context for a ruleset's book in this order, or for the results of a search.

    `options` are the options of a duel that change the book.
    """
    shown = search_spells(_book_entries(ruleset.id, options, order), typed)
    return {
        "ruleset": ruleset,
        "options": selected_options(options),
        "book_options": ",".join(options),
        "orders": SORT_ORDERS.items(),
        "order": order,
        "typed": typed,
        "longest": MAX_SEARCH_LENGTH,
        "groups": [(None, shown)] if typed else list(_entry_groups(shown, order)),
        "found": len({entry.spell.id for entry in shown}),
        "gestures": [(letter, GESTURE_NAMES[letter]) for letter in LETTERS],
        "own_names": [(letter, name) for letter, name in ruleset.gesture_names.items()],
    }
