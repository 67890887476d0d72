"""Rules for wizards' names: which names are allowed, and which look alike.

Names that a reader could confuse have the same skeleton (`confusable_skeleton`), and no two wizards
can have the same skeleton. A word is reserved if it has a meaning in orders, in reports or on the
site.
"""

import re
import string
import unicodedata
from collections.abc import Iterator, Mapping
from functools import cache

import idna
from homoglyphs_fork import Homoglyphs

from duels import typed_text
from duels.errors import Refused

MIN_NAME_LENGTH = 2
MAX_NAME_LENGTH = 24

RESERVED_NAMES = [
    *(
        # words used in orders
        "left right both hand hands bank release lh rh bh lh2 rh2 bh2 noone nobody nowhere none "
        "attacker everyone everybody all you your self me nothing stab target subject "
        # names that sound like the site's staff
        "root ref server host team moderation "
        # spectators and results
        "spectator observer draw anonymous deleted"
    ).split(),
    "no one",
    "old quill",  # the practice opponent
]
# Not allowed as a part of a name, because readers could mistake the wizard for a monster, a
# departed wizard, a guest or a member of staff.
RESERVED_PARTS = (
    "goblin ogre troll giant elemental departed guest "
    "staff support operator system owner official security "
    "mod gm sysop superuser developer helpdesk arbiter umpire noreply "
    "webmaster postmaster hostmaster gamemaster "
    "moderateur moderador moderatore moderacion schiedsrichter scheidsrechter arbitre arbitro "
    "arbitrator soporte suporte supporto betreiber beheerder amministratore sedzia yonetici "
    "daemon оператор судья суддя рефери поддержка підтримка "
    "διαχειριστής διαχείριση συντονιστής διαιτητής υποστήριξη מנהל המנהל מנהלת מנחה שופט השופט "
    "مدير المدير مشرف المشرف مشرفة حكم إدارة الإدارة الدعم "
    "แอดมิน กรรมการ एडमिन प्रशासक 版主 客服 系统 系統 審判 サポート 관리 고객센터 운영팀 운영자"
).split()
# Not allowed at the beginning or end of a part of a name, as in "Siteadmin" or "Administration".
RESERVED_STEMS = (
    "admin moderator referee spellcaster админ адмін модератор модерация αδμιν "
    "ผู้ดูแล 管理 運営 运营 官方 裁判 アドミン モデレーター レフェリー 관리자 심판"
).split()

IDEOGRAPHIC_ZERO = "\u3007"  # a number in Unicode, but a letter in Chinese and Japanese names
ZERO_NAME = unicodedata.name(IDEOGRAPHIC_ZERO)
# Alphabets for names, as prefixes of their letters' Unicode names. A name uses only one of them,
# because letters of different alphabets can look alike. A name may mix the scripts on one line.
# Vowel signs and points belong to the same alphabet as their letters.
LATIN_NAME_PREFIXES = (
    "LATIN SMALL LETTER",
    "LATIN CAPITAL LETTER",
    "LATIN SMALL LIGATURE OE",
    "LATIN CAPITAL LIGATURE OE",
)
ALPHABETS = (
    LATIN_NAME_PREFIXES,
    *(
        (script,)
        for script in (
            "GREEK CYRILLIC ARMENIAN GEORGIAN HEBREW ARABIC THAANA ETHIOPIC THAI LAO KHMER MYANMAR "
            "TIBETAN SINHALA DEVANAGARI BENGALI GURMUKHI GUJARATI ORIYA TAMIL TELUGU KANNADA "
            "MALAYALAM"
        ).split()
    ),
    ("CJK", "HIRAGANA", "KATAKANA", "HANGUL", "BOPOMOFO", "IDEOGRAPHIC ITERATION MARK", ZERO_NAME),
)
# Latin letters of African languages, which Unicode groups with the letters of phonetic alphabets.
AFRICAN_LETTERS = frozenset("ɓɔɖɗəɛɣɨɩɲɵʉʊʋ")
# Accents that some languages combine with Latin letters for which Unicode has no single character,
# as in "Ẹ̀bùn".
LATIN_ACCENTS = frozenset(
    "\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308\u030c\u0323\u0327\u0328\u0331"
)
# Marks that lengthen or repeat the letter before them.
ITERATION_MARKS = frozenset("ー々ゝゞヽヾๆໆ")
# Marks that writers may leave out: names with and without them have the same skeleton. All other
# marks represent vowels, so they matter as much as letters.
OPTIONAL_MARKS = ("COMBINING", "HEBREW", "ARABIC")
# Signs that are allowed within a name, and variants of them.
ALLOWED_PUNCTUATION = " -'."
PUNCTUATION_VARIANTS = str.maketrans(
    dict.fromkeys("\u2018\u2019\u201b\u2032\u05f3\u00b4`\uff07\u02bb\u02bc\u02be\u02bf", "'")
    | dict.fromkeys("\u2010\u2011\u2013\u05be", "-")
)
# Invisible characters that choose a variant of an ideograph.
VARIATION_SELECTORS = dict.fromkeys(range(0xE0100, 0xE01F0))
# Invisible characters that change the shape of letters. RFC 5892 says where words need them.
JOINER_CHARACTERS = "\u200c\u200d"
# Signs within words, where RFC 5892 allows them: between Tibetan syllables, in Catalan as in
# "Gal·la", between Katakana names, and in Hebrew abbreviations.
TIBETAN_TSHEG = "\u0f0b"
INNER_SIGNS = TIBETAN_TSHEG + "\u00b7\u30fb\u05f4"
MAX_COMBINING_MARKS = 3  # maximum number of marks on one letter

