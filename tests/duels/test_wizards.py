"""Wizards as identities of players: their names, blocks between them, and closed accounts."""

import json
from collections.abc import Callable
from typing import Any
from unittest import mock

import pytest
from allauth.account.models import EmailAddress
from django.core import mail

from duels import errors
from duels.commands import challenges, closing, endings, profiles
from duels.models import Block, Duel, DuelStatus, OutboxStatus, Outcome, Seat, Turn, User, Wizard
from duels.post.commands.bouncing import silence_address
from duels.post.models import Notice, SilencedAddress
from duels.queries import pages, stories
from duels.referees.acts.act_types import FieldType
from duels.referees.acts.entered_values import PARSER_OF_FIELD_TYPE
from duels.screens.challenge.forms import ChallengeForm
from engine.proof.replay import replay
from engine.proof.verify import verify
from tests.cast import (
    NOW,
    Cast,
    begin,
    challenge,
    deliver,
    hands,
    make_user,
    make_wizard,
    play,
    seal,
    seat,
)

pytestmark = pytest.mark.sqlite

IDLE = hands("-", "-")


def rejection_code(call: Callable[[], object]) -> str:
    with pytest.raises(errors.Refused) as refused:
        call()
    return refused.value.code


def test_user_can_have_only_one_wizard(db: None):
    user = make_user("ada@example.org")
    arguments: dict[str, Any] = {"user": user, "pronouns": "she", "now": NOW}
    wizard = profiles.create_wizard(**arguments, name="  Ada   Grey ")
    assert (wizard.name, wizard.slug, wizard.pronouns) == ("Ada Grey", "ada-grey", "she")
    assert profiles.create_wizard(**arguments, name="Another") == wizard
    assert Wizard.objects.get(user=user, slug="ada-grey") == wizard


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("Ada", "name_taken"),
        ("ADA", "name_taken"),
        ("A d-a", "name_taken"),
        ("\u0410d\u0430", "name_alphabet"),
        ("\u0410\u0501\u0430", "name_taken"),  # all Cyrillic
        ("Goblin", "name_reserved"),
        ("A", "name_length"),
        ("A_B", "name_letters"),
    ],
)
def test_taken_or_invalid_names_of_wizards_are_rejected(ada: Wizard, name: str, why: str):
    user = make_user("other@example.org")
    arguments: dict[str, Any] = {"user": user, "name": name, "pronouns": "it", "now": NOW}
    with pytest.raises(errors.Refused) as refused:
        profiles.create_wizard(**arguments)
    assert (refused.value.code, refused.value.field) == (why, "name")
    assert not Wizard.objects.filter(user=user).exists()


def test_pronouns_can_be_chosen_and_changed(ada: Wizard):
    assert profiles.change_pronouns(wizard=ada, pronouns="it").pronouns == "it"
    ada.refresh_from_db()
    assert ada.pronouns == "it"
    assert (
        rejection_code(lambda: profiles.change_pronouns(wizard=ada, pronouns="we"))
        == "unknown_pronouns"
    )
    user = make_user("other@example.org")
    arguments: dict[str, Any] = {"user": user, "name": "Eve", "pronouns": "we", "now": NOW}
    assert rejection_code(lambda: profiles.create_wizard(**arguments)) == "unknown_pronouns"


def test_blocking_and_unblocking_twice_has_no_further_effect(ada: Wizard, bram: Wizard):
    for _ in range(2):
        profiles.block(wizard=ada, other=bram, now=NOW)
        assert Block.objects.count() == 1
    for _ in range(2):
        profiles.unblock(wizard=ada, other=bram)
        assert Block.objects.count() == 0
    assert rejection_code(lambda: profiles.block(wizard=ada, other=ada, now=NOW)) == "own_block"


@pytest.mark.parametrize("challenger_blocks", [True, False])
def test_blocking_a_wizard_ends_a_challenge_between_the_two(cast: Cast, challenger_blocks: bool):
    duel = challenge(cast.ada, cast.bram)
    pair = (cast.ada, cast.bram) if challenger_blocks else (cast.bram, cast.ada)
    profiles.block(wizard=pair[0], other=pair[1], now=NOW)
    duel.refresh_from_db()
    assert duel.status == DuelStatus.LAPSED


