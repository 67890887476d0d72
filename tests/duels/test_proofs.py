"""Proof files of played turns, with which readers can check only what they were shown."""

import hashlib
import json
from typing import Any

import pytest
from django.test import Client

from duels.commands import endings, speaking
from duels.models import ActKind, Duel, Orders, Turn
from tests.cast import LATER, NOW, Cast, begin, hands, play, seal
from tests.duels.referees.acts.refereeing import make_referee, perform_act
from tests.states import STATES, People

IDLE = hands("-", "-")


def proof_file(duel: Duel, client: Client, ordinal: int = 1) -> dict[str, Any]:
    answer = client.get(f"/duels/{duel.pk}/turns/{ordinal}/proof.json")
    assert answer.status_code == 200
    found: dict[str, Any] = json.loads(answer.content)
    return found


def signed_in(cast: Cast, name: str) -> Client:
    client = Client()
    if name:
        user = getattr(cast, name).user
        assert user is not None
        client.force_login(user)
    return client


def checked_contents(sealed: dict[str, Any]) -> dict[str, str]:
    """Return the contents of a seal that the proof reveals, after checking them with hashlib."""
    whole = b"".join(bytes.fromhex(each) for each in sorted(sealed["hashes"]))
    assert hashlib.sha256(whole).hexdigest() == sealed["commitment"]
    for name, field in sealed["fields"].items():
        text = json.dumps([name, field["value"]], separators=(",", ":"), ensure_ascii=False)
        salted = bytes.fromhex(field["salt"]) + text.encode()
        assert hashlib.sha256(salted).hexdigest() in sealed["hashes"]
    return {name: field["value"] for name, field in sealed["fields"].items()}


@pytest.fixture
def duel(cast: Cast) -> Duel:
    """A public duel, in which Ada has replaced her seal, with a message and two advance answers."""
    duel = begin(cast.ada, cast.bram)
    more = {"answer:paralysis": "L", "answer:elemental": "ice"}
    first = seal(duel, cast.ada, hands("F", "F"))
    seal(duel, cast.ada, hands("W", "-", say="„Ho!“", **more), form_seal=first.commitment)
    play(duel, {cast.bram: IDLE})
    return duel


@pytest.mark.parametrize("name", ["", "cleo", "bram"])
def test_proof_reveals_only_what_the_reader_was_shown(duel: Duel, cast: Cast, name: str):
    found = proof_file(duel, signed_in(cast, name))
    place = f"duel {duel.pk} turn 1 wizard w0 orders 0 roll backs 0"
    assert [each["superseded"] for each in found["seals"]] == [True, False, False]
    replaced, played, brams = found["seals"]
    assert checked_contents(played) == {"left": "W", "say": "„Ho!“", "place": place}
    mine = {"left": "-", "right": "-", "chance": ""} if name == "bram" else {}
    assert checked_contents(brams) == {**mine, "place": place.replace("w0", "w1")}
    assert (replaced["hashes"], replaced["fields"]) == ([], {})
    assert {each["commitment"] for each in found["seals"]} == set(
        Orders.objects.values_list("commitment", flat=True)
    )
    # nobody may see that one seal has seven fields and the other four
    assert len(played["hashes"]) == len(brams["hashes"]) == 32
    assert played["hashes"] == sorted(played["hashes"])
    assert found["chain"] == duel.turns.get(ordinal=1).chain


def test_proof_contains_a_subject_only_if_it_cannot_be_the_default(cast: Cast):
    """Shield is cast on its caster by default, but on another wizard only if chosen. rules: R11"""
    duel = begin(cast.ada, cast.bram, cast.cleo)
    elsewhere = hands("P", ">", left_subject="w1", right_subject="w2")
    usual = hands("P", ">", left_subject="w1", right_subject="w2")
    play(duel, {cast.ada: elsewhere, cast.bram: usual, cast.cleo: IDLE})
    adas, brams, _ = proof_file(duel, signed_in(cast, ""))["seals"]
    named = {"left": "P", "left_subject": "w1", "right": ">", "right_subject": "w2"}
    assert {name: checked_contents(adas)[name] for name in named} == named
    assert checked_contents(brams).keys() == {"left", "right", "place"}


