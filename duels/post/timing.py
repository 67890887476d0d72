"""Decisions about whether a notice is sent now, later or not at all, and why.

`plan` makes this decision when the notice is due. A notice is not sent if it is outdated by then,
or if its reader does not want it or has read the news on the site. A reader who is on the site has
five minutes to read it there.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from django.db.models import Q

from duels.accounts.preferences import zone_of
from duels.caching.poll_cache import is_on_site
from duels.models import (
    DuelStatus,
    Ended,
    OutboxStatus,
    Seat,
    Stage,
    Turn,
)
from duels.post import loading, queries
from duels.post.limits import is_over_limit
from duels.post.models import DroppedFor, MailChoice, Notice, NoticeKind, When

READING_TIME: Final = timedelta(minutes=5)
# Kinds of notices that must not wait for the daily email or a visit.
URGENT_KINDS: Final = frozenset(
    {NoticeKind.REMINDER, NoticeKind.DISPUTED, NoticeKind.RULED, NoticeKind.REFEREED}
)
# Kinds of notices that the reader has requested, such as the result of a reply.
REQUESTED_KINDS: Final = frozenset({NoticeKind.ANSWERED})


@dataclass(frozen=True)
class Send:
    """A decision to send the notice now, together with all others of its daily email, if it has
    one."""

    daily_at: datetime | None = None


@dataclass(frozen=True)
class Wait:
    """A decision to wait and decide again at this time."""

    until: datetime
    daily_at: datetime | None = None


@dataclass(frozen=True)
class Skip:
    """A decision not to send the notice at all, with the reason."""

    why: DroppedFor


Plan = Send | Wait | Skip


def plan(notice: Notice, now: datetime) -> Plan:
    """Decide what to do with this notice now, without changing anything."""
    reader = loading.reader_of(notice)
    if not reader.address:
        return Skip(DroppedFor.NO_ADDRESS)
    if notice.is_insisted_on or notice.kind in REQUESTED_KINDS:
        return Send()
    choice, seat = reader.choice, reader.seat
    when = reader.duel_choice or When(choice.when)
    if when == When.OFF or (notice.kind == NoticeKind.SAID and not choice.words):
        return Skip(DroppedFor.UNWANTED)
    if is_outdated(notice, seat):
        return Skip(DroppedFor.OUTDATED)
    if not choice.though_here:
        if has_read(notice, seat):
            return Skip(DroppedFor.READ)
        read_until = notice.created_at + READING_TIME
        if now < read_until and is_on_site(notice.wizard_id):
            return Wait(read_until)
    if when == When.VISIT and notice.kind not in URGENT_KINDS and _has_unread_notice(notice, seat):
        return Skip(DroppedFor.TOLD)
    if is_over_limit(notice, now):
        return Skip(DroppedFor.LIMITED)
    if when == When.DAILY and notice.kind not in URGENT_KINDS:
        return _plan_daily(notice, choice, now)
    return Send()


def next_hour(hour: int, zone: ZoneInfo, now: datetime) -> datetime:
    """Return the next moment when it is this hour in the time zone.

    If clocks skip that hour, use the next hour.
    """
    local = now.astimezone(zone)
    today = local.replace(hour=hour, minute=0, second=0, microsecond=0, fold=0)
    for days in range(3):
        day = today + timedelta(days=days)
        moment = day.astimezone(UTC)
        if moment > now:
            return moment
    raise AssertionError("no day has this hour")


def _plan_daily(notice: Notice, choice: MailChoice, now: datetime) -> Plan:
    if notice.daily_at is not None and notice.daily_at > now:
        return Wait(notice.daily_at, notice.daily_at)
    if notice.daily_at is not None and not _daily_email_has_gone(notice):
        return Send(notice.daily_at)
    moment = next_hour(choice.hour, zone_of(notice.wizard), now)
    return Wait(moment, moment)


def _daily_email_has_gone(notice: Notice) -> bool:
    """Return whether the notice's daily email was sent, or is being sent, without this notice."""
    others = Notice.objects.filter(wizard=notice.wizard_id, daily_at=notice.daily_at)
    sending = Q(status=OutboxStatus.SENDING) & ~Q(claimed_at=notice.claimed_at)
    return others.filter(Q(status=OutboxStatus.SENT) | sending).exists()


