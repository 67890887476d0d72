"""Parser for reports about the site's emails: delivery failures (RFC 3464 and others) and
complaints (RFC 5965).

Only those parts are read that matter for turning off an address. Reports in the formats of
particular mail servers are recognised by `flufl.bounce`.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from email.message import Message
from email.parser import HeaderParser
from email.utils import getaddresses
from itertools import chain
from typing import Final

from flufl.bounce import all_failures

from duels.post import public as post

MAX_BLOCKS: Final = 100
MAX_TEXT_LENGTH: Final = 20_000
MAX_FIELD_LENGTH: Final = 2_000

_STATUS_PART_TYPES: Final = ("message/delivery-status", "message/global-delivery-status")
_FEEDBACK_PART_TYPE: Final = "message/feedback-report"
_HEADER_PART_TYPES: Final = ("text/rfc822-headers", "message/global-headers")
_COMPLAINT_TYPES: Final = frozenset({"abuse", "fraud"})
_STATUS_PATTERN = re.compile(r"\s*([245]\.[0-9]{1,3}\.[0-9]{1,3})\b")
_WORD_PATTERN = re.compile(r"\s*([A-Za-z-]+)")
# The sender of a mail system, which may have no address.
_MAIL_SYSTEM_PATTERN = re.compile(r"\b(?:mailer.daemon|post_?master)\b|^[^@]+$", re.IGNORECASE)
# The beginning of the returned email, which follows the report.
_RETURNED_EMAIL_PATTERN = re.compile(
    r"^[^\w\n]*(?:(?:return-path|received|message-id):"
    r"|-{2,} ?(?:this is a copy|original message|below this line|the headers? of the original))",
    re.IGNORECASE | re.MULTILINE,
)
# A line that contains the server's reply, along with the line above it if the server rejected the
# sender.
_SERVER_RESPONSE_PATTERN = re.compile(
    r"^(?:.*\bmail from\b.*\n)?"
    r".*(?<![\d.])(?:[45][0-9]{2}[ -]|#?[45]\.[0-9]{1,3}\.[0-9]{1,3}\b)",
    re.IGNORECASE | re.MULTILINE,
)
_RECIPIENT_FIELD_PATTERN = re.compile(r"^final-recipient:", re.IGNORECASE | re.MULTILINE)
_ADDRESS_PATTERN = re.compile(r"[\w.+-]{1,64}@[\w.-]{1,255}\w")
_PARAGRAPH_END_PATTERN = re.compile(r"\n[ \t]*\n")
_SUBJECT_PATTERN = re.compile(r"^[^\w\n]*subject:.*$", re.IGNORECASE | re.MULTILINE)


@dataclass(frozen=True)
class EmailReport:
    """The contents of a report.

    `recipients` are the addresses that a standard report names, before and after forwarding.
    `senders` are the envelope senders complained about.
    """

    has_failed: bool = False  # delivery failed permanently, for all recipients
    is_complaint: bool = False
    status: str = ""  # status code of a failure, such as "5.1.1"
    recipients: tuple[str, ...] = ()
    senders: tuple[str, ...] = ()

    def status_for(self, is_reader: Callable[[str], bool]) -> str:
        """Return the status for the reader of the email. `is_reader` recognises their address.

        A failure of other addresses, to which a server may have forwarded the email, has no clear
        reason.
        """
        is_about_reader = not self.recipients or any(map(is_reader, self.recipients))
        return self.status if is_about_reader else _without_clear_reason(self.status)


def read_report(parts: Sequence[Message], text: str) -> EmailReport | None:
    """Return the report if this email contains one in a standard format, otherwise None.

    `parts` contains the email's own parts, without the parts of emails attached to it. `text` is
    the text of these parts. Some mail servers do not use the type `multipart/report`.
    """
    for part in parts:
        kind = part.get_content_type()
        if kind in _STATUS_PART_TYPES:
            return _delivery_report(_field_blocks(part), _reason(_written_text(text)))
        if kind == _FEEDBACK_PART_TYPE:
            return _feedback_report(part, parts)
    return None


def read_unstructured_report(
    message: Message, text: str, is_reader: Callable[[str], bool], own: Collection[str]
) -> EmailReport | None:
    """Return the failure if this email is a report in another format, otherwise None.

    `text` is the text of the whole email, and `own` contains addresses of the site. If only the
    sender shows that a mail system wrote the email, the text must contain the fields of a standard
    report or a status code, or clearly say that the recipient's address does not exist.
    """
    is_from_mail_system = _is_from_mail_system(message)
    if is_from_mail_system and (part := _attached_status_part(message)):
        return _delivery_report(_field_blocks(part), "")
    for part in [*message.walk()]:
        if part.get_content_type() == "message/rfc822":
            part.set_payload([])  # ignore attached emails: the report may be about another email
    written = _written_text(text)
    if is_from_mail_system and _RECIPIENT_FIELD_PATTERN.search(written):
        return _delivery_report(map(HeaderParser().parsestr, _paragraphs(written)), "")
    _repair_headers(message)
    temporary, permanent = all_failures(message)
    if temporary and not permanent:
        return EmailReport()
    status = _status_in_text(written)
    gives_reason = _is_clear(status) or (status and status in written)
    if not permanent and not (is_from_mail_system and gives_reason):
        return None
    status = _readers_status(written, is_reader, own) or post.CODE_WITHOUT_REASON
    return EmailReport(has_failed=True, status=status)


def _is_from_mail_system(message: Message) -> bool:
    return bool(_MAIL_SYSTEM_PATTERN.search(_field_text(message, "From")))


def _attached_status_part(message: Message) -> Message | None:
    """Return the status in an attached report, to which a gateway has added its own email."""
    emails = (each for each in message.walk() if each is not message)
    reports = filter(_is_from_mail_system, emails)
    parts = (part for each in reports for part in each.walk())
    return next((each for each in parts if each.get_content_type() in _STATUS_PART_TYPES), None)


def _readers_status(text: str, is_reader: Callable[[str], bool], own: Collection[str]) -> str:
    """Return the status in the text, or in the reader's paragraphs if it names others as well.

    If these paragraphs do not give a reason, the reason in the text may apply to another address.
    """

    def is_about_reader(text: str) -> bool:
        return all(map(is_reader, _named_addresses(text, own)))

    status = _status_in_text(text)
    if is_about_reader(text):
        return status
    paragraphs = [
        each for each in _paragraphs(text) if _named_addresses(each, own) and is_about_reader(each)
    ]
    return _status_in_text("\n\n".join(paragraphs)) or _without_clear_reason(status)


def _named_addresses(text: str, own: Collection[str]) -> set[str]:
    """Return the addresses in the text, except those of the site and of mail systems."""
    known = {each.casefold() for each in own}
    return {
        each
        for each in _ADDRESS_PATTERN.findall(text)
        if each.casefold() not in known and not _MAIL_SYSTEM_PATTERN.search(each)
    }


def _without_clear_reason(status: str) -> str:
    """Return the status, or one without a reason if it would turn an address off at once."""
    return post.CODE_WITHOUT_REASON if _is_clear(status) else status


def _is_clear(status: str) -> bool:
    return post.bounce_effect(status) == post.BounceEffect.TURNS_OFF


def _written_text(text: str) -> str:
    """Return the text before the returned email, without subjects."""
    returned = _RETURNED_EMAIL_PATTERN.search(text[:MAX_TEXT_LENGTH])
    return _SUBJECT_PATTERN.sub("", text[: returned.start() if returned else MAX_TEXT_LENGTH])


def _reason(text: str) -> str:
    """Return the server's response in this text, or all of the text from where it may begin."""
    found = _SERVER_RESPONSE_PATTERN.search(text)
    rest = text[found.start() if found else 0 :]
    response = _PARAGRAPH_END_PATTERN.split(rest, maxsplit=1)[0]
    return response if found and post.bounce_status("", response) else rest


