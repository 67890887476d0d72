"""Whether a record proves what it says. rules: promise 14

Everything in a record is computed again: commitments, dice, positions, the result and the chain.
`NOT_COVERED` names what may be anything, because it can change or changes nothing.

Whoever keeps a record can write another one, chain and all, that holds as well: with other reasons
of acts, releases or times, or without seals that were replaced. That it is the record of this duel
is told by what others have kept of it: receipts, the seed's commitment, an earlier chain.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

from engine.accord import check_accord
from engine.chain import (
    OF_A_TURN,
    first_link,
    link,
    position_hash,
    seed_commitment,
    turn_link,
    unsalted_links,
)
from engine.commitment import (
    PAD,
    PLACE,
    commitment_over,
    field_commitment,
    filled_up,
    place_of,
)
from engine.events import Drew, Event
from engine.json_values import an_object
from engine.position import Position
from engine.record import InvalidRecord, Mismatch, Record, dice_of, refusing
from engine.replay import beginning, check_end, check_format, leaving, play_turn
from engine.shape import check_shape
from engine.sheet import acting

NOT_COVERED: Final = ("wizards[].name", "wizards[].pronouns", "speeches")
WITHOUT_SEED: Final = (
    "how the draws fell, and what the chain was while the duel ran: the seed is lost",
)
Row = Mapping[str, Any]  # whose shape has been checked


@dataclass(frozen=True, slots=True)
class Examined:
    """What was checked of a record that holds, in lines, the last hash of its chain, and what is
    covered by nothing."""

    lines: tuple[str, ...]
    chain: str
    not_covered: tuple[str, ...] = NOT_COVERED


@dataclass(frozen=True, slots=True)
class _Branch:
    """Where a turn is to follow: the position that it starts from, and the hash before it."""

    ordinal: int
    position: Position
    chain: str
    closed_at: str = ""


def verify(record: object) -> list[str]:
    """What does not hold in the record: the first thing, or nothing when all of it holds.

    Raises InvalidRecord where it is not a whole record, or no duel can be replayed from it.
    """
    try:
        examine(record)
    except Mismatch as error:
        return [str(error)]
    return []


def examine(record: object) -> Examined:
    """What was checked. Raises Mismatch, which names the first thing that is wrong by its place,
    and InvalidRecord where the record is malformed."""
    with refusing():
        data = an_object("record", record)
        check_format(data)
        check_shape(data)
        row = cast("Row", data)
        _check_seed(row)
        _check_acts(row)
        branches = [_first_branch(row)]
        for index, turn in enumerate(row["turns"]):
            is_last = index + 1 == len(row["turns"])
            branches.append(_checked_turn(f"turns[{index}]", row, turn, branches[-1], is_last))
        _check_void_turns(row, branches)
        check_end(data, branches[-1].position)
        _check_draws_given(row)
        chain = _checked_end(row, branches[-1].chain)
        check_accord(row)
        return Examined(tuple(_told(row)), chain, _not_covered(row))


def _same(place: str, stated: object, found: object, why: str = "") -> None:
    if type(stated) is not type(found) or stated != found:
        raise Mismatch(place, f"is {stated!r}, but comes out as {found!r}{why}")


def _check_seed(row: Row) -> None:
    if row["dice"]["seed"] is None:
        if "seed_lost" not in row["ended"]:
            raise Mismatch("dice.seed", "is missing, and the end does not say that it was lost")
        return
    why = ": the seed is not the one that was committed to"
    _same("seed_commitment", row["seed_commitment"], seed_commitment(row["dice"]["seed"]), why)


def _first_branch(row: Row) -> _Branch:
    found = first_link(
        row["seed_commitment"],
        duel=row["duel"],
        ruleset=row["ruleset"],
        options=list(row["options"]),
        wizards=len(row["wizards"]),
        setup=row["setup"],
    )
    why = (
        ": duel, ruleset, options, setup, the seed commitment or the number of wizards is not what "
        "the duel began with"
    )
    _same("chain", row["chain"], found, why)
    return _Branch(1, beginning(row), found)


# Turns


def _checked_turn(
    place: str, row: Row, turn: Row, before: _Branch, is_last: bool = True
) -> _Branch:
    """Everything in the turn of this row, which follows there; answers what follows it."""
    _same(f"{place}.ordinal", turn["ordinal"], before.ordinal)
    _same(f"{place}.position", turn["position"], position_hash(before.position))
    if not before.closed_at <= turn["opened_at"] <= turn["closed_at"]:
        raise Mismatch(f"{place}.opened_at", "is out of order with the turn's other times")
    left = _left(place, turn, before.position, is_last)
    for number, seal in enumerate(turn["seals"]):
        if None in (seal["fields"], seal["salts"], seal["hashes"]):
            _check_unopened(f"{place}.seals[{number}]", seal)
            continue
        _check_seal(f"{place}.seals[{number}]", row, turn, seal)
    _check_order_of_seals(place, turn)
    in_force = [seal for seal in turn["seals"] if not seal["superseded"]]
    _same(f"{place}.commitments", list(turn["commitments"]), _commitments(in_force))
    _check_sealed(place, turn, in_force, left)
    after, events = play_turn(place, row, turn, before.position)
    _check_draws(place, turn, events)
    _same(f"{place}.damage", turn["damage"], {wizard.id: wizard.damage for wizard in after.wizards})
    _same(f"{place}.after", turn["after"], position_hash(after))
    linked = {**turn, "acts": _acts_before(f"{place}.acts", row, turn)}
    has_salt = "seed_lost" not in row["ended"] or turn is not row["turns"][-1]
    if row["dice"]["seed"] is not None or not has_salt:
        found = turn_link(
            before.chain,
            linked,
            ruleset=row["ruleset"],
            options=list(row["options"]),
            seed=row["dice"]["seed"] if has_salt else None,
        )
        _same(f"{place}.chain", turn["chain"], found, WHAT_A_LINK_COVERS)
    return _Branch(before.ordinal + 1, after, turn["chain"], turn["closed_at"])


def _left(place: str, turn: Row, before: Position, is_last: bool) -> Position:
    """The position without those who left in the turn, which is played unless the duel is over
    then, or the turn is the last."""
    left, _ = leaving(place, turn, before)
    if turn["played"] and left.outcome:
        raise Mismatch(f"{place}.played", "the duel was over before its gestures")
    if not turn["played"] and not left.outcome and not is_last:
        raise Mismatch(f"{place}.played", "a turn that others follow was played")
    return left


WHAT_A_LINK_COVERS: Final = (
    ": " + ", ".join(OF_A_TURN) + ", or of a seal its wizard, stage, batch, source, sealed_at, "
    "taken_back_at or superseded is not what it was"
)


def _acts_before(place: str, row: Row, turn: Row) -> str:
    """The hash of the last act that was logged before the turn was closed; "" before the first."""
    if turn["acts"] > len(row["acts"]):
        raise Mismatch(place, f"is {turn['acts']}, but there are {len(row['acts'])}")
    return str(row["acts"][turn["acts"] - 1]["chain"]) if turn["acts"] else ""


def _check_unopened(place: str, seal: Row) -> None:
    """What nobody can open any more was not played, and nothing of it is there."""
    for part in ("fields", "salts", "hashes"):
        if seal[part] is not None or not seal["superseded"]:
            raise Mismatch(f"{place}.{part}", "is not to be opened, or is missing")


def _check_seal(place: str, row: Row, turn: Row, seal: Row) -> None:
    fields, salts, hashes = seal["fields"], seal["salts"], seal["hashes"]
    where = place_of(
        duel=row["duel"],
        ordinal=turn["ordinal"],
        wizard=seal["wizard"],
        stage=seal["stage"],
        batch=seal["batch"],
    )
    _same(f"{place}.fields.{PLACE}", fields.get(PLACE), where)
    for name in fields:
        if name not in salts:
            raise Mismatch(f"{place}.salts.{name}", "is missing")
        if name not in hashes:
            raise Mismatch(f"{place}.hashes.{name}", "is missing")
        found = field_commitment(salts[name], name, fields[name]).hex()
        if found != hashes[name]:
            part = _altered(turn, seal, name, found)
            text = f"is not what was sealed: {name} commits to {found}, not to {hashes[name]}"
            raise Mismatch(f"{place}.{part}.{name}", text)
    for part in ("hashes", "salts"):
        for name in seal[part]:
            if name not in fields and (part, name) != ("salts", PAD):
                raise Mismatch(f"{place}.{part}.{name}", "belongs to no field")
    found = commitment_over(filled_up(list(hashes.values()), salts))
    if seal["commitment"] != found and seal["commitment"] in turn["commitments"]:
        raise Mismatch(f"{place}.salts.{PAD}", "or which fields there are is not what was sealed")
    _same(f"{place}.commitment", seal["commitment"], found, ", or salts.pad is not what it was")


def _altered(turn: Row, seal: Row, name: str, found: str) -> str:
    """Which part of a sealed field is wrong, as far as the rest of its turn can tell."""
    hashes = {**seal["hashes"], name: found}
    if commitment_over(filled_up(list(hashes.values()), seal["salts"])) == seal["commitment"]:
        return "hashes"
    if seal["superseded"] or name == PLACE or not turn["played"]:
        return "salts" if name == PLACE else "fields"
    is_order = seal["stage"] == "orders"
    known = turn["orders"].get(seal["wizard"], {}) if is_order else turn["answers"]
    return "salts" if known.get(name) == seal["fields"][name] else "fields"


def _check_order_of_seals(place: str, turn: Row) -> None:
    """Of each wizard, stage and batch: one seal in force at most, the last; times in order."""
    last: dict[tuple[str, str, int], Row] = {}
    for number, seal in enumerate(turn["seals"]):
        at = f"{place}.seals[{number}]"
        key = (seal["wizard"], seal["stage"], seal["batch"])
        earlier = last.get(key)
        if earlier is not None and not earlier["superseded"]:
            raise Mismatch(f"{at}.superseded", "another seal before it is in force")
        since = earlier["sealed_at"] if earlier is not None else turn["opened_at"]
        if not since <= seal["sealed_at"] <= turn["closed_at"]:
            raise Mismatch(f"{at}.sealed_at", "is out of order with the times of its turn")
        if (seal["taken_back_at"] or seal["sealed_at"]) < seal["sealed_at"]:
            raise Mismatch(f"{at}.taken_back_at", "is before it was sealed")
        last[key] = seal


def _commitments(in_force: Sequence[Row]) -> list[str]:
    """Those that the turn's dice depend on, by place."""
    orders = [seal for seal in in_force if seal["stage"] == "orders"]
    return [seal["commitment"] for seal in sorted(orders, key=lambda seal: seal["wizard"])]


