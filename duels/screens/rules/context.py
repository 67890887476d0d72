"""Contexts for the rules pages. Every rule has an anchor, and reports link to it. The page of a
ruleset shows the ruleset's own notes before the rule that they belong to.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Any

from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

import engine.play
import engine.words
from duels.referees.cases.queries import settling_rulings_by_rule
from duels.screens.parts.rules.rule_text import Rule, RulesetNote, Section, sections
from duels.screens.parts.rules.spell_defence import defence_words
from duels.screens.parts.rules.spell_rows import SpellFacts, ruleset_family, spell_facts
from duels.wording.options import OPTION_TEXTS
from engine.play import STEPWISE, Ruleset, Spell

# Authors of rulesets that have their own rulebook, as named in the sources of rules. If that
# rulebook does not mention a point, Bartle's applies. Rulesets that follow a program have none.
AUTHOR_BY_RULESET = {"wizards": "van Zoelen", "archmage": "Archmage"}

# URL names of the pages for players who know a ruleset from another site.
GUIDE_URL_BY_RULESET = {"warlocks": "from_warlocks"}


@dataclass(frozen=True)
class RuleInRuleset:
    """A rule as the page of one ruleset shows it."""

    rule: Rule
    title: str
    paragraphs: tuple[SafeString, ...]
    here: tuple[RulesetNote, ...]
    elsewhere: tuple[RulesetNote, ...]
    replaced: bool  # whether one of the notes replaces the rule
    filled_in: bool  # the ruleset's text says nothing, so this is Bartle's rule. rules: R27
    facts: SpellFacts | None
    missing: bool  # whether the rule's spell is not in this ruleset's book
    variant: str  # option of a duel that adds the spell to the book
    rulings: tuple[int, ...] = ()  # numbers of the rulings that settle its meaning


def rules_context(ruleset: Ruleset) -> dict[str, Any]:
    settled = settling_rulings_by_rule()
    return {
        "ruleset": ruleset,
        "sections": [
            (section, tuple(rule_in_ruleset(rule, ruleset, settled) for rule in section.rules))
            for section in sections_of(ruleset_family(ruleset))
        ],
        "silent": AUTHOR_BY_RULESET.get(ruleset_family(ruleset), ""),
        "as_the_program": follows_program(ruleset),
        "lesson": GUIDE_URL_BY_RULESET.get(ruleset_family(ruleset), ""),
    }


def sections_of(name: str) -> list[Section]:
    """Return the sections that apply to a ruleset, beginning with its own sections."""
    own = [section for section in sections() if section.family == name]
    return own + [section for section in sections() if not section.family]


def rule_note_html(ruleset: Ruleset, anchor: str) -> SafeString | None:
    """Return a short form of the rule to show next to a citation, or None if there is no such rule.

    Citations in the text become links to the rules page.
    """
    rule = next((each for part in sections() for each in part.rules if each.anchor == anchor), None)
    if rule is None:
        return None
    spell = ruleset.spells.get(rule.spell)
    context = {
        "ruleset": ruleset,
        "here": rule_in_ruleset(rule, ruleset),
        "defence": defence_words(spell, ruleset) if spell else "",
    }
    html = render_to_string("duels/rules/rule_note.html", context)
    page = reverse("rules", args=[ruleset.id])
    return mark_safe(re.sub('<a href="(#|/)', partial(_link_to_rule_page, page), html))


def _link_to_rule_page(rules_address: str, link: re.Match[str]) -> str:
    return f'<a class="rule-link" href="{rules_address if link[1] == "#" else ""}{link[1]}'


def follows_program(ruleset: Ruleset) -> bool:
    """Return whether the ruleset follows a program, not its manual. rules: F79"""
    return ruleset.order_of_play == STEPWISE


def rule_in_ruleset(
    rule: Rule, ruleset: Ruleset, settled: Mapping[str, Sequence[int]] | None = None
) -> RuleInRuleset:
    """Return the rule with this ruleset's own notes first.

    `settled` contains the numbers of the referees' rulings that settle the meaning of a rule, by
    rule.
    """
    name = ruleset_family(ruleset)
    spell = ruleset.spells.get(rule.spell) or _optional_spell(rule.spell, ruleset)
    here = tuple(note for note in rule.notes if name in note.families)
    author = AUTHOR_BY_RULESET.get(name)
    return RuleInRuleset(
        rule=rule,
        title=spell.name if spell else rule.title,
        here=here,
        elsewhere=tuple(
            replace(note, text=_with_ruleset_links(note.text, name))
            for note in rule.notes
            if name not in note.families
        ),
        paragraphs=tuple(_with_ruleset_links(text, name) for text in rule.paragraphs),
        replaced=any(note.replaces for note in here),
        filled_in=bool(author and not here and rule.source and author not in rule.source),
        facts=spell_facts(spell, ruleset) if spell else None,
        missing=bool(rule.spell) and spell is None,
        variant=_option_adding_spell(spell.id, ruleset) if spell else "",
        rulings=tuple((settled or {}).get(rule.anchor, ())),
    )


def _optional_spell(spell_id: str, ruleset: Ruleset) -> Spell | None:
    """Return the spell if an option of the duel adds it to the book, otherwise None."""
    found = (variant.spells.get(spell_id) for variant in ruleset.variants.values())
    return next(filter(None, found), None)


def _option_adding_spell(spell_id: str, ruleset: Ruleset) -> str:
    """Return the title of the option that adds the spell to the book, or "" if the book has the
    spell anyway."""
    if spell_id in ruleset.spells:
        return ""
    having = (name for name in ruleset.options if spell_id in ruleset.under([name]).spells)
    return OPTION_TEXTS[next(having)].title


def _with_ruleset_links(text: SafeString, ruleset_id: str) -> SafeString:
    """Return the text with links to another ruleset's own rules on that ruleset's page."""

    def link_to_newest(link: re.Match[str]) -> str:
        owner = _ruleset_of_each_rule()[link[1]]
        if owner in ("", ruleset_id):
            return link[0]
        newest = [
            each.id for each in engine.play.RULESETS.values() if ruleset_family(each) == owner
        ][-1]
        return f'href="{reverse("rules", args=[newest])}#{link[1]}"'

    return mark_safe(re.sub(r'href="#([\w:]+)"', link_to_newest, text))


@cache
def _ruleset_of_each_rule() -> dict[str, str]:
    """Return the only ruleset to which each rule applies, or "" if a rule applies to all
    rulesets."""
    return {rule.anchor: section.family for section in sections() for rule in section.rules}
