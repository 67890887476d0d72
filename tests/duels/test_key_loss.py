"""Lost encryption keys, which block only the affected turns and raise an alarm."""

import re
from typing import Any

import pytest
from cryptography.fernet import Fernet
from django.core import mail
from django.core.checks import run_checks
from django.test import Client

from duels.clocks.budget import Budget
from duels.commands import alarms, deadlines, endings, sealing, sweeping
from duels.models import Alarm, Draft, Duel, Orders, Stage
from duels.sealing import seals
from tests.cast import LATER, NOW, Cast, begin, hands, open_turn, play, seal, seat, signed_in
from tests.duels.duel_page import duel_html, post_orders

pytestmark = pytest.mark.django_db
IDLE = hands("-", "-")


@pytest.fixture
def duel(cast: Cast) -> Duel:
    return begin(cast.ada, cast.bram)


@pytest.fixture
def lose_keys(settings: Any) -> Any:
    """A function that replaces all keys with a new one, and returns a function that undoes this."""

    def lose() -> Any:
        before = settings.SEAL_KEYS
        settings.SEAL_KEYS = [Fernet.generate_key().decode()]
        seeds = {duel.pk: duel.seed for duel in Duel.objects.all()}
        for duel_id in seeds:  # keep the seeds readable
            Duel.objects.filter(pk=duel_id).update(seed=seals.encrypt("00" * 32))

        def find() -> None:
            settings.SEAL_KEYS = before
            for duel_id, seed in seeds.items():
                Duel.objects.filter(pk=duel_id).update(seed=seed)

        return find

    return lose


def test_orders_with_a_lost_key_block_the_turn_until_new_ones_are_sealed(
    cast: Cast, duel: Duel, lose_keys: Any, settings: Any, caplog: Any
):
    """Only Ada's page gives the reason. Bram and visitors see only that the turn is blocked.

    Other duels continue, the operator is notified once, and Ada's new seal replaces the unreadable
    one.
    """
    other, settings.ADMINS = begin(cast.ada, cast.cleo), [("Operator", "operator@example.org")]
    lost = seal(duel, cast.ada, hands("W", "P", say="sesame"))
    lose_keys()
    seal(duel, cast.bram, IDLE)
    for _ in range(2):
        assert sweeping.sweep(now=LATER).failed == 1
    turn = open_turn(duel)
    assert turn.failed_at == LATER
    assert not seat(duel, cast.ada).awaited  # Ada's clock is stopped
    alarm = Alarm.objects.get()
    assert alarm.about == f"turn {turn.pk}"
    assert "sesame" not in caplog.text + alarm.words
    for _ in range(2):
        alarms.email_alarms(now=LATER)
    assert [message.to for message in mail.outbox] == [["operator@example.org"]]
    assert f"turn {turn.pk}" in mail.outbox[0].subject

    (found,) = run_checks(tags=["database"], databases=["default"])
    assert (found.id, alarm.about in found.msg) == ("duels.W050", True)

    ada, bram = signed_in(cast.ada), signed_in(cast.bram)
    mine, theirs = duel_html(ada, duel), duel_html(bram, duel)
    assert "data-receipt-lost" in mine
    assert "data-stopped" in mine
    assert "data-receipt-lost" not in theirs
    assert "data-stopped" in theirs
    assert "data-stopped" in duel_html(Client(), duel)
    assert [ada.get(path).status_code for path in ("/", "/duels/")] == [200, 200]
    assert "data-stopped" not in duel_html(ada, other)
    play(other, {cast.ada: IDLE, cast.cleo: IDLE})
    assert open_turn(other).ordinal == 2

    # a form with the wrong commitment is stale; Ada's own form seals without a confirmation
    typed = re.search(r'name="form_seal" value="([0-9a-f]*)"', mine)
    assert typed is not None
    stale = post_orders(ada, duel, hands("W", "D"), form_seal="0" * 64)
    assert stale.status_code == 409
    assert post_orders(ada, duel, hands("W", "F"), do="draft").status_code == 302
    assert post_orders(ada, duel, hands("W", "D"), form_seal=typed[1]).status_code == 302
    lost.refresh_from_db()
    assert lost.superseded
    assert sweeping.sweep(now=LATER).resolved == 1
    turn.refresh_from_db()
    alarm.refresh_from_db()
    assert (turn.stage, alarm.ended_at) == (Stage.RESOLVED, LATER)
    assert turn.failed_at is None
    assert run_checks(tags=["database"], databases=["default"]) == []


