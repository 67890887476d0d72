"""Commands that process incoming emails.

The commands that seal orders from the page also seal orders from emails. If orders cannot be
sealed, a response explains why. Responses are sent to the wizard's own address, even if the email
came from another one. The log never contains orders, and an email cannot cause an error, except for
database errors.
"""

import json
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from email.utils import parseaddr
from typing import Any

from allauth.account.models import EmailAddress
from django.conf import settings
from django.db import transaction
from django.utils.crypto import salted_hmac

import engine.orders
import engine.play
import engine.words
from duels import errors
from duels.commands import sealing
from duels.commands.locking import TURN_IS_VOID
from duels.email_addresses import is_same_address
from duels.loaded import adjudication
from duels.loaded.loading import load_turn
from duels.loaded.open_turn import OpenTurn
from duels.models import Duel, Orders, Seat, Stage, Wizard
from duels.post import public as post
from duels.post.kinds.answered import Answered
from duels.queries.rows import questions_for
from duels.replies.answers import read_answers
from duels.replies.automatic import is_reaction
from duels.replies.message import ParsedEmail, UnreadableMail, parse_email, parse_failure
from duels.replies.models import Reply, ReplyOutcome
from duels.replies.order_lines import readable_text
from duels.replies.own_text import (
    doubtful_lines,
    is_too_long,
    lines_only_in_other,
    own_text,
)
from duels.sealing import seals

logger = logging.getLogger(__name__)

MAX_REPLIES = 50  # replies per wizard and turn; others are ignored
MAX_UNREADABLE_REPLIES = 3  # attempts, in case the orders change on the page meanwhile
MAX_NAMED_LINES = 10
MAX_SHOWN_LENGTH = 80
HAND_FIELDS = ("left", "right", "left2", "right2")
NO_GESTURE_LETTER = "-"
UNREAD_LINE_WARNING = (
    "This line was not read, because it is in a quotation or below a signature, a farewell or a"
    " line of dashes. To use it, write it above them:"
)
EMPTIED_HAND_WARNING = "Your sealed orders contain this line, which this email leaves out:"
TOO_LONG_WARNING = (
    "Your email is too long, so its end was not read. If it contains orders, shorten it."
)
ATTACHMENTS_ARE_NOT_READ = (
    "Attachments are not read. If your orders are in one, copy them into the email itself."
)
GESTURES_ARE_REVEALED = (
    "The gestures of this turn have already been revealed. To answer its questions, reply to the "
    "newest email about them."
)


@dataclass(frozen=True)
class ReplyResult:
    """The result of processing a reply, and the text of the response to the wizard."""

    outcome: ReplyOutcome
    sentences: tuple[str, ...] = ()
    lines: tuple[Mapping[str, Any], ...] = ()  # lines that were not read: number, source and text
    asked: Mapping[str, Any] = field(default_factory=dict)
    commitment: str = ""  # commitment to the sealed orders


def receive_email(
    *,
    raw: bytes,
    now: datetime,
    recipients: Sequence[str] = (),
    envelope_sender: str | None = None,
    is_forged: bool = False,
) -> ReplyOutcome:
    """Process an incoming email and return its outcome. Further copies have no effect.

    `recipients` contains the envelope's recipients. If it is empty, headers are used instead.
    `envelope_sender` is "" for emails that must not be answered (RFC 5321). `is_forged` is true if
    the receiving server reports a DMARC failure.
    """
    try:
        letter = parse_email(raw)
    except UnreadableMail as error:
        logger.warning("An email of %s bytes could not be read: %s", len(raw), error)
        return ReplyOutcome.NO_MAIL
    addresses = [*recipients, *letter.recipients]
    complained_of = letter.report.senders if letter.report else ()
    bounce = next(filter(None, map(post.parse_bounce_address, [*addresses, *complained_of])), None)
    site_address = parseaddr(settings.DEFAULT_FROM_EMAIL)[1]
    if bounce is not None:
        return _process_bounce(raw, letter, bounce, [*addresses, site_address], now)
    if letter.is_automatic or envelope_sender in ("", "<>"):
        return ReplyOutcome.AUTOMATIC
    holder = next(filter(None, map(post.parse_reply_address, addresses)), None)
    if holder is None:
        return ReplyOutcome.UNKNOWN
    # The same email can arrive by several routes, with different headers and boundaries.
    digest = _email_digest(letter.message_id or letter.date, letter.sender, letter.text)
    # Read the text before locking anything, because this can take a while.
    known = [site_address, post.make_reply_address(*holder)]
    text = own_text(letter.text, addresses=known)
    first_line = next(filter(None, map(str.strip, letter.text.split("\n"))), "")
    if is_reaction(text or first_line):
        return ReplyOutcome.AUTOMATIC
    doubtful = [
        *doubtful_lines(letter.text, addresses=known),
        *lines_only_in_other(letter.other_text, text, addresses=known),
    ]
    return _process_reply(letter, text, doubtful, holder, digest, now, is_forged=is_forged)


