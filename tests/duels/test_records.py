"""Records of finished duels, from which anyone can replay and check a duel."""

import hashlib
import hmac
import json
import secrets
from datetime import timedelta
from importlib import import_module
from typing import Any
from unittest import mock

import pytest
from django.apps import apps

import engine.play
from duels import errors
from duels.commands import closing, endings, resolution, sealing, speaking
from duels.loaded import adjudication
from duels.loaded.loading import load_turn
from duels.models import ActKind, Duel, Orders, RejectedSeal, Turn, Wizard
from duels.queries import pages, proofs, stories
from duels.sealing import links, seals
from engine.positions.codec import dump
from engine.proof.replay import replay
from engine.proof.verify import examine, verify
from tests.cast import LATER, NOW, Cast, begin, hands, open_turn, play, seal, seat
from tests.duels.referees.acts.refereeing import make_referee, perform_act

IDLE = hands("-", "-")


def record_of(duel: Duel) -> dict[str, Any]:
    """Return the record in the form in which it is downloaded."""
    duel.refresh_from_db()
    record: dict[str, Any] = json.loads(json.dumps(stories.record_of_finished_duel(duel)))
    return record


@pytest.fixture
def duel(ada: Wizard, bram: Wizard) -> Duel:
    """A duel with messages, a question, a confused wizard, a replaced seal and a surrender."""
    duel = begin(ada, bram)
    turns = (
        (hands("F", "D", say="En garde!"), hands("W", "-")),
        (hands("F", "S"), hands("S", "-")),
        (hands("F", "W"), hands("P", "-", say="“Never”")),
    )
    for adas, brams in turns:
        play(duel, {ada: adas, bram: brams})
    turn = open_turn(duel)
    for question in pages.duel_page(duel, ada).questions:
        sealing.answer_questions(
            turn_id=turn.pk, wizard=ada, answers={question.id: "L"}, form_seal="", batch=1, now=NOW
        )
    resolution.resolve_turn(turn_id=turn.pk)
    for letter in "DSF":
        play(duel, {ada: hands("-", letter), bram: hands("P", "-")})
    first = seal(duel, ada, IDLE)
    seal(duel, ada, hands("W", "W"), form_seal=first.commitment, now=LATER)
    play(duel, {bram: hands("P", "P")})
    if not duel.is_over:
        play(duel, {ada: IDLE, bram: hands("P", "P")})
    assert duel.is_over
    return duel


def test_duel_can_be_replayed_from_its_record(duel: Duel):
    record = record_of(duel)
    history = replay(record)
    turns = list(Turn.objects.filter(duel=duel))
    assert len(history.turns) == len(turns) == len(record["turns"])
    for played, turn in zip(history.turns, turns, strict=True):
        assert dump(played.position) == turn.position
        assert dump(played.events) == turn.events
    assert dump(history.position) == duel.final_position
    assert history.position.outcome == duel.result == record["ended"]["result"]


def test_the_record_of_a_finished_duel_verifies(duel: Duel):
    assert verify(record_of(duel)) == []


def test_commitments_shown_during_the_duel_can_be_computed_from_the_record(duel: Duel):
    record = record_of(duel)
    shown = set(Orders.objects.values_list("commitment", flat=True))
    found = set()
    for turn in record["turns"]:
        for sealed in turn["seals"]:
            digests = []
            for name, value in sealed["fields"].items():
                text = json.dumps([name, value], separators=(",", ":"), ensure_ascii=False)
                salted = bytes.fromhex(sealed["salts"][name]) + text.encode()
                digests.append(hashlib.sha256(salted).digest())
                assert digests[-1].hex() == sealed["hashes"][name]
            pad = bytes.fromhex(sealed["salts"]["pad"])
            for number in range(32 - len(digests)):
                text = f'["pad {number + 1}",""]'
                digests.append(hashlib.sha256(pad + text.encode()).digest())
            commitment = hashlib.sha256(b"".join(sorted(digests))).hexdigest()
            assert commitment == sealed["commitment"]
            found.add(commitment)
    assert found == shown


