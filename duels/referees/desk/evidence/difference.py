"""Differences between two outcomes of a turn (positions, events and draws) as text."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any, Final

import engine.play
import engine.words
from duels.commands.duel_end import Change
from duels.referees.desk.evidence.dry_run import TurnOutcome
from duels.referees.desk.evidence.event_words import draw_result, draw_words, event_sentence
from engine.play import ALL

NO_VALUE: Final = "—"
EVENT_KEPT, EVENT_REMOVED, EVENT_ADDED = "same", "gone", "came"


@dataclass(frozen=True)
class EventDifference:
    """A line about an event, with its rule and a mark.

    The mark is "gone" if the event is only in the first outcome, "came" if it is only in the
    second, otherwise "same".
    """

    mark: str
    text: str
    rule: str


@dataclass(frozen=True)
class Difference:
    """All differences between two outcomes. `position` is None if either position is unknown."""

    position: tuple[Change, ...] | None
    events: tuple[EventDifference, ...]
    draws: tuple[Change, ...]
    has_same_events: bool  # also compares values that the lines do not show

    @property
    def is_empty(self) -> bool:
        """Whether the outcomes are equal, as far as both are known."""
        return not self.position and self.has_same_events and not self.draws


def compare_outcomes(
    first: TurnOutcome, second: TurnOutcome, start: engine.play.Position
) -> Difference:
    """Compare two outcomes of a turn that began in the position `start`."""
    position = None
    if first.position is not None and second.position is not None:
        position = tuple(changed_values(first.position, second.position))
    return Difference(
        position=position,
        events=tuple(_event_differences(first, second, start)),
        draws=tuple(_draw_differences(first, second, start)),
        has_same_events=first.events == second.events,
    )


class EventNarrator:
    """A narrator of one outcome's events, as an all-seeing observer reads them."""

    def __init__(self, outcome: TurnOutcome, start: engine.play.Position) -> None:
        turn = engine.play.Turn(1, engine.play.under_published_rules(start), outcome.events)
        after = engine.play.under_published_rules(outcome.position or start)
        self._view = engine.play.view(engine.play.History((turn,), after), ALL)

    def sentences(self, event: engine.play.Event) -> list[tuple[str, str]]:
        """Return the sentences about an event of this outcome, each with its rule."""
        told = engine.words.narrate_events(self._view, (event,))
        if not told:
            return [event_sentence(event, self.names, self._view.rules)]
        return [(line.text, line.rule) for line in told]

    @property
    def names(self) -> Mapping[str, str]:
        """The names of all beings, by id."""
        return self._view.names


def changed_values(first: engine.play.Position, second: engine.play.Position) -> Iterator[Change]:
    """Yield the values that differ between two positions, by wizard, monster and field."""
    one, two = _flat_values(first), _flat_values(second)
    for place in dict.fromkeys((*one, *two)):
        before, after = one.get(place), two.get(place)
        if before != after:
            yield Change(place, _value_text(before), _value_text(after))


def _flat_values(position: engine.play.Position) -> dict[str, Any]:
    """Return every value of a position by its path, such as "Ada, effects, haste, last"."""
    data = engine.play.dump(position)
    del data["format"], data["type"]
    beings = {
        "wizards": [wizard.name for wizard in position.wizards],
        "monsters": [f"{monster.name} ({monster.id})" for monster in position.monsters],
    }
    flat: dict[str, Any] = {}
    for name, rows in beings.items():
        for being, row in zip(rows, data.pop(name, ()), strict=True):
            flat.update(_nested_values(row, being))
    flat.update(_nested_values(data, ""))
    return flat


def _nested_values(value: Any, place: str) -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        for name, part in value.items():
            yield from _nested_values(part, f"{place}, {name}" if place else name)
    else:
        yield place, value


def _value_text(value: Any) -> str:
    if value is None:
        return NO_VALUE
    if isinstance(value, list):
        return ", ".join(map(str, value)) or NO_VALUE
    return str(value)


def _event_differences(
    first: TurnOutcome, second: TurnOutcome, start: engine.play.Position
) -> Iterator[EventDifference]:
    one, two = (
        [line for event in outcome.events for line in narrator.sentences(event)]
        for outcome in (first, second)
        for narrator in [EventNarrator(outcome, start)]
    )
    for tag, a, b, c, d in SequenceMatcher(None, one, two, autojunk=False).get_opcodes():
        if tag == "equal":
            yield from (EventDifference(EVENT_KEPT, *line) for line in one[a:b])
        else:
            yield from (EventDifference(EVENT_REMOVED, *line) for line in one[a:b])
            yield from (EventDifference(EVENT_ADDED, *line) for line in two[c:d])


def _draw_differences(
    first: TurnOutcome, second: TurnOutcome, start: engine.play.Position
) -> Iterator[Change]:
    one, two = ({draw.label: draw for draw in outcome.draws} for outcome in (first, second))
    names = [EventNarrator(outcome, start).names for outcome in (first, second)]
    for label in dict.fromkeys((*one, *two)):
        values = [
            f"{draws[label].value} of {draws[label].sides}: {draw_result(draws[label], known)}"
            if label in draws
            else NO_VALUE
            for draws, known in zip((one, two), names, strict=True)
        ]
        if values[0] != values[1]:
            place = draw_words(one[label], names[0]) if label in one else ""
            place = place or draw_words(two[label], names[1])
            yield Change(place, *values)
