"""Tags for citations of rules, as a link or as text."""

from django import template

from duels.screens.parts.rules.rule_links import rule_link, rule_words

register = template.Library()
register.simple_tag(rule_link)
register.simple_tag(rule_words)
