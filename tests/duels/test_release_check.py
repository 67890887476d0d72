"""Promise 13: if a new release replays running duels differently, it pauses duels of that ruleset.

No player loses time, and the operator is notified of the differences.
"""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from cryptography.fernet import Fernet
from django.core.management import CommandError, call_command
from django.test import Client

import engine
import engine.play
from duels.commands import deadlines, endings, release_check, resolution, sweeping
from duels.loaded.loading import load_turn
from duels.models import ActKind, Alarm, Duel, DuelStatus, ReleaseCheck, Seat, Stage, Turn, Wizard
from duels.proof import release
from duels.proof.release import rules_code_fingerprint
from duels.referees.acts import carrying_out
from tests import services
from tests.cast import LATER, NOW, Cast, begin, hands, open_turn, play, seal, seat
from tests.duels.referees.acts.refereeing import make_referee, perform_act

pytestmark = pytest.mark.django_db
IDLE = hands("-", "-")
real_resolve = engine.play.resolve


@pytest.fixture(autouse=True)
def forget_passed_checks() -> Iterator[None]:
    """Clear this process's memory of passed checks, and restore it after the test."""
    passed = set(release_check._passed_fingerprints)
    release_check._passed_fingerprints.clear()
    yield
    release_check._passed_fingerprints.clear()
    release_check._passed_fingerprints.update(passed)


def resolve_without_damage(position: Any, *given: Any, **named: Any) -> Any:
    """Resolve a turn as a faulty release would: under one ruleset, nothing deals damage."""
    after, events = real_resolve(position, *given, **named)
    if position.ruleset != "bartle-1":
        return after, events
    after = after.copy()
    for wizard in after.wizards:
        wizard.damage = 0
    return after, events[:-1]


def patch_release(play: Any = resolve_without_damage, name: str = "f" * 64) -> Any:
    """Return patches that make the running code count as another release."""
    stack = (
        mock.patch.multiple(release_check, rules_code_fingerprint=lambda: name),
        mock.patch.object(engine.play, "resolve", side_effect=play),
    )
    return stack


def duel_with_damage(ada: Wizard, bram: Wizard, **more: Any) -> Duel:
    """Return a duel with damage in its last turn, and a seal of Bram's in the open one."""
    duel = begin(ada, bram, **more)
    play(duel, {ada: hands(">", "-", left_subject="w1"), bram: IDLE})
    seal(duel, bram, IDLE)
    ReleaseCheck.objects.all().delete()  # made before this duel began
    release_check._passed_fingerprints.clear()
    return duel


def test_unchanged_release_is_checked_only_once(cast: Cast, django_assert_num_queries: Any):
    duel_with_damage(cast.ada, cast.bram)
    assert release_check.held_rulesets(now=NOW) == set()
    check = ReleaseCheck.objects.get()
    assert (check.fingerprint, check.release) == (rules_code_fingerprint(), engine.RELEASE)
    assert (check.turns, check.held, check.words) == (1, [], "")
    with django_assert_num_queries(0):
        release_check.held_rulesets(now=LATER)
    release_check._passed_fingerprints.clear()  # as in another process of this release
    with django_assert_num_queries(1):
        release_check.held_rulesets(now=LATER)
    out = StringIO()
    call_command("check_running_duels", all=True, stdout=out)
    assert "1 turns replayed, all with the stored results" in out.getvalue()


