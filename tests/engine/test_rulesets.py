"""Tests of the spellbooks: every row of bartle-1, how the others differ, and rejected books."""

from collections.abc import Mapping
from dataclasses import MISSING, asdict, fields, replace
from typing import Any

import pytest

from engine.rulesets import BARTLE_1, RULESETS
from engine.rulesets.choices import (
    NUMBERED,
    STEPWISE,
    CaptureRule,
    DefaultVictim,
    FullBank,
    HandNamingTime,
    HasteMode,
    MindTiming,
    MissRule,
    OpponentRule,
    Preference,
    QuestionMode,
    StoppedSightMode,
    TwoStabs,
)
from engine.rulesets.ruleset import make_ruleset
from engine.spellbook import (
    BARTLE_SPELLBOOK,
    AffectedBeings,
    CasterDecision,
    DefaultSubject,
    Duration,
    LegalSubjects,
    Spell,
    SpellClass,
)

# Copy of Bartle's book for comparison, in order of gestures: id, class, default subject.
EXPECTED_BOOK = """
cDPW      dispel_magic          protection   self
cSWWS     summon_elemental      summons      self
cw        magic_mirror          protection   self
DFFDD     lightning_bolt        damaging     opponent
DFPW      cure_heavy_wounds     protection   self
DFW       cure_light_wounds     protection   self
DPP       amnesia               enchantment  opponent
DSF       confusion             enchantment  opponent
DSFFFc    disease               enchantment  opponent
DWFFd     blindness             enchantment  opponent
DWSSSP    delayed_effect        enchantment  self
DWWFWc    raise_dead            protection   self
DWWFWD    poison                enchantment  opponent
FFF       paralysis             enchantment  opponent
FPSFW     summon_troll          summons      self
FSSDD     fireball              damaging     opponent
P         shield                protection   self
PDWP      remove_enchantment    protection   self
PPws      invisibility          enchantment  self
PSDD      charm_monster         enchantment  opponent
PSDF      charm_person          enchantment  opponent
PSFW      summon_ogre           summons      self
PWPFSSSD  finger_of_death       damaging     opponent
PWPWWc    haste                 enchantment  self
SD        missile               damaging     opponent
SFW       summon_goblin         summons      self
SPF       anti_spell            enchantment  opponent
SPFPSDW   permanency            enchantment  self
SPPc      time_stop             enchantment  self
SSFP      resist_cold           enchantment  self
SWD       fear                  enchantment  opponent
SWWc      fire_storm            damaging     none
WDDc      lightning_bolt        damaging     opponent
WFP       cause_light_wounds    damaging     opponent
WFPSFW    summon_giant          summons      self
WPFD      cause_heavy_wounds    damaging     opponent
WPP       counter_spell         protection   self
WSSc      ice_storm             damaging     none
WWFP      resist_heat           enchantment  self
WWP       protection_from_evil  enchantment  self
WWS       counter_spell         protection   self
"""
EXPECTED_ROWS = [line.split() for line in EXPECTED_BOOK.split("\n") if line]
BARTLE_SPELLS = BARTLE_1.spells


def fields_of_row(spell: Spell, **changes: Any) -> Mapping[str, object]:
    """Return the fields of a row with these changes, for comparison with other rows."""
    return asdict(replace(spell, **changes))


def set_of_ids(*names: str) -> set[str]:
    return set(names)


def test_bartles_book_has_39_spells_and_41_sequences() -> None:
    assert len(EXPECTED_ROWS) == len(BARTLE_1.completables) == 41
    assert len(BARTLE_SPELLS) == len({row[1] for row in EXPECTED_ROWS}) == 39


@pytest.mark.parametrize("row", EXPECTED_ROWS, ids=[row[0] for row in EXPECTED_ROWS])
def test_every_gesture_sequence_completes_its_spell(row: list[str]) -> None:
    pattern, id, class_, default = row
    (found,) = [c for c in BARTLE_1.completables if c.pattern == pattern]
    assert found.spell is BARTLE_SPELLS[id]
    assert (found.spell.class_.value, found.spell.default.value) == (class_, default)
    assert found.spell.rule == f"spell:{id}"
    assert found.both == (pattern[-1] in "cwsd")
    assert found.once == (pattern == "WDDc")  # rules: R18


