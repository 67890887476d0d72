"""Names of beings and spells in text orders, for the writer and the parser.

Wizards can name the beings they know of, by the names they know. Case, spaces and hyphens do not
matter. rules: turn:orders, R14, R94, F15-F22
"""

import re
import unicodedata
from functools import cache
from typing import Final

from engine.gestures import BANK, BOTH
from engine.ids import FUTURE_BEINGS, SET_HANDS, SetHand, future_being_id
from engine.legality.scope import ATTACKER, NO_ONE, NOWHERE, is_known_subject
from engine.positions.position import ALIVE, Position, Wizard
from engine.rulesets.ruleset import Ruleset
from engine.spellbook import BARTLE_SPELLBOOK

HAND_WORDS: Final = {"L": "LH", "R": "RH", "BH": "BH"}
HAND_PATTERN: Final = r"(?:[LRB]H?|left|right|both)"
"""Pattern for a hand: `LH`, `L` or `left`; both hands are `BH`, `B` or `both`."""

PLAIN_STYLE, QUOTED_STYLE, ID_STYLE = "plain", "quoted", "by id"
# Maximum number of characters in a phrase besides a name with a space after each letter: a hand and
# its colon, quotation marks, and extra spaces.
MAX_PREFIX_LENGTH: Final = 40

NAME_STYLES: Final = (PLAIN_STYLE, QUOTED_STYLE, ID_STYLE)
"""Ways to write a name. If a name written in one style is ambiguous, try the next one."""

_QUOTED_PATTERN = re.compile(r"[\"“”]([^\"“”]*)[\"“”]")
_FUTURE_BEING_PATTERN = re.compile(
    rf"(?:({HAND_PATTERN})(2?)|(BANK))\s*:\s*(.+)", re.IGNORECASE | re.DOTALL
)
_PLACE_BY_PHRASE: Final = {
    "nowhere": NOWHERE,
    "noone": NO_ONE,
    "nobody": NO_ONE,
    "attacker": ATTACKER,
    "myattacker": ATTACKER,
}
_WORDS_FOR_SELF: Final = frozenset({"me", "myself", "yourself"})
_PLACE_WORDS: Final = {NOWHERE: "nowhere", NO_ONE: "no_one", ATTACKER: "attacker"}
_BARTLE_NAMES: Final = {spell.id: spell.name for spell in BARTLE_SPELLBOOK}


def normalised_name(words: str) -> str:
    """Return only the letters and digits, in lower case, to compare spellings of a name."""
    folded = unicodedata.normalize("NFKC", words).casefold()
    return "".join(letter for letter in folded if letter.isalnum())


