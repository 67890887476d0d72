"""Templates of sentences about beings and spells, filled in for one reader.

Notation:

- `{who}` is a being ("you" for the observer), and `{who's}` its possessive.
- `{who.he}`, `{who.his}` and `{who.self}` are pronouns of a being already named.
- `<cast|casts who>` is a verb that agrees with a name, `<cast|casts who.he>` with a pronoun.
- `[missile]` is the ruleset's name for that spell, and `{spell}` the name of the event's spell.

rules: F5, F61
"""

import re
from collections.abc import Mapping
from typing import Final

from engine.gestures import GESTURE_NAMES, pattern_text
from engine.ids import FUTURE_BEINGS, SpellWithPattern, is_monster
from engine.legality.scope import NOWHERE
from engine.rules_text.wording import PLACE_WORDS, future_being_text
from engine.view.view_types import View

_TOKEN_PATTERN = re.compile(
    r"\{(\w+)('s|\.self|\.his|\.he)?\}"
    r"|<([^|>]*)\|([^ >]*(?: [^|> ]+)*?) (\w+)(\.he)?>"
    r"|\[(\w+)\]"
)


_PRONOUN_FORMS: Final[Mapping[str, Mapping[str, str]]] = {
    ".he": {"you": "you", "he": "he", "she": "she", "they": "they", "it": "it"},
    ".his": {"you": "your", "he": "his", "she": "her", "they": "their", "it": "its"},
    ".self": {
        "you": "yourself", "he": "himself", "she": "herself", "they": "themselves", "it": "itself",
    },
}  # fmt: skip


class TemplateFiller:
    """Filler of templates for one observer, or for a wizard who reads the open record."""

    def __init__(self, view: View, reader: str = "") -> None:
        self.view = view
        self.you = reader or view.observer
        self.rules = view.rules
        self.pronouns = {wizard.id: wizard.pronouns for wizard in view.wizards}

    def being_name(self, id: str) -> str:
        """Return a being's name, "you" for the observer, or "somebody" if it is unknown."""
        if id == self.you:
            return "you"
        if not id:
            return "somebody"
        if id == NOWHERE:
            return PLACE_WORDS[NOWHERE]
        if id in FUTURE_BEINGS:
            return future_being_text(id, self.possessive)
        name = self.view.names.get(id, id)
        return f"the {name}" if is_monster(id) else name

    def possessive(self, id: str) -> str:
        if id == self.you:
            return "your"
        return f"{self.being_name(id)}’s"

    def spell_name(self, id: str) -> str:
        """Return a spell's name; for `id/PATTERN`, with the gestures of that pattern."""
        id, pattern = SpellWithPattern.parse(id)
        spell = self.rules.spells.get(id)
        name = spell.name if spell else id.replace("_", " ")
        return f"{name} ({pattern_text(pattern)})" if pattern else name

    def fill_in(self, template: str, **words: str) -> str:
        """Return the template as a sentence, with its beings and verbs filled in.

        Arguments whose name begins with "who" are ids of beings, and `spell` is the id of a spell.
        All others are used unchanged. A being that does something to itself is named once, followed
        by "himself", "herself" and so on.
        """
        doers: set[str] = set()

        def text_of_token(found: re.Match[str]) -> str:
            name, form, plural, singular, subject, pronoun, spell = found.groups()
            if spell:
                return self.spell_name(spell)
            if subject:
                return plural if self.is_plural(words[subject], bool(pronoun)) else singular
            word = words[name]
            if name == "spell":
                return self.spell_name(word)
            if not name.startswith("who"):
                return word
            if form in _PRONOUN_FORMS:
                return self.pronoun_for(word, form)
            if name == "whose" or form == "'s":
                return self.possessive(word)
            if template.startswith(" <", found.end()):
                doers.add(word)
            elif word and word in doers:
                return self.pronoun_for(word, ".self")
            return self.being_name(word)

        text = _TOKEN_PATTERN.sub(text_of_token, template)
        return text[:1].upper() + text[1:]

    def is_plural(self, id: str, pronoun: bool) -> bool:
        """Return whether the verb is plural: after "you" and "they", but not after a name."""
        return id == self.you or (pronoun and self.pronoun(id) == "they")

    def pronoun(self, id: str) -> str:
        """Return the being's pronoun: "it" for monsters, "they" for someone unknown."""
        return self.pronouns.get(id, "it" if id else "they")

    def pronoun_for(self, id: str, form: str) -> str:
        """Return a form of the being's pronoun; `form` is ".he", ".his" or ".self"."""
        pronoun = "you" if id == self.you else self.pronoun(id)
        return _PRONOUN_FORMS[form][pronoun]


def gesture_name(letter: str) -> str:
    """Return the name of a gesture, with its letter."""
    name = GESTURE_NAMES[letter]
    return name if letter in ">-" else f"{name} ({letter})"
