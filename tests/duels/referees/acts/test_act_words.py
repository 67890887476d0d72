"""Referees' acts on messages and wizards."""

import hashlib
from datetime import datetime, timedelta

import pytest
from django.core import mail

from duels.commands import (
    endings,
    practising,
    profiles,
    sealing,
    speaking,
    time_keeping,
    vacations,
)
from duels.errors import Refused
from duels.models import Act, ActKind, Duel, Orders, RefereeMessage, Speech, Wizard
from duels.proof.records import duel_record
from duels.queries import pages
from duels.queries.speeches import all_messages, messages_on_page
from duels.referees.acts import carrying_out
from duels.referees.cases.disputes import open_dispute
from duels.referees.cases.reports import report_name
from duels.referees.log.act_log import RefereeRef, append_act
from duels.referees.log.visible_acts import visible_acts
from duels.referees.models import Case
from tests.cast import LATER, NOW, Cast, begin, challenge, deliver, hands, open_turn, play, seal
from tests.duels.referees.acts.refereeing import REASON, make_referee, perform_act, rows_of

DAY = timedelta(days=1)

pytestmark = pytest.mark.django_db


@pytest.fixture
def duel(cast: Cast) -> Duel:
    return begin(cast.ada, cast.bram, pace="86400")


def carry_out_on(kind: ActKind, by: RefereeRef, wizard: Wizard, **fields: str) -> Act:
    """Plan an act on this wizard, and carry out the plan."""
    plan = carrying_out.plan_act(kind, wizard_id=wizard.pk, by=by, now=LATER, fields=fields)
    assert Wizard.objects.get(pk=wizard.pk).name == wizard.name
    act = carrying_out.carry_out_act(
        kind,
        wizard_id=wizard.pk,
        by=by,
        reason=REASON,
        now=LATER,
        fields=fields,
        seen_stamp=plan.stamp,
    )
    wizard.refresh_from_db()
    return act


def rejection_code(
    kind: ActKind, *, wizard: Wizard | None = None, duel: Duel | None = None, **fields: str
):
    with pytest.raises(Refused) as refused:
        carrying_out.carry_out_act(
            kind,
            duel_id=duel.pk if duel else None,
            wizard_id=wizard.pk if wizard else None,
            by=make_referee(),
            reason=REASON,
            now=LATER,
            fields=fields,
        )
    return refused.value.code


def messages_in(duel: Duel, reader: Wizard) -> list[tuple[str, bool]]:
    return [(each.words, each.is_removed) for each in all_messages(duel, reader)]


def test_referee_can_lock_and_unlock_messages_in_a_duel(duel: Duel, cast: Cast):
    by = make_referee()
    perform_act(ActKind.LOCK_SPEECH, by, duel)
    with pytest.raises(Refused, match="locked messages"):
        speaking.send_message(duel_id=duel.pk, wizard=cast.ada, words="But", now=LATER)
    with pytest.raises(Refused, match="locked messages") as refused:
        seal(duel, cast.ada, hands("W", "P", say="But"))
    assert refused.value.field == "say"
    seal(duel, cast.ada, hands("W", "P"))
    assert messages_on_page(pages.duel_page(duel, cast.ada), cast.ada).silence
    assert rejection_code(ActKind.LOCK_SPEECH, duel=duel) == "locked_already"
    perform_act(ActKind.UNLOCK_SPEECH, by, duel)
    speaking.send_message(duel_id=duel.pk, wizard=cast.ada, words="But", now=LATER)
    assert rejection_code(ActKind.UNLOCK_SPEECH, duel=duel) == "not_locked"


def test_wizard_whose_messages_are_locked_cannot_write_anywhere(duel: Duel, cast: Cast):
    by = make_referee()
    carry_out_on(ActKind.LOCK_SPEECH, by, cast.ada)
    with pytest.raises(Refused, match="locked your messages"):
        speaking.send_message(duel_id=duel.pk, wizard=cast.ada, words="But", now=LATER)
    speaking.send_message(duel_id=duel.pk, wizard=cast.bram, words="Ha", now=LATER)
    carry_out_on(ActKind.UNLOCK_SPEECH, by, cast.ada)
    speaking.send_message(duel_id=duel.pk, wizard=cast.ada, words="But", now=LATER)