def _status_in_text(text: str) -> str:
    return post.bounce_status("", _reason(text))


def _repair_headers(message: Message) -> None:
    """Make the headers readable for `flufl.bounce`, which expects ASCII and a sender."""
    headers = [
        (name, str(value).encode("ascii", "replace").decode()) for name, value in message.items()
    ]
    for name in {name for name, _ in headers}:
        del message[name]
    for name, value in headers:
        message[name] = value
    if not getaddresses([message.get("From", "")]):
        del message["From"]
        message["From"] = "unknown"


def _delivery_report(blocks: Iterable[Message], reason: str) -> EmailReport:
    """Return the report, which is of a failure only if delivery failed for all recipients.

    If there are several recipients, use the status with the mildest effect. `reason` is the text
    to use for blocks without a reason, unless it may be a clear reason for only some of them.
    """
    # Other blocks describe the report itself.
    failures = [each for each in blocks if "Action" in each or "Final-Recipient" in each]
    if len(failures) > 1 and _is_clear(post.bounce_status("", reason)):
        reason = ""
    statuses = [_status_of_block(each, reason) for each in failures]
    are_permanent = [
        status.startswith("5") and _first_word_of_field(each, "Action") == "failed"
        for each, status in zip(failures, statuses, strict=True)
    ]
    if not failures or not all(are_permanent):
        return EmailReport()
    mildest = max(statuses, key=lambda status: post.bounce_effect(status).value)
    recipients = tuple(chain.from_iterable(map(_recipients, failures)))
    return EmailReport(has_failed=True, status=mildest, recipients=recipients)


