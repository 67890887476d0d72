"""Transcript of a recorded duel, as an outside observer can see it after the end.

rules: F69, F94
"""

from engine.json_values import parse_int, parse_object, parse_objects, parse_string
from engine.positions.position import DRAW, Position
from engine.proof.record import InvalidRecord, Record, invalid_record_errors
from engine.proof.replay import end_marker_events, replay
from engine.rules_text.wording import versus_text
from engine.view import view
from engine.view.view_types import ALL, TurnView, View
from engine.words.narrate import narrate, narrate_events, opening_report


@invalid_record_errors()
def transcript(record: object) -> str:
    """Return the transcript of the whole duel. Raise `InvalidRecord` if it is malformed.

    rules: F69
    """
    history = replay(record)
    data = parse_object("record", record)
    seen = view(history, ALL)
    said = _message_lines(data, seen)
    names = versus_text(wizard.name for wizard in seen.wizards)
    lines = [f"{names} ({seen.rules.name}, {seen.ruleset})"]
    if data.get("setup") is None:
        lines += [f"{line.text} [{line.rule}]" for line in opening_report(seen).lines]
    for turn, report in zip(seen.turns, narrate(seen), strict=True):
        lines += ["", report.title[:1].upper() + report.title[1:]]
        lines += said.get(turn.ordinal, [])
        lines += _gesture_lines(seen, turn)
        lines += [f"  {line.text} [{line.rule}]" for line in report.lines]
        lines += [f"  - break for {seen.names[wizard]} -" for wizard in turn.breaks]
    lines += ["", *said.get(0, []), *_ending_lines(seen, data, history.position)]
    lines += said.get(None, [])
    return "\n".join(lines) + "\n"


def _message_lines(data: Record, seen: View) -> dict[int | None, list[str]]:
    """Return the lines of messages, by the ordinal of the turn in which they were sent.

    The key is None for messages sent after the end, and 0 for those from a turn that was not
    played. rules: F69, F94
    """
    played = {turn.ordinal for turn in seen.turns}
    said: dict[int | None, list[str]] = {}
    for number, row in enumerate(parse_objects("speeches", data.get("speeches", []))):
        place = f"speeches[{number}]"
        ordinal = parse_int(f"{place}.ordinal", row.get("ordinal"))
        name = seen.names.get(parse_string(f"{place}.wizard", row.get("wizard")))
        if name is None:
            raise InvalidRecord(f"{place}.wizard", "there is no such wizard")
        first, *more = parse_string(f"{place}.words", row.get("words")).split("\n")
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


def _ending_lines(seen: View, record: Record, position: Position) -> list[str]:
    how = parse_object("ended", record.get("ended") or {}).get("how")
    if how == "agreed":
        moved = narrate_events(seen, end_marker_events(position, "agreed"))
        return ["The wizards agreed on a draw.", *(f"{line.text} [{line.rule}]" for line in moved)]
    if how == "annulled":
        return ["The duel was annulled."]
    if seen.outcome == DRAW:
        return ["The duel is a draw."]
    if seen.outcome:
        return [f"{seen.names[seen.outcome]} has won."]
    return ["The duel is not over."]