def test_removed_messages_are_hidden_from_everyone(duel: Duel, cast: Cast):
    play(duel, {cast.ada: hands("W", "P", say="Foul words."), cast.bram: hands("P", "W")})
    speech = speaking.send_message(duel_id=duel.pk, wizard=cast.ada, words="Fouler words.", now=NOW)
    by = make_referee()
    assert rejection_code(ActKind.REMOVE_WORDS, duel=duel, speech="turn 1 w1") == "unknown_speech"
    assert rejection_code(ActKind.REMOVE_WORDS, duel=duel, speech="77") == "unknown_speech"
    act = perform_act(ActKind.REMOVE_WORDS, by, duel, speech=str(speech.pk))
    assert (act.seat, act.facts) == ("w0", {"speech": speech.pk})
    perform_act(ActKind.REMOVE_WORDS, by, duel, speech="turn 1 w0")
    assert (
        rejection_code(ActKind.REMOVE_WORDS, duel=duel, speech=str(speech.pk)) == "removed_already"
    )
    assert rejection_code(ActKind.REMOVE_WORDS, duel=duel, speech="turn 1 w0") == "removed_already"
    assert Speech.objects.get().words == "Fouler words."
    for reader in (cast.ada, cast.bram, cast.cleo):
        assert messages_in(duel, reader) == [("", True), ("", True)]
        page = pages.duel_page(duel, reader)
        past = pages.turn_page(duel, 1, reader)
        assert past is not None
        assert past.report is not None
        lines = [line for report in (*page.reports, past.report) for line in report.lines]
        assert not [line for line in lines if line.code == "spoke"]
    endings.resign(duel_id=duel.pk, wizard=cast.bram, now=LATER)
    duel.refresh_from_db()
    said = duel_record(duel)["speeches"]
    assert [(each["words"], each["removed"]) for each in said] == [("", True)]


def test_message_from_a_referee_is_only_shown_to_its_addressees(duel: Duel, cast: Cast):
    by = make_referee()
    act = perform_act(ActKind.MESSAGE, by, duel, words="Be kind.", seat="w1")
    kept = RefereeMessage.objects.get()
    digest = hashlib.sha256(f"{kept.salt}Be kind.".encode()).hexdigest()
    assert (act.seat, act.facts) == ("w1", {"words_digest": digest})
    assert [row.message for row in visible_acts(duel, cast.bram)] == ["Be kind."]
    for reader in (cast.ada, cast.cleo, None):
        assert visible_acts(duel, reader) == ()
    perform_act(ActKind.MESSAGE, by, duel, words="Both of you.")
    assert [row.message for row in visible_acts(duel, cast.ada)] == ["Both of you."]
    assert visible_acts(duel, cast.cleo) == ()
    assert rejection_code(ActKind.MESSAGE, duel=duel, words="") == "missing"
    assert rejection_code(ActKind.MESSAGE, duel=duel, words="x" * 2001) == "too_long"


def test_reasons_of_acts_are_only_shown_to_players(duel: Duel, cast: Cast):
    by = make_referee()
    perform_act(ActKind.PAUSE, by, duel)
    append_act(ActKind.OPEN_SEALED, by=by, reason=REASON, duel=duel, now=LATER, turn=1)
    append_act(ActKind.NUDGE, by=by, reason=REASON, duel=duel, now=LATER)
    for reader, reason in ((cast.ada, REASON), (cast.cleo, ""), (None, "")):
        (row,) = visible_acts(duel, reader)
        assert (row.sentence, row.reason) == (f"{by.name} paused the duel.", reason)
    endings.resign(duel_id=duel.pk, wizard=cast.bram, now=LATER)
    duel.refresh_from_db()
    told = [(row.sentence, row.reason) for row in visible_acts(duel, None)]
    assert told == [
        (f"{by.name} paused the duel.", REASON),
        (f"{by.name} looked at sealed or hidden orders in turn 1.", REASON),
    ]


def test_renamed_wizard_has_the_new_name_in_all_duels(duel: Duel, cast: Cast):
    other = begin(cast.cleo, cast.dorn)
    before = rows_of(other)
    act = carry_out_on(ActKind.RENAME, make_referee(), cast.ada, name="Ada of the North")
    assert (cast.ada.name, cast.ada.slug) == ("Ada of the North", "ada-of-the-north")
    assert act.duel is None
    assert act.facts == {"from": "Ada", "to": "Ada of the North"}
    assert open_turn(duel).position["wizards"][0]["name"] == "Ada of the North"
    assert rows_of(other) == before
    for name, code in (
        ("Ada of the North", "same_name"),
        ("Bram", "name_taken"),
        ("referee", "name_reserved"),
        ("x", "name_length"),
    ):
        assert rejection_code(ActKind.RENAME, wizard=cast.ada, name=name) == code
    assert profiles.available_name("Ada") == "Ada"


def dispute(duel: Duel, wizard: Wizard, now: datetime) -> Case:
    return open_dispute(
        duel_id=duel.pk, wizard=wizard, ordinal=1, category="other", words="No.", now=now
    )