def _check_sealed(place: str, turn: Row, in_force: Sequence[Row], position: Position) -> None:
    """The orders and answers that were played are those that were sealed."""
    orders: dict[str, dict[str, str]] = {}
    answers: dict[str, str] = {}
    able = acting(position) if turn["played"] else ()
    for seal in sorted(in_force, key=lambda seal: seal["batch"]):
        sealed = {name: each for name, each in seal["fields"].items() if name != PLACE}
        if seal["stage"] == "answers":
            answers |= sealed if turn["played"] else {}
        elif seal["wizard"] in able:
            orders[seal["wizard"]] = sealed
    for wizard in sorted({*orders, *turn["orders"]}):
        _check_fields(f"{place}.orders.{wizard}", turn["orders"].get(wizard), orders.get(wizard))
    _check_fields(f"{place}.answers", turn["answers"], answers)


def _check_fields(place: str, stated: Row | None, sealed: Row | None) -> None:
    if stated is None or sealed is None:
        has = "are missing" if stated is None else "were never sealed"
        raise Mismatch(place, f"{has}")
    for name in sorted({*stated, *sealed}):
        if stated.get(name) != sealed.get(name):
            text = f"is {stated.get(name)!r}, but {sealed.get(name)!r} was sealed"
            raise Mismatch(f"{place}.{name}", text)


