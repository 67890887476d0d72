"""Choice of the spells that a set of gestures casts, and of their subjects.

rules: gesture:matching, R3, R4, R7, R18, R146, R176
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from engine.ids import FUTURE_BEINGS
from engine.positions.position import ALIVE, DEAD, STANDING, Position, Wizard
from engine.rulesets.choices import OpponentRule
from engine.rulesets.ruleset import SORT_BY_PREFERENCE, CompletablePattern, Ruleset
from engine.spellbook import SUBJECTS_EXCEPT_CASTER, SUBJECTS_WITH_MONSTERS, DefaultSubject, Spell

MAX_CACHED_STATES: Final = 2**14  # more states than any ruleset's automaton has
NEXT_SEAT, DRAWN = OpponentRule.NEXT_SEAT, OpponentRule.DRAWN
AT_SELF, AT_OPPONENT = DefaultSubject.SELF, DefaultSubject.OPPONENT


@dataclass(frozen=True, slots=True)
class ChosenSpell:
    """A spell that a set casts, chosen from those that its hands complete."""

    hand: str  # the hand that casts it: "L", "R" or "BH"
    maker: str  # the hand whose letters complete it: "L" or "R"
    completed: CompletablePattern
    displaced: tuple[str, ...]  # ids of spells that are completed but not cast


def completed_spells(
    rules: Ruleset, state: int, *, used_bolt: bool
) -> tuple[CompletablePattern, ...]:
    """Return the patterns that a hand in this automaton state has just completed, best first."""
    ends = rules.ends[state]
    if used_bolt and ends:
        return tuple(end for end in ends if not end.once)
    return ends


def choose_spells(
    rules: Ruleset,
    lefts: Sequence[CompletablePattern],
    rights: Sequence[CompletablePattern],
    written: Mapping[str, str],
) -> Sequence[ChosenSpell]:
    """Return the spells that one set casts, left hand first.

    A written choice that is not among the completed spells is ignored (R146). Without one, the
    preferred spell is cast (R7, W2).
    """
    if not rights and len(lefts) == 1:
        return [ChosenSpell("BH" if lefts[0].both else "L", "L", lefts[0], ())]
    if not lefts and len(rights) == 1:
        return [ChosenSpell("BH" if rights[0].both else "R", "R", rights[0], ())]
    two_handed = _written_two_handed_spell(lefts, rights, written)
    left_choice = right_choice = None
    if two_handed is None:
        left_choice = _chosen_one_handed_spell(lefts, written.get("L"))
        right_choice = _chosen_one_handed_spell(rights, written.get("R"))
        if left_choice is None and right_choice is None:
            two_handed = _default_two_handed_spell(rules, lefts, rights)
    if two_handed is not None:
        hand, end = two_handed
        displaced = [e.spell.id for e in (*lefts, *rights) if e.spell is not end.spell]
        return [ChosenSpell("BH", hand, end, tuple(dict.fromkeys(displaced)))]
    chosen: list[ChosenSpell] = []
    for hand, ends, choice in (("L", lefts, left_choice), ("R", rights, right_choice)):
        single = choice or next((end for end in ends if not end.both), None)
        if single is not None:
            others = tuple(e.spell.id for e in ends if e.spell is not single.spell)
            chosen.append(ChosenSpell(hand, hand, single, others))
    return chosen


@dataclass(frozen=True, slots=True)
class DefaultChoice:
    """The spells that a set casts if no choice is written."""

    casts: Sequence[ChosenSpell]
    has_once: bool  # it completes a spell that can be cast only once. rules: R18
    asks: bool


def default_choice(rules: Ruleset, left: int, right: int) -> DefaultChoice:
    """Return the spells cast without a written choice, given both hands' states after the set.

    This assumes that no spell that can be cast only once has been spent.
    """
    key = left * MAX_CACHED_STATES + right
    chosen: DefaultChoice | None = rules.chosen.get(key)
    if chosen is None:
        lefts, rights = rules.ends[left], rules.ends[right]
        casts = choose_spells(rules, lefts, rights, {})
        spells = [cast.completed.spell for cast in casts]
        has_once = any(end.once for end in (*lefts, *rights))
        asks = any(spell.id in rules.spells_that_ask for spell in spells)
        chosen = rules.chosen[key] = DefaultChoice(casts, has_once, asks)
    return chosen


def _written_two_handed_spell(
    lefts: Sequence[CompletablePattern],
    rights: Sequence[CompletablePattern],
    written: Mapping[str, str],
) -> tuple[str, CompletablePattern] | None:
    if not written:
        return None
    for hand, ends in (("L", lefts), ("R", rights)):
        for end in ends:
            if end.both and end.spell.id in (written.get("BH"), written.get(hand)):
                return hand, end
    return None


def _chosen_one_handed_spell(
    ends: Sequence[CompletablePattern], written: str | None
) -> CompletablePattern | None:
    if not written:
        return None
    return next((end for end in ends if not end.both and end.spell.id == written), None)


def _default_two_handed_spell(
    rules: Ruleset, lefts: Sequence[CompletablePattern], rights: Sequence[CompletablePattern]
) -> tuple[str, CompletablePattern] | None:
    rank = SORT_BY_PREFERENCE[rules.preference]
    preferred = [("L", end) for end in lefts[:1]] + [("R", end) for end in rights[:1]]
    if not preferred:
        return None
    best = min(preferred, key=lambda row: rank(row[1]))  # left wins a tie
    return best if best[1].both else None


def default_subject(position: Position, spell: Spell, caster: str) -> str:
    """Return a spell's default subject, or "" for the whole arena. rules: R10-R13"""
    if spell.default is AT_SELF:
        return caster
    if spell.default is AT_OPPONENT:
        return default_opponent(position, caster)
    return ""


def default_opponent(position: Position, wizard: str) -> str:
    """Return the default opponent; "" if there is none, or if one will be drawn. rules: R13, W3"""
    kind = position.rules.opponent
    if kind is NEXT_SEAT:
        return position.next_opponent(wizard)
    if kind is DRAWN and len(position.wizards_in_duel()) > 2:
        return ""
    return position.first_opponent(wizard)


def is_allowed_subject(position: Position, spell: Spell, subject: str, caster: str) -> bool:
    """Return whether this caster may write this subject, as far as is known before the turn.

    A spell that may be aimed at monsters may be aimed at one that does not exist, and is then lost
    (R14). rules: R8, R39, R54, R57, R62, R93, R150
    """
    if spell.is_area and not spell.aimable:
        return False
    if subject == "nowhere":
        return spell.nowhere
    if subject in FUTURE_BEINGS:
        return spell.legal in SUBJECTS_WITH_MONSTERS and position.rules.subjects_to_come
    being = position.being(subject)
    if isinstance(being, Wizard):
        if being.standing == DEAD:
            return spell.on_dead_wizards and not being.yielded
        here = being.standing == STANDING or being.id in position.left_now
        return here and (spell.legal not in SUBJECTS_EXCEPT_CASTER or being.id != caster)
    if spell.legal not in SUBJECTS_WITH_MONSTERS:
        return False
    return being is None or being.state == ALIVE or spell.on_corpses


def written_subject(
    position: Position,
    spell: Spell,
    subjects: Mapping[str, str],
    hand: str,
    maker: str,
    caster: str,
) -> str:
    """Return the subject of a cast: the one written for its hand if it fits, or a default.

    rules: R146
    """
    if spell.is_area and not spell.aimable:
        return ""
    if subjects:
        written = subjects.get(hand) or subjects.get(maker) or ""
        if written and is_allowed_subject(position, spell, written, caster):
            return written
    return default_subject(position, spell, caster)