class BeingsByName:
    """The beings that a wizard may name, with their names by id."""

    def __init__(self, position: Position, own: Wizard) -> None:
        self._own = own.id
        self.wizards = {wizard.id: wizard.name for wizard in position.wizards}
        self.monsters = {
            monster.id: monster.name
            for monster in position.monsters
            if is_known_subject(position, own, monster.id)
        } | dict(own.knows or {})
        self.names = self.wizards | self.monsters
        self._rules = position.rules
        self._obedient = {
            monster.id
            for monster in position.monsters
            if monster.controller == own.id and monster.state == ALIVE
        }
        self._alike: dict[str, list[str]] = {}
        for id, name in self.names.items():
            self._alike.setdefault(normalised_name(name), []).append(id)
        known = max(map(len, (*self.names, *self.names.values())), default=0)
        self.longest = 2 * known + MAX_PREFIX_LENGTH

    def find_candidates(self, phrase: str) -> list[str]:
        """Return every being or place that the phrase can mean.

        A monster that does not exist yet is named by the hand that will make it. A phrase longer
        than `longest` is never a name, so the time for parsing a line grows only with its length.
        """
        if len(phrase) > self.longest:
            return []
        place = _PLACE_BY_PHRASE.get(normalised_name(phrase))
        if place is not None and not _QUOTED_PATTERN.fullmatch(phrase):
            return [place]
        if found := _FUTURE_BEING_PATTERN.fullmatch(phrase):
            hand = BANK if found[3] else hand_code(found[1])
            number = 2 if found[2] else 1
            named = [id for id in self.find_named(found[4]) if id in self.wizards]
            return [future_being_id(id, hand, number) for id in named]
        return self.find_named(phrase) or (
            [self._own] if normalised_name(phrase) in _WORDS_FOR_SELF else []
        )

    def find_named(self, phrase: str) -> list[str]:
        """Return the beings with exactly that name.

        If there are none, return those with a similar spelling, otherwise the monsters of that kind
        ("goblin").
        """
        if phrase.startswith("#"):
            return [phrase[1:]] if phrase[1:] in self.names else []
        quoted = _QUOTED_PATTERN.fullmatch(phrase)
        name = quoted[1] if quoted else phrase
        exact = [id for id, other in self.names.items() if other == name]
        spelt = "" if '"' in name or "“" in name else normalised_name(name)
        if exact or not spelt:
            return exact
        return self._alike.get(spelt, []) or self._find_of_kind(spelt)

    def _find_of_kind(self, spelt: str) -> list[str]:
        """Return the monsters of this kind, as shown by the names that the wizard knows."""
        kinds = [
            f" {kind.name}"
            for kind in self._rules.monsters.values()
            if normalised_name(kind.name) == spelt
        ]
        return [
            id for id, name in self.monsters.items() if any(kind in f"{name} " for kind in kinds)
        ]

    def find_commanded(self, phrase: str) -> list[str]:
        """Return the monsters, made or still to be made, that an order to this phrase can mean.

        A kind means only the wizard's own living monsters, if there are any.
        """
        meant = [
            id for id in self.find_candidates(phrase) if id in self.monsters or id in FUTURE_BEINGS
        ]
        mine = [id for id in meant if id in self._obedient]
        return mine if mine and self._find_of_kind(normalised_name(phrase)) else meant

    def phrase_of_being(self, id: str, style: str) -> str:
        """Return the being or place as a phrase; an unknown being becomes `#` and its id."""
        if id in _PLACE_WORDS:
            return _PLACE_WORDS[id]
        if id in FUTURE_BEINGS:
            made = FUTURE_BEINGS[id]
            by = BANK if made.hand == BANK else hand_word(made.making_hand.text)
            return f"{by}:{self.phrase_of_being(made.maker, style)}"
        if style == ID_STYLE or id not in self.names:
            return f"#{''.join(id.split())}"
        name = self.names[id]
        return f'"{name}"' if style == QUOTED_STYLE else name


def hand_word(hand: str) -> str:
    """Return a hand as text orders write it, LH2 for "L2"; return any other text unchanged."""
    found = SET_HANDS.get(hand)
    return SetHand(HAND_WORDS[found.hand], found.set).text if found else hand


def hand_code(word: str) -> str:
    """Return L, R or BH for a word that `HAND_PATTERN` matches."""
    letter = word[0].upper()
    return BOTH if letter == "B" else letter


@cache
def _spellings(id: str, name: str) -> frozenset[str]:
    """Return the skeletons of a spell's names. They are cached because every text needs them."""
    return frozenset(normalised_name(each) for each in (name, id, _BARTLE_NAMES.get(id, "")))


class SpellNames:
    """The names of a ruleset's spells; Bartle's names and the ids work too."""

    def __init__(self, rules: Ruleset) -> None:
        self._names = {
            spell.id: _spellings(spell.id, spell.name) for spell in rules.spells.values()
        }
        self._longest = max(len(name) for names in self._names.values() for name in names)

    def find_spells(self, phrase: str) -> list[str]:
        """Return the ids of spells with that name, otherwise with names that begin with it."""
        wanted = normalised_name(phrase)
        if not wanted or len(wanted) > self._longest:
            return []
        whole = [id for id, spelt in self._names.items() if wanted in spelt]
        return whole or [
            id
            for id, spelt in self._names.items()
            if any(name.startswith(wanted) for name in spelt)
        ]
