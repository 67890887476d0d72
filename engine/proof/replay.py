"""Replay of a whole duel from its record. rules: promise 5

Only the parts needed for play are read. `engine.proof.verify` checks seals, hashes and times.
"""

from collections.abc import Sequence

from engine.events import Event, MarkersReturned, MarkerTaken
from engine.json_values import (
    InvalidData,
    check_json_record,
    parse_choice,
    parse_int,
    parse_object,
    parse_objects,
    parse_string,
    parse_strings,
)
from engine.legality.check import check
from engine.orders import Orders, from_fields
from engine.positions.history import History, Turn
from engine.positions.position import DRAW, Position
from engine.proof.record import (
    END_KINDS,
    END_KINDS_WITH_WINNER,
    OLDEST_VERSION,
    RECORD_FORMAT,
    RECORD_VERSION,
    UNCOVERED_DICE_VERSION,
    InvalidRecord,
    Mismatch,
    Record,
    dice_of_turn,
    invalid_record_errors,
)
from engine.resolve import forfeit, remove, resign, resolve
from engine.resolve.markers import marker_events
from engine.start.begin import Duellist, begin


def replay(record: object) -> History:
    """Replay the record's duel and return its history.

    Raises InvalidRecord, with the place, if the record is malformed, its orders are illegal, or a
    turn differs from the number, kind or damage in the record.
    """
    with invalid_record_errors():
        data = parse_object("record", record)
        check_format(data)
        position = initial_position(data)
        turns: list[Turn] = []
        for index, row in enumerate(parse_objects("turns", data.get("turns"))):
            after, events = play_turn(f"turns[{index}]", data, row, position)
            if events or row.get("played") is not False:  # otherwise nothing happened in it
                turns.append(Turn(index + 1, position, events))
            position = after
        check_end(data, position)
        return History(tuple(turns), position)


def check_format(data: Record) -> None:
    """Raise InvalidData if this is not a record, has another version or is not JSON."""
    check_json_record(data)
    parse_choice("format", data.get("format"), (RECORD_FORMAT,))
    version = data.get("version")
    versions = (RECORD_VERSION, UNCOVERED_DICE_VERSION, OLDEST_VERSION)
    if type(version) is not int or version not in versions:
        text = f"must be {RECORD_VERSION}, {UNCOVERED_DICE_VERSION} or {OLDEST_VERSION}"
        raise InvalidRecord("version", text)


def initial_position(data: Record) -> Position:
    """Return the position before the first turn. Raises InvalidData."""
    duellists = [
        Duellist(
            parse_string(f"wizards[{seat}].name", row.get("name", "")),
            parse_string(f"wizards[{seat}].pronouns", row.get("pronouns", "they")),
        )
        for seat, row in enumerate(parse_objects("wizards", data.get("wizards")))
    ]
    setup = data.get("setup")
    return begin(
        parse_string("ruleset", data.get("ruleset")),
        duellists,
        setup=None if setup is None else parse_object("setup", setup),
        options=parse_strings("options", data.get("options", [])),
    )


def play_turn(
    place: str, data: Record, row: Record, before: Position
) -> tuple[Position, tuple[Event, ...]]:
    """Return the position after this row's turn, and its events. Raises InvalidData."""
    if before.outcome:
        raise InvalidRecord(place, "the duel is over before this turn")
    for key, value in (("number", before.turn), ("kind", before.kind)):
        if row.get(key, value) != value:
            raise Mismatch(f"{place}.{key}", f"is {row[key]!r}, but should be {value!r}")
    position, left = apply_departures(place, row, before)
    events = [*left]
    if not position.outcome and row.get("played") is not False:
        position, resolved = _resolve_turn(place, data, row, position)
        events += resolved
    _check_damage(f"{place}.damage", row, position)
    return position, tuple(events)


def apply_departures(place: str, row: Record, before: Position) -> tuple[Position, list[Event]]:
    """Return the position after the departures in this row's turn, and the events they cause.

    Raises InvalidData.
    """
    position = before
    events: list[Event] = []
    out_of_time = parse_strings(f"{place}.forfeited", row.get("forfeited", []))
    left = parse_strings(f"{place}.resigned", row.get("resigned", []))
    removed = parse_strings(f"{place}.removed", row.get("removed", []))
    if not set(out_of_time) <= set(left):
        raise InvalidRecord(f"{place}.forfeited", "must be among those who resigned")
    if not set(removed) <= set(left) - set(out_of_time):
        text = "must be among those who resigned, but not among the forfeited"
        raise Mismatch(f"{place}.removed", text)
    for wizard in left:
        try:
            leave = forfeit if wizard in out_of_time else remove if wizard in removed else resign
            position, resigned = leave(position, wizard)
        except (KeyError, ValueError) as error:
            raise InvalidRecord(f"{place}.resigned", f"{wizard!r} cannot resign here") from error
        events += resigned
    return position, events