def test_spells_have_these_points_of_damage_and_cure() -> None:
    assert {id: spell.amount for id, spell in BARTLE_SPELLS.items() if spell.amount} == {
        "missile": 1, "cause_light_wounds": 2, "cause_heavy_wounds": 3, "lightning_bolt": 5,
        "fireball": 5, "fire_storm": 5, "ice_storm": 5,
        "cure_light_wounds": 1, "cure_heavy_wounds": 2, "raise_dead": 5,
    }  # fmt: skip


def test_spells_affect_these_kinds_of_beings() -> None:
    works = {
        kind: {id for id, spell in BARTLE_SPELLS.items() if spell.works is kind}
        for kind in AffectedBeings
        if kind is not AffectedBeings.ALL
    }
    summons = {id for id, spell in BARTLE_SPELLS.items() if spell.class_ is SpellClass.SUMMONS}
    assert works == {
        AffectedBeings.WIZARDS: set_of_ids(
            "charm_person", "fear", "anti_spell", "delayed_effect", "permanency"
        ),
        AffectedBeings.MONSTERS: set(),
        AffectedBeings.BEASTS: set_of_ids("charm_monster"),
        AffectedBeings.EARTHLY: set_of_ids("amnesia", "confusion", "paralysis") | summons,
    }


WARLOCKS_DURATIONS = (Duration.THREE_FROM_NOW, Duration.SEVEN_TURNS)


def test_enchantments_of_warlocks_last_this_long() -> None:
    """rules: W9, W29, W31"""
    rows = RULESETS["warlocks-1"].spells
    lasts = {
        kind: {id for id, row in rows.items() if row.lasts is kind} for kind in WARLOCKS_DURATIONS
    }
    assert lasts == {
        Duration.THREE_FROM_NOW: set_of_ids("protection_from_evil", "haste"),
        Duration.SEVEN_TURNS: set_of_ids("disease", "poison"),
    }


def test_enchantment_durations() -> None:
    lasts = {
        kind: {id for id, spell in BARTLE_SPELLS.items() if spell.lasts is kind}
        for kind in Duration
        if kind is not Duration.INSTANT
    }
    assert lasts == {
        Duration.NEXT_TURN: set_of_ids("amnesia", "confusion", "charm_person", "paralysis", "fear"),
        Duration.THREE_TURNS: set_of_ids("blindness", "invisibility", "haste"),
        Duration.FOUR_TURNS: set_of_ids("protection_from_evil", "delayed_effect", "permanency"),
        Duration.UNTIL_REMOVED: set_of_ids("resist_heat", "resist_cold"),
        Duration.SIX_TURNS: set_of_ids("disease", "poison"),
        Duration.THREE_FROM_NOW: set(),  # for other books
        Duration.SEVEN_TURNS: set(),
    }


def test_these_spells_are_mind_spells() -> None:
    minds = {id for id, spell in BARTLE_SPELLS.items() if spell.mind}
    maladroit = RULESETS["warlocks-1"].under(["maladroit"]).spells
    assert {id for id, spell in maladroit.items() if spell.mind} == (
        minds - {"confusion"} | {"maladroitness"}
    )


def test_these_spells_cannot_become_permanent() -> None:
    """rules: R107"""
    enchantments = {
        id for id, spell in BARTLE_SPELLS.items() if spell.class_ is SpellClass.ENCHANTMENT
    }
    eligible = {id for id, spell in BARTLE_SPELLS.items() if spell.can_be_permanent}
    assert enchantments - eligible == set_of_ids(
        "anti_spell", "disease", "poison", "time_stop", "delayed_effect", "permanency"
    )
    assert eligible < enchantments


def test_corpses_and_missing_targets_allowed_by_each_spell() -> None:
    """rules: R8, R39, R62"""
    summons = {id for id, spell in BARTLE_SPELLS.items() if spell.monster}
    storms = set_of_ids("fire_storm", "ice_storm")
    assert {id for id, s in BARTLE_SPELLS.items() if not s.on_corpses} == (
        summons | storms | {"counter_spell"}
    )
    assert {id for id, s in BARTLE_SPELLS.items() if not s.nowhere} == storms | {"summon_elemental"}
    assert {id for id, s in BARTLE_SPELLS.items() if s.is_area} == storms
    assert {s.default for s in BARTLE_SPELLS.values() if s.is_area} == {DefaultSubject.NONE}


@pytest.mark.parametrize(
    ("kind", "strength"), [("goblin", 1), ("ogre", 2), ("troll", 3), ("giant", 4)]
)
def test_monster_damage_equals_its_hit_points(kind: str, strength: int) -> None:
    assert (BARTLE_1.monsters[kind].attack, BARTLE_1.monsters[kind].limit) == (strength, strength)
    assert BARTLE_SPELLS[f"summon_{kind}"].monster == kind


