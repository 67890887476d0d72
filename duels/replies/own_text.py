"""Functions that extract the sender's own text from a reply, without quotations and the signature.

Lines in which email programs introduce a quotation, in several languages, are recognised by
`quotequail`. Other quotations are recognised by text that orders never contain: an address or a
sentence of the site, a line of dashes, or a line that ends with a colon before lines with `>`.
Orders can be above a quotation, below it, or between its lines. The length of the text and the time
of every step are limited.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

import quotequail

from duels.typed_text import without_hidden_characters

MAX_TEXT_LENGTH: Final = 20_000
MAX_LINES: Final = 500
MAX_INTRODUCTION_LENGTH: Final = 250
MAX_DIVIDER_LENGTH: Final = 200
MAX_SENTENCE_LINES: Final = 2  # maximum number of lines before the last line of an introduction
MAX_HEADER_LINES: Final = 12  # maximum number of headers above a quoted email
# Minimum length of a line whose last word may have been broken off.
MIN_BROKEN_LINE_LENGTH: Final = 60
MIN_FLOWED_LINE_LENGTH: Final = 30  # programs break lines later, even those without spaces
SITE_EMAIL_DIVIDER: Final = "_" * 32
COLONS: Final = (":", "\N{FULLWIDTH COLON}")

_SIGNATURE_PATTERN = re.compile(r"(?:--|—|__)\s*")
_DASHES_PATTERN = re.compile(r"[-_*=~]{3,}(?:[^-_*=~].*[-_*=~]{3,})?\s*")
# Beginnings of lines that phones and programs add automatically.
_SENT_FROM_PATTERN = re.compile(
    "sent (?:from|with|via|using) |get outlook for |gesendet (?:von|mit|über) |von meine.* gesendet"
    "|diese nachricht wurde von |obtenez outlook |envoyé (?:de|depuis|à partir|avec) "
    "|enviado (?:desde|do|de|com|con) |obtener outlook |inviat[oa] d|scarica outlook "
    "|outlook voor |verzonden (?:vanaf|met|vanuit|via) |skickat från |hämta outlook "
    "|sendt fra |lähetetty |wysłan[eo] z |odesláno z|odoslané z|küldve|отправлено (?:с|из) "
    "|надіслано |从我的|發自我的|发自|내 iphone에서",
    re.IGNORECASE,
)
# Names of devices and email programs in lines such as "Sent from my iPhone", in any language.
_DEVICE_PATTERN = re.compile(
    r"(?<![a-z])(?:iphon|ipad|ios\b|android|outlook|galaxy|samsung|huawei|xiaomi|blackberry)"
    r"|(?:gmail|yahoo|gmx|proton|windows)[ -]?mail|mail (?:for|für|pour|para|per) windows|から送信"
    r"|^(?:从|從).{1,20}(?:发送|發送|傳送)$|에서 보냄$",
    re.IGNORECASE,
)
MAX_DEVICE_LINE_LENGTH: Final = 80
# Farewells at the end of an email. None of them could be the beginning of an order.
_FAREWELL_PATTERN = re.compile(
    "(?:"
    "(?:many )?thanks|thank you|thx|cheers|(?:(?:with )?(?:best|kind|warm) )?regards"
    "|best(?: wishes)?|all the best|greetings|yours|sincerely|take care|see you"
    "|talk (?:to you )?soon|have a (?:good|great|nice)|good luck|love"
    "|(?:viele |liebe |beste |herzliche |schöne |freundliche |mit (?:freundlich|lieb|best)en )?"
    "gr(?:ü|ue|u)(?:ß|ss)(?:e|en|le)?|lg|vg|mfg|(?:(?:viel|best|herzlich)en )?dank(?:e)?"
    "|hochachtungsvoll|(?:bien )?cordialement|bien à (?:vous|toi)|(?:meilleures )?salutations"
    "|bonne (?:journée|soirée|fin)|à bientôt|au revoir|cdl?t|amicalement|merci"
    "|(?:un )?(?:cordial(?:es)? )?saludos?|salud|atentamente|hasta (?:luego|pronto)|gracias"
    "|adi[oó]s"
    "|abra(?:zos?|ços?)|atenciosamente|cumprimentos|até (?:logo|breve)|adeus|obrigad[oa]"
    "|(?:(?:cordiali|distinti) )?saluti|buona (?:giornata|serata)|a presto|grazie|ciao"
    "|(?:(?:met )?vriendelijke |hartelijke )?groet(?:en|jes)?|bedankt"
    "|mvg|mvh|(?:med )?vänliga? hälsning(?:ar)?|hälsningar|tack"
    "|(?:(?:med )?(?:venn?lig|de bedste) )?hils(?:en|ner)|takk?"
    "|(?:ystävällisin )?terveisin|kiitos|hyvästi|pozdrawiam|z poważaniem|do widzenia|dziękuję"
    "|(?:s )?pozdravem|děkuji|üdvözlettel|köszönöm|cu (?:stimă|respect)|mulțumesc"
    "|с уважением|спасибо|з повагою|дякую|поздрави|με εκτίμηση|ευχαριστώ"
    r"|saygılarımla|iyi günler|teşekkürler|よろしく\w{0,15}|谢谢|謝謝|此致|감사합니다|תודה|شكرا"
    r")\b[^:]{0,40}",
    re.IGNORECASE,
)
# A line with an order or an answer, which never introduces a quotation.
_ORDER_LINE_PATTERN = re.compile(
    r"(?:(?:[lrb]h?|left|right|both)2?|target2?|say|release|bank|permanent|hold|heart|sacrifice"
    r"|answer|question)(?:\s|[:=.]|$)|#?\d{1,3}\s*[:.)=-]\s*(?!\d)(?!.*\d[:.]\d\d)",
    re.IGNORECASE,
)
_YEAR_PATTERN = re.compile(r"\b(?:19|20)\d\d\b")
_TIME_OF_DAY_PATTERN = re.compile(r"\d{1,2}[:.]\d\d")
# Parts of sentences in the site's own emails, which identify quotations. They are short, because
# email programs break lines.
_SITE_EMAIL_LINE_PATTERN = re.compile(
    r"lines like these|your duel with \S|duel(?:ling)? at spellcaster|sent by spellcaster to"
    r"|links only open pages|opening a link changes|to get fewer emails|open the duel: ?http",
    re.IGNORECASE,
)
_SITE_EMAIL_END_PATTERN = re.compile(
    r"duel(?:ling)? at spellcaster|sent by spellcaster to|links only open pages"
    r"|opening a link changes|to get fewer emails",
    re.IGNORECASE,
)
_DEFAULT_ORDER_LINE_PATTERN = re.compile(r"(?:(?:left|right|both)2? -|\d{1,3}: .+)")
# Headers such as "From: Spellcaster", in any language.
_QUOTED_HEADER_PATTERN = re.compile(r"\W*[^\W\d][\w .'’/-]{0,30}\W{0,3}[:\N{FULLWIDTH COLON}]")
_SITE_NAME: Final = "spellcaster"
_GREETING_PATTERN = re.compile(r"(?:hi|hello|hey|dear|hallo|bonjour|hola|ciao)\b", re.IGNORECASE)
# A clear-signed text (RFC 9580), including the header and the signature.
_PGP_SIGNED_MESSAGE_PATTERN = re.compile(
    r"-----BEGIN PGP SIGNED MESSAGE-----\n(?:[A-Za-z-]+: [^\n]*\n)*\n?(.*?)"
    r"(?:-----BEGIN PGP SIGNATURE-----.*?(?:-----END PGP SIGNATURE-----|\Z)|\Z)",
    re.DOTALL,
)


_SPEECH_PATTERN = re.compile(r"\W*say\b", re.IGNORECASE)


@dataclass(frozen=True)
class _SplitText:
    """The sender's own lines, and other lines that the sender may have written."""

    own: list[str]
    doubtful: list[str]


