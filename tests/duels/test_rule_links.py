"""Promise 7: every line that cites a rule links to it, in the rules of the duel's own ruleset."""

import re

import pytest

import engine.play
from duels.models import Duel
from duels.screens.parts.rules.spell_links import with_spell_links
from tests.cast import Cast, begin, hands, open_turn, play, signed_in
from tests.engine.rulebook import RULES

# Orders that cause warnings or errors, each with its rule: gestures barred by fear, a stab without
# a target, two palms.
AFRAID_WIZARD = {"effects": {"fear": {"turns": 1}}}
STAB_AT_MISSING_MONSTER = hands(">", "-", left_subject="m9")
TWO_PALMS = hands("P", "P")


def cited_rules(html: str) -> set[tuple[str, str]]:
    """Return the rules that a page cites, as pairs of ruleset and rule."""
    found = re.findall(r'class="rule-link" href="/rules/([^/"]*)/#([^"]+)"', html)
    assert len(found) == html.count("rule-link")
    return set(found)


def duel_under(ruleset: str, cast: Cast, **row: object) -> Duel:
    """Start a duel between Ada, set up by this row, and Bram."""
    duel = begin(cast.ada, cast.bram, ruleset=ruleset)
    wizards = [engine.play.Duellist("Ada", "she"), engine.play.Duellist("Bram", "he")]
    position = engine.play.begin(ruleset, wizards, setup={"wizards": [row, {}]})
    turn = open_turn(duel)
    turn.position = engine.play.dump(position)
    turn.save(update_fields=["position"])
    return duel


def checked_rules(html: str, ruleset: str) -> set[str]:
    """Return the cited rules, after checking that each exists and belongs to this ruleset."""
    found = cited_rules(html)
    assert {place for place, _ in found} == {ruleset}
    rules = {rule for _, rule in found}
    assert rules <= set(RULES)
    return rules


def test_order_sheet_links_to_spells_named_in_lists_and_warnings(cast: Cast):
    duel = duel_under("warlocks-1", cast, left="WW", right="DF", bank="missile", bank_subject="w1")
    orders = {"turn": "1", **hands("S", "W", right_subject="w0")}
    html = signed_in(cast.ada).post(f"/duels/{duel.pk}/sheet", orders).content.decode()
    missile, counter = (
        f'<a class="spell-link" href="/rules/warlocks-1/#spell:{spell}">{name}</a>'
        for spell, name in (("missile", "Magic Missile"), ("counter_spell", "Counter Spell"))
    )
    assert f"About {missile}" in " ".join(html.split())
    (warning,) = re.findall(r'data-caution="counters_own">.*?</li>', html, re.DOTALL)
    assert counter in warning


@pytest.mark.parametrize("ruleset", engine.play.RULESETS)
def test_reports_and_turn_pages_link_to_rules_of_the_duels_ruleset(ruleset: str, cast: Cast):
    duel = duel_under(ruleset, cast, left="S", right="-")
    client = signed_in(cast.ada)
    opening = checked_rules(client.get(f"/duels/{duel.pk}/").content.decode(), ruleset)
    assert opening & {"R115", "turn:start"}
    assert "</span>R115" not in client.get(f"/duels/{duel.pk}/").content.decode()
    play(duel, {cast.ada: hands("D", ">", left_subject="w1"), cast.bram: hands("P", "-")})
    told = checked_rules(client.get(f"/duels/{duel.pk}/").content.decode(), ruleset)
    assert {"spell:missile", "turn:shield"} <= told
    told = checked_rules(client.get(f"/duels/{duel.pk}/turns/1/").content.decode(), ruleset)
    assert {"spell:missile", "turn:shield"} <= told


@pytest.mark.parametrize("ruleset", engine.play.RULESETS)
def test_errors_on_the_order_sheet_link_to_rules_of_the_duels_ruleset(ruleset: str, cast: Cast):
    duel = duel_under(ruleset, cast, **AFRAID_WIZARD)
    client = signed_in(cast.ada)
    address = f"/duels/{duel.pk}/orders"
    shown = client.get(f"/duels/{duel.pk}/").content.decode()
    form = dict(re.findall(r'name="(turn|form_seal)" value="([^"]*)"', shown))
    refused = client.post(address, {**form, **STAB_AT_MISSING_MONSTER, "do": "seal"})
    assert refused.status_code in (400, 422)
    assert checked_rules(refused.content.decode(), ruleset) >= {"R14"}
    unread = client.post(address, {**form, "do": "read", "text": "LH Q", "text_before": ""})
    assert "data-misread" in unread.content.decode()
    checked_rules(unread.content.decode(), ruleset)


@pytest.mark.parametrize("ruleset", engine.play.RULESETS)
def test_warnings_on_the_order_sheet_link_to_the_duels_own_ruleset(ruleset: str, cast: Cast):
    duel = begin(cast.ada, cast.bram, ruleset=ruleset)
    client = signed_in(cast.ada)
    shown = client.get(f"/duels/{duel.pk}/").content.decode()
    form = dict(re.findall(r'name="(turn|form_seal)" value="([^"]*)"', shown))
    part = client.post(f"/duels/{duel.pk}/sheet", {**form, **TWO_PALMS}).content.decode()
    assert checked_rules(part, ruleset) & {"gesture:surrender", "R111"}


def test_names_of_spells_in_messages_are_not_links():
    assert with_spell_links("You say: “Haste.”", "bartle-1") == "You say: “Haste.”"
    assert 'href="/rules/bartle-1/#spell:haste"' in with_spell_links("Cast Haste.", "bartle-1")