# Letters that can be confused with Latin letters, although Unicode does not list them: small
# letters whose capitals look Latin, and capitals whose small letters look Latin.
LATIN_LOOKALIKES = str.maketrans(
    dict(
        zip(
            "авеёзіїјкмнорстухѕԁԛԝһӏɑɡıοαβγεικνρτυχωςσ\u0397\u039c\u039d\u03a5\u0396",
            "abee3iijkmhopctyxsdqwhlagioabyeikvptuxwcohmnyz",
            strict=True,
        )
    )
)
FIRST_CODE_POINT_WITHOUT_ALPHABET = 0x12000  # no higher letter of `ALPHABETS` looks Latin
# Letters and digits that look like each other, as capitals or as small letters.
CONFUSABLE_PAIRS = (
    ("rn", "m"),
    ("vv", "w"),
    ("0", "o"),
    ("1", "l"),
    ("i", "l"),
    ("5", "s"),
    ("3", "e"),
)


class InvalidName(Refused):
    """Error for a name that is not allowed."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(code, text, field="name")


def normalised_name(name: str) -> str:
    """Return the name as it is stored, with normalised letters and single spaces."""
    visible = name.translate(PUNCTUATION_VARIANTS | VARIATION_SELECTORS)
    plain = unicodedata.normalize("NFKC", visible)
    return " ".join(plain.split()).rstrip(TIBETAN_TSHEG)


def confusable_skeleton(name: str) -> str:
    """Return a form of the name that is the same for all names that could be confused with it.

    Skeletons are stored. If this function or Unicode's list of confusable letters changes, a
    migration must recalculate all skeletons.
    """
    # A capital may look like a Latin letter even if its small letter does not.
    seen = "".join(
        _latin_lookalike(each) if each.isupper() else each for each in _without_accents(name)
    )
    letters = (
        each for each in _without_accents(seen.casefold()) if each.isalnum() or _is_mark(each)
    )
    return _with_lookalikes_replaced("".join(map(_latin_lookalike, letters)))


def _is_mark(letter: str) -> bool:
    return unicodedata.category(letter)[0] == "M"


def _without_accents(text: str) -> str:
    """Return the text without accents and points. Other alphabets' vowel signs are kept."""
    return "".join(
        letter
        for letter in unicodedata.normalize("NFKD", text)
        if not (_is_mark(letter) and unicodedata.name(letter, "").startswith(OPTIONAL_MARKS))
    )


def _latin_lookalike(letter: str) -> str:
    """Return the Latin letter that this letter looks like, or the letter itself."""
    if letter.isascii():
        return letter
    own = letter.translate(LATIN_LOOKALIKES)
    return own if own != letter else _confusable_letters().get(letter, letter)


