"""Visibility of a turn's events to observers.

rules: turn:seeing, R81, R94, R121, R147, F53, F55-F60
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from engine.events import (
    Banked,
    Broke,
    Cast,
    Controlled,
    Cured,
    Destroyed,
    Died,
    Doomed,
    Drew,
    Enchanted,
    Event,
    Extended,
    Failed,
    Gestured,
    Guarded,
    Hit,
    Idle,
    KnifeKept,
    Lapsed,
    Merged,
    MindsClashed,
    Overridden,
    Raised,
    Reflected,
    Removed,
    Spoke,
    Stopped,
    StormSpent,
    Summoned,
    Wounded,
)
from engine.ids import SEATS, is_monster
from engine.positions.history import Turn
from engine.positions.position import EXTRA, Effect, Position
from engine.rulesets.choices import StoppedSightMode, TimeStopMode
from engine.spellbook import DIRECTED
from engine.view.view_types import ALL, SPECTATOR

EVENTS_WITH_CASTER: Final = (
    Cured, Enchanted, Failed, Guarded, Hit, Reflected, Stopped, Summoned,
)  # fmt: skip
"""The events that name the caster of a spell."""


@dataclass(slots=True)
class Sight:
    """The sight of the wizard in one seat during one turn."""

    seat: str
    # The position before the turn.
    position: Position
    blind: bool
    # Whether this is an extra turn in which this seat does not act.
    takes_no_part: bool
    # Whether this seat sees only events that affect it or its monsters.
    sees_own_only: bool
    # Whether this seat gets the messages of other wizards.
    hears: bool
    # The seat and the monsters that obey it.
    own: set[str] = field(default_factory=set[str])

    @classmethod
    def sight_of_seat(cls, position: Position, seat: str) -> "Sight":
        own = {m.id for m in position.monsters if m.controller == seat} | {seat}
        blindness = position.wizard(seat).effects.get(position.rules.blinding)
        blind = _is_active(position, blindness)
        hears = position.kind != EXTRA or bool(own & set(position.stopped))
        takes_no_part = not hears and position.rules.time_stop is not TimeStopMode.OWN_TURN
        sees_own_only = takes_no_part or (blind and not position.rules.blind_sense_spells)
        return cls(seat, position, blind, takes_no_part, sees_own_only, hears, own)

    def sees_hands_of(self, wizard: str) -> bool:
        if wizard == self.seat:
            return True
        if self.blind or self.takes_no_part or not wizard:
            return False
        sees_others = (
            self.position.rules.stopped_sight is StoppedSightMode.EACH_OTHER
        )  # rules: R121
        in_time = sees_others and self.seat in self.position.stopped
        if self.position.kind == EXTRA and not in_time:
            return False
        effect = self.position.wizard(wizard).effects.get(self.position.rules.hiding)
        return not _is_active(self.position, effect)

    def knows_effect(self, subject: str, kind: str) -> bool:
        """Return whether this seat knew of an effect that was active before the turn.

        rules: R121
        """
        being = self.position.being(subject)
        effect = being.effects.get(kind) if being is not None else None
        return effect is None or self.seat not in effect.unseen_by


def _is_active(position: Position, effect: Effect | None) -> bool:
    """Return whether the effect counts in the turn played from this position. rules: W12"""
    return (
        effect is not None
        and effect.is_active(position.turn)
        and not position.ignores_effect(effect)
    )


def events_seen_by(turn: Turn, observer: str) -> Iterator[Event]:
    """Yield the turn's events as the observer sees them."""
    if observer == ALL:
        yield from turn.events
        return
    if observer != SPECTATOR:
        sight = Sight.sight_of_seat(turn.position, observer)
        for event in turn.events:
            seen = _seen_event(event, sight)
            if seen is not None:
                yield seen
        return
    sights = [Sight.sight_of_seat(turn.position, wizard.id) for wizard in turn.position.wizards]
    for event in turn.events:
        projections = [_seen_event(event, sight) for sight in sights]
        common = _common_projection(projections)
        if common is not None:
            yield common


def _common_projection(projections: Sequence[Event | None]) -> Event | None:
    """Return the part of an event that every seat sees, or None if any seat does not see it.

    Promise 2.
    """
    first = projections[0]
    if first is None:
        return None
    for other in projections[1:]:
        if other is None:
            return None
        if other != first:
            names = first.__dataclass_fields__
            changes: dict[str, Any] = {
                name: type(getattr(first, name))()
                for name in names
                if getattr(first, name) != getattr(other, name)
            }
            first = replace(first, **changes)
    return first


def _seen_event(event: Event, sight: Sight) -> Event | None:
    """Return the event as this seat sees it, or None if it does not."""
    _track_own_monsters(event, sight)
    seen = _visible_part(event, sight)
    if seen is None or sight.position.rules.unseen_casts_told:
        return seen
    return _without_unseen_caster(seen, sight)


def _without_unseen_caster(event: Event, sight: Sight) -> Event:
    """Return the event, without its caster if this seat does not see the caster's hands.

    The caster of a paralysis or a charm is always known. rules: W33
    """
    hands = sight.position.rules.hands_under
    is_direction = isinstance(event, Enchanted) and hands.get(event.spell) in DIRECTED
    if is_direction or not isinstance(event, EVENTS_WITH_CASTER):
        return event
    changes: dict[str, Any] = {
        name: ""
        for name in ("wizard", "by")
        if (doer := getattr(event, name, "")) in SEATS and not sight.sees_hands_of(doer)
    }
    return replace(event, **changes) if changes else event


