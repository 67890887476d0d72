"""Notices about time: extra time, pauses, vacations, and absent opponents."""

from datetime import datetime

from duels.models import DuelStatus, OutboxStatus, Seat
from duels.post.kinds.base import Context, LimitGroup, NoticeKind
from duels.post.models import DroppedFor, Notice
from duels.post.rendering import email_details
from duels.wording.moments import moment_words


class TimeGiven(NoticeKind):
    code, label = "time_given", "you were given more time"
    ends_with_turn = True
    shows_clock = True
    limit_group = LimitGroup.PROVOKED


class PauseAsked(NoticeKind):
    code, label = "pause_asked", "a request to pause or resume"
    limit_group = LimitGroup.PROVOKED

    def is_outdated(self, notice: Notice, seat: Seat | None) -> bool:
        """Return whether the request was withdrawn, has been fulfilled, or no longer matters."""
        asking = Seat.objects.filter(duel=notice.duel_id, wizard=notice.about_id).first()
        is_running = notice.the_duel.status == DuelStatus.RUNNING
        return asking is None or not asking.asks_pause or not is_running


class Paused(NoticeKind):
    code, label = "paused", "the duel was paused"

    def is_outdated(self, notice: Notice, seat: Seat | None) -> bool:
        return notice.the_duel.paused_at is None or notice.the_duel.status != DuelStatus.RUNNING


class WentOn(NoticeKind):
    code, label = "went_on", "the duel was resumed"
    shows_clock = True

    def is_outdated(self, notice: Notice, seat: Seat | None) -> bool:
        return notice.the_duel.paused_at is not None or notice.the_duel.status != DuelStatus.RUNNING


class OnVacation(NoticeKind):
    code, label = "vacation", "an opponent is on vacation"
    limit_group = LimitGroup.PROVOKED

    def context(self, notice: Notice) -> Context | None:
        ends_at = notice.about.vacation_ends_at if notice.about else None
        if ends_at is None or notice.the_duel.is_over:
            return None
        return {"until": moment_words(ends_at, "year"), "day": moment_words(ends_at, "day")}

    def is_outdated(self, notice: Notice, seat: Seat | None) -> bool:
        is_away = notice.about is not None and notice.about.vacation_ends_at is not None
        return not is_away or notice.the_duel.status != DuelStatus.RUNNING


class Returned(NoticeKind):
    code, label = "returned", "an opponent is back early"
    limit_group = LimitGroup.PROVOKED

    def context(self, notice: Notice) -> Context:
        announced = datetime.fromisoformat(email_details(notice)["until"])
        since, until = (moment_words(at, "year") for at in (notice.created_at, announced))
        return {"since": since, "until": until}

    def is_outdated(self, notice: Notice, seat: Seat | None) -> bool:
        """Return whether the opponent is away again, or the vacation was never announced."""
        is_away = notice.about is not None and notice.about.vacation_ends_at is not None
        gone = Notice.objects.filter(
            kind=OnVacation.code, wizard=notice.wizard, duel=notice.duel, about=notice.about
        )
        last = gone.order_by("-created_at").first()
        was_told = last is None or _has_reached_reader(last)
        return not was_told or is_away or notice.the_duel.status != DuelStatus.RUNNING


def _has_reached_reader(notice: Notice) -> bool:
    is_sent = notice.status == OutboxStatus.SENT or notice.is_probably_sent
    return is_sent or notice.dropped_for == DroppedFor.READ


class Claimable(NoticeKind):
    code, label = "claimable", "you can claim the duel"
    reveals_defaults = True

    def is_outdated(self, notice: Notice, seat: Seat | None) -> bool:
        absent = Seat.objects.filter(duel=notice.duel_id, wizard=notice.about_id).first()
        if absent is None or notice.turn is None or notice.the_duel.status != DuelStatus.RUNNING:
            return True
        return not absent.is_absent_in(notice.turn.ordinal) or absent.vacation_until is not None
