"""Context for the pages of disputes and reports, for the players involved."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.urls import reverse

import engine.words
from duels.errors import Refused
from duels.models import Act, ActKind, Duel, Turn, Wizard
from duels.queries.rows import DuelPage
from duels.referees.cases import case_state
from duels.referees.cases.appeals import check_may_appeal
from duels.referees.cases.disputes import CATEGORIES, DISPUTE_PERIOD
from duels.referees.cases.notices import turn_name
from duels.referees.cases.objections import check_may_object
from duels.referees.cases.queries import cases_of_duel, notes_of
from duels.referees.log.act_log import public_name
from duels.referees.log.visible_acts import ActRow, VoidTurn, visible_act, visible_acts, void_turns
from duels.referees.models import MAX_CASE_WORDS_LENGTH, Case, CaseKind, CaseStatus
from duels.screens.parts.rules.rule_text import rule_names
from duels.template_values import TemplateValue

# Acts that the case's page does not list, because it shows their results elsewhere.
ACTS_SHOWN_IN_CASES = (ActKind.OPEN_DISPUTE, ActKind.CLOSE_DISPUTE, ActKind.RULING)


@dataclass(frozen=True)
class TypedForm:
    """The text typed into a form, with its errors by field."""

    typed: Mapping[str, str] = field(default_factory=dict)
    faults: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def with_refusal(cls, typed: Mapping[str, str], refused: Refused) -> "TypedForm":
        """Return the form with the error at the field that it names, otherwise at the text."""
        return cls(typed, {refused.field or "words": refused.text})


def dispute_context(duel: Duel, ordinal: int, title: str, form: TypedForm) -> dict[str, Any]:
    case = Case(kind=CaseKind.DISPUTE, duel=duel, ordinal=ordinal)
    return {
        "duel": duel,
        "duel_title": title,
        "ordinal": ordinal,
        "turn_words": turn_name(case),
        "form": form,
        "categories": [(each.value, each.label) for each in CATEGORIES],
        "rules": rule_names(duel.ruleset).items(),
        "words_length": MAX_CASE_WORDS_LENGTH,
    }


def case_context(case: Case, wizard: Wizard, now: datetime, form: TypedForm) -> dict[str, Any]:
    """Return the context for the page of a dispute, or of the wizard's own report."""
    is_mine = case.opened_by_id == wizard.pk
    appeals = list(case.appeals.select_related("wizard"))
    is_my_appeal = any(
        each.wizard_id == wizard.pk and each.withdrawn_at is None for each in appeals
    )
    can_withdraw = case.is_open and (is_mine if case.round == 1 else is_my_appeal)
    return {
        "case": case,
        "duel": case.duel,
        "turn_words": turn_name(case),
        "turn_address": _turn_address(case),
        "is_mine": is_mine,
        "status_words": case_status_words(case),
        "appeals": appeals,
        "objections": list(case.objections.select_related("wizard")),
        "can_object": _is_allowed(check_may_object, case, wizard, now),
        "rulings": list(case.rulings.order_by("pk").prefetch_related("cited_rules")),
        "notes": notes_of(case, for_players=True),
        "acts": visible_acts_in_case(case, wizard),
        "can_write": case.is_open,
        "can_withdraw": can_withdraw,
        "appeal_until": (
            case_state.appeal_deadline(case)
            if _is_allowed(check_may_appeal, case, wizard, now)
            else None
        ),
        "ruleset": case.duel.ruleset if case.duel else "bartle-1",
        "form": form,
        "words_length": MAX_CASE_WORDS_LENGTH,
        "stands": case.is_dispute and case.duel is not None and case.duel.ended_at is None,
    }


def _is_allowed(
    check: Callable[[Case, Wizard, datetime], object], case: Case, wizard: Wizard, now: datetime
) -> bool:
    try:
        check(case, wizard, now)
    except Refused:
        return False
    return True


def case_status_words(case: Case) -> str:
    match case.status:
        case CaseStatus.APPEALED:
            return "Appealed, and waiting for another referee."
        case CaseStatus.CLAIMED if case.referee is not None:
            return f"Handled by {public_name(case.referee)}, a referee."
        case CaseStatus.RULED if any(each.round == 2 for each in case.rulings.all()):
            return "Ruled on appeal. This ruling is final."
        case CaseStatus.RULED:
            return "Ruled."
        case CaseStatus.CLOSED:
            return "Closed without a ruling."
        case CaseStatus.WITHDRAWN:
            return "Withdrawn."
    return "Waiting for a referee."


def visible_acts_in_case(case: Case, wizard: Wizard) -> list[ActRow]:
    """Return the referees' acts in this case, as far as this wizard may see them."""
    acts = Act.objects.filter(case=case.pk).exclude(kind__in=ACTS_SHOWN_IN_CASES).order_by("pk")
    told = (visible_act(act, wizard) for act in acts.select_related("duel"))
    return [row for row in told if row is not None]


@dataclass(frozen=True)
class DisputesAndActs(TemplateValue):
    """Disputes and referees' acts on a duel's page."""

    is_stopped: bool
    is_disputed: bool
    can_dispute: bool
    guest_cannot_dispute: bool
    disputed_turn: int  # ordinal
    acts: Sequence[ActRow] = ()
    disputes: Sequence[tuple[Case, str]] = ()  # each case with its status as a sentence
    void_turns: Sequence[tuple[VoidTurn, str]] = ()  # each with its name


def disputes_and_acts_on_page(
    page: DuelPage, viewer: Wizard | None, now: datetime
) -> DisputesAndActs:
    """Return the disputes and acts that this viewer may see.

    Everyone sees whether the duel is paused, and why. The duel's players also see its disputes and
    referees' acts. No query is made if the duel's log is empty.
    """
    duel = page.duel
    is_seated = page.me is not None and viewer is not None
    is_player = is_seated and viewer is not None and not viewer.is_guest
    cases = cases_of_duel(duel) if duel.last_act and is_seated else []
    viewer_id = viewer.pk if viewer else None
    has_own = any(case.opened_by_id == viewer_id and case.is_open for case in cases)
    can_dispute = is_seated and is_disputable(duel, now)
    return DisputesAndActs(
        is_stopped=duel.stopped_at is not None and not duel.is_over,
        is_disputed=duel.halted_at is not None,
        can_dispute=can_dispute and is_player and not has_own,
        guest_cannot_dispute=can_dispute and not is_player,
        disputed_turn=page.turn.ordinal,
        acts=[row for row in visible_acts(duel, viewer) if row.kind not in ACTS_SHOWN_IN_CASES],
        void_turns=[
            (turn, engine.words.turn_name(duel.ruleset, turn.kind, turn.number))
            for turn in void_turns(duel)
        ],
        disputes=[(case, case_status_words(case)) for case in cases],
    )


def is_disputable(duel: Duel, now: datetime) -> bool:
    """Return whether players can dispute the duel, apart from limits per player."""
    is_fresh = duel.ended_at is None or duel.ended_at > now - DISPUTE_PERIOD
    return duel.started_at is not None and not duel.is_practice and is_fresh


def _turn_address(case: Case) -> str:
    """Return the disputed turn's address, which is the duel's page if the turn is open.

    Return "" if the case is not about a turn.
    """
    if case.duel is None or case.ordinal is None:
        return ""
    turn = Turn.objects.filter(duel=case.duel, ordinal=case.ordinal).first()
    if turn is None or turn.is_open:
        return reverse("duel", args=[case.duel.pk])
    return reverse("turn", args=[case.duel.pk, turn.ordinal])
