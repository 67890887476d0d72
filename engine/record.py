"""The record of a duel: a file that plays it again and proves what was played. rules: promise 14

A record is plain JSON, written here with the kinds of its values; `docs/RECORDS.md` says how to
check one by hand. Times are ISO 8601 texts, hashes hexadecimal, wizards "w0", "w1" … by their
places, orders in the flat form of `orders.fields`.

    {"format": "spellcaster-record", "version": 3, "duel": number, "ruleset": id, "options": [name],
     "wizards": [{"name", "pronouns"}], "setup": null or as `begin` takes it,
     "dice": {"kind": "hmac", "seeds": [SEED]}
          or {"kind": "recorded", "draws": {label: value}, "seeds": [SEED]},
     "salts": "seed" or "site", "chain": hash,
     "turns": [TURN], "void_turns": [TURN with "voided_in"],
     "acts": [{"ordinal", …, "chain"}], "speeches": [SPEECH],
     "ended": {"how", "result", "at", "markers": {"taken": [w], "returned": [w]},
               "seed_lost": true, "chain"}}

    SEED {"roll_backs": number, "seed_commitment": hash, "seed": hash or null}
    TURN {"ordinal", "number", "kind", "roll_backs": number, "opened_at", "closed_at", "release",
          "played": bool, "position": hash, "resigned": [w], "forfeited": [w], "removed": [w],
          "commitments": [hash],
          "seals": [SEAL], "orders": {w: {field: value}}, "answers": {question: option},
          "draws": [{"label", "sides", "value"}], "damage": {w: number}, "after": hash,
          "acts": number, "chain": hash}
    SEAL {"wizard", "stage": "orders" or "answers", "batch": number, "source", "sealed_at",
          "taken_back_at": time or null, "superseded": bool, "commitment": hash,
          "hashes": {field: hash}, "fields": {field: value}, "salts": {field: salt, "pad": salt},
          or null for these three where the key of a superseded seal was lost,
          "removed": {field: number}}
    SPEECH {"wizard", "ordinal", "after_end": bool, "words", "said_at", "removed": true where a
            referee has removed the words}

"ended" is null while the duel goes on; then nothing shows whether later turns were cut off, and
`engine.verify` refuses it. `position` is the hash of what the turn starts from, `after` of what it
leads to. "forfeited" are those of the "resigned" whose time ran out, "removed" those whom a referee
removed. "commitments" are those that the turn's dice depend on: of the orders that were in force at
the reveal, by place. A turn that was not "played" holds who left in it, and seals. "orders" are
what those who act have sealed, "answers" what was answered, a later batch over an earlier one.
"acts" of a turn: how many acts of referees there were when it was closed; "roll_backs": how many
roll backs there had been when it was opened. Void turns were rolled back in the "voided_in"th roll
back. A seed is used from the turns on that were opened after so many roll backs, until the next one
is: a duel that is rolled back after its end gets another. Draws of dice that are "recorded" fell as
they were laid down, where there are any by that label. Where "salts" is "site", the duel began
before all salts followed from the seed: seals whose place names no roll backs have salts that the
site drew by lot. Markers: of whom the winner took one, and who gave theirs back
(R114). What was said between turns stands in "speeches", by the ordinal of the turn that was open;
it changes nothing that is played. "removed" stands in a seal only where a referee has removed words
that were said with the turn: by which act; their hash alone is left of them. "seed_lost" stands
there only where nobody knew the last seed any more when the duel ended: its last turn's link has no
salt then. That "seed" is null while it stays lost.

A record of version 2 has no "salts" (they are all of the site), in "dice" a "seed" in place of
"seeds" with its "seed_commitment" beside, and turns without "roll_backs".
"""

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from engine.dice import AnyDice, Dice, RecordedDice
from engine.json_values import InvalidData, a_number, a_text, an_object, objects, one_of

FORMAT: Final = "spellcaster-record"
VERSION: Final = 3
OLDER: Final = 2  # the older version that is still read
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


def check_same(place: str, stated: object, found: object, why: str = "") -> None:
    """Raises Mismatch where the record states another value than what comes out."""
    if type(stated) is not type(found) or stated != found:
        raise Mismatch(place, f"is {stated!r}, but comes out as {found!r}{why}")


@dataclass(frozen=True, slots=True)
class Seed:
    """A seed of the dice: where it stands in the record, and after how many roll backs it came.
    None is lost."""

    place: str
    roll_backs: int
    seed: str | None


def seeds_of(data: Record) -> tuple[Seed, ...]:
    """The seeds that a record states, the first one first. Raises InvalidData."""
    row = an_object("dice", data.get("dice"))
    if data.get("version") == OLDER:
        return (Seed("dice", 0, _hexadecimal("dice.seed", row.get("seed"))),)
    seeds: list[Seed] = []
    for number, each in enumerate(objects("dice.seeds", row.get("seeds"))):
        place = f"dice.seeds[{number}]"
        roll_backs = a_number(f"{place}.roll_backs", each.get("roll_backs"))
        seeds.append(Seed(place, roll_backs, _hexadecimal(f"{place}.seed", each.get("seed"))))
    if not seeds or seeds[0].roll_backs:
        raise InvalidRecord("dice.seeds", "must begin with the seed that the duel began with")
    return tuple(seeds)


def seed_after(seeds: tuple[Seed, ...], roll_backs: int) -> Seed:
    """The seed of a turn that was opened after so many roll backs."""
    return [seed for seed in seeds if seed.roll_backs <= max(roll_backs, 0)][-1]


def dice_of(
    data: Record,
    commitments: tuple[str, ...] = (),
    roll_backs: int = 0,
    *,
    drawn: Mapping[str, int] | None = None,
) -> AnyDice:
    """The dice that a record states, for a turn of these commitments that was opened after so many
    roll backs. Raises InvalidData.

    `drawn`: what the turn is said to have drawn, by label, where its seed is lost.
    """
    row = an_object("dice", data.get("dice"))
    is_recorded = one_of("dice.kind", row.get("kind"), ("hmac", "recorded")) == "recorded"
    thrown: AnyDice | None = None
    if not is_recorded or "seeds" in row:
        seed = seed_after(seeds_of(data), roll_backs)
        if seed.seed is not None:
            thrown = Dice(bytes.fromhex(seed.seed), commitments)
        elif drawn is not None:
            thrown = RecordedDice(drawn)
        else:
            raise InvalidRecord(f"{seed.place}.seed", "is lost, and no draws are stated")
    if not is_recorded:
        assert thrown is not None
        return thrown
    draws = {
        label: a_number(f"dice.draws.{label}", value)
        for label, value in an_object("dice.draws", row.get("draws")).items()
    }
    return RecordedDice(draws, otherwise=thrown)


def _hexadecimal(place: str, value: object) -> str | None:
    if value is None:
        return None
    text = a_text(place, value)
    try:
        bytes.fromhex(text)
    except ValueError as error:
        raise InvalidRecord(place, "must be hexadecimal") from error
    return text
