"""Tests of markers: they move when a duel ends, and wizards' pages show them. R114, R178"""

from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.test import Client

from duels import errors
from duels.commands import callbacks, closing, endings, resolution
from duels.commands.duel_end import EndStep
from duels.models import Duel, DuelEnding, Marker, Turn, Wizard
from duels.queries import lists, stories
from engine.proof.record import Mismatch
from engine.proof.replay import replay
from engine.proof.transcript import transcript
from tests.cast import LATER, NOW, Cast, begin, hands, open_turn, play

SURRENDER = hands("P", "P")
IDLE = hands("-", "-")
LATEST = LATER + timedelta(hours=1)


def duel_of(*wizards: Wizard, **more: Any) -> Duel:
    return begin(*wizards, ruleset="wizards-1", **more)


def duel_won_by_resignation(winner: Wizard, loser: Wizard, *, visibility: str = "public") -> Duel:
    """Return a duel that was won because the loser resigned."""
    duel = duel_of(winner, loser, visibility=visibility)
    return endings.resign(duel_id=duel.pk, wizard=loser, now=NOW)


def duel_won_by_stab(winner: Wizard, loser: Wizard) -> Duel:
    """Return a duel that ends with a stab, which deals the fifteenth point of damage."""
    duel = duel_of(winner, loser)
    turn = open_turn(duel)
    turn.position["wizards"][1]["damage"] = 14
    turn.save(update_fields=["position"])
    play(duel, {winner: hands(">", "-"), loser: IDLE}, now=LATER)
    assert duel.is_over
    return duel


def held_markers(wizard: Wizard) -> list[str]:
    """Return the names of the wizards whose markers this wizard holds."""
    return [row.bears.name for row in lists.marker_rank_of(wizard, wizard).markers]


def test_the_winner_takes_the_marker_of_a_wizard_who_surrenders(cast: Cast):
    duel = duel_of(cast.ada, cast.bram)
    play(duel, {cast.ada: IDLE, cast.bram: SURRENDER})
    (marker,) = Marker.objects.all()
    assert (marker.duel, marker.bears, marker.holder) == (duel, cast.bram, cast.ada)
    assert (marker.won_at, marker.returned_at, marker.returned_in) == (NOW, None, None)
    assert lists.marker_rank_of(cast.ada).number == 1
    assert lists.marker_rank_of(cast.bram).number == 0


def test_wizard_who_dies_gives_back_the_markers_that_they_have_won(cast: Cast):
    duel_won_by_resignation(cast.bram, cast.cleo)
    duel_won_by_resignation(cast.bram, cast.dorn)
    assert held_markers(cast.bram) == ["Dorn", "Cleo"]
    last = duel_won_by_stab(cast.ada, cast.bram)
    assert held_markers(cast.bram) == []
    assert held_markers(cast.ada) == ["Bram"]
    assert {
        (row.returned_at, row.returned_in) for row in Marker.objects.filter(holder=cast.bram)
    } == {(LATER, last)}


def test_wizard_who_surrenders_or_resigns_keeps_the_markers_that_they_have_won(cast: Cast):
    duel_won_by_resignation(cast.bram, cast.cleo)
    duel_won_by_resignation(cast.ada, cast.bram)
    assert held_markers(cast.bram) == ["Cleo"]
    duel = duel_of(cast.ada, cast.bram)
    play(duel, {cast.ada: IDLE, cast.bram: SURRENDER})
    assert held_markers(cast.bram) == ["Cleo"]
    assert held_markers(cast.ada) == ["Bram", "Bram"]


def test_draw_does_not_move_markers(cast: Cast):
    duel = duel_of(cast.ada, cast.bram)
    play(duel, {cast.ada: SURRENDER, cast.bram: SURRENDER})
    again = duel_of(cast.ada, cast.bram)
    for wizard in (cast.ada, cast.bram):
        again = endings.offer_draw(duel_id=again.pk, wizard=wizard, ordinal=None, now=NOW)
    assert (duel.result, again.result, again.ended) == ("draw", "draw", DuelEnding.AGREED)
    assert not Marker.objects.exists()


def test_dead_wizard_loses_markers_even_if_the_survivors_agree_on_a_draw(cast: Cast):
    """R178"""
    duel_won_by_resignation(cast.cleo, cast.dorn)
    duel = duel_of(cast.ada, cast.bram, cast.cleo)
    turn = open_turn(duel)
    turn.position["wizards"][2]["damage"] = 14
    turn.save(update_fields=["position"])
    play(duel, {cast.ada: hands(">", "-", left_subject="w2"), cast.bram: IDLE, cast.cleo: IDLE})
    assert held_markers(cast.cleo) == ["Dorn"]  # Cleo could still be raised from the dead
    for wizard in (cast.ada, cast.bram):
        duel = endings.offer_draw(duel_id=duel.pk, wizard=wizard, ordinal=None, now=LATER)
    assert held_markers(cast.cleo) == []
    assert Marker.objects.count() == 1


