"""Replies that quote the site's own emails in the formats of many email programs."""

import pytest

from duels.replies.html_text import html_to_text
from duels.replies.own_text import doubtful_lines, lines_only_in_other, own_text

SITE_ADDRESS = "spellcaster@duels.example"
ORDER_LINES = "left P\nright W"
OWN_EMAIL = """left -
right -

To give orders, reply to this email with lines like these. Each hand makes
one gesture: F P S W D C > or -. To aim your left hand, add a line with
TARGET left and a name. Write above the quoted email: the rest is not read.

Turn 3 of your duel with Bram is waiting for your orders. They are due on
9 November 2026, 21:00 UTC, in 1 day.

Turn 2

  Bram's left hand casts Shield at himself. [Shield]

Open the duel: https://duels.example/duels/12/

--
You get this email because you duel at Spellcaster as Ada.
Its links only open pages and change nothing. To get fewer emails or none:
https://duels.example/mail/off/abc"""
RECEIPT_EMAIL = """Your email has arrived, and your orders for turn 3 of your duel with Bram are
sealed:

  Your left hand makes P.

Open the duel: https://duels.example/duels/12/

--
You get this email because you duel at Spellcaster as Ada."""
NEW_FOOTER = OWN_EMAIL.replace("you duel at", "you are duelling at").replace(
    "Its links only open pages and change nothing", "Opening a link changes nothing"
)
ORDERS_HTML = "<p>left P<br>right W</p>"
QUOTED_HTML = "".join(f"<p>{line}</p>" for line in OWN_EMAIL.split("\n"))
# "From" and "Sent" as translated by email programs.
TRANSLATED_LABELS = (
    ("From", "Sent"), ("Von", "Gesendet"), ("De", "Envoyé"), ("De", "Enviado"), ("Da", "Inviato"),
    ("De", "Enviada"), ("Van", "Verzonden"), ("Från", "Skickat"), ("Fra", "Sendt"),
    ("Lähettäjä", "Lähetetty"), ("Od", "Wysłano"), ("Od", "Odesláno"), ("Od", "Odoslané"),
    ("Feladó", "Elküldve"), ("De la", "Trimis"), ("От", "Отправлено"), ("Від", "Надіслано"),
    ("Από", "Εστάλη"), ("Kimden", "Gönderildi"), ("送信元", "送信日時"), ("发件人", "发送时间"),
    ("寄件者", "寄件日期"), ("보낸 사람", "보낸 날짜"), ("מאת", "נשלח"), ("من", "تاريخ الإرسال"),
)  # fmt: skip


def with_quote_markers(text: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in text.split("\n"))


def split_reply(text: str) -> tuple[str, list[str]]:
    """Return the sender's own text, and lines that may be orders or part of a quotation."""
    doubtful = [
        line
        for line in doubtful_lines(text, [SITE_ADDRESS])
        if line.startswith(("left", "right", "SAY")) and not line.endswith("-")
    ]
    return own_text(text, [SITE_ADDRESS]), doubtful


@pytest.mark.parametrize("colon", [":", " :", "\N{FULLWIDTH COLON}", ":*"])
@pytest.mark.parametrize(
    "ours", [OWN_EMAIL, NEW_FOOTER, RECEIPT_EMAIL], ids=["old", "turn", "receipt"]
)
def test_quoted_headers_without_an_address_are_recognised(colon: str, ours: str):
    for sender, sent in TRANSLATED_LABELS:
        bold = "*" if colon == ":*" else ""
        headers = [
            f"{bold}{sender}{colon} Spellcaster",
            f"{bold}{sent}{colon} 7.11.2026 10:02",
            f"{bold}To{colon} Ada",
            f"{bold}Subject{colon} Your turn against Bram (turn 3)",
        ]
        for order in (headers, headers[1:2] + headers[:1] + headers[2:], headers[::-1]):
            text = "\n".join([ORDER_LINES, "", *order, "", ours])
            assert own_text(text, [SITE_ADDRESS]) == ORDER_LINES, text


