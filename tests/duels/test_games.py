"""Pages of the printed sample games, with every turn as each observer saw it."""

import json
import re
from pathlib import Path

import pytest
from django.test import Client

import engine.play
import engine.words
from duels.games import Game, sample_games
from duels.screens.sample_games.context import ALL_SEEING_VIEW, game_history, history_until
from engine.events import Broke
from engine.proof.record import InvalidRecord
from engine.proof.replay import replay
from engine.rulesets import RULESETS
from tests.engine.rulebook import RULES

pytestmark = pytest.mark.django_db
GAMES = sample_games()
GAMES_WITH_RULESETS = [(slug, id) for slug, game in GAMES.items() for id in game.replays]
RECORDS_FOLDER = Path(__file__).parent.parent / "engine" / "sample_games"


def page(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200, address
    return answer.content.decode()


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_each_sample_game_has_a_replay_or_a_reason_for_each_ruleset(game: Game):
    assert {*game.replays, *game.elsewhere} == set(RULESETS)
    assert not set(game.replays) & set(game.elsewhere)
    assert len(game.remarks) == len(game.record["turns"])
    assert len(set(game.remarks)) == len(game.remarks)


@pytest.mark.parametrize("slug", GAMES)
def test_sample_games_on_the_site_match_those_in_the_engines_tests(slug: str):
    path = RECORDS_FOLDER / f"{slug.replace('-', '_')}.json"
    tested = json.loads(path.read_text("utf-8"))["record"]["turns"]
    shown = GAMES[slug].record["turns"]
    for mine, theirs in zip(shown, tested, strict=True):
        assert mine["damage"] == theirs["damage"]
        for wizard, orders in theirs["orders"].items():
            for hand in orders.keys() & {"left", "right"}:  # forced hands have no field
                assert mine["orders"][wizard][hand] == orders[hand]


def test_game_of_black_and_white_differs_under_wizards_in_the_stated_turn():
    """Under these rules, S-P-F in turn 16 does not complete Anti-spell."""
    with pytest.raises(InvalidRecord, match=r"turns\[15\].*do not complete Anti-spell"):
        game_history("black-and-white", "wizards-1")
    assert "on turn 16:" in GAMES["black-and-white"].elsewhere["wizards-1"]


def test_game_of_black_and_white_differs_under_spellcast_in_the_stated_turn():
    """In turn 16, the Anti-spell misses an invisible wizard.

    Under these rules, dice with 2 and 6 sides are rolled.
    """
    record = dict(GAMES["black-and-white"].record)
    label = "turn 10 confusion w0"
    record["dice"] = {"kind": "recorded", "draws": {f"{label} hand": 1, f"{label} gesture": 4}}
    history = replay({**record, "ruleset": "spellcast-1"})
    told = game_history("black-and-white", "bartle-1")

    def wizards_of_broken_sequences(turn: engine.play.Turn) -> list[str]:
        return [event.wizard for event in turn.events if isinstance(event, Broke)]

    apart = [
        mine.ordinal
        for mine, theirs in zip(history.turns, told.turns, strict=True)
        if wizards_of_broken_sequences(mine) != wizards_of_broken_sequences(theirs)
    ]
    assert apart[0] == 16
    assert "on turn 16:" in GAMES["black-and-white"].elsewhere["spellcast-1"]


@pytest.mark.parametrize(("slug", "ruleset"), GAMES_WITH_RULESETS)
def test_sample_game_plays_as_printed_under_each_ruleset(slug: str, ruleset: str):
    history = game_history(slug, ruleset)
    record = GAMES[slug].record
    assert history.position.ruleset == ruleset
    assert history.position.outcome == record["ended"]["result"]
    for number, turn in enumerate(record["turns"], start=1):
        after = history_until(history, number).position
        assert {wizard.id: wizard.damage for wizard in after.wizards} == turn["damage"]


def test_page_of_a_sample_game_states_how_it_ended(client: Client):
    html = page(client, "/rules/bartle-1/games/black-and-white/")
    assert "White wins on turn 22." in html
    assert "Black surrenders: both hands make P." in html


@pytest.mark.parametrize(("slug", "ruleset"), GAMES_WITH_RULESETS)
def test_steps_lead_from_the_first_to_the_last_turn_of_a_sample_game(
    client: Client, slug: str, ruleset: str
):
    """rules: F77"""
    whole = page(client, f"/rules/{ruleset}/games/{slug}/")
    address = f"/rules/{ruleset}/games/{slug}/{ALL_SEEING_VIEW}/1/"
    assert f'href="{address}"' in whole
    back = ""
    for number, turn in enumerate(GAMES[slug].record["turns"], start=1):
        html = page(client, address)
        assert f"<h1>Turn {number} " in html
        found = re.search(r'rel="prev" href="([^"]+)"', html)
        assert (found[1] if found else "") == back
        damage = re.findall(r'<li data-damage="(-?\d+)">', html)
        assert [int(each) for each in damage] == list(turn["damage"].values())
        back, after = address, re.search(r'rel="next" href="([^"]+)"', html)
        if after:
            address = after[1]
    assert number == len(GAMES[slug].record["turns"])
    assert not after


def test_game_of_froodal_and_bung_has_the_printed_hit_points(client: Client):
    """rules: R110. Bung ends two points below zero."""
    printed = [15, 15, 15, 15, 9, 9, 9, 9, 8, 3, -2]
    for number, left in enumerate(printed, start=1):
        html = page(client, f"/rules/wizards-1/games/froodal-and-bung/open/{number}/")
        assert f"<strong>Bung</strong>: {15 - left} damage, {left} hit point" in html
        assert f"<b>{15 - left}</b> of 15 damage" in html


def test_sample_game_page_shows_what_each_wizard_saw(client: Client):
    """rules: F37.

    White's page hides the gestures that Black made while invisible; the other pages do not.
    """
    address = "/rules/bartle-1/games/black-and-white/{}/18/"
    fogged = {
        seen: page(client, address.format(seen)).count(
            'class="sign-fog fogged" data-hand="w0-left"'
        )
        for seen in ("open", "black", "white")
    }
    assert fogged == {"open": 0, "black": 0, "white": 3}
    for seen in fogged:
        assert f'href="{address.format(seen)}" aria-current="true"' in page(
            client, address.format(seen)
        )


@pytest.mark.parametrize(
    "address",
    [
        "/rules/bartle-1/games/no-such/",
        "/rules/bartle-9/games/black-and-white/",
        "/rules/wizards-1/games/black-and-white/",
        "/rules/wizards-1/games/black-and-white/open/1/",
        "/rules/bartle-1/games/black-and-white/open/0/",
        "/rules/bartle-1/games/black-and-white/open/23/",
        "/rules/bartle-1/games/black-and-white/grey/1/",
    ],
)
def test_unknown_sample_game_turn_or_observer_returns_404(client: Client, address: str):
    assert client.get(address).status_code == 404


def test_differences_page_explains_why_a_sample_game_is_missing(client: Client):
    html = page(client, "/rules/wizards-1/differences/")
    assert "Black against White cannot be played under these rules." in html
    assert "S-P-F-P" in html


@pytest.mark.parametrize(("slug", "ruleset"), GAMES_WITH_RULESETS)
def test_reports_of_a_sample_game_link_to_the_rules_of_its_ruleset(
    client: Client, slug: str, ruleset: str
):
    html = page(client, f"/rules/{ruleset}/games/{slug}/open/10/")
    assert set(re.findall(r'href="/rules/([^/"]+)/#', html)) == {ruleset}
    assert (
        len(
            engine.words.narrate(
                engine.play.view(history_until(game_history(slug, ruleset), 10), "all")
            )[-1].lines
        )
        > 1
    )


def test_opening_words_of_a_sample_game_are_only_on_the_page_of_its_first_turn(client: Client):
    """rules: F6, F7"""
    address = "/rules/wizards-1/games/froodal-and-bung/open/{}/"
    assert 'data-line="opening"' in page(client, address.format(1))
    assert 'data-line="opening"' not in page(client, address.format(2))


def test_rules_named_in_remarks_on_sample_games_are_links(client: Client):
    html = page(client, "/rules/wizards-1/games/froodal-and-bung/open/8/")
    assert '(<a href="/rules/wizards-1/#R32">R32</a>)' in html
    for game in GAMES.values():
        for remark in game.remarks:
            assert set(re.findall(r"\bR\d+\b", remark)) <= set(RULES)
