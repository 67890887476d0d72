"""Context for the public rulings, and for statistics about the referees' work."""

from typing import Any, Final

from django.core.paginator import Paginator

import engine.play
from duels.referees.cases.queries import rulings_citing
from duels.referees.models import Ruling
from duels.screens.parts.rules.rule_text import rule_names
from duels.wording.rule_index import rule_named

RULINGS_PER_PAGE: Final = 20
DEFAULT_RULESET: Final = "bartle-1"  # ruleset for links to rules if the case is not about a duel


def rulings_context(typed: str, page_number: str) -> dict[str, Any]:
    """Return the context for all rulings, or for those that cite the rule entered."""
    rule = rule_named(typed) if typed.strip() else None
    is_unknown = bool(typed.strip()) and rule is None
    found = rulings_citing(rule or "")
    page = Paginator(found.none() if is_unknown else found, RULINGS_PER_PAGE).get_page(page_number)
    return {
        "typed": typed.strip()[:60],
        "rule": rule or "",
        "is_unknown": is_unknown,
        "page": page,
        "lines": [ruling_line(ruling) for ruling in page],
    }


def ruling_line(ruling: Ruling) -> dict[str, Any]:
    """Return the ruling, with the cited rules and their names in the duel's ruleset."""
    duel = ruling.case.duel
    ruleset = duel.ruleset if duel is not None else DEFAULT_RULESET
    names = rule_names(ruleset)
    return {
        "ruling": ruling,
        "ruleset": ruleset,
        "ruleset_name": engine.play.RULESETS[ruleset].name if duel is not None else "",
        "cited": [(each, names.get(each.rule, each.rule)) for each in ruling.cited_rules.all()],
    }


def days_words(days: float | None) -> str:
    """Return the duration of a case as text, or "" if it is not known yet."""
    if days is None:
        return ""
    if days < 1:
        return "less than a day"
    rounded = round(days)
    return "a day" if rounded == 1 else f"{rounded} days"
