"""A check that prevents a release from silently changing the course of running duels. Promise 13

Before a release resolves its first turn, it replays the last turn of some running duels from their
seals. If a result differs from the stored one, turns under that ruleset are not resolved: its duels
and their clocks are paused, and the operator gets an alarm.
"""

import logging
from collections.abc import Callable
from datetime import datetime
from functools import partial
from itertools import chain

from django.db import transaction

import engine
import engine.play
import engine.words
from duels.clocks.budget import Budget
from duels.commands.alarms import end_alarms_except, raise_alarm
from duels.commands.error_isolation import run_for_each
from duels.commands.halting import HaltCause, halt, resume
from duels.commands.locking import lock_first_duel
from duels.errors import MissingKey, error_summary
from duels.loaded import adjudication
from duels.loaded.loading import load_turn
from duels.loaded.open_turn import OpenTurn
from duels.models import OPEN_STAGES, AlarmKind, Duel, DuelStatus, ReleaseCheck, Stage, Turn
from duels.proof.release import rules_code_fingerprint

logger = logging.getLogger(__name__)

# Running duels to check per ruleset, those with the newest turns first.
CHECKED_DUELS_PER_RULESET = 25
MAX_STORED_DIFFERENCES = 20  # maximum number of differences stored and emailed
# Attempts to read a turn that differs, in case the duel changes in the meantime.
MAX_READ_ATTEMPTS = 3

_passed_fingerprints: set[str] = set()  # of rules code that did not put any ruleset on hold


def held_rulesets(*, now: datetime) -> frozenset[str]:
    """Return the rulesets that this release must not resolve. The first call checks them."""
    if rules_code_fingerprint() in _passed_fingerprints:
        return frozenset()
    check = ReleaseCheck.objects.first()  # the latest
    if check is None or check.fingerprint != rules_code_fingerprint():
        check = check_running_duels(now=now)
    if not check.held:
        _passed_fingerprints.add(check.fingerprint)
    return frozenset(check.held)


def check_running_duels(
    *, now: datetime, sample: int | None = CHECKED_DUELS_PER_RULESET
) -> ReleaseCheck:
    """Replay the last turn of `sample` running duels per ruleset, or of all of them if None.

    Return the stored result, which applies until the next check. Skip turns whose key is missing.
    """
    differences: list[tuple[str, str]] = []  # rulesets with lines about their turns
    turns = 0
    waiting = Turn.objects.filter(
        stage__in=OPEN_STAGES, duel__status=DuelStatus.RUNNING, ordinal__gt=1
    ).order_by("-opened_at", "-pk")
    rulesets = waiting.order_by().values_list("duel__ruleset", flat=True).distinct()
    samples = (waiting.filter(duel__ruleset=each)[:sample] for each in sorted(rulesets))
    for following in chain.from_iterable(samples):
        try:
            played = replay_turn_before(following)
        except MissingKey:
            continue
        if played is None:
            continue
        turns += 1
        turn, what = played
        if what:
            row, ruleset = turn.row, turn.duel.ruleset
            by = f"resolved by release {row.release}" if row.release else "resolved earlier"
            line = (
                f"{ruleset}: turn {row.ordinal} of duel {row.duel_id}, {by}, now results in {what}"
            )
            differences.append((ruleset, line))
    return _store_check(differences, turns, now)


def update_held_duels(*, now: datetime, budget: Budget) -> tuple[int, int]:
    """Pause duels whose ruleset is on hold, and resume those whose ruleset no longer is.

    Return how many duels were paused or resumed, and how many failed.
    """
    held = held_rulesets(now=now)
    check = ReleaseCheck.objects.first()
    running = Duel.objects.filter(status=DuelStatus.RUNNING).order_by("pk")
    stopping = running.filter(held_at=None, ruleset__in=held) if held else running.none()
    done, failed = run_for_each(
        stopping.values_list("pk", flat=True),
        partial(hold_duel, now=now),
        budget,
        "Failed to pause duel",
    )
    # Resume duels only if this process has the rules' code of the release that made this check.
    if check is not None and check.fingerprint == rules_code_fingerprint():
        ready = running.filter(held_at__isnull=False).exclude(ruleset__in=held)
        go_on, more = run_for_each(
            ready.values_list("pk", flat=True),
            partial(hold_duel, now=now, change=resume),
            budget,
            "Failed to resume duel",
        )
        done, failed = done + go_on, failed + more
    return done, failed


