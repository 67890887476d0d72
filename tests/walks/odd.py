"""Malformed requests to every URL, from every kind of sender.

`OddRequests(addresses, forms).request(random)` makes one. Most requests are nearly correct, because
the site rejects completely wrong requests early: the address exists, the token is valid, and the
form comes from a page, with a field or two changed, removed, added or misnamed.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from random import Random
from typing import Final
from urllib.parse import quote_from_bytes

from engine.gestures import GESTURES
from engine.ids import SET_HANDS
from engine.orders import ADVANCE_ANSWERS
from engine.play import HAND_FIELD_NAMES
from tests.walks.addresses import ARGUMENT_PATTERN, Address
from tests.walks.fields import TOKEN_FIELD as TOKEN_FIELD
from tests.walks.fields import field_names, order_field_names
from tests.walks.forms import RenderedForm

ADA, OPERATOR, GUEST = "ada", "operator", "guest"
DORN = "dorn, who has no business here"
NOBODY, STRANGER = "nobody", "with cookies of nobody"
MAX_COUNTED_FIELDS: Final = 20  # number of fields beyond which a form is not chosen more often
WEIGHTED_SENDERS: Final = (ADA, ADA, ADA, ADA, ADA, DORN, GUEST, NOBODY, STRANGER)
TOKEN = "abcdefghijklmnopqrstuvwxyzABCDEF"  # the CSRF token, in the cookie and in forms

ODD_TEXTS: Sequence[bytes] = (
    b"",
    b"0",
    b"1",
    b"-1",
    b"01",
    b"1.5",
    b"1e9",
    b"NaN",
    b"9" * 18,
    b"9" * 19,
    b"9" * 40,
    b"9" * 5000,
    b"x" * 3000,
    b"\0",
    b"a\0b",
    b"\xff",
    b"\xed\xa0\x80",
    b"\xf0\x28\x8c\x28",
    *(each.encode() for each in ("ä", "\u202e", "\ufb01", "\uff11", "\U0001f70f", "\u0131")),
    b"a b",
    b"9" * 30,
    b"9" * 400,
    b"x" * 501,
    "\ud7ff".encode(),
    b"None",
    b":",
    b".",
    b"..",
    b"../../etc/passwd",
    b"%",
    b"%00",
    b"%zz",
    b"+",
    b" ",
    b"\r\nX-Odd: 1",
    b"a;b",
    b"<script>",
    b"'\"",
    b"{{7*7}}",
    b"${7*7}",
    b"' OR 1=1 --",
    b"[]",
    b"{}",
    b"null",
    b"true",
    b"//evil.example",
    b"https://evil.example/",
    b"javascript:alert(1)",
    b"\\\\evil.example",
    b"ada",
    b"bartle-1",
    b"yes",
    b"seal",
    b"draft",
    b"look",
    b"read",
    b"drop",
    b"take_back",
    b"w0",
    b"w1",
    b"w9",
    b"m0",
    b"m",
    b"L:w0",
    b"nowhere",
    b"no_one",
    b"attacker",
    b"shield",
    *(each.encode() for each in (*GESTURES, *HAND_FIELD_NAMES, *SET_HANDS)),
    *(each.encode() for options in ADVANCE_ANSWERS.values() for each in options),
    b"2026-13-45",
    b"0000-00-00",
    b"9999-12-31",
    b"Europe/Nowhere",
    b"../zone",
    b"24:61",
    b"a@b",
    b"ada@example.org",
    b"@",
    b"a@" + b"b" * 300,
    b"W P\nleft: S",
    b"turn 1: " * 50,
)
WEIGHTED_METHODS = (
    *("POST",) * 8,
    *("GET",) * 6,
    "HEAD",
    "PUT",
    "PATCH",
    "DELETE",
    "OPTIONS",
    "TRACE",
    "CONNECT",
    "BREW",
    "get",
    "",
)
FORM, PARTS, JSON = "application/x-www-form-urlencoded", "multipart/form-data", "application/json"
CONTENT_TYPES = (
    FORM,
    f"{FORM}; charset=utf-8",
    f"{FORM}; charset=latin-1",
    f"{FORM}; charset=utf-16",
    PARTS,
    f"{PARTS}; boundary=x",
    f"{PARTS}; boundary=x; charset=utf-7",
    f"{PARTS}; boundary=",
    f"{PARTS}; boundary={'x' * 300}",
    f"{PARTS}; boundary=\xff",
    f"{JSON}; charset=hex",
    JSON,
    "text/plain",
    "text/plain; charset*=runes''x",
    "a/b; charset*=utf-8''%ff",
    "",
    ";",
    "/",
    "message/rfc822",
    "application/octet-stream",
    "x" * 2000,
    "text/plain; charset=\xff",
)
ODD_HEADERS = (
    "HTTP_ACCEPT",
    "HTTP_ACCEPT_ENCODING",
    "HTTP_ACCEPT_LANGUAGE",
    "HTTP_AUTHORIZATION",
    "HTTP_IF_MODIFIED_SINCE",
    "HTTP_IF_NONE_MATCH",
    "HTTP_IF_MATCH",
    "HTTP_RANGE",
    "HTTP_HOST",
    "HTTP_ORIGIN",
    "HTTP_REFERER",
    "HTTP_USER_AGENT",
    "HTTP_CONTENT_ENCODING",
    "HTTP_HX_REQUEST",
    "HTTP_HX_CURRENT_URL",
    "HTTP_HX_TARGET",
    "HTTP_X_REQUESTED_WITH",
    "HTTP_X_FORWARDED_FOR",
    "HTTP_X_FORWARDED_PROTO",
    "HTTP_X_CSRFTOKEN",
    "HTTP_COOKIE",
    "HTTP_TRANSFER_ENCODING",
    "HTTP_X_HTTP_METHOD_OVERRIDE",
    "REMOTE_ADDR",
    "CONTENT_LENGTH",
)


@dataclass(frozen=True)
class OddRequest:
    """A request in the form that a web server passes to the site.

    `path` is decoded once, and each of its characters stands for a byte.
    """

    who: str
    method: str
    path: str
    body: bytes = b""
    environ: dict[str, str] = field(default_factory=dict)


_PIECE_PATTERN = re.compile(r"[:._-]|(?<=[a-z])(?=[0-9])")
_KIND_PATTERN = re.compile(r"[a-z]*")

Pairs = list[tuple[bytes, bytes]]


class OddRequests:
    """A generator of malformed requests to these addresses.

    `forms` maps the route of a target to forms of pages, so that a form about one duel is also sent
    to other duels.
    """

    def __init__(
        self, addresses: Sequence[Address], forms: Mapping[str, Sequence[RenderedForm]]
    ) -> None:
        self.forms = forms
        self.of_admin = [each for each in addresses if _is_under(each, "admin")]
        self.others = [each for each in addresses if not _is_under(each, "admin")]
        self.with_form = [each for each in self.others if each.route in forms]
        sizes = (max(len(form.fields) for form in forms[each.route]) for each in self.with_form)
        self.weights = list(accumulate(2 + min(size, MAX_COUNTED_FIELDS) for size in sizes))
        known = field_names()
        starts = (
            pattern.pattern.replace("\\", "").replace(".+", "0") for pattern in known.patterns
        )
        self.names = sorted(known.whole.difference(order_field_names())) + sorted(starts)
        kinds: dict[str, list[str]] = {}
        for name in order_field_names():
            kinds.setdefault(_letters_at_start(name), []).append(name)
        self.order_names = list(kinds.values())

    def request(self, random: Random) -> OddRequest:
        """Make one malformed request."""
        address = self._address(random)
        content_type, body = self._body(random, address)
        environ = {
            "CONTENT_TYPE": content_type,
            "QUERY_STRING": self._query(random),
            "HTTP_X_CSRFTOKEN": TOKEN,
        }
        for name in random.sample(ODD_HEADERS, random.choice((0, 0, 0, 1, 2))):
            value = _random_text(random).decode("latin-1")
            environ[name] = value.replace("\n", "").replace("\r", "")
        is_operators = _is_under(address, "admin") or _is_under(address, "desk")
        return OddRequest(
            who=OPERATOR if is_operators else random.choice(WEIGHTED_SENDERS),
            method=self._method(random, address),
            path=_random_path(random, address),
            body=body,
            environ=environ,
        )

    def _address(self, random: Random) -> Address:
        """Return an address, usually with a form. Forms with many fields are chosen more often."""
        kind = random.randrange(12)
        if kind == 0:
            return random.choice(self.of_admin)
        if kind < 4:
            return random.choice(self.others)
        return random.choices(self.with_form, cum_weights=self.weights)[0]

    def _method(self, random: Random, address: Address) -> str:
        has_form = address.route in self.forms
        return "POST" if has_form and random.randrange(4) else random.choice(WEIGHTED_METHODS)

    def _query(self, random: Random) -> str:
        if random.randrange(10) == 0:
            return _random_text(random).decode("latin-1")
        return (
            _url_encoded_form(self._pairs(random)).decode("latin-1") if random.randrange(2) else ""
        )

    def _body(self, random: Random, address: Address) -> tuple[str, bytes]:
        """Return a content type and a body: a form with a valid token, JSON, or anything else."""
        kind = random.randrange(10)
        if kind == 0:
            return random.choice(CONTENT_TYPES), _random_text(random)
        if kind == 1:
            return _random_json(random)
        forms = self.forms.get(address.route, ())
        is_known = bool(forms) and random.randrange(8) > 0
        fields = self._odd_form(random, random.choice(forms)) if is_known else self._pairs(random)
        if kind == 2:
            return _multipart_form(random, fields)
        fields = [(TOKEN_FIELD.encode(), TOKEN.encode()), *fields]
        return random.choice((FORM, FORM, FORM, f"{FORM}; charset=UTF-8")), _url_encoded_form(
            fields
        )

    def _odd_form(self, random: Random, form: RenderedForm) -> Pairs:
        """Return the form as a browser would send it, except for up to three errors."""
        fields = [
            (name.encode(), random.choice(values).encode())
            for name, values in form.fields
            if name != TOKEN_FIELD
        ]
        for _ in range(random.randrange(4)):
            place = random.randrange(len(fields) + 1)
            if place == len(fields) or random.randrange(2):
                fields.insert(place, (self._name(random), _random_text(random)))
            elif random.randrange(3):
                fields[place] = fields[place][0], _random_text(random)
            else:
                del fields[place]
        return fields

    def _pairs(self, random: Random) -> Pairs:
        return [(self._name(random), _random_text(random)) for _ in range(random.randrange(7))]

    def _name(self, random: Random) -> bytes:
        """Return the name of a field (often of an order field, sometimes corrupt), or any text."""
        kind = random.randrange(10)
        if kind == 0:
            return _random_text(random)
        name = random.choice(random.choice((self.names, *[random.choice(self.order_names)] * 2)))
        return (_corrupted_name(random, name) if kind < 4 else name).encode()


def _letters_at_start(name: str) -> str:
    found = _KIND_PATTERN.match(name)
    return found[0] if found else ""


def _corrupted_name(random: Random, name: str) -> str:
    """Return the name without its end, without its beginning, or with something appended."""
    cuts = [found.end() for found in _PIECE_PATTERN.finditer(name)] or [
        random.randrange(len(name) + 1)
    ]
    cut = random.choice(cuts)
    return random.choice(
        (name[:cut], name[: cut - 1], name[cut:], f"{name}2", f"{name}:", f"{name}3")
    )


def _random_text(random: Random) -> bytes:
    return (
        random.randbytes(random.randrange(13))
        if random.randrange(8) == 0
        else random.choice(ODD_TEXTS)
    )


def _is_under(address: Address, place: str) -> bool:
    return address.path.startswith(f"/{place}/")


def _random_path(random: Random, address: Address) -> str:
    """Return the address, sometimes with malformed arguments or with text appended."""
    kind = random.randrange(10)
    if kind == 0:
        return address.path + _random_text(random).decode("latin-1")
    if kind < 8 or not address.arguments:
        return address.path
    plain = address.route.replace("^", "").replace("$", "")

    def malformed_argument(found: re.Match[str]) -> str:
        name = found[1] or found[2]
        return (
            _random_text(random).decode("latin-1")
            if random.randrange(2)
            else address.arguments[name]
        )

    return "/" + ARGUMENT_PATTERN.sub(malformed_argument, plain)


def _url_encoded_form(fields: Pairs) -> bytes:
    text = "&".join(f"{quote_from_bytes(name)}={quote_from_bytes(value)}" for name, value in fields)
    return text.encode()


def _multipart_form(random: Random, fields: Pairs) -> tuple[str, bytes]:
    """Return a multipart form with a valid token; a part may be a file or have bad headers."""
    parts = [f'Content-Disposition: form-data; name="{TOKEN_FIELD}"\r\n\r\n{TOKEN}'.encode()]
    for name, value in fields:
        head = b'Content-Disposition: form-data; name="' + name + b'"'
        head += random.choice((b"", b"", b'; filename="' + value + b'"', b"; filename*=x"))
        head += random.choice((b"", b"", b"\r\nContent-Transfer-Encoding: base64"))
        head += random.choice((b"", b"", b"\r\nContent-Type: " + value))
        parts.append(head + b"\r\n\r\n" + value)
    body = b"".join(b"--x\r\n" + part + b"\r\n" for part in parts)
    return f"{PARTS}; boundary=x", body + random.choice((b"--x--\r\n", b"--x", b""))


def _random_json(random: Random) -> tuple[str, bytes]:
    """Return JSON of any shape, or text that is not valid JSON."""
    if random.randrange(2):
        return JSON, json.dumps(_random_value(random, 3)).encode()
    return JSON, random.choice((b"[" * 5000, b'"\\ud800"', b"{", b"\xff", b"NaN", b"1e999"))


def _random_value(random: Random, depth: int) -> object:
    text = _random_text(random).decode(errors="surrogateescape")
    kind = random.randrange(8) if depth else random.randrange(6)
    if kind > 5:
        inner = [_random_value(random, depth - 1) for _ in range(random.randrange(4))]
        return (
            inner if kind == 6 else {f"{text}{number}": each for number, each in enumerate(inner)}
        )
    number = random.choice((0, -1, 1.5, 10**40, float("nan"), float("inf")))
    return random.choice((None, True, False, number, text, text))