@pytest.mark.parametrize("kind", ["fire", "ice"])
def test_elementals_deal_three_points_of_damage(kind: str) -> None:
    assert (
        BARTLE_1.monsters[kind].attack,
        BARTLE_1.monsters[kind].limit,
        BARTLE_1.monsters[kind].element,
    ) == (
        3,
        3,
        kind,
    )


def test_duplicate_spell_id_is_rejected() -> None:
    double = replace(BARTLE_SPELLBOOK[0], patterns=("FPF",))
    with pytest.raises(ValueError, match="two spells share an id"):
        make_ruleset("wrong-1", name="Wrong", description="", spells=(*BARTLE_SPELLBOOK, double))


def test_duplicate_pattern_is_rejected() -> None:
    other = replace(BARTLE_SPELLBOOK[0], id="umbrella")
    with pytest.raises(ValueError, match="two spells share a pattern"):
        make_ruleset("wrong-1", name="Wrong", description="", spells=(*BARTLE_SPELLBOOK, other))


def test_spell_with_the_same_pattern_twice_is_rejected() -> None:
    stutter = replace(BARTLE_SPELLBOOK[0], patterns=("P", "P"))
    with pytest.raises(ValueError, match="share a pattern"):
        make_ruleset("wrong-1", name="Wrong", description="", spells=(stutter,))


def test_rulesets_with_different_books_have_different_automata() -> None:
    small = make_ruleset(
        "small-1", name="Small", description="Two spells.", spells=BARTLE_SPELLBOOK[:2]
    )
    assert small.automaton.patterns == ("P", "PDWP")
    assert list(small.spells) == ["shield", "remove_enchantment"]


def test_id_of_a_ruleset_ends_with_a_version() -> None:
    assert RULESETS["bartle-1"] is BARTLE_1
    assert all(ruleset.id == id for id, ruleset in RULESETS.items())
    assert all(id.rpartition("-")[2].isdigit() for id in RULESETS)
    assert all(ruleset.description.endswith(".") for ruleset in RULESETS.values())


SUMMONING_SPELLS = (
    "summon_goblin",
    "summon_ogre",
    "summon_troll",
    "summon_giant",
    "summon_elemental",
)
UNREFLECTED_SPELLS = {
    *SUMMONING_SPELLS, "shield", "remove_enchantment", "raise_dead", "cure_light_wounds",
    "cure_heavy_wounds", "protection_from_evil", "resist_heat", "resist_cold", "invisibility",
    "haste", "time_stop", "delayed_effect", "permanency",
}  # fmt: skip
"""Helpful spells, which a mirror does not reflect in Spellcast. rules: R40"""
SPELLS_DIFFERING_BY_FIELD: dict[str, dict[str, set[str]]] = {
    # for each ruleset, and each field in which it differs from Bartle: the spells that differ
    "spellcast-1": {
        "legal": {"anti_spell", "delayed_effect", "dispel_magic", "permanency", *SUMMONING_SPELLS},
        "nowhere": {"dispel_magic", "raise_dead"},
        "on_corpses": {id for id in BARTLE_SPELLS if BARTLE_SPELLS[id].on_corpses} - {"raise_dead"},
        "default": {"counter_spell"},
        "works": {"charm_monster"},
        "reflectable": UNREFLECTED_SPELLS,
        "lasts": {"delayed_effect", "permanency"},
    },
    "wizards-1": {
        "nowhere": {id for id in BARTLE_SPELLS if BARTLE_SPELLS[id].nowhere},
        "default": {"remove_enchantment", "charm_monster"},
        "name": {"missile", "protection_from_evil", "delayed_effect"},
        "patterns": {"anti_spell", "blindness", "time_stop"},
    },
    "archmage-1": {
        "works": {"remove_enchantment", "blindness", "invisibility"},
        "on_dead_wizards": {"raise_dead"},
        "counterable": {"raise_dead"},
        "legal": {"anti_spell"},
        "lasts": {"time_stop"},
    },
    "warlocks-1": {
        "name": {"counter_spell", "missile", "protection_from_evil", "delayed_effect"},
        "patterns": {"lightning_bolt", "anti_spell", "blindness", "time_stop"},
        "once_by": {"lightning_bolt"},
        "default": {"remove_enchantment", "charm_monster"},
        "nowhere": {"fire_storm", "ice_storm"},
        "aimable": {"fire_storm", "ice_storm"},
        "works": {"amnesia", "paralysis", "fear"},
        "victims": {"amnesia", "fear"},
        "asks": {"charm_person", "paralysis"},
        "removable": {"charm_monster", "anti_spell"},
        "lasts": {
            "protection_from_evil", "haste", "disease", "poison", "delayed_effect", "permanency",
        },
        "can_be_permanent": {"delayed_effect", "permanency"},
    },
}  # fmt: skip