def _with_lookalikes_replaced(letters: str) -> str:
    for seen, taken_for in CONFUSABLE_PAIRS:
        letters = letters.replace(seen, taken_for)
    return letters


@cache
def _confusable_letters() -> Mapping[str, str]:
    """Map letters to the Latin letters or digits that look like them according to UTS 39."""
    latin = set(string.ascii_letters + string.digits)
    seen = map(chr, range(FIRST_CODE_POINT_WITHOUT_ALPHABET))
    letters = {letter for letter in seen if letter.isalnum() or _is_mark(letter)}
    alike = Homoglyphs.get_table(letters)
    return {
        letter: min(_with_lookalikes_replaced(other.casefold()) for other in others)
        for letter in letters - latin
        if (others := alike.get(letter, set()) & latin)
    }


def name_slug(name: str) -> str:
    """Return the name as part of a URL. Different skeletons have different slugs."""
    return re.sub(r"[ .'-]+", "-", normalised_name(name).lower()).strip("-")


def name_columns(name: str) -> dict[str, str]:
    """Return a wizard's columns that depend on the name."""
    return {"name": name, "slug": name_slug(name), "skeleton": confusable_skeleton(name)}


def validated_name(name: str) -> str:
    """Return the name as it is stored. Raise `InvalidName` if it is invalid or reserved."""
    name = normalised_name(name)
    if not MIN_NAME_LENGTH <= len(name) <= MAX_NAME_LENGTH:
        raise InvalidName("name_length", f"Use {MIN_NAME_LENGTH} to {MAX_NAME_LENGTH} letters.")
    if not all(
        each.isalpha()
        or each.isdecimal()
        or each in ALLOWED_PUNCTUATION + IDEOGRAPHIC_ZERO
        or _is_mark(each)
        or _is_allowed_in_context(name, position)
        for position, each in enumerate(name)
    ):
        raise InvalidName(
            "name_letters",
            "Use only letters, digits, spaces, hyphens, apostrophes and full stops.",
        )
    has_letter = any(letter.isalpha() and letter not in ITERATION_MARKS for letter in name)
    can_begin = name[0].isalnum() and name[0] not in ITERATION_MARKS
    # The Hebrew sign for foreign sounds, which is stored as an apostrophe, can end a name.
    can_end = name[-1] not in " -'" or is_letter_of(name[-2], ("HEBREW",))
    if not (can_begin and can_end and has_letter):
        raise InvalidName("name_letters", "Begin and end the name with a letter or digit.")
    if _MISPLACED_PUNCTUATION_PATTERN.search(name):
        text = "Put hyphens, apostrophes and full stops between letters, one at a time."
        raise InvalidName("name_letters", text)
    if _has_misplaced_mark(name):
        raise InvalidName("name_letters", "Use accents and vowel signs only on letters.")
    if is_reserved(name):
        raise InvalidName("name_reserved", "This name is reserved. Choose another one.")
    with_signs = name.replace("\u00b7", "")  # the Catalan dot, whose context is checked above
    letters = [
        each
        for each in with_signs
        if each.isalpha() or _is_mark(each) or each in INNER_SIGNS + IDEOGRAPHIC_ZERO
    ]
    if not any(all(is_letter_of(letter, alphabet) for letter in letters) for alphabet in ALPHABETS):
        raise InvalidName("name_alphabet", "Use letters from one alphabet only.")
    visible = name.translate(dict.fromkeys(map(ord, JOINER_CHARACTERS)))
    if typed_text.without_hidden_characters(visible) != visible:
        raise InvalidName("name_letters", "Use only visible letters.")
    return name


def _is_allowed_in_context(name: str, position: int) -> bool:
    """Return whether this joiner or sign is between characters that need it. rules: RFC 5892, A"""
    letter = name[position]
    if not 0 < position < len(name) - 1 or letter not in JOINER_CHARACTERS + INNER_SIGNS:
        return False
    around = name[position - 1], name[position + 1]
    if not all(each.isalpha() or _is_mark(each) for each in around):
        return False
    if letter in JOINER_CHARACTERS:
        return idna.valid_contextj(name, position)
    return letter == TIBETAN_TSHEG or idna.valid_contexto(name.lower(), position)


