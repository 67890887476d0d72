"""Tags for citations of rules, as a link or as text, and for names of spells."""

from django import template

from duels.screens.parts.rules.rule_links import rule_link, rule_words
from duels.screens.parts.rules.spell_links import named_spell_links, spell_link, with_spell_links

register = template.Library()
register.simple_tag(rule_link)
register.simple_tag(rule_words)
register.simple_tag(spell_link)
register.filter("spell_links", with_spell_links)
register.filter("named_spells", named_spell_links)
