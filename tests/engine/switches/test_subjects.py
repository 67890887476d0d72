"""Tests of fields of rulesets and of spells' rows that concern the targets of spells and stabs."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

import engine.orders
import engine.play
from engine.positions.position import Position
from engine.rulesets import RULESETS
from engine.rulesets.choices import MissRule, OpponentRule, TwoStabs
from engine.spellbook import DefaultSubject, LegalSubjects
from tests.engine.board import (
    ADA,
    BRAM,
    CLEO,
    begun,
    duel,
    event_codes,
    made,
    play_turn,
    under_effects,
)
from tests.engine.changed_rulesets import (
    IN_EVERY_PLAY,
    IN_SEALED_AND_STEPWISE_PLAY,
    RULESET_OF_EACH_PLAY,
    THREE_TURNS,
    has_effect,
)


@pytest.mark.parametrize(
    ("legal", "options"),
    [
        (LegalSubjects.ANY, [ADA, BRAM, "m0", "L:w1", "R:w1", "nowhere"]),
        (LegalSubjects.WIZARDS, [ADA, BRAM, "nowhere"]),
        (LegalSubjects.OPPONENTS, [BRAM, "nowhere"]),
    ],
)
def test_ruleset_sets_the_legal_subjects_of_a_spell(
    publish_ruleset: Any, legal: LegalSubjects, options: list[str]
) -> None:
    """The order sheet offers exactly the subjects that `check` accepts. rules: R93"""
    ruleset = publish_ruleset({"anti_spell": {"legal": legal}})
    before = duel(begun("SP"), monsters=[{"kind": "ogre", "controller": BRAM}], ruleset=ruleset)
    flat = made("F -")
    offered = engine.play.sheet(before, ADA, engine.orders.from_fields(flat)).subjects["anti_spell"]
    assert [*offered.options] == options
    everybody = (ADA, BRAM, "m0", "L:w1", "R:w1", "nowhere")
    assert options == [
        id
        for id in everybody
        if not engine.play.check(
            before, ADA, engine.orders.from_fields({**flat, "left_subject": id})
        )
    ]


@pytest.mark.parametrize(
    ("legal", "broken"), [(LegalSubjects.ANY, ADA), (LegalSubjects.OPPONENTS, BRAM)]
)
def test_forced_hand_keeps_its_written_subject_only_if_legal(
    publish_ruleset: Any, legal: LegalSubjects, broken: str
) -> None:
    """rules: R93, R146"""
    ruleset = publish_ruleset({"anti_spell": {"legal": legal}})
    charm = {"charm_person": {"turns": 1, "caster": BRAM, "hand": "L"}}
    before = duel(begun("SP", effects=charm), ruleset=ruleset)
    after, events = play_turn(before, ada=made("D -", left_subject=ADA), bram={"charmed:w0.L": "F"})
    assert [e.wizard for e in events if isinstance(e, engine.events.Broke)] == [broken]
    assert after.turn == 2


@pytest.mark.parametrize(("raises", "standing"), [(True, "standing"), (False, "dead")])
def test_ruleset_decides_if_raise_dead_can_target_dead_wizards(
    publish_ruleset: Any, raises: bool, standing: str
) -> None:
    """rules: R54"""
    ruleset = publish_ruleset({"raise_dead": {"on_dead_wizards": raises}})
    before = duel(begun("DWWFW"), {}, {"state": "dead"}, ruleset=ruleset)
    flat = made("C C", both_subject=CLEO)
    sheet = engine.play.sheet(before, ADA, engine.orders.from_fields(flat))
    assert (CLEO in sheet.subjects["raise_dead"].options) == raises
    if raises:
        before, _ = play_turn(before, ada=flat)
    assert before.wizard(CLEO).standing == standing


@pytest.mark.parametrize(("nowhere", "subject"), [(True, "nowhere"), (False, BRAM)])
def test_default_orders_give_forced_spells_no_target_if_legal(
    publish_ruleset: Any, nowhere: bool, subject: str
) -> None:
    """rules: R8"""
    ruleset = publish_ruleset({"missile": {"nowhere": nowhere}})
    held = {"paralysis": {"turns": 1, "hand": "L", "letter": "D"}}
    before = duel(begun("S", effects=held), ruleset=ruleset)
    after, events = engine.play.resolve(
        before, {ADA: engine.play.default_orders(before, ADA)}, {}, engine.play.NoDice()
    )
    assert [e.subject for e in events if isinstance(e, engine.events.Cast)] == [subject]
    assert after.wizard(BRAM).damage == (0 if nowhere else 1)


@pytest.mark.parametrize(
    ("default", "stripped"), [(DefaultSubject.SELF, ADA), (DefaultSubject.OPPONENT, BRAM)]
)
def test_ruleset_sets_the_default_subject_of_remove_enchantment(
    publish_ruleset: Any, default: DefaultSubject, stripped: str
) -> None:
    """rules: R11"""
    ruleset = publish_ruleset({"remove_enchantment": {"default": default}})
    before = duel(
        begun("PDW", effects={"resist_heat": {}}), under_effects(resist_heat={}), ruleset=ruleset
    )
    after, _ = play_turn(before, ada=made("P -"))
    assert [w.id for w in after.wizards if not w.effects] == [stripped]


@pytest.mark.parametrize("ruleset", sorted(RULESETS))
def test_order_sheet_warns_about_charm_monster_without_a_monster(ruleset: str) -> None:
    """The default subject of Charm Monster is a wizard in every ruleset. rules: R12"""
    before = duel(begun("PSD"), ruleset=ruleset)
    subjects = engine.play.sheet(before, ADA, engine.orders.from_fields(made("D -"))).subjects
    note = "Charm Monster does nothing to a wizard: choose a monster."
    assert subjects["charm_monster"].note == note
    assert subjects["stab"].note == ""


def damage_after_adas_stab(position: Position, **more: str) -> list[int]:
    after, _ = play_turn(position, ada=made("> -", **more))
    return [wizard.damage for wizard in after.wizards]


@IN_EVERY_PLAY
@pytest.mark.parametrize(
    ("opponent", "hit"),
    [(OpponentRule.NEXT_SEAT, [0, 0, 1]), (OpponentRule.LOWEST_SEAT, [1, 0, 0])],
)
def test_ruleset_sets_the_default_opponent(
    publish_variant: Any, play: str, opponent: OpponentRule, hit: list[int]
) -> None:
    """Stabs, spells and monsters without a given target choose the default opponent. rules: R13"""
    ruleset = publish_variant(play, opponent=opponent)
    after, _ = play_turn(duel({}, {}, {}, ruleset=ruleset), bram=made("> -"))
    assert [wizard.damage for wizard in after.wizards] == hit
    after, _ = play_turn(duel({}, begun("S"), {}, ruleset=ruleset), bram=made("D -"))
    assert [wizard.damage for wizard in after.wizards] == hit
    goblin = {"kind": "goblin", "controller": BRAM}
    after, _ = play_turn(duel({}, {}, {}, monsters=[goblin], ruleset=ruleset))
    assert [wizard.damage for wizard in after.wizards] == hit


@IN_EVERY_PLAY
def test_stab_row_sets_the_damage_and_targets_of_stabs(publish_variant: Any, play: str) -> None:
    """rules: R17"""
    row = RULESET_OF_EACH_PLAY[play].stab
    deep = publish_variant(play, stab=replace(row, amount=4))
    assert damage_after_adas_stab(duel(ruleset=deep)) == [0, 4]
    free = publish_variant(play, stab=replace(row, legal=LegalSubjects.ANY, nowhere=True))
    assert damage_after_adas_stab(duel(ruleset=free), left_subject=ADA) == [1, 0]
    assert damage_after_adas_stab(duel(ruleset=free), left_subject="nowhere") == [0, 0]
    inward = publish_variant(
        play, stab=replace(row, legal=LegalSubjects.ANY, default=DefaultSubject.SELF)
    )
    assert damage_after_adas_stab(duel(ruleset=inward)) == [1, 0]


@IN_EVERY_PLAY
@pytest.mark.parametrize(
    ("change", "subject", "code"),
    [
        ({"legal": LegalSubjects.OTHERS}, ADA, "stab_self"),
        ({"nowhere": False}, "nowhere", "stab_nowhere"),
        ({"legal": LegalSubjects.WIZARDS}, "m0", "subject"),
        ({"on_corpses": False}, "m1", "subject"),
        ({"on_dead_wizards": False}, CLEO, "subject"),
    ],
)
def test_stab_row_excludes_targets(
    publish_variant: Any, play: str, change: Mapping[str, Any], subject: str, code: str
) -> None:
    """The order sheet does not offer an excluded target. rules: R17"""
    open_to_all = {
        "legal": LegalSubjects.ANY,
        "nowhere": True,
        "on_corpses": True,
        "on_dead_wizards": True,
    }
    monsters = [{"kind": "ogre", "controller": BRAM}, {"kind": "ogre", "state": "corpse"}]
    found = []
    for changes in (open_to_all, {**open_to_all, **change}):
        ruleset = publish_variant(play, stab=replace(RULESET_OF_EACH_PLAY[play].stab, **changes))
        before = duel({}, {}, {"state": "dead"}, monsters=monsters, ruleset=ruleset)
        orders = engine.orders.from_fields(made("> -", left_subject=subject))
        found.append([fault.code for fault in engine.play.check(before, ADA, orders)])
        if found[-1]:
            assert subject not in engine.play.sheet(before, ADA, orders).subjects["stab"].options
    assert found == [[], [code]]


@IN_EVERY_PLAY
@pytest.mark.parametrize(
    ("two_stabs", "subject"),
    [(TwoStabs.LEFT, BRAM), (TwoStabs.RIGHT, CLEO), (TwoStabs.REFUSED, "")],
)
def test_ruleset_decides_which_of_two_stabs_takes_effect(
    publish_variant: Any, play: str, two_stabs: TwoStabs, subject: str
) -> None:
    """Both stabs are recorded, except in stepwise play. rules: R16, W6"""
    before = duel({}, {}, {}, ruleset=publish_variant(play, two_stabs=two_stabs))
    flat = made("> >", left_subject=BRAM)
    if two_stabs is TwoStabs.RIGHT:
        flat = made("> >", right_subject=CLEO)
    faults = engine.play.check(before, ADA, engine.orders.from_fields(flat))
    assert {fault.code for fault in faults} == (set() if subject else {"two_stabs"})
    if subject:
        after, events = play_turn(before, ada=flat)
        assert [w.id for w in after.wizards if w.damage] == [subject]
        assert "knife_kept" in event_codes(events)
        kept = ">-" if two_stabs is TwoStabs.LEFT else "->"
        shown = kept if play == "stepwise" else ">>"
        assert after.wizard(ADA).left + after.wizard(ADA).right == shown


def test_ruleset_can_let_dice_choose_the_default_opponent(publish_ruleset: Any) -> None:
    """Dice choose among several opponents, but not if the orders name one. rules: R13, W3"""
    before = duel(begun("S"), {}, {}, ruleset=publish_ruleset(opponent=OpponentRule.DRAWN))
    dice = engine.play.RecordedDice(sequence=[1])
    after, events = play_turn(before, ada=made("D -"), dice=dice)
    (drew,) = [event for event in events if isinstance(event, engine.events.Drew)]
    assert (drew.label, drew.sides, drew.result) == ("turn 1 opponent w0 L", 2, CLEO)
    assert [each.damage for each in after.wizards] == [0, 0, 1]
    after, events = play_turn(before, ada=made("D -", left_subject=BRAM))
    assert [each.damage for each in after.wizards] == [0, 1, 0]


@pytest.mark.parametrize("misses", MissRule)
def test_ruleset_decides_which_spells_miss_invisible_wizards(
    publish_ruleset: Any, misses: MissRule
) -> None:
    """If every aimed spell misses, not only damage, then blind wizards also miss.

    rules: R94, R95, W33
    """
    aimed = misses is MissRule.ALL_AIMED
    ruleset = publish_ruleset(misses=misses)
    unseen = under_effects(invisibility=THREE_TURNS)
    after, _ = play_turn(duel(begun("DS", "S"), unseen, ruleset=ruleset), ada=made("F D"))
    assert has_effect(after, BRAM, "confusion") == (not aimed)
    assert after.wizard(BRAM).damage == 0
    blind = begun("S", effects={"blindness": THREE_TURNS})
    after, _ = play_turn(duel(blind, ruleset=ruleset), ada=made("D >"))
    assert after.wizard(BRAM).damage == (0 if aimed else 2)


@IN_SEALED_AND_STEPWISE_PLAY
@pytest.mark.parametrize("told", [True, False])
def test_ruleset_decides_if_opponents_see_casts_by_invisible_wizards(
    publish_variant: Any, play: str, told: bool
) -> None:
    """rules: R95, W33"""
    ruleset = publish_variant(play, unseen_casts_told=told)
    before = duel(begun("S", effects={"invisibility": THREE_TURNS}), ruleset=ruleset)
    after, events = play_turn(before, ada=made("D -"))
    view = engine.play.view(
        engine.play.History((engine.play.Turn(1, before, events),), after), BRAM
    )
    seen = [event.code for event in view.turns[0].events]
    assert ("cast" in seen) == told
    assert "hit" in seen