def _process_bounce(
    raw: bytes,
    letter: ParsedEmail,
    holder: post.BouncedNotice,
    own: Sequence[str],
    now: datetime,
) -> ReplyOutcome:
    """Process a bounce or complaint, which may turn off the address concerned.

    `own` contains addresses of the site.
    """
    try:
        report = letter.report or parse_failure(raw, letter, holder.is_of, own)
    except UnreadableMail as error:
        logger.warning("A bounce of %s bytes could not be read: %s", len(raw), error)
        return ReplyOutcome.NO_MAIL
    if report is None or not (report.has_failed or report.is_complaint):
        return ReplyOutcome.AUTOMATIC
    cause = post.SilencedFor.COMPLAINT if report.is_complaint else post.SilencedFor.BOUNCE
    answer = report.status_for(holder.is_of)
    is_off = post.process_bounce(holder=holder, cause=cause, answer=answer, now=now)
    return ReplyOutcome.CAME_BACK if is_off else ReplyOutcome.AUTOMATIC


@transaction.atomic
def _process_reply(
    letter: ParsedEmail,
    text: str,
    doubtful: Sequence[str],
    holder: post.ReplyRecipient,
    digest: str,
    now: datetime,
    *,
    is_forged: bool,
) -> ReplyOutcome:
    # Start with the same lock as sealing, so that copies of an email are processed one by one.
    duels = Duel.objects.filter(turns__id=holder.turn_id).order_by()
    list(duels.select_for_update(of=("self",), no_key=True).values_list("pk", flat=True))
    wizard = Wizard.objects.filter(pk=holder.wizard_id).first()
    turn = load_turn(holder.turn_id)
    seat = turn.seat_of(wizard) if turn else None
    if wizard is None or turn is None or seat is None:
        return ReplyOutcome.UNKNOWN
    before = Reply.objects.filter(wizard=wizard, turn=turn.row)
    if before.filter(digest=digest).exists():
        return ReplyOutcome.REPEATED
    if before.count() >= MAX_REPLIES:
        logger.warning("Wizard %s has sent too many replies for %s", wizard.pk, turn.row)
        return ReplyOutcome.TOO_MANY
    is_other = not _is_address_of(wizard, letter.sender)
    is_forged = is_forged or bool(
        set(letter.failed_dmarc_at) & set(settings.REPLY_AUTHENTICATION_SERVERS)
    )
    names = (letter.name, letter.sender.partition("@")[0], wizard.name)
    asked_before = before.filter(outcome=ReplyOutcome.ASKED).values_list("asked", flat=True)
    returned = [*map(_load_returned_orders, asked_before)]
    is_cut = letter.is_cut or is_too_long(letter.text)
    own = _OwnText(text, doubtful, names, is_cut, wizard, returned, now)
    rejected = _sender_rejection(wizard, turn, is_other, is_forged)
    result = rejected or _process_text(own, holder)
    if letter.has_attachments and result.outcome in (ReplyOutcome.EMPTY, ReplyOutcome.UNREADABLE):
        result = replace(result, sentences=(*result.sentences, ATTACHMENTS_ARE_NOT_READ))
    text_digest = _email_digest(text, *result.sentences)
    # If the same text has failed in the same way before, do not respond again: it may be an
    # automatic reply that was not recognised.
    is_answered = (
        result.outcome not in (ReplyOutcome.SEALED, ReplyOutcome.ASKED)
        and before.filter(outcome=result.outcome, text_digest=text_digest).exists()
    )
    reply = Reply.objects.create(
        wizard=wizard,
        turn=turn.row,
        digest=digest,
        text_digest=text_digest,
        outcome=result.outcome,
        is_from_other_address=is_other,
        asked=seals.encrypt(json.dumps(result.asked)) if result.asked else "",
        received_at=now,
    )
    if result.outcome == ReplyOutcome.SEALED:
        post.mark_turn_read(wizard=wizard, turn=turn.row)
    if not is_answered:
        _queue_reply_notice(reply, turn, result, now)
    return result.outcome