def _has_unread_notice(notice: Notice, seat: Seat | None) -> bool:
    """Return whether the reader has not looked at the duel since the last email about it.

    Notices that the reader has requested do not count.
    """
    of_duel = Q(turn__isnull=False) | Q(kind=NoticeKind.SAID)
    told = Notice.objects.filter(
        of_duel, wizard=notice.wizard, duel=notice.duel, status=OutboxStatus.SENT
    ).exclude(Q(pk=notice.pk) | Q(kind__in=REQUESTED_KINDS) | Q(is_insisted_on=True))
    last = told.select_related("turn").order_by("-sent_at", "-pk").first()
    return last is not None and not has_read(last, seat)


# Whether a notice has been read. The site knows this from marks that a page sets when its reader
# looks at it (`Seat.read_turn`), from seals, and from replies. An open tab by itself does not set
# marks.


def has_read(notice: Notice, seat: Seat | None) -> bool:
    """Return whether the reader already knows the news, as far as the site can tell."""
    if seat is None:
        return False
    if notice.kind == NoticeKind.OVER:
        last = Turn.objects.filter(duel=notice.duel_id).order_by("-ordinal").first()
        return last is not None and last.stage == Stage.RESOLVED and seat.read_turn >= last.ordinal
    if notice.kind == NoticeKind.QUESTION:
        return _is_question_closed(notice, seat)
    if notice.kind == NoticeKind.SAID:
        return all(speech.pk <= seat.read_speech for speech in queries.speeches_to_send(notice))
    turn = notice.turn
    if turn is None:
        return False
    # A turn begins with the report of the previous turn, except the first turn.
    begins = notice.kind in (NoticeKind.STARTED, NoticeKind.YOUR_TURN) and turn.ordinal > 1
    if seat.read_turn >= (turn.ordinal - 1 if begins else turn.ordinal):
        return True
    return loading.has_acted_since(notice, turn, seat)


# Whether a notice is outdated. Kinds that are not in `OUTDATED` never become outdated.


def is_outdated(notice: Notice, seat: Seat | None) -> bool:
    """Return whether the news no longer applies, or a newer notice replaces this one."""
    outdated = OUTDATED.get(NoticeKind(notice.kind))
    if notice.turn is not None and notice.turn.voided_in:
        return True  # a referee has made it void
    return outdated is not None and outdated(notice, seat)


def _is_challenge_closed(notice: Notice, seat: Seat | None) -> bool:
    """Return whether the challenge is no longer open to its reader."""
    gathering = notice.the_duel.status == DuelStatus.GATHERING
    return not gathering or seat is None or seat.accepted_at is not None


def _is_past_gathering(notice: Notice, seat: Seat | None) -> bool:
    return notice.the_duel.status != DuelStatus.GATHERING


def _is_refusal_outdated(notice: Notice, seat: Seat | None) -> bool:
    """Return whether the challenge has closed without having been declined."""
    has_lapsed_so = notice.the_duel.ended == Ended.DECLINED
    return notice.the_duel.status != DuelStatus.GATHERING and not has_lapsed_so


def _is_turn_closed(notice: Notice, seat: Seat | None) -> bool:
    """Return whether the turn has closed. Any later turn has its own notices."""
    return notice.turn is None or not notice.turn.is_open


def _is_not_awaited(notice: Notice, seat: Seat | None) -> bool:
    return _is_turn_closed(notice, seat) or seat is None or not seat.awaited


def _is_question_closed(notice: Notice, seat: Seat | None) -> bool:
    """Return whether the question was answered, or followed by a newer question in the same
    turn."""
    if _is_not_awaited(notice, seat) or notice.turn is None:
        return True
    newer = Notice.objects.filter(
        kind=NoticeKind.QUESTION, wizard=notice.wizard, turn=notice.turn, pk__gt=notice.pk
    )
    return notice.turn.stage != Stage.ANSWERS or newer.exists()


