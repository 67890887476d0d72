"""Stepping through a duel turn by turn: links, observers and previews of shared links."""

import html as markup
import re

import pytest
from django.test import Client

from duels.commands import endings
from duels.models import Duel, Wizard
from duels.queries import pages
from duels.screens.turn.context import Stepping
from tests.cast import NOW, Cast, begin, hands, make_wizard, play, seal, signed_in
from tests.duels.test_queries import lengthen
from tests.duels.test_views_states import set_up

pytestmark = pytest.mark.django_db
IDLE = hands("-", "-")
# P-P-(W-(S makes Ada invisible.
ROWS_TO_INVISIBILITY = (("P", "S"), ("P", "D"), ("W", "W"), ("S", "S"))


@pytest.fixture
def duel(cast: Cast) -> Duel:
    """A duel after three turns, in which Ada made S, W and D, and Bram no gestures."""
    found = begin(cast.ada, cast.bram)
    for letter in "SWD":
        play(found, {cast.ada: hands(letter, "-"), cast.bram: IDLE})
    return found


@pytest.fixture
def hidden(cast: Cast) -> Duel:
    """A duel in which Ada became invisible and then made D and F."""
    found = begin(cast.ada, cast.bram)
    for left, right in ROWS_TO_INVISIBILITY:
        play(found, {cast.ada: hands(left, right), cast.bram: IDLE})
    play(found, {cast.ada: hands("D", "F"), cast.bram: IDLE})
    return found


def end(duel: Duel, wizard: Wizard) -> None:
    endings.resign(duel_id=duel.pk, wizard=wizard, now=NOW)
    duel.refresh_from_db()


