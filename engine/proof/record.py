"""The record of a duel: a file that replays it and proves what was played. rules: promise 14

A record is plain JSON, outlined below with the types of its values; `docs/RECORDS.md` explains how
to check one by hand. Times are ISO 8601 texts, hashes are hexadecimal, wizards are "w0", "w1" … by
seat, and orders have the flat form of `orders.fields`.

    {"format": "spellcaster-record", "version": 4, "duel": number, "ruleset": id, "options": [name],
     "wizards": [{"name", "pronouns"}], "setup": null or as `begin` takes it,
     "dice": {"kind": "hmac", "seeds": [SEED]}
          or {"kind": "recorded", "draws": {label: value}, "seeds": [SEED]},
     "salts": "seed" or "site", "chain": hash,
     "turns": [TURN], "void_turns": [TURN with "voided_in"],
     "acts": [ACT], "speeches": [SPEECH],
     "ended": {"how", "result", "at", "markers": {"taken": [w], "returned": [w]},
               "seed_lost": true, "chain"}}

    SEED {"roll_backs": number, "seed_commitment": hash, "seed": hash or null}
    TURN {"ordinal", "number", "kind", "roll_backs": number, "opened_at", "closed_at", "release",
          "played": bool, "position": hash, "resigned": [w], "forfeited": [w], "removed": [w],
          "commitments": [hash],
          "seals": [SEAL], "orders": {w: {field: value}}, "answers": {question: option},
          "draws": [{"label", "sides", "value"}], "damage": {w: number}, "after": hash,
          "acts": number, "chain": hash, "rejected": [REJECTED SEAL]}
    SEAL {"wizard", "stage": "orders" or "answers", "batch": number,
          "source": "player" or "default", "sealed_at",
          "taken_back_at": time or null, "superseded": bool, "commitment": hash,
          "hashes": {field: hash}, "fields": {field: value}, "salts": {field: salt, "pad": salt},
          or these three are null if the key of a superseded seal was lost,
          "removed": {field: number}}
    REJECTED SEAL {"wizard", "stage", "batch", "before": number, "rejected_at", "code",
          "commitment", "hashes", "fields", "salts", all three null if the key was lost}
    ACT {"ordinal", "at", "referee", "act", "case", "turn", "seat", "reason", "facts", "chain"}
    SPEECH {"wizard", "ordinal", "after_end": bool, "words", "said_at", "removed": true if a
            referee removed the message}

A duel:

- "salts": "site" if the duel began before all salts followed from the seed. Seals whose place does
  not mention rollbacks then have random salts from the site.
- "speeches": messages sent between turns, with the ordinal of the turn that was open. They do not
  affect play.
- "ended": null until the duel is over. A record without an end cannot prove that no later turns
  were cut off, so `engine.proof.verify` rejects it.
- "markers": the wizards from whom the winner takes one, and those who give theirs back (R114).
  Required if the ruleset has markers.
- "seed_lost": present only if the last seed was lost when the duel ended. The last turn's link then
  has no salt. "seed" is null as long as the seed is lost.

Dice:

- "roll_backs" of a seed: the number of rollbacks after which turns are opened with this seed, until
  the next seed takes over. A duel that is rolled back after its end gets a new seed.
- "draws" of "recorded" dice: draws fixed before the duel began, by label. All other draws follow
  from the seed. The first link covers "kind" and a hash of "draws"
  (`engine.proof.chain.dice_commitment`).

A turn:

- "position" and "after": hashes of the positions before and after the turn.
- "resigned": everyone who left; "forfeited": those of them whose time ran out; "removed": those
  whom a referee removed.
- "played": false if nothing happened in the turn except sealing and wizards who left.
- "commitments": the commitments of the orders in force at the reveal, by seat, on which the turn's
  dice depend.
- "orders": the sealed orders of the wizards who act; "answers": the answers, in which a later batch
  overrides an earlier one.
- "acts": the number of referees' acts when the turn was closed; "roll_backs": the number of
  rollbacks when it was opened; "voided_in": the number of the rollback that made it void.
- "removed" of a seal: present only if a referee removed the message sent with the turn. It maps the
  field to the number of that act. The record then contains only the message's hash.
- "rejected": present only if the site rejected a seal. It has the contents and salts that an
  accepted seal would have had, but only the hash of a message. "before" is the number of earlier
  seals for the same place, and "code" is the reason. A rejected seal affects nothing.

An act: "act" is its kind (`ACT_KINDS`). Only "ordinal", "act" and "chain" are required.

A record of version 3 has no "rejected", and its first link does not cover the dice. Its "kind" is
therefore "hmac". A record of version 2 also has no "salts", because the site drew all of them. Its
"dice" has one "seed" instead of "seeds", its "seed_commitment" is at the top level, and its turns
have no "roll_backs".
"""

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from engine import json_values
from engine.dice import AnyDice, Dice, RecordedDice
from engine.proof.chain import DICE_BY_SEED, DICE_RECORDED

