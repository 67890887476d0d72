"""Verification that a record proves what it states. rules: promise 14

Commitments, dice, positions, the result and the chain are all computed again. `UNCHECKED_PARTS`
lists the parts that are not checked, because they can change or have no effect.

Anyone who has a record can write a different one, with its own chain, that is also valid. It may
contain other reasons for acts, other releases or times, or lack superseded seals. Only data that
others have kept can prove that a record belongs to this duel: receipts, the seed's commitment, an
earlier chain.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

from engine.events import Drew, Event
from engine.json_values import parse_object
from engine.positions.position import Position
from engine.proof import seed_check
from engine.proof.answer_check import check_answers
from engine.proof.chain import (
    DICE_BY_SEED,
    LINKED_TURN_FIELDS,
    SALTS_BY_SITE,
    first_link,
    link,
    position_hash,
    turn_link,
    unsalted_links,
)
from engine.proof.commitment import submitted_fields
from engine.proof.record import (
    OLDEST_VERSION,
    RECORD_VERSION,
    Mismatch,
    Seed,
    check_same,
    invalid_record_errors,
    seed_after,
)
from engine.proof.record_consistency import check_consistency, check_ending, removed_fields
from engine.proof.record_schema import check_schema
from engine.proof.replay import (
    apply_departures,
    check_end,
    check_format,
    initial_position,
    play_turn,
)
from engine.proof.seal_check import check_seals, has_chosen_salts
from engine.sheet import acting_wizards

UNCHECKED_PARTS: Final = ("wizards[].name", "wizards[].pronouns", "speeches")
UNCHECKED_WITHOUT_SEED: Final = (
    "the draws, the origin of the salts, and the chain during the duel, because the seed is lost",
)
Row = Mapping[str, Any]  # a record, or a part of one, whose schema has been checked


@dataclass(frozen=True, slots=True)
class Examination:
    """Result for a valid record: a line for each check, the last hash, and unchecked parts."""

    lines: tuple[str, ...]
    chain: str
    not_covered: tuple[str, ...] = UNCHECKED_PARTS


@dataclass(frozen=True, slots=True)
class _TurnStart:
    """The start of a turn: ordinal and position, and the last turn's hash and closing time."""

    ordinal: int
    position: Position
    chain: str
    closed_at: str = ""


def verify(record: object) -> list[str]:
    """Return a list with the first error in the record, or an empty list if it is valid.

    Raises InvalidRecord if the record is incomplete, or if no duel can be replayed from it.
    """
    try:
        examine(record)
    except Mismatch as error:
        return [str(error)]
    return []


def examine(record: object) -> Examination:
    """Check the record, and return what was checked.

    Raises Mismatch with the place of the first error, and InvalidRecord if the record is malformed.
    """
    with invalid_record_errors():
        data = parse_object("record", record)
        check_format(data)
        check_schema(data)
        row = cast("Row", data)
        _check_dice_kind(row)
        _check_acts(row)
        seeds = seed_check.check_seeds(row)
        branches = [_check_first_link(row)]
        for index, turn in enumerate(row["turns"]):
            is_last = index + 1 == len(row["turns"])
            place = f"turns[{index}]"
            branches.append(_check_turn(place, row, seeds, turn, branches[-1], is_last))
        outcomes = _check_void_turns(row, seeds, branches)
        ended = sorted(outcomes)
        last = branches[-1].position
        check_end(data, last)
        chain = _check_end(row, branches[-1].chain)
        check_consistency(row)
        check_ending(row, last, outcomes)
        seed_check.check_new_seeds(row, ended)
        without = UNCHECKED_WITHOUT_SEED if any(seed.seed is None for seed in seeds) else ()
        not_covered = (*UNCHECKED_PARTS, *removed_fields(row), *without)
        return Examination(tuple(_summary_lines(row, seeds, ended)), chain, not_covered)


def _check_dice_kind(row: Row) -> None:
    """Check that only a record whose first link covers the dice has draws fixed in advance."""
    kind, version = row["dice"]["kind"], row["version"]
    if version != RECORD_VERSION and kind != DICE_BY_SEED:
        text = f"is {kind!r}, but nothing in a record of version {version} shows that the duel "
        raise Mismatch("dice.kind", text + "began with these draws")


