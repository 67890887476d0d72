"""Functions that correct harmless differences between lines in emails and lines of orders.

Lines are changed or omitted only if they cannot be read unchanged.
"""

import re
import unicodedata
from collections.abc import Callable, Collection, Iterator
from typing import Final

from duels.replies.own_text import is_long_speech

MIN_NAME_LENGTH: Final = 2
MIN_SENTENCE_LINE_LENGTH: Final = 40  # most lines of orders are shorter
_DASH_REPLACEMENTS: Final = dict.fromkeys(map(ord, "‐‑‒–—―−﹘"), "-")  # noqa: RUF001
_SIGN_REPLACEMENTS: Final = _DASH_REPLACEMENTS | {ord("©"): "C", ord("›"): ">", ord("»"): ">"}  # noqa: RUF001
_BULLET_PATTERN = re.compile(r"[-*+•·‣◦▪■●○➢➤✓§o]\s+(?=\S)")
_LIST_NUMBER_PATTERN = re.compile(r"^\d{1,2}[.)](?:\s+|$)")
_ONLY_BULLET_PATTERN = re.compile(r"[-*+•·‣◦▪■●○➢➤✓§]")
# A link, or a picture in plain text, such as "[image: logo.png]", "[cid:image001.png@01D]" or
# "<image.jpg>".
_PICTURE_OR_LINK_PATTERN = re.compile(
    r"\[(?:cid|image|inline image|bild|imagen|immagine|afbeelding)\b[^\[\]]{0,200}\]"
    r"|<[^<>]{1,200}\.(?:png|jpe?g|gif|heic)>|<?https?://[^\s<>]{1,500}>?",
    re.IGNORECASE,
)
_HAND_PATTERN = re.compile(
    r"(?:my )?(left|right|both|l|r|b|lh|rh|bh)(?: hands?)? ?(?:=>?|:|->| ) ?", re.IGNORECASE
)
_GREETING_PATTERN = re.compile(
    "(?:"
    "hi|hello|hey|dear|greetings|good (?:morning|day|afternoon|evening)|hallo"
    "|guten (?:morgen|tag|abend)|liebe[rs]?|sehr geehrte[rs]?|moin|servus|grüezi|bonjour|bonsoir"
    "|salut|ch[eè]re?|hola|buen[oa]s|estimad[oa]|ciao|salve|buon(?:giorno|asera)|car[oa]|ol[aá]"
    "|bo(?:m dia|a tarde|a noite)|beste|hoi|goede(?:morgen|middag|navond)|he[ij]"
    "|cześć|wita[jm]|dzień dobry|dobry wieczór|ahoj|dobrý den|god ?(?:dag|morgon|kväll|aften)"
    "|terve|szia|bună|merhaba|γεια|привет|здравствуйте|добрый|привіт|добрий|שלום|مرحبا|هلا"
    "|こんにちは|こんばんは|你好|您好|안녕하세요"
    r")\b[^:\d]{0,40}",
    re.IGNORECASE,
)
# Beginnings of paragraphs that mail servers, virus scanners and companies add.
_LINES_ADDED_BY_SOFTWARE_PATTERN = re.compile(
    r".{0,60}www\.(?:avast|avg)\.[a-z]{2,3}\b|virus[ -]?free|virenfrei|.{0,40}sans virus"
    "|libre de virus|sin virus|senza virus|l.absence de virus"
    r"|(?:this|the|these) (?:contents? of this )?(?:e-?mail|message|communication)\b.*"
    r"(?:confidential|privileged|intended|attach|legal|virus|scanned|checked|behalf)"
    r"|\W*(?:caution|warning|attention|achtung|external|extern|ext)\b|confidential"
    r"|you don.t often get e?-?mail from|(?:legal )?(?:notice|disclaimer)\b"
    "|if you (?:have received|are not the)|the views expressed|please consider the"
    r"|diese (?:e-?mail|nachricht)\b.*(?:vertraulich|enthält|virus|geprüft|gesendet)"
    "|ce (?:message|courriel) |cet e-?mail |este (?:mensaje|correo) |questo messaggio "
    "|esta mensagem |dit (?:e-mail)?bericht "
    r"|original message$|ursprüngliche nachricht$|message d.origine$|mensaje original$",
    re.IGNORECASE,
)