def _recipients(block: Message) -> Iterator[str]:
    """Yield the recipient's addresses in this block, without their type: "rfc822;ada@b.example"."""
    for name in ("Final-Recipient", "Original-Recipient"):
        words = _field_text(block, name).rpartition(";")[2].split()
        yield from (each for each in words if "@" in each)


def _status_of_block(block: Message, reason: str) -> str:
    status = _field_text(block, "Status")
    found = _STATUS_PATTERN.match(status)
    code, comment = (found[1], status[found.end() :]) if found else ("", "")
    diagnosis = _field_text(block, "Diagnostic-Code")
    if not diagnosis and post.bounce_effect(code) == post.BounceEffect.COUNTS:
        diagnosis = reason
    return post.bounce_status(code, f"{diagnosis} {comment}") or post.CODE_WITHOUT_REASON


def _feedback_report(part: Message, parts: Sequence[Message]) -> EmailReport:
    fields = next(_field_blocks(part), Message())
    if _first_word_of_field(fields, "Feedback-Type") not in _COMPLAINT_TYPES:
        return EmailReport()
    senders = [_field_text(fields, "Original-Mail-From")]
    senders += [
        _field_text(headers, "Return-Path") for each in parts for headers in _original_headers(each)
    ]
    return EmailReport(is_complaint=True, senders=tuple(filter(None, senders)))


def _original_headers(part: Message) -> Iterator[Message]:
    """Yield the headers of the reported email if they are in this part."""
    kind, payload = part.get_content_type(), part.get_payload()
    if kind == "message/rfc822" and isinstance(payload, list):
        yield from (each for each in payload[:1] if isinstance(each, Message))
    elif kind in _HEADER_PART_TYPES and isinstance(payload, str):
        yield HeaderParser().parsestr(payload[:MAX_TEXT_LENGTH])


def _field_blocks(part: Message) -> Iterator[Message]:
    """Yield the fields of each block of a report. Blocks are separated by empty lines."""
    payload = part.get_payload()
    for block in payload[:MAX_BLOCKS] if isinstance(payload, list) else ():
        if not isinstance(block, Message):
            continue
        yield block
        # Python's parser treats all blocks except the first as text if it does not know the type.
        rest = block.get_payload()
        for text in _paragraphs(rest) if isinstance(rest, str) else ():
            yield HeaderParser().parsestr(text)


def _paragraphs(text: str) -> list[str]:
    found = _PARAGRAPH_END_PATTERN.split(text[:MAX_TEXT_LENGTH].strip())
    return [each for each in found if each.strip()][:MAX_BLOCKS]


def _first_word_of_field(block: Message, name: str) -> str:
    found = _WORD_PATTERN.match(_field_text(block, name))
    return found[1].casefold() if found else ""


def _field_text(block: Message, name: str) -> str:
    raw = next((text for each, text in block.raw_items() if each.casefold() == name.casefold()), "")
    text = str(raw)[:MAX_FIELD_LENGTH].encode("utf-8", "surrogateescape")
    return text.decode("utf-8", "replace").strip()
