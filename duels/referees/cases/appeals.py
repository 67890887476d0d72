"""Appeals, which take a case to a second and last round with another referee.

After one player withdraws an appeal, the other players can still appeal.
"""

from datetime import datetime

from django.db import transaction

from duels.commands.halting import halt_for_dispute
from duels.errors import Refused
from duels.models import Wizard
from duels.referees.cases import case_state
from duels.referees.cases.notices import announce_change
from duels.referees.models import (
    MAX_CASE_WORDS_LENGTH,
    OPEN_STATUSES,
    Appeal,
    Case,
    CaseKind,
    CaseStatus,
    Ruling,
)


@transaction.atomic
def open_appeal(*, case_id: int, wizard: Wizard, words: str, now: datetime) -> Appeal:
    """Appeal against a ruling, so that another referee rules on the case. Pause its duel."""
    case = case_state.lock_case(case_id)
    check_may_appeal(case, wizard, now)
    made = Appeal.objects.create(
        case=case,
        wizard=wizard,
        words=case_state.checked_text(words, MAX_CASE_WORDS_LENGTH),
        at=now,
    )
    case.status, case.round, case.referee = CaseStatus.APPEALED, 2, None
    case.claimed_at = case.ended_at = None
    case.save(update_fields=["status", "round", "referee", "claimed_at", "ended_at"])
    assert case.duel_id is not None
    halt_for_dispute(case.duel_id, now)
    announce_change(case, "appealed", wizard, now)
    return made


def check_may_appeal(case: Case, wizard: Wizard, now: datetime) -> None:
    """Raise `Refused`, with the reason, if this wizard cannot appeal now."""
    if not case.is_dispute:
        raise Refused(
            "no_appeal", "Reports cannot be appealed. Write to the operator of this site instead."
        )
    case_state.check_is_in_duel(case, wizard)
    _check_ruling_concerns(case, wizard)
    if case.round > 1:
        text = "A case can be appealed once, and this one has already been appealed."
        raise Refused("appealed_already", text)
    if Appeal.objects.filter(case=case, wizard=wizard).exists():
        text = "You have withdrawn your appeal in this case, so you cannot appeal again."
        raise Refused("appealed_already", text)
    if case.status != CaseStatus.RULED or case.ended_at is None:
        raise Refused("no_ruling_yet", "There is no ruling yet, so there is nothing to appeal.")
    if case.ended_at <= now - case_state.APPEAL_PERIOD:
        days = case_state.APPEAL_PERIOD.days
        text = f"The {days} days for an appeal are over, so the ruling is final."
        raise Refused("appeal_too_late", text)
    standing = Case.objects.filter(
        kind=CaseKind.DISPUTE,
        duel=case.duel,
        opened_by=case.opened_by,
        status__in=OPEN_STATUSES,
    )
    if (other := standing.first()) is not None:
        text = f"{other.title} is still open in this duel. Wait for its ruling first."
        raise Refused("one_at_a_time", text)


def _check_ruling_concerns(case: Case, wizard: Wizard) -> None:
    """Raise `Refused` if a referee removed the wizard from the duel before this ruling.

    They can still appeal in the case that led to their removal, and in cases that they opened
    themselves.
    """
    left = case_state.removal_act_of(case, wizard)
    if left is None or left.case == case.pk or case.opened_by_id == wizard.pk:
        return
    ruling = Ruling.objects.filter(case=case, round=1).first()
    if ruling is None or ruling.published_at <= left.at:
        return
    text = (
        "A referee removed you from this duel before this ruling, so only the other players can "
        "appeal it. You can appeal in the case in which you were removed."
    )
    raise Refused("out_of_the_duel", text)


@transaction.atomic
def withdraw_appeal(*, case_id: int, wizard: Wizard, now: datetime) -> Case:
    """Withdraw the wizard's appeal, so that the first ruling applies.

    Only the wizard who appealed can withdraw the appeal, and they cannot appeal again. The other
    players get the full time for an appeal again, so that no player can use up another's chance.
    """
    case = case_state.lock_case(case_id)
    made = Appeal.objects.filter(case=case, wizard=wizard).first()
    if made is not None:
        case_state.check_is_open(case)
    if made is None or made.withdrawn_at is not None:
        raise Refused("not_your_case", "Only the player who appealed can withdraw the appeal.")
    made.withdrawn_at = now
    made.save(update_fields=["withdrawn_at"])
    case_state.end_case(case, CaseStatus.RULED, now)
    announce_change(case, "withdrawn", wizard, now)
    case.round, case.referee = 1, Ruling.objects.get(case=case, round=1).referee
    case.save(update_fields=["round", "referee"])
    return case