@pytest.mark.parametrize("ruleset", SPELLS_DIFFERING_BY_FIELD)
def test_rulesets_change_only_the_listed_rows_of_bartles_spells(ruleset: str) -> None:
    """rules: R8, R10-R13, R22, R23, R25, R27, R54, R57, R61, R62, R70, R93, R99, R102, R150,
    W1, W3, W5, W15, W18, W28-W31, W34, W35"""
    found: dict[str, set[str]] = {}
    for id, spell in RULESETS[ruleset].spells.items():
        if id in BARTLE_SPELLS:
            for row in (row for row in fields(spell) if row.init):
                if getattr(spell, row.name) != getattr(BARTLE_SPELLS[id], row.name):
                    found.setdefault(row.name, set()).add(id)
    assert found == SPELLS_DIFFERING_BY_FIELD[ruleset]


def test_wizards_adds_these_spells() -> None:
    """rules: R22, R24"""
    spells = RULESETS["wizards-1"].spells
    assert spells.keys() - BARTLE_SPELLS.keys() == set_of_ids(
        "summon_ice_elemental", "summon_fire_elemental", "sacrifice"
    )
    assert BARTLE_SPELLS.keys() - spells.keys() == {"summon_elemental"}
    for id, patterns, monster in (
        ("summon_ice_elemental", ("cSWWS",), "ice"),
        ("summon_fire_elemental", ("cWSSW",), "fire"),
    ):
        expected = fields_of_row(
            BARTLE_SPELLS["summon_elemental"],
            id=id,
            name=spells[id].name,
            patterns=patterns,
            monster=monster,
            asks=CasterDecision.NOTHING,
        )
        assert fields_of_row(spells[id]) == expected
    sacrifice = spells["sacrifice"]
    assert sacrifice.patterns == ("DWFFd",)
    assert (sacrifice.class_, sacrifice.default) == (SpellClass.DAMAGING, DefaultSubject.OPPONENT)
    assert (sacrifice.amount, sacrifice.nowhere, sacrifice.works) == (0, False, AffectedBeings.ALL)


def test_warlocks_adds_these_spells() -> None:
    """rules: W1, W3, W5, W36, W37, W43"""
    spells = RULESETS["warlocks-1"].spells
    assert spells.keys() - BARTLE_SPELLS.keys() == set_of_ids(
        "summon_fire_elemental", "summon_ice_elemental", "clap_of_lightning"
    )
    assert BARTLE_SPELLS.keys() - spells.keys() == {"summon_elemental", "raise_dead"}
    for id, patterns, monster in (
        ("summon_fire_elemental", ("cWSSW",), "fire"),
        ("summon_ice_elemental", ("cSWWS",), "ice"),
    ):
        assert fields_of_row(spells[id]) == fields_of_row(
            BARTLE_SPELLS["summon_elemental"],
            id=id,
            name=spells[id].name,
            patterns=patterns,
            default=DefaultSubject.NONE,
            monster=monster,
            nowhere=True,
            aimable=True,
            reflectable=False,
            asks=CasterDecision.NOTHING,
        )
    assert fields_of_row(spells["clap_of_lightning"]) == fields_of_row(
        BARTLE_SPELLS["lightning_bolt"],
        id="clap_of_lightning",
        name="Clap of Lightning",
        patterns=("WDDc",),
        once_by="WDDc",
    )


