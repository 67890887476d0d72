"""Whole duels, one for each order of play, played on pages from the first turn to the record.

`tests/duels/test_random_duels.py` plays many more of them every night.
"""

import random
import re
from html import unescape

import pytest
from django.core import mail
from django.utils import timezone

import engine.orders
import engine.play
from duels.loaded import adjudication
from duels.models import Duel, OutboxStatus, Seat, Stage
from duels.post.models import DroppedFor, Notice
from engine.proof.replay import replay
from engine.proof.verify import verify
from tests.cast import Cast, begin, deliver, open_turn
from tests.duels.visitors import Committed, Visitor
from tests.engine.random_duels import Player, random_orders

RULESETS_BY_ORDER_OF_PLAY = {
    engine.play.RULESETS[ruleset].order_of_play: ruleset
    for ruleset in reversed(tuple(engine.play.RULESETS))
}
MAX_TURNS = 8
FIELD_PATTERN = re.compile(r'<input type="(hidden|radio)" name="([^"]+)"(?: value="([^"]*)")?')


def play_turn(duel: Duel, browsers: dict[str, Visitor], players: dict[str, Player]) -> None:
    """Fill in the forms of all wizards who must act. The last one completes the turn."""
    turn = open_turn(duel)
    for seat in Seat.objects.filter(duel=duel, awaited=True).order_by("place"):
        browser, address = browsers[seat.code], f"/duels/{duel.pk}/"
        if turn.stage == Stage.ANSWERS:
            choose_answers(browser, address, players[seat.code].chance)
        else:
            position = adjudication.position_after_departures(turn)
            orders = random_orders(position, seat.code, players[seat.code])
            browser.seal(address, engine.orders.fields(orders))
    turn.refresh_from_db()
    assert turn.last_error == ""
    assert turn.stage == Stage.RESOLVED or Seat.objects.filter(duel=duel, awaited=True).exists()


def choose_answers(browser: Visitor, address: str, chance: random.Random) -> None:
    """Choose one of the offered answers to each question."""
    html = browser.page(address)
    form = html.partition(f'action="{address}answers"')[2].partition("</form>")[0]
    offered: dict[str, list[str]] = {}
    for _, name, value in FIELD_PATTERN.findall(form):
        offered.setdefault(unescape(name), []).append(unescape(value))
    given = {name: chance.choice(values) for name, values in offered.items()}
    assert browser.post(f"{address}answers", given).status_code == 302


def open_pages(duel: Duel, readers: list[Visitor]) -> None:
    """Open the page of the duel and of its last turn as every permitted reader."""
    last = duel.turns.latest("ordinal").ordinal
    for reader in readers:
        reader.page(f"/duels/{duel.pk}/")
        if last > 1:
            reader.page(f"/duels/{duel.pk}/turns/{last - 1}/")


def signed_in(committed: Committed, user: object) -> Visitor:
    browser = Visitor(committed)
    browser.client.force_login(user)  # type: ignore[arg-type]  # every wizard here has a user
    return browser


@pytest.mark.parametrize("order_of_play", RULESETS_BY_ORDER_OF_PLAY)
def test_whole_duel_can_be_played_on_pages_and_its_record_verifies(
    cast: Cast, committed: Committed, order_of_play: str
) -> None:
    ruleset = RULESETS_BY_ORDER_OF_PLAY[order_of_play]
    chance = random.Random(order_of_play)
    duel = begin(cast.ada, cast.bram, ruleset=ruleset, strict=order_of_play == "stepwise")
    patterns = [one.pattern for one in engine.play.RULESETS[ruleset].completables]
    players = {code: Player(chance, patterns) for code in ("w0", "w1")}
    browsers = {
        code: signed_in(committed, wizard.user)
        for code, wizard in (("w0", cast.ada), ("w1", cast.bram))
    }
    readers = [*browsers.values(), signed_in(committed, cast.cleo.user), Visitor(committed)]
    while not duel.is_over and duel.turns.count() < MAX_TURNS:
        play_turn(duel, browsers, players)
        duel.refresh_from_db()
        if duel.turns.count() % 8 == 0:
            open_pages(duel, readers)
            deliver(now=timezone.now())
    if not duel.is_over:
        answered = browsers["w1"].post(f"/duels/{duel.pk}/resign", {"sure": "yes"})
        assert answered.status_code == 302
        duel.refresh_from_db()
    assert duel.is_over
    open_pages(duel, readers)
    record = readers[-1].get(f"/duels/{duel.pk}/record.json").json()
    assert verify(record) == []
    assert engine.play.dump(replay(record).position) == duel.final_position
    assert readers[-1].get(f"/duels/{duel.pk}/transcript.txt").status_code == 200
    deliver(now=timezone.now())
    unsent = Notice.objects.exclude(status=OutboxStatus.SENT)
    assert {each.dropped_for for each in unsent} <= {DroppedFor.OUTDATED, DroppedFor.READ}
    assert mail.outbox


def test_one_ruleset_is_tested_for_every_order_of_play() -> None:
    assert RULESETS_BY_ORDER_OF_PLAY == {
        "sealed": "bartle-1",
        "stepwise": "spellcast-1",
        "numbered": "warlocks-1",
    }