def _check_draws(place: str, turn: Row, events: Sequence[Event]) -> None:
    found = [event for event in events if isinstance(event, Drew)]
    for number, draw in enumerate(turn["draws"]):
        if number >= len(found):
            raise Mismatch(f"{place}.draws[{number}]", "was never drawn")
        for name in ("label", "sides", "value"):
            _same(f"{place}.draws[{number}].{name}", draw[name], getattr(found[number], name))
    if len(found) > len(turn["draws"]):
        text = f"lacks {found[len(turn['draws'])].label!r}"
        raise Mismatch(f"{place}.draws", text)


# What stands beside the turns


def _check_void_turns(row: Row, branches: Sequence[_Branch]) -> None:
    """A void turn follows one of the same roll back, or of a later one, or one that counts."""
    turns: Sequence[Row] = row["void_turns"]
    keys: list[tuple[int, int]] = [(turn["voided_in"], turn["ordinal"]) for turn in turns]
    for index, key in enumerate(keys):
        if key[0] < 1 or key in keys[:index] or key < max(keys[: index + 1]):
            raise Mismatch(f"void_turns[{index}].voided_in", "is out of order with its ordinal")
    following: dict[tuple[int, int], _Branch] = {}
    for index in sorted(range(len(turns)), key=lambda index: (-keys[index][0], keys[index][1])):
        place, (number, ordinal) = f"void_turns[{index}]", keys[index]
        later = [back for back, at in following if at == ordinal and back >= number]
        if later:
            before = following[min(later), ordinal]
        elif 0 < ordinal <= len(branches):
            before = branches[ordinal - 1]
        else:
            raise Mismatch(f"{place}.ordinal", "follows no turn")
        following[number, ordinal + 1] = _checked_turn(place, row, turns[index], before)


