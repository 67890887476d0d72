"""Tests that anyone can check the commitment of a seal, but only key holders can read the seal."""

import hashlib
import hmac
import json

import pytest
from cryptography.fernet import Fernet
from pytest_django import Settings

import engine.proof
from duels.errors import MissingKey
from duels.sealing import seals
from engine.proof.commitment import field_commitment, padded_commitments, seal_commitment

FIELDS = {"left": "W", "say": "Ah, «spells» ☂"}
PLACE = "duel 1 turn 2 wizard w0 orders 0 roll backs 0"
SEED = "5e" * 32


def new_seal(fields: dict[str, str], *, seed: str = SEED, before: int = 0, chance: str = ""):
    return seals.new_seal(fields, place=PLACE, seed=seed, earlier_seals=before, chance=chance)


def test_commitment_is_the_documented_hash():
    seal = new_seal(FIELDS)
    digests = []
    for name, value in [*FIELDS.items(), ("place", PLACE), ("chance", "")]:
        text = json.dumps([name, value], ensure_ascii=False, separators=(",", ":"))
        salted = bytes.fromhex(seal.salts[name]) + text.encode()
        digests.append(hashlib.sha256(salted).digest())
    for number in range(1, 32 - len(digests) + 1):
        text = f'["pad {number}",""]'
        digests.append(hashlib.sha256(bytes.fromhex(seal.salts["pad"]) + text.encode()).digest())
    assert seal.commitment == hashlib.sha256(b"".join(sorted(digests))).hexdigest()


def test_commitment_does_not_reveal_the_number_of_fields():
    """Hashes are padded to 32, 64 and so on, and no one can tell which of them belong to fields."""
    lengths = []
    for number in (0, 1, 30, 31, 32):
        seal = new_seal({f"victim:m{each}": "w0" for each in range(number)})
        lengths.append(len(padded_commitments(seal.hashes.values(), seal.salts)))
    assert lengths == [32, 32, 32, 64, 64]


def test_seal_without_padding_is_still_valid():
    salts = {"left": "00" * 32}
    whole = hashlib.sha256(field_commitment("00" * 32, "left", "W")).hexdigest()
    assert seal_commitment({"left": "W"}, salts) == whole


def test_every_field_of_a_seal_has_a_salt_of_256_bits():
    seal = new_seal(FIELDS)
    assert len(set(seal.salts.values())) == len(FIELDS) + 3  # place, random bytes, padding
    assert {len(bytes.fromhex(salt)) for salt in seal.salts.values()} == {32}


def test_salt_depends_on_the_seed_the_place_the_field_and_the_number_of_earlier_seals():
    """The test repeats the formula for salts, which leaves the site no choice."""
    seal = new_seal(FIELDS, before=2)
    for name in (*FIELDS, "place", "chance", "pad"):
        text = f'["salt","{PLACE}",2,"{name}"]'
        found = hmac.new(bytes.fromhex(SEED), text.encode(), hashlib.sha256).hexdigest()
        assert seal.salts[name] == found
    assert new_seal(FIELDS, before=2) == seal


def test_commitment_depends_on_the_seed_the_place_and_the_number_of_earlier_seals():
    made = [
        new_seal({}, before=before, seed=seed * 32) for before in (0, 1) for seed in ("aa", "bb")
    ]
    elsewhere = seals.new_seal({}, place="elsewhere", seed=SEED, earlier_seals=0)
    assert len({seal.commitment for seal in (*made, elsewhere, new_seal({}))}) == 6


def test_random_bytes_change_the_commitment_but_not_the_orders():
    chance = "0f" * 16
    assert new_seal(FIELDS, chance=chance).commitment != new_seal(FIELDS).commitment
    assert new_seal(FIELDS, chance=chance).orders == new_seal(FIELDS).orders == FIELDS
    assert (new_seal(FIELDS, chance=chance).chance, new_seal(FIELDS).chance) == (chance, "")


@pytest.mark.parametrize("number", [0, 5, 29, 30, 31])
def test_hashes_do_not_reveal_whether_random_bytes_were_sent(number: int):
    fields = {f"victim:m{each}": "w0" for each in range(number)}
    lengths = {
        len(padded_commitments(seal.hashes.values(), seal.salts))
        for seal in (new_seal(fields), new_seal(fields, chance="0f" * 16))
    }
    assert len(lengths) == 1


def test_seal_made_before_random_bytes_were_introduced_can_be_read():
    seal = seals.Seal({"left": "W", "place": "here"}, {"left": "00" * 32, "place": "11" * 32})
    assert seals.decrypt_seal(seals.encrypt_seal(seal)) == seal
    assert (seal.orders, seal.chance) == ({"left": "W"}, "")


@pytest.mark.parametrize("changed", [{"left": "P"}, {"left": "W", "right": "P"}, {}])
def test_commitment_does_not_match_other_orders(changed: dict[str, str]):
    seal = new_seal({"left": "W"})
    fields = {**changed, "place": PLACE, "chance": ""}
    salts = {name: seal.salts.get(name, "00" * 32) for name in fields}
    assert seal_commitment(fields, salts) != seal.commitment


def test_commitments_of_different_fields_are_different():
    salt = "00" * 32
    assert field_commitment(salt, "a", "bc") != field_commitment(salt, "ab", "c")


def test_seal_can_be_restored_from_its_encrypted_form():
    seal = new_seal(FIELDS)
    body = seals.encrypt_seal(seal)
    assert seals.decrypt_seal(body) == seal
    assert seals.decrypt_seal(body).orders == FIELDS
    assert seals.decrypt_seal(seals.decrypt_body(body)) == seal
    assert seals.decrypt_body(seals.decrypt_body(body)) == seals.decrypt_body(body)


def test_encrypted_seal_does_not_show_its_content():
    seal = new_seal({"say": "abracadabra"})
    assert "abracadabra" not in seals.encrypt_seal(seal)
    assert seal.salts["say"] not in seals.encrypt_seal(seal)
    assert "abracadabra" not in seals.encrypt_draft({"say": "abracadabra"})


def test_draft_can_only_be_read_with_the_key_that_encrypted_it(settings: Settings):
    old, new = Fernet.generate_key().decode(), Fernet.generate_key().decode()
    settings.SEAL_KEYS = [old]
    body = seals.encrypt_draft(FIELDS)
    settings.SEAL_KEYS = [new, old]
    assert seals.decrypt_draft(body) == FIELDS
    settings.SEAL_KEYS = [new]
    with pytest.raises(MissingKey):
        seals.decrypt_draft(body)


def test_hash_chain_depends_on_every_link():
    first = engine.proof.link("seed", {"ordinal": 1})
    assert engine.proof.link(first, {"ordinal": 2}) != engine.proof.link("seed", {"ordinal": 2})
    assert engine.proof.link("seed", {"ordinal": 2}) != first
