"""Links from the names of spells to their rules. A script shows the rule next to the name."""

import re
from functools import cache
from html import escape

from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

import engine.play
from duels.caching.caches import named_cache
from duels.screens.parts.rules.rule_text import rule_names


@named_cache("links to spells", size=2048, key="spell, name and ruleset, which are public")
def spell_link(spell: str, name: str, ruleset: str, *, is_on_card: bool = False) -> SafeString:
    """Return the spell's name as a link to its rule, or as text if the rules have no such spell.

    The Tab key skips links on the cards of gestures, because the key I opens these.
    """
    words = escape(name)
    if not ruleset or f"spell:{spell}" not in rule_names(ruleset):
        return mark_safe(words)
    address = f"{reverse('rules', args=[ruleset])}#spell:{escape(spell)}"
    tab = ' tabindex="-1"' if is_on_card else ""
    return mark_safe(f'<a class="spell-link" href="{address}"{tab}>{words}</a>')


def with_spell_links(text: str, ruleset: str) -> SafeString:
    """Return the text with a link for each spell that it names, except in quotations."""
    spells = _spells_by_name(ruleset)

    def linked(match: re.Match[str]) -> str:
        return spell_link(spells[match[1]], match[1], ruleset) if match[1] else match[0]

    return mark_safe(_spell_name_pattern(ruleset).sub(linked, escape(text)))


def named_spell_links(text: str, ruleset: str) -> SafeString:
    """Return only the links to the spells that the text names."""
    spells = _spells_by_name(ruleset)
    names = dict.fromkeys(filter(None, _spell_name_pattern(ruleset).findall(text)))
    return mark_safe(", ".join(spell_link(spells[name], name, ruleset) for name in names))


@cache
def _spells_by_name(ruleset_id: str) -> dict[str, str]:
    """Return the ids of the ruleset's spells by name, including spells that only an option adds."""
    ruleset = engine.play.RULESETS[ruleset_id]
    books = (*ruleset.variants.values(), ruleset)
    return {spell.name: spell.id for book in books for spell in book.spells.values()}


@cache
def _spell_name_pattern(ruleset_id: str) -> re.Pattern[str]:
    names = sorted(_spells_by_name(ruleset_id), key=len, reverse=True)
    return re.compile(rf"“.*”|\b({'|'.join(map(re.escape, names))})\b", re.DOTALL)