def own_text(text: str, addresses: Collection[str] = ()) -> str:
    """Return the sender's own lines, without empty lines at the beginning and the end.

    If a quotation is introduced with one of these `addresses`, it quotes an email from the site.
    """
    return "\n".join(_split_text(text, addresses).own)


def doubtful_lines(text: str, addresses: Collection[str] = ()) -> list[str]:
    """Return the lines that `own_text` omits although the sender may have written them.

    These lines are below a signature, a farewell or a line of dashes, or in a quotation of the
    site's own email, which the sender may have edited. Many of them are unchanged lines of that
    email.
    """
    return [line for line in _split_text(text, addresses).doubtful if line]


def lines_only_in_other(text: str, own: str, addresses: Collection[str] = ()) -> list[str]:
    """Return the sender's own lines in another version of the email, if `own` lacks them.

    Differences of spaces, case, bullets and most signs are ignored.
    """
    known = set(map(_letters_and_gestures, own.split("\n")))
    lines = own_text(text, addresses).split("\n") if text else []
    return [line for line in lines if _letters_and_gestures(line) not in known]


def _letters_and_gestures(line: str) -> str:
    return re.sub(r"[^\w<>-]|_", "", re.sub(r"^- +", "", line)).casefold()


def is_too_long(text: str) -> bool:
    """Return whether this text is so long that `own_text` ignores its end."""
    return len(text) > MAX_TEXT_LENGTH or len(re.findall(r"\r\n|\r|\n", text)) >= MAX_LINES


