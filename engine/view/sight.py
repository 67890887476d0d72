"""Visibility of a turn's events to observers.

rules: turn:seeing, R81, R94, R121, R147, F53, F55-F60
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from engine import events
from engine.ids import SEATS, is_monster
from engine.positions.history import Turn
from engine.positions.position import EXTRA, Effect, Position
from engine.rulesets.choices import StoppedSightMode, TimeStopMode
from engine.spellbook import DIRECTED_EFFECTS
from engine.view.view_types import ALL, SPECTATOR

EVENTS_WITH_CASTER: Final = (
    events.Cured, events.Enchanted, events.Failed, events.Guarded,
    events.Hit, events.Reflected, events.Stopped, events.Summoned,
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
        mode = self.position.rules.stopped_sight  # rules: R121
        in_time = mode is StoppedSightMode.EACH_OTHER and self.seat in self.position.stopped
        if self.position.kind == EXTRA and not in_time:
            return False
        effect = self.position.wizard(wizard).effects.get(self.position.rules.hiding)
        return not _is_active(self.position, effect)

    def sees(self, being: str) -> bool:
        """Return whether this seat sees what happens to the being."""
        return not self.sees_own_only or being in self.own

    def knows_bank(self, wizard: str) -> bool:
        return wizard == self.seat or self.position.rules.bank_is_public

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


def events_seen_by(turn: Turn, observer: str) -> Iterator[events.Event]:
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


def _common_projection(projections: Sequence[events.Event | None]) -> events.Event | None:
    """Return the part of an event that every seat sees, or None. Promise 2."""
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


def _seen_event(event: events.Event, sight: Sight) -> events.Event | None:
    """Return the event as this seat sees it, or None if it does not."""
    _track_own_monsters(event, sight)
    seen = _visible_part(event, sight)
    if seen is None or sight.position.rules.unseen_casts_told:
        return seen
    return _without_unseen_caster(seen, sight)


def _without_unseen_caster(event: events.Event, sight: Sight) -> events.Event:
    """Return the event, without its caster if this seat does not see the caster's hands.

    The caster of a paralysis or a charm is always known. rules: W33
    """
    hands = sight.position.rules.hands_under
    is_direction = (
        isinstance(event, events.Enchanted) and hands.get(event.spell) in DIRECTED_EFFECTS
    )
    if is_direction or not isinstance(event, EVENTS_WITH_CASTER):
        return event
    changes: dict[str, Any] = {
        name: ""
        for name in ("wizard", "by")
        if (doer := getattr(event, name, "")) in SEATS and not sight.sees_hands_of(doer)
    }
    return replace(event, **changes) if changes else event


def _visible_part(event: events.Event, sight: Sight) -> events.Event | None:
    """Return the part of the event that this seat sees, or None if it does not see it."""
    match event:
        case events.Gestured() | events.Overridden() | events.KnifeKept():
            is_seen = sight.sees_hands_of(event.wizard)
        case events.MindsClashed():
            is_seen = sight.sees_hands_of(event.subject)
        case events.Drew():  # rules: F61
            is_seen = (sight.sees_hands_of if event.being in SEATS else sight.sees)(event.being)
        case events.Spoke():
            is_seen = sight.hears or event.wizard == sight.seat
        case events.Banked() | events.Extended():
            is_seen = sight.knows_bank(event.wizard)
        case events.Cast():
            return _visible_cast(event, sight)
        case events.Failed():
            return _visible_failure(event, sight)
        case events.Reflected() | events.Guarded() | events.Enchanted() | events.Cured():
            return _event_if_affected(event, event.subject, sight)
        case events.Summoned():
            if event.controller == sight.seat and sight.sees_own_only:
                return _anonymous_event(event, sight)
            is_seen = not sight.sees_own_only
        case events.Raised():
            is_seen = event.wizard == sight.seat or sight.sees(event.subject)
        case events.Merged():
            is_seen = sight.sees(event.kept) or sight.sees(event.gone)
        case events.StormSpent():
            is_seen = not sight.sees_own_only
        case events.Removed() | events.Lapsed():
            if event.effect == "bank":
                is_seen = sight.knows_bank(event.subject)
            else:
                is_known = sight.knows_effect(event.subject, event.effect)
                is_seen = is_known and sight.sees(event.subject)
        case events.Hit() | events.Stopped():
            return _visible_blow(event, sight)
        case events.Controlled() | events.Idle() | events.Doomed():
            is_seen = sight.sees(event.monster)
        case events.Wounded() | events.Destroyed():
            is_seen = sight.sees(event.subject)
        case events.Died():
            is_seen = event.subject in SEATS or sight.sees(event.subject)
        case events.Broke():
            breaking = sight.position.rules.breaking
            is_known = not sight.sees_own_only and sight.knows_effect(event.wizard, breaking)
            is_seen = is_known or event.wizard == sight.seat
        case _:
            return event
    return event if is_seen else None


def _track_own_monsters(event: events.Event, sight: Sight) -> None:
    """Update the set of monsters that obey this seat, after this event of the turn."""
    match event:
        case events.Summoned() | events.Controlled() if event.controller == sight.seat:
            sight.own.add(event.monster)
        case events.Raised() if event.wizard == sight.seat and is_monster(event.subject):
            sight.own.add(event.subject)
        case _:
            pass


def _visible_cast(event: events.Cast, sight: Sight) -> events.Event | None:
    """Return the part of a cast that this seat sees, or None. rules: F53, F55, F57, R121"""
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


def _visible_failure(event: events.Failed, sight: Sight) -> events.Event | None:
    """Return the part of a failure that this seat sees, or None if it does not see it.

    rules: F55
    """
    if not sight.sees_own_only:
        return event
    if sight.takes_no_part and event.wizard != sight.seat:
        return None
    return _event_if_affected(event, event.subject, sight)


def _event_if_affected(event: events.Event, subject: str, sight: Sight) -> events.Event | None:
    """Return the event if this seat sees it, without names if it sees only its own side."""
    if not sight.sees_own_only:
        return event
    return _anonymous_event(event, sight) if subject in sight.own else None


def _anonymous_event(event: events.Event, sight: Sight) -> events.Event:
    changes: dict[str, Any] = {
        name: "" for name in ("wizard", "by") if getattr(event, name, "") not in ("", sight.seat)
    }
    return replace(event, **changes)


def _visible_blow(event: events.Hit | events.Stopped, sight: Sight) -> events.Event | None:
    """Return the part of a stab or an attack that this seat sees, or None.

    A stabber whose hands are not seen is not named, and a stab of theirs that hits nothing is left
    out. F58
    """
    if sight.sees_own_only:
        return _anonymous_event(event, sight) if event.subject in sight.own else None
    if event.source == "stab" and not sight.sees_hands_of(event.by):
        missed = isinstance(event, events.Stopped) and event.cause == "no_subject"
        return None if missed else replace(event, by="")
    return event
