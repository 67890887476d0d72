"""Tests that the export of a user's data is complete and contains no secrets of other users."""

import io
import json
from datetime import timedelta
from typing import Any
from zipfile import ZipFile

import pytest
from django.test import Client

from duels.commands import profiles, speaking
from duels.models import ActKind, Orders, Wizard
from duels.push import public as push
from tests.cast import (
    LATER,
    NOW,
    Cast,
    begin,
    hands,
    make_user,
    open_turn,
    play,
    reauthenticate,
    seal,
)
from tests.cast import sign_in_with_second_factor as sign_in
from tests.duels.referees.acts.refereeing import make_referee, perform_act

pytestmark = pytest.mark.django_db


def exported_files(wizard: Wizard) -> dict[str, Any]:
    """Return the files of the export by name, with JSON parsed."""
    client = Client()
    assert wizard.user
    sign_in(client, wizard.user)
    reauthenticate(client)
    answer: Any = client.post("/settings/export")
    assert answer.status_code == 200
    assert "attachment" in answer["Content-Disposition"]
    with ZipFile(io.BytesIO(b"".join(answer.streaming_content))) as packed:
        texts = {name: packed.read(name).decode() for name in packed.namelist()}
    return {
        name: json.loads(text) if name.endswith(".json") else text for name, text in texts.items()
    }


def test_export_has_all_data_of_its_user_and_no_data_of_anyone_else(cast: Cast):
    duel = begin(cast.ada, cast.bram)
    play(duel, {cast.ada: hands("W", "P"), cast.bram: hands("S", "D")})
    turn = open_turn(duel)
    first = seal(duel, cast.ada, hands("F", "C", say="mine"))
    seal(duel, cast.ada, hands("F", "W", say="mine alone"), form_seal=first.commitment)
    seal(duel, cast.bram, hands("D", "D", say="a secret of Bram’s"))
    speaking.send_message(duel_id=duel.pk, wizard=cast.ada, words="Well met.", now=NOW)
    speaking.send_message(duel_id=duel.pk, wizard=cast.bram, words="Indeed.", now=NOW)
    profiles.block(wizard=cast.ada, other=cast.cleo, now=NOW)
    profiles.block(wizard=cast.dorn, other=cast.ada, now=NOW)
    other = begin(cast.bram, cast.dorn)
    files = exported_files(cast.ada)

    assert files["account.json"]["addresses"] == [
        {"email": "ada@example.org", "verified": True, "primary": True}
    ]
    assert [factor["kind"] for factor in files["account.json"]["second_factors"]] == ["totp"]
    assert files["wizard.json"]["name"] == "Ada"
    assert [row["name"] for row in files["wizard.json"]["blocked"]] == ["Cleo"]
    assert {mail["kind"] for mail in files["mails.json"]["mails"]} >= {"your_turn"}
    assert files["disputes.json"]["cases"] == []
    assert files["disputes.json"]["said"] == []
    assert f"duels/{other.pk}.json" not in files
    mine = files[f"duels/{duel.pk}.json"]
    assert mine["wizards"] == ["Ada", "Bram"]
    sealed = [(row["turn"], row["superseded"], row["fields"]["right"]) for row in mine["sealed"]]
    assert sealed == [(1, False, "P"), (turn.ordinal, True, "C"), (turn.ordinal, False, "W")]
    assert [row["words"] for row in mine["said"]] == ["Well met."]
    text = json.dumps(files)
    for foreign in ("a secret of Bram", "Indeed.", "bram@example.org", "Dorn", "JBSWY3DPEHPK3PXP"):
        assert foreign not in text
    user = cast.ada.user
    assert user
    assert user.password not in text


def test_export_does_not_depend_on_what_opponents_have_sealed(cast: Cast):
    """Promise 1: the export also contains no hidden gestures or draws of a running duel."""
    archives = []
    duel = begin(cast.ada, cast.bram)
    sealed = ""
    for right in ("D", "F"):
        row = seal(duel, cast.bram, hands("S", right), form_seal=sealed)
        sealed = row.commitment
        files = exported_files(cast.ada)
        archives.append((files[f"duels/{duel.pk}.json"], files["wizard.json"]))
    assert archives[0] == archives[1]


def test_exports_of_a_replaced_wizard_and_their_successor_have_only_their_own_data(cast: Cast):
    """The seat has seals of both wizards; each export has only the seals of its own wizard."""
    duel = begin(cast.ada, cast.bram)
    play(duel, {cast.ada: hands("W", "P"), cast.bram: hands("S", "D")})
    seal(duel, cast.bram, hands("F", "F", say="never said"))
    speaking.send_message(duel_id=duel.pk, wizard=cast.bram, words="I must go.", now=NOW)
    perform_act(ActKind.REPLACE, make_referee(), duel, seat="w1", wizard="Cleo", now=LATER)
    later = LATER + timedelta(minutes=1)
    seal(duel, cast.cleo, hands("P", "W"), now=later)
    his, theirs = (exported_files(each)[f"duels/{duel.pk}.json"] for each in (cast.bram, cast.cleo))
    assert [row["fields"]["left"] for row in his["sealed"]] == ["S", "F"]
    assert [row["words"] for row in his["said"]] == ["I must go."]
    assert his["your_place"] is None
    assert [row["fields"]["left"] for row in theirs["sealed"]] == ["P"]
    assert "never said" not in json.dumps(theirs)


def test_orders_with_a_lost_key_are_listed_without_content(cast: Cast, settings: Any):
    duel = begin(cast.ada, cast.bram)
    seal(duel, cast.ada, hands("W", "P"))
    settings.SEAL_KEYS = ["YW5vdGhlci1rZXktdGhhdC1vbmx5LXRlc3RzLXVzZSE="]
    (row,) = exported_files(cast.ada)[f"duels/{duel.pk}.json"]["sealed"]
    assert row["fields"] is None
    assert "key" in row["why"]
    assert row["commitment"] == Orders.objects.get().commitment


def test_export_for_a_user_without_a_wizard_has_only_the_account(client: Client):
    user = make_user("new@example.org")
    client.force_login(user)
    reauthenticate(client)
    assert client.get("/settings/export").status_code == 200
    answer: Any = client.post("/settings/export")
    with ZipFile(io.BytesIO(b"".join(answer.streaming_content))) as packed:
        assert sorted(packed.namelist()) == ["README.txt", "account.json"]


def test_export_requires_login_and_is_rate_limited(client: Client):
    assert client.post("/settings/export")["Location"].startswith("/accounts/login/")
    client.force_login(make_user("new@example.org"))
    reauthenticate(client)
    answers = [client.post("/settings/export") for _ in range(7)]
    for answer in answers:
        answer.close()
    assert [answer.status_code for answer in answers] == [200] * 6 + [429]


def test_export_lists_devices_without_their_push_addresses(cast: Cast):
    push.PushSubscription.objects.create(
        wizard=cast.ada,
        endpoint="https://push.example/secret-endpoint",
        p256dh="key",
        auth="secret-auth",
        device="Firefox on Linux",
        created_at=NOW,
    )
    files = exported_files(cast.ada)
    assert [row["device"] for row in files["notifications.json"]["devices"]] == ["Firefox on Linux"]
    assert "secret" not in json.dumps(files["notifications.json"])
