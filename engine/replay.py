"""A whole duel again, from its record alone: replay, verify, transcript. rules: promise 5

A record is plain JSON: {"format": "spellcaster-record", "version": 2, "ruleset", "options",
"wizards": [{"name", "pronouns"}], "setup", "dice": {"kind": "hmac", "seed"} or {"kind": "recorded",
"draws"}, "turns": [{"number", "kind", "resigned", "forfeited", "commitments", "orders", "answers",
"damage", "seals"}], "ended": {"how", "result", "markers": {"taken", "returned"}}}. Orders are in
the flat form of `orders.fields`. "forfeited" are those of the "resigned" whose time ran out. A last
turn with "played": false holds resignations only: the others agreed on a draw instead of playing
it, or nobody was there. Markers: of whom the winner took one, who gave theirs back. R114

What was said between turns may stand in "speeches": [{"wizard", "ordinal", "after_end", "words"}],
by the ordinal of the turn that was open. It changes nothing that is played; the transcript has it.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from engine.begin import Duellist, begin
from engine.check import check
from engine.commitment import seal_commitment
from engine.dice import AnyDice, Dice, RecordedDice
from engine.events import Event, MarkersReturned, MarkerTaken
from engine.history import History, Turn
from engine.json_values import InvalidData, a_number, a_text, an_object, objects, one_of, strings
from engine.narrate import narrate, narrate_events, opening_report
from engine.orders import Orders, from_fields
from engine.position import DRAW, Position
from engine.resolve import forfeit, resign, resolve
from engine.resolve.markers import markers_moved
from engine.rulesets import RULESETS
from engine.view import ALL, TurnView, View, view
from engine.wording import against

FORMAT: Final = "spellcaster-record"
VERSION: Final = 2
ENDS: Final = ("rules", "resigned", "agreed", "annulled", "time", "claimed", "abandoned")
# Ends by which the last wizard standing has won.
BY_WINNING: Final = ("rules", "resigned", "time", "claimed")
Record = Mapping[str, object]


class InvalidRecord(InvalidData):
    """A record that is malformed, or that does not come out as it says; `field` is the place."""


class Mismatch(InvalidRecord):
    """A well-formed record that does not come out as it says."""


def replay(record: object) -> History:
    """The duel that the record tells, played again.

    Raises InvalidRecord, naming the place, where the record is malformed, its orders are illegal,
    or a turn does not come out with the number, kind or damage that it states.
    """
    try:
        return _replay(an_object("record", record))
    except InvalidRecord:
        raise
    except InvalidData as error:
        raise InvalidRecord(error.field, error.text) from error


def _replay(data: Record) -> History:
    one_of("format", data.get("format"), (FORMAT,))
    if data.get("version") != VERSION:
        raise InvalidRecord("version", f"must be {VERSION}")
    position = _begin(data)
    turns: list[Turn] = []
    for index, row in enumerate(objects("turns", data.get("turns"))):
        after, events = _turn(f"turns[{index}]", data, row, position)
        turns.append(Turn(index + 1, position, events))
        position = after
    _check_end(data, position)
    return History(tuple(turns), position)


def _begin(data: Record) -> Position:
    duellists = [
        Duellist(
            a_text(f"wizards[{seat}].name", row.get("name", "")),
            a_text(f"wizards[{seat}].pronouns", row.get("pronouns", "they")),
        )
        for seat, row in enumerate(objects("wizards", data.get("wizards")))
    ]
    setup = data.get("setup")
    return begin(
        a_text("ruleset", data.get("ruleset")),
        duellists,
        setup=None if setup is None else an_object("setup", setup),
        options=strings("options", data.get("options", [])),
    )


def _turn(
    place: str, data: Record, row: Record, before: Position
) -> tuple[Position, tuple[Event, ...]]:
    """The position after the turn, and its events."""
    if before.outcome:
        raise InvalidRecord(place, "the duel is over before this turn")
    for key, value in (("number", before.turn), ("kind", before.kind)):
        if row.get(key, value) != value:
            raise Mismatch(f"{place}.{key}", f"is {row[key]!r}, but comes out as {value!r}")
    position = before
    events: list[Event] = []
    out_of_time = strings(f"{place}.forfeited", row.get("forfeited", []))
    left = strings(f"{place}.resigned", row.get("resigned", []))
    if not set(out_of_time) <= set(left):
        raise InvalidRecord(f"{place}.forfeited", "must be among those who resigned")
    for wizard in left:
        try:
            leave = forfeit if wizard in out_of_time else resign
            position, resigned = leave(position, wizard)
        except (KeyError, ValueError) as error:
            raise InvalidRecord(f"{place}.resigned", f"{wizard!r} cannot resign here") from error
        events += resigned
    if not position.outcome and row.get("played") is not False:
        position, resolved = _resolved(place, data, row, position)
        events += resolved
    _check_damage(f"{place}.damage", row, position)
    return position, tuple(events)


def _resolved(
    place: str, data: Record, row: Record, position: Position
) -> tuple[Position, tuple[Event, ...]]:
    orders = {
        wizard: _orders(f"{place}.orders.{wizard}", flat, position, wizard)
        for wizard, flat in an_object(f"{place}.orders", row.get("orders", {})).items()
    }
    answers = {
        key: a_text(f"{place}.answers.{key}", value)
        for key, value in an_object(f"{place}.answers", row.get("answers", {})).items()
    }
    commitments = strings(f"{place}.commitments", row.get("commitments", []))
    try:
        return resolve(position, orders, answers, dice_of(data, commitments))
    except (LookupError, ValueError) as error:
        raise InvalidRecord(place, str(error)) from error


def _orders(place: str, flat: object, position: Position, wizard: str) -> Orders:
    try:
        orders = from_fields(an_object(place, flat))
        faults = check(position, wizard, orders)
    except InvalidData as error:
        raise InvalidRecord(f"{place}.{error.field}", error.text) from error
    except KeyError as error:
        raise InvalidRecord(place, "there is no such wizard") from error
    for fault in faults:
        raise InvalidRecord(f"{place}.{fault.field}", f"{fault.text} ({fault.rule})")
    return orders


def _check_damage(place: str, row: Record, position: Position) -> None:
    for wizard, damage in an_object(place, row.get("damage", {})).items():
        being = position.being(wizard)
        found = "nobody" if being is None else being.damage
        if found != damage:
            raise Mismatch(f"{place}.{wizard}", f"is {damage!r}, but comes out as {found!r}")


def dice_of(data: Record, commitments: tuple[str, ...] = ()) -> AnyDice:
    """The dice that a record states, for the turn of these commitments. Raises InvalidData."""
    row = an_object("dice", data.get("dice"))
    if one_of("dice.kind", row.get("kind"), ("hmac", "recorded")) == "recorded":
        draws = an_object("dice.draws", row.get("draws"))
        return RecordedDice(
            {label: a_number(f"dice.draws.{label}", value) for label, value in draws.items()}
        )
    try:
        seed = bytes.fromhex(a_text("dice.seed", row.get("seed")))
    except ValueError as error:
        raise InvalidRecord("dice.seed", "must be hexadecimal") from error
    return Dice(seed, commitments)


def _check_end(data: Record, position: Position) -> None:
    if data.get("ended") is None:
        return
    row = an_object("ended", data["ended"])
    how = one_of("ended.how", row.get("how"), ENDS)
    if how in BY_WINNING and row.get("result") != position.outcome:
        found = position.outcome or "unfinished"
        raise Mismatch("ended.result", f"is {row.get('result')!r}, but comes out as {found!r}")
    stated = an_object("ended.markers", row.get("markers") or {})
    came_out = markers_at_end(position, how)
    for key in stated:
        one_of("ended.markers", key, tuple(came_out))
        found_there = strings(f"ended.markers.{key}", stated[key])
        if list(found_there) != came_out[key]:
            text = f"is {list(found_there)!r}, but comes out as {came_out[key]!r}"
            raise Mismatch(f"ended.markers.{key}", text)


def markers_at_end(position: Position, how: str) -> dict[str, list[str]]:
    """Whose markers the winner took and who gave theirs back, as a record states it. rules: R114"""
    moved = _moved(position, how)
    return {
        "taken": [event.subject for event in moved if isinstance(event, MarkerTaken)],
        "returned": [event.wizard for event in moved if isinstance(event, MarkersReturned)],
    }


def _moved(position: Position, how: str) -> Sequence[MarkerTaken | MarkersReturned]:
    """rules: R114; a duel that was annulled or abandoned moves nothing"""
    result = DRAW if how == "agreed" else position.outcome
    moves = result and how not in ("annulled", "abandoned")
    return markers_moved(position, result) if moves else ()


def verify(record: object) -> list[str]:
    """What does not hold in the record, a line each; empty when everything can be confirmed.

    Replays the duel and recomputes every seal's commitments from its fields and salts. Raises
    InvalidRecord where no duel can be replayed: a malformed record, or orders that are illegal.
    """
    try:
        replay(record)
    except Mismatch as error:
        return [str(error)]
    try:
        return list(_seal_faults(an_object("record", record)))
    except InvalidData as error:
        return [str(error)]


def _seal_faults(data: Record) -> Iterator[str]:
    for index, row in enumerate(objects("turns", data.get("turns"))):
        sealed = strings(f"turns[{index}].commitments", row.get("commitments", []))
        for number, seal in enumerate(objects(f"turns[{index}].seals", row.get("seals", []))):
            place = f"turns[{index}].seals[{number}]"
            found = _commitment(place, seal)
            if found != seal.get("commitment"):
                yield f"{place}: commits to {found}, not to {seal.get('commitment')}"
            elif sealed and seal.get("stage", "orders") == "orders" and found not in sealed:
                yield f"{place}: is not among the turn's commitments"


def _commitment(place: str, seal: Record) -> str:
    def texts(key: str) -> dict[str, str]:
        rows = an_object(f"{place}.{key}", seal.get(key))
        return {name: a_text(f"{place}.{key}.{name}", value) for name, value in rows.items()}

    try:
        return seal_commitment(texts("fields"), texts("salts"))
    except KeyError as error:
        raise InvalidRecord(f"{place}.salts", f"{error} has no salt") from error
    except ValueError as error:
        if isinstance(error, InvalidData):
            raise
        raise InvalidRecord(f"{place}.salts", "must be hexadecimal") from error


# The transcript


def transcript(record: object) -> str:
    """The whole duel as an outside observer tells it afterwards, as text. rules: F69"""
    history = replay(record)
    data = an_object("record", record)
    seen = view(history, ALL)
    said = _speeches(data, seen)
    lines = [*_heading(seen), *(_opening(seen) if data.get("setup") is None else ())]
    for turn, report in zip(seen.turns, narrate(seen), strict=True):
        lines += ["", report.title[:1].upper() + report.title[1:]]
        lines += said.get(turn.ordinal, [])
        lines += _gesture_lines(seen, turn)
        lines += [f"  {line.text} [{line.rule}]" for line in report.lines]
        lines += [f"  - break for {seen.names[wizard]} -" for wizard in turn.breaks]
    lines += ["", *said.get(0, []), *_ending(seen, data, history.position)]
    lines += said.get(None, [])
    return "\n".join(lines) + "\n"


def _heading(seen: View) -> list[str]:
    names = against(wizard.name for wizard in seen.wizards)
    return [f"{names} ({RULESETS[seen.ruleset].name}, {seen.ruleset})"]


def _opening(seen: View) -> list[str]:
    return [f"{line.text} [{line.rule}]" for line in opening_report(seen).lines]


def _speeches(data: Record, seen: View) -> dict[int | None, list[str]]:
    """What was said, by the turn that was open; under None what was said after the end.

    Under 0 stands what was said in a turn that was not played. rules: F69, F94
    """
    played = {turn.ordinal for turn in seen.turns}
    said: dict[int | None, list[str]] = {}
    for number, row in enumerate(objects("speeches", data.get("speeches", []))):
        place = f"speeches[{number}]"
        ordinal = a_number(f"{place}.ordinal", row.get("ordinal"))
        name = seen.names.get(a_text(f"{place}.wizard", row.get("wizard")))
        if name is None:
            raise InvalidRecord(f"{place}.wizard", "there is no such wizard")
        first, *more = a_text(f"{place}.words", row.get("words")).split("\n")
        at = None if row.get("after_end") is True else ordinal if ordinal in played else 0
        lines = [f"  # {name}: {first}", *(f"  #   {line}" for line in more)]
        said.setdefault(at, []).extend(lines)
    return said


def _gesture_lines(seen: View, turn: TurnView) -> list[str]:
    width = max(len(wizard.name) for wizard in seen.wizards)
    return [
        f"  {seen.names[wizard]:<{width}}  {row.left.letter} {row.right.letter}"
        for wizard, rows in turn.rows.items()
        for row in rows
    ]


def _ending(seen: View, record: Record, position: Position) -> list[str]:
    how = an_object("ended", record.get("ended") or {}).get("how")
    if how == "agreed":
        moved = narrate_events(seen, _moved(position, "agreed"))
        return ["The wizards agreed on a draw.", *(f"{line.text} [{line.rule}]" for line in moved)]
    if how == "annulled":
        return ["The duel was annulled."]
    if seen.outcome == DRAW:
        return ["The duel is a draw."]
    if seen.outcome:
        return [f"{seen.names[seen.outcome]} has won."]
    return ["The duel is not over."]
