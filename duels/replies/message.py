"""Parser for the parts of incoming emails that are needed for replies.

Emails may contain anything, but the only error raised is `UnreadableMail`. Their size and depth,
and the length of parts that are slow to parse, are limited before parsing.
"""

import codecs
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from copy import copy
from dataclasses import dataclass, replace
from email import message_from_bytes, policy
from email.header import decode_header, make_header
from email.message import Message
from email.utils import getaddresses
from itertools import groupby, pairwise
from typing import Final

from duels.email_addresses import canonical_address
from duels.replies.automatic import is_automatic
from duels.replies.html_text import MAX_TEXT_LENGTH as MAX_HTML_LENGTH
from duels.replies.html_text import html_to_text
from duels.replies.own_text import MAX_TEXT_LENGTH, is_long_speech, join_flowed_lines
from duels.replies.report import EmailReport, read_report, read_unstructured_report
from duels.typed_text import clean_line

MAX_BYTES: Final = 1_000_000  # limit without attachments; the rest is cut off
MAX_ENCODED_BYTES: Final = 300_000  # longer runs of base64 are attachments, or cut off if text
MAX_MULTIPARTS: Final = 20
MAX_PARTS: Final = 50
MAX_BLOCKS: Final = 2_000  # blocks between empty lines, which Python parses as messages
MAX_CONTENT_TYPE_LENGTH: Final = 2_000
MAX_HEADER_LENGTH: Final = 2_000
MAX_HEADERS: Final = 1_000
MAX_HEADER_BYTES: Final = 100_000
MAX_TEXT_BYTES: Final = 200_000
MAX_FAILURE_BYTES: Final = 20_000

_TEXT_PART_PATTERN = re.compile(rb"content-type:\s*(text/)?", re.IGNORECASE)
_BASE64_PATTERN = re.compile(rb"[A-Za-z0-9+/]{40,}={0,2}\r?")
# The first line that is not base64, and everything after it.
_NOT_BASE64_PATTERN = re.compile(r"^(?:[^A-Za-z0-9+/=\s]|\S+[ \t]+\S).*", re.MULTILINE | re.DOTALL)
_NESTED_PART_PATTERN = re.compile(
    rb"^content-type:\s*(?:multipart|message)/", re.IGNORECASE | re.MULTILINE
)
_STATUS_REPORT_PATTERN = re.compile(rb"delivery-status", re.IGNORECASE)
_CONTENT_TYPE_PATTERN = re.compile(
    rb"^content-(?:type|disposition|transfer-encoding):[^\n]*(?:\n[ \t][^\n]*)*",
    re.IGNORECASE | re.MULTILINE,
)
_CHARSET_PATTERN = re.compile(
    r"utf.?(?:7|8|16|32).*|ascii|iso8859.*|cp\d+|koi8.*|mac.*|gb.*|big5.*|euc.*|shift.*|iso2022.*"
    r"|tis.?620|hz|johab|hp.roman8|kz1048|ptcp154"
)
_SINGLE_BYTE_PATTERN = re.compile(r"ascii|iso8859.*|cp125\d|koi8.*|mac.*")
# Characters of Windows-1252 by the control characters of ISO 8859-1, which many programs declare
# instead.
_WINDOWS_CHARACTERS: Final = {
    number: bytes([number]).decode("cp1252", "ignore") for number in range(0x80, 0xA0)
}
# Headers that contain the delivery address, most reliable first.
_RECIPIENT_HEADERS: Final = (
    "Delivered-To",
    "X-Original-To",
    "Envelope-To",
    "X-Envelope-To",
    "To",
    "Cc",
)
_READABLE_TYPES: Final = ("text/plain", "text/html")
_SIGNATURE_TYPES: Final = (
    "application/pgp-keys",
    "application/pgp-signature",
    "application/pkcs7-signature",
    "application/x-pkcs7-signature",
)
# A name that is an address without quotation marks, which newer versions of Python reject.
_ADDRESS_AS_NAME_PATTERN = re.compile(r"^\s*([^\s\"<>,;:()]{1,320}@[^\s\"<>,;:()]{1,320})\s*<")
_ADDRESS_PATTERN = re.compile(r"[\w.+=-]{1,64}@[\w.\N{IDEOGRAPHIC FULL STOP}-]{1,255}")


class UnreadableMail(Exception):
    """Error for input that is not an email or is nested too deeply."""


