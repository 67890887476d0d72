"""Receipts, which show the orders that are sealed now."""

from email.utils import parseaddr

from duels.commands import endings, sealing
from duels.models import Duel, Orders
from duels.post.public import parse_reply_address
from duels.replies.public import receive_email
from tests.cast import NOW, Cast, begin, hands, open_turn, play, seal
from tests.duels.replies.writing import (
    address_of,
    answers_to,
    last_answer_text,
    orders_in,
    reply,
    written,
)


def test_receipt_of_a_confirmed_surrender_mentions_the_surrender(cast: Cast, duel: Duel):
    reply(duel, cast.ada, "left P\nright P")
    reply(duel, cast.ada, "left P\nright P", number=2)
    answer = last_answer_text(cast.ada)
    assert "Both hands make P: you surrender" in answer
    assert answer.count("casts Shield on yourself") == 1


def test_receipt_shows_the_newest_sealed_orders(cast: Cast, duel: Duel):
    reply(duel, cast.ada, "left W\nright F")
    sooner = Orders.objects.get(turn=open_turn(duel))
    later = seal(duel, cast.ada, hands("D", "S"), form_seal=sooner.commitment)
    answer = last_answer_text(cast.ada)
    assert "but you have changed them since" in answer
    assert "your left hand makes D" in answer.replace("Your", "your")
    assert "makes W" not in answer
    assert later.commitment in answer


def test_receipt_says_if_orders_were_taken_back(cast: Cast, duel: Duel):
    reply(duel, cast.ada, "left W\nright F")
    sealing.unseal(turn_id=open_turn(duel).pk, wizard=cast.ada, now=NOW)
    assert "but you have taken them back. If you do not seal again" in last_answer_text(cast.ada)


def test_answer_to_a_rejected_reply_shows_the_sealed_orders(cast: Cast, duel: Duel):
    reply(duel, cast.ada, "left W\nrihgt F")
    assert "You have not sealed anything for this turn yet." in last_answer_text(cast.ada)
    seal(duel, cast.ada, hands("D", "S"))
    reply(duel, cast.ada, "left W\nrigth F", number=2)
    answer = last_answer_text(cast.ada)
    assert "Anything you had sealed before is unchanged. This is sealed now:" in answer
    assert "left hand makes D" in answer


def test_answer_to_an_unreadable_reply_names_the_deadline(cast: Cast):
    duel = begin(cast.ada, cast.bram, pace="86400")
    reply(duel, cast.ada, "left W\nrihgt F")
    nothing = "You have not sealed anything for this turn yet. Your orders are due on "
    assert nothing in last_answer_text(cast.ada)
    seal(duel, cast.ada, hands("D", "S"))
    reply(duel, cast.ada, "left W\nrigth F", number=2)
    assert "due on" not in last_answer_text(cast.ada)


def test_answer_to_a_reply_for_an_old_turn_names_the_open_turn(cast: Cast, duel: Duel):
    to = address_of(duel, cast.ada)
    play(duel, {cast.ada: hands("W", "F"), cast.bram: hands("W", "F")})
    receive_email(raw=written("left P\nright W", to), now=NOW)
    (answer,) = answers_to(cast.ada)
    body = " ".join(str(answer.body).split())
    assert (
        "This turn has been played. Turn 2 is open now, and it is waiting for your orders" in body
    )
    assert "anything you had sealed" not in body.lower()
    assert parse_reply_address(parseaddr(answer.reply_to[0])[1]) == (
        cast.ada.pk,
        open_turn(duel).pk,
        0,
    )
    assert orders_in(answer) == "left -\nright -"


def test_answer_to_a_reply_after_the_end_says_how_the_duel_ended(cast: Cast, duel: Duel):
    to = address_of(duel, cast.ada)
    endings.resign(duel_id=duel.pk, wizard=cast.bram, now=NOW)
    receive_email(raw=written("left P\nright W", to), now=NOW)
    (answer,) = answers_to(cast.ada)
    body = " ".join(str(answer.body).split())
    assert "The duel is over. You have won. It ended by resignation." in body
    assert answer.reply_to == []
    assert "Nobody reads replies to this email." in body
