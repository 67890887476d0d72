"""Lists of duels: the duels that they show to each viewer."""

import re

import pytest
from django.test import Client
from django.utils import timezone

from duels.commands import challenges, endings
from duels.models import Seat, Stage, Turn, TurnKind
from duels.screens.lists.kinds import DUELLIST_LISTS
from tests.cast import NOW, Cast, begin, challenge, seal, signed_in
from tests.duels.list_pages import DO_NOTHING, listed_duels, one_duel_of_each_kind, page_html
from tests.duels.visitors import Visitor

pytestmark = pytest.mark.sqlite


def kinds(html: str) -> list[str]:
    return re.findall(r"\?show=([a-z]+)", html[html.index("filters") : html.index("<section")])


def test_page_of_duels_shows_visitors_public_duels_and_open_challenges(cast: Cast):
    running, over = begin(cast.ada, cast.bram), begin(cast.ada, cast.bram)
    endings.resign(duel_id=over.pk, wizard=cast.ada, now=NOW)
    wanted = challenge(cast.ada, now=timezone.now())
    html = page_html(None, "/duels/")
    assert (kinds(html), listed_duels(html)) == (["watch", "read", "open"], [running.pk])
    assert listed_duels(page_html(None, "/duels/?show=read")) == [over.pk]
    assert listed_duels(page_html(None, "/duels/?show=open")) == [wanted.pk]


def test_page_of_duels_shows_players_the_waiting_duels_first(cast: Cast):
    waiting, sealed = begin(cast.ada, cast.bram), begin(cast.ada, cast.bram)
    seal(sealed, cast.ada, DO_NOTHING)
    over = begin(cast.ada, cast.bram)
    endings.resign(duel_id=over.pk, wizard=cast.ada, now=NOW)
    asked = challenge(cast.bram, cast.ada, now=timezone.now())
    html = page_html(cast.ada, "/duels/")
    assert kinds(html)[0] == "waiting"
    assert listed_duels(html) == [waiting.pk]
    assert "Against Bram" in html
    for code, duel in (("running", sealed), ("finished", over), ("challenges", asked)):
        assert listed_duels(page_html(cast.ada, f"/duels/?show={code}")) == [duel.pk]


@pytest.mark.parametrize("code", ["waiting", "running", "challenges", "finished", "practice", "x"])
def test_lists_of_own_duels_return_404_to_visitors(db: None, code: str):
    assert Client().get(f"/duels/?show={code}").status_code == 404


def test_empty_list_of_duels_has_a_note(cast: Cast):
    for code in ("waiting", "running", "challenges", "finished", "practice", "open", "watch"):
        html = page_html(cast.ada, f"/duels/?show={code}")
        assert 'class="empty"' in html
        assert listed_duels(html) == []
        offers = '<a href="/challenge/new">' in html.partition('class="empty"')[2]
        assert offers == (code in ("challenges", "open")), code
        assert ('href="/practice/">Practise</a>' in html) == (code == "practice"), code


def test_empty_list_of_own_turns_mentions_waiting_practice_duels(visitor: Visitor):
    visitor.begin()
    html = visitor.page("/duels/")
    assert listed_duels(html) == []
    assert "It is not your turn in any duel against other wizards." in html
    assert "Old Quill waits in your" in html
    assert '<a href="/duels/?show=practice">practice duels</a>' in html
    assert "Old Quill waits in your" not in visitor.page("/duels/?show=running")


def test_tabs_show_the_numbers_of_own_duels(cast: Cast):
    *_, asked = one_duel_of_each_kind(cast)
    challenge(cast.ada, now=timezone.now())

    def tabs(address: str) -> list[str]:
        links = page_html(cast.ada, address).partition("filters")[2].partition("</nav>")[0]
        return [" ".join(words.split()) for words in re.findall(r"<a [^>]*>([^<]*)</a>", links)]

    challenges.accept(duel_id=asked.pk, wizard=cast.ada, now=timezone.now())
    own = ["Your turn (2)", "Waiting for others (1)", "Practice", "Your challenges (1)"]
    for code in DUELLIST_LISTS:
        assert tabs(f"/duels/?show={code}")[:4] == own
    assert "You are waiting for an answer to" in page_html(cast.ada, "/duels/")
    assert tabs("/duels/?wizard=ada") == ["To watch", "Finished"]


def test_empty_lists_offer_to_find_an_opponent(visitor: Visitor):
    visitor.begin()
    offer = 'action="/somebody"'
    for code in ("waiting", "running", "challenges", "finished", "open"):
        assert offer in visitor.page(f"/duels/?show={code}")
    visitor.post("/somebody")
    html = visitor.page("/duels/")
    assert "You are waiting for an answer to" in html
    assert "Your challenges (1)" in html
    assert offer not in visitor.page("/duels/?show=challenges")


def test_list_of_a_wizards_duels_has_only_those_that_the_viewer_may_see(cast: Cast):
    public, private = begin(cast.ada, cast.bram), begin(cast.ada, cast.bram, visibility="private")
    address = "/duels/?wizard=ada&show="
    for viewer in (None, cast.cleo):
        assert listed_duels(page_html(viewer, f"{address}watch")) == [public.pk]
        assert f"/duels/{private.pk}/" not in page_html(viewer, "/wizards/ada/")
    for viewer in (cast.ada, cast.bram):
        assert listed_duels(page_html(viewer, f"{address}watch")) == [private.pk, public.pk]
        assert f"/duels/{private.pk}/" in page_html(viewer, "/wizards/ada/")
    for duel in (public, private):
        endings.resign(duel_id=duel.pk, wizard=cast.ada, now=NOW)
    for viewer in (None, cast.cleo):
        assert listed_duels(page_html(viewer, f"{address}finished")) == [public.pk]
        assert f"/duels/{private.pk}/" not in page_html(viewer, "/wizards/ada/")
    for viewer in (cast.ada, cast.bram):
        assert listed_duels(page_html(viewer, f"{address}finished")) == [private.pk, public.pk]
    assert signed_in(cast.bram).get("/duels/?wizard=ada&show=waiting").status_code == 404
    assert signed_in(cast.bram).get("/duels/?wizard=nobody").status_code == 404


def test_private_duels_are_not_listed_for_others(cast: Cast):
    duel = begin(cast.ada, cast.bram, visibility="private")
    seal(duel, cast.ada, DO_NOTHING)
    over = begin(cast.ada, cast.bram, visibility="private")
    endings.resign(duel_id=over.pk, wizard=cast.ada, now=NOW)
    for viewer, codes in (
        (None, ("watch", "read", "open")),
        (cast.cleo, ("waiting", "running", "finished", "watch", "read", "open", "challenges")),
    ):
        for code in codes:
            assert listed_duels(page_html(viewer, f"/duels/?show={code}")) == []


def test_lists_hide_questions_in_extra_turns_from_others(cast: Cast):
    """rules: R121, R162"""
    duel = begin(cast.ada, cast.bram, cast.cleo)
    Turn.objects.filter(duel=duel).update(kind=TurnKind.EXTRA, stage=Stage.ANSWERS, batch=1)
    Seat.objects.filter(duel=duel).exclude(wizard=cast.ada).update(
        awaited=False, awaited_since=None
    )
    words = "a question to answer"
    assert words in page_html(cast.ada, "/duels/")
    assert words in page_html(cast.ada, "/")
    assert words not in page_html(cast.bram, "/duels/?show=running")
    for viewer in (None, cast.bram, cast.dorn):
        for address in ("/", "/duels/?show=watch", "/wizards/ada/", "/duels/?wizard=ada"):
            assert words not in page_html(viewer, address)