def test_release_that_plays_differently_pauses_duels_without_costing_time(cast: Cast, caplog: Any):
    duel = duel_with_damage(cast.ada, cast.bram, pace="86400")
    other = begin(cast.cleo, cast.dorn, ruleset="wizards-1", pace="86400")
    assert release_check.held_rulesets(now=NOW) == set()
    left = NOW + timedelta(hours=5)
    due = seat(duel, cast.ada).due_at
    assert due is not None
    code, rules = patch_release()
    with code, rules:
        with pytest.raises(CommandError, match="On hold: bartle-1"):
            call_command("check_running_duels")
        sweeping.sweep(now=left)
        duel.refresh_from_db()
        assert duel.held_at == left
        assert (seat(duel, cast.ada).due_at, seat(duel, cast.ada).clock_left) == (None, due - left)
        seal(duel, cast.ada, IDLE)  # wizards can still seal
        late = due + timedelta(days=3)
        assert not resolution.resolve_turn(turn_id=open_turn(duel).pk, now=late)
        sweeping.sweep(now=late)
        assert open_turn(duel).ordinal == 2
        assert open_turn(duel).failed_at is None
        duel.refresh_from_db()
        assert duel.status == DuelStatus.RUNNING
        page = Client().get(f"/duels/{duel.pk}/").content.decode()
        assert "data-held" in page
        assert "data-held" not in Client().get(f"/duels/{other.pk}/").content.decode()
        play(other, {cast.cleo: IDLE, cast.dorn: IDLE})  # duels under other rulesets continue
        assert open_turn(other).ordinal == 2
        # A duel that begins under this ruleset in the meantime is paused before any deadline.
        fresh = begin(cast.ada, cast.cleo, pace="86400")
        deadlines.process_deadlines(duel_id=fresh.pk, now=late)
        fresh.refresh_from_db()
        assert fresh.held_at == late
    check = ReleaseCheck.objects.get(held=["bartle-1"])
    assert check.words == (
        f"bartle-1: turn 1 of duel {duel.pk}, resolved by release {engine.RELEASE}, now results in "
        "a different position and different events"
    )
    alarm = Alarm.objects.get()
    assert check.words in alarm.words
    assert "bartle-1" in caplog.text
    # When the earlier release is deployed again, it checks the duels and resumes them.
    release_check._passed_fingerprints.clear()
    sweeping.sweep(now=late)
    sweeping.sweep(now=late)
    duel.refresh_from_db()
    alarm.refresh_from_db()
    assert duel.held_at is None
    assert alarm.ended_at == late
    assert duel.turns.get(ordinal=2).stage == Stage.RESOLVED


def test_only_the_release_that_was_checked_last_can_resume_duels(cast: Cast):
    """The duel stays paused while an old worker is still running next to the new release."""
    duel = duel_with_damage(cast.ada, cast.bram)
    release_check.held_rulesets(now=NOW)
    code, rules = patch_release()
    with code, rules:
        sweeping.sweep(now=LATER)
    sweeping.sweep(now=LATER)
    duel.refresh_from_db()
    assert duel.held_at == LATER


@pytest.mark.parametrize("stage", ["draws", "error", "events"])
def test_alarm_names_every_kind_of_difference(cast: Cast, stage: str):
    """One turn has a draw, for a confused hand. The differences are in draws, errors or events."""
    duel = begin(cast.ada, cast.bram)
    for left, more in (("D", {}), ("S", {}), ("F", {"left_subject": "w1"})):
        play(duel, {cast.ada: hands(left, "-", **more), cast.bram: IDLE})
    # do not make a palm, because a drawn second palm would be a surrender
    play(duel, {cast.ada: IDLE, cast.bram: hands("W", "W")})

    def resolve_differently(*given: Any, **named: Any) -> Any:
        after, events = real_resolve(*given, **named)
        if stage == "error":
            raise ValueError("abrakadabraxas")
        if stage == "draws":
            assert any(isinstance(event, engine.play.Drew) for event in events)
            return after, tuple(
                event for event in events if not isinstance(event, engine.play.Drew)
            )
        return after, (*events, events[0])

    code, rules = patch_release(resolve_differently)
    with code, rules:
        check = release_check.check_running_duels(now=NOW)
    assert check.held == ["bartle-1"]
    expected = {
        "draws": "now results in different draws and different events",
        "error": "now results in an error: ValueError at",
        "events": "now results in different events",
    }
    assert expected[stage] in check.words
    assert "abrakadabraxas" not in check.words


def test_release_check_handles_resignations_and_lost_keys(cast: Cast, settings: Any):
    duel = begin(cast.ada, cast.bram, cast.cleo)
    endings.resign(duel_id=duel.pk, wizard=cast.cleo, now=NOW)
    play(duel, {cast.ada: hands(">", "-", left_subject="w1"), cast.bram: IDLE})
    check = release_check.check_running_duels(now=NOW)
    assert (check.turns, check.held) == (1, [])
    settings.SEAL_KEYS = [Fernet.generate_key().decode()]
    check = release_check.check_running_duels(now=NOW)
    assert (check.turns, check.held) == (0, [])
    assert Seat.objects.filter(duel=duel, outcome="").count() == 2


