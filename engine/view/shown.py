"""Sealed fields whose values an observer has already seen in a turn.

They are letters that were made, chat messages, and subjects or spells that the orders must have
named. They follow from the view and from public knowledge, so publishing them reveals nothing new.

Fields whose values are uncertain are left out. A letter decided by a mind spell, or by the rule of
one knife, may not be the one that was ordered. An idle hand may have had no letter at all. A
default subject may or may not have been named, for this hand or the other. An answer may have been
given in the orders or after the reveal. rules: promise 2, R7, R10-R13
"""

from collections.abc import Iterator

from engine.events import Cast, Event, Gestured, Hit, KnifeKept, Overridden, Spoke, Stopped
from engine.gestures import LEFT, NOTHING, RIGHT, STAB
from engine.ids import SEATS
from engine.legality.casting import default_opponent, default_subject
from engine.orders import SetField
from engine.positions.position import Position
from engine.rulesets.choices import OpponentRule, QuestionMode
from engine.spellbook import DefaultSubject
from engine.view.view_types import TurnView

_HandKey = tuple[str, int, str]  # wizard, set, hand
_FieldKey = tuple[str, str, str]  # wizard, field name, value


def shown_fields(turn: TurnView, position: Position) -> dict[str, dict[str, str]]:
    """Return the fields of orders that this turn shows to its observer, by wizard and name.

    `position` is the position before the turn. Only its rules and standings are read.
    """
    decided = {
        (event.wizard, event.set, event.hand)
        for event in turn.events
        if isinstance(event, Overridden | KnifeKept)
    }
    shown: dict[str, dict[str, str]] = {}
    for event in turn.events:
        for wizard, name, value in _fields_shown_by_event(event, turn, position, decided):
            shown.setdefault(wizard, {})[name] = value
    return shown


def _fields_shown_by_event(
    event: Event, turn: TurnView, position: Position, decided: set[_HandKey]
) -> Iterator[_FieldKey]:
    match event:
        case Gestured(wizard=wizard, set=number):
            for hand, letter in (("L", event.left), ("R", event.right)):
                if letter != NOTHING and (wizard, number, hand) not in decided:
                    yield wizard, SetField(hand, number).text, letter
        case Spoke(wizard=wizard, words=words):
            yield wizard, "say", words
        case Cast(wizard=wizard, hand=hand, set=number) if hand in (LEFT, RIGHT):
            if (
                position.rules.asking is not QuestionMode.AT_EVERY_STEP
                and (wizard, number, hand) not in decided
            ):
                yield from _fields_named_by_cast(event, position)
        case Hit(source="stab", by=by) | Stopped(source="stab", by=by) if by:
            knives = [hand for hand in _stabbing_hands(turn, by) if hand not in decided]
            if len(knives) == 1 and position.rules.asking is not QuestionMode.AT_EVERY_STEP:
                _, number, hand = knives[0]
                # Orders name a being made this turn by its maker's hand, not by its id.
                is_known = position.being(event.subject) is not None
                if is_known and not _may_be_default(position, by, event.subject):
                    yield by, SetField(hand, number, "subject").text, event.subject
        case _:
            pass


def _fields_named_by_cast(cast: Cast, position: Position) -> Iterator[_FieldKey]:
    """Yield the fields that the orders must have named so that this one-handed spell was cast."""
    spell = position.rules.spells[cast.spell]
    at_opponent = spell.default is DefaultSubject.OPPONENT
    default = default_subject(position, spell, cast.wizard)
    is_default = cast.subject == default or (
        at_opponent and _may_be_default(position, cast.wizard, cast.subject)
    )
    if cast.subject and not is_default:
        yield cast.wizard, SetField(cast.hand, cast.set, "subject").text, cast.subject
    if any(_would_be_cast_first(other, cast, position) for other in cast.instead_of):
        yield cast.wizard, SetField(cast.hand, cast.set, "spell").text, cast.spell


def _may_be_default(position: Position, wizard: str, subject: str) -> bool:
    """Return whether the default opponent of a spell or stab may be this subject. rules: R13, W3"""
    default = default_opponent(position, wizard)
    if default or position.rules.opponent is not OpponentRule.DRAWN:
        return subject == default
    return subject != wizard and subject in SEATS


def _would_be_cast_first(other: str, cast: Cast, position: Position) -> bool:
    """Return whether the hand would have cast the other spell if orders had named no spell.

    That is the case if all patterns of the other spell are one-handed and longer. rules: R7
    """
    patterns = [each for each in position.rules.completables if each.spell.id == other]
    return bool(patterns) and all(
        not each.both and len(each.pattern) > len(cast.pattern) for each in patterns
    )


def _stabbing_hands(turn: TurnView, wizard: str) -> list[_HandKey]:
    """Return the hands with which this wizard stabbed in the turn."""
    return [
        (wizard, event.set, hand)
        for event in turn.events
        if isinstance(event, Gestured) and event.wizard == wizard
        for hand, letter in (("L", event.left), ("R", event.right))
        if letter == STAB
    ]