def _queue_reply_notice(reply: Reply, turn: OpenTurn, result: ReplyResult, now: datetime) -> None:
    details = {
        "outcome": result.outcome.value,
        "asks": turn.row.stage == Stage.ANSWERS,
        "batch": turn.row.batch,
        "sentences": result.sentences,
        "lines": result.lines,
        "commitment": result.commitment,
    }
    occasion = f"reply {reply.pk}"
    post.notify(
        Answered, [reply.wizard], turn.duel, now, turn=turn.row, occasion=occasion, details=details
    )


def _email_digest(*parts: str) -> str:
    """Return a keyed digest, because short orders could be guessed from a digest without a key."""
    text = "\n".join(" ".join(part.split()) for part in parts)
    salt = "duels.replies.digest"
    return salted_hmac(salt, text.encode(errors="replace"), algorithm="sha256").hexdigest()


def _is_address_of(wizard: Wizard, sender: str) -> bool:
    if wizard.is_guest:
        given = post.guest_address(wizard)
        is_confirmed = given is not None and bool(given.confirmed_at)
        return given is not None and is_confirmed and is_same_address(sender, given.address)
    if wizard.user_id is None:
        return False
    own = EmailAddress.objects.filter(user=wizard.user_id, verified=True)
    return any(is_same_address(sender, each) for each in own.values_list("email", flat=True))


def _sender_rejection(
    wizard: Wizard, turn: OpenTurn, is_other: bool, is_forged: bool
) -> ReplyResult | None:
    """Return the result if the sender is rejected, or None if the sender is accepted."""
    if is_forged:
        logger.warning(
            "A reply from wizard %s for %s was rejected: it failed DMARC", wizard.pk, turn.row
        )
        return ReplyResult(ReplyOutcome.FORGED)
    if not is_other:
        return None
    is_accepted = settings.REPLIES_FROM_OTHER_ADDRESSES
    logger.warning(
        "A reply from wizard %s for %s came from another address and was %s",
        wizard.pk,
        turn.row,
        "accepted" if is_accepted else "rejected",
    )
    return None if is_accepted else ReplyResult(ReplyOutcome.OTHER_ADDRESS)


@dataclass(frozen=True)
class _OwnText:
    """The sender's own text, other lines that the sender may have written, and the sender's names.

    `is_cut` is true if the end of the email was cut off because of its length. `returned` contains
    the orders that were returned for confirmation before, with their warnings.
    """

    text: str
    doubtful: Sequence[str]
    names: tuple[str, ...]
    is_cut: bool
    wizard: Wizard
    returned: Sequence[Mapping[str, Any]]
    now: datetime


@dataclass(frozen=True)
class _Warning:
    """A warning that senders confirm by sending the same orders again."""

    key: str
    text: str


