"""Emails about a case, and entries about the case in its duel's log."""

from datetime import datetime
from typing import Any, Literal

import engine.words
from duels.models import ActKind, Seat, Turn, Wizard
from duels.post.kinds.disputed import Disputed
from duels.post.kinds.ruled import Ruled
from duels.post.public import NoticeKind, notify
from duels.referees.cases.case_state import appeal_deadline
from duels.referees.cases.eligibility import wizards_of
from duels.referees.log.act_log import RefereeRef, append_act
from duels.referees.models import Case, CaseCategory, Ruling

NoticeSubject = Literal["opened", "appealed", "withdrawn", "written", "closed", "objected"]
ANONYMOUS_PLAYER_NAME = "a player"  # the name in the log, where the seat identifies the player


def notify_parties(
    case: Case, change: NoticeSubject, now: datetime, *, by: Wizard | None = None, words: str = ""
) -> None:
    """Email all parties of a case about a change."""
    details = _notice_details(case) | {"what": change, "words": words}
    _queue_notices(Disputed, case, details, f"{change} {now.timestamp():.6f}", now, by)


def notify_parties_of_ruling(case: Case, ruling: Ruling, now: datetime) -> None:
    """Email the text of a ruling to all parties of the case."""
    until = appeal_deadline(case)
    details = _notice_details(case) | {
        "ruling": ruling.pk,
        "verdict": ruling.get_verdict_display(),
        "words": ruling.words,
        "private_words": ruling.private_words,
        "referee": ruling.referee_name,
        "appeal_until": until.isoformat() if until else "",
    }
    _queue_notices(Ruled, case, details, f"ruling {ruling.pk}", now)


def announce_change(case: Case, change: NoticeSubject, wizard: Wizard, now: datetime) -> None:
    """Log that a player opened, appealed or withdrew a dispute, and email all parties."""
    assert case.duel is not None
    seat = Seat.objects.filter(duel=case.duel, wizard=wizard).first()
    about = CaseCategory(case.category).label + (f" ({case.rule})" if case.rule else "")
    words = "appeal withdrawn" if case.round == 2 and change == "withdrawn" else change
    append_act(
        ActKind.CLOSE_DISPUTE if change == "withdrawn" else ActKind.OPEN_DISPUTE,
        by=RefereeRef(wizard.user_id or 0, ANONYMOUS_PLAYER_NAME),
        reason=f"{case.title} {words}: {about}",
        now=now,
        duel=case.duel,
        case=case.pk,
        seat=seat.code if seat is not None else "",
        turn=case.ordinal,
    )
    notify_parties(case, change, now, by=wizard)


def turn_name(case: Case) -> str:
    """Return the name of the disputed turn, or "" if the case has none."""
    if case.duel is None or case.ordinal is None:
        return ""
    turn = Turn.objects.filter(duel=case.duel, ordinal=case.ordinal).first()
    if turn is None:
        return f"turn {case.ordinal}"
    return engine.words.turn_name(case.duel.ruleset, turn.kind, turn.number)


def _notice_details(case: Case) -> dict[str, Any]:
    return {
        "case": case.pk,
        "title": case.title,
        "is_dispute": case.is_dispute,
        "is_appeal": case.round == 2,
        "category": CaseCategory(case.category).label,
        "rule": case.rule,
        "about_turn": turn_name(case),
        "stands": case.is_dispute and case.duel is not None and case.duel.ended_at is None,
    }


def _queue_notices(
    kind: type[NoticeKind],
    case: Case,
    details: dict[str, Any],
    occasion: str,
    now: datetime,
    by: Wizard | None = None,
) -> None:
    """Email all players of a disputed duel, or the author of a report."""
    readers = [case.opened_by]
    if case.is_dispute and case.duel is not None:
        readers = list(Wizard.objects.filter(pk__in=wizards_of(case.duel)).order_by("pk"))
    occasion = f"case {case.pk} {occasion}"
    notify(kind, readers, case.duel, now, about=by, occasion=occasion, details=details)
