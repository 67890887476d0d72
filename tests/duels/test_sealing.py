"""Sealing orders, replacing seals, taking them back, and drafts. Rejected input is not stored."""

from typing import Any

import pytest
from django.db import transaction

import engine.proof
from duels import errors
from duels.commands import endings, resolution, sealing
from duels.loaded.loading import load_turn
from duels.models import Draft, Duel, Orders, Wizard
from duels.queries import pages
from duels.sealing import seals, seeds
from tests.cast import (
    LATER,
    NOW,
    Cast,
    begin,
    count_missing_wizards,
    hands,
    open_turn,
    play,
    seal,
    seat,
)
from tests.duels import duel_rows


@pytest.fixture
def duel(ada: Wizard, bram: Wizard) -> Duel:
    return begin(ada, bram)


def valid_orders(duel: Duel, wizard: Wizard) -> Orders:
    return Orders.objects.get(turn__duel=duel, seat__wizard=wizard, superseded=False)


def test_seal_is_stored_and_the_turn_waits_for_the_other_wizard(
    duel: Duel, ada: Wizard, bram: Wizard
):
    orders = seal(duel, ada, hands("W", "P"))
    assert seals.decrypt_seal(orders.body).orders["left"] == "W"
    assert orders.commitment == seals.decrypt_seal(orders.body).commitment
    assert not seat(duel, ada).awaited
    assert seat(duel, bram).awaited
    assert count_missing_wizards(open_turn(duel)) == 1
    assert [row.duel for row in duel_rows.duels_awaiting(bram, NOW)] == [duel]
    assert duel_rows.duels_awaiting(ada, NOW) == ()


def test_encrypted_seal_names_its_duel_turn_and_wizard(duel: Duel, ada: Wizard):
    orders = seal(duel, ada, hands("W", "P"))
    place = seals.decrypt_seal(orders.body).fields["place"]
    assert place == f"duel {duel.pk} turn 1 wizard w0 orders 0 roll backs 0"


OWN_CHANCE = "0123456789abcdef" * 2


def test_salts_depend_on_the_seed_the_place_and_the_number_of_earlier_seals(
    duel: Duel, ada: Wizard
):
    """Seals that were taken back are also counted, so the site cannot choose salts."""
    found: list[Orders] = []
    for letter in "WFD":
        form_seal = found[-1].commitment if found else ""
        found.append(seal(duel, ada, hands(letter, "-"), form_seal=form_seal, chance=OWN_CHANCE))
    duel.refresh_from_db()
    for before, row in enumerate(found):
        sealed = seals.decrypt_seal(row.body)
        place = f"duel {duel.pk} turn 1 wizard w0 orders 0 roll backs 0"
        expected = engine.proof.field_salts(seeds.seed_of(duel), place, before, sealed.fields)
        assert sealed.salts == expected
        assert sealed.fields == {
            "left": "WFD"[before],
            "right": "-",
            "place": place,
            "chance": OWN_CHANCE,
        }


def test_sealing_the_same_orders_with_other_random_bytes_changes_nothing(duel: Duel, ada: Wizard):
    first = seal(duel, ada, hands("W", "P"), chance=OWN_CHANCE)
    for chance in ("ff" * 16, "", OWN_CHANCE):
        assert seal(duel, ada, hands("W", "P"), form_seal="other", chance=chance) == first
    assert Orders.objects.count() == 1
    assert seals.decrypt_seal(first.body).chance == OWN_CHANCE


@pytest.mark.parametrize(
    "chance", ["0", "g" * 32, "0F" * 16, "00" * 17, OWN_CHANCE + "\n", "x" * 9999]
)
def test_malformed_random_bytes_are_rejected_with_the_name_of_the_field(
    duel: Duel, ada: Wizard, chance: str
):
    with pytest.raises(errors.IllegalOrders) as refused:
        seal(duel, ada, hands("W", "P"), chance=chance)
    (fault,) = refused.value.faults
    assert (fault.code, fault.field) == ("invalid_chance", "chance")
    assert "“chance” must be empty or have 32 hexadecimal digits" in fault.text
    assert refused.value.fields == hands("W", "P")
    assert not Orders.objects.exists()


def test_draws_depend_on_random_bytes_from_browsers(duel: Duel, ada: Wizard, bram: Wizard):
    """With the same seed and orders, different bytes from a browser lead to different draws."""
    drawn = set()
    for chance in ("", OWN_CHANCE, "ff" * 16):
        with transaction.atomic():
            seal(duel, ada, hands("W", "P"), chance=chance)
            seal(duel, bram, hands("S", "D"))
            dice = load_turn(open_turn(duel).pk).dice  # type: ignore[union-attr]  # it exists
            drawn.add(tuple(dice.draw(f"throw {number}", 6) for number in range(30)))
            transaction.set_rollback(True)
    assert len(drawn) == 3


