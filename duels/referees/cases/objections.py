"""Players' objections to the referee of their case. The case then needs another referee."""

from datetime import datetime

from django.db import transaction

from duels.errors import Refused
from duels.models import Wizard
from duels.referees.cases import case_state
from duels.referees.cases.eligibility import handling_refusal
from duels.referees.cases.handling import return_to_queue
from duels.referees.cases.notices import notify_parties
from duels.referees.log.act_log import public_name, referees
from duels.referees.models import MAX_CASE_WORDS_LENGTH, Case, CaseStatus, Objection


@transaction.atomic
def object_to_referee(*, case_id: int, wizard: Wizard, words: str, now: datetime) -> Objection:
    """Object to the referee who holds the case, with a reason.

    The case goes back to the queue, and this referee can no longer handle it. Each player can
    object once in a case.
    """
    case = case_state.lock_case(case_id)
    check_may_object(case, wizard, now)
    referee = case.referee
    assert referee is not None, "a claimed case has a referee"
    made = Objection.objects.create(
        case=case,
        wizard=wizard,
        referee=referee,
        referee_name=public_name(referee),
        words=case_state.checked_text(words, MAX_CASE_WORDS_LENGTH),
        at=now,
    )
    return_to_queue(case, referee, now, f"{wizard.name} objected to this referee: {made.words}")
    notify_parties(case, "objected", now, by=wizard)
    return made


def check_may_object(case: Case, wizard: Wizard, now: datetime) -> None:
    """Raise `Refused`, with the reason, if this wizard cannot object to the referee now."""
    case_state.check_is_party(case, wizard)
    case_state.check_is_open(case)
    if Objection.objects.filter(case=case, wizard=wizard).exists():
        raise Refused("objected_already", "You have already objected once in this case.")
    if case.status != CaseStatus.CLAIMED or case.referee is None:
        raise Refused("no_referee_yet", "No referee handles this case yet.")
    others = referees().exclude(pk=case.referee.pk)
    if all(handling_refusal(other, case, now) is not None for other in others):
        text = (
            "No other referee may handle this case. If you think that the referee is not "
            "impartial, write to the operator of this site."
        )
        raise Refused("no_other_referee", text)
