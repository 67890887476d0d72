"""Context for the public rulings, and for statistics about the referees' work."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.core.paginator import Paginator

import engine.play
from duels.referees.cases import queries
from duels.referees.cases.queries import other_ruling, rulings_citing
from duels.referees.models import Ruling
from duels.screens.parts.rules.rule_text import rule_names
from duels.wording.rule_index import rule_named

ON_A_PAGE: Final = 20
USUAL_RULES: Final = "bartle-1"  # ruleset for links to rules if the case is not about a duel


@dataclass(frozen=True)
class CitedLine:
    """A rule that a ruling cites."""

    name: str
    title: str
    is_settled: bool


@dataclass(frozen=True)
class RulingLine:
    """A ruling in a list. The cited rules link to the page of `ruleset`, the ruleset of the
    duel."""

    ruling: Ruling
    ruleset: str
    ruleset_name: str
    cited: tuple[CitedLine, ...]


def rulings_context(typed: str, page_number: str) -> dict[str, Any]:
    """Return the context for the list of rulings: all of them, or only those that cite the rule
    entered."""
    rule = rule_named(typed) if typed.strip() else None
    is_unknown = bool(typed.strip()) and rule is None
    found = rulings_citing(rule or "")
    page = Paginator(found.none() if is_unknown else found, ON_A_PAGE).get_page(page_number)
    return {
        "typed": typed.strip()[:60],
        "rule": rule or "",
        "is_unknown": is_unknown,
        "page": page,
        "lines": [ruling_line(ruling) for ruling in page],
    }


def ruling_context(ruling: Ruling) -> dict[str, Any]:
    """Return the context for the page of a ruling."""
    return {"line": ruling_line(ruling), "other": other_ruling(ruling)}


def ruling_line(ruling: Ruling) -> RulingLine:
    """Return the ruling, with the cited rules under their names in the duel's ruleset."""
    duel = ruling.case.duel
    ruleset = duel.ruleset if duel is not None else USUAL_RULES
    names = rule_names(ruleset)
    cited = (
        CitedLine(each.rule, names.get(each.rule, each.rule), each.is_settled)
        for each in ruling.cited_rules.all()
    )
    name = engine.play.RULESETS[ruleset].name if duel is not None else ""
    return RulingLine(ruling, ruleset, name, tuple(cited))


def referees_context(now: datetime) -> dict[str, Any]:
    """Return the context for the page about the referees."""
    figures = queries.case_figures(now)
    return {"figures": figures, "days_words": days_words(figures.median_days)}


def days_words(days: float | None) -> str:
    """Return the duration of a case as text, or "" if it is not known yet."""
    if days is None:
        return ""
    if days < 1:
        return "less than a day"
    rounded = round(days)
    return "a day" if rounded == 1 else f"{rounded} days"
