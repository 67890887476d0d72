"""The spellbook, and pages about the site. All that is said of a spell comes from its ruleset."""

from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from duels import adjudication
from engine import Ruleset
from engine.gestures import GESTURE_NAMES
from engine.spellbook import Spell

CLASS_WORDS = {
    "protection": "protection",
    "summons": "summons",
    "damaging": "damage",
    "enchantment": "enchantment",
}
DEFAULT_WORDS = {"self": "yourself", "opponent": "the next opponent", "none": "the whole arena"}
LASTS_WORDS = {
    "instant": "at once",
    "t+1": "the next turn",
    "t+1..t+3": "the next three turns",
    "t..t+3": "this turn and the next three",
    "until removed": "until removed",
    "dies at the end of t+5": "kills at the end of the fifth turn after",
}
ORDERS = {"gesture": "by gesture", "name": "by name", "last": "by last gesture"}
# The order of gestures in the book: the clap first, then the alphabet.
ALPHABET = "cdfpsw"


@dataclass(frozen=True)
class Entry:
    """One sequence of one spell, as the book prints it."""

    spell: Spell
    gestures: str
    class_words: str
    default_words: str
    lasts_words: str
    once: bool


def written(pattern: str) -> str:
    """A pattern as players write it: `cDPW` is `(c-D-P-W`, a bracket for both hands."""
    return "-".join(f"({letter}" if letter.islower() else letter for letter in pattern)


def entries(ruleset: Ruleset, order: str) -> list[Entry]:
    """The book's sequences in one of its three orders."""
    rows = [(spell, pattern) for spell in ruleset.spells.values() for pattern in spell.patterns]
    keys = {
        "gesture": lambda row: (_places(row[1]), row[0].name),
        "name": lambda row: (row[0].name, _places(row[1])),
        "last": lambda row: (_places(row[1][::-1]), row[0].name),
    }
    return [
        Entry(
            spell,
            written(pattern),
            CLASS_WORDS[spell.class_],
            DEFAULT_WORDS[spell.default],
            LASTS_WORDS[spell.lasts],
            pattern == spell.once_by,
        )
        for spell, pattern in sorted(rows, key=keys[order])
    ]


def _places(pattern: str) -> list[tuple[int, bool]]:
    return [(ALPHABET.index(letter.lower()), letter.islower()) for letter in pattern]


def ruleset_or_404(ruleset_id: str) -> Ruleset:
    try:
        return adjudication.rulesets()[ruleset_id]
    except KeyError:
        raise Http404("There is no such ruleset.") from None


@require_safe
def spellbook(request: HttpRequest) -> HttpResponse:
    """Every spell of a ruleset by gesture, by name or by last gesture."""
    rulesets = adjudication.rulesets()
    ruleset = ruleset_or_404(request.GET.get("rules", next(iter(rulesets))))
    order = request.GET.get("order", "gesture")
    if order not in ORDERS:
        raise Http404("The book is not sorted like that.")
    context = {
        "ruleset": ruleset,
        "orders": ORDERS.items(),
        "order": order,
        "entries": entries(ruleset, order),
        "gestures": GESTURE_NAMES.items(),
    }
    return render(request, "duels/spellbook.html", context)


@require_safe
def about(request: HttpRequest) -> HttpResponse:
    return render(request, "duels/about.html")


@require_safe
def privacy(request: HttpRequest) -> HttpResponse:
    return render(request, "duels/privacy.html")


@require_safe
def terms(request: HttpRequest) -> HttpResponse:
    return render(request, "duels/terms.html")
