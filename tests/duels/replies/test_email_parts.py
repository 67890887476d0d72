"""Orders in pictures, attachments and HTML versions of replies."""

import base64

import pytest

from duels.models import Duel, Orders, Wizard
from duels.replies.public import ReplyOutcome, receive_email
from tests.cast import NOW, Cast
from tests.duels.replies.writing import (
    address_of,
    answer_to,
    last_answer_text,
    reply,
    sealed_fields,
    written,
)

PICTURE = "Content-Type: image/png\nContent-Disposition: inline; filename=x.png\n\nx"


@pytest.mark.parametrize("kind", ["plain", "html"])
def test_text_before_and_after_a_picture_is_read(cast: Cast, duel: Duel, kind: str):
    picture = (
        PICTURE.replace("\n\nx", "\nContent-Transfer-Encoding: base64\n\n")
        + ("A" * 76 + "\n") * 20_000
    )
    parts = [f"Content-Type: text/{kind}\n\nleft P\n", picture]
    parts += [f"Content-Type: text/{kind}\n\n<br>right W\n".replace("<br>" * (kind == "plain"), "")]
    raw = written("", address_of(duel, cast.ada)).rpartition(b"Content-Type")[0].decode()
    inner = "".join(f"--b\n{part}\n" for part in parts) + "--b--\n"
    raw += f"Content-Type: multipart/mixed; boundary=b\n\n{inner}"
    assert receive_email(raw=raw.encode(), now=NOW) == ReplyOutcome.SEALED
    assert sealed_fields(duel, cast.ada) == {"left": "P", "right": "W"}


def multipart_email(duel: Duel, wizard: Wizard, *parts: str) -> bytes:
    """Return an email of several parts, each with its headers, an empty line and its content."""
    inner = "".join(f"--b\n{part}\n" for part in parts) + "--b--\n"
    kind = "multipart/mixed; boundary=b"
    return email_with_body(address_of(duel, wizard), f"\n{inner}".encode(), kind=kind)


NO_TEXT = "Content-Type: text/plain\n\n"


ORDERS_AS_BASE64 = base64.encodebytes(b"left P\nright W").decode()


ATTACHMENTS = {
    "text": "text/plain; name=orders.txt\nContent-Disposition: attachment; filename=orders.txt",
    "HTML": "text/html\nContent-Disposition: attachment; filename=orders.html",
    "Outlook": "application/ms-tnef; name=winmail.dat",
    "RTF": "text/rtf; name=orders.rtf\nContent-Disposition: inline; filename=orders.rtf",
    "Word": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "calendar": "text/calendar",
    "encrypted": "application/pkcs7-mime; smime-type=enveloped-data; name=smime.p7m",
    "photo": "image/jpeg\nContent-Disposition: attachment; filename=orders.jpg",
}


@pytest.mark.parametrize("kind", ATTACHMENTS)
@pytest.mark.parametrize("is_only_part", [True, False])
def test_answer_says_that_orders_in_an_attachment_are_not_read(
    cast: Cast, duel: Duel, kind: str, is_only_part: bool
):
    head = f"Content-Type: {ATTACHMENTS[kind]}\nContent-Transfer-Encoding: base64\n\n"
    attached = head + ORDERS_AS_BASE64
    if is_only_part:
        raw = written("", address_of(duel, cast.ada)).rpartition(b"Content-Type")[0]
        raw += attached.encode()
    else:
        raw = multipart_email(duel, cast.ada, NO_TEXT, attached)
    assert receive_email(raw=raw, now=NOW) == ReplyOutcome.EMPTY
    answer = last_answer_text(cast.ada)
    assert "does not contain any orders" in answer
    assert "copy them into the email itself" in answer


def test_answer_to_an_email_with_attached_orders_mentions_attachments(cast: Cast, duel: Duel):
    attached = f"Content-Type: {ATTACHMENTS['text']}\n\nleft P\nright W\n"
    text = f"{NO_TEXT}My orders are attached.\n"
    raw = multipart_email(duel, cast.ada, text, attached)
    assert receive_email(raw=raw, now=NOW) == ReplyOutcome.UNREADABLE
    assert "Attachments are not read." in answer_to(cast.ada)