def test_seals_in_the_record_are_the_orders_that_were_played(duel: Duel):
    for turn in record_of(duel)["turns"]:
        live = [s for s in turn["seals"] if s["stage"] == "orders" and not s["superseded"]]
        sealed = {s["wizard"]: s for s in live}
        assert turn["commitments"] == [sealed[code]["commitment"] for code in sorted(sealed)]
        for code, fields in turn["orders"].items():
            place = f"duel {duel.pk} turn {turn['ordinal']} wizard {code} orders 0 roll backs 0"
            assert sealed[code]["fields"] == {**fields, "place": place, "chance": ""}


def test_seed_in_the_record_matches_its_commitment(duel: Duel):
    (seed,) = record_of(duel)["dice"]["seeds"]
    found = hashlib.sha256(bytes.fromhex(seed["seed"])).hexdigest()
    assert found == seed["seed_commitment"] == duel.seed_commitment


def canonical_text(value: object) -> str:
    """Return the canonical JSON text that is hashed."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


LINKED_SEAL_FIELDS = (
    "wizard",
    "stage",
    "batch",
    "source",
    "sealed_at",
    "taken_back_at",
    "superseded",
    "commitment",
)
UNLINKED_FIELDS = ("roll_backs", "orders", "answers", "damage", "seals", "acts", "chain")


def computed_links(record: dict[str, Any]) -> list[str]:
    """Compute the turns' hash chain from the record as `docs/RECORDS.md` describes."""
    began = {name: record[name] for name in ("duel", "ruleset", "options", "setup")}
    began["wizards"] = len(record["wizards"])
    began["salts"] = record["salts"]
    began["dice"] = {"kind": record["dice"]["kind"]}
    (seed,) = record["dice"]["seeds"]
    first = hashlib.sha256((seed["seed_commitment"] + canonical_text(began)).encode()).hexdigest()
    assert first == record["chain"]
    chain = [first]
    key = bytes.fromhex(seed["seed"])
    for turn in record["turns"]:
        link = {name: value for name, value in turn.items() if name not in UNLINKED_FIELDS}
        link["ruleset"], link["options"] = record["ruleset"], record["options"]
        link["seals"] = [
            {name: seal[name] for name in LINKED_SEAL_FIELDS} for seal in turn["seals"]
        ]
        link["acts"] = record["acts"][turn["acts"] - 1]["chain"] if turn["acts"] else ""
        salt = hmac.new(key, f"link {turn['ordinal']}".encode(), hashlib.sha256)
        link["salt"] = salt.hexdigest()
        chain.append(hashlib.sha256((chain[-1] + canonical_text(link)).encode()).hexdigest())
    return chain[1:]


def stated_links(record: dict[str, Any]) -> list[str]:
    """Return the hash chain stored in the record."""
    return [turn["chain"] for turn in record["turns"]]


def test_every_link_of_the_chain_can_be_recomputed_from_the_record(duel: Duel):
    record = record_of(duel)
    assert any(seal["stage"] == "answers" for turn in record["turns"] for seal in turn["seals"])
    assert len(computed_links(record)) == len(record["turns"])
    assert computed_links(record) == stated_links(record)


def test_hash_chain_stays_valid_after_an_account_is_closed(duel: Duel, bram: Wizard):
    """Bram was confused, so the labels of some draws contain his name."""
    before = record_of(duel)
    assert bram.user
    closing.close_account(user=bram.user, now=LATER)
    record = record_of(duel)
    assert record["dice"] == before["dice"]
    assert record["wizards"] != before["wizards"]
    assert computed_links(record) == stated_links(record) == stated_links(before)
    assert verify(record) == []


def test_hash_chain_stays_valid_if_an_account_is_closed_during_the_duel(cast: Cast):
    three = (cast.ada, cast.bram, cast.cleo)
    duel = begin(*three)
    for _ in range(2):
        play(duel, dict.fromkeys(three, hands("W", "D")))
    early = list(Turn.objects.filter(duel=duel, stage="resolved").values_list("chain", flat=True))
    assert cast.ada.user
    closing.close_account(user=cast.ada.user, now=NOW)
    play(duel, {cast.bram: IDLE, cast.cleo: IDLE})
    for wizard in three[1:]:
        endings.offer_draw(duel_id=duel.pk, wizard=wizard, ordinal=None, now=NOW)
    record = record_of(duel)
    assert computed_links(record) == stated_links(record)
    assert stated_links(record)[:2] == early
    assert len(stated_links(record)) == 4
    assert verify(record) == []


