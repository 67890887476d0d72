"""Commitments can be checked by anyone; bodies can be read by nobody without the keys."""

import hashlib
import json

import pytest
from cryptography.fernet import Fernet
from pytest_django import Settings

from duels import seals
from duels.errors import KeyGone
from engine.commitment import field_commitment, filled_up, seal_commitment

FIELDS = {"left": "W", "say": "Ah, «spells» ☂"}


def test_a_commitment_is_the_hash_that_its_description_gives():
    seal = seals.new_seal(FIELDS, place="duel 1 turn 2 wizard w0 orders 0")
    digests = []
    for name, value in [*FIELDS.items(), ("place", "duel 1 turn 2 wizard w0 orders 0")]:
        text = json.dumps([name, value], ensure_ascii=False, separators=(",", ":"))
        salted = bytes.fromhex(seal.salts[name]) + text.encode()
        digests.append(hashlib.sha256(salted).digest())
    for number in range(1, 32 - len(digests) + 1):
        text = f'["pad {number}",""]'
        digests.append(hashlib.sha256(bytes.fromhex(seal.salts["pad"]) + text.encode()).digest())
    assert seal.commitment == hashlib.sha256(b"".join(sorted(digests))).hexdigest()


def test_the_number_of_fields_does_not_show_in_what_a_seal_commits_to():
    """Of 32, 64 … commitments nobody can tell which are of fields."""
    lengths = []
    for number in (0, 1, 30, 31, 32):
        seal = seals.new_seal({f"victim:m{each}": "w0" for each in range(number)}, place="here")
        lengths.append(len(filled_up(seal.hashes.values(), seal.salts)))
    assert lengths == [32, 32, 32, 32, 64]


def test_a_seal_that_was_made_without_filling_up_is_as_it_was():
    salts = {"left": "00" * 32}
    whole = hashlib.sha256(field_commitment("00" * 32, "left", "W")).hexdigest()
    assert seal_commitment({"left": "W"}, salts) == whole


def test_every_field_has_a_salt_of_its_own_of_256_bits():
    seal = seals.new_seal(FIELDS, place="here")
    assert len(set(seal.salts.values())) == len(FIELDS) + 2  # and the place, and what fills up
    assert {len(bytes.fromhex(salt)) for salt in seal.salts.values()} == {32}


def test_the_same_orders_never_have_the_same_commitment():
    assert len({seals.new_seal({}, place="here").commitment for _ in range(20)}) == 20


@pytest.mark.parametrize("changed", [{"left": "P"}, {"left": "W", "right": "P"}, {}])
def test_other_orders_do_not_fit_a_commitment(changed: dict[str, str]):
    seal = seals.new_seal({"left": "W"}, place="here")
    fields = {**changed, "place": "here"}
    salts = {name: seal.salts.get(name, "00" * 32) for name in fields}
    assert seal_commitment(fields, salts) != seal.commitment


def test_the_commitment_of_a_field_cannot_pass_for_another_fields():
    salt = "00" * 32
    assert field_commitment(salt, "a", "bc") != field_commitment(salt, "ab", "c")


def test_a_seal_is_restored_from_its_encrypted_body():
    seal = seals.new_seal(FIELDS, place="here")
    body = seals.closed(seal)
    assert seals.opened(body) == seal
    assert seals.opened(body).orders == FIELDS
    assert seals.opened(seals.unlocked(body)) == seal
    assert seals.unlocked(seals.unlocked(body)) == seals.unlocked(body)


def test_an_encrypted_body_does_not_show_its_content():
    seal = seals.new_seal({"say": "abracadabra"}, place="here")
    assert "abracadabra" not in seals.closed(seal)
    assert seal.salts["say"] not in seals.closed(seal)
    assert "abracadabra" not in seals.closed_draft({"say": "abracadabra"})


def test_an_old_key_opens_what_it_has_encrypted_and_no_other_does(settings: Settings):
    old, new = Fernet.generate_key().decode(), Fernet.generate_key().decode()
    settings.SEAL_KEYS = [old]
    body = seals.closed_draft(FIELDS)
    settings.SEAL_KEYS = [new, old]
    assert seals.opened_draft(body) == FIELDS
    settings.SEAL_KEYS = [new]
    with pytest.raises(KeyGone):
        seals.opened_draft(body)


def test_the_chain_depends_on_every_link():
    first = seals.chain_hash("seed", {"ordinal": 1})
    assert seals.chain_hash(first, {"ordinal": 2}) != seals.chain_hash("seed", {"ordinal": 2})
    assert seals.chain_hash("seed", {"ordinal": 2}) != first
