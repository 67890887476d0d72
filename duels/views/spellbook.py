"""The spellbook as a page: in three orders, grouped, and searched."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from duels import adjudication
from duels.views.book import ORDERS, Entry, entries, ruleset_or_404
from duels.views.spell_search import LONGEST, found
from engine.gestures import GESTURE_NAMES, LETTERS


@dataclass(frozen=True)
class Heading:
    """What a group of spells has in common: a gesture and its name, or the letter of a name."""

    letter: str
    words: str = ""


@dataclass(frozen=True)
class Group:
    """Spells under one heading; those that were searched for stand under none."""

    heading: Heading | None
    entries: tuple[Entry, ...]


@require_safe
def spellbook(request: HttpRequest, ruleset_id: str = "bartle-1") -> HttpResponse:
    """Every spell of a ruleset by gesture, by name or by last gesture, or those searched for."""
    ruleset = ruleset_or_404(ruleset_id)
    order = request.GET.get("order", "gesture")
    if order not in ORDERS:
        raise Http404("The book is not sorted like that.")
    typed = request.GET.get("q", "")[:LONGEST].strip()
    shown = found(_book(ruleset.id, order), typed)
    context = {
        "ruleset": ruleset,
        "orders": ORDERS.items(),
        "order": order,
        "typed": typed,
        "longest": LONGEST,
        "groups": [Group(None, tuple(shown))] if typed else list(_groups(shown, order)),
        "found": len(shown),
        "gestures": [(letter, GESTURE_NAMES[letter]) for letter in LETTERS],
        "own_names": [(letter, name) for letter, name in ruleset.gesture_names.items()],
    }
    page = "parts/spell_list" if request.GET.get("part") == "list" else "spellbook"
    return render(request, f"duels/{page}.html", context)


@lru_cache(maxsize=64)
def _book(ruleset_id: str, order: str) -> tuple[Entry, ...]:
    return tuple(entries(adjudication.rulesets()[ruleset_id], order))


def _groups(shown: Iterable[Entry], order: str) -> Iterator[Group]:
    headings = {
        "gesture": lambda entry: _gesture(entry.pattern[0]),
        "name": lambda entry: Heading(entry.spell.name[0]),
        "last": lambda entry: _gesture(entry.pattern[-1]),
    }
    for heading, group in groupby(shown, key=headings[order]):
        yield Group(heading, tuple(group))


def _gesture(step: str) -> Heading:
    letter = step.upper()
    return Heading(letter, GESTURE_NAMES[letter])
