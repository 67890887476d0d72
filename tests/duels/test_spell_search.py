"""Search in the spellbook by name, gestures and effect."""

import re

import pytest
from django.test import Client

from duels.screens.spellbook.spell_search import MAX_SEARCH_LENGTH, gestures_in

SPELLBOOK_PATH = "/spellbook/bartle-1/"


def found_spells(client: Client, typed: str, **more: str) -> list[str]:
    """Return the ids of the spells found, in order."""
    html = client.get(SPELLBOOK_PATH, {"q": typed, **more}).content.decode()
    return re.findall(r'<tr data-spell="(\w+)"', html)


@pytest.mark.parametrize(
    ("typed", "spells"),
    [
        ("finger of death", ["finger_of_death"]),
        ("  Fireball ", ["fireball"]),
        ("heavy wounds", ["cause_heavy_wounds", "cure_heavy_wounds"]),
        ("wounds heavy", ["cause_heavy_wounds", "cure_heavy_wounds"]),
        ("counter", ["counter_spell", "counter_spell"]),
        ("no such spell", []),
    ],
)
def test_spells_are_found_by_name(client: Client, typed: str, spells: list[str]):
    assert sorted(found_spells(client, typed)) == sorted(spells)


@pytest.mark.parametrize("typed", ["SWW", "sww", "S-W-W", "s w w", "S, W, W", "(s(ww"])
def test_spells_are_found_by_gestures_in_any_notation(client: Client, typed: str):
    assert found_spells(client, typed) == ["fire_storm", "summon_elemental"]


def test_spells_that_begin_with_the_typed_gestures_come_first(client: Client):
    html = client.get(SPELLBOOK_PATH, {"q": "WW"}).content.decode()
    rows = re.findall(r'class="spell-gestures"><span class="hidden-text">([^<]+)<', html)
    made = [re.sub(r"[^a-z]", "", row.lower()) for row in rows]
    begins = [row.startswith("ww") for row in made]
    assert begins == sorted(begins, reverse=True)
    assert True in begins
    assert False in begins
    assert all("ww" in row for row in made)


def test_spells_are_found_by_their_effect(client: Client):
    assert {"fireball", "fire_storm"} <= set(found_spells(client, "heat"))
    assert "shield" in found_spells(client, "stops missiles")
    assert set(found_spells(client, "summons")) >= {"summon_goblin", "summon_giant"}


def test_spells_found_by_name_come_before_those_found_by_a_word_in_their_text(client: Client):
    assert found_spells(client, "shield")[0] == "shield"
    assert len(found_spells(client, "shield")) > 3


def test_an_empty_search_shows_the_whole_spellbook(client: Client):
    assert len(found_spells(client, "")) == len(found_spells(client, "   ")) == 41


@pytest.mark.parametrize("order", ["gesture", "name", "last"])
def test_search_results_keep_the_order_of_the_spellbook(client: Client, order: str):
    html = client.get(SPELLBOOK_PATH, {"q": "wounds", "order": order}).content.decode()
    assert f'name="order" value="{order}"' in html
    assert "?order=name&amp;q=wounds" in html


def test_search_by_script_returns_only_the_list_of_spells(client: Client):
    page = client.get(SPELLBOOK_PATH, {"q": "fireball", "part": "list"}).content.decode()
    assert "<html" not in page
    assert "data-spell-list" in page
    assert page.count('<tr data-spell="') == 1


def test_search_by_script_changes_the_address_of_the_spellbook_page(client: Client):
    """The new address is that of a page with these results, not that of the response.

    On the page of a duel, the address does not change.
    """
    query = {"q": "fire ball", "order": "name", "part": "list"}
    for page, address in (
        (SPELLBOOK_PATH, f"{SPELLBOOK_PATH}?order=name&q=fire+ball"),
        ("/duels/7/", None),
    ):
        answer = client.get(
            SPELLBOOK_PATH, query, headers={"hx-current-url": f"http://testserver{page}?q=x"}
        )
        assert answer.headers.get("HX-Replace-Url") == address


def test_search_by_script_reports_the_number_of_spells(client: Client):
    for typed, words in (
        ("fireball", "1 spell matches “fireball”."),
        ("", "All spells."),
        ("zzz", "No spell"),
    ):
        html = client.get(SPELLBOOK_PATH, {"q": typed, "part": "list"}).content.decode()
        status = html.partition('<p id="book-said" hx-swap-oob="innerHTML">')[2]
        assert status.startswith(words)


def test_search_without_results_shows_the_escaped_query(client: Client):
    html = client.get(SPELLBOOK_PATH, {"q": "<b>zzz"}).content.decode()
    assert "matches “&lt;b&gt;zzz”" in html
    assert "<b>zzz" not in html


@pytest.mark.parametrize("typed", ["\0", "x" * 10_000, "((((", "%", "\u202e"])
def test_invalid_search_does_not_cause_an_error(client: Client, typed: str):
    assert client.get(SPELLBOOK_PATH, {"q": typed}).status_code == 200


def test_search_finds_spells_in_the_spellbook_of_its_ruleset(client: Client):
    wizards = client.get("/spellbook/wizards-1/", {"q": "sacrifice"}).content.decode()
    assert 'data-spell="sacrifice"' in wizards
    assert found_spells(client, "sacrifice") == []


@pytest.mark.parametrize(
    ("typed", "gestures"),
    [
        ("s-w w", "SWW"),
        ("(c-D", "CD"),
        ("swirl", ""),
        ("-", ""),
        ("", ""),
        ("S" * 99, "S" * MAX_SEARCH_LENGTH),
    ],
)
def test_typed_text_is_recognised_as_a_sequence_of_gestures(typed: str, gestures: str):
    assert gestures_in(typed) == gestures


def test_spellbook_is_grouped_by_its_sort_order(client: Client):
    for order, count in (("gesture", 6), ("last", 6), ("name", 13)):
        html = client.get(SPELLBOOK_PATH, {"order": order}).content.decode()
        headings = re.findall(r'<tr class="group">', html)
        assert len(headings) == count, order
    assert '<tr class="group">' not in client.get(SPELLBOOK_PATH, {"q": "wounds"}).content.decode()


@pytest.mark.parametrize(
    ("typed", "spell", "other"),
    [
        ("hurt", "missile", "shield"),
        ("harm", "cause_light_wounds", "shield"),
        ("heal", "cure_light_wounds", "missile"),
        ("block", "shield", "missile"),
    ],
)
def test_spells_are_found_by_everyday_words(client: Client, typed: str, spell: str, other: str):
    found = found_spells(client, typed)
    assert spell in found
    assert other not in found
