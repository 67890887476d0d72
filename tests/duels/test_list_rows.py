"""Rows of lists of duels: damage, seals, news and endings."""

import re
from collections.abc import Callable

import pytest

from duels.commands import endings, profiles, speaking
from duels.models import Duel, Seat, Speech, Stage, Turn, TurnKind, Wizard
from tests.cast import NOW, Cast, begin, hands, play, seal
from tests.duels.list_pages import DO_NOTHING, page_html
from tests.duels.test_invited_guests import invited_guest
from tests.duels.test_views_states import set_up
from tests.states import STATES, People

pytestmark = pytest.mark.sqlite


def states(viewer: Wizard | None, address: str) -> list[str]:
    """Return the states of the duels in the page's list, as text."""
    return texts("span", "state", page_html(viewer, address))


def texts(tag: str, kind: str, html: str) -> list[str]:
    """Return the texts of all such elements on a page."""
    found = re.findall(f'<{tag} class="{kind}">(.*?)</{tag}>', html, re.DOTALL)
    return [" ".join(re.sub("<[^>]+>", " ", each).split()) for each in found]


def news(viewer: Wizard) -> list[str]:
    return texts("b", "news", page_html(viewer, "/duels/"))


def test_lists_show_damage_and_who_has_sealed(cast: Cast):
    duel = begin(cast.ada, cast.bram)
    play(duel, {cast.ada: hands(">", "-", left_subject="w1"), cast.bram: DO_NOTHING})
    Seat.objects.update(read_turn=1)
    seal(duel, cast.bram, DO_NOTHING)
    assert states(cast.ada, "/duels/") == ["Damage taken: you 0, Bram 1 · Bram has sealed"]
    running = states(cast.bram, "/duels/?show=running")
    assert running == ["Damage taken: you 1, Ada 0 · You have sealed"]
    watched = ["Damage taken: Ada 0, Bram 1 · Bram has sealed"]
    for viewer in (None, cast.dorn):
        assert states(viewer, "/duels/?show=watch") == watched
    for address in ("/duels/?show=watch", "/wizards/bram/", "/duels/?wizard=bram"):
        assert states(cast.bram, address) == running
    endings.resign(duel_id=duel.pk, wizard=cast.ada, now=NOW)
    assert states(None, "/duels/?show=read") == ["Damage taken: Ada 0, Bram 1"]


def test_lists_summarise_the_damage_and_seals_of_many_wizards(cast: Cast):
    duel = begin(cast.ada, cast.bram, cast.cleo, cast.dorn)
    play(
        duel,
        {cast.ada: hands(">", "-", left_subject="w1")}
        | dict.fromkeys((cast.bram, cast.cleo, cast.dorn), DO_NOTHING),
    )
    for wizard in (cast.bram, cast.cleo, cast.dorn):
        seal(duel, wizard, DO_NOTHING)
    assert states(cast.ada, "/duels/") == [
        "Damage taken: you 0, others 0 to 1 · 3 of 4 have sealed"
    ]
    watched = states(None, "/duels/?show=watch")
    assert watched == ["Damage taken: 0 to 1 · 3 of 4 have sealed"]


def test_lists_show_hit_points_left_to_readers_who_prefer_them(cast: Cast):
    duel = begin(cast.ada, cast.bram)
    play(duel, {cast.ada: hands(">", "-", left_subject="w1"), cast.bram: DO_NOTHING})
    profiles.set_reading_preferences(wizard=cast.ada, typed={"points": "left"})
    assert states(cast.ada, "/duels/") == ["Hit points left: you 15, Bram 14"]
    assert states(cast.bram, "/duels/") == ["Damage taken: you 1, Ada 0"]


@pytest.mark.parametrize(
    ("end", "words"),
    [
        (lambda duel, ada, bram: play(duel, {ada: hands("P", "P"), bram: DO_NOTHING}),
         "by surrender"),
        (lambda duel, ada, bram: endings.resign(duel_id=duel.pk, wizard=ada, now=NOW),
         "by resignation"),
    ],
)  # fmt: skip
def test_lists_show_how_a_duel_ended(
    cast: Cast, end: Callable[[Duel, Wizard, Wizard], object], words: str
):
    duel = begin(cast.ada, cast.bram)
    end(duel, cast.ada, cast.bram)
    assert f"you won {words} ·" in page_html(cast.bram, "/duels/?show=finished")
    assert f"Bram won {words} ·" in page_html(None, "/duels/?show=read")


def test_lists_show_that_a_wizard_died(cast: Cast):
    duel = set_up(cast, {"damage": 14}, {})
    play(duel, {cast.ada: DO_NOTHING, cast.bram: hands(">", "-", left_subject="w0")})
    assert "Bram won by a kill ·" in page_html(None, "/duels/?show=read")
    assert states(None, "/duels/?show=read") == ["Damage taken: Ada dead, Bram 0"]


def test_lists_show_whether_a_turn_or_messages_are_new(cast: Cast):
    """Removed messages, your own and those of wizards that you have muted do not count."""
    duel = begin(cast.ada, cast.bram, cast.cleo)
    assert news(cast.ada) == []
    play(duel, dict.fromkeys((cast.ada, cast.bram, cast.cleo), DO_NOTHING))
    for number, wizard in enumerate((cast.bram, cast.bram, cast.cleo, cast.ada)):
        speaking.send_message(duel_id=duel.pk, wizard=wizard, words=f"Hm {number}", now=NOW)
    speaking.mute(wizard=cast.ada, other=cast.cleo, now=NOW)
    assert news(cast.ada) == ["new turn · 2 new messages"]
    Speech.objects.filter(words="Hm 0").update(removed_at=NOW)
    assert news(cast.ada) == ["new turn · 1 new message"]
    newest = Speech.objects.latest("pk").pk
    Seat.objects.filter(wizard=cast.ada).update(read_turn=1, read_speech=newest)
    assert news(cast.ada) == []


def test_lists_hide_damage_that_a_blind_wizard_cannot_see(cast: Cast):
    """rules: R145, F41"""
    state = STATES["blind"](People())
    assert state.viewer is not None
    (shown,) = states(state.viewer, "/duels/")
    assert re.search(r"you \d+, \w+ unseen", shown)


def test_lists_hide_seals_if_a_wizard_has_a_question_in_an_extra_turn(cast: Cast):
    """Nobody else may notice that a wizard has questions. rules: R121, R162"""
    duel = begin(cast.ada, cast.bram)
    seal(duel, cast.ada, DO_NOTHING)
    Turn.objects.filter(duel=duel).update(kind=TurnKind.EXTRA, stage=Stage.ANSWERS, batch=1)
    Seat.objects.filter(duel=duel, wizard=cast.ada).update(awaited=True, awaited_since=NOW)
    assert states(cast.bram, "/duels/") == ["Damage taken: you 0, Ada 0"]
    assert states(None, "/duels/?show=watch") == ["Damage taken: Ada 0, Bram 0"]


def test_state_of_a_duel_omits_the_word_guest(cast: Cast):
    duel, _ = invited_guest(cast.ada)
    assert states(cast.ada, "/duels/") == ["Damage taken: you 0, Tom 0"]
    assert f'data-duel="{duel.pk}"' in page_html(cast.ada, "/duels/")


def test_empty_practice_list_offers_to_practise(cast: Cast):
    link = '<a class="button prime" href="/practice/">Practise</a>'
    assert link in page_html(cast.ada, "/duels/?show=practice")
    assert link not in page_html(cast.ada, "/duels/?show=running")
