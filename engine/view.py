"""What an observer may know of a duel: the one exit through which everything leaves the engine.

An observer is a seat ("w0"), "spectator" (what every seated wizard may see) or "all" (the open
record). rules: turn:seeing, R81, R94, R121, R132, R145, R147, F36-F42, F53, F55-F60
"""

from collections.abc import Iterator, Mapping, Sequence
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
from engine.gestures import CLAP, HAND_NAMES, symbols
from engine.history import History, Turn
from engine.position import (
    EXTRA,
    FOREVER,
    STANDING,
    Effect,
    Monster,
    Position,
    Wizard,
)
from engine.rulesets import Ruleset

ALL, SPECTATOR = "all", "spectator"
FOG: Final = "?"
STATUS_LETTERS: Final = (
    ("invisibility", "I"),
    ("resist_heat", "H"),
    ("resist_cold", "C"),
    ("protection_from_evil", "P"),
    ("blindness", "b"),
    ("disease", "d"),
    ("poison", "p"),
)


@dataclass(frozen=True, slots=True)
class WizardView:
    """A duellist as everybody knows him."""

    id: str
    name: str
    pronouns: str
    you: bool
    standing: str


@dataclass(frozen=True, slots=True)
class Cell:
    """One square of the grid. `letter` is "?" where there is fog."""

    letter: str
    mark: str = ""  # "half_clap"
    spell: str = ""  # what was cast with this gesture
    both: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """One set of gestures of one wizard."""

    left: Cell
    right: Cell


@dataclass(frozen=True, slots=True)
class TurnView:
    """One resolved turn as the observer knows it."""

    ordinal: int
    number: int
    kind: str
    rows: Mapping[str, tuple[Row, ...]]  # by wizard
    breaks: tuple[str, ...]  # whose sequences broke when it ended
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class EffectView:
    """An effect in force. `turns_left` counts the coming turn; None if it lasts until removed."""

    code: str
    name: str
    turns_left: int | None
    permanent: bool
    letter: str
    detail: str = ""  # the hand that a mind spell binds


@dataclass(frozen=True, slots=True)
class BeingView:
    """A being in the status list; `damage` is None where the observer cannot see it."""

    id: str
    name: str
    kind: str
    state: str
    damage: int | None
    hit_points: int | None
    limit: int
    controller: str
    effects: tuple[EffectView, ...]
    bank: str
    letters: str
    group: str  # the wizard under whom it stands


@dataclass(frozen=True, slots=True)
class Progress:
    """A spell begun by a hand: how many gestures are done and which are still needed."""

    spell: str
    name: str
    pattern: str
    done: int

    @property
    def remaining(self) -> str:
        return self.pattern[self.done :]


@dataclass(frozen=True, slots=True)
class HandView:
    """What a hand has in progress, as far as the observer has seen it. Nearest to its end first."""

    wizard: str
    hand: str
    letters: str
    progress: tuple[Progress, ...]


@dataclass(frozen=True, slots=True)
class View:
    """Everything the observer may know."""

    observer: str
    ruleset: str
    turn: int
    kind: str
    outcome: str
    wizards: tuple[WizardView, ...]
    turns: tuple[TurnView, ...]
    status: tuple[BeingView, ...]
    hands: tuple[HandView, ...]
    names: Mapping[str, str]


def view(history: History, observer: str) -> View:
    """What this observer may know of the history.

    Raises KeyError for an observer who is no seat, "spectator" or "all".
    """
    position = history.position
    if observer not in (ALL, SPECTATOR):
        position.wizard(observer)
    turns = tuple(_turn_view(turn, observer) for turn in history.turns)
    status = tuple(_status(position, observer))
    return View(
        observer=observer,
        ruleset=position.ruleset,
        turn=position.turn,
        kind=position.kind,
        outcome=position.outcome,
        wizards=tuple(
            WizardView(w.id, w.name, w.pronouns, w.id == observer, w.standing)
            for w in position.wizards
        ),
        turns=turns,
        status=status,
        hands=tuple(_hands(position, turns, observer)),
        names=_names(history, turns, status),
    )