def _process_text(own: _OwnText, holder: post.ReplyRecipient) -> ReplyResult:
    """Seal the sender's text as orders or answers for the round in the reply address."""
    for _ in range(MAX_UNREADABLE_REPLIES):
        turn = load_turn(holder.turn_id)
        assert turn is not None
        seat = turn.seat_of(own.wizard)
        assert seat is not None
        if not own.text.strip() and not own.doubtful:
            return ReplyResult(ReplyOutcome.EMPTY)
        if turn.row.voided_in:
            return ReplyResult(ReplyOutcome.REFUSED, (TURN_IS_VOID,))
        if not turn.row.is_open:
            return ReplyResult(ReplyOutcome.REFUSED, ("This turn has been played.",))
        if holder.batch == 0 and questions_for(turn.row, seat):
            return ReplyResult(ReplyOutcome.REFUSED, (GESTURES_ARE_REVEALED,))
        try:
            with transaction.atomic():
                if holder.batch:
                    return _seal_answers(turn, seat, own, holder.batch)
                return _seal_orders(turn, seat, own)
        except errors.StaleForm:
            continue
        except engine.words.UnreadableOrders as unread:
            return _unreadable_result(unread.misreadings)
        except errors.IllegalOrders as illegal:
            texts = tuple(dict.fromkeys(fault.text for fault in illegal.faults))
            return ReplyResult(ReplyOutcome.ILLEGAL, texts)
        except errors.Refused as refused:
            return ReplyResult(ReplyOutcome.REFUSED, (refused.text,))
    return ReplyResult(
        ReplyOutcome.REFUSED, ("These orders were changed elsewhere in the meantime.",)
    )


def _seal_orders(turn: OpenTurn, seat: Seat, own: _OwnText) -> ReplyResult:
    """Seal the text as orders. Raise any error from reading or sealing, but return warnings."""

    def has_orders(line: str) -> bool:
        try:
            return bool(adjudication.orders_from_text(turn.position, seat.code, line))
        except engine.words.UnreadableOrders as unread:
            # The gesture that completes the spell may be on another line.
            return all(each.code == "not_completed" for each in unread.misreadings)

    text = readable_text(own.text, has_orders, own.names, removes_numbers=True)
    fields = adjudication.orders_from_text(turn.position, seat.code, text)
    defaults = adjudication.default_orders_as_text(turn.position, seat.code)
    warnings = _unread_line_warnings(own, has_orders, [*text.split("\n"), *defaults.lines])
    if not fields:
        return ReplyResult(ReplyOutcome.EMPTY, tuple(each.text for each in warnings))
    orders = engine.orders.from_fields(fields)
    flat = engine.orders.fields(orders)
    current = turn.seal_of(seat, Stage.ORDERS)
    before = _sealed_fields(current)
    warnings += _emptied_hand_warnings(turn, seat, before, fields)
    seen = _seen_warnings(own.returned, flat)
    if current is None or not current.is_sealed or before != flat:
        warnings += [
            _Warning(adjudication.warning_key(each), each.text)
            for each in adjudication.cautions(turn.position, seat.code, orders)
        ]
    is_legal = not engine.play.check(turn.position, seat.code, orders)
    if is_legal and not seen.issuperset(each.key for each in warnings):
        return _confirmation_result(flat, warnings)
    sealed = sealing.seal_orders(
        turn_id=turn.row.pk,
        wizard=own.wizard,
        fields=fields,
        form_seal=current.commitment if current else "",
        now=own.now,
    )
    words = post.seal_words(turn, seat, flat)
    return ReplyResult(ReplyOutcome.SEALED, words, commitment=sealed.commitment)


def _unread_line_warnings(
    own: _OwnText, has_orders: Callable[[str], bool], known_lines: Sequence[str]
) -> list[_Warning]:
    """Return a warning about each unread line with orders that would change something.

    `known_lines` contains the lines that were read, and the default orders, which the site's
    own emails contain.
    """
    doubtful = [
        line for line in dict.fromkeys(own.doubtful) if line not in known_lines and has_orders(line)
    ]
    warnings = [
        _Warning(f"not read: {line}", f"{UNREAD_LINE_WARNING} {_shortened_line(line)}")
        for line in doubtful[:MAX_NAMED_LINES]
    ]
    return [*warnings, _Warning("cut", TOO_LONG_WARNING)] if own.is_cut else warnings