@pytest.mark.parametrize("key", ["commitments", "after", "number", "release"])
def test_change_in_any_turn_changes_all_later_links(duel: Duel, key: str):
    record = record_of(duel)
    record["turns"][1][key] = "other"
    changed = [a != b for a, b in zip(computed_links(record), stated_links(record), strict=True)]
    assert changed == [False] + [True] * (len(changed) - 1)


def test_verify_detects_a_changed_record(duel: Duel):
    record = record_of(duel)
    record["turns"][0]["seals"][0]["fields"]["left"] = "P"
    assert any("turns[0].seals" in fault for fault in verify(record))


def test_transcript_has_names_messages_turns_and_the_winner(duel: Duel):
    text = stories.transcript(duel)
    for part in ("Ada", "Bram", "En garde!", "“Never”", "Turn 1", "Ada has won."):
        assert part in text


def test_record_can_be_made_without_seal_keys_after_the_end(duel: Duel, settings):
    record = record_of(duel)
    settings.SEAL_KEYS = ["A" * 43 + "="]
    assert record_of(duel) == record
    (superseded,) = (
        sealed for turn in record["turns"] for sealed in turn["seals"] if sealed["superseded"]
    )
    assert superseded["fields"]["left"] == "-"


def test_record_does_not_contain_a_replaced_seal_whose_key_was_lost(duel: Duel, settings):
    Orders.objects.filter(superseded=True).update(body=seals.encrypt("{}"))
    settings.SEAL_KEYS = ["A" * 43 + "="]
    record = record_of(duel)
    assert [
        sealed["superseded"]
        for turn in record["turns"]
        for sealed in turn["seals"]
        if sealed["fields"] is None
    ] == [True]
    assert verify(record) == []


def test_record_of_a_duel_that_ended_by_resignation_verifies(cast: Cast):
    duel = begin(cast.ada, cast.bram, cast.cleo)
    seal(duel, cast.ada, hands("W", "F"))
    endings.resign(duel_id=duel.pk, wizard=cast.ada, now=NOW)
    play(duel, {cast.bram: IDLE, cast.cleo: IDLE})
    seal(duel, cast.bram, hands("W", "F"))
    endings.resign(duel_id=duel.pk, wizard=cast.cleo, now=NOW)
    record = record_of(duel)
    assert [turn.get("resigned") for turn in record["turns"]] == [["w0"], ["w2"]]
    assert record["turns"][1]["orders"] == {}
    assert (record["ended"]["how"], record["ended"]["result"]) == ("resigned", "w1")
    assert verify(record) == []
    history = replay(record)
    assert dump(history.position) == duel.final_position
    assert [dump(turn.position) for turn in history.turns] == [
        turn.position for turn in Turn.objects.filter(duel=duel)
    ]
    (unplayed,) = record["turns"][1]["seals"]
    assert (unplayed["superseded"], unplayed["fields"]["left"]) == (True, "W")


def test_record_of_a_duel_that_ended_by_resignation_during_questions_verifies(cast: Cast):
    duel = begin(cast.ada, cast.bram, cast.cleo)
    for letter in "WDW":
        turn = play(duel, {cast.ada: hands("F", letter), cast.bram: IDLE, cast.cleo: IDLE})
    assert turn.stage == "answers"
    endings.resign(duel_id=duel.pk, wizard=cast.ada, now=NOW)
    resolution.resolve_turn(turn_id=turn.pk)
    endings.resign(duel_id=duel.pk, wizard=cast.bram, now=NOW)
    record = record_of(duel)
    assert verify(record) == []
    assert dump(replay(record).position) == duel.final_position


def test_record_of_an_agreed_draw_verifies(ada: Wizard, bram: Wizard):
    duel = begin(ada, bram)
    play(duel, {ada: hands("W", "F"), bram: IDLE})
    seal(duel, ada, hands("S", "S"))
    for wizard in (ada, bram):
        endings.offer_draw(duel_id=duel.pk, wizard=wizard, ordinal=None, now=NOW)
    record = record_of(duel)
    assert (record["ended"]["how"], record["ended"]["result"]) == ("agreed", "draw")
    assert [turn["played"] for turn in record["turns"]] == [True, False]
    assert (record["turns"][1]["orders"], record["turns"][1]["answers"]) == ({}, {})
    assert record["turns"][1]["seals"][0]["fields"]["left"] == "S"
    assert verify(record) == []
    assert "agreed" in stories.transcript(duel)