@pytest.mark.parametrize(
    "introduction",
    [
        "",
        "====",
        "________________________________",
        "-----Ursprüngliche Nachricht-----",
        "From: Spellcaster\n<spellcaster@duels.example>\nSent: 7 Nov 2026 10:02",
        "From:\nSpellcaster <spellcaster@duels.example>\nDate:\n7 Nov 2026",
        "2026-11-07 10:02 GMT+01:00 Spellcaster <spellcaster@duels.example>:",
        "Spellcaster hat am 7.11.2026 um 10:02 geschrieben:",
        "[spellcaster@duels.example]",
        "Begin forwarded message:\n\nFrom: Spellcaster\nSubject: Your turn",
    ],
)
@pytest.mark.parametrize(
    "ours", [OWN_EMAIL, NEW_FOOTER, RECEIPT_EMAIL], ids=["old", "turn", "receipt"]
)
def test_quotation_of_the_sites_email_is_recognised_by_its_lines(introduction: str, ours: str):
    assert own_text(f"{ORDER_LINES}\n\n{introduction}\n\n{ours}", [SITE_ADDRESS]) == ORDER_LINES
    assert own_text(f"{introduction}\n\n{ours}\n\n{ORDER_LINES}", [SITE_ADDRESS]) == ORDER_LINES
    both = f"left P\n\n{introduction}\n\n{ours}\n\nright W"
    assert own_text(both, [SITE_ADDRESS]) == ORDER_LINES


@pytest.mark.parametrize(
    "introduction",
    [
        "On Sat, 7 Nov 2026 at 10:02, Spellcaster <spellcaster@duels.example> wrote:",
        "7. Nov. 2026, 10:02 von spellcaster@duels.example:",
        "26. 11. 7. 10:02에 Spellcaster이(가) 쓴 글:",
        "On Sat, Nov 7, Spellcaster\n<spellcaster@duels.example>\nwrote:",
        "On Sat, Nov 7, The Duels\n<spellcaster@duels.example>\nwrote:",
        "On Nov 7, 2026,\nat 10:02,\nThe Duels <spellcaster@duels.example> wrote:",
        'Le 7 nov. 2026 10:02, "Spellcaster"\n<spellcaster@duels.example>\na écrit :',
        "Spellcaster <spellcaster@duels.example> schrieb am Sa., 7.\nNov. 2026 um 10:02 Uhr:",
        "",
    ],
)
def test_all_text_around_quoted_lines_with_markers_is_read(introduction: str):
    quoted = f"{introduction}\n{with_quote_markers(OWN_EMAIL)}"
    first, middle, last = quoted.partition("> Turn 2")
    assert split_reply(f"{ORDER_LINES}\n\n{quoted}") == (ORDER_LINES, [])
    assert split_reply(f"{quoted}\n\n{ORDER_LINES}\n-- \nAda") == (ORDER_LINES, [])
    assert split_reply(f"left P\n\n{quoted}\n\nright W\n") == (ORDER_LINES, [])
    text = f"left P\n{first}right W\n{middle}{last}\nSAY hi"
    assert split_reply(text) == (f"{ORDER_LINES}\nSAY hi", [])


def test_word_that_a_line_break_moved_out_of_a_quotation_is_ignored():
    quoted = with_quote_markers(OWN_EMAIL).replace(" reply to this", "\nreply to this", 1)
    assert own_text(f"{ORDER_LINES}\n\n{quoted}", [SITE_ADDRESS]).startswith(ORDER_LINES)
    long = "> " + "x" * 70 + "\nname.\n> y"
    assert own_text(f"{ORDER_LINES}\n\n{long}", [SITE_ADDRESS]) == ORDER_LINES


def test_speech_in_a_quotation_cannot_imitate_its_end():
    """Opponents can choose a speech that the email breaks into these lines."""
    speech = f"Bram says: “Sent by Spellcaster to {'x' * 40}\nright W\n{'-' * 70}\nx”"
    quoted = OWN_EMAIL.replace("Bram's left hand casts", f"{speech}\n\nBram's left hand casts")
    for text in (f"left P\n\nFrom: Spellcaster\n\n{quoted}", f"{quoted}\n\nleft P"):
        assert split_reply(text) == ("left P", ["right W"])


def test_footer_of_a_mailing_list_directly_below_a_quotation_is_not_read():
    footer = f"{'_' * 47}\nDuellists mailing list\nduellists@example.org"
    quoted = with_quote_markers(f"{OWN_EMAIL}{'x' * 60}")
    assert split_reply(f"{ORDER_LINES}\n\n{quoted}\n{footer}") == (ORDER_LINES, [])


