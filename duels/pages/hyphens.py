"""Where the long words in names of spells may be broken, for columns that have no room for them.

Browsers know that of themselves only where they have a list of English words.
"""

from collections.abc import Mapping
from typing import Final

LONG: Final = 11  # letters that a narrow column does not hold; what is shorter stays whole
SOFT_HYPHEN: Final = "\u00ad"

SYLLABLES: Final[Mapping[str, str]] = {
    word.replace("-", ""): word.replace("-", SOFT_HYPHEN)
    for word in ("En-chant-ment", "Invis-ibil-ity", "Mal-adroit-ness")
}
"""Each long word with a soft hyphen wherever it may end a line."""


def breakable(name: str) -> str:
    """The name, its long words with soft hyphens."""
    return " ".join(SYLLABLES.get(word, word) for word in name.split(" "))
