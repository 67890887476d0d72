"""Tests of fields of rulesets and of spells' rows that concern banked spells."""

from typing import Any

import pytest

import engine.orders
import engine.play
from engine.ids import future_being_id
from engine.rulesets.choices import CaptureRule, FullBank
from engine.spellbook import Duration
from tests.engine.board import ADA, BRAM, begun, duel, event_codes, made, play_turn
from tests.engine.changed_rulesets import IN_SEALED_AND_STEPWISE_PLAY, THREE_TURNS


@pytest.mark.parametrize(
    ("spell", "ignores", "damage"),
    [
        ("fireball", False, 0),
        ("fireball", True, 5),
        ("missile", True, 0),  # Counter-spell is a shield as well
        # Counter-spell does not stop the storm, but spares its subject. rules: R180
        ("ice_storm", True, 0),
    ],
)
def test_ruleset_decides_if_counter_spell_stops_a_released_spell(
    publish_ruleset: Any, spell: str, ignores: bool, damage: int
) -> None:
    """rules: R105"""
    ruleset = publish_ruleset(release_ignores_counter=ignores)
    before = duel({"bank": spell}, begun("WP"), ruleset=ruleset)
    after, _ = play_turn(
        before, ada={"release": "yes"}, bram=made("P -", left_spell="counter_spell")
    )
    assert after.wizard(BRAM).damage == damage


@pytest.mark.parametrize(("ignores", "hurt"), [(False, BRAM), (True, ADA)])
def test_ruleset_decides_if_counter_spell_stops_a_released_mirror(
    publish_ruleset: Any, ignores: bool, hurt: str
) -> None:
    """If Counter-spell cannot stop releases, the mirror reflects the Finger of Death at its caster.

    rules: R37, R105
    """
    ruleset = publish_ruleset(release_ignores_counter=ignores)
    before = duel(begun("PWPFSSS"), {"bank": "magic_mirror", **begun("WP")}, ruleset=ruleset)
    guards = made("P -", left_spell="counter_spell", release="yes")
    after, _ = play_turn(before, ada=made("D -", left_spell="finger_of_death"), bram=guards)
    assert [w.id for w in after.wizards if w.standing == "dead"] == [hurt]


@pytest.mark.parametrize(("ignores", "banked"), [(False, ""), (True, "cause_heavy_wounds")])
def test_released_delay_captures_a_spell_unless_counter_spell_stops_it(
    publish_ruleset: Any, ignores: bool, banked: str
) -> None:
    """A released Delayed Effect can capture a spell in the same turn. rules: R102, R105"""
    ruleset = publish_ruleset(release_ignores_counter=ignores)
    before = duel(begun("WPF"), {"bank": "delayed_effect"}, begun("WP"), ruleset=ruleset)
    after, _ = play_turn(
        before,
        ada=made("D -"),
        bram={"release": "yes", "release_subject": ADA},
        cleo=made("P -", left_spell="counter_spell", left_subject=ADA),
    )
    assert after.wizard(ADA).bank == banked


@pytest.mark.parametrize(
    ("lasts", "banked"), [(Duration.FOUR_TURNS, "missile"), (Duration.THREE_TURNS, "")]
)
def test_ruleset_decides_if_delayed_effect_banks_a_spell_of_its_own_turn(
    publish_ruleset: Any, lasts: Duration, banked: str
) -> None:
    """rules: R102"""
    ruleset = publish_ruleset({"delayed_effect": {"lasts": lasts}})
    before = duel(begun("DWSSS", "----S"), ruleset=ruleset)
    after, _ = play_turn(before, ada=made("P D", left_spell="delayed_effect"))
    assert after.wizard(ADA).bank == banked
    assert ("delayed_effect" in after.wizard(ADA).effects) == (not banked)


@pytest.mark.parametrize(
    ("lasts", "permanent"), [(Duration.FOUR_TURNS, True), (Duration.THREE_TURNS, False)]
)
def test_ruleset_decides_if_permanency_extends_a_spell_of_its_own_turn(
    publish_ruleset: Any, lasts: Duration, permanent: bool
) -> None:
    """rules: R102"""
    ruleset = publish_ruleset({"permanency": {"lasts": lasts}})
    before = duel(begun("SPFPSD", "---WW-"), ruleset=ruleset)
    before, _ = play_turn(duel(begun("SPFPSD", "----WW"), ruleset=ruleset), ada=made("W P"))
    assert before.wizard(ADA).effects["protection_from_evil"].permanent == permanent