def _visible_part(event: Event, sight: Sight) -> Event | None:
    """Return the part of the event that this seat sees, or None if it does not see it."""
    match event:
        case Gestured() | Overridden() | KnifeKept():
            return event if sight.sees_hands_of(event.wizard) else None
        case Drew():
            return _visible_draw(event, sight)
        case MindsClashed():
            return event if sight.sees_hands_of(event.subject) else None
        case Spoke():
            return event if sight.hears or event.wizard == sight.seat else None
        case Banked() | Extended():
            is_known = event.wizard == sight.seat or sight.position.rules.bank_is_public
            return event if is_known else None
        case Cast():
            return _visible_cast(event, sight)
        case Failed():
            return _visible_failure(event, sight)
        case Reflected() | Guarded() | Enchanted() | Cured():
            return _event_if_affected(event, event.subject, sight)
        case Summoned():
            if event.controller == sight.seat and sight.sees_own_only:
                return _anonymous_event(event, sight)
            return None if sight.sees_own_only else event
        case Raised():
            sees_own_only = sight.sees_own_only and event.wizard != sight.seat
            return None if sees_own_only and event.subject not in sight.own else event
        case Merged():
            return (
                event if not sight.sees_own_only or {event.kept, event.gone} & sight.own else None
            )
        case StormSpent():
            return None if sight.sees_own_only else event
        case Removed() | Lapsed():
            return _visible_end(event, sight)
        case Controlled():
            return event if not sight.sees_own_only or event.monster in sight.own else None
        case Hit() | Stopped():
            return _visible_blow(event, sight)
        case Idle() | Doomed():
            return event if not sight.sees_own_only or event.monster in sight.own else None
        case Wounded() | Destroyed():
            return event if not sight.sees_own_only or event.subject in sight.own else None
        case Died():
            public = event.subject in SEATS or not sight.sees_own_only
            return event if public or event.subject in sight.own else None
        case Broke():
            breaking = sight.position.rules.breaking
            known = not sight.sees_own_only and sight.knows_effect(event.wizard, breaking)
            return event if known or event.wizard == sight.seat else None
        case _:
            return event


def _track_own_monsters(event: Event, sight: Sight) -> None:
    """Update the set of monsters that obey this seat, after this event of the turn."""
    match event:
        case Summoned(monster=monster, controller=controller) if controller == sight.seat:
            sight.own.add(monster)
        case Controlled(monster=monster, controller=controller) if controller == sight.seat:
            sight.own.add(monster)
        case Raised(subject=subject, wizard=wizard) if wizard == sight.seat and is_monster(subject):
            sight.own.add(subject)
        case _:
            pass


def _visible_draw(event: Drew, sight: Sight) -> Event | None:
    """Return the draw if this seat sees what it decides, otherwise None. rules: F61"""
    if event.being in SEATS:
        return event if sight.sees_hands_of(event.being) else None
    return event if not sight.sees_own_only or event.being in sight.own else None


def _visible_cast(event: Cast, sight: Sight) -> Event | None:
    """Return the part of a cast that this seat sees, or None if it does not see it.

    rules: F53, F55, F57, R121
    """
    if event.wizard == sight.seat:
        return event
    if sight.takes_no_part:
        return None
    if sight.sees_own_only:
        if event.subject and event.subject not in sight.own:
            return None
        return replace(event, wizard="", hand="", set=0, instead_of=(), pattern="")
    if not sight.sees_hands_of(event.wizard):
        if not sight.position.rules.unseen_casts_told:
            return None
        return replace(event, hand="", set=0, instead_of=(), pattern="")
    return event


def _visible_failure(event: Failed, sight: Sight) -> Event | None:
    """Return the part of a failure that this seat sees, or None if it does not see it.

    rules: F55
    """
    if not sight.sees_own_only:
        return event
    if sight.takes_no_part and event.wizard != sight.seat:
        return None
    if event.subject not in sight.own:
        return None
    return _anonymous_event(event, sight)


def _event_if_affected(event: Event, subject: str, sight: Sight) -> Event | None:
    """Return the event if this seat sees it, without names if it sees only its own side."""
    if not sight.sees_own_only:
        return event
    return _anonymous_event(event, sight) if subject in sight.own else None


def _anonymous_event(event: Event, sight: Sight) -> Event:
    changes: dict[str, Any] = {
        name: "" for name in ("wizard", "by") if getattr(event, name, "") not in ("", sight.seat)
    }
    return replace(event, **changes)


def _visible_end(event: Removed | Lapsed, sight: Sight) -> Event | None:
    if event.effect == "bank":
        is_known = event.subject == sight.seat or sight.position.rules.bank_is_public
        return event if is_known else None
    if not sight.knows_effect(event.subject, event.effect):
        return None
    return event if not sight.sees_own_only or event.subject in sight.own else None


def _visible_blow(event: Hit | Stopped, sight: Sight) -> Event | None:
    """Return the part of a stab or an attack that this seat sees, or None.

    A stabber whose hands are not seen is not named, and a stab of theirs that hits nothing is left
    out. F58
    """
    if sight.sees_own_only:
        return _anonymous_event(event, sight) if event.subject in sight.own else None
    if event.source == "stab" and not sight.sees_hands_of(event.by):
        missed = isinstance(event, Stopped) and event.cause == "no_subject"
        return None if missed else replace(event, by="")
    return event