@pytest.mark.parametrize("by", ["challenger", "guest", "third"])
def test_blocking_a_wizard_removes_one_of_the_two_from_a_shared_challenge(cast: Cast, by: str):
    """The wizard who blocks leaves the challenge, unless it is their own. Then the other leaves."""
    blocks = {"challenger": cast.ada, "guest": cast.bram, "third": cast.bram}[by]
    blocked = {"challenger": cast.bram, "guest": cast.ada, "third": cast.cleo}[by]
    duel = challenge(cast.ada, size=4)
    elsewhere = challenge(cast.dorn, size=3)
    challenges.accept(duel_id=elsewhere.pk, wizard=blocked, now=NOW)
    for wizard in (cast.bram, cast.cleo):
        challenges.accept(duel_id=duel.pk, wizard=wizard, now=NOW)
    for _ in range(2):
        profiles.block(wizard=blocks, other=blocked, now=NOW)
        left = [seat.wizard for seat in duel.seats.select_related("wizard").order_by("pk")]
        assert left == [cast.ada, cast.cleo]
    duel.refresh_from_db()
    assert duel.status == DuelStatus.GATHERING
    assert elsewhere.seats.count() == 2
    assert (
        rejection_code(lambda: challenges.accept(duel_id=duel.pk, wizard=cast.bram, now=NOW))
        == "blocked"
    )


def test_wizard_who_blocks_a_player_of_a_challenge_gives_up_an_unaccepted_seat(cast: Cast):
    duel = challenge(cast.ada, cast.bram, size=3)
    challenges.accept(duel_id=duel.pk, wizard=cast.cleo, now=NOW)
    profiles.block(wizard=cast.bram, other=cast.cleo, now=NOW)
    assert not duel.seats.filter(wizard=cast.bram).exists()


def test_blocking_a_wizard_does_not_affect_running_duels(cast: Cast):
    duel = begin(cast.ada, cast.bram)
    profiles.block(wizard=cast.bram, other=cast.ada, now=NOW)
    duel.refresh_from_db()
    assert duel.status == DuelStatus.RUNNING
    seal(duel, cast.bram, IDLE)


def shows_message(duel: Duel, viewer: Wizard) -> bool:
    reports = pages.duel_page(duel, viewer).reports
    return any("abracadabra" in line.text for report in reports for line in report.lines)


def test_messages_of_a_blocked_wizard_are_not_shown(cast: Cast):
    duel = begin(cast.ada, cast.bram)
    play(duel, {cast.ada: hands("W", "F", say="abracadabra"), cast.bram: IDLE})
    profiles.block(wizard=cast.bram, other=cast.ada, now=NOW)
    assert not shows_message(duel, cast.bram)
    assert shows_message(duel, cast.ada)
    assert shows_message(duel, cast.cleo)
    page = pages.turn_page(duel, 1, cast.bram)
    assert page
    assert page.report
    assert not any("abracadabra" in line.text for line in page.report.lines)


# Closing an account


def close(wizard: Wizard) -> None:
    user = wizard.user
    assert user
    closing.close_account(user=user, now=NOW)
    wizard.refresh_from_db()


def test_closing_an_account_deletes_the_user_and_the_name_of_the_wizard(ada: Wizard):
    user = ada.user
    assert user
    for _ in range(2):
        closing.close_account(user=user, now=NOW)
    ada.refresh_from_db()
    assert (ada.name, ada.user, ada.closed_at) == (f"Departed {ada.pk}", None, NOW)
    assert ada.pronouns == "they"
    assert not User.objects.filter(email__startswith="ada").exists()
    assert not EmailAddress.objects.filter(email__startswith="ada").exists()
    assert make_wizard("Ada")


def test_an_account_without_a_wizard_can_be_closed(db: None):
    closing.close_account(user=make_user("x@example.org"), now=NOW)
    assert not User.objects.exists()


def test_closing_an_account_ends_its_challenges(cast: Cast):
    own = challenge(cast.ada)
    asked = challenge(cast.bram, cast.ada)
    joined = challenge(cast.cleo, size=3)
    challenges.accept(duel_id=joined.pk, wizard=cast.ada, now=NOW)
    close(cast.ada)
    for duel in (own, asked, joined):
        duel.refresh_from_db()
    assert (own.status, own.ended) == (DuelStatus.LAPSED, "withdrawn")
    assert (asked.status, asked.ended) == (DuelStatus.LAPSED, "declined")
    assert joined.status == DuelStatus.GATHERING
    assert joined.seats.count() == 1


def test_closing_an_account_resigns_running_duels(cast: Cast):
    two = begin(cast.ada, cast.bram)
    three = begin(cast.ada, cast.bram, cast.cleo)
    close(cast.ada)
    two.refresh_from_db()
    three.refresh_from_db()
    assert (two.ended, two.result) == ("resigned", "w1")
    assert three.status == DuelStatus.RUNNING
    assert seat(three, cast.ada).outcome == Outcome.RESIGNED
    seal(three, cast.bram, IDLE)


