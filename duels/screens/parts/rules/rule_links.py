"""Links from citations of rules to the rules page."""

from html import escape

from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

from duels.caching.caches import named_cache
from duels.screens.parts.rules.rule_text import is_numbered, rule_names


@named_cache("links to rules", size=2048, key="rule and ruleset, which are public")
def rule_link(rule: str, ruleset: str, *, is_named: bool = False) -> SafeString:
    """Return a link to a rule.

    The text of the link is the rule's name. For numbered rules it is the number; the name is in a
    tooltip and for screen readers. With `is_named`, the link always shows the name, for readers who
    do not know the numbers yet.
    """
    name = escape(rule_names(ruleset).get(rule, rule))
    is_ruling = is_numbered(rule) and not is_named
    title = f' title="Rule {escape(rule)}: {name}"' if is_ruling else ""
    return mark_safe(
        f'<a class="rule-link" href="{reverse("rules", args=[ruleset])}#{escape(rule)}"'
        f'{title}><span class="hidden-text">rule </span>'
        + (
            f'{escape(rule)}<span class="hidden-text">, {name}</span></a>'
            if is_ruling
            else f"{name}</a>"
        )
    )


def rule_words(rule: str, ruleset: str) -> str:
    """Return the rule's name as plain text, such as "Missile" or "R21: Shields"."""
    name = rule_names(ruleset).get(rule, rule)
    return f"{rule}: {name}" if is_numbered(rule) and name != rule else name
