"""Commands for practice duels against an automatic opponent, which seals as soon as a turn opens.

The practice opponent is a single wizard for the whole site. It seals with the same commands as
everyone else, and uses only information that its seat can see. In a lesson, it follows the script
as long as the learner does, and otherwise plays gently.
"""

import logging
import random
from collections.abc import Collection, Iterable
from datetime import datetime
from typing import Any

from django.db import transaction

import engine.orders
import engine.play
from duels import lessons, models
from duels.clocks.budget import Budget
from duels.clocks.clock import NO_HURRY
from duels.commands.endings import resign
from duels.commands.error_isolation import run_for_each
from duels.commands.guests import GUEST_LIFETIME
from duels.commands.locking import lock_wizard
from duels.commands.opening import start_duel
from duels.commands.profiles import create_wizard_if_name_available
from duels.commands.sealing import answer_questions, seal_orders
from duels.commands.suspensions import check_may_act
from duels.errors import Refused, error_summary
from duels.lessons import script
from duels.lessons.script import RIVAL, gesture_orders
from duels.loaded import adjudication
from duels.loaded.database_clock import database_now
from duels.loaded.loading import load_turn
from duels.loaded.open_turn import OpenTurn
from duels.practice import play, replies
from duels.practice.gentle import gentle_orders
from duels.queries import lists, practising
from duels.wording.options import selected_options

logger = logging.getLogger(__name__)

RANDOM: random.Random = random.SystemRandom()
# The practice opponent takes the first of these that no player has taken.
OPPONENT_NAMES = ("Old Quill", "Old Inkpot", "Old Candle", "Old Parchment")
# Maximum number of unfinished practice duels per wizard.
MAX_UNFINISHED_PRACTICE_DUELS = 8


@transaction.atomic
def start_practice(
    *, wizard: models.Wizard, ruleset: str, now: datetime, options: Collection[str] = ()
) -> models.Duel:
    """Start a duel against the practice opponent, and open its first turn."""
    if ruleset not in engine.play.RULESETS:
        raise Refused("unknown_ruleset", "There is no such ruleset.", field="ruleset")
    lock_wizard(wizard)
    _check_may_practise(wizard, now)
    known = adjudication.available_options(ruleset)
    agreed = [option.name for option in selected_options(options) if option.name in known]
    return _start_practice_duel(
        wizard, now, ruleset=ruleset, options=agreed, lesson=models.PRACTICE_LESSON
    )


@transaction.atomic
def start_lesson(*, wizard: models.Wizard, lesson: str, now: datetime) -> models.Duel:
    """Start the lesson's duel, or return the wizard's unfinished duel of this lesson."""
    taught = lessons.LESSONS.get(lesson)
    if taught is None:
        raise Refused("no_such_lesson", "There is no such lesson.")
    lock_wizard(wizard)  # so that a double click starts only one duel
    unfinished = models.Duel.objects.filter(
        lesson=lesson, status=models.DuelStatus.RUNNING, seats__wizard=wizard
    ).order_by("pk")
    found = unfinished.first()
    if found is not None:
        return found
    _check_may_practise(wizard, now)
    setup = taught.engine_setup()
    return _start_practice_duel(
        wizard, now, ruleset=taught.ruleset, options=[], lesson=lesson, setup=setup
    )


