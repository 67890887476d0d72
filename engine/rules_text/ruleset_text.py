"""Sentences for the values of each field of a ruleset, with their rules.

Text from RULES.md is quoted, as in `{W9}`: see `engine.rules_text.quoting`. rules: R27
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from engine.gestures import GESTURE_NAMES
from engine.rules_text.wording import and_list
from engine.rulesets import choices
from engine.spellbook import UNDECIDED_ELEMENTAL, DefaultSubject, LegalSubjects, MonsterKind, Spell

STAB_SUBJECT_PHRASES: Final = {
    LegalSubjects.ANY: "any being, including the stabber",
    LegalSubjects.OTHERS: "any being except the stabber",
    LegalSubjects.WIZARDS: "wizards, including the stabber",
    LegalSubjects.OPPONENTS: "other wizards",
}
STABBED_CORPSE_PHRASES: Final = {
    (True, True): "even corpses",
    (True, False): "even corpses of monsters",
    (False, True): "but not at corpses of monsters",
    (False, False): "but not at corpses",
}
"""Phrases for whether a monster's corpse can be stabbed, and whether a wizard's can."""
STAB_DEFAULT_PHRASES: Final = {
    DefaultSubject.SELF: "at the stabber",
    DefaultSubject.OPPONENT: "at the opponent",
}


@dataclass(frozen=True, slots=True)
class SwitchText:
    """A yes-or-no field of `Ruleset`: its rule, and a sentence for each of the two values."""

    rule: str
    on: str
    off: str

    def sentence_for(self, value: object) -> str:
        return self.on if value else self.off


@dataclass(frozen=True, slots=True)
class FieldText:
    """The rule of a field of `Ruleset`, and the sentences for its values, or a function for them."""

    rule: str
    sentences: Mapping[Any, str] | Callable[[Any], str]

    def sentence_for(self, value: object) -> str:
        by_value = self.sentences
        if isinstance(by_value, Mapping):
            return by_value[value]  # pyright: ignore[reportUnknownVariableType]
        return by_value(value)


def _stab_sentence(stab: Spell) -> str:
    without = "made without a target or " if stab.nowhere else ""
    corpses = STABBED_CORPSE_PHRASES[stab.on_corpses, stab.on_dead_wizards]
    points = "one point" if stab.amount == 1 else f"{stab.amount} points"
    return (
        f"A stab deals {points} of damage. It can be {without}aimed at {STAB_SUBJECT_PHRASES[stab.legal]}, {corpses}; "
        f"if no target is named, it goes {STAB_DEFAULT_PHRASES[stab.default]}."
    )


def _monster_strengths(kinds: Mapping[str, MonsterKind]) -> str:
    return and_list(
        [
            f"{kind.name} {kind.attack} and {kind.limit}"
            for kind in kinds.values()
            if kind.id != UNDECIDED_ELEMENTAL
        ]
    )


# fmt: off
# By field of `Ruleset`, in the order in which a page lists them.
SWITCHES: Final[Mapping[str, SwitchText | FieldText]] = {
    "asking": FieldText(
        "turn:answers",
        {
            choices.QuestionMode.AFTER_MAGIC: "All choices are made in advance, except which hand a paralysis or charm affects and the kind of an elemental.",
            choices.QuestionMode.AT_EVERY_STEP: "{turn:answers of spellcast, 2}",
        },
    ),
    "haste": FieldText(
        "R97",
        {
            choices.HasteMode.TWO_SETS: "Hasted wizards make two sets in each turn, sealed together.",
            choices.HasteMode.OWN_PHASE: "{R97 of spellcast, 3}",
            choices.HasteMode.OWN_TURN: "{W9} {W42}",
        },
    ),
    "minds": FieldText(
        "R168",
        {
            choices.MindTiming.BY_TURN: "Mind spells act on fixed turns and use the gestures of the turn in which they were cast.",
            choices.MindTiming.NEXT_ROW: "{R168 of spellcast}",
            choices.MindTiming.NEXT_TURN: "{W16} {W17} {W26}",
        },
    ),
    "paralysed": FieldText(
        "R80",
        lambda table: (
            "A paralysed hand makes "
            + and_list([f"{after} after {before}" for before, after in table.items()])
            + ", and repeats any other gesture."
        ),
    ),
    "under_fear": FieldText(
        "R87",
        lambda letters: (
            "A frightened hand can only make "
            + and_list([GESTURE_NAMES[letter] for letter in letters])
            + "."
        ),
    ),
    "confused": FieldText(
        "spell:confusion",
        lambda letters: f"The die for a confused hand’s gesture shows {' '.join(letters)}.",
    ),
    "stopped_sight": FieldText(
        "R121",
        {
            choices.StoppedSightMode.EACH_OTHER: "Time-stopped wizards see each other’s hands.",
            choices.StoppedSightMode.OWN: "{R121 of spellcast}",
        },
    ),
    "opponent": FieldText(
        "R13",
        {
            choices.OpponentRule.NEXT_SEAT: "If no opponent is named, it is the next living wizard in the order of the seats.",
            choices.OpponentRule.LOWEST_SEAT: "{R13 of spellcast}",
            choices.OpponentRule.DRAWN: "{R13 of warlocks}",
        },
    ),
    "stab": FieldText("R17", _stab_sentence),
    "two_stabs": FieldText(
        "R16",
        {
            choices.TwoStabs.REFUSED: "Two stabs in one row are rejected.",
            choices.TwoStabs.LEFT: "{R16 of spellcast}",
            choices.TwoStabs.RIGHT: "{W6}",
        },
    ),
    "subjects_to_come": SwitchText(
        "R14",
        "Spells and stabs can be aimed at monsters made in the same turn.",
        "{R14 of spellcast}",
    ),
    "unordered": FieldText(
        "R170",
        {
            choices.DefaultVictim.LAST_VICTIM: "A monster without orders attacks the last victim that was ordered for it, or otherwise the opponent.",
            choices.DefaultVictim.OPPONENT: "A monster without orders attacks the opponent, not the being it attacked before.",
            choices.DefaultVictim.LAST_OR_NOBODY: "A monster without orders attacks the last victim that was ordered for it, or otherwise no one.",
            choices.DefaultVictim.KEPT: "{W39, 2}",
        },
    ),
    "full_bank": FieldText(
        "R104",
        {
            choices.FullBank.KEEPS: "While a spell is banked, no other can be banked.",
            choices.FullBank.REPLACES: "{R104 of spellcast}",
        },
    ),
    "hand_named": FieldText(
        "W18",
        {
            choices.HandNamingTime.WHEN_IT_WORKS: "The caster of a paralysis or a charm names the hand when the spell works, after that turn’s reveal.",
            choices.HandNamingTime.WHEN_IT_ACTS: "{W18, 2}",
        },
    ),
    "capture": FieldText(
        "W34",
        {
            choices.CaptureRule.WHATEVER_COMES: "Delays and permanencies act on the first suitable spell, whether the wizard wants this or not.",
            choices.CaptureRule.MARKED: "{W34} {W35}",
        },
    ),
    "bank_keeps_subject": SwitchText(
        "W34",
        "{R105 of warlocks}",
        "The subject of a banked spell is named when it is released.",
    ),
    "bank_is_public": SwitchText(
        "W34",
        "{R147 of warlocks}",
        "Only the owner knows which spell is banked.",
    ),
    "hearts_stop": SwitchText(
        "W27",
        "{W27, 3}",
        "Wizards cannot stop their own heart.",
    ),
    "spent_fizzles": SwitchText(
        "R18",
        "A spell that can be cast only once can be chosen again after it is used up, but it fizzles.",
        "Once a spell that can be cast only once is used up, its gestures no longer complete it.",
    ),
    "gesture_names": SwitchText(
        "R20",
        "Its text uses different names for the gestures, but this does not change any rule.",
        "Its text has Bartle’s names for the gestures.",
    ),
    "order_of_log": SwitchText(
        "R26",
        "A report lists the spells of a turn in the order of the ruleset’s table, no matter who cast them.",
        "A report lists the spells of a turn in the order of the seats.",
    ),
    "subject_picks_element": SwitchText(
        "R63",
        "The subject of Summon Elemental chooses fire or ice.",
        "The caster of Summon Elemental chooses fire or ice.",
    ),
    "removal_unmakes_summons": SwitchText(
        "R51",
        "Remove Enchantment on a wizard destroys the monsters that were summoned for that wizard in the same turn.",
        "{R51 of spellcast}",
    ),
    "elementals_merge": SwitchText(
        "R65",
        "Two elementals of the same kind become one without damage.",
        "{R65 of archmage}",
    ),
    "minds_in_force_cancel": SwitchText(
        "R78",
        "{R78 of archmage}",
        "A mind spell already at work does not affect a newly cast one.",
    ),
    "lasting_minds_repeat": SwitchText(
        "R173",
        "A permanent confusion or charm repeats what it did first.",
        "{R173 of warlocks}",
    ),
    "illness_waits_in_monsters": SwitchText(
        "W31",
        "An illness takes as long to kill a monster as a wizard.",
        "{R144 of warlocks}",
    ),
    "illness_spares_the_surrendering": SwitchText(
        "R112",
        "A wizard who surrenders on the turn on which an illness would kill them leaves the duel alive.",
        "{R112 of spellcast}",
    ),
    "preference": FieldText(
        "R7",
        {
            choices.Preference.LONGEST: "If several spells are completed and none is chosen, the longest is cast; if several are equally long, a two-handed one comes first, then the left hand’s.",
            choices.Preference.BOTH_HANDS: "{W2}",
        },
    ),
    "dispelled_is_unspent": SwitchText(
        "W5",
        "A spell that can be cast only once is not used up if a Dispel Magic stops it.",
        "A spell that can be cast only once is used up even if a Dispel Magic stops it.",
    ),
    "corpses": SwitchText(
        "R56",
        "A monster that is killed leaves a corpse.",
        "{R56 of warlocks}",
    ),
    "early_spells_wait": SwitchText(
        "R134",
        "Counter-spells, mirrors and summons aimed at a new monster work as soon as it exists.",
        "{R14 of warlocks}",
    ),
    "summons_by_kind": SwitchText(
        "W38",
        "{W38}",
        "The monsters of one turn are made in the order in which their spells are cast.",
    ),
    "mirrors_meet": SwitchText(
        "R41",
        "A spell that one mirror sends into another is lost.",
        "{W37}",
    ),
    "monsters_direct_reflections": SwitchText(
        "R43",
        "A charm or paralysis turned back by a monster’s mirror is directed by the monster’s master.",
        "{R43 of spellcast}",
    ),
    "newer_elemental_stays": SwitchText(
        "W43",
        "{R65 of warlocks}",
        "If two elementals of the same kind do not become one, the older stays.",
    ),
    "elementals_immune": SwitchText(
        "R68",
        "A spell of its own element does not harm an elemental.",
        "A spell of its own element harms an elemental as it harms any other being.",
    ),
    "storms_meet_first": SwitchText(
        "R66",
        "{W44}",
        "All elementals and storms meet at once.",
    ),
    "can_attack_itself": SwitchText(
        "R74",
        "A monster can be ordered to attack itself.",
        "No monster can be ordered to attack itself.",
    ),
    "monsters_outlast_masters": SwitchText(
        "R73",
        "{R73 of warlocks}",
        "When a wizard is out of the duel, their monsters obey no one.",
    ),
    "youngest_die_first": SwitchText(
        "W40",
        "A report lists the deaths of monsters beginning with the youngest.",
        "A report lists the deaths of monsters beginning with the oldest.",
    ),
    "keeps_bank": SwitchText(
        "R53",
        "{R53 of warlocks}",
        "Remove Enchantment and Dispel Magic also remove a banked spell.",
    ),
    "monsters": FieldText("spell:summon_goblin", lambda kinds: f"This is the damage that each monster deals in a turn, and the damage that kills it: {_monster_strengths(kinds)}."),
    "wizard_hit_points": FieldText("R109", lambda points: f"A wizard dies of {points} points of damage."),
    "surplus": FieldText(
        "W4",
        lambda points: (
            f"A cure can lift a being above its starting hit points, by at most {points}."
            if points
            else "No cure lifts a being above its starting hit points."
        ),
    ),
    "cures_first": SwitchText(
        "R30",
        "{R30 of warlocks}",
        "Cures and the damage of the turn are counted together.",
    ),
    "same_minds_cancel": SwitchText(
        "R76",
        "{W14}",
        "If two mind spells on one being are of the same kind, they do not cancel each other.",
    ),
    "minds_strike_monsters_at_once": SwitchText(
        "W15",
        "{W15}",
        "On a monster, a mind spell acts in the next turn.",
    ),
    "fear_refuses": SwitchText(
        "R87",
        "Gestures that fear forbids cannot be ordered.",
        "{W24}",
    ),
    "anti_spell_blanks": SwitchText(
        "W25",
        "{W25}",
        "Gestures made in the turn of an Anti-spell can still be repeated and held.",
    ),
    "death_before_surrender": SwitchText(
        "W48",
        "{W48}",
        "A wizard who surrenders as the last opponent dies wins only if their own spells killed that opponent.",
    ),
    "release_ignores_counter": SwitchText(
        "R105",
        "{R105 of archmage}",
        "A Counter-spell stops a spell that is released from a bank like any other spell.",
    ),
    "misses": FieldText(
        "W33",
        {
            choices.MissRule.DAMAGE: "Damaging spells, stabs and attacks miss invisible wizards, but other spells reach them, and blind wizards do not miss.",
            choices.MissRule.ALL_AIMED: "{W33, 2}",
        },
    ),
    "unseen_casts_told": SwitchText(
        "W33",
        "The casts of a wizard whose hands are not seen are reported.",
        "If a wizard’s hands are not seen, their casts are not reported either, only the effects.",
    ),
    "blind_sense_spells": SwitchText(
        "R94",
        "The reports of blind wizards show everything that happens except the gestures.",
        "The reports of blind wizards show only what affects them.",
    ),
    "markers": SwitchText(
        "R114",
        "{R114 of wizards, 2}",
        "The winner does not take any markers.",
    ),
}

# fmt: on

FIELDS_WITHOUT_EFFECT: Final[Mapping[str, str]] = {"elementals_merge": "newer_elemental_stays"}
"""Fields that have no effect if another field is set, mapped to that other field."""
