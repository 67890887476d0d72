"""Emails about a turn, which can be answered with orders."""

import re
from email.utils import parseaddr

import pytest
from pytest_django import Settings

import engine.play
import engine.words
from duels.loaded import adjudication
from duels.models import Duel, Orders, Turn
from duels.post.public import parse_reply_address
from duels.replies.public import Outcome
from tests import daily
from tests.cast import Cast, begin, hands, open_turn, play
from tests.duels.replies.writing import mails, orders_in, page_html, reply, sealed_fields
from tests.states import STATES, People


def test_turn_email_begins_with_orders_and_has_a_reply_address(cast: Cast, duel: Duel):
    play(duel, {cast.ada: hands("W", "F"), cast.bram: hands("W", "F")})
    message = mails(cast.ada)[-1]
    assert message.subject == "Your turn against Bram (turn 2)"
    body = str(message.body)
    assert body.startswith("Turn 2 of your duel with Bram is waiting for your orders.")
    assert "\n\nleft -\nright -\n\nTo give orders, reply to this email" in body
    (address,) = message.reply_to
    assert parse_reply_address(parseaddr(address)[1]) == (cast.ada.pk, open_turn(duel).pk, 0)
    assert "Nobody reads replies" not in body


def test_preview_of_a_turn_email_on_a_phone_says_what_happened(cast: Cast, duel: Duel):
    """The preview is the beginning of the HTML: sentences, but no orders or addresses."""
    play(duel, {cast.ada: hands("W", "F"), cast.bram: hands("W", "F")})
    for message in mails(cast.ada):
        preview, first = re.findall(
            r"<body.*?<div[^>]*>([^<]+)</div>\s*<div.*?<p>(.*?)</p>", page_html(message), re.DOTALL
        )[0]
        assert preview == " ".join(re.sub("<[^>]+>", "", first).split())
        assert preview.startswith(("Your duel with Bram begins.", "Turn 2 of your duel with Bram"))
        assert "left -" not in preview
        assert "://" not in preview


def test_emails_do_not_mention_replies_if_they_are_off(cast: Cast, duel: Duel, settings: Settings):
    settings.REPLY_DOMAIN = ""
    (message,) = mails(cast.ada)
    assert message.reply_to == []
    assert "reply to this email" not in str(message.body)
    assert "left -" not in str(message.body)
    assert parse_reply_address("reply+1-1-aaaaaaaaaaaaaaaaaaaaaaaaaa@") is None


def test_orders_shown_in_a_turn_email_can_be_sent_back(cast: Cast, duel: Duel):
    (message,) = mails(cast.ada)
    lines = orders_in(message)
    assert reply(duel, cast.ada, lines) == Outcome.ASKED
    assert not Orders.objects.exists()
    assert reply(duel, cast.ada, lines, number=2) == Outcome.SEALED
    assert sealed_fields(duel, cast.ada) == {"left": "-", "right": "-"}


@pytest.mark.parametrize("ruleset", sorted(engine.play.RULESETS))
def test_orders_in_a_turn_email_include_monsters(cast: Cast, ruleset: str):
    """The email shows the monsters’ default victims as orders, which can be sent back."""
    beasts = [{"kind": kind, "controller": "w0"} for kind in ("goblin", "ogre")]
    duel = begin(cast.ada, cast.bram, ruleset=ruleset)
    duellists = [engine.play.Duellist(name) for name in ("Ada", "Bram")]
    position = engine.play.begin(
        ruleset,
        duellists,
        setup={"monsters": beasts},
    )
    turn = open_turn(duel)
    turn.position = engine.play.dump(position)
    turn.save()
    message = next(each for each in mails(cast.ada) if "TARGET" in str(each.body))
    lines = orders_in(message)
    assert "TARGET Red Goblin Bram\n" in lines
    assert "TARGET Green Ogre Bram" in lines
    assert "To send a monster against someone else" in " ".join(str(message.body).split())
    reply(duel, cast.ada, f"{lines}\nSAY Charge")
    reply(duel, cast.ada, f"{lines}\nSAY Charge", number=2)
    fields = sealed_fields(duel, cast.ada)
    assert {fields.pop("victim:m0"), fields.pop("victim:m1")} == {"w1"}
    assert fields == {"left": "-", "right": "-", "say": "Charge"}


@pytest.mark.parametrize("name", daily.sample(sorted(STATES), 3, "orders in emails"))
def test_default_orders_stay_legal_when_written_as_text(name: str, db: None):
    state = STATES[name](People())
    turn = Turn.objects.filter(duel=state.duel).latest("ordinal")
    position = adjudication.position_after_departures(turn)
    for wizard in engine.play.acting_wizards(position):
        default = adjudication.default_orders_as_text(position, wizard)
        orders = engine.words.parse_orders("\n".join(default.lines), position, wizard)
        assert engine.play.check(position, wizard, orders) == ()
        named = {row.key for row in engine.play.sheet(position, wizard, orders).monsters}
        assert len(named) == len(orders.victims) + len(default.undirected)
