"""Resolution of turns. Each turn is resolved exactly once, even if calls repeat, overlap or are
interrupted."""

import logging
from datetime import datetime, timedelta
from functools import partial

from django.db import transaction
from django.db.models import F

import engine.play
from duels.commands.alarms import end_alarms_except, raise_alarm, turn_alarm_name
from duels.commands.awaiting import await_wizards
from duels.commands.end_steps import end_duel
from duels.commands.locking import lock_first_duel, lock_turn
from duels.commands.opening import ask_questions, close_turn, open_turn, update_outcomes
from duels.commands.process_check import lacks_site_key
from duels.commands.release_check import held_rulesets, hold_duel
from duels.errors import MissingKey, Refused, ResolutionFailed, error_summary
from duels.loaded.database_clock import database_now, site_now
from duels.loaded.open_turn import OpenTurn
from duels.models import OPEN_STAGES, Alarm, AlarmKind, Duel, DuelEnding, DuelStatus, Turn
from duels.post.kinds.your_turn import YourTurn
from duels.post.public import notify
from spellcaster import counters

logger = logging.getLogger(__name__)

# Maximum number of turns without a choice that are resolved in one call. After that, the wizards
# may never have a choice again, so the duel waits until they seal.
MAX_TURNS_AT_ONCE = 20

PROCESS_ALARM_LIFETIME = timedelta(days=1)

MISSING_KEY_TEXT = (
    "no key in SEAL_KEYS can decrypt the turn’s sealed orders or the duel’s seed. Add the missing "
    "key; `manage.py seal_keys` lists the duels that need it. If only orders cannot be read, their "
    "wizards can seal again instead. Without the seed, no turn of the duel can be played: its "
    "wizards can resign or agree on a draw, and a referee can annul it or declare its result."
)


def resolve_turn(*, turn_id: int, now: datetime | None = None) -> bool:
    """Resolve the turn if all required orders and answers are sealed. Return whether this call
    resolved it.

    `now` defaults to the database's time. Raise `ResolutionFailed` if the engine or the database
    fails, or a key is missing. In that case nothing changes, the failure is logged, the operator
    gets an alarm, and the sweep tries again.
    """
    if _hold_if_ruleset_changed(turn_id, now or site_now()):
        return False
    try:
        return _resolve(turn_id, now)
    except MissingKey:
        now = now or database_now()
        if lacks_site_key(now):
            return False  # only this process lacks the key
        failure = MISSING_KEY_TEXT
    except Refused:
        return False  # the task is late, and the turn has been closed
    except Exception as error:
        failure = error_summary(error)
        if isinstance(error, engine.play.IllegalOrders):
            faults = (fault for some in error.faults.values() for fault in some)
            failure += f" ({', '.join(sorted({fault.code for fault in faults}))})"
    duel_id = _record_failure(turn_id, failure, now or database_now())
    if duel_id is None:
        return False
    ids = {"duel": duel_id, "turn": turn_id}
    logger.error(
        "Turn %s of duel %s could not be resolved: %s", turn_id, duel_id, failure, extra=ids
    )
    raise ResolutionFailed(f"turn {turn_id} of duel {duel_id}: {failure}")


def end_outdated_alarms(now: datetime) -> int:
    """End alarms about turns that are closed, void or deleted, or that no longer fail. Return how
    many were ended.

    Commands that close a turn also end its alarm, but other alarms, such as those about deleted
    turns, remain. This function also ends alarms about processes after a day. A process ends its
    own alarms when it restarts, but may never restart. If its fault persists, it raises a new
    alarm.
    """
    of_processes = Alarm.objects.filter(kind__in=(AlarmKind.KEYS, AlarmKind.CLOCK), ended_at=None)
    of_processes.filter(created_at__lte=now - PROCESS_ALARM_LIFETIME).update(ended_at=now)
    if not Alarm.objects.filter(kind=AlarmKind.TURN, ended_at=None).exists():
        return 0
    failing = Turn.objects.filter(stage__in=OPEN_STAGES, failed_at__isnull=False)
    names = [turn_alarm_name(pk) for pk in failing.values_list("pk", flat=True)]
    return end_alarms_except(AlarmKind.TURN, names, now)


def _hold_if_ruleset_changed(turn_id: int, now: datetime) -> bool:
    """Pause the duel if its ruleset is on hold. Return whether it is."""
    held = held_rulesets(now=now)
    if not held:
        return False
    duels = Duel.objects.filter(turns__id=turn_id, ruleset__in=held)
    duel_id = duels.order_by().values_list("pk", flat=True).first()
    if duel_id is None:
        return False
    if hold_duel(duel_id, now=now):
        ids = {"duel": duel_id, "turn": turn_id}
        logger.error(
            "Turn %s of duel %s is on hold with its ruleset",
            turn_id,
            duel_id,
            extra=ids,
        )
    return True


@transaction.atomic
def _record_failure(turn_id: int, failure: str, now: datetime) -> int | None:
    """Record the failure and raise an alarm. Return the duel's id, or None for a closed turn."""
    duel = lock_first_duel(Duel.objects.filter(turns__id=turn_id), updates_polls=False)
    turns = Turn.objects.filter(pk=turn_id, stage__in=OPEN_STAGES)
    failed = {"attempts": F("attempts") + 1, "last_error": failure, "failed_at": now}
    if duel is None or not turns.update(**failed):
        return None
    raise_alarm(AlarmKind.TURN, turn_alarm_name(turn_id), f"In duel {duel.pk}: {failure}", now)
    return duel.pk


@transaction.atomic
def _resolve(turn_id: int, now: datetime | None) -> bool:
    turn = lock_turn(turn_id)
    now = now or turn.locked_at
    assert now is not None, "a locked turn has the time of its lock"
    if turn.duel.status != DuelStatus.RUNNING or turn.duel.is_halted:
        return False
    if not turn.row.is_open or turn.unsealed_wizards:
        return False
    resolved = 0
    following: OpenTurn | None = turn
    while following is not None and resolved < MAX_TURNS_AT_ONCE:
        # A turn opened in this loop cannot have any seals yet.
        if resolved and following.awaited:
            break
        questions = following.open_questions()
        if questions:
            ask_questions(following, questions, now)
            break
        following = _play_turn(following, now)
        resolved += 1
    else:
        if following is not None and not following.awaited:
            acting = engine.play.acting_wizards(following.position)
            await_wizards(following.row, following.seats, acting, now)
    if resolved and following is not None:
        readers = [seat.wizard for seat in following.seats if seat.is_playing]
        notify(YourTurn, readers, turn.duel, now, turn=following.row)
    if resolved:
        transaction.on_commit(partial(_count_turns, turn, resolved), robust=True)
    return resolved > 0


def _count_turns(first: OpenTurn, resolved: int) -> None:
    """Count turns for the metrics that were resolved in one call, starting with `first`."""
    seals = [seal.sealed_at for seal in first.seals]
    counters.count_turns(resolved, (site_now() - max(seals)).total_seconds() if seals else None)


def _play_turn(turn: OpenTurn, now: datetime) -> OpenTurn | None:
    """Resolve and close the turn. Return the next turn, or None if the duel is over."""
    after, events = turn.resolve()
    close_turn(turn, after, now, played_events=events)
    if after.outcome:
        end_duel(turn, after, DuelEnding.RULES, after.outcome, now)
        return None
    update_outcomes(turn, after, now)
    return open_turn(turn.duel, turn.seats, after, now, previous_turn=turn.row)
