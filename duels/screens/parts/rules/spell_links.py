"""Links from spells' names to their rules, which scripts show next to the name."""

from html import escape

from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

from duels.caching.caches import named_cache
from duels.screens.parts.hyphens import hyphenated
from duels.screens.parts.rules.rule_text import rule_names


@named_cache("links to spells", size=2048, key="spell, name and ruleset, which are public")
def spell_link(spell: str, name: str, ruleset: str, *, is_on_card: bool = False) -> SafeString:
    """Return the spell's name as a link to its rule, or as text if the rules have no such spell.

    A link on the card of a gesture is not in the order of the Tab key, because the key I opens it.
    """
    words = escape(hyphenated(name))
    if f"spell:{spell}" not in rule_names(ruleset):
        return mark_safe(words)
    address = f"{reverse('rules', args=[ruleset])}#spell:{escape(spell)}"
    tab = ' tabindex="-1"' if is_on_card else ""
    return mark_safe(f'<a class="spell-link" href="{address}"{tab}>{words}</a>')