@pytest.mark.parametrize(
    "part", ["image/png\nContent-Disposition: inline", "application/pgp-signature"]
)
def test_answer_does_not_mention_attached_signatures_or_logos(cast: Cast, duel: Duel, part: str):
    raw = multipart_email(duel, cast.ada, NO_TEXT, f"Content-Type: {part}; name=x\n\nx")
    assert receive_email(raw=raw, now=NOW) == ReplyOutcome.EMPTY
    assert "Attachments" not in answer_to(cast.ada)


@pytest.mark.parametrize(
    "headers",
    [
        "Content-Type: text/plain\nContent-Disposition: inline; filename=orders.txt",
        "Content-Type: text/plain; name=orders.txt",
        "Content-Type: text/html; name=orders.html",
    ],
)
def test_inline_text_file_is_read(cast: Cast, duel: Duel, headers: str):
    """Only `Content-Disposition: attachment` makes a part an attachment (RFC 2183)."""
    written_text = "left P<br>right W" if "html" in headers else "left P\nright W"
    raw = multipart_email(duel, cast.ada, NO_TEXT, f"{headers}\n\n{written_text}")
    assert receive_email(raw=raw, now=NOW) == ReplyOutcome.SEALED
    assert sealed_fields(duel, cast.ada) == {"left": "P", "right": "W"}


def test_reply_that_is_cut_off_after_a_megabyte_must_be_confirmed(cast: Cast, duel: Duel):
    text = "left P\nright W\n-- \n" + "Ada Lovelace " * 80_000
    assert reply(duel, cast.ada, text) == ReplyOutcome.ASKED


def email_with_body(to: str, body: bytes, *, kind: str = "text/html") -> bytes:
    """Return an email with this body and content type."""
    head = written("", to).rpartition(b"Content-Type")[0]
    return head + f"Content-Type: {kind}\n".encode() + body


def alternative_parts(plain: str, html: str) -> bytes:
    parts = f"--b\nContent-Type: text/plain\n\n{plain}\n--b\nContent-Type: text/html\n\n{html}\n"
    return f"\n{parts}--b--\n".encode()


@pytest.mark.parametrize(
    ("plain", "html", "outcome"),
    [
        ("left P\nright W", "<p>left&nbsp;P</p><p><b>right W</b></p>", ReplyOutcome.SEALED),
        (
            "*left P*\n- right W",
            "<p><b>left P</b></p><ul><li>right W</ul>",
            ReplyOutcome.SEALED,
        ),
        ("left P", "<p>left P</p><p>right W</p>", ReplyOutcome.ASKED),
        ("left P\nright W", "<p>left P</p><p>right F</p>", ReplyOutcome.ASKED),
        ("> left -", "<p>left P</p><p>right W</p>", ReplyOutcome.EMPTY),
        ("\N{ZERO WIDTH SPACE}\n\u00ad", "<p>left P</p><p>right W</p>", ReplyOutcome.SEALED),
    ],
)
def test_orders_only_in_the_html_version_of_a_reply_are_not_dropped(
    cast: Cast, duel: Duel, plain: str, html: str, outcome: ReplyOutcome
):
    kind = "multipart/alternative; boundary=b"
    raw = email_with_body(address_of(duel, cast.ada), alternative_parts(plain, html), kind=kind)
    assert receive_email(raw=raw, now=NOW) == outcome
    if outcome != ReplyOutcome.SEALED:
        assert not Orders.objects.exists()
        assert "right" in last_answer_text(cast.ada)


@pytest.mark.parametrize("length", [5_000, 50_000], ids=["short", "over a megabyte"])
@pytest.mark.parametrize("encoding", ["base64", "8bit"])
def test_reply_must_be_confirmed_if_its_html_is_too_long(
    cast: Cast, duel: Duel, encoding: str, length: int
):
    html = f"<p>left P</p>{'<b style=color:red></b>' * length}<p>right W</p>".encode()
    body = base64.encodebytes(html) if encoding == "base64" else html
    sent = f"Content-Transfer-Encoding: {encoding}\n\n".encode() + body
    raw = email_with_body(address_of(duel, cast.ada), sent)
    assert receive_email(raw=raw, now=NOW) == ReplyOutcome.ASKED
    assert "too long" in last_answer_text(cast.ada)