def test_record_of_an_agreed_draw_in_a_turn_with_a_resignation_verifies(cast: Cast):
    duel = begin(cast.ada, cast.bram, cast.cleo)
    play(duel, dict.fromkeys((cast.ada, cast.bram, cast.cleo), IDLE))
    endings.resign(duel_id=duel.pk, wizard=cast.ada, now=NOW)
    seal(duel, cast.bram, hands("W", "F"))
    for wizard in (cast.bram, cast.cleo):
        endings.offer_draw(duel_id=duel.pk, wizard=wizard, ordinal=None, now=NOW)
    record = record_of(duel)
    assert [turn.get("resigned", []) for turn in record["turns"]] == [[], ["w0"]]
    assert record["turns"][1]["orders"] == {}
    assert [sealed["wizard"] for sealed in record["turns"][1]["seals"]] == ["w1"]
    assert verify(record) == []
    assert dump(replay(record).position) == duel.final_position
    reports = pages.duel_page(duel, cast.bram).reports
    assert [report.ordinal for report in reports] == [1, 2]


def test_record_of_an_agreed_draw_before_the_first_turn_verifies(ada: Wizard, bram: Wizard):
    duel = begin(ada, bram)
    for wizard in (ada, bram):
        endings.offer_draw(duel_id=duel.pk, wizard=wizard, ordinal=None, now=NOW)
    assert [turn["played"] for turn in record_of(duel)["turns"]] == [False]
    assert verify(record_of(duel)) == []
    assert "Turn 1" not in stories.transcript(duel)


def test_the_record_has_no_email_addresses(duel: Duel, ada: Wizard):
    assert "@" not in json.dumps(stories.record_of_finished_duel(duel))
    assert seat(duel, ada).wizard.user


def test_record_and_transcript_contain_messages_written_after_the_end(cast: Cast):
    """F69, F94. The hash chain does not cover such messages."""
    duel = begin(cast.ada, cast.bram)
    speaking.send_message(duel_id=duel.pk, wizard=cast.bram, words="Well met.", now=NOW)
    play(duel, {cast.ada: IDLE, cast.bram: IDLE}, now=NOW)
    speaking.send_message(duel_id=duel.pk, wizard=cast.ada, words="I give up.", now=NOW)
    endings.resign(duel_id=duel.pk, wizard=cast.ada, now=LATER)
    after = LATER + timedelta(seconds=1)
    speaking.send_message(duel_id=duel.pk, wizard=cast.ada, words="Well\nplayed.", now=after)
    record = record_of(duel)
    assert [
        (row["wizard"], row["ordinal"], row["after_end"], row["words"])
        for row in record["speeches"]
    ] == [
        ("w1", 1, False, "Well met."),
        ("w0", 2, False, "I give up."),
        ("w0", 2, True, "Well\nplayed."),
    ]
    assert verify(record) == []
    assert computed_links(record) == stated_links(record)
    lines = stories.transcript(duel).splitlines()
    assert lines[lines.index("Turn 1") + 1] == "  # Bram: Well met."
    assert lines[lines.index("Turn 2") + 1] == "  # Ada: I give up."
    assert lines[-3:] == ["Bram has won.", "  # Ada: Well", "  #   played."]


def test_record_and_transcript_use_the_neutral_name_of_a_closed_account(cast: Cast):
    duel = begin(cast.ada, cast.bram)
    speaking.send_message(duel_id=duel.pk, wizard=cast.bram, words="Well met.", now=NOW)
    assert cast.bram.user
    closing.close_account(user=cast.bram.user, now=LATER)
    duel.refresh_from_db()
    assert f"# Departed {cast.bram.pk}: Well met." in stories.transcript(duel)
    assert "Bram" not in json.dumps(record_of(duel))