def test_order_that_a_line_break_moved_out_of_a_quotation_is_only_a_possible_order():
    marked = with_quote_markers(OWN_EMAIL)
    broken = marked.replace("> Turn 2", f"> Bram says: “{'x' * 60}\nright W\n> Turn 2")
    assert split_reply(f"left P\n\n{broken}") == ("left P", ["right W"])
    assert split_reply(f"{marked}\n> {'x' * 60}\nright W") == ("right W", [])


@pytest.mark.parametrize("divider", ["---", "***", "====", "Thanks!", "*Thanks!*", "Best,", "--"])
def test_text_below_a_divider_may_or_may_not_be_orders(divider: str):
    for end in ("", f"\n\n{OWN_EMAIL}", f"\n\n{with_quote_markers(OWN_EMAIL)}"):
        assert split_reply(f"left P\n{divider}\nright W{end}") == ("left P", ["right W"])


@pytest.mark.parametrize(
    "quoted", [OWN_EMAIL, with_quote_markers(OWN_EMAIL)], ids=["unmarked", "marked"]
)
def test_edited_lines_of_a_quotation_are_only_possible_orders(quoted: str):
    edited = quoted.replace("right -", "right W", 1)
    assert split_reply(f"left P\n\nFrom: Spellcaster\n\n{edited}") == ("left P", ["right W"])


@pytest.mark.parametrize("gap", ["\n\n", "\n\n\n"])
def test_edited_lines_are_possible_orders_if_empty_lines_of_a_quotation_are_unmarked(gap: str):
    quoted = gap.join(f"> {line}" for line in OWN_EMAIL.split("\n") if line)
    edited = quoted.replace("right -", "right W")
    assert split_reply(f"left P\n\n{edited}") == ("left P", ["right W"])


def test_edited_lines_of_a_quotation_in_html_are_possible_orders():
    edited = QUOTED_HTML.replace("right -", "right W")
    for inner in (edited, f"<div class=gmail_quote>{edited}</div>"):
        text = html_to_text(f"<p>left P</p><blockquote>{inner}</blockquote>")
        assert split_reply(text) == ("left P", ["right W"])


def test_earlier_reply_in_a_quotation_is_not_an_edited_line():
    """Only lines with as many quotation marks as the site's email may be edited lines of it."""
    earlier = f"On Sat, Ada wrote:\n> left F\n> SAY hi\n>\n> On Fri, {SITE_ADDRESS} wrote:"
    twice = with_quote_markers(with_quote_markers(OWN_EMAIL))
    assert split_reply(f"{ORDER_LINES}\n\n{earlier}\n{twice}") == (ORDER_LINES, [])


def test_order_directly_above_an_introduction_is_the_senders_own():
    introduction = "7.11.2026, Spellcaster <spellcaster@duels.example> написал(а):"  # noqa: RUF001
    assert split_reply(f"{ORDER_LINES}\n{introduction}\n{with_quote_markers(OWN_EMAIL)}") == (
        ORDER_LINES,
        [],
    )


@pytest.mark.parametrize("line", ["left -", "1: the right hand"])
def test_default_order_above_an_introduction_is_the_senders_own(line: str):
    introduction = "Le 7 nov. 2026, Spellcaster <spellcaster@duels.example> a\nécrit :"
    assert split_reply(f"{line}\n\n{introduction}\n\n{with_quote_markers(OWN_EMAIL)}") == (line, [])


def test_line_that_addresses_the_site_is_not_a_quotation():
    assert own_text(f"Hi Spellcaster,\n\n{ORDER_LINES}", [SITE_ADDRESS]).endswith(ORDER_LINES)
    assert own_text(f"{ORDER_LINES}\nSAY From: Spellcaster", [SITE_ADDRESS]).startswith(ORDER_LINES)


def test_orders_in_text_with_a_pgp_signature_are_found():
    signed = (
        "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\nleft P\nright W\n- -- \nAda\n"
        "-----BEGIN PGP SIGNATURE-----\n\niQIzBAEBCgAdFiEE\n-----END PGP SIGNATURE-----\n"
    )
    assert own_text(signed, [SITE_ADDRESS]) == ORDER_LINES
    assert (
        own_text(
            signed.replace("\n", "\r\n") + f"\n{with_quote_markers(OWN_EMAIL)}", [SITE_ADDRESS]
        )
        == ORDER_LINES
    )


