"""Wizards' names: which are allowed, and which look alike.

Two names that a reader could take for each other have the same `skeleton`, and a skeleton is given
once. Reserved words are the ones with a meaning in orders, in reports and on the site.
"""

import re
import unicodedata

SHORTEST = 2
LONGEST = 24

RESERVED = (
    # what orders are written with
    *("left", "right", "both", "hand", "hands", "lh", "rh", "bh", "bank", "release"),
    *("no one", "noone", "nobody", "nowhere", "none", "attacker", "everyone", "everybody", "all"),
    *("you", "your", "self", "me", "nothing", "stab", "target", "subject"),
    # who speaks for the site
    *("admin", "administrator", "moderator", "operator", "referee", "staff", "support", "root"),
    *("system", "owner", "official", "webmaster", "postmaster", "security", "spellcaster"),
    # who or what may look on, or win
    *("spectator", "observer", "draw", "anonymous", "deleted"),
)
# No part of a name: a report could not tell the wizard from the monster, or from one who has left.
RESERVED_PARTS = ("goblin", "ogre", "troll", "giant", "elemental", "departed")

# Letters of other alphabets that look like Latin ones, after folding case and taking marks off.
LOOK_ALIKE = str.maketrans(
    dict(
        zip(
            "авеёзіїјкмнорстухѕԁԛԝһӏɑɡıοαβγεικνρτυχωςσ",
            "abee3iijkmhopctyxsdqwhlagioabyeikvptuxwco",
            strict=True,
        )
    )
)
# Letters and digits that look like each other, in capitals or in small letters.
SAME = (("rn", "m"), ("vv", "w"), ("0", "o"), ("1", "l"), ("i", "l"), ("5", "s"), ("3", "e"))


class InvalidName(ValueError):
    """The name cannot be given; `code` is permanent, the text is a sentence."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


def normal(name: str) -> str:
    """The name as it is stored: one form of each letter, single spaces."""
    return " ".join(unicodedata.normalize("NFKC", name).split())


def skeleton(name: str) -> str:
    """What the name looks like at a glance; equal for names that could be mistaken."""
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", name).casefold())
    letters = "".join(letter for letter in folded if letter.isalnum()).translate(LOOK_ALIKE)
    for seen, taken_for in SAME:
        letters = letters.replace(seen, taken_for)
    return letters


def slug(name: str) -> str:
    """The name as part of an address. Different skeletons have different slugs."""
    return re.sub(r"[ -]+", "-", normal(name).lower())


def checked(name: str) -> str:
    """The name as it can be stored. Raises `InvalidName`, also for reserved words."""
    name = normal(name)
    if not SHORTEST <= len(name) <= LONGEST:
        raise InvalidName("name_length", f"A name has {SHORTEST} to {LONGEST} letters.")
    if not all(letter.isalpha() or letter.isdecimal() or letter in " -" for letter in name):
        raise InvalidName("name_letters", "A name has letters, digits, spaces and hyphens only.")
    if not (name[0].isalnum() and name[-1].isalnum() and any(map(str.isalpha, name))):
        raise InvalidName("name_letters", "A name begins and ends with a letter or digit.")
    if is_reserved(name):
        raise InvalidName("name_reserved", "This name means something else here.")
    return name


def is_reserved(name: str) -> bool:
    """Whether the name, or a part of it, has another meaning in the game or on the site."""
    parts = {skeleton(part) for part in re.split(r"[ -]+", name)}
    return skeleton(name) in _RESERVED or not parts.isdisjoint(_RESERVED_PARTS)


_RESERVED = frozenset(map(skeleton, RESERVED))
_RESERVED_PARTS = frozenset(map(skeleton, RESERVED_PARTS))
