"""Requests that no page of ours sends: anything at all, at every address, as anybody.

`odd_requests(addresses)` is a strategy of hypothesis. Most of what it makes is nearly right, since
what is wholly wrong is refused at the door: the address exists, the form's token is good, and some
of the fields are those that are asked for.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from urllib.parse import quote_from_bytes

from hypothesis import strategies as st

from tests.walks.addresses import ARGUMENT, Address

ADA, OPERATOR, GUEST = "ada", "operator", "guest"
NOBODY, STRANGER = "nobody", "with cookies of nobody"
TOKEN = "abcdefghijklmnopqrstuvwxyzABCDEF"  # of forms: in the cookie and in the field

TEXTS: Sequence[bytes] = (
    *(b"", b"0", b"1", b"-1", b"01", b"1.5", b"1e9", b"NaN", b"9" * 18, b"9" * 19, b"9" * 40),
    *(b"9" * 5000, b"x" * 3000, b"\0", b"a\0b", b"\xff", b"\xed\xa0\x80", b"\xf0\x28\x8c\x28"),
    *(each.encode() for each in ("ä", "\u202e", "\ufb01", "\uff11", "\U0001f70f", "\u0131")),
    *(b"..", b"../../etc/passwd", b"%", b"%00", b"%zz", b"+", b" ", b"\r\nX-Odd: 1", b"a;b"),
    *(b"<script>", b"'\"", b"{{7*7}}", b"${7*7}", b"' OR 1=1 --", b"[]", b"{}", b"null", b"true"),
    *(b"//evil.example", b"https://evil.example/", b"javascript:alert(1)", b"\\\\evil.example"),
    *(b"ada", b"bartle-1", b"w0", b"w1", b"W", b"P", b">", b"yes", b"seal", b"draft", b"look"),
    *(b"2026-13-45", b"0000-00-00", b"9999-12-31", b"Europe/Nowhere", b"../zone", b"24:61"),
    *(b"a@b", b"ada@example.org", b"@", b"a@" + b"b" * 300, b"W P\nleft: S", b"turn 1: " * 50),
)
FIELDS: Sequence[bytes] = tuple(
    name.encode()
    for name in (
        *("email", "login", "password", "password1", "password2", "oldpassword", "name", "code"),
        *("pronouns", "to", "opponent", "ruleset", "size", "pace", "visibility", "words", "token"),
        *("pace_number", "pace_unit", "pace_hour", "pace_zone", "excuses", "zone", "guessed_zone"),
        *("next", "action", "action_primary", "remember", "sure", "do", "seen", "when", "hour"),
        *("turn", "form_seal", "left", "right", "left_subject", "right2", "say", "text", "speech"),
        *("text_before", "charmed:w1.L", "victim:m0", "release", "part", "q", "order", "after"),
        *("show", "wizard", "until", "device", "endpoint", "p256dh", "auth", "scheme", "quietly"),
        *("category", "rule", "reason", "duel", "from", "v", "known", "which", "title", "strict"),
        *("credential", "codes", "otp", "session", "amount", "page", "status", "age", "kind"),
    )
)
METHODS = (
    *("POST",) * 6,
    *("GET",) * 4,
    *("HEAD", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "BREW", "get", ""),
)
FORM, PARTS, JSON = "application/x-www-form-urlencoded", "multipart/form-data", "application/json"
TYPES = (
    *(FORM, f"{FORM}; charset=utf-8", f"{FORM}; charset=latin-1", f"{FORM}; charset=utf-16"),
    *(PARTS, f"{PARTS}; boundary=x", f"{PARTS}; boundary=x; charset=utf-7", f"{PARTS}; boundary="),
    *(f"{PARTS}; boundary={'x' * 300}", f"{PARTS}; boundary=\xff", f"{JSON}; charset=hex"),
    *(
        JSON,
        "text/plain",
        "text/plain; charset*=runes''x",
        "a/b; charset*=utf-8''%ff",
        "",
        ";",
        "/",
    ),
    *("message/rfc822", "application/octet-stream", "x" * 2000, "text/plain; charset=\xff"),
)
HEADERS = (
    *("HTTP_ACCEPT", "HTTP_ACCEPT_ENCODING", "HTTP_ACCEPT_LANGUAGE", "HTTP_AUTHORIZATION"),
    *("HTTP_IF_MODIFIED_SINCE", "HTTP_IF_NONE_MATCH", "HTTP_IF_MATCH", "HTTP_RANGE"),
    *("HTTP_HOST", "HTTP_ORIGIN", "HTTP_REFERER", "HTTP_USER_AGENT", "HTTP_CONTENT_ENCODING"),
    *("HTTP_HX_REQUEST", "HTTP_HX_CURRENT_URL", "HTTP_HX_TARGET", "HTTP_X_REQUESTED_WITH"),
    *("HTTP_X_FORWARDED_FOR", "HTTP_X_FORWARDED_PROTO", "HTTP_X_CSRFTOKEN", "HTTP_COOKIE"),
    *("HTTP_TRANSFER_ENCODING", "HTTP_X_HTTP_METHOD_OVERRIDE", "REMOTE_ADDR", "CONTENT_LENGTH"),
)


@dataclass(frozen=True)
class OddRequest:
    """As a web server hands it on: `path` decoded once, every character a byte."""

    who: str
    method: str
    path: str
    body: bytes = b""
    environ: dict[str, str] = field(default_factory=dict)


texts = st.sampled_from(TEXTS) | st.binary(max_size=12)
names = st.sampled_from(FIELDS)
pairs = st.lists(st.tuples(names | texts, texts), max_size=6)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=6,
)


def odd_requests(addresses: Sequence[Address]) -> st.SearchStrategy[OddRequest]:
    """Requests at these addresses."""
    return _odd_request(addresses)


@st.composite
def _odd_request(draw: st.DrawFn, addresses: Sequence[Address]) -> OddRequest:
    is_admins = draw(st.integers(0, 7)) == 0
    address = draw(
        st.sampled_from([each for each in addresses if is_admins == _is_under(each, "admin")])
    )
    content_type, body = draw(st.one_of(_forms(), _parts(), _json(), _anything()))
    query = _encoded(draw(pairs)).decode("latin-1")
    environ = {"CONTENT_TYPE": content_type, "QUERY_STRING": query, "HTTP_X_CSRFTOKEN": TOKEN}
    if draw(st.integers(0, 9)) == 0:
        environ["QUERY_STRING"] = draw(texts).decode("latin-1")
    for name in draw(st.lists(st.sampled_from(HEADERS), max_size=2, unique=True)):
        environ[name] = draw(texts).decode("latin-1").replace("\n", "").replace("\r", "")
    return OddRequest(
        who=OPERATOR
        if is_admins or _is_under(address, "desk")
        else draw(st.sampled_from((ADA, ADA, ADA, GUEST, NOBODY, STRANGER))),
        method=draw(st.sampled_from(METHODS)),
        path=_path(draw, address),
        body=body,
        environ=environ,
    )


def _is_under(address: Address, place: str) -> bool:
    return address.path.startswith(f"/{place}/")


def _path(draw: st.DrawFn, address: Address) -> str:
    """The address, some of its arguments odd, or something odd behind it."""
    kind = draw(st.integers(0, 9))
    if kind == 0:
        return address.path + draw(texts).decode("latin-1")
    if kind < 4 or not address.arguments:
        return address.path
    plain = address.route.replace("^", "").replace("$", "")

    def written(found: re.Match[str]) -> str:
        name = found[1] or found[2]
        is_odd = draw(st.booleans())
        return draw(texts).decode("latin-1") if is_odd else address.arguments[name]

    return "/" + ARGUMENT.sub(written, plain)


def _encoded(fields: Sequence[tuple[bytes, bytes]]) -> bytes:
    text = "&".join(f"{quote_from_bytes(name)}={quote_from_bytes(value)}" for name, value in fields)
    return text.encode()


@st.composite
def _forms(draw: st.DrawFn) -> tuple[str, bytes]:
    """A form with a good token, and odd fields."""
    fields = [(b"csrfmiddlewaretoken", TOKEN.encode()), *draw(pairs)]
    return draw(st.sampled_from((FORM, FORM, FORM, f"{FORM}; charset=UTF-8"))), _encoded(fields)


@st.composite
def _parts(draw: st.DrawFn) -> tuple[str, bytes]:
    """A form in parts, with a good token; a part may be a file, badly packed or badly headed."""
    parts = [b'Content-Disposition: form-data; name="csrfmiddlewaretoken"\r\n\r\n' + TOKEN.encode()]
    for name, value in draw(pairs):
        head = b'Content-Disposition: form-data; name="' + name + b'"'
        head += draw(st.sampled_from((b"", b"", b'; filename="' + value + b'"', b"; filename*=x")))
        head += draw(st.sampled_from((b"", b"", b"\r\nContent-Transfer-Encoding: base64")))
        head += draw(st.sampled_from((b"", b"", b"\r\nContent-Type: " + value)))
        parts.append(head + b"\r\n\r\n" + value)
    body = b"".join(b"--x\r\n" + part + b"\r\n" for part in parts)
    return f"{PARTS}; boundary=x", body + draw(st.sampled_from((b"--x--\r\n", b"--x", b"")))


@st.composite
def _json(draw: st.DrawFn) -> tuple[str, bytes]:
    """JSON of any shape, or something that is none."""
    if draw(st.booleans()):
        return JSON, json.dumps(draw(values)).encode()
    return JSON, draw(st.sampled_from((b"[" * 5000, b'"\\ud800"', b"{", b"\xff", b"NaN", b"1e999")))


@st.composite
def _anything(draw: st.DrawFn) -> tuple[str, bytes]:
    """Any type, with bytes that it does not fit."""
    return draw(st.sampled_from(TYPES)), draw(texts | st.binary(max_size=40))