def test_record_of_a_duel_with_recorded_draws_verifies(cast: Cast):
    """Duels with links in the first format record the draws made before the format changed."""
    duel = begin(cast.ada, cast.bram)
    for left, more in (("D", {}), ("S", {}), ("F", {"left_subject": "w1"})):
        play(duel, {cast.ada: hands(left, "-", **more), cast.bram: IDLE})
    turn = play(duel, {cast.ada: IDLE, cast.bram: hands("W", "W")})
    assert turn.events is not None
    drawn = {each["label"]: each["value"] for each in turn.events["events"] if "label" in each}
    assert sorted(drawn) == ["turn 4 confusion w1 gesture", "turn 4 confusion w1 hand"]
    Turn.objects.filter(duel=duel).exclude(chain="").update(chain="ab" * 32)
    Duel.objects.filter(pk=duel.pk).update(link_format=1, recorded_draws=drawn)
    play(duel, {cast.ada: IDLE, cast.bram: IDLE})
    endings.resign(duel_id=duel.pk, wizard=cast.ada, now=LATER)
    record = record_of(duel)
    assert (record["dice"]["kind"], record["dice"]["draws"]) == ("recorded", drawn)
    assert verify(record) == []


@pytest.mark.parametrize("link_format", [3, 4])
def test_draws_stored_while_a_duel_is_running_have_no_effect(cast: Cast, link_format: int):
    """Draws are stored during turn 4, in which a gesture of a confused hand is drawn."""
    duel = begin(cast.ada, cast.bram)
    if link_format == 3:  # like a duel that began in release 0.1.0
        Duel.objects.filter(pk=duel.pk).update(link_format=3, chain="")
    for left, more in (("D", {}), ("S", {}), ("F", {"left_subject": "w1"})):
        play(duel, {cast.ada: hands(left, "-", **more), cast.bram: IDLE})
    labels = ("turn 4 confusion w1 hand", "turn 4 confusion w1 gesture")
    seal(duel, cast.ada, IDLE)
    turn = load_turn(open_turn(duel).pk)
    assert turn is not None
    for value in range(2):  # one of these values differs from the draw based on the seed
        Duel.objects.filter(pk=duel.pk).update(recorded_draws=dict.fromkeys(labels, value))
        duel.refresh_from_db()
        assert isinstance(adjudication.dice(duel, (), roll_backs=0), engine.play.Dice)
    play(duel, {cast.bram: hands("W", "W")})
    endings.resign(duel_id=duel.pk, wizard=cast.ada, now=LATER)
    record = record_of(duel)
    assert (record["version"], record["dice"]["kind"]) == (link_format, "hmac")
    assert [draw["label"] for draw in record["turns"][3]["draws"]] == [*labels]
    assert verify(record) == []


def test_first_link_covers_draws_that_are_stored_at_the_start_of_the_duel(cast: Cast):
    draws = {"turn 4 confusion w1 hand": 0}
    duel = begin(cast.ada, cast.bram, draws=draws)
    assert duel.chain == links.new_first_link(duel, 2)
    begun = links.draws_fixed_at_start(duel)
    assert begun == draws
    for other in ({**draws, "turn 4 confusion w1 hand": 1}, {}, None):
        duel.recorded_draws = other
        assert links.draws_fixed_at_start(duel) is None
        assert links.first_link(duel, 2) == duel.chain


def old_seal(fields: dict[str, str], *, place: str, **_: object) -> seals.Seal:
    """Return a seal like those made before salts were derived from the seed."""
    named = {**fields, "place": place.partition(" roll backs ")[0]}
    return seals.Seal(named, {name: secrets.token_hex(32) for name in (*named, "pad")})


def test_record_marks_seals_whose_salts_were_not_derived_from_the_seed(
    cast: Cast,
):
    """The site is updated after turn 1 has been played and Ada has sealed for turn 2.

    Later the duel is rolled back.
    """
    duel = begin(cast.ada, cast.bram)
    Duel.objects.filter(pk=duel.pk).update(link_format=2)
    duel.refresh_from_db()
    with mock.patch.object(seals, "new_seal", old_seal):
        play(duel, {cast.ada: hands("W", "P"), cast.bram: IDLE})
        first = seal(duel, cast.ada, IDLE)
    early = duel.turns.get(ordinal=1).chain
    seal(duel, cast.ada, hands("W", "P"), form_seal=first.commitment, chance="0f" * 16)
    play(duel, {cast.bram: IDLE})
    perform_act(ActKind.ROLL_BACK, make_referee(), duel, turn="2")
    play(duel, {cast.ada: IDLE, cast.bram: IDLE})
    endings.resign(duel_id=duel.pk, wizard=cast.ada, now=LATER)
    record = record_of(duel)
    assert (record["version"], record["salts"]) == (3, "site")
    assert record["turns"][0]["chain"] == early
    told = "salts of seals 7: 4 by the seed; 3 chosen by the site"
    assert told in examine(record).lines
    named = [list(each["salts"]) for each in record["void_turns"][0]["seals"]]
    assert ["chance" in names for names in named] == [False, True, True]
    older = record["void_turns"][0]["seals"][0]
    older["salts"]["place"] = "00" * 32
    assert verify(record)[0].startswith("void_turns[0].seals[0].salts.place: ")
    record["salts"] = "seed"
    assert verify(record)[0].startswith("chain: ")