def test_duels_of_a_closed_account_are_kept_under_the_neutral_name(cast: Cast):
    duel = begin(cast.ada, cast.bram)
    # Bram confuses Ada, so dice are drawn for her hands.
    for left in "DSFW":
        play(duel, {cast.ada: hands("W", "D"), cast.bram: hands(left, "-")})
    endings.resign(duel_id=duel.pk, wizard=cast.bram, now=NOW)
    duel.refresh_from_db()
    before = stories.record_of_finished_duel(duel)
    assert before["dice"]["kind"] == "hmac"
    close(cast.ada)
    stored = json.dumps(
        [
            *Turn.objects.values_list("position", "events"),
            *Duel.objects.values_list("final_position"),
        ]
    )
    assert '"Ada"' not in stored
    assert " Ada " not in stored
    assert f"Departed {cast.ada.pk}" in stored
    duel.refresh_from_db()
    record = stories.record_of_finished_duel(duel)
    assert record["dice"] == before["dice"]
    assert [turn["chain"] for turn in record["turns"]] == [t["chain"] for t in before["turns"]]
    assert verify(record) == []
    assert "Ada" not in json.dumps(record)
    assert [turn["damage"] for turn in record["turns"]] == [
        turn["damage"] for turn in before["turns"]
    ]
    assert replay(record).position.outcome == "w0"
    assert "Ada" not in stories.transcript(duel)


def test_open_questions_about_a_closed_account_get_the_neutral_name(cast: Cast):
    """Cleo is asked about Ada, who has already left the duel and therefore does not resign."""
    duel = begin(cast.ada, cast.bram, cast.cleo)
    others = {cast.ada: hands("W", "-"), cast.bram: IDLE}
    for _ in range(2):
        play(duel, {**others, cast.cleo: hands("F", "-")})
    turn = play(duel, {**others, cast.cleo: hands("F", "-", left_subject="w0")})
    assert [question["text"] for question in turn.questions] == [
        "Which of Ada’s hands do you paralyse?"
    ]
    Seat.objects.filter(duel=duel, wizard=cast.ada).update(
        outcome=Outcome.LOST, awaited=False, awaited_since=None
    )
    before = turn.questions
    close(cast.ada)
    turn.refresh_from_db()
    new = f"Departed {cast.ada.pk}"
    assert turn.questions == [
        question | {"text": question["text"].replace("Ada", new)} for question in before
    ]


def test_closed_account_does_not_get_emails(cast: Cast):
    begin(cast.ada, cast.bram)
    close(cast.ada)
    mail.outbox.clear()
    deliver(now=NOW)
    assert {address for message in mail.outbox for address in message.to} == {"bram@example.org"}
    mine = Notice.objects.filter(wizard=cast.ada)
    assert set(mine.values_list("status", flat=True)) == {OutboxStatus.DROPPED}


def test_closing_an_account_deletes_its_addresses_that_were_turned_off(cast: Cast):
    EmailAddress.objects.create(user=cast.ada.user, email="old@example.net", verified=True)
    for address in ("Ada@Example.org", "old@example.net", "bram@example.org"):
        silence_address(address=address, answer="550 5.1.1", now=NOW)
    close(cast.ada)
    assert [each.address for each in SilencedAddress.objects.all()] == ["bram@example.org"]


def test_no_turn_waits_for_a_closed_account(cast: Cast):
    begin(cast.ada, cast.bram, cast.cleo)
    close(cast.ada)
    assert not Seat.objects.filter(wizard=cast.ada, awaited=True).exists()


@pytest.mark.sqlite
@pytest.mark.django_db
@pytest.mark.parametrize(
    ("name", "typed"),
    [
        ("Ünal", "ünAL"),
        ("ЁЛКА", "ёлка"),
        ("O'Neil", "o’neil"),
        ("Straße", "STRAßE"),
        ("Ünal", "\u200bÜNAL "),
        ("Σίσυφος", "ΣΊΣΥΦΟΣ"),
        ("İpek", "i̇pek"),
    ],
)
def test_wizards_are_found_by_name_regardless_of_case(name: str, typed: str):
    """Databases differ in how they convert some letters to lower or upper case."""
    wizard = make_wizard(name)
    form = ChallengeForm({"to": ChallengeForm.NAMED, "opponent": typed})
    form.is_valid()
    assert form.cleaned_data["opponent"] == wizard
    assert PARSER_OF_FIELD_TYPE[FieldType.WIZARD](typed.strip("\u200b "), mock.Mock()) == wizard