def is_long_speech(line: str) -> bool:
    """Return whether the email program may have continued the speech in this line on the next."""
    return len(line) >= MIN_BROKEN_LINE_LENGTH and bool(_SPEECH_PATTERN.match(line))


def join_flowed_lines(text: str, *, deletes_space: bool = False) -> str:
    """Join the lines of `format=flowed` text (RFC 3676) that the email program has broken up.

    Some authors type spaces at the end of lines, so a line is joined to the next one only if it was
    too long to contain the next word.
    """
    paragraphs: list[str] = []
    depth_before, length_before, is_open = 0, 0, False
    for line in text.replace("\r\n", "\n").split("\n"):
        depth = len(line) - len(line.lstrip(">"))
        words = line[depth:].removeprefix(" ")
        is_broken = is_open and length_before + len(words.split(" ")[0]) >= MIN_FLOWED_LINE_LENGTH
        if is_broken and depth == depth_before and words.rstrip() != "--":
            paragraphs[-1] += words
        else:
            paragraphs.append(f"{'>' * depth} {words}" if depth else words)
        depth_before, length_before = depth, len(line)
        is_open = words.endswith(" ") and words != "-- "
        if is_open and deletes_space:
            paragraphs[-1] = paragraphs[-1][:-1]
    return "\n".join(paragraphs)


def _lines(text: str) -> list[str]:
    """Split the text into lines, and remove invisible characters that email programs insert."""
    clean = without_hidden_characters(text[:MAX_TEXT_LENGTH])
    lines = [line.strip() for line in re.split(r"\r\n|\r|\n", clean)][:MAX_LINES]
    if not any(line.startswith("-----BEGIN PGP SIGNED") for line in lines):
        return lines
    signed = _PGP_SIGNED_MESSAGE_PATTERN.sub(
        lambda found: re.sub(r"(?m)^- ", "", found[1]), "\n".join(lines)
    )
    return [line.strip() for line in signed.split("\n")]


def _split_text(text: str, addresses: Collection[str]) -> _SplitText:
    lines: Sequence[str] = _lines(text)
    known_addresses = [address.casefold() for address in addresses if address]
    own: list[str] = []
    doubtful: list[str] = []
    starts = [_introduction_by_quotequail(lines)]
    # Lines at the depth of the site's own email may be lines of that email that were edited.
    depths = {0, *(_depth(line) for line in lines if _SITE_EMAIL_LINE_PATTERN.search(line))}
    while lines:
        start = min([_start_of_quotation(lines, known_addresses), *starts])
        starts = []
        own_before, doubtful_before = _without_signature(lines[:start], has_own=any(own))
        own += own_before
        doubtful += doubtful_before
        lines = lines[start:]
        end = _end_of_quotation(lines, known_addresses)
        doubtful += [line.lstrip("> ") for line in lines[:end] if _depth(line) in depths]
        lines = lines[end:]
    return _SplitText(own, doubtful)


def _depth(line: str) -> int:
    """Return the number of quotation marks at the beginning of the line."""
    return line[: len(line) - len(line.lstrip("> "))].count(">")


