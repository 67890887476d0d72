"""Wizards' names: which are allowed, and which look alike.

Two names that a reader could take for each other have the same `skeleton`, and a skeleton is given
once. Reserved words are the ones with a meaning in orders, in reports and on the site.
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
    # what orders are written with
    *("left", "right", "both", "hand", "hands", "bank", "release"),
    *("lh", "rh", "bh", "lh2", "rh2", "bh2"),
    *("no one", "noone", "nobody", "nowhere", "none", "attacker", "everyone", "everybody", "all"),
    *("you", "your", "self", "me", "nothing", "stab", "target", "subject"),
    # who speaks for the site
    *("root", "system", "owner", "official", "security", "spellcaster"),
    # the practice opponent
    "old quill",
    # who or what may look on, or win
    *("spectator", "observer", "draw", "anonymous", "deleted"),
)
# No part of a name: a report could not tell the wizard from the monster, from one who has left or
# has only come to look, or from staff.
RESERVED_PARTS = (
    *("goblin", "ogre", "troll", "giant", "elemental", "departed", "guest"),
    *("admin", "administrator", "moderator", "operator", "referee", "staff", "support"),
    *("webmaster", "postmaster"),
)

# Alphabets that names are written in, by the first words of their letters' Unicode names. A name
# keeps to one, so that no letter passes for another's; those of one line go together.
ALPHABETS = (
    ("LATIN SMALL LETTER", "LATIN CAPITAL LETTER"),
    *(("GREEK",), ("CYRILLIC",), ("ARMENIAN",), ("GEORGIAN",), ("HEBREW",), ("ARABIC",)),
    *(("ETHIOPIC",), ("THAI",)),
    ("CJK", "HIRAGANA", "KATAKANA", "HANGUL", "BOPOMOFO"),
)

# Letters that look like Latin ones to readers of names, beside those that Unicode's list of
# confusable letters has: a small letter whose capital looks so, and the other way round.
LOOK_ALIKE = str.maketrans(
    dict(
        zip(
            "авеёзіїјкмнорстухѕԁԛԝһӏɑɡıοαβγεικνρτυχωςσ\u0397\u039c\u039d\u03a5\u0396",
            "abee3iijkmhopctyxsdqwhlagioabyeikvptuxwcohmnyz",
            strict=True,
        )
    )
)
BEYOND_ALPHABETS = 0x12000  # no letter of those alphabets that looks like a Latin one comes after
# Letters and digits that look like each other, in capitals or in small letters.
SAME = (("rn", "m"), ("vv", "w"), ("0", "o"), ("1", "l"), ("i", "l"), ("5", "s"), ("3", "e"))


class InvalidName(ValueError):
    """The name cannot be given; `code` is permanent, the text is a sentence."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


def normalised(name: str) -> str:
    """The name as it is stored: one form of each letter, single spaces."""
    return " ".join(unicodedata.normalize("NFKC", name).split())


def skeleton(name: str) -> str:
    """What the name looks like at a glance; equal for names that could be mistaken.

    It is stored: when it changes, also by a new version of the list of letters, a migration has to
    make it anew.
    """
    # A capital may look like a letter that its small letter does not look like.
    seen = "".join(_latin(each) if each.isupper() else each for each in _unmarked(name))
    letters = filter(str.isalnum, _unmarked(seen.casefold()))
    return _joined("".join(map(_latin, letters)))


def _unmarked(text: str) -> str:
    """The text without accents and other marks."""
    return "".join(
        letter
        for letter in unicodedata.normalize("NFKD", text)
        if not unicodedata.combining(letter)
    )


def _latin(letter: str) -> str:
    """The Latin letter that this one looks like; else the letter as it is."""
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
    """By letter, the Latin letter or digit that Unicode's list takes it for (UTS 39)."""
    latin = set(string.ascii_letters + string.digits)
    letters = {letter for letter in map(chr, range(BEYOND_ALPHABETS)) if letter.isalnum()}
    alike = Homoglyphs.get_table(letters)
    return {
        letter: min(_joined(other.casefold()) for other in others)
        for letter in letters - latin
        if (others := alike.get(letter, set()) & latin)
    }


def slug(name: str) -> str:
    """The name as part of an address. Different skeletons have different slugs."""
    return re.sub(r"[ -]+", "-", normalised(name).lower())


def checked(name: str) -> str:
    """The name as it can be stored. Raises `InvalidName`, also for reserved words."""
    name = normalised(name)
    if not SHORTEST <= len(name) <= LONGEST:
        raise InvalidName("name_length", f"A name has {SHORTEST} to {LONGEST} letters.")
    if not all(letter.isalpha() or letter.isdecimal() or letter in " -" for letter in name):
        raise InvalidName("name_letters", "A name has letters, digits, spaces and hyphens only.")
    if not (name[0].isalnum() and name[-1].isalnum() and any(map(str.isalpha, name))):
        raise InvalidName("name_letters", "A name begins and ends with a letter or digit.")
    if is_reserved(name):
        raise InvalidName("name_reserved", "This name means something else here.")
    letters = [letter for letter in name if letter.isalpha()]
    if not any(all(is_letter_of(letter, alphabet) for letter in letters) for alphabet in ALPHABETS):
        raise InvalidName("name_alphabet", "A name is written with the letters of one alphabet.")
    return name


def is_letter_of(letter: str, alphabet: tuple[str, ...]) -> bool:
    """Whether this is a letter of the alphabet that can be seen, and no sign for phoneticians."""
    called = unicodedata.name(letter, "")
    is_plain = unicodedata.category(letter) != "Lm" and "FILLER" not in called
    return is_plain and called.startswith(alphabet) and not "\u0250" <= letter <= "\u02ff"


def is_reserved(name: str) -> bool:
    """Whether the name, or a part of it, has another meaning in the game or on the site."""
    parts = {skeleton(part) for part in re.split(r"[ -]+", name)}
    parts |= {part.removesuffix("s") for part in parts}
    return skeleton(name) in _RESERVED or not parts.isdisjoint(_RESERVED_PARTS)


_RESERVED = frozenset(map(skeleton, RESERVED))
_RESERVED_PARTS = frozenset(map(skeleton, RESERVED_PARTS))
