"""Random duels, played to the end with commands, pages and emails, and checks of their records.

These tests run every night. `tests/duels/test_whole_duels.py` plays one duel of each kind on every
commit.
"""

import json
import random

import pytest
from django.core import mail

import engine.orders
import engine.play
from duels.commands import endings, resolution, sealing
from duels.loaded import adjudication
from duels.models import Duel, OutboxStatus, Seat, Stage, Turn
from duels.post.models import DroppedFor, Notice
from duels.queries import pages, stories
from engine.proof.replay import replay
from engine.proof.verify import verify
from tests.cast import NOW, Cast, begin, deliver
from tests.engine.random_duels import Player, random_orders

pytestmark = pytest.mark.nightly

MAX_TURNS = 30


def play_on(duel: Duel, chance: random.Random, players: dict[str, Player]) -> None:
    """Seal or answer for everyone who must act, then resolve the turn as far as possible."""
    turn = Turn.objects.get(duel=duel, closed_at=None)
    position = adjudication.position_after_departures(turn)
    acting = engine.play.acting_wizards(position)
    for seat in Seat.objects.filter(duel=duel).select_related("wizard"):
        if turn.stage == Stage.ANSWERS:
            mine = [q for q in turn.questions if q["wizard"] == seat.code]
            answers = {q["id"]: chance.choice(q["options"]) for q in mine}
            if mine:
                sealing.answer_questions(
                    turn_id=turn.pk,
                    wizard=seat.wizard,
                    answers=answers,
                    batch=turn.batch,
                    form_seal="",
                    now=NOW,
                )
        elif seat.code in acting:
            orders = random_orders(position, seat.code, players[seat.code])
            sealing.seal_orders(
                turn_id=turn.pk,
                wizard=seat.wizard,
                fields=engine.orders.fields(orders),
                form_seal="",
                now=NOW,
            )
    assert resolution.resolve_turn(turn_id=turn.pk, now=NOW) or is_asking(turn)


def is_asking(turn: Turn) -> bool:
    turn.refresh_from_db()
    return turn.stage == Stage.ANSWERS


def check_pages(duel: Duel, cast: Cast) -> None:
    """Check that every viewer can open all pages."""
    last = Turn.objects.filter(duel=duel).latest("ordinal").ordinal
    for viewer in (cast.ada, cast.bram, cast.cleo, cast.dorn, None):
        assert pages.duel_page(duel, viewer).view
        pages.turn_page(duel, max(1, last - 1), viewer)


@pytest.mark.parametrize(
    ("ruleset", "wizards", "seed", "strict"),
    [
        *[("bartle-1", wizards, seed, False) for wizards in (2, 3, 4) for seed in range(3)],
        *[("wizards-1", wizards, 0, False) for wizards in (2, 3)],
        *[("archmage-1", wizards, 0, False) for wizards in (2, 3)],
        *[("spellcast-1", wizards, 0, False) for wizards in (2, 3)],
        *[("spellcast-1", wizards, 0, True) for wizards in (2, 4)],
        *[("warlocks-1", wizards, 0, False) for wizards in (2, 3, 4)],
    ],
)
def test_random_duel_can_be_played_on_the_site_and_its_record_verifies(
    cast: Cast, ruleset: str, seed: int, wizards: int, *, strict: bool
):
    chance = random.Random(seed * 10 + wizards)
    people = [cast.ada, cast.bram, cast.cleo, cast.dorn][:wizards]
    duel = begin(*people, ruleset=ruleset, strict=strict)
    patterns = [one.pattern for one in engine.play.RULESETS[ruleset].completables]
    players = {f"w{place}": Player(chance, patterns) for place in range(wizards)}
    for number in range(MAX_TURNS):
        if duel.is_over:
            break
        play_on(duel, chance, players)
        duel.refresh_from_db()
        if number % 5 == 0:
            check_pages(duel, cast)
            deliver(now=NOW)
        if number == 20 and wizards == 4 and not duel.is_over:
            duel = resign_one(duel)
    while not duel.is_over:
        duel = resign_one(duel)
    check_pages(duel, cast)
    record = json.loads(json.dumps(stories.record_of_finished_duel(duel)))
    assert verify(record) == []
    assert engine.play.dump(replay(record).position) == duel.final_position
    assert stories.transcript(duel)
    deliver(now=NOW)
    unsent = Notice.objects.exclude(status=OutboxStatus.SENT)
    assert {each.dropped_for for each in unsent} <= {DroppedFor.OUTDATED, DroppedFor.READ}
    assert mail.outbox


def resign_one(duel: Duel) -> Duel:
    seat = Seat.objects.filter(duel=duel, outcome="").select_related("wizard").first()
    assert seat
    return endings.resign(duel_id=duel.pk, wizard=seat.wizard, now=NOW)