def _check_first_link(row: Row) -> _TurnStart:
    is_older = row["version"] == OLDEST_VERSION
    found = first_link(
        row["seed_commitment"] if is_older else row["dice"]["seeds"][0]["seed_commitment"],
        duel=row["duel"],
        ruleset=row["ruleset"],
        options=list(row["options"]),
        wizards=len(row["wizards"]),
        setup=row["setup"],
        salts=SALTS_BY_SITE if is_older else row["salts"],
        draws=row["dice"].get("draws"),
        covers_dice=row["version"] == RECORD_VERSION,
    )
    why = (
        ": version, duel, ruleset, options, setup, salts, the kind of dice, draws fixed in "
        "advance, the seed commitment or the number of wizards has changed since the beginning"
    )
    check_same("chain", row["chain"], found, why)
    return _TurnStart(1, initial_position(row), found)


# Turns


def _check_turn(
    place: str,
    row: Row,
    seeds: tuple[Seed, ...],
    turn: Row,
    before: _TurnStart,
    is_last: bool = True,
) -> _TurnStart:
    """Check everything in this turn, and return the start of the turn after it."""
    check_same(f"{place}.ordinal", turn["ordinal"], before.ordinal)
    check_same(f"{place}.position", turn["position"], position_hash(before.position))
    if not before.closed_at <= turn["opened_at"] <= turn["closed_at"]:
        raise Mismatch(f"{place}.opened_at", "is out of order with the turn's other times")
    left = _check_leaving(place, turn, before.position, is_last)
    roll_backs = seed_check.roll_backs_before(row, turn["ordinal"], turn.get("voided_in", 0))
    if row["version"] != OLDEST_VERSION:
        check_same(f"{place}.roll_backs", turn["roll_backs"], roll_backs)
    seed = seed_after(seeds, roll_backs).seed
    check_seals(place, row, turn, roll_backs=roll_backs, seed=seed)
    _check_sealers(place, turn, before.position)
    in_force = [seal for seal in turn["seals"] if not seal["superseded"]]
    check_same(f"{place}.commitments", list(turn["commitments"]), _commitments(in_force))
    _check_played_orders(place, turn, in_force, left)
    after, events = play_turn(place, row, turn, before.position)
    if turn["played"]:
        check_answers(place, row, turn, left)
    _check_draws(place, turn, events)
    check_same(
        f"{place}.damage", turn["damage"], {wizard.id: wizard.damage for wizard in after.wizards}
    )
    check_same(f"{place}.after", turn["after"], position_hash(after))
    linked = {**turn, "acts": _acts_before(f"{place}.acts", row, turn)}
    has_salt = "seed_lost" not in row["ended"] or turn is not row["turns"][-1]
    if seed is not None or not has_salt:
        found = turn_link(
            before.chain,
            linked,
            ruleset=row["ruleset"],
            options=list(row["options"]),
            seed=seed if has_salt else None,
        )
        check_same(f"{place}.chain", turn["chain"], found, CAUSES_OF_WRONG_LINK)
    return _TurnStart(before.ordinal + 1, after, turn["chain"], turn["closed_at"])


def _check_leaving(place: str, turn: Row, before: Position, is_last: bool) -> Position:
    """Return the position after the departures in this turn.

    If the duel is then over, check that the turn was not played. Otherwise it must have been
    played, unless it is the last one.
    """
    left, _ = apply_departures(place, turn, before)
    if turn["played"] and left.outcome:
        raise Mismatch(f"{place}.played", "the duel was over before its gestures were made")
    if not turn["played"] and not left.outcome and not is_last:
        raise Mismatch(f"{place}.played", "must be true, because other turns follow")
    return left


CAUSES_OF_WRONG_LINK: Final = (
    ": "
    + ", ".join(LINKED_TURN_FIELDS)
    + ", or of a seal its wizard, stage, batch, source, sealed_at, "
    "taken_back_at or superseded has changed, or a rejected seal"
)


