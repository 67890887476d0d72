"""The record of a duel: a file that plays it again and proves what was played. rules: promise 14

A record is plain JSON, written here with the kinds of its values; `docs/RECORDS.md` says how to
check one by hand. Times are ISO 8601 texts, hashes hexadecimal, wizards "w0", "w1" … by their
places, orders in the flat form of `orders.fields`.

    {"format": "spellcaster-record", "version": 2, "duel": number, "ruleset": id, "options": [name],
     "wizards": [{"name", "pronouns"}], "setup": null or as `begin` takes it,
     "dice": {"kind": "hmac", "seed"} or {"kind": "recorded", "draws": {label: value}, "seed"},
     "seed_commitment": hash, "chain": hash, "turns": [TURN], "void_turns": [TURN with "voided_in"],
     "acts": [{"ordinal", …, "chain"}], "speeches": [SPEECH],
     "ended": {"how", "result", "at", "markers": {"taken": [w], "returned": [w]},
               "seed_lost": true, "chain"}}

    TURN {"ordinal", "number", "kind", "opened_at", "closed_at", "release", "played": bool,
          "position": hash, "resigned": [w], "forfeited": [w], "removed": [w],
          "commitments": [hash],
          "seals": [SEAL], "orders": {w: {field: value}}, "answers": {question: option},
          "draws": [{"label", "sides", "value"}], "damage": {w: number}, "after": hash,
          "acts": number, "chain": hash}
    SEAL {"wizard", "stage": "orders" or "answers", "batch": number, "source", "sealed_at",
          "taken_back_at": time or null, "superseded": bool, "commitment": hash,
          "hashes": {field: hash}, "fields": {field: value}, "salts": {field: salt, "pad": salt},
          or null for these three where the key of a superseded seal was lost}
    SPEECH {"wizard", "ordinal", "after_end": bool, "words", "said_at"}

"ended" is null while the duel goes on; then nothing shows whether later turns were cut off, and
`engine.verify` refuses it. `position` is the hash of what the turn starts from, `after` of what it
leads to. "forfeited" are those of the "resigned" whose time ran out, "removed" those whom a referee
removed. "commitments" are those that the turn's dice depend on: of the orders that were in force at
the reveal, by place. A turn that was not "played" holds who left in it, and seals. "orders" are
what those who act have sealed, "answers" what was answered, a later batch over an earlier one.
"acts" of a turn: how many acts of referees there were when it was closed. Void turns were rolled
back in the "voided_in"th roll back. Markers: of whom the winner took one, and who gave theirs back
(R114). What was said between turns stands in "speeches", by the ordinal of the turn that was open;
it changes nothing that is played. "seed_lost" stands there only where nobody knew the seed any
more when the duel ended: its last turn's link has no salt then. "seed" is null while it stays lost.
"""

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from typing import Final

from engine.dice import AnyDice, Dice, RecordedDice
from engine.json_values import InvalidData, a_number, a_text, an_object, one_of

FORMAT: Final = "spellcaster-record"
VERSION: Final = 2
ENDS: Final = (
    *("rules", "resigned", "agreed", "annulled", "time", "claimed", "abandoned"),
    *("removed", "declared"),
)
# Ends by which the last wizard standing has won.
BY_WINNING: Final = ("rules", "resigned", "time", "claimed", "removed")
Record = Mapping[str, object]


class InvalidRecord(InvalidData):
    """A record that is malformed, or that does not come out as it says; `field` is the place."""


class Mismatch(InvalidRecord):
    """A well-formed record that does not come out as it says."""


@contextmanager
def refusing() -> Generator[None, None, None]:
    """Whatever is wrong with the data is wrong with the record: InvalidRecord is raised."""
    try:
        yield
    except InvalidRecord:
        raise
    except InvalidData as error:
        raise InvalidRecord(error.field, error.text) from error


def dice_of(
    data: Record, commitments: tuple[str, ...] = (), drawn: Mapping[str, int] | None = None
) -> AnyDice:
    """The dice that a record states, for the turn of these commitments. Raises InvalidData.

    `drawn`: what the turn is said to have drawn, by label, for a record whose seed is lost.
    """
    row = an_object("dice", data.get("dice"))
    if one_of("dice.kind", row.get("kind"), ("hmac", "recorded")) == "recorded":
        draws = an_object("dice.draws", row.get("draws"))
        return RecordedDice(
            {label: a_number(f"dice.draws.{label}", value) for label, value in draws.items()}
        )
    if row.get("seed") is None and drawn is not None:
        return RecordedDice(drawn)
    try:
        seed = bytes.fromhex(a_text("dice.seed", row.get("seed")))
    except ValueError as error:
        raise InvalidRecord("dice.seed", "must be hexadecimal") from error
    return Dice(seed, commitments)