def _start_of_quotation(lines: Sequence[str], known_addresses: Sequence[str]) -> int:
    """Return the index of the first line that starts a quotation or the introduction of one."""
    for number, line in enumerate(lines):
        if line.startswith(">"):
            return _start_of_introduction(lines, number)
        if _is_divider(line):
            return number
        if _is_header_of_site(line, known_addresses):
            return _start_of_headers(lines, number)
        if _is_line_of_site_email(line):
            return _start_of_headers(lines, _start_of_default_orders(lines, number))
    return len(lines)


def _introduction_by_quotequail(lines: Sequence[str]) -> int:
    """Return the index of the first introduction that `quotequail` recognises."""
    # Skip lines with many addresses, which are not introductions and are slow to check.
    shown = [
        line[:MAX_INTRODUCTION_LENGTH] if line.count("<") + line.count("@") <= 8 else "x"
        for line in lines
    ]
    above, *below = quotequail.quote("\n".join(shown), limit=MAX_LINES + 1, quote_intro_line=True)
    if not below:
        return len(lines)
    start = above[1].count("\n") + (1 if above[1] else 0)
    # Some of its patterns also match if other lines precede the introduction.
    end = start
    while end < len(lines) and not lines[end].endswith(COLONS):
        end += 1
    orders = [
        n
        for n in range(start, min(end, start + MAX_SENTENCE_LINES))
        if _ORDER_LINE_PATTERN.match(lines[n])
    ]
    return orders[-1] + 1 if orders else start


def _end_of_quotation(lines: Sequence[str], known_addresses: Sequence[str]) -> int:
    """Return the index of the first line after the quotation at the beginning of these lines.

    A quotation marked with `>` ends at the last mark, or after a word that the email program has
    broken off. Other quotations end only at the last line of the site's own email. Earlier lines
    may be imitations of that line in speeches of opponents, which the email quotes.
    """
    marked = next((n for n, line in enumerate(lines) if line.startswith(">")), len(lines))
    introduction = [line for line in lines[:marked] if line]
    is_introduction = len(introduction) <= MAX_HEADER_LINES and not any(
        map(_is_line_of_site_email, introduction)
    )
    if marked < len(lines) and is_introduction:
        return _end_of_marked_lines(lines, marked)
    ends = [number for number, line in enumerate(lines) if _SITE_EMAIL_END_PATTERN.search(line)]
    if not ends:
        return len(lines)
    end = ends[-1] + 1
    while end < len(lines) and (
        not lines[end] or "://" in lines[end] or _SITE_EMAIL_END_PATTERN.search(lines[end])
    ):
        end += 1
    return end


def _end_of_marked_lines(lines: Sequence[str], start: int) -> int:
    end = start + 1
    while end < len(lines):
        line, before = lines[end], lines[end - 1]
        # An order directly between two lines may be part of a speech that the email quotes.
        is_between = end + 1 < len(lines) and lines[end + 1].startswith(">")
        is_broken_off = (
            len(before) >= MIN_BROKEN_LINE_LENGTH
            and line
            and not _is_divider(line)
            and (is_between or not _ORDER_LINE_PATTERN.match(line))
        )
        if not line.startswith(">") and not (before.startswith(">") and is_broken_off):
            break
        end += 1
    return end


def _is_divider(line: str) -> bool:
    """Return whether this is a line of dashes, or of text between dashes.

    Ignore long lines, because the search takes quadratic time.
    """
    return len(line) <= MAX_DIVIDER_LENGTH and bool(_DASHES_PATTERN.fullmatch(line))


def _start_of_introduction(lines: Sequence[str], quotation: int) -> int:
    """Return the index of the line at which the introduction of this quotation starts.

    An introduction is a line that ends with a colon, along with earlier lines of the same sentence.
    """
    last = quotation - 1
    while last >= 0 and not lines[last]:
        last -= 1
    if last < 0 or _ORDER_LINE_PATTERN.match(lines[last]):
        return quotation
    if not (lines[last].endswith(COLONS) or "@" in lines[last]):
        return quotation
    first = last
    while first > max(last - MAX_SENTENCE_LINES, 0):
        before = lines[first - 1]
        if not _is_continued_by(before, lines[first]) or _ORDER_LINE_PATTERN.match(before):
            break
        first -= 1
    return first