def test_suspended_wizard_cannot_act_until_the_suspension_ends(duel: Duel, cast: Cast):
    by = make_referee()
    turn, until = open_turn(duel), (LATER + DAY).isoformat()
    act = carry_out_on(ActKind.SUSPEND, by, cast.ada, until=until)
    assert act.facts == {"until": until}
    actions = (
        lambda now: seal(duel, cast.ada, hands("W", "P"), now=now),
        lambda now: speaking.send_message(duel_id=duel.pk, wizard=cast.ada, words="But", now=now),
        lambda now: challenge(cast.ada, now=now),
        lambda now: endings.offer_draw(duel_id=duel.pk, wizard=cast.ada, ordinal=None, now=now),
        lambda now: time_keeping.request_pause(
            duel_id=duel.pk, wizard=cast.ada, is_paused=None, now=now
        ),
        lambda now: vacations.start_vacation(wizard=cast.ada, until=now + 2 * DAY, now=now),
        lambda now: sealing.unseal(turn_id=turn.pk, wizard=cast.ada, now=now),
        lambda now: report_name(about=cast.bram, wizard=cast.ada, words="Rude.", now=now),
        lambda now: dispute(duel, cast.ada, now),  # such a dispute would stop other clocks
        lambda now: sealing.save_draft(
            turn_id=turn.pk, wizard=cast.ada, fields=hands("W", "P"), now=now
        ),
        lambda now: practising.start_practice(wizard=cast.ada, ruleset="bartle-1", now=now),
        lambda now: practising.start_lesson(wizard=cast.ada, lesson="first", now=now),
        lambda now: profiles.change_pronouns(wizard=cast.ada, pronouns="it", now=now),
        lambda now: profiles.block(wizard=cast.ada, other=cast.bram, now=now),
    )
    for do in actions:
        with pytest.raises(Refused) as refused:
            do(LATER)
        assert refused.value.code == "suspended"
        assert REASON in refused.value.text
        assert "until" in refused.value.text
    assert not Orders.objects.exists()
    assert rejection_code(ActKind.SUSPEND, wizard=cast.ada, until=until) == "suspended_already"
    for do in actions[:5]:
        do(LATER + DAY)
    carry_out_on(ActKind.SUSPEND, by, cast.ada)
    with pytest.raises(Refused, match="permanently"):
        challenge(cast.ada, now=LATER + 99 * DAY)
    carry_out_on(ActKind.REINSTATE, by, cast.ada)
    challenge(cast.ada, now=LATER)
    assert rejection_code(ActKind.REINSTATE, wizard=cast.ada) == "not_suspended"
    endings.resign(duel_id=duel.pk, wizard=cast.ada, now=LATER)


@pytest.mark.parametrize(
    ("until", "code"),
    [
        ("tomorrow", "unreadable_moment"),
        ("2026-03-01T12:00", "past_moment"),
        ("9999-12-31T23:59", "far_moment"),  # this time overflows in some time zones
    ],
)
def test_suspension_must_end_at_a_valid_time_in_the_future(cast: Cast, until: str, code: str):
    assert rejection_code(ActKind.SUSPEND, wizard=cast.ada, until=until) == code


def test_acts_on_a_wrong_subject_or_on_yourself_are_rejected(duel: Duel, cast: Cast):
    assert rejection_code(ActKind.RENAME, duel=duel, name="Eve") == "wrong_subject"
    assert rejection_code(ActKind.PAUSE, wizard=cast.ada) == "wrong_subject"
    assert cast.ada.user is not None
    ada = make_referee(cast.ada.user.email)
    with pytest.raises(Refused, match="cannot referee yourself"):
        carrying_out.plan_act(ActKind.REINSTATE, wizard_id=cast.ada.pk, by=ada, now=NOW)
    practice = practising.practice_wizard(now=NOW)
    assert rejection_code(ActKind.SUSPEND, wizard=practice) == "players_only"
    deliver(now=LATER)


def test_emails_about_acts_state_the_act_and_its_reason(duel: Duel, cast: Cast):
    deliver(now=NOW)
    mail.outbox.clear()
    by = make_referee()
    perform_act(ActKind.PAUSE, by, duel)
    perform_act(ActKind.MESSAGE, by, duel, words="Be kind.", seat="w1")
    carry_out_on(ActKind.SUSPEND, by, cast.cleo)
    deliver(now=LATER)
    told = [(mail.to[0].partition("@")[0], mail.subject, mail.body) for mail in mail.outbox]
    subjects = sorted((to, subject) for to, subject, _ in told)
    assert subjects == [
        ("ada", "Your duel with Bram: a referee paused the duel"),
        ("bram", "A referee writes to you about your duel with Ada"),
        ("bram", "Your duel with Ada: a referee paused the duel"),
        ("cleo", "A referee suspended you permanently"),
    ]
    for _, subject, body in told:
        assert REASON in body
        assert ("Be kind." in body) == ("writes" in subject)