def _check_sealers(place: str, turn: Row, position: Position) -> None:
    """Check that seals belong to wizards of the duel, and orders in force to wizards who act.

    The draws of a turn depend on all its seals in force, so no seal may be added that is not
    played.
    """
    wizards = {wizard.id for wizard in position.wizards}
    acting = acting_wizards(position)
    for name in ("seals", "rejected"):
        for number, seal in enumerate(turn.get(name, ())):
            at = f"{place}.{name}[{number}].wizard"
            if seal["wizard"] not in wizards:
                raise Mismatch(at, f"is {seal['wizard']!r}, who is not a wizard of this duel")
            is_played = name == "seals" and seal["stage"] == "orders" and not seal["superseded"]
            if is_played and seal["wizard"] not in acting:
                raise Mismatch(at, f"is {seal['wizard']!r}, who does not act in this turn")


def _acts_before(place: str, row: Row, turn: Row) -> str:
    """Return the hash of the last act before the turn was closed; "" if there is none."""
    if turn["acts"] > len(row["acts"]):
        raise Mismatch(place, f"is {turn['acts']}, but there are {len(row['acts'])}")
    return str(row["acts"][turn["acts"] - 1]["chain"]) if turn["acts"] else ""


def _commitments(in_force: Sequence[Row]) -> list[str]:
    """Return the commitments that the turn's dice depend on, by seat."""
    orders = [seal for seal in in_force if seal["stage"] == "orders"]
    return [seal["commitment"] for seal in sorted(orders, key=lambda seal: seal["wizard"])]


def _check_played_orders(
    place: str, turn: Row, in_force: Sequence[Row], position: Position
) -> None:
    """Check that the orders and answers that were played are the sealed ones."""
    orders: dict[str, dict[str, str]] = {}
    answers: dict[str, str] = {}
    able = acting_wizards(position) if turn["played"] else ()
    for seal in sorted(in_force, key=lambda seal: seal["batch"]):
        sealed = submitted_fields(seal["fields"])
        if seal["stage"] == "answers":
            answers |= sealed if turn["played"] else {}
        elif seal["wizard"] in able:
            orders[seal["wizard"]] = sealed
    for wizard in sorted({*orders, *turn["orders"]}):
        _check_fields(f"{place}.orders.{wizard}", turn["orders"].get(wizard), orders.get(wizard))
    _check_fields(f"{place}.answers", turn["answers"], answers)


def _check_fields(place: str, stated: Row | None, sealed: Row | None) -> None:
    if stated is None or sealed is None:
        raise Mismatch(place, "are missing" if stated is None else "were never sealed")
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
            check_same(f"{place}.draws[{number}].{name}", draw[name], getattr(found[number], name))
    if len(found) > len(turn["draws"]):
        text = f"lacks {found[len(turn['draws'])].label!r}"
        raise Mismatch(f"{place}.draws", text)


# Parts outside the turns


def _check_void_turns(
    row: Row, seeds: tuple[Seed, ...], branches: Sequence[_TurnStart]
) -> dict[int, str]:
    """Check the void turns. Return the rollbacks that came after a duel's end by the rules, each
    with the outcome of that end.

    A void turn follows a turn that the same or a later rollback made void, or one that counts.
    """
    turns: Sequence[Row] = row["void_turns"]
    keys: list[tuple[int, int]] = [(turn["voided_in"], turn["ordinal"]) for turn in turns]
    for index, key in enumerate(keys):
        if key[0] < 1 or key in keys[:index] or key < max(keys[: index + 1]):
            raise Mismatch(f"void_turns[{index}].voided_in", "is out of order with its ordinal")
    following: dict[tuple[int, int], _TurnStart] = {}
    for index in sorted(range(len(turns)), key=lambda index: (-keys[index][0], keys[index][1])):
        place, (number, ordinal) = f"void_turns[{index}]", keys[index]
        later = [back for back, at in following if at == ordinal and back >= number]
        if later:
            before = following[min(later), ordinal]
        elif 0 < ordinal <= len(branches):
            before = branches[ordinal - 1]
        else:
            raise Mismatch(f"{place}.ordinal", "does not follow a turn")
        following[number, ordinal + 1] = _check_turn(place, row, seeds, turns[index], before)
    return {
        back: after.position.outcome
        for (back, _), after in following.items()
        if after.position.outcome
    }


def _check_acts(row: Row) -> None:
    before = ""
    for index, act in enumerate(row["acts"]):
        check_same(f"acts[{index}].ordinal", act["ordinal"], index + 1)
        covered = {name: value for name, value in act.items() if name != "chain"}
        before = link(before, covered)
        check_same(f"acts[{index}].chain", act["chain"], before, ": part of this act has changed")