@pytest.mark.parametrize(
    "html",
    [
        f'<div id="mail-editor-reference-message-container">{QUOTED_HTML}</div>',
        f'<div id="x_mail-editor-reference-message-container">{QUOTED_HTML}</div>',
        f'<div id="x_x_divRplyFwdMsg">From: Somebody</div>{QUOTED_HTML}',
        f'<div class="x_gmail_quote">{QUOTED_HTML}</div>',
        f'<div name="quote">{QUOTED_HTML}</div>',
        f'<div id="Signature"><p>Ada Lovelace</p></div>{QUOTED_HTML}',
        f'<div id="x_Signature"><p>Ada Lovelace</p></div><blockquote>{QUOTED_HTML}</blockquote>',
    ],
)
def test_quotations_are_recognised_by_the_html_of_email_programs(html: str):
    for start in ("", '<?xml version="1.0" encoding="utf-16"?>\n<!DOCTYPE html>'):
        text = html_to_text(f"{start}<html><body>{ORDERS_HTML}{html}</body></html>")
        assert own_text(text, [SITE_ADDRESS]) == ORDER_LINES


@pytest.mark.parametrize("name", ["gmail_quote", "x_gmail_quote", "protonmail_quote"])
def test_text_below_or_between_quotations_in_an_element_of_gmail_is_read(name: str):
    introduction = f"<p>On Sat, 7 Nov 2026, Spellcaster &lt;{SITE_ADDRESS}&gt; wrote:</p>"

    def quoted(html: str) -> str:
        return f"<blockquote class={name}>{html}</blockquote>"

    start = f"<div class={name}>{introduction}"
    below = f"{start}{quoted(QUOTED_HTML)}{ORDERS_HTML}</div>"
    first, second = QUOTED_HTML.split("<p>To give orders")
    between = f"{start}{quoted(first)}<p>left P</p>{quoted(second)}<p>right W</p></div>"
    both = f"<p>left P</p>{start}{quoted(QUOTED_HTML)}<div>right W</div></div>"
    for html in (below, between, both):
        assert split_reply(html_to_text(html)) == (ORDER_LINES, [])
    above = f"<p>left P</p><div class={name}><p>SAY hi</p>{introduction}{quoted(QUOTED_HTML)}</div>"
    assert split_reply(html_to_text(above)) == ("left P", ["SAY hi"])
    forwarded = f"{start}{QUOTED_HTML}<blockquote>x</blockquote><p>left F</p></div>"
    nested = quoted(f"{quoted(QUOTED_HTML)}<p>left F</p>")
    for html in (forwarded, nested):
        assert own_text(html_to_text(f"{ORDERS_HTML}{html}"), [SITE_ADDRESS]) == ORDER_LINES


@pytest.mark.parametrize(
    "crossed_out",
    [
        "<s>left F</s>",
        "<p><del>left F<br>right D</del></p>",
        '<div><span style="text-decoration: line-through">right F</span></div>',
    ],
)
def test_text_that_the_sender_crossed_out_is_not_read(crossed_out: str):
    text = html_to_text(f"{crossed_out}{ORDERS_HTML}")
    assert own_text(text, [SITE_ADDRESS]) == ORDER_LINES
    quoted = f"<blockquote>{QUOTED_HTML}</blockquote>"
    assert split_reply(html_to_text(f"{ORDERS_HTML}{crossed_out}{quoted}"))[1] != []


@pytest.mark.parametrize(
    "html",
    [
        "left P<hr>SAY hi<hr>right W",
        "<figure>left P</figure>SAY hi<aside>right W</aside>",
        "<details><summary>left P</summary>SAY hi</details>right W",
        "<fieldset><legend>left P</legend>SAY hi</fieldset>right W",
        "<b style=display:block>left P</b>SAY hi<i style='color: red; display: flex'>right W</i>",
    ],
)
def test_elements_that_are_shown_as_blocks_are_separate_lines(html: str):
    assert html_to_text(html).split("\n") == ["left P", "SAY hi", "right W"]


def test_cells_of_tables_made_with_styles_stay_on_one_line():
    cells = "<span style=display:table-cell>left </span><b style=display:inline-block>P</b>"
    assert html_to_text(cells) == "left P"


