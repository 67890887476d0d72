"""Processing of incoming emails.

Orders are sealed by the same commands as on the page; otherwise a reply explains why not. Replies
go to the wizard's own address, regardless of the sender. The log never contains orders, and no
email raises an error except database errors.
"""

import hashlib
import json
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from email.utils import parseaddr
from typing import Any

from allauth.account.models import EmailAddress
from django.conf import settings
from django.db import transaction

import engine
from duels import adjudication, commands, queries, seals
from duels.commands.locking import TURN_IS_VOID
from duels.loading import load_turn
from duels.models import Duel, Seat, Stage, Wizard
from duels.open_turn import OpenTurn
from duels.post import public as post
from duels.replies.answers import UnreadableAnswers, read_answers
from duels.replies.message import Letter, UnreadableMail, read_letter
from duels.replies.models import Outcome, Reply
from duels.replies.own_text import own_text

logger = logging.getLogger(__name__)

MOST_REPLIES = 50  # of one wizard in one turn; later ones are ignored
MOST_TRIES = 3  # if somebody also seals on the page at this moment
MOST_LINES_NAMED = 10
LONGEST_SHOWN = 80


@dataclass(frozen=True)
class ReplyResult:
    """The result of a reply, and the text for its wizard."""

    outcome: Outcome
    sentences: tuple[str, ...] = ()
    lines: tuple[Mapping[str, Any], ...] = ()  # lines that could not be read: number, source, text
    asked: Mapping[str, Any] = field(default_factory=dict)
    commitment: str = ""  # of the sealed orders


def receive(
    *,
    raw: bytes,
    now: datetime,
    recipients: Sequence[str] = (),
    envelope_sender: str | None = None,
    is_rebuilt: bool = False,
    is_forged: bool = False,
) -> Outcome:
    """Process an incoming email and return its outcome. A repeated email is read only once.

    `recipients` are its envelope recipients if known; otherwise its headers are used.
    `envelope_sender` is empty for emails that must not be answered (RFC 5321). `is_rebuilt` means
    that the bytes are not the original ones, and may differ each time. `is_forged` means that the
    receiving server reports a DMARC failure.
    """
    try:
        letter = read_letter(raw)
    except UnreadableMail as error:
        logger.warning("An email of %s bytes could not be read: %s", len(raw), error)
        return Outcome.NO_MAIL
    addresses = [*recipients, *letter.recipients]
    complained_of = letter.report.senders if letter.report else ()
    bounce = next(filter(None, map(post.bounce_holder, [*addresses, *complained_of])), None)
    if bounce is not None:
        return _process_bounce(letter, bounce, now)
    if letter.is_automatic or envelope_sender in ("", "<>"):
        return Outcome.AUTOMATIC
    holder = next(filter(None, map(post.reply_holder, addresses)), None)
    if holder is None:
        return Outcome.UNKNOWN
    content = f"{letter.message_id}\n{letter.sender}\n{letter.text}".encode(errors="replace")
    digest = hashlib.sha256(content if is_rebuilt else raw).hexdigest()
    # Do this before locking anything, because it can take a while.
    text = own_text(letter.text, addresses=[_site_address(), post.reply_address(*holder)])
    return _receive(letter, text, holder, digest, now, is_forged=is_forged)


def _process_bounce(letter: Letter, holder: post.BounceHolder, now: datetime) -> Outcome:
    """Process a bounce, which turns its address off unless the email was only delayed."""
    report = letter.report
    if report is None or not (report.has_failed or report.is_complaint):
        return Outcome.AUTOMATIC
    cause = post.SilencedFor.COMPLAINT if report.is_complaint else post.SilencedFor.BOUNCE
    is_off = post.process_bounce(holder=holder, cause=cause, answer=report.status, now=now)
    return Outcome.CAME_BACK if is_off else Outcome.AUTOMATIC


