"""Checks that the parts of a record agree: its turns, its end and the log of referees' acts.

Anyone who keeps a record can leave something out and compute a new chain. These checks notice it,
because each fact is recorded in more than one place.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, cast

from engine.orders import SAY
from engine.position import DRAW
from engine.record import Mismatch
from engine.seed_check import act_facts

Row = Mapping[str, Any]

# Acts that end a duel or change its end, with the value of `ended.how` afterwards.
ENDED_BY: Final = {"declare": "declared", "annul": "annulled"}


def check_consistency(row: Row) -> None:
    """Raise Mismatch, with its place, at the first contradiction."""
    _check_roll_backs(row)
    _check_removed_wizards(row)
    _check_ending(row)
    _check_unique_commitments(row)
    _check_removed_words(row)
    counted = 0
    for index, turn in enumerate(row["turns"]):
        if turn["acts"] < counted:
            raise Mismatch(f"turns[{index}].acts", f"is {turn['acts']}, after {counted}")
        counted = turn["acts"]


def _check_roll_backs(row: Row) -> None:
    """Check that the void turns are exactly those that rollbacks in the log made void."""
    void = {(turn["voided_in"], turn["ordinal"]) for turn in row["void_turns"]}
    number = 0
    for index, act in enumerate(row["acts"]):
        if act.get("act") != "roll_back":
            continue
        number += 1
        facts = act_facts(act)
        if facts.get("roll_back") != number:
            raise Mismatch(f"acts[{index}].facts.roll_back", f"must be {number}")
        for ordinal in _as_list(facts.get("void")):
            if (number, ordinal) not in void:
                text = f"lacks turn {ordinal}, which rollback {number} made void"
                raise Mismatch("void_turns", text)
            void.remove((number, ordinal))
    for index, turn in enumerate(row["void_turns"]):
        if (turn["voided_in"], turn["ordinal"]) in void:
            raise Mismatch(f"void_turns[{index}]", "was not made void by any act in the log")


def _check_removed_wizards(row: Row) -> None:
    """Check that each removed wizard has an act in the log, and the other way round."""
    by_act = {
        (act.get("turn"), act.get("seat")): index
        for index, act in enumerate(row["acts"])
        if act.get("act") == "remove"
    }
    gone: set[tuple[object, object]] = set()
    for place, turn in _played_and_void_turns(row):
        for wizard in turn["removed"]:
            gone.add((turn["ordinal"], wizard))
            if (turn["ordinal"], wizard) not in by_act:
                text = f"{wizard} was not removed by any act in the log"
                raise Mismatch(f"{place}.removed", text)
    for key, index in by_act.items():
        if key not in gone:
            raise Mismatch(f"acts[{index}]", "did not remove anyone from that turn")


def _check_ending(row: Row) -> None:
    """Check that the end is the result of the last act that affected it."""
    ended = row["ended"]
    on_the_end = [act for act in row["acts"] if act.get("act") in (*ENDED_BY, "roll_back")]
    last: Row = on_the_end[-1] if on_the_end else {}
    wanted = ENDED_BY.get(last.get("act", ""))
    if ended["how"] != wanted and (wanted or ended["how"] in ENDED_BY.values()):
        raise Mismatch("ended.how", f"is {ended['how']!r}, but the log of acts does not say so")
    stated: dict[str, object] = {"annulled": None, "abandoned": DRAW}
    if wanted == "declared":
        stated["declared"] = act_facts(last).get("result")
    if ended["result"] != stated.get(ended["how"], ended["result"]):
        text = f"is {ended['result']!r}, but was {stated[ended['how']]!r}"
        raise Mismatch("ended.result", text)


def _check_removed_words(row: Row) -> None:
    """Check that seals lack nothing except messages that an act in the log removed."""
    for place, turn in _played_and_void_turns(row):
        for number, seal in enumerate(turn["seals"]):
            for name, ordinal in seal.get("removed", {}).items():
                at = f"{place}.seals[{number}].removed.{name}"
                act: Row = row["acts"][ordinal - 1] if 0 < ordinal <= len(row["acts"]) else {}
                done = (act.get("act"), act.get("turn"), act.get("seat"))
                if name != SAY or done != ("remove_words", turn["ordinal"], seal["wizard"]):
                    raise Mismatch(at, "was not removed by this act in the log")
                if name in (seal["fields"] or {}) or name not in (seal["hashes"] or {}):
                    raise Mismatch(at, "is still there, or has no hash")


def removed_fields(row: Row) -> Iterator[str]:
    """Yield the place of each field that an act removed, with that act."""
    for place, turn in _played_and_void_turns(row):
        for number, seal in enumerate(turn["seals"]):
            for name, ordinal in seal.get("removed", {}).items():
                yield f"{place}.seals[{number}].fields.{name} (removed by acts[{ordinal - 1}])"


def _check_unique_commitments(row: Row) -> None:
    """Check that no commitment occurs twice.

    Salts never repeat. A repeated seal therefore means that orders were copied to another turn.
    """
    places: dict[str, str] = {}
    for place, turn in _played_and_void_turns(row):
        for number, seal in enumerate(turn["seals"]):
            at = f"{place}.seals[{number}]"
            first = places.setdefault(seal["commitment"], at)
            if first != at:
                raise Mismatch(f"{at}.commitment", f"is that of {first}")


def _played_and_void_turns(row: Row) -> Iterator[tuple[str, Row]]:
    for name in ("turns", "void_turns"):
        for index, turn in enumerate(row[name]):
            yield f"{name}[{index}]", turn


def _as_list(value: object) -> Sequence[object]:
    return cast(list[object], value) if isinstance(value, list) else ()