def test_numbers_of_html_lists_are_kept_in_the_text():
    lists = "<ol><li>left<li><p>ice</p></ol><ul><li>fire</ul><ol start=3><li>right</ol>"
    assert html_to_text(lists).split() == "1. left 2. ice fire 3. right".split()
    nested = "<ol><li>a<ul><li>b</ul><li></ol><ol start=x><li>c<li></ol>d"
    assert html_to_text(nested).split() == "1. a b 1. c d".split()


def test_plain_and_html_versions_that_differ_only_in_bullets_are_equal():
    assert lines_only_in_other("left\nright", "- left\n* right") == []
    assert lines_only_in_other("left -", "left") == ["left -"]


@pytest.mark.parametrize(
    "line",
    [
        "Verstuurd vanaf mijn iPhone",
        "Στάλθηκε από το iPhone μου",
        "iPhone'umdan gönderildi",
        "從我的iPhone傳送",
        "나의 iPhone에서 보냄",
        "נשלח מה-iPhone שלי",
        "Trimis de pe iPhone-ul meu",
        "Được gửi từ iPhone của tôi",
        "ส่งจาก iPad ของฉัน",
        "Enviat des de l'iPhone",
        "Holen Sie sich Outlook für Android",
        "Hanki Outlook for iOS",
        "获取 Outlook for iOS",
        "Yahoo!メール アプリから送信",
        "从雅虎邮箱发送",
        "從雅虎電子信箱傳送",
        "네이버 메일에서 보냄",
        "Sent from my Galaxy",
        "-- Sent from my Nokia",
        "(Sent from mobile)",
        "Sent using Zoho Mail",
        "Poslano iz mojega iPhona",
        "发自新浪邮箱",
    ],
)
def test_line_added_by_a_phone_is_a_signature_in_any_language(line: str):
    assert split_reply(f"{ORDER_LINES}\n\n{line}\n\n{with_quote_markers(OWN_EMAIL)}") == (
        ORDER_LINES,
        [],
    )
    assert split_reply(f"{with_quote_markers(OWN_EMAIL)}\n\n{ORDER_LINES}\n{line}") == (
        ORDER_LINES,
        [],
    )
    assert split_reply(f"left P\n{line}\nright W") == ("left P", ["right W"])


@pytest.mark.parametrize("line", ["Sent from my iPhone", "Thanks,", "Gesendet mit der App", "Best"])
def test_orders_below_a_signature_are_read_if_no_order_is_above_it(line: str):
    for start in (line, f"{line}\n\n{with_quote_markers(OWN_EMAIL)}"):
        assert split_reply(f"{start}\n\n{ORDER_LINES}\n{line}\nSAY hi") == (
            ORDER_LINES,
            ["SAY hi"],
        )


@pytest.mark.parametrize(
    "farewell",
    [
        "Freundliche Grüße", "Freundliche Grüsse\nAda", "Vielen Dank im Voraus.", "Besten Dank!",
        "Gruß, Ada", "Grüßle - Ada", "All the best,", "With best regards", "Talk soon", "Love, Ada",
        "Bien à vous,", "Bonne journée !", "À bientôt", "Cdlt", "Un cordial saludo", "Atentamente",
        "Atenciosamente,", "Abraços", "Distinti saluti", "Buona giornata", "Vriendelijke groeten",
        "Vennlig hilsen", "De bedste hilsner", "Ystävällisin terveisin", "Z poważaniem",
        "Üdvözlettel", "Cu stimă", "З повагою", "Поздрави", "Με εκτίμηση", "Saygılarımla",  # noqa: RUF001
        "よろしくお願いします", "谢谢", "감사합니다", "תודה", "شكرا",
    ],
)  # fmt: skip
def test_farewells_are_recognised_in_many_languages(farewell: str):
    assert own_text(f"{ORDER_LINES}\n\n{farewell}", [SITE_ADDRESS]) == ORDER_LINES


def test_orders_that_mention_a_phone_are_not_a_signature():
    text = f"{ORDER_LINES}\nTARGET left Galaxy\nSAY my iPhone is slow"
    assert own_text(text, [SITE_ADDRESS]) == text


def test_invisible_characters_are_removed():
    assert own_text("le\u00adft\u2066 P\u2069\nright\u202e W\ufeff") == "left P\nright W"
