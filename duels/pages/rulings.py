"""Rulings as everybody reads them, and how busy the referees are."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.core.paginator import Paginator

from duels import adjudication
from duels.pages.rule_text import rule_names
from duels.referee import public as referee
from duels.referee.public import Ruling
from duels.rule_index import known_rule

ON_A_PAGE: Final = 20
USUAL_RULES: Final = "bartle-1"  # whose page a rule is shown on where the case is of no duel


@dataclass(frozen=True)
class CitedLine:
    """A rule that a ruling cites."""

    name: str
    title: str
    is_settled: bool


@dataclass(frozen=True)
class RulingLine:
    """A ruling as a list prints it. `ruleset`: that of the duel, on whose page its rules stand."""

    ruling: Ruling
    ruleset: str
    ruleset_name: str
    cited: tuple[CitedLine, ...]


def rulings_context(typed: str, page_number: str) -> dict[str, Any]:
    """What the list of all rulings prints, or of those that cite the rule that was typed."""
    rule = known_rule(typed) if typed.strip() else None
    is_unknown = bool(typed.strip()) and rule is None
    found = referee.rulings(rule or "")
    page = Paginator(found.none() if is_unknown else found, ON_A_PAGE).get_page(page_number)
    return {
        "typed": typed.strip()[:60],
        "rule": rule or "",
        "is_unknown": is_unknown,
        "page": page,
        "lines": [ruling_line(ruling) for ruling in page],
    }


def ruling_context(ruling: Ruling) -> dict[str, Any]:
    """What the page of a ruling prints."""
    return {"line": ruling_line(ruling), "other": referee.other_ruling(ruling)}


def ruling_line(ruling: Ruling) -> RulingLine:
    """The ruling, with the names of the rules as the ruleset of the duel has them."""
    duel = ruling.case.duel
    ruleset = duel.ruleset if duel is not None else USUAL_RULES
    names = rule_names(ruleset)
    cited = (
        CitedLine(each.rule, names.get(each.rule, each.rule), each.is_settled)
        for each in ruling.cited_rules.all()
    )
    name = adjudication.rulesets()[ruleset].name if duel is not None else ""
    return RulingLine(ruling, ruleset, name, tuple(cited))


def referees_context(now: datetime) -> dict[str, Any]:
    """What the page about the referees prints."""
    figures = referee.figures(now)
    return {"figures": figures, "days_words": days_words(figures.median_days)}


def days_words(days: float | None) -> str:
    """How long a case takes, as people say it; "" where nothing is known yet."""
    if days is None:
        return ""
    if days < 1:
        return "less than a day"
    rounded = round(days)
    return "a day" if rounded == 1 else f"{rounded} days"