def _names(
    history: History, turns: Sequence[TurnView], status: Sequence[BeingView]
) -> dict[str, str]:
    """The names of all beings that the view speaks of."""
    every: dict[str, str] = {}
    for turn in history.turns:
        every.update({monster.id: monster.name for monster in turn.position.monsters})
        every.update({e.monster: e.name for e in turn.events if isinstance(e, Summoned)})
    spoken = {
        value
        for turn in turns
        for event in turn.events
        for name in event.__dataclass_fields__
        if isinstance(value := getattr(event, name), str) and value in every
    }
    names = {being.id: being.name for being in status}
    return {id: every[id] for id in sorted(spoken)} | names


# What a turn's events tell


@dataclass(slots=True)
class _Sight:
    """What one seat could see during one turn."""

    seat: str
    position: Position  # before the turn
    blind: bool
    outside: bool  # an extra turn in which this seat has no part
    own: set[str] = field(default_factory=set[str])  # the seat and the monsters that obey it

    @classmethod
    def of(cls, position: Position, seat: str) -> "_Sight":
        own = {m.id for m in position.monsters if m.controller == seat} | {seat}
        blindness = position.wizard(seat).effects.get("blindness")
        blind = blindness is not None and blindness.acts(position.turn)
        outside = position.kind == EXTRA and not own & set(position.stopped)
        return cls(seat, position, blind, outside, own)

    def is_dim(self) -> bool:
        """Whether it is told only of what touches it."""
        return self.blind or self.outside

    def sees_hands_of(self, wizard: str) -> bool:
        if wizard == self.seat:
            return True
        if self.is_dim() or not wizard:
            return False
        if self.position.kind == EXTRA and self.seat not in self.position.stopped:
            return False
        effect = self.position.wizard(wizard).effects.get("invisibility")
        return effect is None or not effect.acts(self.position.turn)

    def knows_effect(self, subject: str, kind: str) -> bool:
        """Whether an effect in force before the turn was known to this seat. rules: R121"""
        being = self.position.being(subject)
        effect = being.effects.get(kind) if being is not None else None
        return effect is None or self.seat not in effect.unseen_by


def _turn_view(turn: Turn, observer: str) -> TurnView:
    events = tuple(_project(turn, observer))
    rows: dict[str, list[Row]] = {wizard.id: [] for wizard in turn.position.wizards}
    seen = {(e.wizard, e.set): e for e in events if isinstance(e, Gestured)}
    casts = _casts_by_hand(events)
    for event in turn.events:
        if isinstance(event, Gestured):
            known = seen.get((event.wizard, event.set))
            rows[event.wizard].append(_row(known, casts) if known else FOG_ROW)
    return TurnView(
        ordinal=turn.ordinal,
        number=turn.position.turn,
        kind=turn.position.kind,
        rows={wizard: tuple(sets) for wizard, sets in rows.items()},
        breaks=tuple(event.wizard for event in events if isinstance(event, Broke)),
        events=events,
    )


FOG_ROW: Final = Row(Cell(FOG), Cell(FOG))


def _casts_by_hand(events: Sequence[Event]) -> dict[tuple[str, int, str], str]:
    return {
        (event.wizard, event.set, hand): event.spell
        for event in events
        if isinstance(event, Cast)
        for hand in (("L", "R") if event.hand == "BH" else (event.hand,))
    }


def _row(event: Gestured, casts: Mapping[tuple[str, int, str], str]) -> Row:
    pair = event.left + event.right
    both = symbols(pair)[0].islower()

    def cell(hand: str, letter: str) -> Cell:
        half = "half_clap" if letter == CLAP and not both else ""
        return Cell(letter, half, casts.get((event.wizard, event.set, hand), ""), both)

    return Row(cell("L", event.left), cell("R", event.right))


