"""Disputes, reports and rulings in every state, for screenshots and accessibility tests."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from duels.commands import speaking
from duels.models import ActKind, Duel, User, Wizard
from duels.referees import appointments
from duels.referees.acts import carrying_out
from duels.referees.cases.disputes import add_statement, open_dispute
from duels.referees.cases.handling import add_note, claim_case
from duels.referees.cases.reports import report_name
from duels.referees.cases.rulings import rule_on_case
from duels.referees.log import act_log
from duels.referees.models import Case, Ruling
from tests.cast import begin, hands, make_user, make_wizard, play

A_DAY = timedelta(days=1)
DISPUTE_TEXT = (
    "My shield was up before the missile came: I showed P in the same turn. The report says that "
    "it hit me all the same.\n\nPlease look at turn 2 again."
)
RULING_TEXT = (
    "The first wizard showed P with the right hand in turn 2, and the second wizard’s missile was "
    "complete in the same turn. A shield holds for the turn in which it is cast, so that the "
    "missile should have been stopped; but the hand had been paralysed, and made a clench instead. "
    "The turn was resolved again from the sealed orders, with the same outcome."
)


@dataclass(frozen=True)
class ShownDisputes:
    """The prepared duels, cases and ruling.

    The case `open` pauses `duel`; `ruled` is about `other`.
    """

    duel: Duel
    open: Case
    other: Duel
    ruled: Case
    ruling: Ruling
    report: Case
    speech: int  # a message that can be reported


def create_disputes(ada: Wizard, bram: Wizard, cleo: Wizard, now: datetime) -> ShownDisputes:
    """Create an open dispute, one with a ruling, a message to report, and a reported name.

    Ada has opened a dispute about a duel with Bram. Her dispute about another duel has a ruling,
    which Bram may appeal. Bram has written a message that can be reported, and Cleo's name is
    reported.
    """
    rhea = _appoint_referee(make_wizard("Rhea the Just"))
    duel, other = (begin(ada, bram, pace="259200", excuses=2) for _ in range(2))
    for each in (duel, other):
        for left, right in (("S", "W"), ("D", "P")):
            play(each, {ada: hands(left, right), bram: hands(right, left)}, now=now)
    case = _open_dispute(duel, ada, now - A_DAY)
    claim_case(case_id=case.pk, user=rhea, now=now)
    add_note(
        case_id=case.pk,
        user=rhea,
        words="Which hand do you mean, the left or the right?",
        now=now,
        for_players=True,
    )
    add_statement(case_id=case.pk, wizard=bram, words="It was in time, I think.", now=now)
    ruled = _open_dispute(other, ada, now - 3 * A_DAY)
    claim_case(case_id=ruled.pk, user=rhea, now=now)
    carrying_out.carry_out_act(
        ActKind.RESTART_CLOCK,
        duel_id=other.pk,
        by=act_log.referee_ref(rhea),
        reason="Nobody shall lose time by a dispute that was open to doubt.",
        case=ruled.pk,
        now=now,
    )
    ruling = rule_on_case(
        case_id=ruled.pk,
        user=rhea,
        verdict="engine_right",
        words=RULING_TEXT,
        rules=["R21", "spell:shield"],
        settles="R21",
        private_words="You could not see that the hand was paralysed; the record shows it now.",
        now=now,
    )
    speech = speaking.send_message(
        duel_id=other.pk, wizard=bram, words="A goblin could see that.", now=now
    )
    report = report_name(about=cleo, wizard=ada, words="It is a queen’s name.", now=now)
    return ShownDisputes(duel, case, other, ruled, ruling, report, speech.pk)


def _open_dispute(duel: Duel, wizard: Wizard, now: datetime) -> Case:
    return open_dispute(
        duel_id=duel.pk,
        wizard=wizard,
        ordinal=2,
        category="rule",
        rule="spell:shield",
        words=DISPUTE_TEXT,
        now=now,
    )


def _appoint_referee(wizard: Wizard) -> User:
    user = wizard.user or make_user("rhea@example.org")
    return appointments.appoint_referee(email=user.email)