def test_orders_are_valid_again_when_their_key_is_restored(cast: Cast, duel: Duel, lose_keys: Any):
    seal(duel, cast.ada, hands("W", "P"))
    find_keys = lose_keys()
    bodies = set(Orders.objects.values_list("body", flat=True))
    assert "data-receipt-lost" in duel_html(signed_in(cast.ada), duel)
    find_keys()
    assert set(Orders.objects.values_list("body", flat=True)) == bodies
    seal(duel, cast.bram, IDLE)
    assert sweeping.sweep(now=NOW).resolved == 1


def test_page_shows_an_empty_sheet_and_a_note_if_the_key_of_a_draft_is_lost(
    cast: Cast, duel: Duel, lose_keys: Any
):
    ada = signed_in(cast.ada)
    assert post_orders(ada, duel, hands("W", "P", say="sesame"), do="draft").status_code == 302
    lose_keys()
    html = duel_html(ada, duel)
    assert "data-draft-lost" in html
    assert "data-draft-note" not in html
    assert "The sheet starts empty." in " ".join(html.split())
    assert "sesame" not in html
    assert post_orders(ada, duel, hands("W", "D"), do="draft").status_code == 302
    assert Draft.objects.count() == 1
    html = duel_html(ada, duel)
    assert "data-draft-lost" not in html
    assert "data-draft-note" in html


def test_page_shows_the_sealed_orders_if_only_the_key_of_a_newer_draft_is_lost(
    cast: Cast, duel: Duel
):
    seal(duel, cast.ada, hands("W", "P"))
    sealing.save_draft(turn_id=open_turn(duel).pk, wizard=cast.ada, fields=hands("S", "D"), now=NOW)
    Draft.objects.update(body=Fernet(Fernet.generate_key()).encrypt(b"{}").decode())
    html = " ".join(duel_html(signed_in(cast.ada), duel).split())
    assert "The sheet shows the orders that you sealed earlier." in html
    assert re.search(r'name="left" value="W"[^>]* checked', html)


def test_loss_of_the_key_to_a_seed_stops_only_that_duel(cast: Cast, duel: Duel):
    """Turns are not resolved, and new seals are rejected, because their salts depend on the seed.

    Pages and drafts still work, and other duels continue.
    """
    other = begin(cast.ada, cast.cleo)
    seal(duel, cast.ada, hands("W", "P"))
    seal(duel, cast.bram, IDLE)
    _with_lost_seed(duel)
    assert sweeping.sweep(now=NOW).failed == 1
    assert Alarm.objects.get().about == f"turn {open_turn(duel).pk}"
    ada = signed_in(cast.ada)
    sealed = Orders.objects.get(seat=seat(duel, cast.ada)).commitment
    refused = post_orders(ada, duel, hands("F", "D", say="sesame"), form_seal=sealed)
    assert refused.status_code == 409
    html = refused.content.decode()
    assert "lost the key that encrypted them" in html
    assert "sesame" in html
    assert Orders.objects.filter(turn__duel=duel).count() == 2
    assert post_orders(ada, duel, hands("F", "D", say="sesame"), do="draft").status_code == 302
    duel.refresh_from_db()
    assert not duel.is_over
    assert "data-stopped" in duel_html(signed_in(cast.ada), duel)
    play(other, {cast.ada: IDLE, cast.cleo: IDLE})
    assert open_turn(other).ordinal == 2