def end_link_data(
    ended: Row, void_turns: Sequence[Row], acts: Sequence[Row], unopened: Sequence[str]
) -> dict[str, Any]:
    """Return the data covered by the link of a duel's end.

    The data consists of the end, the hashes of void turns and acts, and the commitments of seals
    whose key was lost.
    """
    covered: dict[str, Any] = {name: value for name, value in ended.items() if name != "chain"}
    covered["void_turns"] = [[turn["voided_in"], turn["chain"]] for turn in void_turns]
    covered["acts"] = acts[-1]["chain"] if acts else ""
    covered["unopened"] = unopened
    return covered


def _check_end(row: Row, before: str) -> str:
    """Check the link of the end, and return it as the last hash of the chain."""
    ended = row["ended"]
    turns: list[Row] = [*row["turns"], *row["void_turns"]]
    seals: list[Row] = [seal for turn in turns for seal in turn["seals"]]
    unopened = [seal["commitment"] for seal in seals if seal["fields"] is None]
    covered = end_link_data(ended, row["void_turns"], row["acts"], unopened)
    if "seed_lost" in ended:
        covered["turns"] = unsalted_links(row)
    found = link(before, covered)
    why = ": the end, its time, the result, markers, a last turn, void turns or acts have changed"
    check_same("ended.chain", ended["chain"], found, why)
    return found


def _summary_lines(row: Row, seeds: tuple[Seed, ...], ended: Sequence[int]) -> Iterator[str]:
    turns: list[Row] = [*row["turns"], *row["void_turns"]]
    seals = [seal for turn in turns for seal in turn["seals"]]
    superseded = sum(seal["superseded"] for seal in seals)
    fields = sum(len(seal["fields"] or ()) for seal in seals)
    yield f"turns {len(row['turns'])}, void turns {len(row['void_turns'])}"
    yield f"positions {2 * len(turns)}, by hash and by playing every turn again"
    yield f"seals {len(seals)}, {superseded} of them superseded; fields {fields}"
    if rejected := sum(len(turn.get("rejected", ())) for turn in turns):
        yield f"rejected seals {rejected}"
    given = row["dice"].get("draws", {})
    salts = [_salt_source(seeds, turn, seal) for turn in turns for seal in turn["seals"]]
    draws = [_draw_source(seeds, turn, draw, given) for turn in turns for draw in turn["draws"]]
    yield _count_by_kind_line("salts of seals", salts)
    yield _count_by_kind_line("draws", draws)
    yield f"seals with the wizard's own random number {seed_check.count_player_random_numbers(row)}"
    yield f"seeds {len(seeds)}"
    for number in seed_check.roll_backs_with_public_seed(row, ended):
        yield f"after rollback {number} the duel continued with a seed that was already public"
    yield f"acts of referees {len(row['acts'])}"


def _count_by_kind_line(what: str, hows: Sequence[str]) -> str:
    """Return a line with the total number and, if there are several kinds, the number of each."""
    kinds = sorted(set(hows))
    if len(kinds) < 2:
        return ", ".join([f"{what} {len(hows)}", *kinds])
    return f"{what} {len(hows)}: " + "; ".join(f"{hows.count(kind)} {kind}" for kind in kinds)


LOST_SEED_SOURCE: Final = "as stated, without the seed, which is lost"


def _salt_source(seeds: tuple[Seed, ...], turn: Row, seal: Row) -> str:
    """Return the source of a seal's salts, as far as it can be checked."""
    if seal["fields"] is None:
        return "not opened"
    if has_chosen_salts(seal):
        return "chosen by the site"
    return LOST_SEED_SOURCE if _turn_seed(seeds, turn) is None else "by the seed"


def _draw_source(seeds: tuple[Seed, ...], turn: Row, draw: Row, given: Row) -> str:
    """Return the source of a draw, as far as it can be checked. `given`: draws fixed in advance."""
    if draw["label"] in given:
        return "set in advance, not random"
    return LOST_SEED_SOURCE if _turn_seed(seeds, turn) is None else "by the seed"


def _turn_seed(seeds: tuple[Seed, ...], turn: Row) -> str | None:
    return seed_after(seeds, turn.get("roll_backs", 0)).seed