def _resolve_turn(
    place: str, data: Record, row: Record, position: Position
) -> tuple[Position, tuple[Event, ...]]:
    orders = {
        wizard: _parse_orders(f"{place}.orders.{wizard}", flat, position, wizard)
        for wizard, flat in parse_object(f"{place}.orders", row.get("orders", {})).items()
    }
    answers = {
        key: parse_string(f"{place}.answers.{key}", value)
        for key, value in parse_object(f"{place}.answers", row.get("answers", {})).items()
    }
    commitments = parse_strings(f"{place}.commitments", row.get("commitments", []))
    roll_backs = parse_int(f"{place}.roll_backs", row.get("roll_backs", 0))
    try:
        dice = dice_of_turn(data, commitments, roll_backs, drawn=_stated_draws(place, row))
        return resolve(position, orders, answers, dice)
    except (LookupError, ValueError) as error:
        raise InvalidRecord(place, str(error)) from error


def _stated_draws(place: str, row: Record) -> dict[str, int] | None:
    """Return the draws that the record states for the turn, by label; None if it states none."""
    if "draws" not in row:
        return None
    draws = enumerate(parse_objects(f"{place}.draws", row["draws"]))
    return {
        parse_string(f"{place}.draws[{number}].label", draw.get("label")): parse_int(
            f"{place}.draws[{number}].value", draw.get("value")
        )
        for number, draw in draws
    }


def _parse_orders(place: str, flat: object, position: Position, wizard: str) -> Orders:
    try:
        orders = from_fields(parse_object(place, flat))
        faults = check(position, wizard, orders)
    except InvalidData as error:
        raise InvalidRecord(f"{place}.{error.field}", error.text) from error
    except KeyError as error:
        raise InvalidRecord(place, "there is no such wizard") from error
    for fault in faults:
        raise InvalidRecord(f"{place}.{fault.field}", f"{fault.text} ({fault.rule})")
    return orders


def _check_damage(place: str, row: Record, position: Position) -> None:
    for wizard, damage in parse_object(place, row.get("damage", {})).items():
        being = position.being(wizard)
        found = "nobody" if being is None else being.damage
        if found != damage:
            raise Mismatch(f"{place}.{wizard}", f"is {damage!r}, but should be {found!r}")


def check_end(data: Record, position: Position) -> None:
    """Raise InvalidData if the duel does not end as the record states."""
    if data.get("ended") is None:
        return
    row = parse_object("ended", data["ended"])
    how = parse_choice("ended.how", row.get("how"), END_KINDS)
    if how in END_KINDS_WITH_WINNER and row.get("result") != position.outcome:
        found = position.outcome or "unfinished"
        raise Mismatch("ended.result", f"is {row.get('result')!r}, but should be {found!r}")
    named = {"agreed": (DRAW,), "declared": (DRAW, *(wizard.id for wizard in position.wizards))}
    if how in named:
        parse_choice("ended.result", row.get("result"), named[how])
    stated = parse_object("ended.markers", row.get("markers") or {})
    result = row.get("result")
    computed = markers_at_end(position, how, result if isinstance(result, str) else "")
    for key in stated:
        parse_choice("ended.markers", key, tuple(computed))
        listed_there = parse_strings(f"ended.markers.{key}", stated[key])
        if list(listed_there) != computed[key]:
            text = f"is {list(listed_there)!r}, but should be {computed[key]!r}"
            raise Mismatch(f"ended.markers.{key}", text)


def markers_at_end(position: Position, how: str, result: str = "") -> dict[str, list[str]]:
    """Return the markers taken and returned at the end, as a record states them. rules: R114"""
    moved = end_marker_events(position, how, result)
    return {
        "taken": [event.subject for event in moved if isinstance(event, MarkerTaken)],
        "returned": [event.wizard for event in moved if isinstance(event, MarkersReturned)],
    }


def end_marker_events(
    position: Position, how: str, result: str = ""
) -> Sequence[MarkerTaken | MarkersReturned]:
    """Return the events of markers that change hands at this end of a duel.

    There are none if the duel was annulled or abandoned. rules: R114
    """
    if how == "agreed":
        result = DRAW
    elif how != "declared":
        result = position.outcome
    moves = result and how not in ("annulled", "abandoned")
    return marker_events(position, result) if moves else ()