@pytest.mark.parametrize("change", ["rename", "roll back"])
def test_changes_during_the_release_check_do_not_count_as_differences(cast: Cast, change: str):
    """The check reads the open turn, then the turn before it. A referee acts in between."""
    duel = duel_with_damage(cast.ada, cast.bram)
    play(duel, {cast.ada: IDLE})
    by = make_referee()
    acted: list[Any] = []

    def load_turn_after_act(turn_id: int) -> Any:
        if not acted and change == "rename":
            given: dict[str, Any] = {"wizard_id": cast.ada.pk, "fields": {"name": "Ada the Grey"}}
            acted.append(
                carrying_out.carry_out_act(ActKind.RENAME, by=by, reason="x", now=NOW, **given)
            )
        elif not acted:
            acted.append(perform_act(ActKind.ROLL_BACK, by, duel, turn="2"))
            play(duel, {cast.ada: hands("W", "W"), cast.bram: hands("W", "-")})
            turn_id = Turn.objects.get(duel=duel, ordinal=2).pk
        return load_turn(turn_id)

    with mock.patch.object(release_check, "load_turn", load_turn_after_act):
        check = release_check.check_running_duels(now=LATER)
    assert acted
    assert (check.turns, check.held, check.words) == (1, [], "")


def test_fingerprint_of_a_release_depends_on_contents_and_names_of_files(tmp_path: Path):
    module = tmp_path / "play.py"
    marks = []
    for name, text in (("play.py", "a"), ("play.py", "b"), ("other.py", "b")):
        module = module.rename(tmp_path / name) if module.exists() else module
        module.write_text(text)
        marks.append(release.digest([module], tmp_path))
    assert len(set(marks)) == 3
    assert len(rules_code_fingerprint()) == 64


# This code runs in a copy of the modules, one of which it replaces in the running process.
REPLACE_FILES = """
import os
from duels import release
before = release.rules_code_fingerprint()
release.check_files_unchanged()
with open("engine/spellbook.py", "a") as file:
    file.write("# of another release")
if os.fork():
    _, status = os.wait()
    os._exit(os.waitstatus_to_exitcode(status))
assert release.rules_code_fingerprint() == before, "a pool child has the code of its parent"
try:
    release.check_files_unchanged()
except release.ReplacedFiles as error:
    print(error)
"""


def test_fingerprint_of_a_running_process_does_not_change_when_files_are_replaced(tmp_path: Path):
    """Otherwise old code could count as the new release, although it has not passed the check."""
    for name in ("engine", "duels"):
        source = services.ROOT / name
        shutil.copytree(source, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    done = subprocess.run(
        [sys.executable, "-c", REPLACE_FILES], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert "changed while this process started" in done.stdout


@pytest.mark.parametrize("act", [ActKind.ROLL_BACK, ActKind.ANNUL])
def test_referee_can_let_a_duel_continue_after_an_intended_change(cast: Cast, act: ActKind):
    """A logged act with a reason replays the turn or annuls the duel.

    After the act, the duel is no longer paused.
    """
    duel = duel_with_damage(cast.ada, cast.bram, pace="86400")
    code, rules = patch_release()
    with code, rules:
        sweeping.sweep(now=NOW)
        duel.refresh_from_db()
        assert duel.held_at is not None
        perform_act(
            act, make_referee(), duel, **({"turn": "1"} if act == ActKind.ROLL_BACK else {})
        )
        assert release_check.held_rulesets(now=LATER) == {"bartle-1"}, "until the next check"
        call_command("check_running_duels", verbosity=0)
        assert release_check.held_rulesets(now=LATER) == set()
        sweeping.sweep(now=LATER)
        duel.refresh_from_db()
        if act == ActKind.ANNUL:
            assert duel.status == DuelStatus.ANNULLED
            return
        assert duel.held_at is None
        ada, bram = cast.ada, cast.bram
        play(duel, {ada: hands(">", "-", left_subject="w1"), bram: IDLE}, now=LATER)
        assert open_turn(duel).ordinal == 2
        assert Turn.with_voided.filter(duel=duel, voided_in=1).exists(), "the void turn is kept"
