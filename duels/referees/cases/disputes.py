"""Commands for players: open a dispute about a turn, add a statement, and withdraw the dispute."""

from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import Q

from duels.commands.halting import halt_for_dispute
from duels.commands.locking import lock_duel, seat_of
from duels.commands.suspensions import check_may_act
from duels.errors import Refused
from duels.models import Duel, DuelStatus, Turn, User, Wizard, WizardKind
from duels.referees.cases import case_state
from duels.referees.cases.handling import remove_referee
from duels.referees.cases.notices import announce_change
from duels.referees.models import (
    MAX_CASE_WORDS_LENGTH,
    OPEN_STATUSES,
    Case,
    CaseCategory,
    CaseKind,
    CaseStatus,
    Note,
    NoteAudience,
)

# Categories of disputes. Names are not among them, because players report names instead.
CATEGORIES: Final = tuple(each for each in CaseCategory if each != CaseCategory.NAME)
# Maximum numbers of disputes that one player can open: about one duel, and within thirty days.
MAX_DISPUTES_PER_DUEL: Final = 3
MAX_DISPUTES_PER_MONTH: Final = 10
MONTH: Final = timedelta(days=30)
DISPUTE_PERIOD: Final = MONTH
MAX_STATEMENTS: Final = 10  # maximum number of statements by one player in one case


@transaction.atomic
def open_dispute(
    *,
    duel_id: int,
    wizard: Wizard,
    ordinal: int,
    category: str,
    words: str,
    now: datetime,
    rule: str = "",
) -> Case:
    """Open a dispute about this turn, and pause the duel until the ruling."""
    duel = lock_duel(duel_id)
    check_may_dispute(duel, wizard, now)
    if not Turn.objects.filter(duel=duel, ordinal=ordinal).exists():
        raise Refused("no_such_turn", "This duel has no such turn.")
    if category not in CATEGORIES:
        raise Refused("unknown_category", "Choose what the dispute is about.", field="category")
    case = Case.objects.create(
        kind=CaseKind.DISPUTE,
        duel=duel,
        ordinal=ordinal,
        opened_by=wizard,
        category=category,
        rule=case_state.checked_rule(rule),
        words=case_state.checked_text(words, MAX_CASE_WORDS_LENGTH),
        opened_at=now,
    )
    halt_for_dispute(duel.pk, now)
    announce_change(case, "opened", wizard, now)
    return case


def check_may_dispute(duel: Duel, wizard: Wizard, now: datetime) -> None:
    """Raise `Refused`, with the reason, if this wizard cannot dispute this duel now."""
    seat_of(duel, wizard)
    check_may_act(wizard, now)
    if wizard.kind == WizardKind.GUEST and not duel.is_practice:
        text = (
            "A dispute stops the duel for everyone until a referee has ruled, so it needs an "
            "account. Sign up to keep this duel, and then dispute it."
        )
        raise Refused("players_only", text)
    if duel.is_practice or wizard.kind != WizardKind.PLAYER:
        text = (
            "Practice duels have no referees, because nothing is at stake. If a rule seems wrong "
            "there, write to the operator of this site."
        )
        raise Refused("practice", text)
    if duel.status in (DuelStatus.GATHERING, DuelStatus.LAPSED):
        raise Refused("not_begun", "This duel has not begun.")
    if duel.ended_at is not None and duel.ended_at <= now - DISPUTE_PERIOD:
        text = (
            f"This duel has been over for more than {DISPUTE_PERIOD.days} days, "
            "so it can no longer be disputed."
        )
        raise Refused("over_long_ago", text)
    mine = Case.objects.filter(kind=CaseKind.DISPUTE, opened_by=wizard)
    here = mine.filter(duel=duel)
    if (standing := here.filter(status__in=OPEN_STATUSES).first()) is not None:
        text = f"{standing.title} is already open in this duel. You can add a message to it."
        raise Refused("one_at_a_time", text)
    if here.count() >= MAX_DISPUTES_PER_DUEL:
        most = MAX_DISPUTES_PER_DUEL
        text = f"You have opened {most} disputes about this duel, which is the maximum."
        raise Refused("too_many_disputes", text)
    if mine.filter(opened_at__gt=now - MONTH).count() >= MAX_DISPUTES_PER_MONTH:
        text = (
            f"You have opened {MAX_DISPUTES_PER_MONTH} disputes in {MONTH.days} days, which is the "
            "maximum. Try again later."
        )
        raise Refused("too_many_disputes", text)


@transaction.atomic
def withdraw_own_case(*, case_id: int, wizard: Wizard, now: datetime) -> Case:
    """Withdraw a case that the wizard opened. This is not possible after a ruling."""
    case = case_state.lock_case(case_id)
    if case.opened_by_id != wizard.pk:
        raise Refused("not_your_case", "Only the player who opened this case can withdraw it.")
    case_state.check_is_open(case)
    if case.round > 1:
        raise Refused("ruled_already", "The case has a ruling, so you cannot withdraw it.")
    withdraw_case(case, wizard, now)
    return case


def withdraw_case(case: Case, wizard: Wizard, now: datetime) -> None:
    """Withdraw this case, which is locked and was opened by this wizard."""
    case_state.end_case(case, CaseStatus.WITHDRAWN, now)
    if case.is_dispute:
        announce_change(case, "withdrawn", wizard, now)


@transaction.atomic
def add_statement(*, case_id: int, wizard: Wizard, words: str, now: datetime) -> Note:
    """Add a player's statement to the case. The referee and all players of the duel can read it."""
    case = case_state.lock_case(case_id)
    case_state.check_is_party(case, wizard)
    case_state.check_is_open(case)
    said = Note.objects.filter(case=case, wizard=wizard)
    if said.count() >= MAX_STATEMENTS:
        text = f"You have sent {MAX_STATEMENTS} messages in this case, which is the maximum."
        raise Refused("too_many_notes", text, field="words")
    return Note.objects.create(
        case=case,
        wizard=wizard,
        audience=NoteAudience.PLAYERS,
        words=case_state.checked_text(words, MAX_CASE_WORDS_LENGTH),
        at=now,
    )


@transaction.atomic
def end_cases_of(*, user: User, now: datetime) -> int:
    """End or release the cases of a user who closes their account. Return the number of cases.

    Disputes that the user's wizard opened are withdrawn, and their duels resume. Cases that the
    user holds as a referee go back to the queue. Reports stay open, because a referee must still
    check the message or name. Appeals stay open too, because they may help other players.
    """
    wizard = Wizard.objects.filter(user=user).first()
    # Lock the duels of these cases together with all of the wizard's duels, in the usual order,
    # because closing the account locks the wizard's duels too.
    concerned = Q(seats__wizard=wizard, seats__wizard__isnull=False) | Q(cases__referee=user)
    duels = Duel.objects.filter(pk__in=Duel.objects.filter(concerned).order_by().values("pk"))
    list(duels.order_by("pk").select_for_update(of=("self",), no_key=True).values_list("pk"))
    ended = 0
    opened = Case.objects.filter(
        opened_by=wizard, kind="dispute", status__in=OPEN_STATUSES, round=1
    )
    for case_id in opened.order_by("duel_id", "pk").values_list("pk", flat=True):
        case = case_state.lock_case(case_id)
        if case.is_open:
            withdraw_case(case, case.opened_by, now)
            ended += 1
    held = Case.objects.filter(referee=user, status=CaseStatus.CLAIMED)
    for case_id in held.order_by("duel_id", "pk").values_list("pk", flat=True):
        remove_referee(case_state.lock_case(case_id))
        ended += 1
    return ended
