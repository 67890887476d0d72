"""Limits of the orders of play: field values that their phases would silently ignore.

Any field that is not listed works in every order of play; a test checks this.
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
from engine.spellbook import MOST_SURPLUS


@dataclass(frozen=True, slots=True)
class Limit:
    """The field value that an order of play supports, and the reason for the limit."""

    value: object
    reason: str
    also: tuple[object, ...] = ()  # other supported values


LIMITS: Final[Mapping[str, Mapping[str, Limit]]] = {
    SEALED: {
        "asking": Limit(QuestionMode.AFTER_MAGIC, "sealed orders are complete"),
        "haste": Limit(HasteMode.TWO_SETS, "it has no turn or phase for hasted wizards only"),
        "minds": Limit(MindTiming.BY_TURN, "all sets of a turn are made at once"),
    },
    NUMBERED: {
        "asking": Limit(QuestionMode.AFTER_MAGIC, "sealed orders are complete"),
        "haste": Limit(HasteMode.OWN_TURN, "each of its turns has one set at most"),
        "minds": Limit(MindTiming.NEXT_TURN, "a hasted turn may come before the next normal turn"),
        "time_stop": Limit(TimeStopMode.OWN_TURN, "every turn has its own number"),
    },
    STEPWISE: {
        "asking": Limit(QuestionMode.AT_EVERY_STEP, "each of its steps asks its own questions"),
        "haste": Limit(HasteMode.OWN_PHASE, "one of its phases has one set"),
        "minds": Limit(MindTiming.NEXT_ROW, "its phases do not know in which turn the next row is"),
        "misses": Limit(MissRule.DAMAGE, "its steps read counters that have already moved on"),
        "hand_named": Limit(
            HandNamingTime.WHEN_IT_WORKS, "it asks for the hand when the spell works"
        ),
        "capture": Limit(CaptureRule.WHATEVER_COMES, "it asks which spell an open window takes"),
        "bank_keeps_subject": Limit(False, "it asks for every subject after the reveal"),
        "hearts_stop": Limit(False, "none of its steps ends a life on orders"),
        "time_stop": Limit(TimeStopMode.OWN_PHASE, "its time stop ends with its phase"),
        "subjects_to_come": Limit(False, "spells are aimed before any monster is made"),
        "subject_picks_element": Limit(
            True, "an elemental belongs to its subject before its kind is known"
        ),
        "removal_unmakes_summons": Limit(False, "monsters are made after removals are aimed"),
        "minds_in_force_cancel": Limit(False, "the spell in force is over when the row is made"),
        "preference": Limit(Preference.LONGEST, "its questions preselect the longest"),
        "opponent": Limit(
            OpponentRule.NEXT_SEAT,
            "its questions preselect an opponent",
            also=(OpponentRule.LOWEST_SEAT,),
        ),
        "unordered": Limit(
            DefaultVictim.LAST_VICTIM,
            "a kept victim would never be asked for",
            also=(DefaultVictim.OPPONENT, DefaultVictim.LAST_OR_NOBODY),
        ),
        "dispelled_is_unspent": Limit(False, "a spell is spent when it is chosen"),
        "corpses": Limit(True, "the dead are raised by their place in its list"),
        "early_spells_wait": Limit(True, "no spell is aimed at a monster still to be made"),
        "summons_by_kind": Limit(False, "its steps make monsters by hand and seat"),
        "mirrors_meet": Limit(True, "its mirrors destroy the spells they send each other"),
        "monsters_direct": Limit(False, "its monsters do not direct spells"),
        "newer_elemental_stays": Limit(False, "its elements only know the older elemental"),
        "elementals_immune": Limit(
            False, "its fireballs do not check the element of their subject"
        ),
        "storms_meet_first": Limit(False, "heat and cold meet in one step"),
        "can_attack_itself": Limit(False, "it is never offered as its own victim"),
        "monsters_outlast_masters": Limit(False, "no one is asked for their victims"),
        "youngest_die_first": Limit(False, "its dead are listed by age"),
        "keeps_bank": Limit(False, "its removals end everything"),
        "surplus": Limit(0, "its cures only heal wounds"),
        "cures_first": Limit(False, "its wounds and cures come one by one"),
        "same_minds_cancel": Limit(False, "cancelled spells are reported by kind and by seat"),
        "minds_strike_monsters_at_once": Limit(False, "a mind spell waits for a row"),
        "fear_refuses": Limit(True, "gestures that fear forbids are not offered"),
        "anti_spell_blanks": Limit(False, "its rows are repeated as they were made"),
        "death_before_surrender": Limit(False, "surrenders are reported before the deaths"),
        "lasting_minds_repeat": Limit(True, "a permanent spell uses what its rows keep"),
        "illness_waits_in_monsters": Limit(True, "its illnesses count for all beings alike"),
        "illness_spares_the_surrendering": Limit(False, "its clocks run before surrenders count"),
    },
}


def unsupported_points(wizard_hit_points: int, surplus: int) -> Iterator[str]:
    """Yield the reasons why no order of play supports these points."""
    if wizard_hit_points < 1:
        yield f"wizard_hit_points cannot be {wizard_hit_points}: no one would be alive to play"
    if not 0 <= surplus <= MOST_SURPLUS:
        yield f"surplus cannot be {surplus}: positions are stored with at most {MOST_SURPLUS}"


def unsupported_values(order_of_play: str, value_of: Callable[[str], object]) -> Iterator[str]:
    """Yield the reasons why the order of play does not support these values."""
    for field, limit in LIMITS[order_of_play].items():
        value = value_of(field)
        if value != limit.value and value not in limit.also:
            yield f"{field} cannot be {value!r} in {order_of_play} play: {limit.reason}"
