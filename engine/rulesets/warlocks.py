"""RavenBlack's Warlocks: 40 spells, numbered extra turns, and no questions after the reveal."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from engine.rulesets import choices
from engine.rulesets.ruleset import make_ruleset, with_spell
from engine.spellbook import (
    BARTLE_SPELLBOOK,
    FIRE,
    ICE,
    STAB_ROW,
    AffectedBeings,
    CasterDecision,
    DefaultSubject,
    Duration,
    FieldChanges,
    HandEffect,
    LegalSubjects,
    Spell,
    SpellClass,
    VictimEffect,
    revised_spellbook,
)

_SIX_MORE_TURNS: Final[FieldChanges] = {"lasts": Duration.SEVEN_TURNS}  # rules: W31
_WINDOW_CHANGES: Final[FieldChanges] = {
    "lasts": Duration.THREE_TURNS,
    "can_be_permanent": True,
}  # rules: W35
_STORM_CHANGES: Final[FieldChanges] = {"aimable": True, "nowhere": True}  # rules: W3
_ELEMENTAL_SPELLS: Final = tuple(
    Spell(
        f"summon_{kind}_elemental",
        f"Summon {kind.title()} Elemental",
        (pattern,),
        SpellClass.SUMMONS,
        DefaultSubject.NONE,
        AffectedBeings.EARTHLY,
        monster=kind,
        aimable=True,
        on_corpses=False,
        reflectable=False,
    )
    for kind, pattern in ((FIRE, "cWSSW"), (ICE, "cSWWS"))
)  # rules: W3, W43
_CLAP_OF_LIGHTNING: Final = Spell(
    "clap_of_lightning",
    "Clap of Lightning",
    ("WDDc",),
    SpellClass.DAMAGING,
    DefaultSubject.OPPONENT,
    amount=5,
    once_by="WDDc",
)  # rules: W5

WARLOCKS_SPELLBOOK: Final = revised_spellbook(
    BARTLE_SPELLBOOK,
    {
        "counter_spell": {"name": "Counter Spell"},
        "remove_enchantment": {"default": DefaultSubject.OPPONENT},  # rules: W3
        "missile": {"name": "Magic Missile"},
        "lightning_bolt": {"patterns": ("DFFDD",), "once_by": ""},
        "fireball": {"destroys": (ICE,)},
        "fire_storm": _STORM_CHANGES,
        "ice_storm": _STORM_CHANGES,
        "amnesia": {"works": AffectedBeings.ALL, "victims": VictimEffect.NOBODY},  # rules: W15
        "paralysis": {
            "works": AffectedBeings.ALL,
            "asks": CasterDecision.NOTHING,
        },  # rules: W15, W18
        "fear": {"works": AffectedBeings.EARTHLY, "victims": VictimEffect.NOBODY},  # rules: W15
        "charm_monster": {"default": DefaultSubject.SELF, "removable": False},  # rules: W30
        "charm_person": {"asks": CasterDecision.NOTHING},  # rules: W18
        "anti_spell": {"patterns": ("SPFP",), "removable": False},  # rules: W28, W30
        "protection_from_evil": {"name": "Protection", "lasts": Duration.THREE_FROM_NOW},  # W29
        "disease": _SIX_MORE_TURNS,
        "poison": _SIX_MORE_TURNS,
        "blindness": {"patterns": ("DFWFd", "DWFFd")},
        "haste": {"lasts": Duration.THREE_FROM_NOW},  # rules: W9, W42
        "time_stop": {"patterns": ("SPPc", "SPPFD")},
        "delayed_effect": {"name": "Delay Effect", **_WINDOW_CHANGES},  # rules: W34
        "permanency": _WINDOW_CHANGES,  # rules: W35
    },
    without=["raise_dead", "summon_elemental"],
    added=(*_ELEMENTAL_SPELLS, _CLAP_OF_LIGHTNING),
)

_WARLOCKS_WITHOUT_OPTIONS: Final = make_ruleset(
    "warlocks-1",
    name="Warlocks",
    description="For players of RavenBlack’s Warlocks: the game as it is played there today.",
    spells=WARLOCKS_SPELLBOOK,
    order_of_play=choices.NUMBERED,
    haste=choices.HasteMode.OWN_TURN,  # rules: W9
    minds=choices.MindTiming.NEXT_TURN,  # rules: W16
    lasting_minds_repeat=False,  # rules: W26
    illness_waits_in_monsters=False,  # rules: W31
    illness_spares_the_surrendering=False,  # rules: W31
    confused="CDFPSW>-",  # rules: W22
    # spells and subjects
    preference=choices.Preference.BOTH_HANDS,  # rules: W2
    opponent=choices.OpponentRule.DRAWN,  # rules: W3
    surplus=1,  # rules: W4
    cures_first=True,
    spent_fizzles=True,  # rules: W5
    dispelled_is_unspent=True,
    stab=replace(STAB_ROW, legal=LegalSubjects.ANY, nowhere=True, on_corpses=False),  # W1, W6
    two_stabs=choices.TwoStabs.RIGHT,
    # mind spells
    same_minds_cancel=True,  # rules: W14
    minds_strike_monsters_at_once=True,  # rules: W15
    fear_refuses=False,  # rules: W24
    anti_spell_blanks=True,  # rules: W25
    # wards and enchantments
    removal_unmakes_summons=False,  # rules: W30
    keeps_bank=True,  # rules: W30, W32
    early_spells_wait=False,  # rules: W36, W38
    mirrors_meet=False,  # rules: W37
    monsters_direct_reflections=False,
    # monsters
    corpses=False,  # rules: W1
    summons_by_kind=True,  # rules: W38
    unordered=choices.DefaultVictim.KEPT,  # rules: W39
    can_attack_itself=True,
    monsters_outlast_masters=True,
    youngest_die_first=True,  # rules: W40
    elementals_merge=False,  # rules: W43
    newer_elemental_stays=True,
    elementals_immune=True,
    storms_meet_first=True,  # rules: W44
    # the end
    death_before_surrender=True,  # rules: W48
    # orders, banks and sight
    hand_named=choices.HandNamingTime.WHEN_IT_ACTS,  # rules: W18
    hearts_stop=True,  # rules: W27
    capture=choices.CaptureRule.MARKED,  # rules: W34, W35
    full_bank=choices.FullBank.REPLACES,  # rules: W34
    bank_keeps_subject=True,  # rules: W34
    bank_is_public=True,  # rules: W34
    misses=choices.MissRule.ALL_AIMED,  # rules: W33
    blind_sense_spells=True,
    unseen_casts_told=False,
)

_PARAFC_LETTERS: Final[Mapping[str, str]] = {"F": "C", "S": "D", "W": "P"}  # rules: W21
_MALADROITNESS: Final = replace(
    _WARLOCKS_WITHOUT_OPTIONS.spells["confusion"],
    id="maladroitness",
    name="Maladroitness",
    hands=HandEffect.COPIED,
    victims=VictimEffect.NOBODY,
)  # rules: W23
_RULES_WITH_MALADROITNESS: Final = with_spell(
    _WARLOCKS_WITHOUT_OPTIONS, "confusion", _MALADROITNESS
)

WARLOCKS_1: Final = replace(
    _WARLOCKS_WITHOUT_OPTIONS,
    variants={
        frozenset({"parafc"}): replace(_WARLOCKS_WITHOUT_OPTIONS, paralysed=_PARAFC_LETTERS),
        frozenset({"maladroit"}): _RULES_WITH_MALADROITNESS,
        frozenset({"parafc", "maladroit"}): replace(
            _RULES_WITH_MALADROITNESS, paralysed=_PARAFC_LETTERS
        ),
    },
)
