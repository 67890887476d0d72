"""The demonstration world, and with it the sample duel of the rules, figure by figure."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from pytest_django import Settings

import engine
from duels import adjudication, queries
from duels.demonstration import BLACK, DAMAGE, DRAWS, WHITE
from duels.models import Duel, DuelStatus, Notice, NoticeStatus, Turn, Wizard

pytestmark = pytest.mark.django_db


@pytest.fixture
def debug(settings: Settings) -> None:
    settings.DEBUG = True


def demonstrate() -> str:
    out = StringIO()
    call_command("demonstration", stdout=out)
    return out.getvalue()


@pytest.fixture
def sample(debug: None) -> Duel:
    demonstrate()
    return Duel.objects.get(recorded_draws__isnull=False)


def damage(position: engine.Position) -> tuple[int, ...]:
    by_name = {wizard.name: wizard.damage for wizard in position.wizards}
    return by_name[BLACK], by_name[WHITE]


def test_it_prints_who_can_sign_in_and_they_can(debug: None, client: Client):
    printed = demonstrate()
    for name in ("black", "white"):
        assert f"{name}@example.org" in printed
        password = printed.split("password ")[1].split()[0]
        assert client.login(email=f"{name}@example.org", password=password)


def test_run_again_it_keeps_what_is_there(debug: None):
    first = demonstrate()
    rows = [Duel.objects.count(), Turn.objects.count(), Wizard.objects.count()]
    assert demonstrate() == first
    assert [Duel.objects.count(), Turn.objects.count(), Wizard.objects.count()] == rows


def test_one_duel_waits_for_both(sample: Duel):
    for name in (BLACK, WHITE):
        wizard = Wizard.objects.get(name=name)
        (row,) = queries.duels_awaiting(wizard, sample.created_at)
        assert row.duel != sample
        assert row.turn
        assert row.turn.number == 4


def test_it_is_not_for_a_public_site(settings: Settings):
    settings.DEBUG = False
    with pytest.raises(CommandError):
        demonstrate()
    assert not Wizard.objects.exists()


def test_the_sample_duel_gives_the_printed_figures(sample: Duel):
    turns = list(Turn.objects.filter(duel=sample))
    assert len(turns) == len(DAMAGE) == 22
    after = [adjudication.position_of(turn) for turn in turns[1:]]
    after.append(adjudication.loaded_position(sample.final_position))
    assert [damage(position) for position in after] == list(DAMAGE)


def test_white_wins_the_sample_duel(sample: Duel):
    assert (sample.status, sample.ended) == (DuelStatus.OVER, "rules")
    assert sample.seats.get(outcome="won").wizard.name == WHITE


def test_the_sample_duel_has_recorded_dice(sample: Duel):
    assert sample.recorded_draws == DRAWS
    assert queries.record(sample)["dice"] == {"kind": "recorded", "draws": DRAWS}


def test_white_saw_fog_where_black_was_invisible(sample: Duel):
    """On turns 16 to 18; Black saw his own hands; a spectator knew what both knew."""
    black, white = Wizard.objects.get(name=BLACK), Wizard.objects.get(name=WHITE)
    for viewer, letters in ((white, "???"), (None, "???"), (black, "DWD")):
        eyes = sample.seats.get(wizard=viewer).code if viewer else "spectator"
        page = queries.turn_page(sample, 19, viewer, seen=eyes)
        assert page
        code = sample.seats.get(wizard=black).code
        rows = {turn.number: turn.rows[code] for turn in page.view.turns}
        assert "".join(rows[number][0].left.letter for number in (16, 17, 18)) == letters
        assert rows[19][0].left.letter == "D"


def test_the_breaks_stand_where_they_are_printed(sample: Duel):
    page = queries.duel_page(sample, None, sample.created_at, last=30)
    assert page.view
    names = {seat.code: seat.name for seat in page.seats}
    breaks = {
        turn.number: [names[code] for code in turn.breaks]
        for turn in page.view.turns
        if turn.breaks
    }
    assert breaks[16] == [BLACK]
    assert breaks[19] == [WHITE]
    assert set(breaks) <= {16, 19, 22}


def test_it_writes_no_mails(sample: Duel):
    assert set(Notice.objects.values_list("status", flat=True)) == {NoticeStatus.DROPPED}