@transaction.atomic
def start_practice_from_turn(
    *, duel_id: int, ordinal: int, seat: str, wizard: models.Wizard, now: datetime
) -> models.Duel:
    """Start a practice duel from one turn of a finished public duel, in the given seat.

    If that turn cannot be set up, start from the last earlier turn that can.
    """
    source = lists.visible_duel(duel_id, wizard)
    if source is None:
        raise Refused("no_such_duel", "There is no such duel.")
    if not source.is_over:
        raise Refused("not_over", "You can play on from a duel only when it is over.")
    codes = [each.code for each in models.Seat.objects.filter(duel=source).order_by("place")]
    if len(codes) != models.MIN_WIZARDS:
        text = (
            "You can play on only from a duel of two wizards, because there is only one practice "
            "opponent."
        )
        raise Refused("too_many_wizards", text)
    if seat not in codes:
        raise Refused("no_such_seat", "Side: choose one of the two wizards.", field="seat")
    played = models.Turn.objects.filter(duel=source).exclude(events=None)
    if not played.filter(ordinal=ordinal).exists():
        text = f"Turn: there is no turn {ordinal} in this duel."
        raise Refused("no_such_turn", text, field="turn")
    turns = played.filter(ordinal__lte=ordinal).order_by("-ordinal")
    options, setup = _options_and_setup(turns.iterator())
    lock_wizard(wizard)
    _check_may_practise(wizard, now)
    return _start_practice_duel(
        wizard,
        now,
        ruleset=source.ruleset,
        options=options,
        lesson=models.PRACTICE_LESSON,
        setup=setup,
        place=codes.index(seat),
    )


def _options_and_setup(turns: Iterable[models.Turn]) -> tuple[list[str], dict[str, Any]]:
    """Return the options and the setup of the first turn that can be set up.

    Extra turns and other phases that begin in the middle of a turn cannot.
    """
    for turn in turns:
        position = adjudication.position_at_start(turn)
        setup = engine.play.setup_of(position)
        if setup is not None:
            return list(position.options), setup
    raise Refused("not_to_set_up", "Turn: this turn cannot be set up again.", field="turn")


def play_opponent(*, turn_id: int, now: datetime | None = None) -> bool:
    """Seal the practice opponent's orders or answers if the turn waits for them.

    Return whether this call sealed anything. Repeated, late and simultaneous calls are harmless:
    only the first one seals.
    """
    now = now or database_now()
    turn = load_turn(turn_id)
    seat = _awaited_seat(turn) if turn else None
    if turn is None or seat is None:
        return False
    taught = lessons.LESSONS.get(turn.duel.lesson)
    try:
        if taught is not None and turn.row.ordinal > taught.patience:
            resign(duel_id=turn.duel.pk, wizard=seat.wizard, now=now)
        elif turn.row.stage == models.Stage.ORDERS:
            fields = engine.orders.fields(_opponent_orders(turn, seat, taught))
            seal_orders(turn_id=turn_id, wizard=seat.wizard, fields=fields, form_seal="", now=now)
        else:
            given = _opponent_answers(turn, seat)
            answer_questions(
                turn_id=turn_id,
                wizard=seat.wizard,
                answers=given,
                batch=turn.row.batch,
                form_seal="",
                now=now,
            )
    except Refused:
        return False  # another worker has already sealed, or the turn is over
    return True


def play_waiting_opponents(*, now: datetime, budget: Budget) -> int:
    """Seal for the practice opponent in turns whose task was lost. Return their number."""
    waiting = models.Seat.objects.filter(awaited=True, wizard__kind=models.WizardKind.PRACTICE)
    turns = models.Turn.objects.filter(
        duel__in=waiting.values("duel"), stage__in=models.OPEN_STAGES
    )
    found = list(turns.order_by("opened_at").values_list("pk", flat=True))
    played, _ = run_for_each(
        found,
        lambda turn_id: play_opponent(turn_id=turn_id, now=now),
        budget,
        "Practice failed in turn",
    )
    return played


def practice_wizard(now: datetime) -> models.Wizard:
    """Return the practice opponent, creating it on first use."""
    found = models.Wizard.objects.filter(kind=models.WizardKind.PRACTICE).first()
    for name in OPPONENT_NAMES:
        if found is not None:
            break
        columns = {
            "kind": models.WizardKind.PRACTICE,
            "pronouns": models.Pronouns.HE,
            "created_at": now,
        }
        found = create_wizard_if_name_available(name, **columns)
        if found is None:  # another process has just created it, or a player has this name
            found = models.Wizard.objects.filter(kind=models.WizardKind.PRACTICE).first()
    if found is None:
        raise Refused(
            "no_opponent",
            "There is no practice opponent, because players have taken all of its names. "
            "Please tell the site’s operator.",
        )
    return found