@dataclass(frozen=True)
class ParsedEmail:
    """The parts of an email needed for replies. `text` includes quotations.

    `other_text` is the HTML version of the same email, if `text` is the plain version.
    """

    sender: str  # the sender's canonical address, or ""
    name: str  # the sender's display name, or ""
    recipients: tuple[str, ...]
    is_automatic: bool  # sent by a program, so do not respond
    text: str
    other_text: str = ""
    failed_dmarc_at: tuple[str, ...] = ()  # names of the servers that report a failure
    message_id: str = ""
    date: str = ""
    is_cut: bool = False  # whether the email was too long
    has_attachments: bool = False  # apart from pictures in the text and cryptographic signatures
    report: EmailReport | None = None  # set if this is a report about one of the site's emails


def parse_email(raw: bytes) -> ParsedEmail:
    """Parse an email. Raise `UnreadableMail` if it cannot be read."""
    try:
        short = _without_attachments(raw)
        letter = _parsed_email(short[:MAX_BYTES])
        return replace(letter, is_cut=letter.is_cut or len(short) > MAX_BYTES)
    except UnreadableMail:
        raise
    except Exception as error:  # of a library, for unexpected input
        raise UnreadableMail(type(error).__name__) from None


def parse_failure(
    raw: bytes, letter: ParsedEmail, is_reader: Callable[[str], bool], own: Collection[str]
) -> EmailReport | None:
    """Return the delivery failure that an email to a bounce address reports, or None. Raise
    `UnreadableMail` if the email cannot be read.

    `is_reader` recognises the address of the returned email's reader. `own` contains addresses of
    the site, which the report may name as well.

    Mail servers use many formats, but the end of a long email contains only the returned email, so
    it is ignored.
    """
    try:
        message = _parse_message(raw[:MAX_FAILURE_BYTES])
        return read_unstructured_report(message, letter.text, is_reader, own)
    except UnreadableMail:
        raise
    except Exception as error:  # of a library, for unexpected input
        raise UnreadableMail(type(error).__name__) from None


