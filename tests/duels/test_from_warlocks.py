"""The page for players who come from RavenBlack's Warlocks."""

import re

from django.test import Client

import engine.play
import engine.words
from duels.lessons.from_warlocks import RULE_INTERPRETATIONS, RULESET
from engine.rulesets import RULESETS
from tests.cast import Cast, signed_in
from tests.engine.rulebook import RULES


def test_page_lists_each_unclear_point_with_our_reading_and_its_rule(client: Client, db: None):
    html = client.get("/from-warlocks/").content.decode()
    assert len(RULE_INTERPRETATIONS) == 16
    for reading in RULE_INTERPRETATIONS:
        assert reading.rule in RULES
        assert f'href="/rules/{RULESET}/#{reading.rule}"' in html
        assert reading.point.replace("’", "’") in html
        assert reading.here in html


def test_every_cited_rule_is_on_the_rules_page(client: Client, db: None):
    html = client.get("/from-warlocks/").content.decode()
    cited = set(re.findall(rf'href="/rules/{RULESET}/#([^"]+)"', html))
    assert len(cited) > 10
    places = re.findall(r' id="([^"]+)"', client.get(f"/rules/{RULESET}/").content.decode())
    assert cited <= set(places)


def test_orders_in_examples_can_be_parsed(client: Client, db: None):
    """Each line is parsed separately, because no single turn allows all of them."""
    html = client.get("/from-warlocks/").content.decode()
    (shown,) = re.findall(r"<pre>(.*?)</pre>", html, re.DOTALL)
    hands = {"left": "PS", "right": "--", "bank": "missile", "bank_subject": "w1"}
    setup = {
        "wizards": [hands, {}],
        "monsters": [{"kind": "goblin", "controller": "w0"}, {"kind": "ogre", "controller": "w1"}],
    }
    duellists = [engine.play.Duellist("Merlyn"), engine.play.Duellist("Froodal")]
    position = engine.play.begin(RULESET, duellists, setup=setup)
    red, green = (monster.name for monster in position.monsters)
    text = shown.replace("Red Goblin", red).replace("Green Ogre", green)
    fields = engine.words.stated_fields(text, position, "w0")
    assert fields["left"] == "D"
    assert fields["left_spell"] == "charm_monster"
    assert fields["held:w1"] == "R"
    assert fields["bank"] == "L"
    assert fields["release"] == "yes"


def test_page_links_to_a_challenge_under_these_rules_and_to_its_unclear_points(cast: Cast):
    ada = signed_in(cast.ada)
    html = ada.get("/from-warlocks/").content.decode()
    assert html.index('href="#open-questions"') < html.index("<h2")
    assert 'id="open-questions"' in html
    (address,) = re.findall(r'href="(/challenge/new\?[^"]*)"', html)
    assert ada.get(address).context["form"]["ruleset"].value() == RULESET


def test_pages_link_to_the_page_for_warlocks_players(
    cast: Cast,
):
    ada = signed_in(cast.ada)
    for path in ("/rules/", f"/rules/{RULESET}/", "/primer/", "/challenge/new"):
        assert 'href="/from-warlocks/"' in ada.get(path).content.decode(), path
    assert 'href="/from-warlocks/"' in Client().get("/").content.decode()
    for ruleset in set(RULESETS) - {RULESET}:
        assert 'href="/from-warlocks/"' not in ada.get(f"/rules/{ruleset}/").content.decode()