@transaction.atomic
def _receive(
    letter: Letter,
    text: str,
    holder: post.ReplyHolder,
    digest: str,
    now: datetime,
    *,
    is_forged: bool,
) -> Outcome:
    # This is the first lock that sealing takes, so copies of an email are processed one by one.
    duels = Duel.objects.filter(turns__id=holder.turn_id).order_by()
    list(duels.select_for_update(of=("self",), no_key=True).values_list("pk", flat=True))
    wizard = Wizard.objects.filter(pk=holder.wizard_id).first()
    turn = load_turn(holder.turn_id)
    seat = turn.seat_of(wizard) if turn else None
    if wizard is None or turn is None or seat is None:
        return Outcome.UNKNOWN
    before = Reply.objects.filter(wizard=wizard, turn=turn.row)
    if before.filter(digest=digest).exists():
        return Outcome.REPEATED
    if before.count() >= MOST_REPLIES:
        logger.warning("Wizard %s has sent too many replies for %s", wizard.pk, turn.row)
        return Outcome.TOO_MANY
    is_other = not _is_address_of(wizard, letter.sender)
    is_forged = is_forged or bool(
        set(letter.failed_dmarc_at) & set(settings.REPLY_AUTHENTICATION_SERVERS)
    )
    result = _sender_rejection(wizard, turn, is_other, is_forged) or _process_text(
        text, wizard, holder.turn_id, before.filter(outcome=Outcome.ASKED), now
    )
    reply = Reply.objects.create(
        wizard=wizard,
        turn=turn.row,
        digest=digest,
        outcome=result.outcome,
        is_from_other_address=is_other,
        asked=seals.encrypt(json.dumps(result.asked)) if result.asked else "",
        received_at=now,
    )
    details = {
        "outcome": result.outcome.value,
        "asks": turn.row.stage == Stage.ANSWERS,
        "batch": turn.row.batch,
        "sentences": result.sentences,
        "lines": result.lines,
        "commitment": result.commitment,
    }
    post.queue(
        [
            post.notice(
                post.NoticeKind.ANSWERED,
                wizard,
                turn.duel,
                now,
                turn=turn.row,
                occasion=f"reply {reply.pk}",
                details=details,
            )
        ]
    )
    return result.outcome


def _is_address_of(wizard: Wizard, sender: str) -> bool:
    if wizard.is_guest:
        given = post.guest_address(wizard)
        return given is not None and bool(given.confirmed_at) and sender == given.address.casefold()
    if wizard.user_id is None or not sender:
        return False
    own = EmailAddress.objects.filter(user=wizard.user_id, verified=True)
    return sender in {email.casefold() for email in own.values_list("email", flat=True)}


def _sender_rejection(
    wizard: Wizard, turn: OpenTurn, is_other: bool, is_forged: bool
) -> ReplyResult | None:
    """Return why the sender is rejected, or None if the email is accepted."""
    if is_forged:
        logger.warning(
            "A reply from wizard %s for %s was rejected: it failed DMARC", wizard.pk, turn.row
        )
        return ReplyResult(Outcome.FORGED)
    if not is_other:
        return None
    is_accepted = settings.REPLIES_FROM_OTHER_ADDRESSES
    logger.warning(
        "A reply from wizard %s for %s came from another address and was %s",
        *(wizard.pk, turn.row, "accepted" if is_accepted else "rejected"),
    )
    return None if is_accepted else ReplyResult(Outcome.OTHER_ADDRESS)


def _site_address() -> str:
    return parseaddr(settings.DEFAULT_FROM_EMAIL)[1]