def test_duel_with_a_lost_key_can_end_but_has_no_record(cast: Cast, duel: Duel, lose_keys: Any):
    first = play(duel, {cast.ada: hands("W", "P"), cast.bram: IDLE})
    find_keys = lose_keys()
    ada = signed_in(cast.ada)
    assert ada.get(f"/duels/{duel.pk}/turns/{first.ordinal}/").status_code == 200
    endings.resign(duel_id=duel.pk, wizard=cast.bram, now=NOW)
    assert ada.get(f"/duels/{duel.pk}/").status_code == 200
    assert ada.get(f"/duels/{duel.pk}/turns/{first.ordinal}/").status_code == 200
    refused = ada.get(f"/duels/{duel.pk}/record.json")
    assert refused.status_code == 409
    assert "cannot be read" in refused.content.decode()
    assert ada.get(f"/duels/{duel.pk}/transcript.txt").status_code == 409
    find_keys()
    Duel.objects.filter(pk=duel.pk).update(seed="00" * 32)
    assert ada.get(f"/duels/{duel.pk}/record.json").status_code == 200


def test_deadline_with_a_lost_key_raises_an_alarm_and_others_are_handled(
    cast: Cast, lose_keys: Any
):
    """The deadline would seal the orders that were taken back, but they cannot be decrypted."""
    duel, other = (begin(cast.ada, rival, pace="86400") for rival in (cast.bram, cast.cleo))
    for each in (duel, other):
        seal(each, cast.ada, hands("W", "P"))
    sealing.unseal(turn_id=open_turn(duel).pk, wizard=cast.ada, now=NOW)
    lose_keys()
    due = seat(duel, cast.ada).due_at
    assert due is not None
    counts, failed = deadlines.process_due_deadlines(now=due, budget=Budget(50))
    assert (counts.defaults, failed) == (1, 1)
    assert Alarm.objects.get(ended_at=None).about == f"duel {duel.pk}"
    seal(duel, cast.ada, hands("W", "D"), form_seal=Orders.objects.get(turn__duel=duel).commitment)
    deadlines.process_due_deadlines(now=due, budget=Budget(50))
    assert not Alarm.objects.filter(ended_at=None).exists()


def _with_lost_seed(duel: Duel) -> Duel:
    """Encrypt the duel's seed with an unknown key, and return the duel."""
    Duel.objects.filter(pk=duel.pk).update(
        seed=Fernet(Fernet.generate_key()).encrypt(b"00").decode()
    )
    duel.refresh_from_db()
    return duel


def test_turn_that_waits_for_answers_is_shown_despite_a_lost_key(cast: Cast, lose_keys: Any):
    """The reveal cannot be computed again, but all pages work and answers can be sealed."""
    duel = begin(cast.ada, cast.bram, strict=True)
    for _ in range(2):
        play(duel, {cast.ada: hands("F", "-"), cast.bram: hands("D", "W")})
    turn = play(duel, {cast.ada: hands("F", "-"), cast.bram: hands("D", "W")})
    assert turn.stage == Stage.ANSWERS
    find_keys = lose_keys()
    ada = signed_in(cast.ada)
    for client in (ada, signed_in(cast.bram), Client()):
        for path in ("", "poll", "grid.png", "turns/"):
            assert client.get(f"/duels/{duel.pk}/{path}").status_code in (200, 302), path
        assert client.get("/").status_code == 200
    asked = {each["id"]: each["default"] for each in turn.questions if each["wizard"] == "w0"}
    assert asked
    answer = ada.post(f"/duels/{duel.pk}/answers", {"turn": "3", "form_seal": "", **asked})
    assert answer.status_code == 302
    assert sweeping.sweep(now=LATER).failed == 1
    assert "data-stopped" in duel_html(ada, duel)
    find_keys()
    # these answers were sealed with the new key, so both keys are needed
    assert Orders.objects.filter(turn=turn, stage=Stage.ANSWERS).count() == 1
