"""Answers to questions, given by email reply."""

from email.utils import parseaddr

import pytest

from duels.models import Duel, Orders, Seat, Stage, Turn, Wizard
from duels.post import public as post
from duels.post.kinds.reminder import Reminder
from duels.post.public import make_reply_address, parse_reply_address
from duels.post.signed_addresses import make_signed_address
from duels.replies.public import ReplyOutcome, receive_email
from duels.sealing.seals import decrypt_seal
from tests.cast import LATER, NOW, Cast, begin, hands, open_turn, play
from tests.duels.replies.writing import answer_to, delivered_emails, page_html, reply, written


@pytest.fixture
def question_duel(cast: Cast) -> Duel:
    """A duel in which Ada is asked which of Bram's hands to paralyse."""
    duel = begin(cast.ada, cast.bram, strict=True)
    for _ in range(3):
        play(duel, {cast.ada: hands("F", "-"), cast.bram: hands("W", "S")})
    assert open_turn(duel).stage == Stage.ANSWERS
    return duel


@pytest.mark.parametrize(
    "line", ["1: right", "right", "R", "answer 1 right hand", "ANSWER paralysis RH", "1. r"]
)
def test_reply_can_answer_a_question(cast: Cast, question_duel: Duel, line: str):
    (question,) = open_turn(question_duel).questions
    assert reply(question_duel, cast.ada, line) == ReplyOutcome.SEALED
    answer = answer_to(cast.ada)
    assert answer.startswith("Answer sealed: turn 3 against Bram")
    assert question["text"] in answer
    assert sealed_answer(question_duel, cast) == {question["id"]: "R"}


def sealed_answer(duel: Duel, cast: Cast) -> dict[str, str]:
    row = Orders.objects.get(seat__wizard=cast.ada, stage=Stage.ANSWERS, superseded=False)
    return decrypt_seal(row.body).orders


def test_reply_to_only_one_of_two_questions_keeps_the_sealed_answers(cast: Cast):
    duel = begin(cast.ada, cast.bram, cast.cleo, strict=True)
    for subjects in ({}, {}, {"left_subject": "w1", "right_subject": "w2"}):
        others = {each: hands("W", "S") for each in (cast.bram, cast.cleo)}
        play(duel, {cast.ada: hands("F", "F", **subjects), **others})
    first, second = (each["id"] for each in open_turn(duel).questions)
    assert reply(duel, cast.ada, "Hello,\n1: right.\n- 2: right\n\nAda") == ReplyOutcome.SEALED
    assert reply(duel, cast.ada, "1: left", number=2) == ReplyOutcome.ILLEGAL
    assert sealed_answer(duel, cast) == {first: "R", second: "R"}


def test_reply_with_an_invalid_answer_is_rejected_with_a_reason(cast: Cast, question_duel: Duel):
    assert reply(question_duel, cast.ada, "2: right") == ReplyOutcome.UNREADABLE
    assert "the number of a question (1 to 1)" in answer_to(cast.ada)
    assert reply(question_duel, cast.ada, "1: ice", number=2) == ReplyOutcome.UNREADABLE
    assert "line 1: 1: ice" in answer_to(cast.ada)
    assert reply(question_duel, cast.ada, "1: left\n1: right", number=3) == ReplyOutcome.UNREADABLE
    assert not Orders.objects.filter(stage=Stage.ANSWERS).exists()


def test_orders_by_reply_are_rejected_after_the_reveal(cast: Cast, question_duel: Duel):
    """Only Ada has a question to answer."""
    assert reply(question_duel, cast.bram, "left P\nright W") == ReplyOutcome.REFUSED
    assert "The gestures of this turn have already been revealed." in answer_to(cast.bram)


def address_of_first_release(wizard: Wizard, turn: Turn) -> str:
    """Return a reply address as in emails of release 0.1.0, which does not name a round."""
    domain = make_reply_address(wizard.pk, turn.pk).partition("@")[2]
    return make_signed_address("reply", f"{wizard.pk}-{turn.pk}", domain)


def test_reply_answers_only_questions_of_the_round_in_its_address(cast: Cast, question_duel: Duel):
    """Addresses in emails about orders, and in all emails of release 0.1.0, do not name a round."""
    turn = open_turn(question_duel)
    old = address_of_first_release(cast.ada, turn)
    for number, to in enumerate((make_reply_address(cast.ada.pk, turn.pk, 0), old)):
        raw = written("1: right" + "." * number, to, number=number)
        assert receive_email(raw=raw, now=NOW) == ReplyOutcome.REFUSED
        assert "To answer its questions, reply to" in " ".join(answer_to(cast.ada).split())
    Turn.objects.filter(pk=turn.pk).update(batch=2)
    late = written("1: right", make_reply_address(cast.ada.pk, turn.pk, 1), number=2)
    assert receive_email(raw=late, now=NOW) == ReplyOutcome.REFUSED
    assert "questions, but round 2 is open now" in " ".join(answer_to(cast.ada).split())
    assert not Orders.objects.filter(turn=turn, stage=Stage.ANSWERS).exists()
    new = written("1: right", make_reply_address(cast.ada.pk, turn.pk, 2), number=3)
    assert receive_email(raw=new, now=NOW) == ReplyOutcome.SEALED


def test_orders_to_a_reply_address_of_release_0_1_0_are_sealed(cast: Cast, duel: Duel):
    old = address_of_first_release(cast.ada, open_turn(duel))
    assert receive_email(raw=written("left P\nright W", old), now=NOW) == ReplyOutcome.SEALED


def test_email_about_questions_shows_how_to_answer(cast: Cast, question_duel: Duel):
    (message,) = [
        each for each in delivered_emails(cast.ada) if "A question for you" in each.subject
    ]
    (question,) = open_turn(question_duel).questions
    default = question["words"][question["options"].index(question["default"])]
    body = str(message.body)
    assert body.startswith("All orders for turn 3 of your duel with Bram are sealed")
    assert f"1. {question['text']}\n   Possible answers: the left hand or the right hand." in body
    assert f"\n\n1: {default}\n\nTo answer, reply to this email" in body
    assert f"<li>{question['text']}<br>" in page_html(message)
    holder = parse_reply_address(parseaddr(message.reply_to[0])[1])
    assert holder == (cast.ada.pk, open_turn(question_duel).pk, 1)
    assert reply(question_duel, cast.ada, f"1: {default}") == ReplyOutcome.SEALED


def test_reminders_and_rejected_answers_show_the_open_question(cast: Cast, question_duel: Duel):
    (question,) = open_turn(question_duel).questions
    line = f"1. {question['text']}\n   Possible answers: the left hand or the right hand."
    post.queue_notices(
        [post.new_notice(Reminder, cast.ada, question_duel, LATER, turn=open_turn(question_duel))]
    )
    due = {"due_at": LATER, "remind_at": LATER}
    Seat.objects.filter(duel=question_duel, wizard=cast.ada).update(**due)
    reminder = next(
        each for each in delivered_emails(cast.ada) if "question in turn 3" in str(each.body)
    )
    assert line in str(reminder.body)
    reply(question_duel, cast.ada, "1: ice")
    assert line in answer_to(cast.ada)
