"""Tests of the two-minute introduction: its scenes match the engine, and its links work."""

import re

import pytest
from django.test import Client

import engine.play
from duels.forms import shared_options
from duels.lessons.primer import RULESET, SCENES
from duels.loaded import adjudication
from duels.models import Duel, Seat
from duels.screens.parts.rules.rule_text import sections
from duels.screens.primer.context import picture_of_a_turn, shown_scenes
from tests.duels.test_guests import guest_in
from tests.duels.visitors import Visitor

WORDS_READ_IN_A_MINUTE = 200  # words


def test_scenes_of_the_primer_match_what_the_engine_plays() -> None:
    shown = {each.scene.slug: each for each in shown_scenes()}
    assert list(shown) == ["turn", "hand", "spell", "defence", "monster", "end"]
    told = {
        slug: [line.code for report in scene.reports for line in report.lines]
        for slug, scene in shown.items()
    }
    assert told["turn"] == told["hand"] == []
    assert "wounded" in told["spell"]
    assert "wounded" not in told["defence"]
    assert "failed" in told["defence"]
    assert "summoned" in told["monster"]
    assert "died" in told["end"]
    assert told["end"][-1] == "won"
    for scene in SCENES:
        letters = ["".join(hand.letter for hand in turn) for turn in shown[scene.slug].turns]
        assert letters == ["".join(pairs) for pairs in scene.turns]


@pytest.mark.parametrize("ruleset", list(engine.play.RULESETS))
def test_picture_on_an_invitation_matches_the_duels_ruleset(ruleset: str) -> None:
    scene = picture_of_a_turn(ruleset)
    (report,) = scene.reports
    assert {"cast", "failed"} <= {line.code for line in report.lines}


def test_primer_is_short_and_linked_for_new_players(client: Client, db: None) -> None:
    page = client.get("/primer/").content.decode()
    article = page.partition("<article")[2].partition("</article>")[0]
    prose = re.sub(r"<figure.*?</figure>", "", article, flags=re.DOTALL)  # without figures
    assert len(re.sub(r"<[^>]+>", " ", prose).split()) < 2 * WORDS_READ_IN_A_MINUTE
    for path in ("/", "/rules/", "/rules/bartle-1/"):
        assert 'href="/primer/"' in client.get(path).content.decode(), path


@pytest.mark.parametrize(
    ("next", "is_shown"), [("/c/some/", True), ("https://evil.test/", False), ("", False)]
)
def test_primer_links_back_to_the_challenge(
    client: Client, db: None, next: str, *, is_shown: bool
) -> None:
    page = client.get("/primer/", {"next": next}).content.decode()
    assert (f'href="{next}">Back to the challenge</a>' in page) == is_shown
    assert ("Back to the challenge" in page) == is_shown


def test_guided_duel_is_one_click_and_practice_two_clicks_from_the_front_page(
    visitor: Visitor, db: None
) -> None:
    front = visitor.page("/")
    assert 'action="/play"' in front
    assert 'href="/practice/"' in front
    for ruleset in engine.play.RULESETS:
        practice = visitor.page(f"/practice/?ruleset={ruleset}")
        assert re.findall(r'name="ruleset" value="([^"]+)" checked', practice) == [ruleset]
        answer = visitor.post("/practice/", {"ruleset": ruleset})
        assert Duel.objects.get(pk=answer.url.split("/")[2]).ruleset == ruleset
    assert Seat.objects.filter(wizard=guest_in(visitor)).count() == len(engine.play.RULESETS)


def test_unknown_ruleset_in_the_address_of_practice_is_ignored(visitor: Visitor, db: None) -> None:
    practice = visitor.page("/practice/?ruleset=chess-1")
    assert re.findall(r'name="ruleset" value="([^"]+)" checked', practice) == ["bartle-1"]


def test_practice_ignores_options_of_another_ruleset(visitor: Visitor, db: None) -> None:
    """A browser also sends a checkbox that was hidden when another ruleset was chosen."""
    own = set(adjudication.available_options("warlocks-1")) - set(shared_options())
    answer = visitor.post("/practice/", {"ruleset": "bartle-1", **dict.fromkeys(own, "on")})
    assert own
    assert Duel.objects.get(pk=answer.url.split("/")[2]).options == []


def test_unknown_ruleset_in_the_address_does_not_create_a_guest(visitor: Visitor, db: None) -> None:
    answer = visitor.post("/practice/", {"ruleset": "chess-1", "strict": "on"})
    assert answer.status_code == 400
    page = answer.content.decode()
    assert "chess-1 is not one of the available choices" in page
    assert re.search(r'name="strict"[^>]*checked', page), "the choice is kept"
    assert not Seat.objects.exists()


# Rule notes


def test_every_rule_cited_in_the_primer_has_a_note(client: Client, db: None) -> None:
    page = client.get("/primer/").content.decode()
    cited = set(re.findall(r'class="rule-link" href="(/rules/[^"#]+/)#([^"]+)"', page))
    assert len(cited) > 5
    for path, rule in cited:
        note = client.get(f"{path}rule/{rule}").content.decode()
        assert 'class="rule-note"' in note
        assert f'href="{path}#{rule}">Read the full rule</a>' in note


@pytest.mark.parametrize("ruleset", ["bartle-1", "wizards-1"])
def test_every_rule_has_a_note_that_links_to_the_rules_page(
    client: Client, db: None, ruleset: str
) -> None:
    anchors = [rule.anchor for section in sections() for rule in section.rules]
    assert len(anchors) > 200
    for anchor in anchors:
        answer = client.get(f"/rules/{ruleset}/rule/{anchor}")
        html = answer.content.decode()
        assert answer.status_code == 200
        assert "<html" not in html
        assert not re.search(r'href="#', html)
        for path, rule in re.findall(r'class="rule-link" href="([^"#]+)#([^"]+)"', html):
            own = "warlocks-1" if rule.startswith("W") else ruleset
            assert path == f"/rules/{own}/"
            assert rule in anchors


def test_note_of_a_spell_matches_its_ruleset(client: Client, db: None) -> None:
    note = client.get(f"/rules/{RULESET}/rule/spell:missile").content.decode()
    assert 'data-title="Missile"' in note
    assert "by default at the opponent" in note
    assert "In Wizards" not in note


@pytest.mark.parametrize(
    "path", ["bartle-1/rule/R9999", "bartle-1/rule/x%00y", "chess-1/rule/R1", "bartle-1/rule/<b>"]
)
def test_note_of_an_unknown_rule_is_not_found(client: Client, db: None, path: str) -> None:
    assert client.get(f"/rules/{path}").status_code == 404