# A sign that follows another sign, except a space or a hyphen after a full stop.
_MISPLACED_PUNCTUATION_PATTERN = re.compile(r"['.]['.]|[ -]['.]|'-")


def _has_misplaced_mark(name: str) -> bool:
    """Return whether a mark does not follow a letter, or a letter has too many marks or the same
    mark twice."""
    marks: list[str] = []
    before = " "
    for letter in name:
        if _is_mark(letter):
            if not (before.isalpha() or _is_mark(before)) or letter in marks:
                return True
            marks.append(letter)
        else:
            if letter in ITERATION_MARKS and not (before.isalpha() or _is_mark(before)):
                return True
            marks = []
        if len(marks) > MAX_COMBINING_MARKS:
            return True
        before = letter
    return False


def is_letter_of(letter: str, alphabet: tuple[str, ...]) -> bool:
    """Return whether a letter or mark, except modifiers, belongs to this alphabet."""
    if letter in AFRICAN_LETTERS or letter in LATIN_ACCENTS:
        return alphabet == LATIN_NAME_PREFIXES
    called = unicodedata.name(letter, "")
    is_sign = unicodedata.category(letter) == "Lm" and letter not in ITERATION_MARKS
    is_plain = not is_sign and "FILLER" not in called
    return is_plain and called.startswith(alphabet) and not "\u0250" <= letter <= "\u02ff"


def is_reserved(name: str) -> bool:
    """Return whether the name, or a part of it, has a meaning in the game or on the site.

    A capital after a small letter begins a new part, as in "xXAdminXx". Adjacent parts are also
    joined, to find words that are divided by a sign, such as "Ad-min". Reserved words are also
    found if digits surround them or replace letters, or if they are framed, as in "xxadminxx".
    """
    skeleton = confusable_skeleton(name)
    if not {skeleton, _without_frame(skeleton)}.isdisjoint(_skeletons(*RESERVED_NAMES)):
        return True
    signs = re.escape(ALLOWED_PUNCTUATION + INNER_SIGNS)
    parts = re.split(rf"[{signs}]+", "".join(_with_spaces_between_words(name)))
    runs = (
        "".join(parts[first:last])
        for first in range(len(parts))
        for last in range(first + 1, len(parts) + 1)
    )
    return any(map(_is_reserved_part, runs))


def _with_spaces_between_words(name: str) -> Iterator[str]:
    """Yield the letters of the name, with a space before each capital that begins a word."""
    for before, letter, following in zip(" " + name, name, name[1:] + " ", strict=False):
        if letter.isupper() and (before.islower() or (before.isupper() and following.islower())):
            yield " "
        yield letter


# The same letter repeated at both ends, or one "x" at both ends.
_FRAME_PATTERN = re.compile(
    r"(?P<letter>[^\W\d])(?:(?P=letter)+|(?<=x))(?P<framed>.+?)(?P=letter)+"
)


def _without_frame(skeleton: str) -> str:
    found = _FRAME_PATTERN.fullmatch(skeleton)
    return found["framed"] if found else skeleton


def _is_reserved_part(part: str) -> bool:
    bare = part.strip(string.digits)
    stems = _skeletons(*RESERVED_STEMS)
    spellings = part, bare, part.translate(DIGITS_AS_LETTERS), bare.translate(DIGITS_AS_LETTERS)
    skeletons = set(map(confusable_skeleton, spellings))
    for spelt in skeletons | set(map(_without_frame, skeletons)):
        if not {spelt, spelt.removesuffix("s")}.isdisjoint(_skeletons(*RESERVED_PARTS)):
            return True
        if any(spelt.startswith(stem) or spelt.endswith(stem) for stem in stems):
            return True
    return False


DIGITS_AS_LETTERS = str.maketrans("46789", "agtbg")


@cache  # not computed at import, because the table of confusable letters takes 50 ms
def _skeletons(*words: str) -> frozenset[str]:
    """Return the skeletons of the words in lower and upper case, because they can differ."""
    forms = (str, str.upper, str.capitalize)
    return frozenset(confusable_skeleton(form(word)) for word in words for form in forms)
