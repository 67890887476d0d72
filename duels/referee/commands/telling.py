"""Emails about a case, and entries about it in its duel's log."""

from datetime import datetime
from typing import Any

from duels.act_log import RefereeRef, referee_ref
from duels.commands import acts
from duels.models import ActKind, Seat, Turn, User, Wizard
from duels.post.kinds.disputed import Disputed
from duels.post.kinds.ruled import Ruled
from duels.post.public import NoticeKind, notice, queue
from duels.referee.commands.cases import appeal_until
from duels.referee.fairness import wizards_of
from duels.referee.models import Case, Category, Ruling
from duels.wording.turns import turn_words

OPENED, APPEALED, WITHDRAWN, WRITTEN, CLOSED, OBJECTED = (
    "opened",
    "appealed",
    "withdrawn",
    "written",
    "closed",
    "objected",
)
A_PLAYER = "a player"  # shown in the log, where the seat identifies the player


def notify_parties(
    case: Case, what: str, now: datetime, *, by: Wizard | None = None, words: str = ""
) -> None:
    """Email everyone concerned about a change in the case."""
    details = _details(case) | {"what": what, "words": words}
    _queue(Disputed, case, details, f"{what} {now.timestamp():.6f}", now, by)


def notify_parties_of_ruling(case: Case, ruling: Ruling, now: datetime) -> None:
    """Email everyone concerned about a ruling, with its text."""
    until = appeal_until(case)
    details = _details(case) | {
        "ruling": ruling.pk,
        "verdict": ruling.get_verdict_display(),
        "words": ruling.words,
        "private_words": ruling.private_words,
        "referee": ruling.referee_name,
        "appeal_until": until.isoformat() if until else "",
    }
    _queue(Ruled, case, details, f"ruling {ruling.pk}", now, None)


def log_player_act(case: Case, kind: ActKind, wizard: Wizard, now: datetime) -> None:
    """Log that a player has opened, appealed or withdrawn a dispute."""
    assert case.duel is not None
    seat = Seat.objects.filter(duel=case.duel, wizard=wizard).first()
    about = Category(case.category).label + (f" ({case.rule})" if case.rule else "")
    words = {ActKind.OPEN_DISPUTE: "opened", ActKind.CLOSE_DISPUTE: "withdrawn"}[kind]
    if case.round == 2:
        words = "appealed" if kind == ActKind.OPEN_DISPUTE else "appeal withdrawn"
    acts.note(
        kind,
        by=RefereeRef(wizard.user_id or 0, A_PLAYER),
        reason=f"{case.title} {words}: {about}",
        now=now,
        duel_id=case.duel.pk,
        case=case.pk,
        seat=seat.code if seat is not None else "",
        turn=case.ordinal,
    )


def log_referee_act(
    case: Case, kind: ActKind, user: User, reason: str, now: datetime, facts: dict[str, Any]
) -> None:
    """Log that a referee has ruled, or has opened sealed orders."""
    acts.note(
        kind,
        by=referee_ref(user),
        reason=reason,
        now=now,
        duel_id=case.duel_id,
        case=case.pk,
        wizard_id=None if case.is_dispute else case.about_id,
        turn=case.ordinal,
        facts=facts,
    )


def readers_of(case: Case) -> list[Wizard]:
    """Return the wizards to notify, who are all players of a disputed duel, or the author of a
    report."""
    if not case.is_dispute or case.duel is None:
        return [case.opened_by]
    return list(Wizard.objects.filter(pk__in=wizards_of(case.duel)).order_by("pk"))


def turn_name(case: Case) -> str:
    """Return the name of the case's turn, or "" if it has none."""
    if case.duel is None or case.ordinal is None:
        return ""
    turn = Turn.objects.filter(duel=case.duel, ordinal=case.ordinal).first()
    if turn is None:
        return f"turn {case.ordinal}"
    return turn_words(case.duel.ruleset, turn.number, turn.kind)


def _details(case: Case) -> dict[str, Any]:
    return {
        "case": case.pk,
        "title": case.title,
        "is_dispute": case.is_dispute,
        "is_appeal": case.round == 2,
        "category": Category(case.category).label,
        "rule": case.rule,
        "about_turn": turn_name(case),
        "stands": case.is_dispute and case.duel is not None and case.duel.ended_at is None,
    }


def _queue(
    kind: type[NoticeKind],
    case: Case,
    details: dict[str, Any],
    occasion: str,
    now: datetime,
    by: Wizard | None,
) -> None:
    queue(
        notice(
            kind,
            reader,
            case.duel,
            now,
            about=by,
            occasion=f"case {case.pk} {occasion}",
            details=details,
        )
        for reader in readers_of(case)
    )