def _is_draw_offer_over(notice: Notice, seat: Seat | None) -> bool:
    """Return whether the draw offer was declined or has expired, or the duel is over."""
    latest = Turn.objects.filter(duel=notice.duel_id).order_by("-ordinal").first()
    offering = Seat.objects.filter(duel=notice.duel_id, wizard=notice.about_id).first()
    if latest is None or offering is None or not latest.is_open:
        return True
    return not offering.offers_draw_in(latest.ordinal)


def _is_not_claimable(notice: Notice, seat: Seat | None) -> bool:
    absent = Seat.objects.filter(duel=notice.duel_id, wizard=notice.about_id).first()
    if absent is None or notice.turn is None or notice.the_duel.status != DuelStatus.RUNNING:
        return True
    return not absent.is_absent_in(notice.turn.ordinal) or absent.vacation_until is not None


def _is_pause_request_over(notice: Notice, seat: Seat | None) -> bool:
    """Return whether the request to pause or resume was withdrawn, fulfilled, or made
    irrelevant."""
    asking = Seat.objects.filter(duel=notice.duel_id, wizard=notice.about_id).first()
    return asking is None or not asking.asks_pause or notice.the_duel.status != DuelStatus.RUNNING


def _is_pause_over(notice: Notice, seat: Seat | None) -> bool:
    return notice.the_duel.paused_at is None or notice.the_duel.status != DuelStatus.RUNNING


def _is_paused_again(notice: Notice, seat: Seat | None) -> bool:
    return notice.the_duel.paused_at is not None or notice.the_duel.status != DuelStatus.RUNNING


def _is_vacation_over(notice: Notice, seat: Seat | None) -> bool:
    is_away = notice.about is not None and notice.about.vacation_ends_at is not None
    return not is_away or notice.the_duel.status != DuelStatus.RUNNING


def _is_return_outdated(notice: Notice, seat: Seat | None) -> bool:
    """Return whether the opponent is away again, or the reader was never told that they were
    away."""
    gone = Notice.objects.filter(
        kind=NoticeKind.VACATION, wizard=notice.wizard, duel=notice.duel, about=notice.about
    )
    last = gone.order_by("-created_at").first()
    return (
        not (last is None or _has_reached_reader(last))
        or not _is_vacation_over(notice, seat)
        or notice.the_duel.status != DuelStatus.RUNNING
    )


def _has_reached_reader(notice: Notice) -> bool:
    is_sent = notice.status == OutboxStatus.SENT or notice.is_probably_sent
    return is_sent or notice.dropped_for == DroppedFor.READ


def _is_resumed(notice: Notice, seat: Seat | None) -> bool:
    """Return whether a referee has resumed a duel that was over."""
    return not notice.the_duel.is_over


def _has_no_speeches(notice: Notice, seat: Seat | None) -> bool:
    """Return whether the reader can no longer see any of the chat messages."""
    return not queries.speeches_to_send(notice)


OUTDATED: Mapping[NoticeKind, Callable[[Notice, Seat | None], bool]] = {
    NoticeKind.CHALLENGED: _is_challenge_closed,
    NoticeKind.ACCEPTED: _is_past_gathering,
    NoticeKind.DECLINED: _is_refusal_outdated,
    NoticeKind.STARTED: _is_turn_closed,
    NoticeKind.YOUR_TURN: _is_turn_closed,
    NoticeKind.QUESTION: _is_question_closed,
    NoticeKind.DRAW_OFFERED: _is_draw_offer_over,
    NoticeKind.REMINDER: _is_not_awaited,
    NoticeKind.EXCUSED: _is_not_awaited,
    NoticeKind.CLAIMABLE: _is_not_claimable,
    NoticeKind.VACATION: _is_vacation_over,
    NoticeKind.RETURNED: _is_return_outdated,
    NoticeKind.SAID: _has_no_speeches,
    NoticeKind.PAUSE_ASKED: _is_pause_request_over,
    NoticeKind.PAUSED: _is_pause_over,
    NoticeKind.WENT_ON: _is_paused_again,
    NoticeKind.TIME_GIVEN: _is_turn_closed,
    NoticeKind.OVER: _is_resumed,
}
