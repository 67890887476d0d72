"""Functions that several commands share: lock or end a case, and check text, rules and players."""

from datetime import datetime, timedelta
from typing import Final

from duels.commands import halting
from duels.commands.locking import lock_first_duel
from duels.errors import Refused
from duels.models import Act, ActKind, Duel, Outcome, Seat, Wizard
from duels.referees.cases.eligibility import wizards_of
from duels.referees.models import OPEN_STATUSES, Case, CaseKind, CaseStatus
from duels.typed_text import clean_text
from duels.wording.rule_index import rule_named

APPEAL_PERIOD: Final = timedelta(days=14)


def lock_case(case_id: int) -> Case:
    """Lock the case's duel, if any, and then the case, and return it. Raise `Refused`."""
    found = Case.objects.filter(pk=case_id)
    duel_id = found.values_list("duel_id", flat=True).first()
    duel = lock_first_duel(Duel.objects.filter(pk=duel_id)) if duel_id is not None else None
    case = found.select_for_update(of=("self",), no_key=True).first()
    if case is None:
        raise Refused("no_such_case", "There is no such case.")
    if duel is not None:
        case.duel = duel
    return case


def check_is_open(case: Case) -> None:
    if not case.is_open:
        raise Refused("case_over", f"{case.title} is already {case.get_status_display()}.")


def end_case(case: Case, status: CaseStatus, now: datetime) -> None:
    """End the case with this status. Resume its duel if no other dispute about it is open."""
    case.status, case.ended_at = status, now
    case.save(update_fields=["status", "ended_at"])
    others = Case.objects.filter(duel=case.duel, kind=CaseKind.DISPUTE, status__in=OPEN_STATUSES)
    if case.is_dispute and case.duel_id is not None and not others.exists():
        halting.resume_after_dispute(case.duel_id, now)


def appeal_deadline(case: Case) -> datetime | None:
    """Return the deadline for appeals against the first ruling, or None without such a ruling."""
    is_first = case.is_dispute and case.round == 1 and case.status == CaseStatus.RULED
    return case.ended_at + APPEAL_PERIOD if is_first and case.ended_at is not None else None


def checked_text(words: str, max_length: int, *, field: str = "words") -> str:
    """Return the cleaned text. Raise `Refused` if it is empty or too long."""
    words = clean_text(words)
    if not words:
        raise Refused("no_words", "Enter some text.", field=field)
    if len(words) > max_length:
        text = f"This text has {len(words)} characters; the maximum is {max_length}. Shorten it."
        raise Refused("too_long", text, field=field)
    return words


def checked_rule(typed: str, *, field: str = "rule") -> str:
    """Return the rule's name as on the rules page, or "". Raise `Refused` for unknown rules."""
    if not typed.strip():
        return ""
    rule = rule_named(typed)
    if rule is None:
        text = (
            f"There is no rule “{typed.strip()[:40]}”. "
            "Write it as on the rules page, such as “R12” or “spell:shield”, or leave it out."
        )
        raise Refused("unknown_rule", text, field=field)
    return rule


def check_is_in_duel(case: Case, wizard: Wizard) -> None:
    """Raise `Refused` unless the wizard is or was (before a replacement) in the case's duel."""
    if case.duel is None or wizard.pk not in wizards_of(case.duel):
        raise Refused("not_your_duel", "You are not in this duel.")


def check_is_party(case: Case, wizard: Wizard) -> None:
    """Raise `Refused` if the wizard is not in the disputed duel or did not write the report."""
    if case.is_dispute:
        check_is_in_duel(case, wizard)
    elif case.opened_by_id != wizard.pk:
        raise Refused("not_your_case", "This report is not yours.")


def removal_act_of(case: Case, wizard: Wizard) -> Act | None:
    """Return the act that removed this wizard from the case's duel, or None."""
    acts_on_duel = Act.objects.filter(duel=case.duel).order_by("-ordinal")
    seat = Seat.objects.filter(duel=case.duel, wizard=wizard).first()
    if seat is None:
        return acts_on_duel.filter(kind=ActKind.REPLACE, facts__from=wizard.pk).first()
    if seat.outcome != Outcome.REMOVED:
        return None
    return acts_on_duel.filter(kind=ActKind.REMOVE, seat=seat.code).first()
