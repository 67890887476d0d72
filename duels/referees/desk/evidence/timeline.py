"""The timeline of a duel: seals, emails, deadlines, messages and acts in chronological order.

It does not contain sign-ins, addresses or the contents of emails. In an unfinished duel, some facts
are hidden until the referee opens the turn: whether an extra turn has questions, whether orders for
the open turn are default orders, and the results of orders by email.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.utils.text import capfirst

import engine.play
import engine.words
from duels.loaded import adjudication
from duels.loaded.open_turn import hides_questions
from duels.models import (
    Act,
    Duel,
    DuelEnding,
    Orders,
    OutboxRow,
    QuestionRound,
    SealSource,
    Seat,
    Speech,
    Stage,
    Turn,
)
from duels.post.public import Notice, kind_of
from duels.push.public import Push
from duels.referees.desk.evidence.evidence_access import EvidenceAccess
from duels.replies.public import Reply
from duels.sealing import seeds
from engine.play import ALL, SPECTATOR, Spoke

# Kinds of entries, which are also the filters on the page.
ENTRY_KINDS: Final[Mapping[str, str]] = {
    "duel": "Duel",
    "turn": "Turns",
    "seal": "Seals",
    "time": "Clocks",
    "word": "Messages",
    "mail": "Emails",
    "push": "Notifications",
    "act": "Referees",
}


@dataclass(frozen=True)
class TimelineEntry:
    """An entry in the timeline. `who` is the name of the wizard concerned, if any."""

    at: datetime
    kind: str
    words: str
    who: str = ""
    ordinal: int | None = None
    commitment: str = ""
    detail: str = ""


def timeline(duel: Duel, opening: EvidenceAccess) -> tuple[TimelineEntry, ...]:
    seats = list(Seat.objects.filter(duel=duel).select_related("wizard", "duel"))
    names = {seat.code: seat.wizard.name for seat in seats}
    turns = list(Turn.with_voided.filter(duel=duel).order_by("ordinal", "pk"))
    entries = [
        *_duel_entries(duel, seats),
        *_turn_entries(duel, turns, names),
        *_question_entries(duel, turns, opening),
        *_seal_entries(duel, opening),
        *_reply_entries(duel, opening),
        *_clock_entries(seats, turns, opening),
        *_message_entries(duel, turns, names, opening),
        *_email_entries(duel, opening),
        *_push_entries(duel, opening),
        *_act_entries(duel, names),
    ]
    return tuple(sorted(entries, key=lambda entry: entry.at))


def _duel_entries(duel: Duel, seats: Iterable[Seat]) -> Iterator[TimelineEntry]:
    yield TimelineEntry(duel.created_at, "duel", "challenged", duel.challenger.name)
    for seat in seats:
        if seat.accepted_at is not None and seat.wizard_id != duel.challenger_id:
            yield TimelineEntry(seat.accepted_at, "duel", "accepted", seat.wizard.name)
    if duel.started_at is not None:
        words = f"duel began under {duel.ruleset}, {duel.pace_words}"
        yield TimelineEntry(
            duel.started_at, "duel", words, commitment=seeds.seed_commitment_after(duel, 0)
        )
    for moment, words in (
        (duel.paused_at, "duel paused by agreement, and still paused"),
        (duel.halted_at, "duel paused because of a dispute, and still paused"),
        (duel.stopped_at, "duel paused by a referee, and still paused"),
    ):
        if moment is not None:
            yield TimelineEntry(moment, "time", words)
    if duel.ended_at is not None:
        words = f"duel ended {DuelEnding(duel.ended).label}"
        winners = (f"{seat.wizard.name} won" for seat in seats if seat.code == duel.result)
        yield TimelineEntry(duel.ended_at, "duel", words, detail=next(winners, duel.result))


def _turn_entries(
    duel: Duel, turns: Iterable[Turn], names: Mapping[str, str]
) -> Iterator[TimelineEntry]:
    for turn in turns:
        words = engine.words.turn_name(duel.ruleset, turn.kind, turn.number)
        if turn.voided_in:
            words += f" (void since rollback {turn.voided_in})"
        yield TimelineEntry(turn.opened_at, "turn", f"{words} opened", ordinal=turn.ordinal)
        if turn.failed_at is not None:
            failed = f"{words} could not be resolved (attempts: {turn.attempts})"
            yield TimelineEntry(turn.failed_at, "turn", failed, ordinal=turn.ordinal)
        if turn.closed_at is not None:
            how = "resolved" if turn.stage == Stage.RESOLVED else "was not played"
            yield TimelineEntry(
                turn.closed_at, "turn", f"{words} {how}", "", turn.ordinal, turn.chain
            )
            for place in turn.excused:
                used = f"used an extension in {words}"
                yield TimelineEntry(turn.closed_at, "time", used, names[place], turn.ordinal)


def _question_entries(
    duel: Duel, turns: Iterable[Turn], opening: EvidenceAccess
) -> Iterator[TimelineEntry]:
    """Yield an entry for each round of questions. The answers are among the seals."""
    rounds = QuestionRound.objects.filter(turn__duel=duel)
    asked_at = {(each.turn_id, each.batch): each.asked_at for each in rounds}
    for turn in turns:
        if hides_questions(turn.kind) and not opening.shows_fogged(turn):
            continue
        words = engine.words.turn_name(duel.ruleset, turn.kind, turn.number)
        for batch in range(1, turn.batch + 1):
            at = asked_at.get((turn.pk, batch))
            asked = f"{words} asked questions, round {batch}"
            detail = "" if at else "time not recorded, after the turn opened"
            yield TimelineEntry(
                at or turn.opened_at, "turn", asked, "", turn.ordinal, detail=detail
            )


def _seal_entries(duel: Duel, opening: EvidenceAccess) -> Iterator[TimelineEntry]:
    rows = Orders.objects.filter(turn__duel=duel).select_related("turn", "seat__wizard")
    for row in rows.order_by("pk"):
        turn = row.turn
        is_answer = row.stage == Stage.ANSWERS
        if is_answer and hides_questions(turn.kind) and not opening.shows_fogged(turn):
            continue
        what = f"answers, round {row.batch}" if is_answer else "orders"
        # Until the open turn ends, it is secret which orders are default orders.
        # rules: promises 1, 9
        is_known = not turn.is_open or opening.shows_sealed(turn)
        by_default = row.source == SealSource.DEFAULT and is_known
        words = f"sealed {what}{', by default' if by_default else ''}"
        state = "later replaced or made void" if row.superseded else ""
        name = row.seat.wizard.name
        yield TimelineEntry(row.sealed_at, "seal", words, name, turn.ordinal, row.commitment, state)
        if row.taken_back_at is not None:
            back = f"unsealed {what}"
            yield TimelineEntry(row.taken_back_at, "seal", back, name, turn.ordinal, row.commitment)


def _reply_entries(duel: Duel, opening: EvidenceAccess) -> Iterator[TimelineEntry]:
    """Yield orders by email. Show their results, which may reveal orders, only for opened turns."""
    for reply in Reply.objects.filter(turn__duel=duel).select_related("turn", "wizard"):
        ordinal = reply.turn.ordinal
        came_of_it = reply.get_outcome_display() if opening.shows_sealed(reply.turn) else ""
        words = "sent orders by email"
        yield TimelineEntry(
            reply.received_at, "seal", words, reply.wizard.name, ordinal, detail=came_of_it
        )


def _clock_entries(
    seats: Iterable[Seat], turns: Iterable[Turn], opening: EvidenceAccess
) -> Iterator[TimelineEntry]:
    """Yield current deadlines and vacations. The emails show past deadlines and vacations."""
    # Only the wizards concerned know whether an extra turn waits for them.
    now_open = next((turn for turn in turns if turn.is_open), None)
    is_hidden = now_open is not None and hides_questions(now_open.kind)
    for seat in seats:
        name = seat.wizard.name
        is_known = not is_hidden or (now_open and opening.shows_fogged(now_open))
        if seat.awaited and seat.due_at is not None and is_known:
            yield TimelineEntry(seat.due_at, "time", "must seal by this time", name)
        vacation = seat.wizard.vacation
        if vacation is not None and seat.is_playing:
            yield TimelineEntry(vacation.began_at, "time", "went on vacation", name)


def _message_entries(
    duel: Duel, turns: Iterable[Turn], names: Mapping[str, str], opening: EvidenceAccess
) -> Iterator[TimelineEntry]:
    # The author may have been replaced in the duel in the meantime.
    for speech in Speech.objects.filter(duel=duel).select_related("wizard").order_by("pk"):
        said = f"said: “{speech.words}”"
        yield TimelineEntry(speech.said_at, "word", said, speech.wizard.name, speech.ordinal)
    for turn in turns:
        for event in messages_with_orders(turn, opening):
            assert turn.closed_at is not None
            said = f"said with the orders: “{event.words}”"
            yield TimelineEntry(turn.closed_at, "word", said, names[event.wizard], turn.ordinal)


def messages_with_orders(turn: Turn, opening: EvidenceAccess) -> list[Spoke]:
    """Return the messages with orders in a finished turn that this referee may see."""
    if turn.events is None or turn.closed_at is None:
        return []
    if all(event["code"] != Spoke.code for event in turn.events["events"]):
        return []  # most turns have no messages
    observer = ALL if opening.shows_fogged(turn) else SPECTATOR
    history = adjudication.history([turn], adjudication.position_at_start(turn))
    (seen,) = engine.play.view(history, observer).turns
    return [event for event in seen.events if isinstance(event, Spoke)]


def _email_entries(duel: Duel, opening: EvidenceAccess) -> Iterator[TimelineEntry]:
    rows = Notice.objects.filter(duel=duel).select_related("turn", "wizard")
    for notice in rows.order_by("pk"):
        turn = notice.turn
        if turn is not None and _is_hidden(notice, turn, opening):
            continue
        what = f"had an email queued, “{notice.get_kind_display()}”"
        ordinal = turn.ordinal if turn is not None else None
        name = notice.wizard.name
        became = _status_words(notice, notice.get_dropped_for_display())
        yield TimelineEntry(notice.created_at, "mail", what, name, ordinal, detail=became)
        if notice.sent_at is not None:
            sent = f"was sent the email “{notice.get_kind_display()}”"
            yield TimelineEntry(notice.sent_at, "mail", sent, name, ordinal)


def _is_hidden(notice: Notice, turn: Turn, opening: EvidenceAccess) -> bool:
    """Return whether the email may reveal facts that only its recipient may know yet."""
    kind = kind_of(notice)
    if hides_questions(turn.kind) and kind.reveals_questions:
        return not opening.shows_fogged(turn)
    return kind.reveals_defaults and turn.is_open and not opening.shows_sealed(turn)


def _status_words(row: OutboxRow, dropped_for: str) -> str:
    status = "probably sent" if row.is_probably_sent else row.get_status_display()
    return f"{status}: {dropped_for}" if dropped_for and dropped_for != "not dropped" else status


def _push_entries(duel: Duel, opening: EvidenceAccess) -> Iterator[TimelineEntry]:
    """Yield notifications, without their devices and without those that reveal questions."""
    rows = Push.objects.filter(duel=duel).select_related("turn", "wizard")
    for push in rows.order_by("pk"):
        turn = push.turn
        assert turn is not None
        if hides_questions(turn.kind) and not opening.shows_fogged(turn):
            continue
        words = f"had a notification queued, “{push.get_kind_display()}”"
        became = _status_words(push, push.get_dropped_for_display())
        name = push.wizard.name
        yield TimelineEntry(push.created_at, "push", words, name, turn.ordinal, detail=became)


def _act_entries(duel: Duel, names: Mapping[str, str]) -> Iterator[TimelineEntry]:
    for act in Act.objects.filter(duel=duel).order_by("ordinal"):
        about = f" ({names[act.seat]})" if act.seat in names else ""
        words = f"{capfirst(act.get_kind_display())}{about}: {act.reason}"
        by = f"by {act.referee_name}"
        yield TimelineEntry(act.at, "act", words, "", act.turn, act.chain, by)
