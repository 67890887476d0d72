"""Pages of every ruleset: rules, differences, the order of a turn, and the spellbook."""

import re
from dataclasses import replace
from html import escape
from pathlib import Path

import pytest
from django.test import Client

import engine
from duels.models import Wizard
from duels.screens.parts.rules.rule_text import (
    is_numbered,
    markdown_to_html,
    rule_names,
    sections,
    spell_id_of_rule,
)
from duels.screens.parts.rules.spell_rows import (
    SORT_ORDERS,
    book_entries,
    spell_effect,
    spell_facts,
    spells_completed_within,
)
from duels.screens.rules.context import AUTHOR_BY_RULESET
from duels.screens.rules.turn_order import FIXED_STEPS, turn_steps
from duels.wording.rule_index import differences
from engine.resolve import NUMBERED_MAGIC_PHASES, ORDERS_OF_PLAY, SEALED_MAGIC_PHASES
from engine.resolve.stepwise import CLOSING_STEPS, EXECUTION_STEPS
from engine.rulesets import BARTLE_1, RULESETS
from engine.rulesets.archmage import ARCHMAGE_1
from engine.rulesets.ruleset import Ruleset
from engine.rulesets.warlocks import WARLOCKS_1
from engine.rulesets.wizards import WIZARDS_1
from tests.cast import begin, hands, play, signed_in
from tests.engine.rulebook import RULES

pytestmark = pytest.mark.django_db
for_every_ruleset = pytest.mark.parametrize("ruleset", RULESETS.values(), ids=list(RULESETS))
WARLOCKS_RULES = {rule for rule in RULES if rule.startswith("W")}
# The phases of the engine that each step on a turn page describes, by order of play.
PHASES_BY_STEP = {
    engine.play.SEALED: {
        "The reveal": "reveal_gestures",
        "Casting": "complete_spells",
        "Which spells work": (
            "dispel_magic merge_elementals raise_guards summon_monsters raise_corpses land_casts "
            "remove_and_cure cancel_conflicting_mind_spells apply_enchantments ask_questions"
        ),
        "Heat and cold": "settle_heat_and_cold",
        "Everything strikes": "deal_damage",
        "Damage and cures": "settle_damage",
        "Deaths": "apply_deaths",
        "The winner": "settle_winner move_markers",
        "Effects on the next turn": "apply_to_later_turns",
        "Clocks": "begin_next_turn",
    },
    engine.play.STEPWISE: {
        "The hands move": "reveal_rows",
        "Choice of spells": "complete_spells capture_spells",
        "Aim": "aim_spells",
        "Which spells work": "gather_casts raise_guards land_spells",
        "Summons, heat and cold": "summon_monsters settle_elements",
        "Enchantments": "cancel_opposites apply_protections apply_enchantments",
        "Damage, then cures": "deal_damage cure_and_raise",
        "Monsters": "monsters_attack advance_mind_spells",
        "Clocks and deaths": "run_clocks",
        "The end or the next turn": "settle_winner begin_next_turn",
    },
    engine.play.NUMBERED: {
        "The reveal": "reveal_gestures",
        "Casting": "complete_spells",
        "Which spells work": (
            "keep_guards_in_hasted_turn dispel_magic raise_guards keep_mirrors_in_hasted_turn "
            "summon_monsters raise_corpses land_casts remove_and_cure "
            "cancel_conflicting_mind_spells cancel_by_older_mind_spells apply_enchantments "
            "ask_questions"
        ),
        "Heat and cold": "settle_heat_and_cold",
        "Cures and blows": "deal_damage_in_rounds settle_damage",
        "Deaths": "apply_deaths",
        "The winner": "settle_winner",
        "Effects on the next turn": "apply_to_later_numbered_turns",
        "The next turn, and clocks": "begin_next_turn",
    },
}
RULESET_PATHS = ("/rules/{}/", "/rules/{}/differences/", "/rules/{}/turn/", "/spellbook/{}/")


