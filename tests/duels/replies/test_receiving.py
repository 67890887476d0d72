"""Orders by email reply, which are sealed like those from the page or rejected with a reason."""

import logging
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from duels.caching.poll_cache import mark_wizard_on_site
from duels.commands import resolution
from duels.loaded.adjudication import orders_as_sentences
from duels.models import Duel, Orders, Seat, Stage
from duels.post import public as post
from duels.post.models import Notice
from duels.post.public import make_reply_address
from duels.replies.models import Reply
from duels.replies.public import Outcome, receive_email
from engine.orders import from_fields
from engine.play import load_position
from tests.cast import NOW, Cast, begin, hands, open_turn, play, seal
from tests.duels.replies.writing import (
    address_of,
    answer_to,
    answers_to,
    reply,
    sealed_fields,
    written,
)


def test_reply_seals_orders_and_gets_a_receipt(cast: Cast, duel: Duel):
    assert reply(duel, cast.ada, "left P\nright: W\n\nOn Sat, Bram wrote:\n> left F") == "sealed"
    assert sealed_fields(duel, cast.ada) == {"left": "P", "right": "W"}
    answer = answer_to(cast.ada)
    assert answer.startswith("Orders sealed: turn 1 against Bram")
    position = open_turn(duel).position
    words = orders_as_sentences(load_position(position), "w0", from_fields(hands("P", "W")))
    assert words
    assert all(f" {sentence} " in " ".join(answer.split()) for sentence in words)
    row = Orders.objects.get(turn=open_turn(duel))
    assert row.commitment in answer  # the receipt contains the commitment
    assert "/proof/" in answer
    assert not Seat.objects.get(duel=duel, wizard=cast.ada).awaited


def test_reply_that_seals_orders_marks_news_of_the_turn_as_read(cast: Cast, duel: Duel):
    news = Notice.objects.filter(wizard=cast.ada, is_unread=True)
    reply(duel, cast.ada, "What is this?")
    assert news.exists()
    reply(duel, cast.ada, "left P\nright W", number=2)
    assert not news.exists()
    assert Notice.objects.filter(wizard=cast.bram, is_unread=True).exists()


def test_orders_by_reply_have_the_same_fields_as_orders_from_the_page(cast: Cast, duel: Duel):
    reply(duel, cast.ada, "left P\nright W\nSAY Well met")
    by_mail = sealed_fields(duel, cast.ada)
    seal(duel, cast.bram, hands("P", "W", say="Well met"))
    assert by_mail == sealed_fields(duel, cast.bram)


def test_later_reply_replaces_the_sealed_orders(cast: Cast, duel: Duel):
    reply(duel, cast.ada, "left P\nright W")
    assert reply(duel, cast.ada, "left F\nright S", number=2) == Outcome.SEALED
    assert sealed_fields(duel, cast.ada) == {"left": "F", "right": "S"}
    assert Orders.objects.filter(seat__wizard=cast.ada).count() == 2


def test_both_wizards_can_play_a_turn_by_email(cast: Cast, duel: Duel):
    first = open_turn(duel)
    reply(duel, cast.ada, "left P\nright W")
    reply(duel, cast.bram, "left F\nright S")
    resolution.resolve_turn(turn_id=first.pk, now=NOW)
    first.refresh_from_db()
    assert first.stage == Stage.RESOLVED


def test_unreadable_reply_is_quoted_and_keeps_the_old_seal(cast: Cast, duel: Duel):
    seal(duel, cast.ada, hands("F", "S"))
    assert reply(duel, cast.ada, "left P\nrihgt W") == Outcome.UNREADABLE
    assert sealed_fields(duel, cast.ada) == {"left": "F", "right": "S"}
    answer = answer_to(cast.ada)
    assert answer.startswith("Not sealed: turn 1 against Bram")
    assert "line 2: rihgt W" in answer
    assert "Anything you had sealed before is unchanged." in answer


def test_at_most_ten_unreadable_lines_are_listed(cast: Cast, duel: Duel):
    reply(duel, cast.ada, "\n".join(f"dear {n}" for n in range(30)))
    answer = answer_to(cast.ada)
    assert answer.count("  line ") == 10
    assert "More lines like these, not listed here: 20." in answer


def test_answer_to_illegal_orders_lists_the_errors(cast: Cast, duel: Duel):
    assert reply(duel, cast.ada, "left P\nright W\nleft Fireball") == Outcome.ILLEGAL
    assert not Orders.objects.exists()
    answer = answer_to(cast.ada)
    assert answer.startswith("Not sealed: turn 1 against Bram")
    assert "are against the" in answer
    assert "Fireball" in answer


def test_surrender_by_reply_must_be_confirmed_by_an_identical_reply(cast: Cast, duel: Duel):
    assert reply(duel, cast.ada, "left P\nright P") == Outcome.ASKED
    assert not Orders.objects.exists()
    answer = answer_to(cast.ada)
    assert answer.startswith("Not sealed yet, please confirm: turn")
    assert "Both palms are a surrender" in answer
    assert "send the same orders again" in answer
    assert reply(duel, cast.ada, "R: P\nL: P", number=2) == Outcome.SEALED
    assert sealed_fields(duel, cast.ada) == {"left": "P", "right": "P"}


def test_surrender_that_is_already_sealed_needs_no_confirmation(cast: Cast, duel: Duel):
    seal(duel, cast.ada, hands("P", "P"))
    assert reply(duel, cast.ada, "left P\nright P") == Outcome.SEALED


