"""Field values that the phases of each order of play would silently ignore.

Fields that are not listed here work in every order of play; a test checks this.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from engine.rulesets.choices import (
    NUMBERED,
    SEALED,
    STEPWISE,
    CaptureRule,
    DefaultVictim,
    HandNamingTime,
    HasteMode,
    MindTiming,
    MissRule,
    OpponentRule,
    Preference,
    QuestionMode,
    TimeStopMode,
)
from engine.spellbook import MAX_SURPLUS_HIT_POINTS


@dataclass(frozen=True, slots=True)
class RequiredValue:
    """The value that an order of play requires in a field of the ruleset, and the reason."""

    value: object
    reason: str
    also: tuple[object, ...] = ()  # other values that are supported


REQUIRED_VALUES: Final[Mapping[str, Mapping[str, RequiredValue]]] = {
    SEALED: {
        "asking": RequiredValue(
            QuestionMode.AFTER_MAGIC, "sealed orders already contain everything else"
        ),
        "haste": RequiredValue(
            HasteMode.TWO_SETS, "it has no separate turns or phases for hasted wizards"
        ),
        "minds": RequiredValue(MindTiming.BY_TURN, "all sets of a turn are made together"),
    },
    NUMBERED: {
        "asking": RequiredValue(
            QuestionMode.AFTER_MAGIC, "sealed orders already contain everything else"
        ),
        "haste": RequiredValue(HasteMode.OWN_TURN, "a wizard makes at most one set in each turn"),
        "minds": RequiredValue(
            MindTiming.NEXT_TURN, "a hasted turn may come before the next normal turn"
        ),
        "time_stop": RequiredValue(TimeStopMode.OWN_TURN, "every turn has its own number"),
    },
    STEPWISE: {
        "asking": RequiredValue(
            QuestionMode.AT_EVERY_STEP, "every step asks the questions that it needs"
        ),
        "haste": RequiredValue(HasteMode.OWN_PHASE, "a wizard makes only one set in each phase"),
        "minds": RequiredValue(MindTiming.NEXT_ROW, "the turn of the next row is not known yet"),
        "misses": RequiredValue(
            MissRule.DAMAGE, "its steps read counters after they have been advanced"
        ),
        "hand_named": RequiredValue(
            HandNamingTime.WHEN_IT_WORKS, "casters name the hand when the spell works"
        ),
        "capture": RequiredValue(
            CaptureRule.WHATEVER_COMES, "wizards choose the spell to bank or make permanent"
        ),
        "bank_keeps_subject": RequiredValue(False, "every subject is named after the reveal"),
        "hearts_stop": RequiredValue(False, "no step lets wizards die by their own orders"),
        "time_stop": RequiredValue(TimeStopMode.OWN_PHASE, "a time stop lasts for one phase"),
        "subjects_to_come": RequiredValue(False, "spells are aimed before any monster is made"),
        "subject_picks_element": RequiredValue(
            True, "the question goes to the subject, who will control the elemental"
        ),
        "removal_unmakes_summons": RequiredValue(
            False, "monsters are made after removals are aimed"
        ),
        "minds_in_force_cancel": RequiredValue(
            False, "an older mind spell ends before the new ones act"
        ),
        "preference": RequiredValue(
            Preference.LONGEST, "its questions preselect the longest spell"
        ),
        "opponent": RequiredValue(
            OpponentRule.NEXT_SEAT,
            "its questions must preselect one opponent",
            also=(OpponentRule.LOWEST_SEAT,),
        ),
        "unordered": RequiredValue(
            DefaultVictim.LAST_VICTIM,
            "controllers name a victim every turn",
            also=(DefaultVictim.OPPONENT, DefaultVictim.LAST_OR_NOBODY),
        ),
        "dispelled_is_unspent": RequiredValue(
            False, "a one-time spell is spent as soon as it is cast"
        ),
        "corpses": RequiredValue(True, "its list of subjects for raising contains corpses"),
        "early_spells_wait": RequiredValue(True, "future monsters cannot be named as subjects"),
        "summons_by_kind": RequiredValue(False, "it makes monsters by the seats of their wizards"),
        "mirrors_meet": RequiredValue(True, "spells that meet two mirrors are lost"),
        "monsters_direct_reflections": RequiredValue(
            False, "monsters cannot direct spells that they reflect"
        ),
        "newer_elemental_stays": RequiredValue(
            False, "it always keeps the older of two elementals"
        ),
        "elementals_immune": RequiredValue(
            False, "its step for damage does not check the element of a fireball’s subject"
        ),
        "storms_meet_first": RequiredValue(False, "heat and cold meet in one step"),
        "can_attack_itself": RequiredValue(False, "a monster cannot be named as its own victim"),
        "monsters_outlast_masters": RequiredValue(False, "no one could name victims for them"),
        "youngest_die_first": RequiredValue(
            False, "it reports the dead monsters from oldest to youngest"
        ),
        "keeps_bank": RequiredValue(False, "its step for removals also empties the bank"),
        "surplus": RequiredValue(0, "its cures stop at the starting hit points"),
        "cures_first": RequiredValue(False, "wounds and cures are applied one after the other"),
        "same_minds_cancel": RequiredValue(
            False, "it cancels only different mind spells and charms"
        ),
        "minds_strike_monsters_at_once": RequiredValue(False, "mind spells wait for the next row"),
        "fear_refuses": RequiredValue(
            True, "its order sheet does not offer gestures that fear forbids"
        ),
        "anti_spell_blanks": RequiredValue(False, "rows are repeated as they were made"),
        "death_before_surrender": RequiredValue(False, "surrenders are reported before deaths"),
        "lasting_minds_repeat": RequiredValue(
            True, "a permanent spell always repeats what it did first"
        ),
        "illness_waits_in_monsters": RequiredValue(
            True, "illness is the same for wizards and monsters"
        ),
        "illness_spares_the_surrendering": RequiredValue(
            False, "illnesses are counted before surrenders"
        ),
    },
}


def unsupported_points(wizard_hit_points: int, surplus: int) -> Iterator[str]:
    """Yield the reasons why these numbers of points are not supported in any order of play."""
    if wizard_hit_points < 1:
        yield f"wizard_hit_points cannot be {wizard_hit_points}: no one would be alive to play"
    if not 0 <= surplus <= MAX_SURPLUS_HIT_POINTS:
        limit = MAX_SURPLUS_HIT_POINTS
        yield f"surplus cannot be {surplus}: positions are stored with at most {limit}"


def unsupported_values(order_of_play: str, value_of: Callable[[str], object]) -> Iterator[str]:
    """Yield the reasons why the order of play does not support these values."""
    for field, limit in REQUIRED_VALUES[order_of_play].items():
        value = value_of(field)
        if value != limit.value and value not in limit.also:
            yield f"{field} cannot be {value!r} in {order_of_play} play: {limit.reason}"