def test_last_of_three_wizards_takes_a_marker_from_each_of_the_others(cast: Cast):
    duel = duel_of(cast.ada, cast.bram, cast.cleo)
    endings.resign(duel_id=duel.pk, wizard=cast.cleo, now=NOW)
    assert not Marker.objects.exists()
    endings.resign(duel_id=duel.pk, wizard=cast.ada, now=NOW)
    assert sorted(held_markers(cast.bram)) == ["Ada", "Cleo"]


def test_duels_under_other_rulesets_do_not_move_markers(cast: Cast):
    duel_won_by_resignation(cast.ada, cast.bram)
    plain = begin(cast.cleo, cast.ada)
    turn = open_turn(plain)
    turn.position["wizards"][1]["damage"] = 14
    turn.save(update_fields=["position"])
    play(plain, {cast.cleo: hands(">", "-"), cast.ada: IDLE})
    assert plain.result == "w0"
    assert held_markers(cast.ada) == ["Bram"]
    assert held_markers(cast.cleo) == []


def test_failed_resolution_does_not_move_markers(cast: Cast, monkeypatch):
    """Markers move in the same transaction that resolves the turn."""
    duel = duel_of(cast.ada, cast.bram)

    def fail_to_write(*_: object) -> None:
        assert Marker.objects.count() == 1
        raise RuntimeError("the disk is full")

    with monkeypatch.context() as patched:
        patched.setattr(callbacks, "duel_end_steps", [EndStep(fail_to_write)])
        with pytest.raises(errors.ResolutionFailed):
            play(duel, {cast.ada: IDLE, cast.bram: SURRENDER})
    assert not Marker.objects.exists()
    turn = open_turn(duel)
    assert resolution.resolve_turn(turn_id=turn.pk, now=LATER)
    assert not resolution.resolve_turn(turn_id=turn.pk, now=LATER)
    assert Marker.objects.count() == 1


@pytest.mark.sqlite
def test_database_rejects_duplicate_markers_and_markers_won_from_yourself(cast: Cast):
    duel = duel_won_by_resignation(cast.ada, cast.bram)
    for bears, holder in ((cast.bram, cast.cleo), (cast.dorn, cast.dorn)):
        with pytest.raises(IntegrityError), transaction.atomic():
            Marker.objects.create(duel=duel, bears=bears, holder=holder, won_at=NOW)


def test_record_of_a_duel_names_the_markers_that_moved(cast: Cast):
    record = stories.record_of_finished_duel(duel_won_by_stab(cast.ada, cast.bram))
    assert record["ended"]["markers"] == {"taken": ["w1"], "returned": ["w1"]}
    stated = {**record, "setup": {"wizards": [{}, {"damage": 14}]}}
    codes = [event.code for event in replay(stated).turns[-1].events]
    assert codes[-2:] == ["marker_taken", "markers_returned"]
    wrong: tuple[dict[str, list[str]], ...] = ({"taken": []}, {"returned": ["w0"]})
    for markers in wrong:
        with pytest.raises(Mismatch):
            replay({**stated, "ended": {**record["ended"], "markers": markers}})
    assert "markers" not in stories.record_of_finished_duel(resigned_plainly(cast))["ended"]


def resigned_plainly(cast: Cast) -> Duel:
    duel = begin(cast.ada, cast.bram)
    return endings.resign(duel_id=duel.pk, wizard=cast.bram, now=NOW)


def test_transcript_of_an_agreed_draw_says_who_lost_their_markers(cast: Cast):
    duel = duel_of(cast.ada, cast.bram, cast.cleo)
    turn = open_turn(duel)
    turn.position["wizards"][2]["damage"] = 14
    turn.save(update_fields=["position"])
    play(duel, {cast.ada: hands(">", "-", left_subject="w2"), cast.bram: IDLE, cast.cleo: IDLE})
    for wizard in (cast.ada, cast.bram):
        duel = endings.offer_draw(duel_id=duel.pk, wizard=wizard, ordinal=None, now=LATER)
    record = {
        **stories.record_of_finished_duel(duel),
        "setup": {"wizards": [{}, {}, {"damage": 14}]},
    }
    assert transcript(record).splitlines()[-2:] == [
        "The wizards agreed on a draw.",
        "Cleo gives back every marker that they have won. [R114]",
    ]