def _project(turn: Turn, observer: str) -> Iterator[Event]:
    """The turn's events as the observer learns of them."""
    if observer == ALL:
        yield from turn.events
        return
    if observer != SPECTATOR:
        sight = _Sight.of(turn.position, observer)
        for event in turn.events:
            seen = _as_seen(event, sight)
            if seen is not None:
                yield seen
        return
    sights = [_Sight.of(turn.position, wizard.id) for wizard in turn.position.wizards]
    for event in turn.events:
        projections = [_as_seen(event, sight) for sight in sights]
        common = _common(projections)
        if common is not None:
            yield common


def _common(projections: Sequence[Event | None]) -> Event | None:
    """What every seat knows of an event: None where one knows nothing of it. Promise 2."""
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


def _as_seen(event: Event, sight: _Sight) -> Event | None:
    """The event as this seat learns of it, or None."""
    _follow_own(event, sight)
    match event:
        case Gestured() | Overridden() | KnifeKept():
            return event if sight.sees_hands_of(event.wizard) else None
        case Drew():
            return _drew(event, sight)
        case MindsClashed():
            return event if sight.sees_hands_of(event.subject) else None
        case Spoke():
            return event if not sight.outside or event.wizard == sight.seat else None
        case Banked() | Extended():
            return event if event.wizard == sight.seat else None
        case Cast():
            return _cast(event, sight)
        case Failed():
            return _failed(event, sight)
        case Reflected() | Guarded() | Enchanted() | Cured():
            return _touching(event, event.subject, sight)
        case Summoned():
            if event.controller == sight.seat and sight.is_dim():
                return _unnamed(event, sight)
            return None if sight.is_dim() else event
        case Raised():
            dim = sight.is_dim() and event.wizard != sight.seat
            return None if dim and event.subject not in sight.own else event
        case Merged():
            return event if not sight.is_dim() or {event.kept, event.gone} & sight.own else None
        case StormSpent():
            return None if sight.is_dim() else event
        case Removed() | Lapsed():
            return _ended(event, sight)
        case Controlled():
            return event if not sight.is_dim() or event.monster in sight.own else None
        case Hit() | Stopped():
            return _struck(event, sight)
        case Idle() | Doomed():
            return event if not sight.is_dim() or event.monster in sight.own else None
        case Wounded() | Destroyed():
            return event if not sight.is_dim() or event.subject in sight.own else None
        case Died():
            public = event.subject[:1] == "w" or not sight.is_dim()
            return event if public or event.subject in sight.own else None
        case Broke():
            return event if not sight.is_dim() or event.wizard == sight.seat else None
        case _:
            return event


def _follow_own(event: Event, sight: _Sight) -> None:
    """Keep account of the monsters that obey this seat while the turn goes on."""
    match event:
        case Summoned(monster=monster, controller=controller) if controller == sight.seat:
            sight.own.add(monster)
        case Controlled(monster=monster, controller=controller) if controller == sight.seat:
            sight.own.add(monster)
        case Raised(subject=subject, wizard=wizard) if wizard == sight.seat and subject[0] == "m":
            sight.own.add(subject)
        case _:
            pass


def _drew(event: Drew, sight: _Sight) -> Event | None:
    """Draws are disclosed to all who see what they decide. rules: F61"""
    if event.being[:1] == "w":
        return event if sight.sees_hands_of(event.being) else None
    return event if not sight.is_dim() or event.being in sight.own else None


def _cast(event: Cast, sight: _Sight) -> Event | None:
    """rules: F53, F55, F57, R121"""
    if event.wizard == sight.seat:
        return event
    if sight.outside:
        return None
    if sight.blind:
        if event.subject and event.subject not in sight.own:
            return None
        return replace(event, wizard="", hand="", set=0, instead_of=(), pattern="")
    if not sight.sees_hands_of(event.wizard):
        return replace(event, hand="", set=0, instead_of=(), pattern="")
    return event


