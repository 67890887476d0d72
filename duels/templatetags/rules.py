"""The rule that a line cites, as template tags: a link on a page, and its name in words."""

from django import template

from duels.pages.rule_links import rule_link, rule_words

register = template.Library()
register.simple_tag(rule_link)
register.simple_tag(rule_words)
