"""Messages in orders that a referee has removed, which are hidden everywhere."""

import json

import pytest
from django.test import Client

from duels.commands import endings
from duels.models import ActKind
from duels.proof.records import duel_record
from engine.proof.verify import examine, verify
from tests.cast import LATER, Cast, begin, hands, play, seal, signed_in
from tests.duels.referees.acts.refereeing import make_referee, perform_act

pytestmark = pytest.mark.django_db


def test_removed_message_is_hidden_and_its_seal_still_verifies(cast: Cast):
    """The message is hidden even in replaced seals and void turns, and from its writer.

    The record contains the message's hash and the act. `verify` reports and
    accepts only this kind of removal.
    Promise 14
    """
    duel = begin(cast.ada, cast.bram)
    first = seal(duel, cast.ada, hands("W", "P", say="Fouler words."))
    seal(duel, cast.ada, hands("W", "P", say="Foul words."), form_seal=first.commitment)
    play(duel, {cast.bram: hands("P", "W", say="Fair words.")})
    by = make_referee()
    perform_act(ActKind.REMOVE_WORDS, by, duel, speech="turn 1 w0")
    past = f"/duels/{duel.pk}/turns/1/"
    addresses = [f"/duels/{duel.pk}/", past, f"{past}proof.json"]
    check_no_foul_words(cast, addresses)
    perform_act(ActKind.ROLL_BACK, by, duel, turn="1")
    play(duel, {cast.ada: hands("W", "P", say="Foul again."), cast.bram: hands("P", "W")})
    check_no_foul_words(cast, [f"/duels/{duel.pk}/void/1/1/"])
    perform_act(ActKind.REMOVE_WORDS, by, duel, speech="turn 1 w0")
    endings.resign(duel_id=duel.pk, wizard=cast.bram, now=LATER)
    duel.refresh_from_db()
    files = [f"/duels/{duel.pk}/{name}" for name in ("record.json", "transcript.txt")]
    check_no_foul_words(cast, [*addresses, *files, f"/duels/{duel.pk}/void/1/1/"])
    written = json.loads(json.dumps(duel_record(duel)))
    seals = [each for turn in (*written["turns"], *written["void_turns"]) for each in turn["seals"]]
    removed = [each for each in seals if "removed" in each]
    assert [each["removed"]["say"] for each in removed] == [3, 1, 1]  # act 2 is the rollback
    assert all("say" in each["hashes"] and "say" not in each["salts"] for each in removed)
    assert any(each["fields"].get("say") == "Fair words." for each in seals)
    assert verify(written) == []
    told = examine(written).not_covered
    assert "turns[0].seals[0].fields.say (removed by acts[2])" in told
    assert len([place for place in told if "removed by" in place]) == 3

    for change, place in (
        (lambda row: row["removed"].update(say=2), "turns[0].seals[0].removed.say"),
        (lambda row: row["removed"].update(left=3), "turns[0].seals[0].removed.left"),
        (lambda row: row.pop("removed"), "turns[0].seals[0].hashes.say"),
        (lambda row: row["hashes"].update(say="ab" * 32), "turns[0].seals[0]"),
        (lambda row: row["hashes"].pop("say"), "turns[0].seals[0]"),
        (lambda row: row["fields"].update(say="Kind words."), "turns[0].seals[0]"),
    ):
        altered = json.loads(json.dumps(written))
        change(altered["turns"][0]["seals"][0])
        assert verify(altered)[0].startswith(place), place


def check_no_foul_words(cast: Cast, addresses: list[str]) -> None:
    for client in (signed_in(cast.ada), signed_in(cast.bram), Client()):
        for address in addresses:
            answer = client.get(address)
            assert answer.status_code == 200, address
            assert "foul" not in answer.content.decode().lower(), address
