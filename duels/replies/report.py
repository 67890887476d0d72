"""Parsing of reports about our emails: failures (RFC 3464) and complaints (RFC 5965).

Only the parts that decide whether an address is turned off are read.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from email.message import Message
from email.parser import HeaderParser
from typing import Final

MOST_BLOCKS: Final = 100
MOST_LETTERS: Final = 20_000
LONGEST_FIELD: Final = 2_000

_STATUSES: Final = ("message/delivery-status", "message/global-delivery-status")
_FEEDBACK: Final = "message/feedback-report"
_HEADERS: Final = ("text/rfc822-headers", "message/global-headers")
_COMPLAINTS: Final = frozenset({"abuse", "fraud"})
_STATUS = re.compile(r"\s*([245]\.[0-9]{1,3}\.[0-9]{1,3})\b")
_DIAGNOSTIC = re.compile(r"smtp\s*;\s*[245][0-9][0-9][ -]([245]\.[0-9]{1,3}\.[0-9]{1,3})\b", re.I)
_WORD = re.compile(r"\s*([A-Za-z-]+)")


@dataclass(frozen=True)
class Report:
    """The contents of a report. `senders` are envelope senders of the email in a complaint."""

    has_failed: bool = False  # permanently, for all of its recipients
    is_complaint: bool = False
    status: str = ""  # "5.1.1", for a failure
    senders: tuple[str, ...] = ()


def read_report(message: Message, parts: Sequence[Message]) -> Report | None:
    """Return the report in this email, or None if it is not a report.

    `parts` are its own parts, not those of emails inside it.
    """
    if message.get_content_type() != "multipart/report":
        return None
    for part in parts:
        kind = part.get_content_type()
        if kind in _STATUSES:
            return _of_delivery(part)
        if kind == _FEEDBACK:
            return _of_feedback(part, parts)
    return Report()


def _of_delivery(part: Message) -> Report:
    """Return a failure only if delivery failed for all recipients of an alias."""
    statuses: list[str] = []
    for block in _blocks(part):
        if "Action" not in block and "Final-Recipient" not in block:
            continue  # about the report itself
        status = _status(block)
        if _word(block, "Action") != "failed" or not status.startswith("5"):
            return Report()
        statuses.append(status)
    return Report(has_failed=True, status=statuses[0]) if statuses else Report()


def _status(block: Message) -> str:
    found = _STATUS.match(_field(block, "Status"))
    found = found or _DIAGNOSTIC.match(_field(block, "Diagnostic-Code"))
    return found[1] if found else ""


def _of_feedback(part: Message, parts: Sequence[Message]) -> Report:
    fields = next(_blocks(part), Message())
    if _word(fields, "Feedback-Type") not in _COMPLAINTS:
        return Report()
    senders = [_field(fields, "Original-Mail-From")]
    senders += [_field(headers, "Return-Path") for each in parts for headers in _original(each)]
    return Report(is_complaint=True, senders=tuple(filter(None, senders)))


def _original(part: Message) -> Iterator[Message]:
    """Yield the headers of the reported email if they are in this part."""
    kind, payload = part.get_content_type(), part.get_payload()
    if kind == "message/rfc822" and isinstance(payload, list):
        yield from (each for each in payload[:1] if isinstance(each, Message))
    elif kind in _HEADERS and isinstance(payload, str):
        yield HeaderParser().parsestr(payload[:MOST_LETTERS])


def _blocks(part: Message) -> Iterator[Message]:
    """Yield the fields of a report, which has blocks separated by empty lines."""
    payload = part.get_payload()
    for block in payload[:MOST_BLOCKS] if isinstance(payload, list) else ():
        if not isinstance(block, Message):
            continue
        yield block
        # For types unknown to Python's parser, all blocks except the first are text.
        rest = block.get_payload()
        for text in _paragraphs(rest) if isinstance(rest, str) else ():
            yield HeaderParser().parsestr(text)


def _paragraphs(text: str) -> list[str]:
    found = re.split(r"\n[ \t]*\n", text[:MOST_LETTERS].strip())
    return [each for each in found if each.strip()][:MOST_BLOCKS]


def _word(block: Message, name: str) -> str:
    found = _WORD.match(_field(block, name))
    return found[1].casefold() if found else ""


def _field(block: Message, name: str) -> str:
    return str(block.get(name, ""))[:LONGEST_FIELD].strip()