def _is_continued_by(line: str, following: str) -> bool:
    """Return whether a moment, name or address in the line belongs to the introduction that the
    following line continues.
    """
    is_moment = any(
        pattern.search(line) and not pattern.search(following)
        for pattern in (_YEAR_PATTERN, _TIME_OF_DAY_PATTERN)
    )
    is_name = bool(line) and following.startswith("<")  # of the owner of the address
    return bool(following) and (is_moment or is_name or "@" in line)


def _start_of_default_orders(lines: Sequence[str], ours: int) -> int:
    """Return the index of the first default order above the site's sentence with the index `ours`.

    Older emails from the site start with these default orders.
    """
    start = ours
    while start > 0 and (
        not lines[start - 1] or _DEFAULT_ORDER_LINE_PATTERN.fullmatch(lines[start - 1])
    ):
        start -= 1
    return start


def _start_of_headers(lines: Sequence[str], start: int) -> int:
    """Return the index of the first header of the quoted email.

    The line at `start` is one of its headers, or its first line.
    """
    for number in range(start - 1, max(start - MAX_HEADER_LINES, 0) - 1, -1):
        line = lines[number]
        is_header = _can_be_header(line) or _is_continued_by(line, lines[number + 1])
        if line and (_ORDER_LINE_PATTERN.match(line) or not is_header):
            break
        if line:
            start = number
    return start


def _can_be_header(line: str) -> bool:
    """Return whether this line can be a header of a quoted email or part of an introduction."""
    is_moment = _YEAR_PATTERN.search(line) and _TIME_OF_DAY_PATTERN.search(line)
    return bool(
        (_QUOTED_HEADER_PATTERN.match(line) and not _GREETING_PATTERN.match(line))
        or line.startswith(("<", "["))
        or line.endswith(COLONS)
        or "@" in line
        or (_SITE_NAME in line.casefold() and not _GREETING_PATTERN.match(line))
        or is_moment
        or _is_divider(line)
    )


def _is_header_of_site(line: str, known_addresses: Sequence[str]) -> bool:
    """Return whether this line names the site as the author of a quoted email."""
    if _ORDER_LINE_PATTERN.match(line):
        return False
    folded = line.casefold()
    if any(address in folded for address in known_addresses):
        return True
    if _SITE_NAME not in folded or _GREETING_PATTERN.match(line):
        return False
    header = _QUOTED_HEADER_PATTERN.match(line[:MAX_INTRODUCTION_LENGTH])
    is_value = header is not None and _SITE_NAME in folded[header.end() : header.end() + 20]
    return is_value or line.endswith(COLONS)


def _is_line_of_site_email(line: str) -> bool:
    return bool(_SITE_EMAIL_LINE_PATTERN.search(line)) and not _ORDER_LINE_PATTERN.match(line)


def _is_sent_from(line: str) -> bool:
    """Return whether a phone or an email program has added this line."""
    if _SENT_FROM_PATTERN.match(line):
        return True
    is_short = len(line) <= MAX_DEVICE_LINE_LENGTH and not _ORDER_LINE_PATTERN.match(line)
    return is_short and bool(_DEVICE_PATTERN.search(line))


def _without_signature(
    lines: Sequence[str], *, has_own: bool = False
) -> tuple[list[str], list[str]]:
    """Split the lines at the signature or the farewell.

    Empty lines around the first part are removed. `has_own` is true if lines by the sender precede
    these lines. If no such line precedes a farewell, or a line that a phone has added, the sender
    may write below it.
    """
    own: list[str] = []
    skipped: list[str] = []
    end = len(lines)
    for number, line in enumerate(lines):
        plain = line.strip("*_~-() ")
        is_ending = bool(_is_sent_from(plain) or _FAREWELL_PATTERN.fullmatch(plain)) and not (
            own and is_long_speech(own[-1])
        )
        if _SIGNATURE_PATTERN.fullmatch(line) or (is_ending and (has_own or own)):
            end = number
            break
        if is_ending:
            skipped.append(line)
        elif line or own:
            own.append(line)
    while own and not own[-1]:
        own.pop()
    return own, [*skipped, *lines[end:]]