def _failed(event: Failed, sight: _Sight) -> Event | None:
    """The blind do not learn whether their own spells work on others. rules: F55"""
    if not sight.is_dim():
        return event
    if sight.outside and event.wizard != sight.seat:
        return None
    if event.subject not in sight.own:
        return None
    return _unnamed(event, sight)


def _touching(event: Event, subject: str, sight: _Sight) -> Event | None:
    """An event that the dim learn of only where it touches them, its doer unnamed."""
    if not sight.is_dim():
        return event
    return _unnamed(event, sight) if subject in sight.own else None


def _unnamed(event: Event, sight: _Sight) -> Event:
    changes: dict[str, Any] = {
        name: "" for name in ("wizard", "by") if getattr(event, name, "") not in ("", sight.seat)
    }
    return replace(event, **changes)


def _ended(event: Removed | Lapsed, sight: _Sight) -> Event | None:
    if event.effect == "bank":
        return event if event.subject == sight.seat else None
    if not sight.knows_effect(event.subject, event.effect):
        return None
    return event if not sight.is_dim() or event.subject in sight.own else None


def _struck(event: Hit | Stopped, sight: _Sight) -> Event | None:
    """A blow. Who stabs unseen is not named; a stab unseen that hit nothing is not told. F58"""
    if sight.is_dim():
        return _unnamed(event, sight) if event.subject in sight.own else None
    if event.source == "stab" and not sight.sees_hands_of(event.by):
        missed = isinstance(event, Stopped) and event.cause == "no_subject"
        return None if missed else replace(event, by="")
    return event


# The status list


def _status(position: Position, observer: str) -> Iterator[BeingView]:
    """Uncontrolled monsters, then the observer with his own, then the others. rules: R145, F41

    A blind observer's list holds the monsters he knows of, whatever became of them.
    """
    seats = list(position.wizards)
    if observer not in (ALL, SPECTATOR):
        first = position.wizard(observer).seat
        seats = seats[first:] + seats[:first]
    shown = [m for m in position.monsters if _is_seen(position, m, observer)]
    seen = {monster.id for monster in shown}
    for id, name in _remembered(position, observer).items():
        if id not in seen:
            yield _unseen(id, name)
    for monster in shown:
        if not monster.controller:
            yield _being(position, monster, observer)
    for wizard in seats:
        yield _being(position, wizard, observer)
        for monster in shown:
            if monster.controller == wizard.id:
                yield _being(position, monster, observer)


def _remembered(position: Position, observer: str) -> dict[str, str]:
    """The monsters, by name, that every blind watcher knew of when he last saw. rules: R94"""
    blind = [w for w in _watchers(position, observer) if _has_been_blind(position, w)]
    if not blind:
        return {}
    return {
        id: name
        for id, name in (blind[0].knows or {}).items()
        if all(id in (wizard.knows or {}) for wizard in blind)
    }


def _unseen(id: str, name: str) -> BeingView:
    return BeingView(id, name, "", "unseen", None, None, 0, "", (), "", "", "")


def _watchers(position: Position, observer: str) -> list[Wizard]:
    """The wizards who must all know a thing for this observer to know it."""
    if observer == ALL:
        return []
    if observer == SPECTATOR:
        return position.standing()
    return [position.wizard(observer)]


def _has_been_blind(position: Position, wizard: Wizard) -> bool:
    """Whether he is blind and was so during the last turn: he has not seen how things stand."""
    blindness = wizard.effects.get("blindness")
    return blindness is not None and blindness.first < position.turn <= blindness.last


def _is_seen(position: Position, being: Wizard | Monster, observer: str) -> bool:
    """Whether its wounds and effects show: not to one who was blind when they came. rules: F55"""
    for wizard in _watchers(position, observer):
        own = being is wizard or (isinstance(being, Monster) and being.controller == wizard.id)
        if not own and _has_been_blind(position, wizard):
            return False
    return True