@pytest.mark.parametrize(("keeps", "subject"), [(False, ""), (True, "m0")])
def test_ruleset_decides_if_a_bank_keeps_a_monster_being_made_as_subject(
    publish_ruleset: Any, keeps: bool, subject: str
) -> None:
    """rules: W34, R14"""
    ruleset = publish_ruleset(bank_keeps_subject=keeps)
    before = duel(
        begun("S", effects={"delayed_effect": {"turns": 2}}), begun("SF"), ruleset=ruleset
    )
    banking = made("D -", left_subject=future_being_id(BRAM, "L", 1))
    after, _ = play_turn(before, ada=banking, bram=made("W -"))
    assert (after.wizard(ADA).bank, after.wizard(ADA).bank_subject) == ("missile", subject)


@IN_SEALED_AND_STEPWISE_PLAY
@pytest.mark.parametrize(
    ("full_bank", "banked", "damage"),
    [(FullBank.KEEPS, "fireball", 1), (FullBank.REPLACES, "missile", 0)],
)
def test_ruleset_decides_if_a_full_bank_keeps_its_spell(
    publish_variant: Any, play: str, full_bank: FullBank, banked: str, damage: int
) -> None:
    """rules: R104"""
    ruleset = publish_variant(play, full_bank=full_bank)
    ada = begun("S", bank="fireball", effects={"delayed_effect": {"turns": 2}})
    before = duel(ada, ruleset=ruleset)
    flat = made("D -")
    captures = engine.play.sheet(before, ADA, engine.orders.from_fields(flat)).captures
    assert bool(captures) == (full_bank is FullBank.REPLACES)
    after, events = play_turn(before, ada=flat)
    assert after.wizard(ADA).bank == banked
    assert after.wizard(BRAM).damage == damage
    assert ("removed" in event_codes(events)) == (full_bank is FullBank.REPLACES)


@IN_SEALED_AND_STEPWISE_PLAY
def test_spell_goes_into_an_empty_bank_even_if_a_full_bank_keeps_its_spell(
    publish_variant: Any, play: str
) -> None:
    """rules: R103, R104"""
    ada = begun("S", effects={"delayed_effect": {"turns": 2}})
    before = duel(ada, ruleset=publish_variant(play, full_bank=FullBank.KEEPS))
    after, _ = play_turn(before, ada=made("D -"))
    assert after.wizard(ADA).bank == "missile"


def test_ruleset_decides_if_a_spell_can_be_banked_on_a_turn_of_release(
    publish_variant: Any,
) -> None:
    """rules: R104"""
    for full_bank, banked in ((FullBank.KEEPS, ""), (FullBank.REPLACES, "missile")):
        ada = begun("S", bank="fireball", effects={"delayed_effect": {"turns": 2}})
        before = duel(ada, ruleset=publish_variant("sealed", full_bank=full_bank))
        after, _ = play_turn(before, ada=made("D -", release="yes"))
        assert after.wizard(ADA).bank == banked
        assert after.wizard(BRAM).damage == (5 if banked else 6)


def test_second_short_bolt_is_not_banked_if_it_fizzles(publish_variant: Any) -> None:
    """rules: R18, R103"""
    ada = begun("WDD", "---", used_bolt=True, effects={"delayed_effect": {"turns": 2}})
    before = duel(ada, ruleset=publish_variant("sealed", spent_fizzles=True))
    after, _ = play_turn(before, ada=made("C C"))
    assert after.wizard(ADA).bank == ""
    assert "delayed_effect" in after.wizard(ADA).effects


@IN_SEALED_AND_STEPWISE_PLAY
@pytest.mark.parametrize(("ignores", "damage"), [(True, 5), (False, 0)])
def test_ruleset_decides_if_counter_spell_stops_released_spells_in_each_order(
    publish_variant: Any, play: str, ignores: bool, damage: int
) -> None:
    """rules: R105"""
    ruleset = publish_variant(play, release_ignores_counter=ignores)
    before = duel({"bank": "fireball"}, begun("WP"), ruleset=ruleset)
    guard = made("P -", left_spell="counter_spell", left_subject=BRAM)
    after, _ = play_turn(before, ada={"release": "yes", "release_subject": BRAM}, bram=guard)
    assert after.wizard(BRAM).damage == damage