def _process_text(
    text: str, wizard: Wizard, turn_id: int, asked: Any, now: datetime
) -> ReplyResult:
    """Return the result of the reply's own text."""
    if not text.strip():
        return ReplyResult(Outcome.EMPTY)
    for _ in range(MOST_TRIES):
        turn = load_turn(turn_id)
        assert turn is not None
        seat = turn.seat_of(wizard)
        assert seat is not None
        if turn.row.voided_in:
            return ReplyResult(Outcome.REFUSED, (TURN_IS_VOID,))
        if not turn.row.is_open:
            return ReplyResult(Outcome.REFUSED, ("This turn has been played.",))
        try:
            with transaction.atomic():
                if turn.row.stage == Stage.ANSWERS and _has_questions(turn, seat):
                    return _seal_answers(turn, seat, wizard, text, now)
                return _seal_orders(turn, seat, wizard, text, asked, now)
        except commands.StaleForm:
            continue
        except engine.UnreadableOrders as unread:
            return _unreadable([(each.line, each.source, each.text) for each in unread.misreadings])
        except UnreadableAnswers as unread:
            return _unreadable([(each.number, each.source, each.text) for each in unread.lines])
        except commands.IllegalOrders as illegal:
            texts = tuple(dict.fromkeys(fault.text for fault in illegal.faults))
            return ReplyResult(Outcome.ILLEGAL, texts)
        except commands.Refused as refused:
            return ReplyResult(Outcome.REFUSED, (refused.text,))
    return ReplyResult(Outcome.REFUSED, ("These orders were changed elsewhere in the meantime.",))


def _has_questions(turn: OpenTurn, seat: Seat) -> bool:
    return bool(queries.questions_for(turn.row, seat))


def _seal_orders(
    turn: OpenTurn, seat: Seat, wizard: Wizard, text: str, asked: Any, now: datetime
) -> ReplyResult:
    """Seal the text as orders. Raise the errors of reading and sealing, except warnings."""
    fields = adjudication.orders_from_text(turn.position, seat.code, text)
    if not fields:
        return ReplyResult(Outcome.EMPTY)
    orders = engine.from_fields(fields)
    flat = engine.fields(orders)
    current = turn.seal_of(seat, Stage.ORDERS)
    seen = {
        warning
        for before in map(_load_asked, asked.values_list("asked", flat=True))
        if before["fields"] == flat
        for warning in before["warnings"]
    }
    try:
        sealed = commands.seal_orders(
            turn_id=turn.row.pk,
            wizard=wizard,
            fields=fields,
            form_seal=current.commitment if current else "",
            seen=seen,
            now=now,
        )
    except commands.UnreadWarnings:
        cautions = adjudication.cautions(turn.position, seat.code, orders)
        return ReplyResult(
            Outcome.ASKED,
            tuple(dict.fromkeys(caution.text for caution in cautions)),
            asked={"fields": flat, "warnings": [*map(adjudication.warning_key, cautions)]},
        )
    words = post.seal_words(turn, seat, flat)
    return ReplyResult(Outcome.SEALED, words, commitment=sealed.commitment)


def _load_asked(asked: str) -> dict[str, Any]:
    """Return the orders that were returned for confirmation, or nothing if their key is gone.

    Then the wizard is asked again.
    """
    try:
        loaded: dict[str, Any] = json.loads(seals.decrypt(asked))
    except commands.MissingKey:
        return {"fields": {}, "warnings": []}
    return loaded


def _seal_answers(
    turn: OpenTurn, seat: Seat, wizard: Wizard, text: str, now: datetime
) -> ReplyResult:
    """Seal the text as answers to the wizard's questions."""
    questions = queries.questions_for(turn.row, seat)
    answers = read_answers(text, questions)
    if not answers:
        return ReplyResult(Outcome.EMPTY)
    current = turn.seal_of(seat, Stage.ANSWERS, turn.row.batch)
    sealed = commands.answer_questions(
        turn_id=turn.row.pk,
        wizard=wizard,
        answers=answers,
        form_seal=current.commitment if current else "",
        now=now,
    )
    words = post.seal_words(turn, seat, answers)
    return ReplyResult(Outcome.SEALED, words, commitment=sealed.commitment)


def _unreadable(lines: Sequence[tuple[int, str, str]]) -> ReplyResult:
    named = tuple(
        {"number": number, "source": _shortened(source), "text": text}
        for number, source, text in lines[:MOST_LINES_NAMED]
    )
    more = len(lines) - len(named)
    return ReplyResult(
        Outcome.UNREADABLE, (f"There are {more} more lines like that.",) if more else (), named
    )


def _shortened(source: str) -> str:
    line = " ".join(source.split())
    return line if len(line) <= LONGEST_SHOWN else f"{line[:LONGEST_SHOWN]}…"
