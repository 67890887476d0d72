"""Hyphenation of long words in spells' names, for narrow columns, because some browsers cannot
hyphenate English.
"""

from collections.abc import Mapping
from typing import Final

SOFT_HYPHEN: Final = "\u00ad"

SYLLABLES: Final[Mapping[str, str]] = {
    word.replace("-", ""): word.replace("-", SOFT_HYPHEN)
    for word in ("En-chant-ment", "Invis-ibil-ity", "Mal-adroit-ness")
}
"""The long words, with a soft hyphen at each possible break."""


def hyphenated(name: str) -> str:
    """Return the name with soft hyphens in its long words."""
    return " ".join(SYLLABLES.get(word, word) for word in name.split(" "))