def _emptied_hand_warnings(
    turn: OpenTurn, seat: Seat, before: Mapping[str, str], after: Mapping[str, str]
) -> list[_Warning]:
    """Return a warning for each hand that has a sealed gesture but no gesture in the email."""
    defaults = engine.orders.fields(engine.play.default_orders(turn.position, seat.code))
    gestures = {
        field: letter
        for field, letter in before.items()
        if (field in HAND_FIELDS or field.startswith("charmed"))
        and letter not in (NO_GESTURE_LETTER, defaults.get(field))
    }
    return [
        _Warning(f"emptied: {field}", f"{EMPTIED_HAND_WARNING} {line.strip()}")
        for field, letter in gestures.items()
        if field not in after
        for line in [adjudication.orders_as_text(turn.position, seat.code, {field: letter})]
    ]


def _sealed_fields(seal: Orders | None) -> Mapping[str, str]:
    """Return the fields of this seal, or {} if there is no seal or its key is missing."""
    try:
        return seals.decrypt_seal(seal.body).orders if seal else {}
    except errors.MissingKey:
        return {}


def _confirmation_result(fields: Mapping[str, str], warnings: Sequence[_Warning]) -> ReplyResult:
    return ReplyResult(
        ReplyOutcome.ASKED,
        tuple(dict.fromkeys(each.text for each in warnings)),
        asked={"fields": fields, "warnings": [each.key for each in warnings]},
    )


def _seen_warnings(returned: Sequence[Mapping[str, Any]], fields: Mapping[str, str]) -> set[str]:
    """Return the warnings for which these orders have already been returned to the sender."""
    return {
        warning for each in returned if each["fields"] == fields for warning in each["warnings"]
    }


def _load_returned_orders(returned: str) -> dict[str, Any]:
    """Return orders that were returned for confirmation, with their warnings.

    If the key is missing, return no orders, so that the wizard is asked again.
    """
    try:
        loaded: dict[str, Any] = json.loads(seals.decrypt(returned))
    except errors.MissingKey:
        return {"fields": {}, "warnings": []}
    return loaded


def _seal_answers(turn: OpenTurn, seat: Seat, own: _OwnText, batch: int) -> ReplyResult:
    """Seal the text as answers to the wizard's questions in this round."""
    sealing.check_question_round(turn, seat, batch)
    questions = questions_for(turn.row, seat)

    def has_answers(line: str) -> bool:
        try:
            return bool(read_answers(line, questions))
        except engine.words.UnreadableOrders:
            return False

    text = readable_text(own.text, has_answers, own.names)
    answers = read_answers(text, questions)
    defaults = [
        f"{number}: {question.default_words}" for number, question in enumerate(questions, 1)
    ]
    warnings = _unread_line_warnings(own, has_answers, [*text.split("\n"), *defaults])
    if not answers:
        return ReplyResult(ReplyOutcome.EMPTY, tuple(each.text for each in warnings))
    current = turn.seal_of(seat, Stage.ANSWERS, turn.row.batch)
    if not _seen_warnings(own.returned, answers).issuperset(each.key for each in warnings):
        return _confirmation_result(answers, warnings)
    sealed = sealing.answer_questions(
        turn_id=turn.row.pk,
        wizard=own.wizard,
        answers=answers,
        batch=batch,
        form_seal=current.commitment if current else "",
        now=own.now,
    )
    words = post.seal_words(turn, seat, answers)
    return ReplyResult(ReplyOutcome.SEALED, words, commitment=sealed.commitment)


def _unreadable_result(lines: Sequence[engine.words.Misreading]) -> ReplyResult:
    named = tuple(
        {"number": each.line, "source": _shortened_line(each.source), "text": each.text}
        for each in lines[:MAX_NAMED_LINES]
    )
    more = len(lines) - len(named)
    left_out = f"More lines like these, not listed here: {more}."
    return ReplyResult(ReplyOutcome.UNREADABLE, (left_out,) if more else (), named)


def _shortened_line(source: str) -> str:
    line = " ".join(source.split())
    return line if len(line) <= MAX_SHOWN_LENGTH else f"{line[:MAX_SHOWN_LENGTH]}…"
