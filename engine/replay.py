"""A whole duel again, from its record alone: replay, verify, transcript. rules: promise 5

A record is plain JSON: {"format": "spellcaster-record", "version": 1, "ruleset", "options",
"wizards", "setup", "dice", "turns", "ended"}; RECORD.md in the project's docs explains each part.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from engine.begin import Duellist, begin
from engine.check import check
from engine.commitment import seal_commitment
from engine.dice import AnyDice, Dice, RecordedDice
from engine.events import Event
from engine.history import History, Turn
from engine.narrate import narrate
from engine.orders import InvalidData, Orders, from_fields
from engine.position import DRAW, Position
from engine.resolve import resign, resolve
from engine.rulesets import RULESETS
from engine.view import ALL, TurnView, View, view

FORMAT: Final = "spellcaster-record"
VERSION: Final = 1
ENDS: Final = ("rules", "resigned", "agreed", "annulled")
Record = Mapping[str, Any]


class InvalidRecord(ValueError):
    """A record that is malformed, or that does not come out as it says; names the place."""

    def __init__(self, place: str, text: str) -> None:
        super().__init__(f"{place}: {text}")
        self.place = place
        self.text = text


def replay(record: object) -> History:
    """The duel that the record tells, played again.

    Raises InvalidRecord, naming the place, where the record is malformed, its orders are illegal,
    or a turn does not come out with the number, kind or damage that it states.
    """
    data = _object("record", record)
    if data.get("format") != FORMAT:
        raise InvalidRecord("format", f"must be {FORMAT!r}")
    if data.get("version") != VERSION:
        raise InvalidRecord("version", f"must be {VERSION}")
    position = _begin(data)
    turns: list[Turn] = []
    for index, row in enumerate(_rows("turns", data.get("turns"))):
        place = f"turns[{index}]"
        position, events = _turn(place, data, row, position)
        before, position = position, events[1]
        turns.append(Turn(index + 1, before, events[0]))
    _check_end(data, position)
    return History(tuple(turns), position)


def _begin(data: Record) -> Position:
    duellists = [
        Duellist(
            _text(f"wizards[{seat}].name", row.get("name")),
            _text(f"wizards[{seat}].pronouns", row.get("pronouns", "they")),
        )
        for seat, row in enumerate(_rows("wizards", data.get("wizards")))
    ]
    ruleset = _text("ruleset", data.get("ruleset"))
    options = data.get("options", [])
    if not isinstance(options, list) or not all(isinstance(one, str) for one in options):
        raise InvalidRecord("options", "must be a list of strings")
    setup = data.get("setup")
    try:
        return begin(
            ruleset,
            duellists,
            setup=None if setup is None else _object("setup", setup),
            options=options,
        )
    except InvalidData as error:
        raise InvalidRecord(error.field, error.text) from error


def _turn(
    place: str, data: Record, row: Record, position: Position
) -> tuple[Position, tuple[tuple[Event, ...], Position]]:
    """The position before the turn, its events, and the position after it."""
    if position.outcome:
        raise InvalidRecord(place, "the duel is over before this turn")
    for key, value in (("number", position.turn), ("kind", position.kind)):
        if row.get(key, value) != value:
            raise InvalidRecord(f"{place}.{key}", f"is {row[key]!r}, but comes out as {value!r}")
    before = position
    events: list[Event] = []
    for wizard in row.get("resigned", ()):
        try:
            position, resigned = resign(position, wizard)
        except (KeyError, ValueError, TypeError) as error:
            raise InvalidRecord(f"{place}.resigned", f"{wizard!r} cannot resign here") from error
        events += resigned
    if not position.outcome:
        orders = _orders(place, row, position)
        answers = {
            key: _text(f"{place}.answers.{key}", value)
            for key, value in _object(f"{place}.answers", row.get("answers", {})).items()
        }
        dice = dice_of(data, row.get("commitments", ()))
        try:
            position, resolved = resolve(position, orders, answers, dice)
        except (LookupError, ValueError) as error:
            raise InvalidRecord(place, str(error)) from error
        events += resolved
    for wizard, damage in _object(f"{place}.damage", row.get("damage", {})).items():
        being = position.being(wizard)
        if being is None or being.damage != damage:
            found = "nobody" if being is None else being.damage
            raise InvalidRecord(
                f"{place}.damage.{wizard}", f"is {damage!r}, but comes out as {found!r}"
            )
    return before, (tuple(events), position)


def _orders(place: str, row: Record, position: Position) -> dict[str, Orders]:
    orders: dict[str, Orders] = {}
    for wizard, flat in _object(f"{place}.orders", row.get("orders", {})).items():
        where = f"{place}.orders.{wizard}"
        try:
            orders[wizard] = from_fields(_object(where, flat))
            faults = check(position, wizard, orders[wizard])
        except InvalidData as error:
            raise InvalidRecord(f"{where}.{error.field}", error.text) from error
        except KeyError as error:
            raise InvalidRecord(where, "there is no such wizard") from error
        if faults:
            fault = faults[0]
            raise InvalidRecord(f"{where}.{fault.field}", f"{fault.text} ({fault.rule})")
    return orders


def dice_of(data: Record, commitments: object = ()) -> AnyDice:
    """The dice that a record states. Raises InvalidRecord."""
    row = _object("dice", data.get("dice"))
    if row.get("kind") == "recorded":
        draws = _object("dice.draws", row.get("draws"))
        for label, value in draws.items():
            if not isinstance(value, int) or isinstance(value, bool):
                raise InvalidRecord(f"dice.draws.{label}", "must be a whole number")
        return RecordedDice(draws)
    if row.get("kind") != "hmac":
        raise InvalidRecord("dice.kind", "must be 'hmac' or 'recorded'")
    try:
        seed = bytes.fromhex(_text("dice.seed", row.get("seed")))
    except ValueError as error:
        raise InvalidRecord("dice.seed", "must be hexadecimal") from error
    if not isinstance(commitments, Sequence) or isinstance(commitments, str):
        raise InvalidRecord("commitments", "must be a list")
    return Dice(seed, [str(one) for one in commitments])


def _check_end(data: Record, position: Position) -> None:
    ended = data.get("ended")
    if ended is None:
        return
    row = _object("ended", ended)
    if row.get("how") not in ENDS:
        raise InvalidRecord("ended.how", f"must be one of {', '.join(ENDS)}")
    if row["how"] in ("rules", "resigned") and row.get("result") != position.outcome:
        raise InvalidRecord(
            "ended.result",
            f"is {row.get('result')!r}, but comes out as {position.outcome or 'unfinished'!r}",
        )


def verify(record: object) -> list[str]:
    """What does not hold in the record, a line each; empty when everything can be confirmed.

    Replays the duel and recomputes every seal's commitments from its fields and salts.
    """
    try:
        replay(record)
    except InvalidRecord as error:
        return [str(error)]
    assert isinstance(record, Mapping)
    faults: list[str] = []
    for index, row in enumerate(record["turns"]):
        for seal in row.get("seals", ()):
            place = f"turns[{index}].seals.{seal.get('wizard')}"
            faults += [f"{place}: {fault}" for fault in _seal_faults(seal)]
    return faults


def _seal_faults(seal: Mapping[str, Any]) -> list[str]:
    try:
        found = seal_commitment(seal["fields"], seal["salts"])
    except (KeyError, TypeError, ValueError) as error:
        return [f"is malformed ({error!r})"]
    stated = seal.get("commitment")
    return [] if found == stated else [f"commits to {found}, not to {stated}"]


# The transcript


def transcript(record: object) -> str:
    """The whole duel as an outside observer tells it afterwards, as text. rules: F69"""
    history = replay(record)
    assert isinstance(record, Mapping)
    seen = view(history, ALL)
    lines = _heading(seen, record)
    for turn, report in zip(seen.turns, narrate(seen), strict=True):
        extra = " (extra turn)" if turn.kind == "extra" else ""
        lines += ["", f"Turn {turn.number}{extra}"]
        lines += _gesture_lines(seen, turn)
        lines += [f"  {line.text} [{line.rule}]" for line in report.lines]
        lines += [f"  - break for {seen.names[wizard]} -" for wizard in turn.breaks]
    lines += ["", _ending(seen, record)]
    return "\n".join(lines) + "\n"


def _heading(seen: View, record: Record) -> list[str]:
    names = " against ".join(wizard.name for wizard in seen.wizards)
    return [
        f"{names} ({RULESETS[seen.ruleset].name}, {record['ruleset']})",
        "The referee dispels all magic and breaks every sequence: the duel begins. [turn:start]",
    ]


def _gesture_lines(seen: View, turn: TurnView) -> list[str]:
    width = max(len(wizard.name) for wizard in seen.wizards)
    return [
        f"  {seen.names[wizard]:<{width}}  {row.left.letter} {row.right.letter}"
        for wizard, rows in turn.rows.items()
        for row in rows
    ]


def _ending(seen: View, record: Record) -> str:
    how = (record.get("ended") or {}).get("how", "rules")
    if how == "agreed":
        return "The wizards agreed on a draw."
    if how == "annulled":
        return "The duel was annulled."
    if seen.outcome == DRAW:
        return "The duel is a draw."
    if seen.outcome:
        return f"{seen.names[seen.outcome]} has won."
    return "The duel is not over."


def _object(place: str, value: object) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise InvalidRecord(place, "must be an object")
    return value


def _rows(place: str, value: object) -> list[Mapping[str, Any]]:
    if not isinstance(value, list):
        raise InvalidRecord(place, "must be a list")
    return [_object(f"{place}[{index}]", row) for index, row in enumerate(value)]


def _text(place: str, value: object) -> str:
    if not isinstance(value, str):
        raise InvalidRecord(place, "must be a string")
    return value