def _being(position: Position, being: Wizard | Monster, observer: str) -> BeingView:
    seen = _is_seen(position, being, observer)
    watchers = [wizard.id for wizard in _watchers(position, observer)]
    effects = tuple(
        _effect(position, kind, effect)
        for kind, effect in sorted(being.effects.items())
        if seen and not set(watchers) & set(effect.unseen_by)
    )
    kinds = {effect.code for effect in effects}
    if isinstance(being, Wizard):
        kind, state, controller, group = "wizard", being.standing, "", being.id
        bank = being.bank if observer in (ALL, being.id) else ""
    else:
        kind, state, controller, group = being.kind, being.state, being.controller, being.controller
        bank = ""
    return BeingView(
        id=being.id,
        name=being.name,
        kind=kind,
        state=state,
        damage=being.damage if seen else None,
        hit_points=being.limit - being.damage if seen else None,
        limit=being.limit,
        controller=controller,
        effects=effects,
        bank=bank,
        letters="".join(letter for code, letter in STATUS_LETTERS if code in kinds),
        group=group,
    )


def _effect(position: Position, kind: str, effect: Effect) -> EffectView:
    spell = position.rules.spells.get(kind)
    left = None if effect.last >= FOREVER else effect.last - position.turn + 1
    if kind in ("paralysis", "charm_person", "confusion"):
        detail = HAND_NAMES.get(effect.hand, "")
    else:
        detail = ""
    letters = dict(STATUS_LETTERS)
    name = spell.name if spell else kind
    return EffectView(kind, name, left, effect.permanent, letters.get(kind, ""), detail)


# Spells in progress


def _hands(position: Position, turns: Sequence[TurnView], observer: str) -> Iterator[HandView]:
    """Each standing wizard's hands, by what the observer has seen of them. rules: F49"""
    for wizard in position.wizards:
        if wizard.standing != STANDING:
            continue
        if observer in (ALL, wizard.id):
            left, right = wizard.left, wizard.right
        else:
            left, right = _seen_letters(position.rules, turns, wizard.id)
        for hand, letters in (("L", left), ("R", right)):
            used = wizard.used_bolt and observer in (ALL, wizard.id)
            progress = _progress(position.rules, left, right, hand, used_bolt=used)
            yield HandView(wizard.id, hand, letters, tuple(progress))


def _seen_letters(rules: Ruleset, turns: Sequence[TurnView], wizard: str) -> tuple[str, str]:
    """The letters since the last break or fog that the observer knows of."""
    left = right = ""
    for turn in turns:
        for row in turn.rows.get(wizard, ()):
            if row is FOG_ROW or row.left.letter == FOG:
                left = right = ""
            else:
                left, right = left + row.left.letter, right + row.right.letter
        if wizard in turn.breaks:
            left = right = ""
    depth = rules.automaton.depth
    return left[-depth:], right[-depth:]


def _progress(
    rules: Ruleset, left: str, right: str, hand: str, *, used_bolt: bool
) -> list[Progress]:
    """The spells this hand has begun, fewest gestures missing first."""
    pairs = [symbols(a + b) for a, b in zip(left, right, strict=True)]
    track = "".join(pair[0 if hand == "L" else 1] for pair in pairs)
    found: list[Progress] = []
    for completable in rules.completables:
        pattern = completable.pattern
        if completable.once and used_bolt:
            continue
        for done in range(min(len(pattern) - 1, len(track)), 0, -1):
            if _matches(pattern[:done], track[-done:]):
                spell = completable.spell
                found.append(Progress(spell.id, spell.name, pattern, done))
                break
    return sorted(found, key=lambda p: (len(p.remaining), -p.done, p.spell))


def _matches(steps: str, track: str) -> bool:
    return all(
        step == symbol or (step.isupper() and step.lower() == symbol)
        for step, symbol in zip(steps, track, strict=True)
    )