def test_rejected_seals_are_in_the_record_and_have_no_effect(cast: Cast):
    """If the same orders are sealed after a rejection, commitment and draws are the same."""
    duel = begin(cast.ada, cast.bram)
    turn = open_turn(duel)
    wanted = hands("P", "P", say="Must I?")
    asked: dict[str, Any] = {
        "turn_id": turn.pk,
        "wizard": cast.ada,
        "form_seal": "",
        "chance": "0f" * 16,
    }
    for _ in range(2):  # a repeated rejection is recorded once
        with pytest.raises(errors.UnreadWarnings):
            sealing.seal_orders(fields=wanted, seen=(), now=NOW, **asked)
    with pytest.raises(errors.IllegalOrders):
        sealing.seal_orders(fields=hands("C", "-", left_spell="missile"), now=NOW, **asked)
    with pytest.raises(errors.IllegalOrders):  # not a gesture, so this could never be sealed
        sealing.seal_orders(fields={"left": "Q"}, now=NOW, **asked)
    sealed = seal(duel, cast.ada, wanted, chance="0f" * 16)
    with pytest.raises(errors.StaleForm):
        sealing.seal_orders(fields=IDLE, now=LATER, **asked)
    play(duel, {cast.bram: IDLE}, now=LATER)
    own, others = (proofs.published_salts(duel, 1, each) for each in (cast.ada, cast.bram))
    assert own is not None
    assert others is not None
    if not duel.is_over:
        assert [each["code"] for each in own["rejected"]] == ["unwarned", "illegal_orders", "stale"]
        assert others["rejected"] == []
        endings.resign(duel_id=duel.pk, wizard=cast.ada, now=LATER)
    record = record_of(duel)
    rejected = record["turns"][0]["rejected"]
    assert [(each["code"], each["before"]) for each in rejected] == [
        ("unwarned", 0),
        ("illegal_orders", 0),
        ("stale", 1),
    ]
    assert rejected[0]["commitment"] == sealed.commitment
    assert rejected[0]["fields"]["chance"] == "0f" * 16
    assert "Must I?" not in json.dumps(rejected)
    assert "rejected seals 3" in examine(record).lines
    assert verify(record) == []
    assert RejectedSeal.objects.exclude(body__startswith="{").count() == 0
    RejectedSeal.objects.filter(code="stale").update(body="gAAAA")  # lose the key of this seal
    record = record_of(duel)
    assert record["turns"][0]["rejected"][2]["fields"] is None
    assert verify(record) == []


def test_migration_adds_recorded_draws_to_the_first_link_of_older_duels(cast: Cast):
    """The first link of these duels did not cover the recorded draws.

    Duels without recorded draws keep their links.
    """
    relink = import_module("duels.migrations.0002_second_release").link_with_record
    draws = {"turn 9 confusion w0 hand": 1}
    formats = []
    for recorded in (draws, None):
        duel = begin(cast.ada, cast.bram)
        Duel.objects.filter(pk=duel.pk).update(link_format=3, chain="", recorded_draws=recorded)
        relink(apps, None)
        play(duel, {cast.ada: IDLE, cast.bram: IDLE})
        endings.resign(duel_id=duel.pk, wizard=cast.ada, now=LATER)
        record = record_of(duel)
        formats.append((duel.link_format, record["version"], record["dice"]["kind"]))
        assert verify(record) == []
    assert formats == [(1, 4, "recorded"), (3, 3, "hmac")]