WIZARDS_REPORT_ORDER = """
dispel_magic counter_spell magic_mirror summon_goblin summon_ogre summon_troll summon_giant
summon_ice_elemental summon_fire_elemental raise_dead haste time_stop protection_from_evil
resist_heat resist_cold paralysis amnesia fear confusion charm_monster charm_person disease poison
cure_light_wounds cure_heavy_wounds anti_spell sacrifice blindness invisibility permanency
delayed_effect remove_enchantment shield missile cause_light_wounds cause_heavy_wounds
lightning_bolt fireball finger_of_death fire_storm ice_storm
"""
"""Order in which Wizards reports casts. rules: R26"""
SWITCHES_DIFFERING_FROM_BARTLE: dict[str, dict[str, object]] = {
    # ruleset: the switches whose values differ from Bartle's
    "bartle-1": {},
    "spellcast-1": {
        "order_of_play": STEPWISE,
        "removal_unmakes_summons": False,
        "blind_sense_spells": True,
        "opening": ("scrolls", "dispelled", "broken"),
        "asking": QuestionMode.AT_EVERY_STEP,
        "haste": HasteMode.OWN_PHASE,
        "minds": MindTiming.NEXT_ROW,
        "confused": "PDFWCS",
        "stopped_sight": StoppedSightMode.OWN,
        "opponent": OpponentRule.LOWEST_SEAT,
        "stab": fields_of_row(
            BARTLE_1.stab,
            legal=LegalSubjects.ANY,
            nowhere=True,
            on_corpses=False,
            on_dead_wizards=False,
        ),
        "two_stabs": TwoStabs.LEFT,
        "subjects_to_come": False,
        "unordered": DefaultVictim.OPPONENT,
        "full_bank": FullBank.REPLACES,
        "illness_spares_the_surrendering": False,
        "spent_fizzles": True,
        "monsters_direct_reflections": False,
    },
    "wizards-1": {
        "gesture_names": {
            "F": "finger upwards",
            "P": "pointing finger",
            "S": "snap",
            "W": "wriggled fingers",
            "D": "thumb",
        },
        "order_of_log": tuple(WIZARDS_REPORT_ORDER.split()),
        "opening": ("dispelled", "broken", "bow"),
        "markers": True,
    },
    "archmage-1": {
        "subject_picks_element": False,
        "removal_unmakes_summons": False,
        "elementals_merge": False,
        "minds_in_force_cancel": True,
        "release_ignores_counter": True,
        "opening": ("facing", "alone"),
    },
    "warlocks-1": {
        "order_of_play": NUMBERED,
        "removal_unmakes_summons": False,
        "elementals_merge": False,
        "misses": MissRule.ALL_AIMED,
        "blind_sense_spells": True,
        "unseen_casts_told": False,
        "haste": HasteMode.OWN_TURN,
        "minds": MindTiming.NEXT_TURN,
        "confused": "CDFPSW>-",
        "opponent": OpponentRule.DRAWN,
        "stab": fields_of_row(
            BARTLE_1.stab, legal=LegalSubjects.ANY, nowhere=True, on_corpses=False
        ),
        "two_stabs": TwoStabs.RIGHT,
        "unordered": DefaultVictim.KEPT,
        "full_bank": FullBank.REPLACES,
        "hand_named": HandNamingTime.WHEN_IT_ACTS,
        "capture": CaptureRule.MARKED,
        "bank_keeps_subject": True,
        "bank_is_public": True,
        "hearts_stop": True,
        "lasting_minds_repeat": False,
        "illness_waits_in_monsters": False,
        "illness_spares_the_surrendering": False,
        "spent_fizzles": True,
        "preference": Preference.BOTH_HANDS,
        "dispelled_is_unspent": True,
        "corpses": False,
        "early_spells_wait": False,
        "summons_by_kind": True,
        "mirrors_meet": False,
        "monsters_direct_reflections": False,
        "newer_elemental_stays": True,
        "elementals_immune": True,
        "storms_meet_first": True,
        "can_attack_itself": True,
        "monsters_outlast_masters": True,
        "youngest_die_first": True,
        "keeps_bank": True,
        "surplus": 1,
        "cures_first": True,
        "same_minds_cancel": True,
        "minds_strike_monsters_at_once": True,
        "fear_refuses": False,
        "anti_spell_blanks": True,
        "death_before_surrender": True,
    },
}
FIELDS_THAT_ARE_NOT_SWITCHES = ("id", "name", "description", "spells", "variants")


@pytest.mark.parametrize("ruleset", RULESETS)
def test_switches_equal_bartles_except_the_listed_ones(ruleset: str) -> None:
    """rules: R9-R20, R26, R51, R63, R65, R78, R94, R95, R97, R104, R105, R121, W2-W48"""
    found: dict[str, object] = {}
    for switch in fields(RULESETS[ruleset]):
        default: Any = switch.default
        if switch.default_factory is not MISSING:
            default = switch.default_factory()
        if default is MISSING or switch.name in FIELDS_THAT_ARE_NOT_SWITCHES:
            continue
        value = getattr(RULESETS[ruleset], switch.name)
        if value != default:
            found[switch.name] = fields_of_row(value) if isinstance(value, Spell) else value
    assert found == SWITCHES_DIFFERING_FROM_BARTLE[ruleset]