# Pages


def page(path: str, user: Wizard | None = None) -> str:
    client = Client()
    if user is not None and user.user is not None:
        client.force_login(user.user)
    answer = client.get(path)
    assert answer.status_code == 200
    return answer.content.decode()


def test_wizard_page_shows_rank_and_markers(cast: Cast):
    assert "data-rank" not in page("/wizards/ada/")
    duel = duel_won_by_resignation(cast.ada, cast.bram)
    shown = page("/wizards/ada/")
    assert "<strong data-rank>1</strong>" in shown
    assert '<a href="/wizards/bram/">Bram</a>' in shown
    assert f'href="/duels/{duel.pk}/"' in shown
    assert "#R114" in shown
    assert "<strong data-rank>0</strong>" in page("/wizards/bram/")
    assert "data-rank" not in page("/wizards/cleo/")


def test_markers_from_private_duels_are_counted_but_not_named(cast: Cast):
    duel = duel_won_by_resignation(cast.ada, cast.bram, visibility="private")
    for reader in (None, cast.cleo):
        shown = page("/wizards/ada/", reader)
        assert "<strong data-rank>1</strong>" in shown
        assert "1 more, won in private" in shown
        assert "Bram" not in shown
        assert f"/duels/{duel.pk}/" not in shown
    for reader in (cast.ada, cast.bram):
        assert "Bram</a>, in" in page("/wizards/ada/", reader)


def test_markers_of_a_closed_account_are_shown_under_the_neutral_name(cast: Cast):
    duel_won_by_resignation(cast.bram, cast.cleo)
    running = duel_of(cast.ada, cast.bram)
    assert cast.bram.user is not None
    closing.close_account(user=cast.bram.user, now=LATEST)
    running.refresh_from_db()
    neutral = f"Departed {cast.bram.pk}"
    assert running.ended == DuelEnding.RESIGNED
    assert held_markers(cast.ada) == [neutral]
    assert neutral in page("/wizards/ada/")
    gone = Wizard.objects.get(pk=cast.bram.pk)
    assert held_markers(gone) == ["Cleo"]
    assert "has left" in page(f"/wizards/{gone.slug}/")


def test_the_page_of_an_ended_duel_says_which_markers_moved(cast: Cast):
    duel = duel_won_by_stab(cast.ada, cast.bram)
    assert "You take a marker" in page(f"/duels/{duel.pk}/", cast.ada)
    shown = page(f"/duels/{duel.pk}/", cast.bram)
    assert "Ada takes a marker that bears your name." in shown
    assert "You give back every marker that you have won." in shown
    assert "who surrenders in time keeps" in shown
    assert "who surrenders in time keeps" not in page(f"/duels/{duel.pk}/", cast.ada)


@pytest.mark.parametrize(("ruleset", "hint"), [("wizards-1", True), ("bartle-1", False)])
def test_duel_page_explains_how_to_keep_won_markers(cast: Cast, ruleset: str, hint: bool):
    """F74"""
    duel = begin(cast.ada, cast.bram, ruleset=ruleset)
    assert ("you keep the markers you have won" in page(f"/duels/{duel.pk}/", cast.ada)) == hint
    resigning = page(f"/duels/{duel.pk}/resign", cast.ada)
    assert ("you keep those you have won" in resigning) == hint


# Openings


@pytest.mark.parametrize(
    ("ruleset", "line"),
    [
        ("bartle-1", "You and Bram face each other with empty hands."),
        ("spellcast-1", "You and Bram unroll blank scrolls."),
        ("wizards-1", "You and Bram bow to each other."),
        ("archmage-1", "No referee is needed: nothing before the first turn counts."),
    ],
)
def test_opening_words_are_shown_until_the_first_turn_and_in_its_report(
    cast: Cast, ruleset: str, line: str
):
    """F6, F7, R115"""
    duel = begin(cast.ada, cast.bram, ruleset=ruleset)
    before = page(f"/duels/{duel.pk}/", cast.ada)
    assert "Before turn 1" in before
    assert line in before
    play(duel, {cast.ada: hands("W", "-"), cast.bram: IDLE})
    assert "Before turn 1" not in page(f"/duels/{duel.pk}/", cast.ada)
    assert line in page(f"/duels/{duel.pk}/turns/1/", cast.ada)
    play(duel, {cast.ada: hands("W", "-"), cast.bram: IDLE})
    assert line not in page(f"/duels/{duel.pk}/turns/2/", cast.ada)
    assert Turn.objects.filter(duel=duel).count() == 3