def page(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200, address
    return answer.content.decode()


def rule_section(html: str, anchor: str) -> str:
    """Return the part of a rules page about one rule."""
    return html.partition(f'id="{anchor}">')[2].partition('<div class="rule')[0]


@for_every_ruleset
def test_rules_page_of_every_ruleset_has_every_rule(client: Client, ruleset: Ruleset):
    """Promise 7: reports link to this page for the duel's own ruleset."""
    html = page(client, f"/rules/{ruleset.id}/")
    anchors = re.findall(r' id="([^"]+)"', html)
    assert len(anchors) == len(set(anchors))
    own = set(RULES) - WARLOCKS_RULES if ruleset.id != "warlocks-1" else set(RULES)
    assert set(anchors) & set(RULES) == own


@for_every_ruleset
@pytest.mark.parametrize("address", RULESET_PATHS)
def test_every_link_to_a_rule_leads_to_that_rule(client: Client, ruleset: Ruleset, address: str):
    html = page(client, address.format(ruleset.id))
    own = set(re.findall(r' id="([^"]+)"', html))
    for href in re.findall(r'href="#([^"]+)"', html):
        assert href in own, href
    for other, anchor in re.findall(r'href="/rules/([^/"]+)/#([^"]+)"', html):
        assert other == ("warlocks-1" if anchor in WARLOCKS_RULES else ruleset.id)
        assert anchor in RULES, anchor


@for_every_ruleset
@pytest.mark.parametrize("address", RULESET_PATHS)
def test_pages_of_a_ruleset_link_to_each_other(client: Client, ruleset: Ruleset, address: str):
    html = page(client, address.format(ruleset.id))
    for other in RULESET_PATHS:
        assert f'href="{other.format(ruleset.id)}"' in html
    assert 'href="/rules/"' in html


@pytest.mark.parametrize(
    "address", [*(each.format("bartle-9") for each in RULESET_PATHS), "/rules/bartle/turn/"]
)
def test_pages_of_an_unknown_ruleset_return_404(client: Client, address: str):
    assert client.get(address).status_code == 404


def test_rules_overview_lists_all_rulesets(client: Client):
    html = page(client, "/rules/")
    assert re.findall(r'data-ruleset="([^"]+)"', html) == list(RULESETS)
    for ruleset in RULESETS.values():
        assert f'href="/rules/{ruleset.id}/"' in html


def test_rules_page_shows_the_notes_of_its_own_ruleset_first(client: Client):
    wizards = rule_section(page(client, "/rules/wizards-1/"), "R11")
    assert 'class="note-here"' in wizards
    assert wizards.index("note-here") < wizards.index("Its caster is the default subject.")
    bartle = rule_section(page(client, "/rules/bartle-1/"), "R11")
    assert "note-here" not in bartle
    assert "<strong>In Wizards and Warlocks:</strong> The opponent is the default" in bartle
    both = rule_section(page(client, "/rules/archmage-1/"), "R51")
    assert "<strong>In Archmage:</strong> Remove Enchantment does not destroy" in both


def test_rules_of_a_single_ruleset_are_shown_only_on_its_page(client: Client):
    warlocks = page(client, "/rules/warlocks-1/")
    assert warlocks.index('id="W9"') < warlocks.index('id="turn:orders"')
    assert 'id="W9"' not in page(client, "/rules/bartle-1/")
    assert ("W9" in rule_names("warlocks-1"), "W9" in rule_names("bartle-1")) == (True, False)
    note = client.get("/rules/warlocks-1/rule/W9").content.decode()
    assert "gives three hasted turns" in note


def test_note_that_replaces_a_rule_is_marked(client: Client):
    own = rule_section(page(client, "/rules/warlocks-1/"), "R97")
    assert "<strong>In Warlocks:</strong>" in own
    assert "<strong>Elsewhere:</strong>" in own
    assert "Otherwise as in Bartle" not in own
    bartle = rule_section(page(client, "/rules/bartle-1/"), "R97")
    assert "<strong>In Warlocks:</strong>" in bartle
    assert 'href="/rules/warlocks-1/#W9"' in bartle


def test_every_note_is_for_an_existing_ruleset():
    families = {id.rpartition("-")[0] for id in RULESETS}
    notes = [note for section in sections() for rule in section.rules for note in rule.notes]
    assert len(notes) > 100
    assert {name for note in notes for name in note.families} == families - {"bartle"}


def test_rules_that_a_ruleset_takes_from_bartle_are_marked(client: Client):
    """rules: R27"""
    mark = '<span class="tag">as in Bartle</span>'
    wizards = page(client, "/rules/wizards-1/")
    assert mark in rule_section(wizards, "spell:poison")  # only the spell's gestures
    assert mark not in rule_section(wizards, "R109")
    assert mark not in rule_section(wizards, "R23")
    archmage = page(client, "/rules/archmage-1/")
    assert mark not in rule_section(archmage, "spell:poison")
    assert mark in rule_section(archmage, "R92")
    assert mark not in page(client, "/rules/bartle-1/").partition('<nav class="leaf"')[2]


def test_every_rule_without_notes_names_its_sources():
    """Pages can only show that a source lacks a rule if each rule names its sources."""
    for section in sections():
        if section.title != "Scenarios":
            bare = [rule.anchor for rule in section.rules if not rule.source and not rule.notes]
            assert bare == []


def test_sources_and_credits_use_the_same_names():
    named = {rule.source for section in sections() for rule in section.rules}
    assert all(any(author in source for source in named) for author in AUTHOR_BY_RULESET.values())


@for_every_ruleset
def test_duel_page_links_to_spellbook_and_rules_of_its_ruleset(
    ada: Wizard, bram: Wizard, ruleset: Ruleset
):
    """Promise 7, F45: the links show the spell names of the duel's ruleset."""
    duel = begin(ada, bram, ruleset=ruleset.id)
    play(duel, {ada: hands("W", "P"), bram: hands("S", ">")})
    html = page(signed_in(ada), f"/duels/{duel.pk}/")
    assert f'href="/spellbook/{ruleset.id}/"' in html
    led_to = re.findall(r'href="/rules/([^/"]+)/#([^"]+)"', html)
    assert {other for other, _ in led_to} == {ruleset.id}
    assert {anchor for _, anchor in led_to} <= set(RULES)


# The text


@pytest.mark.parametrize(
    ("text", "html"),
    [
        (
            "**Bold**, *slanted* and `code`",
            "<strong>Bold</strong>, <em>slanted</em> and <code>code</code>",
        ),
        ("See R8 to R14.", 'See <a href="#R8">R8</a> to <a href="#R14">R14</a>.'),
        ("(S3, `turn:stab`)", '(<a href="#S3">S3</a>, <a href="#turn:stab">turn:stab</a>)'),
        ("`R12` and `turn:` are code", "<code>R12</code> and <code>turn:</code> are code"),
        ("R2D2, FR12 and R1234 are no rules", "R2D2, FR12 and R1234 are no rules"),
        ("*as in R7*", '<em>as in <a href="#R7">R7</a></em>'),
        ("<b>x</b> & <script>", "&lt;b&gt;x&lt;/b&gt; &amp; &lt;script&gt;"),
        ("[x](javascript:alert(1))", "[x](javascript:alert(1))"),
    ],
)
def test_markdown_is_converted_to_html_with_links_to_rules(text: str, html: str):
    assert markdown_to_html(text) == html


def test_rules_can_be_cited_by_number_or_name():
    numbered = {rule for rule in RULES if is_numbered(rule)}
    assert numbered == {rule for rule in RULES if ":" not in rule}
    assert {spell_id_of_rule(rule) for rule in RULES} - {""} == {
        spell
        for ruleset in RULESETS.values()
        for variant in (ruleset, *ruleset.variants.values())
        for spell in variant.spells
    }


def test_sections_of_the_rules_text_have_every_rule_in_order():
    assert [rule.anchor for section in sections() for rule in section.rules] == list(RULES)
    assert all(section.title and section.anchor for section in sections())


# Spells


@for_every_ruleset
def test_rule_of_a_spell_includes_its_row_in_the_spellbook(client: Client, ruleset: Ruleset):
    html = page(client, f"/rules/{ruleset.id}/")
    for spell in ruleset.spells.values():
        own = rule_section(html, spell.rule)
        assert spell_facts(spell, ruleset).gestures in own
        assert spell_effect(spell, ruleset) in own
        mark = '<abbr title="enchantment">*</abbr>' if spell.is_enchantment else ""
        assert f"{spell.name}{mark} <a" in own


def test_rules_page_marks_spells_that_the_ruleset_does_not_have(client: Client):
    assert "not in this ruleset" in rule_section(
        page(client, "/rules/bartle-1/"), "spell:sacrifice"
    )
    assert "not in this ruleset" in rule_section(
        page(client, "/rules/wizards-1/"), "spell:summon_elemental"
    )
    assert "not in this ruleset" not in rule_section(
        page(client, "/rules/wizards-1/"), "spell:sacrifice"
    )


def test_gestures_in_the_rules_text_match_the_spellbook():
    """In RULES.md, each spell begins with its gestures, which must match the engine."""
    text = (Path(engine.__file__).parent / "RULES.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"### spell:(\w+) — .*\n(.+?) · ", text))
    for spell in {**WIZARDS_1.spells, **BARTLE_1.spells}.values():
        told = {letters.replace("-", "") for letters in re.findall(r"`([^`]+)`", rows[spell.id])}
        assert told == set(spell.patterns), spell.id


@for_every_ruleset
def test_text_about_a_spells_effect_has_its_numbers(ruleset: Ruleset):
    for spell in ruleset.spells.values():
        words = spell_effect(spell, ruleset)
        if spell.amount:
            assert str(spell.amount) in words, spell.id
        if spell.monster:
            kind = ruleset.monsters[spell.monster]
            assert words.startswith(f"{kind.attack} damage"), spell.id
            assert f"{kind.limit} damage kills it" in words


def test_effects_in_warlocks_say_when_spells_miss_and_how_long_they_last():
    """rules: W4, W29, W33.

    Storms and elementals hit invisible wizards, and monsters of blind wizards attack.
    """
    told = {id: spell_effect(spell, WARLOCKS_1) for id, spell in WARLOCKS_1.spells.items()}
    assert "others miss them" in told["invisibility"]
    assert "misses others" in told["blindness"]
    assert told["protection_from_evil"] == "a shield that lasts"
    assert told["cure_heavy_wounds"].startswith("cures 2 and disease, to at most one hit point")


def test_effect_text_of_a_summons_names_the_monsters_of_its_ruleset():
    giant, fire = BARTLE_1.monsters["giant"], BARTLE_1.monsters["fire"]
    changed = {"giant": replace(giant, attack=5), "fire": replace(fire, limit=7)}
    ruleset = replace(BARTLE_1, monsters={**BARTLE_1.monsters, **changed})
    giants, elementals = (
        spell_effect(ruleset.spells[id], ruleset) for id in ("summon_giant", "summon_elemental")
    )
    assert giants == "5 damage a turn; 4 damage kills it"
    assert elementals == (
        "3 damage a turn to everyone; 7 damage kills it; else "
        "3 damage a turn to everyone; 3 damage kills it"
    )


@for_every_ruleset
@pytest.mark.parametrize("order", SORT_ORDERS)
def test_spellbook_has_every_sequence_in_each_sort_order(
    client: Client, ruleset: Ruleset, order: str
):
    html = page(client, f"/spellbook/{ruleset.id}/?order={order}")
    assert html.count('<tr data-spell="') == len(ruleset.completables)


def test_the_spellbooks_have_the_right_numbers_of_spells_and_sequences():
    """rules: F1, W1.

    The numbers are 39, 39, 41, 39 and 40 spells, and 41, 41, 44, 41 and 43 sequences.
    """
    lengths = {id: (len(book.spells), len(book.completables)) for id, book in RULESETS.items()}
    assert lengths == {
        "bartle-1": (39, 41),
        "spellcast-1": (39, 41),
        "wizards-1": (41, 44),
        "archmage-1": (39, 41),
        "warlocks-1": (40, 43),
    }


def test_spellbook_with_maladroit_replaces_confusion(
    client: Client,
):
    """rules: W23"""
    plain = page(client, "/spellbook/warlocks-1/?q=DSF")
    assert 'data-spell="confusion"' in plain
    with_it = page(client, "/spellbook/warlocks-1/?with=maladroit&q=DSF")
    assert 'data-spell="maladroitness"' in with_it
    assert 'data-spell="confusion"' not in with_it
    assert 'name="with" value="maladroit"' in with_it
    assert 'data-spell="confusion"' in page(client, "/spellbook/bartle-1/?with=maladroit&q=DSF")
    own = rule_section(page(client, "/rules/warlocks-1/"), "spell:maladroitness")
    assert '<span class="tag">with Maladroit</span>' in own
    assert "D-S-F" in own


@for_every_ruleset
def test_sorting_by_last_gesture_compares_sequences_from_their_end(ruleset: Ruleset):
    """rules: F46, R21.

    The test computes the expected order: the clap first, then the other gestures, hand by hand.
    """
    rows = [entry.gestures for entry in book_entries(ruleset, "last")]
    backwards = [list(reversed(row.split("-"))) for row in rows]
    keys = [
        [("CDFPSW".index(letter.upper()), letter.islower()) for letter in row] for row in backwards
    ]
    assert keys == sorted(keys)
    assert "c-D-P-W" in rows


@for_every_ruleset
def test_stars_in_the_spellbook_mark_exactly_the_enchantments(client: Client, ruleset: Ruleset):
    """rules: F47"""
    html = page(client, f"/spellbook/{ruleset.id}/?order=name")
    starred = {
        spell
        for spell, row in re.findall(r'<tr data-spell="(\w+)">(.*?)</tr>', html, re.DOTALL)
        if 'title="enchantment">*' in row
    }
    assert starred == {spell.id for spell in ruleset.spells.values() if spell.is_enchantment}
    assert len(starred) == 18


def test_spellbook_uses_the_names_in_the_source_of_its_ruleset(client: Client):
    """rules: R20"""
    html = page(client, "/spellbook/wizards-1/")
    assert "Magic Missile" in html
    assert "wriggled fingers" in html
    assert "wriggled fingers" not in page(client, "/spellbook/archmage-1/")


@pytest.mark.parametrize(
    ("ruleset", "pattern", "passed"),
    [
        (BARTLE_1, "cSWWS", [(5, "counter_spell")]),
        (BARTLE_1, "DPP", [(2, "shield"), (3, "shield")]),
        (BARTLE_1, "WWFP", [(4, "cause_light_wounds"), (4, "shield")]),
        (BARTLE_1, "DSFFFc", [(3, "confusion"), (5, "paralysis")]),
        (BARTLE_1, "SPFPSDW", [(2, "shield"), (3, "anti_spell"), (4, "shield"), (6, "missile")]),
        (WIZARDS_1, "SPFPSDW", [(2, "shield"), (4, "anti_spell"), (4, "shield"), (6, "missile")]),
        (WIZARDS_1, "DFWFd", [(3, "cure_light_wounds")]),
        (BARTLE_1, "FSSDD", [(4, "missile")]),
        (BARTLE_1, "SD", []),
        (
            BARTLE_1,
            "WFPSFW",
            [(3, "cause_light_wounds"), (3, "shield")]
            + [(6, f"summon_{kind}") for kind in ("troll", "ogre", "goblin")],
        ),
    ],
)
def test_spellbook_lists_spells_completed_on_the_way_to_another_spell(
    ruleset: Ruleset, pattern: str, passed: list[tuple[int, str]]
):
    found = [
        (place, spell)
        for place, spells in spells_completed_within(pattern, ruleset)
        for spell in spells
    ]
    assert found == passed


# Differences between rulesets


@for_every_ruleset
def test_differences_page_lists_every_difference_from_bartles_rules(
    client: Client, ruleset: Ruleset
):
    html = page(client, f"/rules/{ruleset.id}/differences/")
    assert html.count("<li>") + html.count("<li data-trust") >= len(differences(ruleset))
    for line in differences(ruleset):
        assert escape(line.text) in html


def test_differences_page_of_spellcast_states_the_evidence(client: Client):
    """rules: F79"""
    html = page(client, "/rules/spellcast-1/differences/")
    for words in ("against its manual", "its manual admits it", "eight hundred recorded duels"):
        assert words in html
    assert "eight hundred recorded duels" not in page(client, "/rules/archmage-1/differences/")


# The order of a turn


@for_every_ruleset
def test_steps_on_turn_pages_match_the_phases_that_the_engine_plays(ruleset: Ruleset):
    parts = {
        "execute_spells": EXECUTION_STEPS,
        "close_turn": CLOSING_STEPS,
        "cast_spells": SEALED_MAGIC_PHASES,
        "cast_numbered_spells": NUMBERED_MAGIC_PHASES,
    }
    played = [
        step.__name__
        for phase in ORDERS_OF_PLAY[ruleset.order_of_play].phases
        for step in parts.get(phase.__name__, (phase,))
    ]
    phases, titles = PHASES_BY_STEP[ruleset.order_of_play], [s.title for s in turn_steps(ruleset)]
    assert phases.keys() <= set(titles)
    assert [phase for title in titles for phase in phases.get(title, "").split()] == played


def test_turn_pages_describe_every_order_of_play():
    assert {engine.play.SEALED, *FIXED_STEPS} == ORDERS_OF_PLAY.keys()


def test_steps_on_a_turn_page_are_described_for_its_ruleset(client: Client):
    titles = {
        ruleset.id: [step.title for step in turn_steps(ruleset)] for ruleset in RULESETS.values()
    }
    assert titles["archmage-1"][0] == "Extra actions"
    assert titles["bartle-1"] == titles["wizards-1"] == titles["archmage-1"][1:]
    words = {
        ruleset.id: " ".join(step.words for step in turn_steps(ruleset))
        for ruleset in RULESETS.values()
    }
    assert all("{" not in told for told in words.values())
    assert "cast without a target" in words["bartle-1"]
    assert "cast without a target" not in words["wizards-1"]
    assert "marker" in words["wizards-1"]
    assert "the caster chooses fire or ice" in words["archmage-1"]


def test_turn_page_of_archmage_explains_what_precedes_and_follows_a_turn(client: Client):
    """rules: F93"""
    html = page(client, f"/rules/{ARCHMAGE_1.id}/turn/")
    assert "<dt>before the turn</dt>" in html
    assert "<dt>after the turn</dt>" in html
    assert "<dt>before the turn</dt>" not in page(client, "/rules/bartle-1/turn/")


def test_about_page_shows_the_release_number(client: Client):
    assert f"Spellcaster {engine.RELEASE}, MIT licence" in page(client, "/about/")


def test_about_page_credits_all_authors(client: Client):
    """rules: F78"""
    html = page(client, "/about/")
    for name in ("Bartle", "Lean", "Buchanan", "Plotkin", "van Zoelen", "Archmage", "RavenBlack"):
        assert re.search(rf"<strong>[^<]*{name}</strong>", html), name
    for href in re.findall(r'href="(/(?:rules|spellbook)/[^"]*)"', html):
        page(client, href)