def test_sealing_the_same_orders_again_changes_nothing(duel: Duel, ada: Wizard):
    first = seal(duel, ada, hands("W", "P"))
    again = seal(duel, ada, hands("W", "P", say=""), form_seal="whatever", now=LATER)
    assert (again.pk, again.sealed_at) == (first.pk, NOW)
    assert Orders.objects.count() == 1


def test_new_orders_replace_the_seal_and_the_old_one_is_kept(duel: Duel, ada: Wizard):
    first = seal(duel, ada, hands("W", "P"))
    second = seal(duel, ada, hands("S", "P"), form_seal=first.commitment, now=LATER)
    first.refresh_from_db()
    assert (first.superseded, second.superseded) == (True, False)
    assert first.commitment != second.commitment
    assert valid_orders(duel, ada) == second


def test_sealing_earlier_orders_again_makes_a_new_commitment(duel: Duel, ada: Wizard):
    one = seal(duel, ada, hands("W", "P"))
    two = seal(duel, ada, hands("S", "P"), form_seal=one.commitment)
    three = seal(duel, ada, hands("W", "P"), form_seal=two.commitment)
    assert len({one.commitment, two.commitment, three.commitment}) == 3


@pytest.mark.parametrize("form_seal", ["", "f" * 64])
def test_stale_form_is_rejected_with_both_versions_of_the_orders(
    duel: Duel, ada: Wizard, form_seal: str
):
    sealed = seal(duel, ada, hands("W", "P", say="mine"))
    with pytest.raises(errors.StaleForm) as stale:
        seal(duel, ada, hands("S", "P", say="typed"), form_seal=form_seal)
    assert stale.value.current.fields["say"] == "mine"
    assert stale.value.current.seal == sealed.commitment
    assert stale.value.yours.fields["say"] == "typed"
    assert valid_orders(duel, ada) == sealed


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        (hands(">", ">"), "right"),
        (hands(">", "W", left_subject="w0"), "left_subject"),
        (hands("W", "P", left_spell="finger_of_death"), "left_spell"),
        (hands("P", "W", left_subject="w7"), "left_subject"),
        (hands("W", "W", **{"victim:m3": "w0"}), "victim:m3"),
        (hands("W", "W", **{"charmed:w1.L": "P"}), "charmed:w1.L"),
        (hands("X", "W"), "left"),
        (hands("WP", "W"), "left"),
        (hands("W", "W", colour="red"), "colour"),
        (hands("W", "W", say="x" * 501), "say"),
        (hands("W", "W", **{"answer:elemental": "wood"}), "answer:elemental"),
    ],
)
def test_illegal_orders_are_rejected_and_not_stored(
    duel: Duel, ada: Wizard, fields: dict[str, str], field: str
):
    with pytest.raises(errors.IllegalOrders) as illegal:
        seal(duel, ada, fields)
    assert field in {fault.field for fault in illegal.value.faults}
    assert all(fault.rule and fault.text and fault.code for fault in illegal.value.faults)
    assert illegal.value.fields == fields
    assert not Orders.objects.exists()
    assert seat(duel, ada).awaited


def test_earlier_seal_is_kept_if_new_orders_are_rejected(duel: Duel, ada: Wizard):
    sealed = seal(duel, ada, hands("W", "P"))
    with pytest.raises(errors.IllegalOrders):
        seal(duel, ada, hands(">", ">"), form_seal=sealed.commitment)
    assert valid_orders(duel, ada) == sealed


def test_order_value_that_is_not_a_string_is_rejected(duel: Duel, ada: Wizard):
    fields: Any = {"left": ["W"], "right": None}
    with pytest.raises(errors.IllegalOrders):
        seal(duel, ada, fields)


def test_only_players_of_a_duel_can_seal_in_it(duel: Duel, cast: Cast):
    turn = open_turn(duel)
    for call in (
        lambda: seal(duel, cast.dorn, hands("W", "P")),
        lambda: sealing.unseal(turn_id=turn.pk, wizard=cast.dorn, now=NOW),
        lambda: sealing.save_draft(turn_id=turn.pk, wizard=cast.dorn, fields={}, now=NOW),
        lambda: sealing.answer_questions(
            turn_id=turn.pk, wizard=cast.dorn, answers={}, form_seal="", batch=1, now=NOW
        ),
    ):
        with pytest.raises(errors.Refused) as refused:
            call()
        assert refused.value.code == "not_your_duel"
    assert not Orders.objects.exists()


def test_sealing_orders_for_an_unknown_turn_is_rejected(ada: Wizard):
    with pytest.raises(errors.Refused) as refused:
        sealing.seal_orders(turn_id=404, wizard=ada, fields={}, form_seal="", now=NOW)
    assert refused.value.code == "no_such_turn"