RECORD_FORMAT: Final = "spellcaster-record"
"""The value of "format" in every record."""
RECORD_VERSION: Final = 4
"""The version of new records."""
UNCOVERED_DICE_VERSION: Final = 3
"""An older version, which can still be read: the first link does not cover the dice."""
OLDEST_VERSION: Final = 2
"""The oldest version that can still be read: it has only one seed."""
END_KINDS: Final = (
    "rules",
    "resigned",
    "agreed",
    "annulled",
    "time",
    "claimed",
    "abandoned",
    "removed",
    "declared",
)
# Ways to end a duel in which the winner follows from the position.
END_KINDS_WITH_WINNER: Final = ("rules", "resigned", "time", "claimed", "removed")
# Kinds of acts in a log.
ACT_KINDS: Final = (
    "pause",
    "go_on",
    "extend",
    "restart_clock",
    "excuse",
    "defaults",
    "roll_back",
    "remove",
    "replace",
    "declare",
    "annul",
    "lock_speech",
    "unlock_speech",
    "remove_words",
    "rename",
    "suspend",
    "reinstate",
    "message",
    "open_sealed",
    "ruling",
    "open_dispute",
    "close_dispute",
    "nudge",
    "send_again",
)
Record = Mapping[str, object]


class InvalidRecord(json_values.InvalidData):
    """Error for a record that is malformed or contradicts its replay; `field` is the place."""


class Mismatch(InvalidRecord):
    """Error for a well-formed record that contradicts its replay."""


@contextmanager
def invalid_record_errors() -> Generator[None, None, None]:
    """Context manager that converts any InvalidData to InvalidRecord."""
    try:
        yield
    except InvalidRecord:
        raise
    except json_values.InvalidData as error:
        raise InvalidRecord(error.field, error.text) from error


def check_same(place: str, stated: object, found: object, why: str = "") -> None:
    """Raise Mismatch if the value in the record differs from the computed one."""
    if type(stated) is not type(found) or stated != found:
        raise Mismatch(place, f"is {stated!r}, but should be {found!r}{why}")


@dataclass(frozen=True, slots=True)
class Seed:
    """A seed for the dice, with its place in the record and the number of rollbacks before its use.

    `seed` is None if it is lost.
    """

    place: str
    roll_backs: int
    seed: str | None


def read_seeds(data: Record) -> tuple[Seed, ...]:
    """Return the seeds of a record, in order. Raises InvalidData."""
    row = json_values.parse_object("dice", data.get("dice"))
    if data.get("version") == OLDEST_VERSION:
        return (Seed("dice", 0, _hexadecimal("dice.seed", row.get("seed"))),)
    seeds: list[Seed] = []
    for number, each in enumerate(json_values.parse_objects("dice.seeds", row.get("seeds"))):
        place = f"dice.seeds[{number}]"
        roll_backs = json_values.parse_int(f"{place}.roll_backs", each.get("roll_backs"))
        seeds.append(Seed(place, roll_backs, _hexadecimal(f"{place}.seed", each.get("seed"))))
    if not seeds or seeds[0].roll_backs:
        raise InvalidRecord("dice.seeds", "must begin with the seed that the duel began with")
    return tuple(seeds)


def seed_after(seeds: tuple[Seed, ...], roll_backs: int) -> Seed:
    """Return the seed of a turn that was opened after this many rollbacks."""
    return [seed for seed in seeds if seed.roll_backs <= max(roll_backs, 0)][-1]


def dice_of_turn(
    data: Record,
    commitments: tuple[str, ...] = (),
    roll_backs: int = 0,
    *,
    drawn: Mapping[str, int] | None = None,
) -> AnyDice:
    """Return the dice of a record for one turn. Raises InvalidData.

    `commitments` are those of the turn, and `roll_backs` is the number of rollbacks before it was
    opened. `drawn` has the draws that the record states for the turn, by label, which are needed if
    the seed is lost.
    """
    row = json_values.parse_object("dice", data.get("dice"))
    is_recorded = (
        json_values.parse_choice("dice.kind", row.get("kind"), (DICE_BY_SEED, DICE_RECORDED))
        == DICE_RECORDED
    )
    thrown: AnyDice | None = None
    if not is_recorded or "seeds" in row:
        seed = seed_after(read_seeds(data), roll_backs)
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
        label: json_values.parse_int(f"dice.draws.{label}", value)
        for label, value in json_values.parse_object("dice.draws", row.get("draws")).items()
    }
    return RecordedDice(draws, otherwise=thrown)


def _hexadecimal(place: str, value: object) -> str | None:
    if value is None:
        return None
    text = json_values.parse_string(place, value)
    try:
        bytes.fromhex(text)
    except ValueError as error:
        raise InvalidRecord(place, "must be hexadecimal") from error
    return text