def _check_acts(row: Row) -> None:
    before = ""
    for index, act in enumerate(row["acts"]):
        _same(f"acts[{index}].ordinal", act["ordinal"], index + 1)
        covered = {name: value for name, value in act.items() if name != "chain"}
        before = link(before, covered)
        _same(f"acts[{index}].chain", act["chain"], before, ": something of this act is altered")


def _check_draws_given(row: Row) -> None:
    """Draws that were laid down beforehand are all drawn."""
    drawn = {draw["label"] for turn in _every_turn(row) for draw in turn["draws"]}
    for label in row["dice"].get("draws", {}):
        if label not in drawn:
            raise Mismatch(f"dice.draws.{label}", "was never drawn")


def _every_turn(row: Row) -> Iterator[Row]:
    yield from row["turns"]
    yield from row["void_turns"]


def end_covered(
    ended: Row, void_turns: Sequence[Row], acts: Sequence[Row], unopened: Sequence[str]
) -> dict[str, Any]:
    """What the link of a duel's end covers: the end, the hashes of all that stands beside the
    turns, and the commitments of seals whose key was lost."""
    covered: dict[str, Any] = {name: value for name, value in ended.items() if name != "chain"}
    covered["void_turns"] = [[turn["voided_in"], turn["chain"]] for turn in void_turns]
    covered["acts"] = acts[-1]["chain"] if acts else ""
    covered["unopened"] = unopened
    return covered


def _unopened(row: Row) -> list[str]:
    seals = (seal for turn in _every_turn(row) for seal in turn["seals"])
    return [seal["commitment"] for seal in seals if seal["fields"] is None]


def _checked_end(row: Row, before: str) -> str:
    """The last hash of the chain, which is that of the end."""
    ended = row["ended"]
    covered = end_covered(ended, row["void_turns"], row["acts"], _unopened(row))
    if "seed_lost" in ended:
        covered["turns"] = unsalted_links(row)
    found = link(before, covered)
    why = ": how it ended, the result, when, markers, a last turn, void turns or acts are altered"
    _same("ended.chain", ended["chain"], found, why)
    return found


def _told(row: Row) -> Iterator[str]:
    turns = list(_every_turn(row))
    seals = [seal for turn in turns for seal in turn["seals"]]
    draws = sum(len(turn["draws"]) for turn in turns)
    superseded = sum(seal["superseded"] for seal in seals)
    yield f"turns {len(row['turns'])}, void turns {len(row['void_turns'])}"
    yield f"positions {2 * len(turns)}, by hash and by playing every turn again"
    yield f"seals {len(seals)}, of which {superseded} superseded; fields {_fields(seals)}"
    thrown = "by the seed" if row["dice"]["kind"] == "hmac" else "laid down beforehand, not thrown"
    if row["dice"]["seed"] is None:
        thrown = "as stated, by no seed: it is lost"
    yield f"draws {draws}, {thrown}"
    yield f"acts of referees {len(row['acts'])}"


def _not_covered(row: Row) -> tuple[str, ...]:
    return NOT_COVERED if row["dice"]["seed"] is not None else (*NOT_COVERED, *WITHOUT_SEED)


def _fields(seals: Sequence[Row]) -> int:
    return sum(len(seal["fields"] or ()) for seal in seals)


__all__ = [
    "NOT_COVERED",
    "WITHOUT_SEED",
    "Examined",
    "InvalidRecord",
    "Mismatch",
    "Record",
    "dice_of",
    "end_covered",
    "examine",
    "verify",
]
