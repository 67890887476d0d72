"""The demonstration, with every number of the sample duel in the rules."""

import json
import re
from collections.abc import Iterator
from datetime import timedelta
from io import StringIO

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import transaction
from django.db.models import DateTimeField, Model
from django.test import Client, override_settings
from django.utils import timezone
from pytest_django import DjangoDbBlocker, Settings

import engine.play
from duels.commands import speaking, time_keeping, vacations
from duels.demonstration import BLACK, SAMPLE_DRAWS, WHITE
from duels.games import sample_games
from duels.loaded import adjudication
from duels.management.commands.advance_demonstration import SHIFTED_COLUMNS
from duels.models import (
    AccountClosing,
    Act,
    Alarm,
    Block,
    Duel,
    DuelStatus,
    LastSweep,
    Marker,
    Mute,
    OutboxStatus,
    ReleaseCheck,
    Seat,
    SiteKey,
    Speech,
    Submission,
    Turn,
    User,
    Wizard,
)
from duels.post.headers import notice_headers
from duels.post.models import GuestAddress, Notice, SilencedAddress, UnclearBounce
from duels.post.public import deliver_due, set_mail_choice
from duels.push.models import Push, PushSubscription
from duels.queries import pages, stories
from duels.sealing import seeds
from engine.proof.verify import verify
from tests.duels import duel_rows

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)
MINUTE = timedelta(minutes=1)


@pytest.fixture
def debug_mode(settings: Settings) -> None:
    settings.DEBUG = True


def run_demonstration() -> str:
    out = StringIO()
    call_command("demonstration", stdout=out)
    return out.getvalue()