def _without_attachments(raw: bytes) -> bytes:
    """Remove long runs of base64 from a long email, so that text after a picture is not cut off.

    Keep the beginning of encoded text.
    """
    if len(raw) <= MAX_BYTES:
        return raw
    kept: list[bytes] = []
    is_text = True
    for is_encoded, run in groupby(
        raw.split(b"\n"), key=lambda line: bool(_BASE64_PATTERN.fullmatch(line))
    ):
        lines = list(run)
        if is_encoded and sum(map(len, lines)) > MAX_ENCODED_BYTES:
            lines = lines[: MAX_ENCODED_BYTES // len(lines[0])] if is_text else []
        elif kinds := [found for line in lines if (found := _TEXT_PART_PATTERN.match(line))]:
            is_text = bool(kinds[-1][1])
        kept += lines
    return b"\n".join(kept)


def _parse_message(raw: bytes) -> Message:
    raw = raw.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    if raw.startswith(b"From "):  # some pipes send the first line of a mailbox file
        raw = raw.partition(b"\n")[2]
    if len(_NESTED_PART_PATTERN.findall(raw)) > MAX_MULTIPARTS:
        raise UnreadableMail("too deeply nested")
    if raw.count(b"\n\n") > MAX_BLOCKS and _STATUS_REPORT_PATTERN.search(raw):
        raise UnreadableMail("the report is too long")
    if any(
        len(found[0]) > MAX_CONTENT_TYPE_LENGTH for found in _CONTENT_TYPE_PATTERN.finditer(raw)
    ):
        raise UnreadableMail("a header is too long")
    is_long = len(raw) > MAX_HEADER_BYTES
    if is_long and b"\n\n" not in b"\n" + raw[:MAX_HEADER_BYTES]:
        raise UnreadableMail("a header is too long")
    message: Message = message_from_bytes(raw, policy=policy.compat32)
    return message


def _parsed_email(raw: bytes) -> ParsedEmail:
    message = _parse_message(raw)
    name, sender = _sender_name_and_address(message)
    headers = _first_headers(message)
    read = _readable_text(message)
    return ParsedEmail(
        sender=sender,
        name=name,
        recipients=tuple(dict.fromkeys(_recipients(message))),
        is_automatic=is_automatic(message, headers, sender),
        text=read.text,
        other_text=read.other,
        is_cut=read.is_cut,
        has_attachments=any(map(_is_attachment, _parts(message))),
        failed_dmarc_at=tuple(_servers_with_failed_dmarc(message)),
        message_id=headers.get("message-id", "").strip(),
        date=headers.get("date", "").strip(),
        report=read_report(list(_parts(message)), read.text),
    )


def _first_headers(message: Message) -> dict[str, str]:
    """Return the first header of each name, by the name in lower case."""
    found = [*message.raw_items()][:MAX_HEADERS]
    return {name.casefold(): _decode_header(_decode_utf8(value)) for name, value in reversed(found)}


def _raw_headers(message: Message, name: str) -> list[str]:
    raw = [value for each, value in message.raw_items() if each.casefold() == name.casefold()]
    return [_decode_utf8(value) for value in raw[:20]]


def _decode_utf8(value: object) -> str:
    """Decode a UTF-8 header (RFC 6532), which Python's parser reads as ASCII."""
    text = str(value)[:MAX_HEADER_LENGTH]
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _headers(message: Message, name: str) -> list[str]:
    return [_decode_header(value) for value in _raw_headers(message, name)]


def _decode_header(value: str) -> str:
    try:
        return _without_surrogates(str(make_header(decode_header(value))))
    except (ValueError, LookupError):
        return _without_surrogates(value)


def _recipients(message: Message) -> Iterator[str]:
    for name in _RECIPIENT_HEADERS:
        for value in _headers(message, name):
            yield from (found.casefold() for found in _ADDRESS_PATTERN.findall(value))


def _sender_name_and_address(message: Message) -> tuple[str, str]:
    """Return the sender's name and address, or no address if there are several different ones.

    Parse the headers before decoding them, because decoded names can contain commas and brackets.
    """
    raw = [
        _ADDRESS_AS_NAME_PATTERN.sub(r'"\1" <', value.replace("\N{FULLWIDTH COMMERCIAL AT}", "@"))
        for value in _raw_headers(message, "From")
    ]
    found = getaddresses(raw)
    if not any("@" in address for _, address in found):
        found = getaddresses([*map(_decode_header, raw)])
    # Decode the two parts separately, because decoding them together would insert a space.
    names = {
        canonical_address("@".join(map(_decode_header, address.rsplit("@", 1)))): name
        for name, address in found
        if "@" in address
    }
    if len(names) != 1:
        return _decode_header(found[0][0]) if found else "", ""
    ((sender, name),) = names.items()
    return _decode_header(name), sender


def _servers_with_failed_dmarc(message: Message) -> Iterator[str]:
    for value in _headers(message, "Authentication-Results"):
        server, _, results = value.partition(";")
        if re.search(r"\bdmarc\s*=\s*fail\b", results, re.IGNORECASE):
            yield server.split()[0].casefold() if server.split() else ""


@dataclass(frozen=True)
class _ReadableText:
    """The text of some parts of an email.

    `other` is the HTML version, if the plain version was used. `is_cut` is true if the end of the
    text is missing because of its length.
    """

    text: str = ""
    other: str = ""
    is_cut: bool = False


def _readable_text(part: Message) -> _ReadableText:
    """Return the text of the parts that are not attachments."""
    kind = part.get_content_type()
    if part.get_content_maintype() == "multipart":
        if not part.is_multipart():
            return _part_text(part)  # its boundary is missing or wrong
        parts = _child_parts(part)[:MAX_PARTS]
        return _best_text(parts) if kind == "multipart/alternative" else _joined_texts(parts)
    if kind not in _READABLE_TYPES or part.get_content_disposition() == "attachment":
        return _ReadableText()
    if kind == "text/plain":
        return _plain_text(part)
    html = _part_text(part)
    is_cut = html.is_cut or len(html.text) > MAX_HTML_LENGTH
    return _ReadableText(html_to_text(html.text), is_cut=is_cut)


def _is_attachment(part: Message) -> bool:
    """Return whether the author may have written orders in this part, which is not read."""
    if part.get_content_disposition() == "attachment":
        return part.get_content_type() not in _SIGNATURE_TYPES
    is_read = part.get_content_type() in (*_READABLE_TYPES, *_SIGNATURE_TYPES)
    return not is_read and part.get_content_maintype() != "image"


def _child_parts(message: Message) -> list[Message]:
    payload = message.get_payload()
    parts = payload if isinstance(payload, list) else []
    return [each for each in parts if isinstance(each, Message)]


def _best_text(parts: Sequence[Message]) -> _ReadableText:
    """Return the text of the plain-text parts, or of the HTML parts if that is better.

    The HTML is better if the plain text is empty, or if the email program has broken its paragraphs
    into lines.
    """
    texts = [(part.get_content_type() == "text/plain", _readable_text(part)) for part in parts]
    texts = [(is_plain, found) for is_plain, found in texts if clean_line(found.text)]
    plain = next((found for is_plain, found in texts if is_plain), None)
    html = next((found for is_plain, found in texts if not is_plain), None)
    if plain is not None and not _has_broken_speech(plain.text):
        return replace(plain, other=html.text if html is not None else "")
    return html or plain or _ReadableText()


def _has_broken_speech(text: str) -> bool:
    lines = text.split("\n")
    return any(is_long_speech(line) and following.strip() for line, following in pairwise(lines))


def _joined_texts(parts: Sequence[Message]) -> _ReadableText:
    """Return the texts of all parts, which may be separated by pictures. Omit repeated texts."""
    texts: list[_ReadableText] = []
    for found in map(_readable_text, parts):
        words = found.text.replace(">", " ").split()
        if words and words not in [each.text.replace(">", " ").split() for each in texts]:
            texts.append(found)
    return _ReadableText(
        "\n".join(each.text for each in texts),
        "\n".join(each.other for each in texts if each.other),
        any(each.is_cut for each in texts),
    )


def _parts(message: Message) -> Iterator[Message]:
    """Yield all parts of the email, without the parts of emails attached to it."""
    waiting = [message]
    for _ in range(MAX_PARTS):
        if not waiting:
            return
        part = waiting.pop(0)
        if part.get_content_maintype() == "multipart":
            waiting = _child_parts(part) + waiting
        else:
            yield part


def _plain_text(part: Message) -> _ReadableText:
    found = _part_text(part)
    if str(part.get_param("format", "")).casefold() != "flowed":
        return found
    deletes_space = str(part.get_param("delsp", "")).casefold() == "yes"
    text = join_flowed_lines(found.text[:MAX_TEXT_LENGTH], deletes_space=deletes_space)
    return _ReadableText(text, is_cut=found.is_cut or len(found.text) > MAX_TEXT_LENGTH)


def _without_surrogates(text: str) -> str:
    """Return the text without surrogates, which can be in UTF-7 text and raw headers."""
    return text.encode("utf-8", "replace").decode()


def _part_text(part: Message) -> _ReadableText:
    """Return the text of the part, even if its declared charset is wrong."""
    payload = _decoded_bytes(part)
    is_cut = len(payload) > MAX_TEXT_BYTES
    return _ReadableText(
        _decoded_text(payload[:MAX_TEXT_BYTES], _charset(part), is_cut=is_cut), is_cut=is_cut
    )


def _decoded_bytes(part: Message) -> bytes:
    """Return the decoded content of the part.

    Some mailing lists add plain text below base64, and some programs declare plain text as base64.
    """
    encoded = part.get_payload()
    plain = b""
    is_base64 = str(part.get("Content-Transfer-Encoding", "")).strip().casefold() == "base64"
    if is_base64 and isinstance(encoded, str) and (found := _NOT_BASE64_PATTERN.search(encoded)):
        plain = b"\n" + found[0].encode(errors="replace")
        part = copy(part)
        part.set_payload(encoded[: found.start()])
    payload = part.get_payload(decode=True)
    return payload + plain if isinstance(payload, bytes) else plain


def _decoded_text(body: bytes, charset: str, *, is_cut: bool) -> str:
    """Decode the body by its declared charset or, if that is wrong, as UTF-8.

    Text in a charset with one byte for each character is almost never valid UTF-8. If it is, the
    declared charset is wrong.
    """
    charsets = (charset, "utf-8")
    for name in reversed(charsets) if _SINGLE_BYTE_PATTERN.fullmatch(charset) else charsets:
        try:
            # If the text is cut off, its last character may be incomplete.
            decoder = codecs.getincrementaldecoder(name)()
            text = _without_surrogates(decoder.decode(body, final=not is_cut))
            return text.translate(_WINDOWS_CHARACTERS)
        except (ValueError, LookupError):
            continue
    return body.decode("cp1252", "replace")


def _charset(part: Message) -> str:
    """Return the part's charset if it is known, otherwise "utf-8"."""
    try:
        name = codecs.lookup(str(part.get_content_charset("utf-8"))).name
    except (LookupError, ValueError):
        return "utf-8"
    return name if _CHARSET_PATTERN.fullmatch(name) else "utf-8"