def test_changed_orders_must_be_confirmed_again(cast: Cast, duel: Duel):
    reply(duel, cast.ada, "left P\nright P")
    assert reply(duel, cast.ada, "left P\nright P\nSAY Enough", number=2) == Outcome.ASKED
    assert reply(duel, cast.ada, "left P\nright W", number=3) == Outcome.SEALED
    assert reply(duel, cast.ada, "left P\nright P", number=4) == Outcome.SEALED


def test_confirmation_is_valid_only_for_the_same_turn(cast: Cast, duel: Duel):
    reply(duel, cast.ada, "left P\nright P")
    play(duel, {cast.ada: hands("W", "F"), cast.bram: hands("W", "F")})
    assert reply(duel, cast.ada, "left P\nright P", number=2) == Outcome.ASKED


def test_empty_reply_is_answered(cast: Cast, duel: Duel):
    assert reply(duel, cast.ada, "On Sat, Spellcaster wrote:\n> left P\n> right W") == "empty"
    assert reply(duel, cast.ada, "# nothing yet", number=2) == Outcome.EMPTY
    assert len(answers_to(cast.ada)) == 2


def test_reply_to_a_played_turn_is_rejected(cast: Cast, duel: Duel):
    to = make_reply_address(cast.ada.pk, open_turn(duel).pk)
    play(duel, {cast.ada: hands("W", "F"), cast.bram: hands("W", "F")})
    assert receive_email(raw=written("left P\nright W", to), now=NOW) == Outcome.REFUSED
    assert "This turn has been played." in answer_to(cast.ada)
    assert not Orders.objects.filter(turn=open_turn(duel)).exists()


def test_email_received_twice_is_read_once(cast: Cast, duel: Duel):
    assert reply(duel, cast.ada, "left P\nright W") == Outcome.SEALED
    assert reply(duel, cast.ada, "left P\nright W") == Outcome.REPEATED
    assert len(answers_to(cast.ada)) == 1


def test_number_of_replies_per_turn_is_limited(
    cast: Cast, duel: Duel, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("duels.replies.commands.MAX_REPLIES", 2)
    outcomes = [reply(duel, cast.ada, "left P\nright W", number=number) for number in range(4)]
    assert outcomes == [Outcome.SEALED] * 2 + [Outcome.TOO_MANY] * 2
    assert Notice.objects.filter(kind="answered").count() == 2


def test_receipt_is_sent_at_once_despite_email_preferences(cast: Cast, duel: Duel):
    post.set_mail_choice(wizard=cast.ada, when="off", hour=8, though_here=False, now=NOW)
    mark_wizard_on_site(cast.ada.pk)
    reply(duel, cast.ada, "left P\nright W")
    assert answer_to(cast.ada).startswith("Orders sealed")
    post.set_mail_choice(wizard=cast.ada, when="daily", hour=8, though_here=False, now=NOW)
    reply(duel, cast.ada, "left F\nright W", number=2)
    assert answer_to(cast.ada).startswith("Orders sealed")


def test_email_received_by_two_routes_is_read_once(cast: Cast, duel: Duel):
    """The headers of the copies differ, for example if a mailing list has passed one on."""
    assert reply(duel, cast.ada, "left P\nright W") == Outcome.SEALED
    assert reply(duel, cast.ada, "left F\nright S", number=2) == Outcome.SEALED
    other = "Received: from relay.example.org\nX-Spam-Score: 1"
    assert reply(duel, cast.ada, "left P\nright W\n", headers=other) == Outcome.REPEATED
    assert sealed_fields(duel, cast.ada) == {"left": "F", "right": "S"}
    assert reply(duel, cast.ada, "left P\nright W", number=3) == Outcome.SEALED


def test_unreadable_text_sent_again_is_not_answered_again(cast: Cast, duel: Duel):
    """Otherwise every copy of an unrecognised automatic reply would be answered."""
    for number, text in enumerate(["I am away.", "I am away.", "left P\nrihgt W", "I am away."]):
        assert reply(duel, cast.ada, text, number=number) == Outcome.UNREADABLE
    assert len(answers_to(cast.ada)) == 2
    assert [reply(duel, cast.ada, "left F", number=number) for number in (5, 6)] == ["sealed"] * 2
    assert len(answers_to(cast.ada)) == 2


@pytest.mark.sqlite
@pytest.mark.django_db(transaction=True)
def test_email_received_twice_at_once_is_read_once(cast: Cast):
    duel = begin(cast.ada, cast.bram)
    for number in range(4):
        raw = written("left P\nright W", address_of(duel, cast.ada), number=number)
        with ThreadPoolExecutor(2) as pool:
            both = pool.map(receive_in_thread, [raw, raw])
            assert sorted(both) == [Outcome.REPEATED, Outcome.SEALED]
    assert Notice.objects.filter(kind="answered").count() == 4
    assert Orders.objects.count() == 1


def receive_in_thread(raw: bytes) -> Outcome:
    try:
        return receive_email(raw=raw, now=NOW)
    finally:
        connection.close()


def test_orders_by_reply_are_encrypted_and_not_logged(
    cast: Cast, duel: Duel, caplog: pytest.LogCaptureFixture
):
    with caplog.at_level(logging.DEBUG):
        reply(duel, cast.ada, "left P\nright P\nSAY abracadabra")
        reply(duel, cast.ada, "left P\nright W\nSAY abracadabra", number=2)
        reply(duel, cast.ada, "abracadabra", number=3)
    rows = [
        *Reply.objects.values_list(),
        *Notice.objects.values_list(),
        *Orders.objects.values_list(),
    ]
    assert "abracadabra" not in str(rows)
    assert "abracadabra" not in caplog.text
