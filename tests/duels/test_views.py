"""Pages that are not about a duel, for visitors and players, and error pages."""

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from duels.models import Duel, User, Wizard, WizardWish
from tests.cast import (
    LATER,
    NOW,
    Cast,
    begin,
    challenge,
    make_user,
    make_wizard,
    reauthenticate,
    signed_in,
)

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def at_the_time_of_the_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make views use `NOW`, when the tests create challenges, as the current time."""
    monkeypatch.setattr("django.utils.timezone.now", lambda: NOW)


STATIC_PAGES = [
    "home",
    "spellbook",
    "rulebooks",
    "about",
    "privacy",
    "terms",
    "account_login",
    "account_signup",
    "challenge_new",
]


@pytest.mark.parametrize("name", STATIC_PAGES)
def test_a_visitor_can_open_every_public_page(client: Client, name: str):
    assert client.get(reverse(name)).status_code == 200


@pytest.mark.parametrize("name", ["settings", "account_close"])
def test_visitor_is_asked_to_sign_in_on_pages_for_players(client: Client, name: str):
    answer = client.get(reverse(name))
    assert answer.status_code == 302
    assert answer["Location"].startswith("/accounts/login/")


def test_no_page_has_inline_styles_or_scripts(cast: Cast):
    """The content security policy would block inline code and break the page."""
    duel = begin(cast.ada, cast.bram)
    client = signed_in(cast.ada)
    paths = [reverse(name) for name in (*STATIC_PAGES, "settings")]
    book = "/rules/wizards-1/"
    pages = [book, f"{book}differences/", f"{book}turn/", f"{book}games/froodal-and-bung/open/5/"]
    for path in [*paths, f"/duels/{duel.pk}/", *pages]:
        html = client.get(path, follow=True).content.decode()
        assert not re.search(r"\sstyle=|<style|\son\w+=|javascript:", html), path
        assert not re.search(r"<script(?![^>]*\ssrc=)[^>]*>", html), path


def test_no_page_loads_anything_from_another_site(client: Client):
    for name in STATIC_PAGES:
        html = client.get(reverse(name)).content.decode()
        html = re.sub(r"<link rel=\"canonical\"[^>]*>", "", html)  # canonical links load nothing
        assert not re.search(r"<(?:link|script|img|use)[^>]*(?:src|href)=\"https?:", html)


@pytest.mark.parametrize("order", ["gesture", "name", "last"])
def test_spellbook_page_has_every_sequence_in_each_sort_order(client: Client, order: str):
    html = client.get(reverse("spellbook"), {"order": order}).content.decode()
    assert html.count('<tr data-spell="') == 41


def test_spellbook_sorted_by_last_gesture_begins_with_claps(client: Client):
    html = client.get(reverse("spellbook"), {"order": "last"}).content.decode()
    patterns = re.findall(r'class="spell-gestures"><span class="hidden-text">([^<]+)<', html)
    clapped = [pattern.endswith("both C") for pattern in patterns]
    assert sum(clapped) == 7
    assert all(clapped[:7])


@pytest.mark.parametrize("address", ["/spellbook/?order=weight", "/spellbook/no-such-1/"])
def test_unknown_spellbook_or_sort_order_returns_404(client: Client, address: str):
    assert client.get(address).status_code == 404


def test_rules_page_has_an_anchor_for_every_rule(client: Client):
    html = client.get("/rules/bartle-1/").content.decode()
    for anchor in ("turn:shield", "spell:missile", "gesture:C", "R1", "R177", "S1"):
        assert f'id="{anchor}"' in html


def test_every_link_on_the_rules_page_has_a_target(client: Client):
    html = client.get("/rules/bartle-1/").content.decode()
    anchors = set(re.findall(r' id="([^"]+)"', html))
    linked = set(re.findall(r'href="#([^"]+)"', html))
    assert len(anchors) > 200
    assert linked <= anchors, linked - anchors


def test_rules_page_of_an_unknown_ruleset_returns_404(client: Client):
    assert client.get("/rules/../").status_code == 404
    assert client.get("/rules/bartle-9/").status_code == 404


def test_home_page_lists_waiting_duels_first(cast: Cast):
    begin(cast.ada, cast.bram)
    challenge(cast.bram, cast.ada, words="Dare you?")
    challenge(cast.cleo)
    challenge(cast.ada)
    html = signed_in(cast.ada).get("/").content.decode()
    sections = [html.index(f'id="{name}"') for name in ("awaiting", "running", "to-me", "open")]
    assert sections == sorted(sections)
    assert "Against Bram" in html
    assert "Dare you?" in html
    assert "Challenge from Cleo" in html


def test_home_page_of_a_visitor_shows_only_public_duels(client: Client, cast: Cast):
    begin(cast.ada, cast.bram)
    begin(cast.cleo, cast.dorn, visibility="private")
    html = client.get("/").content.decode()
    assert "Ada against Bram" in html
    assert "Cleo" not in html


def test_user_without_a_wizard_is_asked_to_name_one(client: Client):
    client.force_login(make_user("new@example.org"))
    assert client.get("/")["Location"] == "/settings/"
    answer = client.post("/settings/", {"name": "Quill", "pronouns": "she"})
    assert answer.status_code == 302
    assert Wizard.objects.get(name="Quill").pronouns == "she"


def test_signing_up_asks_for_name_and_pronouns(client: Client):
    typed = {
        "email": "quill@example.org",
        "password1": "candle and raven and ink",
        "name": "Quill",
        "pronouns": "it",
    }
    assert client.post("/accounts/signup/", typed).status_code == 302
    wish = WizardWish.objects.get(user__email="quill@example.org")
    assert (wish.name, wish.pronouns) == ("Quill", "it")
    assert not Wizard.objects.exists(), "not before the address is verified"


@pytest.mark.parametrize("name", ["", "A", "Nobody", "Goblin King", "x" * 25, "Ada\0", "<b>x</b>"])
def test_signup_rejects_a_taken_or_invalid_name(client: Client, name: str):
    make_wizard("Ada")
    typed = {"email": "q@example.org", "password1": "candle and raven", "name": name}
    answer = client.post("/accounts/signup/", typed | {"pronouns": "it"})
    assert answer.status_code == 200
    assert answer.context["form"].errors["name"]
    assert Wizard.objects.count() == 1


def test_signup_rejects_a_name_similar_to_another(client: Client):
    make_wizard("Oda1")
    typed = {"email": "q@example.org", "password1": "candle and raven", "name": "0dal"}
    answer = client.post("/accounts/signup/", typed | {"pronouns": "it"})
    assert "looks like it" in str(answer.context["form"].errors["name"])


def test_pronouns_can_be_changed_in_the_settings(cast: Cast):
    client = signed_in(cast.ada)
    assert client.post("/settings/", {"pronouns": "it"}).status_code == 302
    cast.ada.refresh_from_db()
    assert cast.ada.pronouns == "it"
    answer = client.post("/settings/", {"pronouns": "we", "name": "Other"})
    assert answer.status_code == 400
    cast.ada.refresh_from_db()
    assert (cast.ada.name, cast.ada.pronouns) == ("Ada", "it")


def test_page_of_a_wizard_shows_duels_but_not_the_email_address(cast: Cast):
    begin(cast.ada, cast.bram)
    begin(cast.ada, cast.cleo, visibility="private")
    for viewer in (Client(), signed_in(cast.dorn)):
        html = viewer.get("/wizards/ada/").content.decode()
        assert "Ada against Bram" in html
        assert "Cleo" not in html
        assert "example.org" not in html


@pytest.mark.parametrize("slug", ["nobody", "x" * 500, "%00", "ada%00", "..", "ada/../x"])
def test_page_of_an_unknown_wizard_returns_404(client: Client, slug: str):
    assert client.get(f"/wizards/{slug}/").status_code == 404


def test_wizard_page_shows_old_duels_even_if_other_wizards_have_newer_ones(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("duels.screens.wizard.context.DUELS_SHOWN", 2)
    old = begin(cast.ada, cast.bram)
    hidden = begin(cast.ada, cast.bram, visibility="private")
    for _ in range(3):
        newer = begin(cast.bram, cast.cleo)
        Duel.objects.filter(pk=newer.pk).update(started_at=LATER)
    html = Client().get("/wizards/ada/").content.decode()
    assert f'data-duel="{old.pk}"' in html
    assert f'data-duel="{hidden.pk}"' not in html
    assert f'data-duel="{newer.pk}"' not in html


def test_blocking_a_wizard_stops_challenges_and_can_be_undone(cast: Cast):
    ada, bram = signed_in(cast.ada), signed_in(cast.bram)
    typed = {
        "to": "named",
        "opponent": "Ada",
        "ruleset": "bartle-1",
        "size": "2",
        "pace": "none",
        "visibility": "public",
    }
    assert ada.post("/wizards/bram/block").status_code == 302
    answer = bram.post("/challenge/new", typed)
    assert answer.status_code == 403
    assert answer.context["form"].errors["opponent"]
    assert ada.post("/wizards/bram/unblock").status_code == 302
    assert bram.post("/challenge/new", typed).status_code == 302


def test_blocking_yourself_is_rejected(cast: Cast):
    assert signed_in(cast.ada).post("/wizards/ada/block").status_code == 409


def test_closing_an_account_requires_typing_the_wizards_name_and_keeps_the_duels(
    cast: Cast, django_capture_on_commit_callbacks: Any
):
    duel = begin(cast.ada, cast.bram)
    client = signed_in(cast.ada)
    reauthenticate(client)
    assert client.post("/settings/close", {"name": "Bram"}).status_code == 400
    assert User.objects.filter(email="ada@example.org").exists()
    with django_capture_on_commit_callbacks(execute=True):
        assert client.post("/settings/close", {"name": "ada"}).status_code == 302
    assert not User.objects.filter(email="ada@example.org").exists()
    html = Client().get(f"/duels/{duel.pk}/").content.decode()
    assert "Ada" not in html
    assert "Departed" in html


@pytest.mark.parametrize(
    "path",
    [
        "/nowhere/",
        "/duels/999999/",
        "/duels/99999999999999999999999999/",
        "/duels/1/turns/99999999999999999999/",
        "/duels/-1/",
        "/c/no-such-token/",
        "/c/" + "x" * 300 + "/",
        "/c/%00/",
        "/duels/1/record.json",
    ],
)
def test_unknown_address_returns_the_sites_own_404_page(client: Client, path: str):
    answer = client.get(path)
    assert answer.status_code == 404
    assert "Only mist" in answer.content.decode()


def test_form_without_a_csrf_token_gets_the_sites_own_403_page(cast: Cast):
    client = Client(enforce_csrf_checks=True)
    assert cast.ada.user is not None
    client.force_login(cast.ada.user)
    answer = client.post("/settings/", {"pronouns": "it"})
    assert answer.status_code == 403
    assert "could not check where this form came from" in answer.content.decode()


@pytest.mark.parametrize(
    "path",
    [
        "/duels/1/orders",
        "/duels/1/sheet",
        "/duels/1/answers",
        "/duels/1/accept",
        "/duels/1/draw",
        "/duels/1/rematch",
        "/duels/1/play-on",
        "/wizards/ada/block",
    ],
)
def test_get_request_to_a_post_only_address_redirects_back(cast: Cast, path: str):
    client = signed_in(cast.ada)
    assert client.get(path)["Location"] == path.rpartition("/")[0] + "/"
    assert client.put(path).status_code == 405
