"""Checks that the parts of a record agree: its turns, its end and the log of referees' acts.

Anyone who has a record can leave something out and compute a new chain. These checks detect that,
because each fact is recorded in more than one place.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, cast

from engine.orders import MESSAGE_FIELD
from engine.positions.position import DRAW, Position
from engine.proof.record import Mismatch, check_same
from engine.proof.seed_check import changes_stated_by_act, roll_backs_before, roll_backs_of

Row = Mapping[str, Any]

# Acts that end a duel or change how it ended, with the new value of `ended.how`.
END_BY_ACT: Final = {"declare": "declared", "annul": "annulled"}


def check_consistency(row: Row) -> None:
    """Raise Mismatch with the place of the first contradiction."""
    _check_roll_backs(row)
    _check_removed_wizards(row)
    _check_result(row)
    _check_unique_commitments(row)
    _check_removed_words(row)
    counted = 0
    for index, turn in enumerate(row["turns"]):
        if turn["acts"] < counted:
            raise Mismatch(f"turns[{index}].acts", f"is {turn['acts']}, but was {counted} before")
        counted = turn["acts"]


def _check_roll_backs(row: Row) -> None:
    """Check that the void turns are exactly those that rollbacks in the log made void."""
    void = {(turn["voided_in"], turn["ordinal"]) for turn in row["void_turns"]}
    number = 0
    for index, act in enumerate(row["acts"]):
        if act.get("act") != "roll_back":
            continue
        number += 1
        facts = changes_stated_by_act(act)
        if not _is_number(facts.get("roll_back"), number):
            raise Mismatch(f"acts[{index}].facts.roll_back", f"must be {number}")
        for place, ordinal in enumerate(_as_list(facts.get("void"))):
            if not isinstance(ordinal, int):
                raise Mismatch(f"acts[{index}].facts.void[{place}]", "must be a number")
            if (number, ordinal) not in void:
                text = f"lacks turn {ordinal}, which rollback {number} made void"
                raise Mismatch("void_turns", text)
            void.remove((number, ordinal))
    for index, turn in enumerate(row["void_turns"]):
        if (turn["voided_in"], turn["ordinal"]) in void:
            raise Mismatch(f"void_turns[{index}]", "was not made void by any act in the log")


def _check_removed_wizards(row: Row) -> None:
    """Check that each removed wizard has an act in the log, and each such act removed a wizard.

    The act must have been made while the turn was open.
    """
    removals = [act["ordinal"] for act in row["acts"] if act["act"] == "remove"]
    for place, turn in _played_and_void_turns(row):
        # A removal that ends the duel closes the turn, and is logged after that.
        first, last = _acts_during(row, turn)
        for wizard in turn["removed"]:
            found = (
                ordinal
                for ordinal in removals
                if first <= ordinal <= last + 1
                and _act_concerns_wizard(row["acts"][ordinal - 1], turn["ordinal"], wizard)
            )
            ordinal = next(found, None)
            if ordinal is None:
                text = f"{wizard} was not removed by any act in the log"
                raise Mismatch(f"{place}.removed", text)
            removals.remove(ordinal)
    for ordinal in removals:
        raise Mismatch(f"acts[{ordinal - 1}]", "did not remove anyone from that turn")


def _acts_during(row: Row, turn: Row) -> tuple[int, int]:
    """Return the ordinals of the first and the last act that can have been made during a turn.

    The turn was opened after its last rollback, and closed after the number of acts that it states.
    """
    backs = [act["ordinal"] for act in row["acts"] if act["act"] == "roll_back"]
    before = roll_backs_before(row, turn["ordinal"], turn.get("voided_in", 0))
    return (backs[before - 1] + 1 if before else 1), turn["acts"]


def _act_concerns_wizard(act: Row, ordinal: int, wizard: str) -> bool:
    """Return whether the act concerns this wizard in the turn with this ordinal."""
    return (act.get("turn"), act.get("seat")) == (ordinal, wizard)


def check_ending(row: Row, last: Position, void_outcomes: Mapping[int, str]) -> None:
    """Raise Mismatch if the duel cannot have ended as stated. `last` is its last position, and
    `void_outcomes` contains the outcomes that rollbacks made void.

    Unless an act declared the result or annulled the duel, the last turn shows how it ended. An act
    that changes the end of a duel, or commits to a new seed, also states the earlier end (`was`).
    """
    ended = row["ended"]
    if last.rules.markers and "markers" not in ended:
        raise Mismatch("ended.markers", "is missing")
    by_act: tuple[str, object] | None = None  # how an act ended the duel, and the result
    back, backs = 0, len(roll_backs_of(row))
    for index, act in enumerate(row["acts"]):
        kind, facts, place = act["act"], changes_stated_by_act(act), f"acts[{index}].facts.was"
        if kind not in (*END_BY_ACT, "roll_back"):
            continue
        if by_act is not None or "was" in facts or "seed_commitment" in facts:
            ways = _possible_endings(row, back + 1 if back < backs else 0, last)
            outcome = void_outcomes.get(back + 1, "") if back < backs else last.outcome
            _check_earlier_end(place, facts.get("was"), by_act, ways, outcome)
        if kind == "roll_back":
            by_act, back = None, back + 1
        else:
            by_act = (END_BY_ACT[kind], facts.get("result") if kind == "declare" else None)
    ways = _possible_endings(row, 0, last)
    if by_act is None and ended["how"] not in ways:
        shown = " or ".join(ways) or "no end"
        raise Mismatch("ended.how", f"is {ended['how']!r}, but the last turn shows {shown}")


def _possible_endings(row: Row, voided_in: int, last: Position) -> tuple[str, ...]:
    """Return the ways in which the duel can have ended in its last turn, without a referee's act.

    `voided_in` is the number of the rollback that made that turn void. It is 0 for a turn that
    counts, and `last` is then the position after it.
    """
    turns = [turn for turn in row["void_turns"] if turn["voided_in"] == voided_in]
    turns = turns if voided_in else row["turns"]
    if not turns:
        return ()
    turn = turns[-1]
    if turn["played"]:
        return ("rules",) if voided_in or last.outcome else ()
    ways: list[str] = []
    if turn["resigned"] and (voided_in or last.outcome):
        left = turn["resigned"][-1]
        if left in turn["removed"]:
            ways.append("removed")
        else:
            ways += ("time", "claimed") if left in turn["forfeited"] else ("resigned",)
    if voided_in or not last.outcome:
        ways += ("agreed", "abandoned")
    return tuple(ways)


def _check_earlier_end(
    place: str,
    was: object,
    by_act: tuple[str, object] | None,
    ways: Sequence[str],
    outcome: str,
) -> None:
    """Check what an act states about how the duel had ended before the act.

    `place` is the path to the act, for errors.
    """
    if not isinstance(was, Mapping):
        raise Mismatch(place, "must state how the duel ended before")
    stated = cast("Row", was)
    check_same(f"{place}.status", stated.get("status"), "over")
    if by_act is None:
        if stated.get("ended") not in ways:
            shown = " or ".join(ways) or "no end"
            text = f"is {stated.get('ended')!r}, but the last turn shows {shown}"
            raise Mismatch(f"{place}.ended", text)
        is_draw = stated.get("ended") in ("agreed", "abandoned")
        check_same(f"{place}.result", stated.get("result"), DRAW if is_draw else outcome)
        return
    how, result = by_act
    check_same(f"{place}.ended", stated.get("ended"), how)
    check_same(f"{place}.result", stated.get("result") or None, result)


def _check_result(row: Row) -> None:
    """Check that the end agrees with the last act that ended the duel or changed its end."""
    ended = row["ended"]
    on_the_end = [act for act in row["acts"] if act.get("act") in (*END_BY_ACT, "roll_back")]
    last: Row = on_the_end[-1] if on_the_end else {}
    wanted = END_BY_ACT.get(last.get("act", ""))
    if ended["how"] != wanted and (wanted or ended["how"] in END_BY_ACT.values()):
        raise Mismatch("ended.how", f"is {ended['how']!r}, but the log of acts does not show this")
    stated: dict[str, object] = {"annulled": None, "abandoned": DRAW}
    if wanted == "declared":
        stated["declared"] = changes_stated_by_act(last).get("result")
    if ended["result"] != stated.get(ended["how"], ended["result"]):
        text = f"is {ended['result']!r}, but was {stated[ended['how']]!r}"
        raise Mismatch("ended.result", text)


def _check_removed_words(row: Row) -> None:
    """Check that seals are complete, except for messages that an act in the log removed."""
    for place, turn in _played_and_void_turns(row):
        for number, seal in enumerate(turn["seals"]):
            for name, ordinal in seal.get("removed", {}).items():
                at = f"{place}.seals[{number}].removed.{name}"
                act: Row = row["acts"][ordinal - 1] if 0 < ordinal <= len(row["acts"]) else {}
                is_with_turn = changes_stated_by_act(act).get("with_turn") is True
                is_done = act.get("act") == "remove_words" and is_with_turn
                is_done = is_done and _act_concerns_wizard(act, turn["ordinal"], seal["wizard"])
                if (
                    name != MESSAGE_FIELD
                    or not is_done
                    or not _is_act_before_void(row, turn, ordinal)
                ):
                    raise Mismatch(at, "was not removed by this act in the log")
                if name in (seal["fields"] or {}) or name not in (seal["hashes"] or {}):
                    raise Mismatch(at, "is still there, or has no hash")


def _is_act_before_void(row: Row, turn: Row, ordinal: int) -> bool:
    """Return whether the act was made after the turn was opened and before it became void."""
    backs = [act["ordinal"] for act in row["acts"] if act["act"] == "roll_back"]
    first, _ = _acts_during(row, turn)
    voided_in = turn.get("voided_in", 0)
    return first <= ordinal and (not voided_in or ordinal < backs[voided_in - 1])


def removed_fields(row: Row) -> Iterator[str]:
    """Yield the place of each field that an act removed, followed by the act."""
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


def _is_number(value: object, number: int) -> bool:
    return value == number and not isinstance(value, bool)


def _as_list(value: object) -> Sequence[object]:
    return cast(list[object], value) if isinstance(value, list) else ()
