"""The rule that a line cites, as a link to its place on the rules page."""

from functools import lru_cache

from django import template
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from duels.views.rulebook import rule_names

register = template.Library()


@register.simple_tag
@lru_cache(maxsize=2048)
def rule_link(rule: str, ruleset: str) -> SafeString:
    """A spell's or a phase's rule is called by its name; a ruling by its number, and named too."""
    name = rule_names(ruleset).get(rule, rule)
    is_ruling = ":" not in rule
    return format_html(
        '<a class="rule-link" href="{}#{}" title="{}">'
        '<span class="hidden-text">rule </span>{}{}</a>',
        reverse("rules", args=[ruleset]),
        rule,
        f"Rule {rule}: {name}" if is_ruling else f"Rule: {name}",
        rule if is_ruling else name,
        format_html('<span class="hidden-text">, {}</span>', name) if is_ruling else "",
    )