@IN_SEALED_AND_STEPWISE_PLAY
def test_counter_spell_stops_gestured_spells_even_if_it_ignores_releases(
    publish_variant: Any, play: str
) -> None:
    """rules: R37, R105"""
    ruleset = publish_variant(play, release_ignores_counter=True)
    before = duel(begun("FSSD"), begun("WP"), ruleset=ruleset)
    guard = made("P -", left_spell="counter_spell", left_subject=BRAM)
    after, _ = play_turn(before, ada=made("D -", left_subject=BRAM), bram=guard)
    assert after.wizard(BRAM).damage == 0


@pytest.mark.parametrize("keeps", [True, False])
@pytest.mark.parametrize(("begun_with", "last"), [("PDW", "P -"), ("CDP", "W -")])
def test_ruleset_decides_if_removal_spells_empty_a_bank(
    publish_ruleset: Any, keeps: bool, begun_with: str, last: str
) -> None:
    """The same field applies to Remove Enchantment and Dispel Magic. rules: R53, W30, W32"""
    ada = begun(begun_with, "C--" if last[0] == "W" else "---")
    before = duel(ada, {"bank": "fireball"}, ruleset=publish_ruleset(keeps_bank=keeps))
    after, _ = play_turn(before, ada=made(last, left_subject=BRAM))
    assert after.wizard(BRAM).bank == ("fireball" if keeps else "")


@pytest.mark.parametrize("capture", CaptureRule)
def test_ruleset_decides_if_a_window_captures_only_marked_spells(
    publish_ruleset: Any, capture: CaptureRule
) -> None:
    """rules: R103, R107, W34, W35"""
    marked = capture is CaptureRule.MARKED
    ruleset = publish_ruleset(capture=capture)
    delayed = begun("S", effects={"delayed_effect": THREE_TURNS})
    after, _ = play_turn(duel(delayed, ruleset=ruleset), ada=made("D -"))
    assert after.wizard(ADA).bank == ("" if marked else "missile")
    after, _ = play_turn(duel(delayed, ruleset=ruleset), ada=made("D -", bank="L"))
    assert after.wizard(ADA).bank == "missile"
    lasting = begun("WW", effects={"permanency": THREE_TURNS})
    after, _ = play_turn(duel(lasting, ruleset=ruleset), ada=made("P -"))
    assert after.wizard(ADA).effects["protection_from_evil"].permanent == (not marked)
    after, _ = play_turn(duel(lasting, ruleset=ruleset), ada=made("P -", permanency="L"))
    assert after.wizard(ADA).effects["protection_from_evil"].permanent


@pytest.mark.parametrize("keeps", [True, False])
def test_ruleset_decides_if_a_banked_spell_keeps_its_subject(
    publish_ruleset: Any, keeps: bool
) -> None:
    """rules: spell:delayed_effect, W34"""
    ruleset = publish_ruleset(bank_keeps_subject=keeps)
    before = duel(begun("S", effects={"delayed_effect": THREE_TURNS}), ruleset=ruleset)
    between, _ = play_turn(before, ada=made("D -", left_subject=ADA))
    assert between.wizard(ADA).bank_subject == (ADA if keeps else "")
    after, _ = play_turn(between, ada={"release": "yes"})
    assert (after.wizard(ADA).damage, after.wizard(BRAM).damage) == ((1, 0) if keeps else (0, 1))


@IN_SEALED_AND_STEPWISE_PLAY
@pytest.mark.parametrize("public", [True, False])
def test_ruleset_decides_if_opponents_see_banked_spells(
    publish_variant: Any, play: str, public: bool
) -> None:
    """rules: R147, W34"""
    before = duel({"bank": "fireball"}, ruleset=publish_variant(play, bank_is_public=public))
    view = engine.play.view(engine.play.History((), before), BRAM)
    (shown,) = [being.bank for being in view.status if being.id == ADA]
    assert shown == ("fireball" if public else "")