def readable_text(
    text: str,
    is_readable: Callable[[str], bool],
    names: Collection[str],
    *,
    removes_numbers: bool = False,
) -> str:
    """Return the text, changing each line so that `is_readable` accepts it, if possible.

    Greetings, the sender's `names`, pictures and paragraphs added by mail servers are replaced with
    empty lines, so that the numbers of the other lines do not change. `removes_numbers` is true
    if numbers at the beginning of lines have no meaning.
    """
    known = {each for name in names for each in _name_parts(name)}
    written: list[str] = []
    is_added, has_orders, broken_line, before = False, False, "", ""
    for line in text.split("\n"):
        is_added = bool(line) and (
            is_added
            or bool(_LINES_ADDED_BY_SOFTWARE_PATTERN.match(line))
            or (has_orders and _is_continued_by(broken_line, line))
        )
        if line:
            broken_line = line if is_added else ""
        bare = _LIST_NUMBER_PATTERN.sub("", line) if removes_numbers else line
        variants = dict.fromkeys([*_line_variants(line), *_line_variants(bare)])
        shown = next(filter(is_readable, variants), None)
        if shown is None:
            is_harmless = not bare or (
                not is_long_speech(before)
                and (
                    is_added
                    or _GREETING_PATTERN.fullmatch(line)
                    or _ONLY_BULLET_PATTERN.fullmatch(line)  # Gmail writes some lists in this way
                    or _PICTURE_OR_LINK_PATTERN.fullmatch(line)
                    or _is_name(line, known)
                )
            )
            shown = "" if is_harmless else line
        else:
            has_orders = True
        written.append(shown)
        before = line
    return "\n".join(written)


def _is_continued_by(broken_line: str, line: str) -> bool:
    """Return whether the line continues a sentence that began before an empty line.

    Some email programs put an empty line after each line of an added paragraph. Both lines must be
    long, so that a misspelt order is not taken for part of a sentence.
    """
    is_long = min(len(broken_line), len(line)) >= MIN_SENTENCE_LINE_LENGTH
    return is_long and line[0].islower() and not broken_line.endswith((".", "!", "?"))


def _line_variants(line: str) -> Iterator[str]:
    """Yield the line, then without bullets, typographic characters and the full stop."""
    yield line
    visible = (letter for letter in line if unicodedata.category(letter) != "Cf")
    plain = unicodedata.normalize("NFKC", "".join(visible)).translate(_SIGN_REPLACEMENTS)
    plain = re.sub(r"\(c\)", "C", plain, flags=re.IGNORECASE)
    yield plain
    plain = " ".join(plain.replace("*", " " if plain.startswith("* ") else "").split())
    plain = _BULLET_PATTERN.sub("", plain.strip("_`~ "), count=1)
    yield plain
    yield plain.rstrip(".,;! ")
    yield _HAND_PATTERN.sub(r"\1 ", plain.rstrip(".,;! "), count=1)


def _name_parts(name: str) -> Iterator[str]:
    """Yield the letters of a name, and of each word in it."""
    for part in (name, *name.split()):
        if len(letters := _letters_to_compare(part)) >= MIN_NAME_LENGTH:
            yield letters


def _is_name(line: str, known: Collection[str]) -> bool:
    """Return whether the line is a known name, or consists of parts of names and initials."""
    words = [letters for word in line.split() if (letters := _letters_to_compare(word))]
    is_full = any(word in known for word in words)
    has_only_names = all(word in known or len(word) < MIN_NAME_LENGTH for word in words)
    return (is_full and has_only_names) or _letters_to_compare(line) in known


def _letters_to_compare(text: str) -> str:
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKC", text).casefold()))