@transaction.atomic
def hold_duel(
    duel_id: int, *, now: datetime, change: Callable[[Duel, HaltCause, datetime], bool] = halt
) -> bool:
    """Pause (or resume) the duel because of this release. Return whether anything changed."""
    duel = lock_first_duel(Duel.objects.filter(pk=duel_id))
    return duel is not None and change(duel, "held_at", now)


def replay_turn_before(following: Turn) -> tuple[OpenTurn, str] | None:
    """Replay the turn before this one. Return that turn with the differences, or None if it does
    not exist.

    Raise `MissingKey` if a key is missing. If the turns differ, read them again, because the duel
    may have been changed by a renaming or a rollback between the two queries. Do not lock the duel,
    because the caller may hold other locks.
    """
    played = None
    for _ in range(MAX_READ_ATTEMPTS):
        before = Turn.objects.filter(
            duel=following.duel_id, ordinal=following.ordinal - 1, stage=Stage.RESOLVED
        )
        turn = load_turn(before.values_list("pk", flat=True).first() or 0)
        if turn is None:
            return None
        played = turn, _difference_from_stored_result(turn, following)
        if not played[1]:
            break
        found = Turn.objects.filter(duel=following.duel_id, ordinal=following.ordinal).first()
        if found is None:
            return None
        following = found
    return played


def _difference_from_stored_result(turn: OpenTurn, following: Turn) -> str:
    """Return the differences from the stored result, or "". Raise `MissingKey`."""
    try:
        after, events = turn.resolve()
        departures = adjudication.departures(turn.row, turn.start)
        left = (event for each in departures for event in each.events)
        stored = adjudication.load_stored_events(turn.row.events)
        is_position = after == adjudication.position_at_start(following)
    except MissingKey:
        raise
    except Exception as error:
        return f"an error: {error_summary(error)}"
    played = (*left, *events)
    found = [
        *([] if is_position else ["a different position"]),
        *([] if _draw_events(played) == _draw_events(stored) else ["different draws"]),
        *([] if played == stored else ["different events"]),
    ]
    return engine.words.and_list(found) if found else ""


def _draw_events(events: tuple[engine.play.Event, ...]) -> list[engine.play.Event]:
    return [event for event in events if isinstance(event, engine.play.Drew)]


@transaction.atomic
def _store_check(differences: list[tuple[str, str]], turns: int, now: datetime) -> ReleaseCheck:
    held = sorted({ruleset for ruleset, _ in differences})
    lines = [line for _, line in differences[:MAX_STORED_DIFFERENCES]]
    if len(differences) > MAX_STORED_DIFFERENCES:
        lines.append(f"and {len(differences) - MAX_STORED_DIFFERENCES} more")
    check = ReleaseCheck.objects.create(
        fingerprint=rules_code_fingerprint(),
        release=engine.RELEASE,
        checked_at=now,
        turns=turns,
        held=held,
        words="\n".join(lines),
    )
    _passed_fingerprints.discard(check.fingerprint)
    about = {ruleset: f"{ruleset} by {check}" for ruleset in held}
    for name in about.values():
        raise_alarm(AlarmKind.RELEASE, name, f"{RELEASE_ALARM_REMEDY}\n{check.words}", now)
    end_alarms_except(AlarmKind.RELEASE, list(about.values()), now)
    logger.info("%s: %s turns replayed, %s with different results", check, turns, len(differences))
    return check


RELEASE_ALARM_REMEDY = (
    "This release plays turns of running duels differently from before. No turn is resolved under "
    "this ruleset, and its duels are paused, until you start a release that plays them as before. "
    "Go back to the earlier release, or release the change as a new version of the ruleset. To "
    "check again, run `manage.py check_running_duels`."
)