def _check_may_practise(wizard: models.Wizard, now: datetime) -> None:
    if wizard.is_closed:
        raise Refused("account_closed", "This account is closed.")
    check_may_act(wizard, now)
    mine = models.Duel.objects.filter(status=models.DuelStatus.RUNNING, seats__wizard=wizard)
    if mine.exclude(lesson="").count() >= MAX_UNFINISHED_PRACTICE_DUELS:
        text = "You have too many unfinished practice duels. Finish one or resign it."
        raise Refused("too_many_practice", text)


def _start_practice_duel(
    wizard: models.Wizard,
    now: datetime,
    *,
    ruleset: str,
    options: list[str],
    lesson: str,
    setup: object = None,
    place: int | None = None,
) -> models.Duel:
    """Start a duel between the wizard and the practice opponent.

    Places are random, except in a lesson or if `place` is given. A guest is kept for another thirty
    days.
    """
    if wizard.kind == models.WizardKind.GUEST:
        models.Wizard.objects.filter(pk=wizard.pk).update(kept_until=now + GUEST_LIFETIME)
    duel = models.Duel.objects.create(
        ruleset=ruleset,
        options=options,
        pace=str(NO_HURRY),
        visibility=models.Visibility.PRIVATE,
        challenger=wizard,
        lesson=lesson,
        setup=setup,
        created_at=now,
        expires_at=now,
    )
    seats = [
        models.Seat.objects.create(duel=duel, wizard=each, invited_at=now, accepted_at=now)
        for each in (wizard, practice_wizard(now))
    ]
    if place:
        seats.reverse()
    start_duel(duel, seats, now, by_lot=lesson == models.PRACTICE_LESSON and place is None)
    return duel


def _awaited_seat(turn: OpenTurn) -> models.Seat | None:
    """Return the practice opponent's seat if it must still act in this turn, otherwise None."""
    if not turn.row.is_open or not turn.duel.is_practice:
        return None
    awaited = (seat for seat in turn.seats if seat.awaited)
    return next((seat for seat in awaited if seat.wizard.kind == models.WizardKind.PRACTICE), None)


def _opponent_orders(
    turn: OpenTurn, seat: models.Seat, lesson: script.Lesson | None
) -> engine.orders.Orders:
    """Return the opponent's orders. In a lesson, it follows the script or plays gently."""
    step = lesson.step_at(turn.row.ordinal, turn.row.position) if lesson else None
    if step is not None and seat.code == RIVAL:
        return gesture_orders(step.rival)
    orders_for = play.choose_orders if lesson is None else gentle_orders
    try:
        orders = orders_for(practising.history_up_to(turn), seat.code, RANDOM)
        faults = [fault.code for fault in engine.play.check(turn.position, seat.code, orders)]
    except Exception as error:
        orders, faults = engine.orders.Orders(), [error_summary(error)]
    if not faults:
        return orders
    # If choosing orders has failed, play default orders, so that the duel does not get stuck.
    logger.error("Practice opponent failed in turn %s: %s", turn.row.pk, ", ".join(faults))
    return engine.play.default_orders(turn.position, seat.code)


def _opponent_answers(turn: OpenTurn, seat: models.Seat) -> dict[str, str]:
    """Return the opponent's answers to its questions, or default answers if choosing them fails."""
    questions = adjudication.questions_to(turn.row, seat.code)
    given = {question.id: question.default or question.options[0] for question in questions}
    try:
        thought = replies.choose_answers(
            practising.history_up_to(turn), seat.code, questions, RANDOM
        )
        given |= {
            question.id: thought[question.id]
            for question in questions
            if thought.get(question.id) in question.options
        }
    except Exception as error:
        logger.error(
            "Practice opponent failed to answer in turn %s: %s", turn.row.pk, error_summary(error)
        )
    return given
