"""Which sealed fields an observer has seen come true: a letter as it was made, words as they were
said, a subject or a spell that nobody gets without naming it. Which they are follows from the view
and from what everybody knows, so that to publish them tells nothing more.

A letter that a mind spell decided, or that the one knife kept back, was perhaps not the letter that
was ordered. A hand that did nothing may have had no letter at all. What went where it goes when
nobody is named may have been named or not, in the field of this hand or that; so may an answer, in
the orders or after the reveal. All of that stays closed. rules: promise 2, R7, R10-R13
"""

from collections.abc import Iterator
from typing import Final

from engine.casting import default_opponent, default_subject
from engine.events import Cast, Event, Gestured, Hit, KnifeKept, Overridden, Spoke, Stopped
from engine.gestures import NOTHING, STAB
from engine.ids import SEATS
from engine.position import Position
from engine.rulesets.choices import Asking, Opponent
from engine.spellbook import Default
from engine.view.shapes import TurnView

_SIDES: Final = {"L": "left", "R": "right"}
_Hand = tuple[str, int, str]  # whose, in which set, which one
_Field = tuple[str, str, str]  # whose, its name, its value


def shown_fields(turn: TurnView, position: Position) -> dict[str, dict[str, str]]:
    """By wizard the fields of orders, with their values, that this turn shows to its observer.

    `position` is what the turn was played from; only the rules, and who stood where, are read.
    """
    decided = {
        (event.wizard, event.set, event.hand)
        for event in turn.events
        if isinstance(event, Overridden | KnifeKept)
    }
    shown: dict[str, dict[str, str]] = {}
    for event in turn.events:
        for wizard, name, value in _shown_by(event, turn, position, decided):
            shown.setdefault(wizard, {})[name] = value
    return shown


def _shown_by(
    event: Event, turn: TurnView, position: Position, decided: set[_Hand]
) -> Iterator[_Field]:
    match event:
        case Gestured(wizard=wizard, set=number):
            for hand, letter in (("L", event.left), ("R", event.right)):
                if letter != NOTHING and (wizard, number, hand) not in decided:
                    yield wizard, _name(hand, "", number), letter
        case Spoke(wizard=wizard, words=words):
            yield wizard, "say", words
        case Cast(wizard=wizard, hand=hand, set=number) if hand in _SIDES:
            if (
                position.rules.asking is not Asking.AT_EVERY_STEP
                and (wizard, number, hand) not in decided
            ):
                yield from _named_in(event, position)
        case Hit(source="stab", by=by) | Stopped(source="stab", by=by) if by:
            knives = [hand for hand in _knives(turn, by) if hand not in decided]
            if len(knives) == 1 and position.rules.asking is not Asking.AT_EVERY_STEP:
                _, number, hand = knives[0]
                # A being that came in this turn was named by the hand that made it.
                is_known = position.being(event.subject) is not None
                if is_known and not _may_be_default(position, by, event.subject):
                    yield by, _name(hand, "_subject", number), event.subject
        case _:
            pass


def _named_in(cast: Cast, position: Position) -> Iterator[_Field]:
    """What a spell of one hand shows to have been named: its subject, and the spell itself."""
    spell = position.rules.spells[cast.spell]
    at_opponent = spell.default is Default.OPPONENT
    default = default_subject(position, spell, cast.wizard)
    is_default = cast.subject == default or (
        at_opponent and _may_be_default(position, cast.wizard, cast.subject)
    )
    if cast.subject and not is_default:
        yield cast.wizard, _name(cast.hand, "_subject", cast.set), cast.subject
    if any(_goes_before(other, cast, position) for other in cast.instead_of):
        yield cast.wizard, _name(cast.hand, "_spell", cast.set), cast.spell


def _may_be_default(position: Position, wizard: str, subject: str) -> bool:
    """Whether a spell or stab at the opponent goes there when nobody is named. rules: R13, W3"""
    default = default_opponent(position, wizard)
    if default or position.rules.opponent is not Opponent.DRAWN:
        return subject == default
    return subject != wizard and subject in SEATS


def _goes_before(other: str, cast: Cast, position: Position) -> bool:
    """Whether this hand would have cast the other spell, had its wizard not named one: all its
    patterns are made by one hand, and longer. rules: R7"""
    patterns = [each for each in position.rules.completables if each.spell.id == other]
    return bool(patterns) and all(
        not each.both and len(each.pattern) > len(cast.pattern) for each in patterns
    )


def _knives(turn: TurnView, wizard: str) -> list[_Hand]:
    """The hands of this wizard that showed a knife in the turn."""
    return [
        (wizard, event.set, hand)
        for event in turn.events
        if isinstance(event, Gestured) and event.wizard == wizard
        for hand, letter in (("L", event.left), ("R", event.right))
        if letter == STAB
    ]


def _name(hand: str, what: str, number: int) -> str:
    return f"{_SIDES[hand]}{what}{'' if number == 1 else number}"
