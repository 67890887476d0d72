"""Wizards' names: which are allowed, and which look alike.

Two names that a reader could confuse have the same `skeleton`, and each skeleton can be used once.
Reserved words are those with a meaning in orders, in reports or on the site.
"""

import re
import string
import unicodedata
from collections.abc import Mapping
from functools import cache

from homoglyphs_fork import Homoglyphs

SHORTEST = 2
LONGEST = 24

RESERVED = (
    # words used in orders
    *("left", "right", "both", "hand", "hands", "bank", "release"),
    *("lh", "rh", "bh", "lh2", "rh2", "bh2"),
    *("no one", "noone", "nobody", "nowhere", "none", "attacker", "everyone", "everybody", "all"),
    *("you", "your", "self", "me", "nothing", "stab", "target", "subject"),
    # names that speak for the site
    *("root", "system", "owner", "official", "security", "spellcaster"),
    # the practice opponent
    "old quill",
    # watchers and results
    *("spectator", "observer", "draw", "anonymous", "deleted"),
)
# Not allowed as part of a name. In a report, such a wizard could be confused with a monster, with
# one who has left or is only visiting, or with staff.
RESERVED_PARTS = (
    *("goblin", "ogre", "troll", "giant", "elemental", "departed", "guest"),
    *("admin", "administrator", "moderator", "operator", "referee", "staff", "support"),
    *("webmaster", "postmaster"),
)

# Alphabets for names, by the beginnings of their letters' Unicode names. A name uses only one, so
# that no letter can be confused with another alphabet's. Scripts on one line can be mixed.
ALPHABETS = (
    ("LATIN SMALL LETTER", "LATIN CAPITAL LETTER"),
    *(("GREEK",), ("CYRILLIC",), ("ARMENIAN",), ("GEORGIAN",), ("HEBREW",), ("ARABIC",)),
    *(("ETHIOPIC",), ("THAI",)),
    ("CJK", "HIRAGANA", "KATAKANA", "HANGUL", "BOPOMOFO"),
)

# Letters that readers of names confuse with Latin ones, in addition to Unicode's list of confusable
# letters: a small letter whose capital looks like a Latin one, and the other way round.
LOOK_ALIKE = str.maketrans(
    dict(
        zip(
            "авеёзіїјкмнорстухѕԁԛԝһӏɑɡıοαβγεικνρτυχωςσ\u0397\u039c\u039d\u03a5\u0396",
            "abee3iijkmhopctyxsdqwhlagioabyeikvptuxwcohmnyz",
            strict=True,
        )
    )
)
BEYOND_ALPHABETS = 0x12000  # after all letters of those alphabets that look like Latin ones
# Letters and digits that look like each other, as capitals or as small letters.
SAME = (("rn", "m"), ("vv", "w"), ("0", "o"), ("1", "l"), ("i", "l"), ("5", "s"), ("3", "e"))


class InvalidName(ValueError):
    """Error for a name that is not allowed. `code` never changes; the text is a sentence."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


def normalised_name(name: str) -> str:
    """Return the name as stored: one form of each letter, single spaces."""
    return " ".join(unicodedata.normalize("NFKC", name).split())


def skeleton(name: str) -> str:
    """Return what the name looks like at a glance, equal for names that could be confused.

    It is stored. When it changes, even because of a new version of the list of letters, a migration
    must calculate it again.
    """
    # A capital can look like a Latin letter when its small letter does not.
    seen = "".join(_latin(each) if each.isupper() else each for each in _unmarked(name))
    letters = filter(str.isalnum, _unmarked(seen.casefold()))
    return _joined("".join(map(_latin, letters)))


def _unmarked(text: str) -> str:
    """Return the text without accents and other marks."""
    return "".join(
        letter
        for letter in unicodedata.normalize("NFKD", text)
        if not unicodedata.combining(letter)
    )


def _latin(letter: str) -> str:
    """Return the Latin letter that this one looks like, otherwise the letter itself."""
    if letter.isascii():
        return letter
    own = letter.translate(LOOK_ALIKE)
    return own if own != letter else _confusable().get(letter, letter)


def _joined(letters: str) -> str:
    for seen, taken_for in SAME:
        letters = letters.replace(seen, taken_for)
    return letters


@cache
def _confusable() -> Mapping[str, str]:
    """Map letters to the Latin letter or digit that Unicode's list confuses them with (UTS 39)."""
    latin = set(string.ascii_letters + string.digits)
    letters = {letter for letter in map(chr, range(BEYOND_ALPHABETS)) if letter.isalnum()}
    alike = Homoglyphs.get_table(letters)
    return {
        letter: min(_joined(other.casefold()) for other in others)
        for letter in letters - latin
        if (others := alike.get(letter, set()) & latin)
    }


def slug(name: str) -> str:
    """Return the name as part of a URL. Different skeletons have different slugs."""
    return re.sub(r"[ -]+", "-", normalised_name(name).lower())


def valid_name(name: str) -> str:
    """Return the name as it can be stored. Raise `InvalidName`, also for reserved words."""
    name = normalised_name(name)
    if not SHORTEST <= len(name) <= LONGEST:
        raise InvalidName("name_length", f"Use {SHORTEST} to {LONGEST} letters.")
    if not all(letter.isalpha() or letter.isdecimal() or letter in " -" for letter in name):
        raise InvalidName("name_letters", "Use only letters, digits, spaces and hyphens.")
    if not (name[0].isalnum() and name[-1].isalnum() and any(map(str.isalpha, name))):
        raise InvalidName("name_letters", "Begin and end the name with a letter or digit.")
    if is_reserved(name):
        raise InvalidName("name_reserved", "This name is reserved. Choose another one.")
    letters = [letter for letter in name if letter.isalpha()]
    if not any(all(is_letter_of(letter, alphabet) for letter in letters) for alphabet in ALPHABETS):
        raise InvalidName("name_alphabet", "Use letters from one alphabet only.")
    return name


def is_letter_of(letter: str, alphabet: tuple[str, ...]) -> bool:
    """Return whether this is a visible letter of the alphabet, and not a phonetic sign."""
    called = unicodedata.name(letter, "")
    is_plain = unicodedata.category(letter) != "Lm" and "FILLER" not in called
    return is_plain and called.startswith(alphabet) and not "\u0250" <= letter <= "\u02ff"


def is_reserved(name: str) -> bool:
    """Return whether the name, or a part of it, has another meaning in the game or on the site."""
    parts = {skeleton(part) for part in re.split(r"[ -]+", name)}
    parts |= {part.removesuffix("s") for part in parts}
    return skeleton(name) in _RESERVED or not parts.isdisjoint(_RESERVED_PARTS)


_RESERVED = frozenset(map(skeleton, RESERVED))
_RESERVED_PARTS = frozenset(map(skeleton, RESERVED_PARTS))