def page(client: Client, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200, (path, answer.status_code)
    return answer.content.decode()


def steps(html: str) -> dict[str, str]:
    """Return the addresses of the available steps, by name."""
    found = re.findall(r'<a class="[\w-]+" data-step="(\w+)" (?:rel="\w+" )?href="([^"]+)"', html)
    return dict(found)


def observer_choices(html: str) -> dict[str, bool]:
    """Return the observers that the page offers, and whether each one is selected."""
    nav = re.search(r'aria-label="Point of view".*?</nav>', html, re.DOTALL)
    if nav is None:
        return {}
    links = re.findall(r'<a class="button" href="[^"]*"([^>]*)>([^<]+)</a>', nav[0])
    return {markup.unescape(words): "aria-current" in rest for rest, words in links}


def letter(html: str, turn: int, hand: str = "w0-left") -> str:
    """Return the letter in a square of the history grid."""
    row = re.search(rf'<tr data-turn="{turn}">.*?</tr>', html, re.DOTALL)
    assert row
    cell = re.search(rf'data-hand="{hand}"><b>(?:<i>)?(.)', row[0], re.DOTALL)
    assert cell
    return cell[1]


# Steps


@pytest.mark.parametrize(
    ("ordinal", "first", "before", "after", "last"),
    [(1, 0, 0, 2, 3), (2, 1, 1, 3, 3), (3, 1, 2, 0, 0)],
)
def test_steps_on_a_turns_page_link_to_neighbouring_turns(
    client: Client, duel: Duel, ordinal: int, first: int, before: int, after: int, last: int
):
    at = f"/duels/{duel.pk}/turns/"
    wanted = {"first": first, "before": before, "after": after, "last": last}
    html = page(client, f"{at}{ordinal}/")
    assert steps(html) == {name: f"{at}{turn}/" for name, turn in wanted.items() if turn}
    assert html.count('role="link" aria-disabled="true"') == 4 - len(steps(html))
    assert f'<a class="button" data-step-beyond href="/duels/{duel.pk}/">' in html


def test_duel_page_has_a_step_back_to_the_last_turn(client: Client, duel: Duel):
    html = page(client, f"/duels/{duel.pk}/")
    at = f"/duels/{duel.pk}/turns/"
    assert steps(html) == {"first": f"{at}1/", "before": f"{at}3/"}
    assert "data-step-slider" not in html


def test_duel_without_a_played_turn_has_no_steps(client: Client, cast: Cast):
    duel = begin(cast.ada, cast.bram)
    assert "data-stepping" not in page(client, f"/duels/{duel.pk}/")


def test_page_of_a_finished_duel_has_a_step_back_to_the_last_turn(
    client: Client, duel: Duel, ada: Wizard
):
    """Ada resigns in turn 4, which ends the turn."""
    end(duel, ada)
    html = page(client, f"/duels/{duel.pk}/")
    assert steps(html)["before"] == f"/duels/{duel.pk}/turns/4/"
    assert "Ada resigns" in page(client, f"/duels/{duel.pk}/turns/4/")
    assert "The end</a>" in page(client, f"/duels/{duel.pk}/turns/4/")


def test_no_step_leads_to_a_turn_that_ended_with_an_agreed_draw(
    client: Client, duel: Duel, cast: Cast
):
    for wizard in (cast.ada, cast.bram):
        endings.offer_draw(duel_id=duel.pk, wizard=wizard, ordinal=None, now=NOW)
    duel.refresh_from_db()
    assert duel.is_over
    assert steps(page(client, f"/duels/{duel.pk}/"))["before"] == f"/duels/{duel.pk}/turns/3/"
    assert client.get(f"/duels/{duel.pk}/turns/4/").status_code == 404
    assert client.get(f"/duels/{duel.pk}/grid.png").status_code == 200
    assert "drawn by agreement" in tags(page(client, f"/duels/{duel.pk}/"))["og:description"]


def test_slider_is_a_form_for_choosing_any_turn(client: Client, duel: Duel):
    html = page(client, f"/duels/{duel.pk}/turns/2/")
    assert f'<form class="slider" method="get" action="/duels/{duel.pk}/turns/"' in html
    slider = re.search(r'<input id="step-slider" type="range"[^>]*>', html)
    assert slider
    assert 'name="turn" min="1" max="3" value="2" aria-valuetext="Turn 2"' in slider[0]
    assert "2 of 3</output>" in html


@pytest.mark.parametrize(
    ("asked", "leads"),
    [
        ("?turn=2", "turns/2/"),
        ("?turn=2&seen=w1", "turns/2/?seen=w1"),
        ("?turn=3&seen=spectator", "turns/3/?seen=spectator"),
        ("?turn=3&seen=", "turns/3/"),
        ("?turn=2&seen=//evil.example", "turns/2/"),
        ("", ""),
        ("?turn=", ""),
    ],
)
def test_slider_leads_to_the_chosen_turn(client: Client, duel: Duel, asked: str, leads: str):
    answer = client.get(f"/duels/{duel.pk}/turns/{asked}")
    assert (answer.status_code, answer["Location"]) == (302, f"/duels/{duel.pk}/{leads}")


@pytest.mark.parametrize("asked", ["0", "-1", "x", "²", "999999999999", "1.5"])
def test_invalid_slider_value_returns_404(client: Client, duel: Duel, asked: str):
    assert client.get(f"/duels/{duel.pk}/turns/", {"turn": asked}).status_code == 404


def test_only_its_wizards_can_step_through_a_private_duel(cast: Cast):
    duel = begin(cast.ada, cast.bram, visibility="private")
    play(duel, {cast.ada: IDLE, cast.bram: IDLE})
    for path in ("turns/1/", "turns/?turn=1", "turns/1/?seen=spectator"):
        assert signed_in(cast.ada).get(f"/duels/{duel.pk}/{path}").status_code in (200, 302)
        for client in (signed_in(cast.dorn), Client()):
            assert client.get(f"/duels/{duel.pk}/{path}").status_code == 404


def test_page_of_a_late_turn_links_to_turns_long_before_it(client: Client, duel: Duel):
    lengthen(duel, 60)
    html = page(client, f"/duels/{duel.pk}/turns/50/?seen=spectator")
    assert len(re.findall(r"<tr [^>]*data-turn=", html)) == 20
    assert f'href="/duels/{duel.pk}/turns/30/' in html
    assert steps(html)["last"].startswith(f"/duels/{duel.pk}/turns/59/")


def test_stepping_through_turns_does_not_change_anything(duel: Duel, cast: Cast):
    """Promise 8: opening a link changes nothing."""
    client = signed_in(cast.ada)
    paths = [
        f"/duels/{duel.pk}/turns/{end}"
        for end in ("1/", "1/?seen=spectator", "?turn=2", "2/grid.png")
    ]
    for path in paths:
        assert client.get(path).status_code in (200, 302)
        assert client.post(path).status_code == 405


def test_there_are_no_steps_before_the_first_and_after_the_last_turn():
    one = Stepping(1, 1, "/t/")
    assert (one.first, one.before, one.after, one.newest) == ("", "", "", "")
    assert not one.has_slider
    beyond = Stepping(4, 3, "/t/", seen="w1")
    assert (beyond.first, beyond.before) == ("/t/1/?seen=w1", "/t/3/?seen=w1")
    assert (beyond.after, beyond.newest, beyond.has_slider) == ("", "", False)


# Contents of a turn's page


def test_page_of_a_past_turn_shows_the_state_at_that_time(client: Client, cast: Cast):
    duel = begin(cast.ada, cast.bram)
    for left in "SDSD":
        play(duel, {cast.ada: hands(left, "-"), cast.bram: IDLE})
    wounds = [page(client, f"/duels/{duel.pk}/turns/{turn}/") for turn in (1, 2, 3, 4)]
    shown = [
        re.findall(r'data-being="w1".*?data-damage="(\d+)"', html, re.DOTALL) for html in wounds
    ]
    assert shown == [["0"], ["1"], ["1"], ["2"]]
    assert "Missile hits Bram" not in wounds[2]
    assert 'data-line="hit"' in wounds[3]
    assert re.search(r'data-line="hit".*?href="/rules/bartle-1/#', wounds[3], re.DOTALL)


def test_page_of_a_past_turn_announces_turn_and_damage_to_screen_readers(
    client: Client, duel: Duel
):
    html = page(client, f"/duels/{duel.pk}/turns/2/")
    assert 'data-announced="Turn 2, 2 of 3. Ada, 0 damage; Bram, 0 damage."' in html
    assert 'role="status" data-step-status></p>' in html


def test_page_of_a_past_turn_shows_spells_in_progress_at_that_time(client: Client, duel: Duel):
    """Until D is made, the Missile is in progress."""
    now = page(client, f"/duels/{duel.pk}/turns/1/")
    assert "Missile" in now.partition("What each hand may become")[2] + now.partition("progress")[2]


# Observers


def test_running_duel_offers_your_own_view_and_that_of_spectators(hidden: Duel, cast: Cast):
    """rules: F37. Promise 2"""
    path = f"/duels/{hidden.pk}/turns/5/"
    ada, bram, nobody = signed_in(cast.ada), signed_in(cast.bram), Client()
    assert observer_choices(page(ada, path)) == {
        "As you see it": True,
        "As a spectator sees it": False,
    }
    assert observer_choices(page(nobody, path)) == {}
    assert letter(page(ada, path), 5) == "D"
    assert letter(page(ada, f"{path}?seen=w0"), 5) == "D"
    for client, seen in ((ada, "?seen=spectator"), (bram, ""), (bram, "?seen=w1"), (nobody, "")):
        assert letter(page(client, f"{path}{seen}"), 5) == "?"


def test_running_duel_does_not_offer_opponents_views(hidden: Duel, cast: Cast):
    """Promise 2.

    The complete view is not offered either. The response is the same as for a turn that does not
    exist.
    """
    path = f"/duels/{hidden.pk}/turns/5/"
    for viewer in (cast.ada, cast.bram, cast.cleo, cast.dorn, None):
        client = signed_in(viewer) if viewer else Client()
        own = {cast.ada: "w0", cast.bram: "w1"}.get(viewer, "") if viewer else ""
        for seen in {"w0", "w1", "w2", "all", "ALL", "Ada", "w", "nobody"} - {own}:
            answer = client.get(path, {"seen": seen})
            assert answer.status_code == 404, (viewer, seen)
            assert "D digit" not in answer.content.decode()
            assert pages.turn_page(hidden, 5, viewer, seen_by=seen) is None


def test_pages_of_past_turns_do_not_change_with_sealed_orders(hidden: Duel, cast: Cast):
    """Promise 1: these pages must not depend on orders sealed for the open turn."""
    seen, previous = [], ""
    for orders in (hands("P", "P"), hands("W", "F", say="hush"), hands(">", "-")):
        previous = seal(hidden, cast.bram, orders, form_seal=previous).commitment
        for viewer in (cast.ada, cast.cleo, None):
            client = signed_in(viewer) if viewer else Client()
            for rest in ("5/", "5/?seen=spectator", "1/"):
                text = page(client, f"/duels/{hidden.pk}/turns/{rest}")
                text = re.sub(r'value="\w{64}"|content="\w{64}"', "", text)
                seen.append((viewer, rest, text))
    assert len(set(seen)) == len(seen) / 3


def test_finished_duel_offers_every_wizards_view(hidden: Duel, cast: Cast):
    """rules: F37"""
    end(hidden, cast.bram)
    path = f"/duels/{hidden.pk}/turns/5/"
    for client in (Client(), signed_in(cast.bram), signed_in(cast.dorn)):
        fogged = {
            seen: letter(page(client, f"{path}?seen={seen}"), 5)
            for seen in ("all", "w0", "w1", "spectator")
        }
        assert fogged == {"all": "D", "w0": "D", "w1": "?", "spectator": "?"}
        assert client.get(f"{path}?seen=w2").status_code == 404
    assert observer_choices(page(Client(), f"{path}?seen=w1")) == {
        "Everything": False,
        "As Ada saw it": False,
        "As Bram saw it": True,
        "As a spectator": False,
    }
    assert observer_choices(page(signed_in(cast.bram), path)) == {
        "Everything": True,
        "As Ada saw it": False,
        "As you saw it": False,
        "As a spectator": False,
    }


def test_steps_keep_the_chosen_observer(hidden: Duel, cast: Cast, client: Client):
    """All links on the page (steps, slider, turn numbers in the grid) keep the observer."""
    end(hidden, cast.bram)
    html = page(client, f"/duels/{hidden.pk}/turns/3/?seen=w1")
    at = f"/duels/{hidden.pk}/turns/"
    assert steps(html) == {
        name: f"{at}{turn}/?seen=w1"
        for name, turn in (("first", 1), ("before", 2), ("after", 4), ("last", 6))
    }
    assert '<input type="hidden" name="seen" value="w1"' in html
    assert f'<th scope="row"><a href="{at}2/?seen=w1">' in html
    assert f'href="{at}3/?seen=spectator"' in html
    assert f'<a class="button" href="{at}3/">Everything</a>' in html


def test_address_with_the_old_parameter_known_redirects_to_the_readers_view(
    hidden: Duel, cast: Cast
):
    at = f"/duels/{hidden.pk}/turns/5/"
    running = signed_in(cast.bram).get(f"{at}?known=then")
    assert (running.status_code, running["Location"]) == (302, at)
    end(hidden, cast.bram)
    for client, seen in (
        (signed_in(cast.ada), "w0"),
        (signed_in(cast.bram), "w1"),
        (Client(), "spectator"),
    ):
        answer = client.get(f"{at}?known=then")
        assert (answer.status_code, answer["Location"]) == (302, f"{at}?seen={seen}")


# Link previews


def tags(html: str) -> dict[str, str]:
    found = re.findall(r'<meta ((?:(?:property|name)="[\w:]+" )+)content="([^"]*)">', html)
    return {
        name: markup.unescape(value)
        for names, value in found
        for name in re.findall(r'"((?:og|twitter):[\w:]+)"', names)
    }


def test_link_preview_of_a_public_duel_describes_it(client: Client, cast: Cast, settings):
    settings.SITE_URL = "https://spellcaster.example"
    duel = begin(cast.ada, cast.bram)
    for left in "SD":
        play(duel, {cast.ada: hands(left, "-"), cast.bram: IDLE})
    at = f"https://spellcaster.example/duels/{duel.pk}/"
    for path, title, picture in (
        ("", "Ada against Bram, turn 3", "grid.png"),
        ("turns/2/", "Ada against Bram, turn 2", "turns/2/grid.png"),
        ("turns/2/?seen=spectator", "Ada against Bram, turn 2", "turns/2/grid.png"),
    ):
        html = page(client, f"/duels/{duel.pk}/{path}")
        found = tags(html)
        address = at + path.partition("?")[0]
        assert found["og:title"] == title
        assert found["og:type"] == "article"
        assert found["og:url"] == address
        assert f'<link rel="canonical" href="{address}">' in html
        assert found[
            "og:description"
        ] == "Ada’s Missile hits Bram for 1 point. Ada casts Missile at Bram." or (
            "Missile hits Bram for 1 point." in found["og:description"]
        )
        assert re.fullmatch(rf"{re.escape(at + picture)}\?v=[0-9a-f]{{16}}", found["og:image"])
        assert (found["og:image:width"], found["og:image:height"]) == ("1200", "630")
        assert found["twitter:card"] == "summary_large_image"
        assert "Bram, 1 damage: left hand - -, right hand - -." in found["og:image:alt"]
        assert "Ada, 0 damage: left hand S D, right hand - -." in found["og:image:alt"]
        local = found["og:image"].removeprefix("https://spellcaster.example")
        assert client.get(local)["Content-Type"] == "image/png"


def test_link_preview_shows_only_what_spectators_can_see(hidden: Duel, cast: Cast):
    """Promise 2.

    Pages for signed-in users have no preview, because preview services never load them.
    """
    for path in ("", "turns/5/"):
        for wizard in (cast.ada, cast.dorn):
            own = page(signed_in(wizard), f"/duels/{hidden.pk}/{path}")
            assert tags(own) == {}
            assert f'/duels/{hidden.pk}/{path}">' in own.partition('rel="canonical"')[2]
        alt = tags(page(Client(), f"/duels/{hidden.pk}/{path}"))["og:image:alt"]
        assert "Ada, 0 damage: left hand P P W S ?, right hand S D W S ?." in alt


def test_link_preview_of_a_finished_duel_shows_the_result(duel: Duel, cast: Cast, client: Client):
    end(duel, cast.ada)
    found = tags(page(client, f"/duels/{duel.pk}/"))
    assert found["og:title"] == "Ada against Bram, over after turn 4"
    assert "Bram wins" in found["og:description"]


def test_players_are_addressed_as_you_at_the_end_of_their_duel(cast: Cast):
    """The final page and the page of the last turn say "you", as the pages of earlier turns do.

    Pages for others do not say "you".
    """
    stab = {"left": ">", "right": "-", "left_subject": "w1"}
    duel = set_up(cast, {}, {"damage": 14})
    play(duel, {cast.ada: stab, cast.bram: hands("W", "-")})
    for wizard, wins, dies in (
        (cast.ada, "You win the duel.", "Bram dies of his wounds."),
        (cast.bram, "Ada wins the duel.", "You die of your wounds."),
        (cast.dorn, "Ada wins the duel.", "Bram dies of his wounds."),
    ):
        for path in ("", "turns/1/"):
            html = page(signed_in(wizard), f"/duels/{duel.pk}/{path}")
            told = re.findall(r'data-line="(?:won|died)">.*?</li>', html, re.DOTALL)
            assert [wins in line or dies in line for line in told] == [True, True], path
            visited = page(Client(), f"/duels/{duel.pk}/{path}")
            assert "Ada wins" in tags(visited)["og:description"]
    seen = page(signed_in(cast.ada), f"/duels/{duel.pk}/turns/1/?seen=spectator")
    assert "You win" not in seen


def test_link_preview_states_the_number_of_wizards_if_there_are_many(client: Client, cast: Cast):
    crowd = [make_wizard(name) for name in ("Edda", "Falk", "Gwen", "Hugo")]
    duel = begin(cast.ada, *crowd)
    assert tags(page(client, f"/duels/{duel.pk}/"))["og:title"] == "5 wizards, turn 1"


def test_a_private_duel_has_no_link_preview(cast: Cast):
    duel = begin(cast.ada, cast.bram, visibility="private")
    play(duel, {cast.ada: IDLE, cast.bram: IDLE})
    for path in ("", "turns/1/"):
        html = page(signed_in(cast.ada), f"/duels/{duel.pk}/{path}")
        assert tags(html) == {}
        assert "grid.png" not in html
        assert "data-share" not in html
        assert 'rel="canonical"' not in html


def test_link_preview_contains_no_messages(client: Client, cast: Cast):
    duel = begin(cast.ada, cast.bram)
    play(duel, {cast.ada: IDLE | {"say": "a secret word"}, cast.bram: IDLE})
    assert "secret" not in repr(tags(page(client, f"/duels/{duel.pk}/turns/1/")))


def test_address_to_share_can_be_copied_by_hand(duel: Duel, cast: Cast, client: Client, settings):
    """The address is in a field that works without JavaScript, and names the chosen observer."""
    settings.SITE_URL = "https://spellcaster.example"
    end(duel, cast.ada)
    for path in ("", "turns/2/", "turns/2/?seen=w1"):
        html = page(client, f"/duels/{duel.pk}/{path}")
        field = re.search(r"<input [^>]*data-share-address>", html)
        assert field
        assert "readonly" in field[0]
        assert f'value="https://spellcaster.example/duels/{duel.pk}/{path}"' in field[0]
        assert re.search(r"<button [^>]*data-share-copy hidden>", html)


# Printed sample games

GAME = "/rules/bartle-1/games/black-and-white/"


def test_sample_games_have_the_same_step_links_as_duels(client: Client):
    html = page(client, f"{GAME}white/7/")
    assert steps(html) == {
        name: f"{GAME}white/{turn}/"
        for name, turn in (("first", 1), ("before", 6), ("after", 8), ("last", 22))
    }
    assert observer_choices(html) == {
        "Everything": False,
        "As Black saw it": False,
        "As White saw it": True,
        "As a spectator": False,
    }
    for seen, shown in (("white", html), ("open", page(client, GAME))):
        assert f'<th scope="row"><a href="{GAME}{seen}/6/">' in shown
    assert steps(page(client, GAME)) == {"first": f"{GAME}open/1/", "before": f"{GAME}open/22/"}


@pytest.mark.parametrize(
    ("asked", "status", "leads"),
    [
        ("white/?turn=5", 302, f"{GAME}white/5/"),
        ("spectator/?turn=22", 302, f"{GAME}spectator/22/"),
        ("open/", 302, GAME),
        ("open/?turn=x", 404, ""),
        ("grey/?turn=1", 404, ""),
    ],
)
def test_slider_of_a_sample_game_leads_to_the_chosen_turn(
    client: Client, asked: str, status: int, leads: str
):
    answer = client.get(GAME + asked)
    assert (answer.status_code, answer.get("Location", "")) == (status, leads)


def test_spectator_of_a_sample_game_sees_only_what_both_wizards_saw(client: Client):
    """rules: F37. Black was invisible in turns 16 to 18."""
    for seen, shown in (("open", "D"), ("black", "D"), ("white", "?"), ("spectator", "?")):
        assert letter(page(client, f"{GAME}{seen}/16/"), 16) == shown
    assert letter(page(client, f"{GAME}spectator/19/"), 19) == "D"