def test_proof_contains_a_chosen_spell_if_the_choice_made_a_difference(cast: Cast):
    """rules: R7"""
    duel = begin(cast.ada, cast.bram)
    for letter in "WFP":
        play(duel, {cast.ada: hands(letter, "-"), cast.bram: IDLE})
    chosen = hands("P", "-", left_spell="shield")
    assert chosen
    (adas, _) = proof_file(duel, signed_in(cast, ""), 3)["seals"]
    assert checked_contents(adas).keys() == {"left", "place"}, (
        "the longer spell is cast by default, so the proof hides the choice"
    )
    second = begin(cast.ada, cast.bram)
    for letter in "WF":
        play(second, {cast.ada: hands(letter, "-"), cast.bram: IDLE})
    play(second, {cast.ada: chosen, cast.bram: IDLE})
    (adas, _) = proof_file(second, signed_in(cast, ""), 3)["seals"]
    assert checked_contents(adas)["left_spell"] == "shield"


def test_proof_shows_readers_all_of_their_own_seals(duel: Duel, cast: Cast):
    replaced, played, brams = proof_file(duel, signed_in(cast, "ada"))["seals"]
    assert checked_contents(replaced)["left"] == "F"
    assert checked_contents(played)["answer:paralysis"] == "L"
    assert list(checked_contents(brams)) == ["place"]


def test_replacement_player_does_not_see_the_seals_of_their_predecessor(cast: Cast):
    """The hidden seals contain replaced orders, messages never sent, and played orders.

    All seals become public at the end of the duel.
    """
    duel = begin(cast.ada, cast.bram)
    first = seal(duel, cast.bram, hands("F", "F", say="Never said."))
    seal(duel, cast.bram, hands("W", "-"), form_seal=first.commitment)
    play(duel, {cast.ada: IDLE})
    perform_act(ActKind.REPLACE, make_referee(), duel, seat="w1", wizard="Dorn", now=NOW)
    play(duel, {cast.ada: IDLE, cast.dorn: hands("P", "-")}, now=LATER)
    newcomer = signed_in(cast, "dorn")
    _, replaced, played = proof_file(duel, newcomer)["seals"]
    assert (replaced["hashes"], replaced["fields"]) == ([], {})
    assert checked_contents(played).keys() == {"left", "place"}, "what everyone may check"
    page = newcomer.get(f"/duels/{duel.pk}/turns/1/").content.decode()
    assert replaced["commitment"] in page
    assert "Never said." not in page
    assert {"left", "right"} <= checked_contents(
        proof_file(duel, newcomer, 2)["seals"][1]
    ).keys(), "their own seal"
    endings.resign(duel_id=duel.pk, wizard=cast.dorn, now=LATER)
    assert checked_contents(proof_file(duel, newcomer)["seals"][1])["say"] == "Never said."


def test_proof_shows_every_seal_after_the_end_of_the_duel(duel: Duel, cast: Cast):
    endings.resign(duel_id=duel.pk, wizard=cast.bram, now=LATER)
    for sealed in proof_file(duel, signed_in(cast, ""))["seals"]:
        assert {"left", "right", "place"} <= checked_contents(sealed).keys()


def test_proof_for_a_blind_wizard_has_no_salts_of_unseen_hands(cast: Cast):
    state = STATES["blind"](People())
    duel, reader = state.duel, state.viewer
    client = Client()
    assert reader is not None
    assert reader.user is not None
    client.force_login(reader.user)
    last = Turn.objects.filter(duel=duel, stage="resolved").latest("ordinal")
    theirs = [
        sealed
        for sealed in proof_file(duel, client, last.ordinal)["seals"]
        if Orders.objects.get(commitment=sealed["commitment"]).seat.wizard_id != reader.pk
    ]
    assert theirs
    assert {name for sealed in theirs for name in checked_contents(sealed)} == {"place"}


def test_proof_hides_messages_of_muted_wizards(duel: Duel, cast: Cast):
    speaking.mute(wizard=cast.bram, other=cast.ada, now=NOW)
    sealed = proof_file(duel, signed_in(cast, "bram"))["seals"][1]
    assert "say" not in checked_contents(sealed)


def test_open_turns_and_private_duels_have_no_public_proof(duel: Duel, cast: Cast):
    assert Client().get(f"/duels/{duel.pk}/turns/2/proof.json").status_code == 404
    Duel.objects.filter(pk=duel.pk).update(visibility="private")
    address = f"/duels/{duel.pk}/turns/1/proof.json"
    assert signed_in(cast, "dorn").get(address).status_code == 404
    assert signed_in(cast, "ada").get(address).status_code == 200


def test_link_in_the_first_format_is_not_shown_in_a_running_duel(duel: Duel, cast: Cast):
    """A link in the first format has no salt, so a guess at its contents could be checked."""
    Duel.objects.filter(pk=duel.pk).update(link_format=1)
    assert proof_file(duel, signed_in(cast, "ada"))["chain"] is None