@pytest.fixture(scope="module")
def demonstration_output(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[str]:
    """The output of a demonstration whose rows are shared by all tests of this module.

    Each test starts with the rows that the demonstration has created.
    """
    with (
        django_db_blocker.unblock(),
        override_settings(DEBUG=True),
        transaction.atomic(),
    ):
        yield run_demonstration()
        transaction.set_rollback(True)


@pytest.fixture
def sample_duel(demonstration_output: str, debug_mode: None) -> Duel:
    return Duel.objects.get(recorded_draws__isnull=False)


def damage_of_both(position: engine.play.Position) -> tuple[int, ...]:
    by_name = {wizard.name: wizard.damage for wizard in position.wizards}
    return by_name[BLACK], by_name[WHITE]


def test_accounts_that_the_demonstration_prints_can_sign_in(
    demonstration_output: str, debug_mode: None, client: Client
):
    for name in ("black", "white"):
        assert f"{name}@example.org" in demonstration_output
        password = demonstration_output.split("password ")[1].split()[0]
        assert client.login(email=f"{name}@example.org", password=password)


def test_only_the_dispute_is_news_in_the_demonstration(demonstration_output: str) -> None:
    paths = Notice.objects.filter(is_unread=True).values_list("path", flat=True)
    assert {path.split("/")[1] for path in paths} == {"disputes"}


def test_demonstration_has_a_referee_with_a_dispute(
    demonstration_output: str, debug_mode: None, client: Client, settings: Settings
):
    settings.MFA_TOTP_TOLERANCE = 1  # accept the code of the previous half minute
    password = demonstration_output.split("password ")[1].split()[0]
    signing_in = {"login": "referee@example.org", "password": password}
    asked = client.post("/accounts/login/", signing_in).headers["Location"]
    assert asked == "/accounts/2fa/authenticate/"
    out = StringIO()
    call_command("demonstration_code", stdout=out)
    client.post(asked, {"code": out.getvalue().strip()})
    address = re.search(r"http://\S+(/desk/cases/\d+/)", demonstration_output)
    assert address is not None
    page = client.get(address[1])
    assert page.status_code == 200
    assert "waiting for a referee" in page.content.decode()
    run = client.get(f"{address[1]}turns/10/dry-run/").content.decode()
    assert 'data-verdict="same"' in run
    assert "data-difference" in run, "the duel is over, so everything is open"


def test_fixed_code_of_the_demonstration_is_rejected_on_a_public_site(settings: Settings):
    settings.DEBUG = False
    with pytest.raises(CommandError):
        call_command("demonstration_code")


def test_running_the_demonstration_again_adds_nothing(demonstration_output: str, debug_mode: None):
    rows = [Duel.objects.count(), Turn.objects.count(), Wizard.objects.count()]
    assert run_demonstration() == demonstration_output
    assert [Duel.objects.count(), Turn.objects.count(), Wizard.objects.count()] == rows


def test_demonstration_has_a_duel_that_waits_for_both_wizards(sample_duel: Duel):
    for name in (BLACK, WHITE):
        wizard = Wizard.objects.get(name=name)
        (row,) = duel_rows.duels_awaiting(wizard, sample_duel.created_at)
        assert row.duel != sample_duel
        assert row.turn
        assert row.turn.number == 4


def test_demonstration_is_rejected_on_a_public_site(settings: Settings):
    settings.DEBUG = False
    before = Wizard.objects.count()  # wizards of the demonstration that the tests share
    with pytest.raises(CommandError):
        run_demonstration()
    assert Wizard.objects.count() == before


def test_sample_duel_has_the_printed_damage_after_each_turn(sample_duel: Duel):
    turns = list(Turn.objects.filter(duel=sample_duel))
    printed = [turn["damage"] for turn in sample_games()["black-and-white"].record["turns"]]
    assert len(turns) == len(printed) == 22
    after = [adjudication.position_after_departures(turn) for turn in turns[1:]]
    after.append(engine.play.load_position(sample_duel.final_position))
    assert [damage_of_both(position) for position in after] == [
        (damage["w0"], damage["w1"]) for damage in printed
    ]


def test_white_wins_the_sample_duel(sample_duel: Duel):
    assert (sample_duel.status, sample_duel.ended) == (DuelStatus.OVER, "rules")
    assert sample_duel.seats.get(outcome="won").wizard.name == WHITE


def test_sample_duel_uses_the_printed_dice(sample_duel: Duel):
    """Black has the first seat, as in the printed game, and the first link covers the draws."""
    assert sample_duel.seats.get(place=0).wizard.name == BLACK
    dice = {"kind": "recorded", "draws": SAMPLE_DRAWS, "seeds": seeds.seeds_of(sample_duel)}
    record = json.loads(json.dumps(stories.record_of_finished_duel(sample_duel)))
    assert record["dice"] == dice
    assert verify(record) == []


def test_white_does_not_see_gestures_while_black_is_invisible(sample_duel: Duel):
    """Black is invisible in turns 16 to 18. Spectators see only what both wizards saw."""
    black, white = Wizard.objects.get(name=BLACK), Wizard.objects.get(name=WHITE)
    for viewer, letters in ((white, "???"), (None, "???"), (black, "DWD")):
        eyes = sample_duel.seats.get(wizard=viewer).code if viewer else "spectator"
        page = pages.turn_page(sample_duel, 19, viewer, seen_by=eyes)
        assert page
        code = sample_duel.seats.get(wizard=black).code
        rows = {turn.number: turn.rows[code] for turn in page.view.turns}
        assert "".join(rows[number][0].left.letter for number in (16, 17, 18)) == letters
        assert rows[19][0].left.letter == "D"


def test_broken_sequences_of_the_sample_duel_are_in_the_printed_turns(sample_duel: Duel):
    page = pages.duel_page(sample_duel, None, turn_count=30)
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


def test_demonstration_sends_no_emails(sample_duel: Duel):
    assert set(Notice.objects.values_list("status", flat=True)) == {OutboxStatus.DROPPED}


def advance_time(hours: float) -> dict[str, int]:
    """Run the command that advances time, and return the counts that it prints."""
    out = StringIO()
    call_command("advance_demonstration", str(hours), stdout=out)
    return {name: int(number) for name, number in (line.split() for line in _lines(out))}


def _lines(out: StringIO) -> list[str]:
    return out.getvalue().splitlines()


def test_advancing_time_handles_deadlines(sample_duel: Duel):
    """Each wizard gets a reminder, two extensions and two default orders before the end."""
    nothing = {"reminders": 0, "excuses": 0, "defaults": 0, "ended": 0}
    assert advance_time(1) == nothing
    assert advance_time(18.5) == nothing | {"reminders": 2}
    assert advance_time(5) == nothing | {"excuses": 2}
    assert advance_time(12) == nothing | {"excuses": 2}
    assert advance_time(12) == nothing | {"defaults": 2}
    assert advance_time(24) == nothing | {"reminders": 2, "defaults": 2}
    assert advance_time(24) == nothing | {"reminders": 2, "ended": 1}
    assert Duel.objects.get(ended="abandoned").result == "draw"
    with pytest.raises(CommandError, match="is over"):
        advance_time(1)


def test_advancing_many_hours_handles_all_deadlines(sample_duel: Duel):
    everything = {"reminders": 6, "excuses": 4, "defaults": 4, "ended": 1}
    assert advance_time(24 * 30) == everything


def waiting_duel() -> Duel:
    return Duel.objects.get(status=DuelStatus.RUNNING, lesson="")


def test_advancing_time_ends_vacations_and_pauses(sample_duel: Duel):
    """Black's clock is stopped during the vacation and resumes when it ends."""
    now = timezone.now()
    duel, black = waiting_duel(), Wizard.objects.get(name=BLACK)
    vacations.start_vacation(wizard=black, until=now + 3 * DAY, now=now)
    # White gets a reminder, two extensions and default orders in these hours
    assert advance_time(71) == {"reminders": 1, "excuses": 2, "defaults": 1, "ended": 0}
    black.refresh_from_db()
    assert black.vacation is not None
    assert abs(black.vacation.ends_at - now - timedelta(hours=1)) < MINUTE
    assert abs(black.created_at - now + timedelta(hours=71)) < MINUTE
    advance_time(2)
    black.refresh_from_db()
    assert black.vacation is None
    seat = duel.seats.get(wizard=black)
    assert seat.due_at is not None
    assert abs(seat.due_at - now - timedelta(hours=23)) < 2 * MINUTE
    for wizard in Wizard.objects.filter(name__in=[BLACK, WHITE]):
        time_keeping.request_pause(
            duel_id=duel.pk, wizard=wizard, is_paused=None, now=timezone.now()
        )
    nothing = dict.fromkeys(("reminders", "excuses", "defaults", "ended"), 0)
    assert advance_time(29 * 24) == nothing
    assert waiting_duel().paused_at is not None
    left = duel.seats.get(wizard=black).clock_left
    assert left is not None
    assert advance_time(25) == nothing
    assert waiting_duel().paused_at is None
    seat.refresh_from_db()
    assert seat.due_at is not None
    assert abs(seat.due_at - timezone.now() - left + timedelta(hours=1)) < MINUTE


def test_advancing_time_makes_queued_emails_due(sample_duel: Duel):
    duel, (black, white) = waiting_duel(), Wizard.objects.order_by("pk")[:2]
    set_mail_choice(
        wizard=white, when="every", hour=8, though_here=False, words=True, now=timezone.now()
    )
    speaking.send_message(duel_id=duel.pk, wizard=black, words="Well met.", now=timezone.now())
    notice = Notice.objects.get(kind="said")
    message_id, thread = notice_headers(notice)["Message-ID"], notice_headers(notice)["References"]
    assert notice.due_at > timezone.now()
    advance_time(0.5)
    notice.refresh_from_db()
    notice.the_duel.refresh_from_db()
    assert notice.due_at < timezone.now()
    assert (notice_headers(notice)["Message-ID"], notice_headers(notice)["References"]) == (
        message_id,
        thread,
    )
    assert deliver_due().sent == 1
    assert Speech.objects.get().said_at < timezone.now() - timedelta(minutes=29)


# Columns that the command does not change, with the reasons.
UNSHIFTED_COLUMNS: dict[type[Model], dict[str, str]] = {
    Duel: {
        "created_at": "identifies the thread of the duel's emails",
        "expires_at": "only used for challenges",
        "ended_at": "the duel is still running",
        "halted_at": "no time passes in a duel paused by a dispute",
        "stopped_at": "no time passes in a duel paused by a referee",
        "held_at": "no time passes in a duel paused by a release",
        "speech_locked_at": "locked by a referee until unlocked",
    },
    Speech: {"removed_at": "must match the log of referees' acts"},
    Seat: {"duel_ended_at": "the duel is still running"},
    Notice: {
        "created_at": "part of the Message-ID",
        "claimed_at": "a worker is sending it now",
        "sent_at": "the email is already in a mailbox",
        "daily_at": "depends on the real time",
    },
    Push: {
        "claimed_at": "a worker is sending it now",
        "sent_at": "the device has already shown it",
    },
    Wizard: {
        "closed_at": "closed accounts have no running duels",
        "kept_until": "only used for guests",
        "speech_locked_at": "locked by a referee until unlocked",
        "suspended_at": "must match the log of referees' acts",
        "suspended_until": "the wizard has been told this date",
    },
}


def test_every_date_and_time_field_is_moved_or_excluded():
    """A new field must be added to one of the two lists."""
    for model in apps.get_models():
        moments = {
            field.name
            for field in model._meta.concrete_fields
            if isinstance(field, DateTimeField) and model in SHIFTED_COLUMNS
        }
        assert moments == {*SHIFTED_COLUMNS.get(model, ()), *UNSHIFTED_COLUMNS.get(model, ())}, (
            model
        )
    with_moments = {
        model
        for model in apps.get_models()
        if any(isinstance(field, DateTimeField) for field in model._meta.concrete_fields)
        and model._meta.app_label in ("duels", "post", "push", "replies")
    }
    # These models do not belong to a duel (accounts, sweeps, mutes, markers, addresses, devices and
    # bounces), or never change (the log of referees).
    timeless = {Block, LastSweep, Mute, Marker, PushSubscription, SilencedAddress, User}
    timeless |= {AccountClosing, Act, Alarm, GuestAddress, ReleaseCheck, SiteKey}
    timeless |= {Submission, UnclearBounce}
    assert with_moments - set(SHIFTED_COLUMNS) == timeless


def test_advancing_requires_debug(settings: Settings):
    settings.DEBUG = False
    with pytest.raises(CommandError, match="DEBUG is off"):
        advance_time(1)


@pytest.mark.parametrize("hours", [0, -1, 100_000])
def test_invalid_number_of_hours_is_rejected(sample_duel: Duel, hours: float):
    with pytest.raises(CommandError, match="hours must be more than 0"):
        call_command("advance_demonstration", "--", str(hours))