@pytest.mark.parametrize(
    "html",
    [
        '<div style="font-size: 1em; white-space: pre-wrap">left P\nSAY hi\nright W</div>',
        "<p style=WHITE-SPACE:pre-line>left P\nSAY hi</p><p>right W</p>",
        '<html style="white-space-collapse: preserve-breaks; white-space: pre-line"><body>left P\n'
        "SAY hi\nright W</body></html>",
        "left P\nSAY hi\nright W\n",
        "left P\nSAY hi\nright &#87;\n\nOn Sat, Spellcaster <site@localhost> wrote:\n> left -",
    ],
)
def test_line_ends_of_html_with_preserved_spaces_or_no_elements_are_kept(
    cast: Cast, duel: Duel, html: str
):
    raw = email_with_body(address_of(duel, cast.ada), f"\n{html}".encode())
    assert receive_email(raw=raw, now=NOW) == ReplyOutcome.SEALED
    assert sealed_fields(duel, cast.ada) == {"left": "P", "right": "W", "say": "hi"}


@pytest.mark.parametrize("kind", ["format=flowed", "format=flowed; delsp=yes"])
def test_spaces_at_the_end_of_short_flowed_lines_do_not_join_them(
    cast: Cast, duel: Duel, kind: str
):
    kind = f"text/plain; charset=utf-8; {kind}"
    body = b"\nleft P \nSAY hi \nright W \n"
    raw = email_with_body(address_of(duel, cast.ada), body, kind=kind)
    assert receive_email(raw=raw, now=NOW) == ReplyOutcome.SEALED
    assert sealed_fields(duel, cast.ada) == {"left": "P", "right": "W", "say": "hi"}


@pytest.mark.parametrize(
    ("declared", "actual"),
    [
        ("iso-8859-1", "utf-8"),
        ("windows-1252", "utf-8"),
        ("koi8-r", "utf-8"),
        ("us-ascii", "utf-8"),
        ("utf-8", "windows-1252"),
        ("x-unknown", "iso-8859-1"),
    ],
)
def test_text_is_read_even_if_the_declared_charset_is_wrong(
    cast: Cast, duel: Duel, declared: str, actual: str
):
    """Even if its last character could be the beginning of a longer one."""
    text = "left\N{NO-BREAK SPACE}P\nright W\nSAY Garçon, voilà"
    raw = email_with_body(
        address_of(duel, cast.ada),
        b"\n" + text.encode(actual),
        kind=f"text/plain; charset={declared}\nContent-Transfer-Encoding: 8bit",
    )
    assert receive_email(raw=raw, now=NOW) == ReplyOutcome.SEALED
    assert sealed_fields(duel, cast.ada) == {"left": "P", "right": "W", "say": "Garçon, voilà"}


@pytest.mark.parametrize(
    "body",
    [
        "left P\nright W\n",
        f"{ORDERS_AS_BASE64}\n-- \nDuellists mailing list\n",
        f"{ORDERS_AS_BASE64}_____\nDuellists mailing list\n",
        f"\n{ORDERS_AS_BASE64}\n\nVirus-free. www.example.org\n",
    ],
)
def test_plain_text_in_or_below_base64_is_read(cast: Cast, duel: Duel, body: str):
    kind = "text/plain\nContent-Transfer-Encoding: base64"
    raw = email_with_body(address_of(duel, cast.ada), f"\n{body}".encode(), kind=kind)
    assert receive_email(raw=raw, now=NOW) == ReplyOutcome.SEALED
    assert sealed_fields(duel, cast.ada) == {"left": "P", "right": "W"}


@pytest.mark.parametrize("kind", ["plain", "html"])
def test_text_in_windows_1252_that_is_declared_as_iso_8859_1_is_read(
    cast: Cast, duel: Duel, kind: str
):
    """Otherwise the ellipsis would be a line end."""
    text = "\n<br>left P\n<br>right \N{EN DASH}\n<br>SAY Well\N{HORIZONTAL ELLIPSIS} right W"
    raw = email_with_body(
        address_of(duel, cast.ada),
        text.replace("<br>" * (kind == "plain"), "").encode("windows-1252"),
        kind=f"text/{kind}; charset=iso-8859-1",
    )
    assert receive_email(raw=raw, now=NOW) == ReplyOutcome.SEALED
    fields = {"left": "P", "right": "-", "say": "Well\N{HORIZONTAL ELLIPSIS} right W"}
    assert sealed_fields(duel, cast.ada) == fields