def test_new_orders_for_a_played_turn_are_rejected(duel: Duel, ada: Wizard, bram: Wizard):
    turn = play(duel, {ada: hands("W", "P"), bram: hands("W", "P")})
    arguments: dict[str, Any] = {"turn_id": turn.pk, "wizard": ada, "now": NOW}
    with pytest.raises(errors.Refused) as refused:
        sealing.seal_orders(**arguments, fields=hands("S", "S"), form_seal="")
    assert refused.value.code == "turn_over"
    # a double click sends the same orders twice and gets the same response
    again = sealing.seal_orders(**arguments, fields=hands("W", "P"), form_seal="")
    assert again.turn == turn
    for call in (
        lambda: sealing.unseal(**arguments),
        lambda: sealing.save_draft(**arguments, fields=hands("S", "S")),
    ):
        with pytest.raises(errors.Refused) as refused:
            call()
        assert refused.value.code == "turn_over"


def test_orders_after_the_end_of_the_duel_are_rejected(duel: Duel, ada: Wizard, bram: Wizard):
    turn = open_turn(duel)
    endings.resign(duel_id=duel.pk, wizard=bram, now=NOW)
    with pytest.raises(errors.Refused) as refused:
        sealing.seal_orders(
            turn_id=turn.pk, wizard=ada, fields=hands("W", "W"), form_seal="", now=NOW
        )
    assert refused.value.code == "duel_not_running"


def test_seal_can_be_taken_back_and_made_again(duel: Duel, ada: Wizard, bram: Wizard):
    sealed = seal(duel, ada, hands("W", "P"))
    turn = open_turn(duel)
    for _ in range(2):
        taken = sealing.unseal(turn_id=turn.pk, wizard=ada, now=LATER)
        assert (taken.pk, taken.taken_back_at) == (sealed.pk, LATER)
    assert seat(duel, ada).awaited
    assert count_missing_wizards(open_turn(duel)) == 2
    seal(duel, bram, hands("W", "P"))
    assert not resolution.resolve_turn(turn_id=turn.pk)
    page = pages.duel_page(duel, ada)
    assert page.live_orders
    assert page.live_orders.taken_back
    assert page.draft["left"] == "W"
    again = seal(duel, ada, hands("W", "P"), form_seal=page.form_seal, now=LATER)
    assert again.commitment != sealed.commitment
    assert resolution.resolve_turn(turn_id=turn.pk)


def test_orders_that_were_taken_back_are_stored_but_do_not_count_as_sealed(duel: Duel, ada: Wizard):
    sealed = seal(duel, ada, hands("W", "P"))
    sealing.unseal(turn_id=open_turn(duel).pk, wizard=ada, now=LATER)
    assert valid_orders(duel, ada) == sealed
    assert not valid_orders(duel, ada).is_sealed


def test_taking_back_a_seal_that_does_not_exist_is_rejected(duel: Duel, ada: Wizard):
    with pytest.raises(errors.Refused) as refused:
        sealing.unseal(turn_id=open_turn(duel).pk, wizard=ada, now=NOW)
    assert refused.value.code == "not_sealed"


def test_draft_is_encrypted_and_shown_only_to_its_owner(duel: Duel, ada: Wizard, bram: Wizard):
    turn = open_turn(duel)
    fields = hands(">", ">", say="not sure yet")
    for _ in range(2):
        sealing.save_draft(turn_id=turn.pk, wizard=ada, fields=fields, now=NOW)
    draft = Draft.objects.get()
    assert "not sure" not in draft.body
    assert pages.duel_page(duel, ada).draft == fields
    assert pages.duel_page(duel, bram).draft == {}
    assert seat(duel, ada).awaited


def test_sealing_deletes_the_draft(duel: Duel, ada: Wizard):
    turn = open_turn(duel)
    sealing.save_draft(turn_id=turn.pk, wizard=ada, fields=hands("S", "S"), now=NOW)
    seal(duel, ada, hands("W", "P"))
    assert not Draft.objects.exists()
    assert pages.duel_page(duel, ada).draft["left"] == "W"


def test_invalid_draft_is_rejected(duel: Duel, ada: Wizard):
    with pytest.raises(errors.IllegalOrders):
        sealing.save_draft(
            turn_id=open_turn(duel).pk, wizard=ada, fields={"left": "x" * 900}, now=NOW
        )
    assert not Draft.objects.exists()


def test_answers_before_any_question_are_rejected(duel: Duel, ada: Wizard):
    with pytest.raises(errors.Refused) as refused:
        sealing.answer_questions(
            turn_id=open_turn(duel).pk,
            wizard=ada,
            answers={"q": "L"},
            form_seal="",
            batch=1,
            now=NOW,
        )
    assert refused.value.code == "not_asked"
