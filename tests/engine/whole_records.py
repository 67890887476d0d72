"""Complete records of computer-played duels, with all the proofs that the site's records have.

A record's number determines its contents.
"""

import copy
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import engine.orders
import engine.play
import engine.proof
from engine.orders import MESSAGE_FIELD
from engine.positions.position import Position
from engine.proof.chain import SALTS_BY_SEED, SALTS_BY_SITE
from engine.proof.commitment import (
    PADDING_FIELD,
    PLACE_FIELD,
    RANDOM_NUMBER_FIELD,
    field_commitments,
    field_salts,
    place_value,
    seal_commitment,
    submitted_fields,
)
from engine.proof.record import OLDEST_VERSION, read_seeds, seed_after
from tests.engine.random_duels import WIZARD_NAMES, Player, random_orders

Json = dict[str, Any]
FIRST_TURN_BEGAN = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
# Both wizards are confused on their first turn, so that dice are rolled.
CONFUSED_WIZARD: Json = {"effects": {"confusion": {"turns": 1}}}
CONFUSED_SETUP: Json = {"wizards": [CONFUSED_WIZARD, {"damage": 2, **CONFUSED_WIZARD}]}
RULESETS = tuple(engine.play.RULESETS)


def whole_record(
    number: int,
    *,
    turns: int = 6,
    lost: bool = False,
    renews_seed: bool = True,
    resigns_before: bool = False,
) -> Json:
    """Return the record of a duel under one of the rulesets.

    Depending on its number, the record has seals that were replaced, taken back or never played,
    messages, answers, dice, a resignation, a rollback (even after the end), a draw, or salts chosen
    by the site.

    `lost`: the last seed was lost, so that the duel could not be finished.
    `renews_seed`: a duel that is rolled back after its end gets a new seed. `resigns_before`: such
    a duel had ended by resignation.
    """
    writer = _RecordWriter(number)
    writer.renews_seed, writer.resigns_before = renews_seed, resigns_before
    for ordinal in range(1, turns + 1):
        if writer.position.outcome:
            break
        if ordinal == 3 and number % 2:
            writer.roll_back()
        writer.add_turn()
    return writer.finish_record(lost=lost)


@dataclass(frozen=True)
class _PlayedTurn:
    """The results of a turn; if it was not played, only the position after it."""

    after: Position
    orders: Mapping[str, Json] = field(default_factory=dict)
    answers: Mapping[str, str] = field(default_factory=dict)
    answer_seals: Sequence[Json] = ()
    events: Sequence[engine.play.Event] = ()


class _RecordWriter:
    def __init__(self, number: int) -> None:
        # Questions are asked in some of these duels.
        self.chance = random.Random(15_000 + number)
        self.ruleset = RULESETS[number % len(RULESETS)]
        self.wizards = 2 + number % 2
        names = [engine.play.Duellist(name) for name in WIZARD_NAMES[: self.wizards]]
        setup = CONFUSED_SETUP if number % 4 >= 2 else None
        self.position = engine.play.begin(self.ruleset, names, setup=setup)
        patterns = [each.pattern for each in self.position.rules.completables]
        self.players = {
            wizard.id: Player(self.chance, patterns) for wizard in self.position.wizards
        }
        self.seed = self.chance.randbytes(32).hex()
        self.links_are_salted = True
        self.roll_backs = 0
        # Older duels have seals from before salts were derived from the seed.
        self.renews_seed, self.resigns_before = True, False
        self.is_older = number % 8 in (4, 5)
        self.rolls_back_after_an_end = number % 4 == 3
        self.now = FIRST_TURN_BEGAN
        self.record: Json = {
            "format": engine.proof.RECORD_FORMAT,
            "version": engine.proof.RECORD_VERSION,
            "duel": 7 + number,
            "ruleset": self.ruleset,
            "options": [],
            "wizards": [{"name": each.name, "pronouns": each.pronouns} for each in names],
            "setup": setup,
            "dice": {"kind": "hmac", "seeds": [seed_entry(0, self.seed)]},
            "salts": SALTS_BY_SITE if self.is_older else SALTS_BY_SEED,
            "turns": [],
            "void_turns": [],
            "acts": [],
            "speeches": [],
            "ended": None,
        }
        self.chain = self.record["chain"] = engine.proof.first_link(
            engine.proof.seed_commitment(self.seed),
            duel=self.record["duel"],
            ruleset=self.ruleset,
            options=[],
            wizards=self.wizards,
            setup=setup,
            salts=self.record["salts"],
        )

    def next_time(self) -> str:
        self.now += timedelta(minutes=self.chance.randrange(1, 90), microseconds=7)
        return self.now.isoformat()

    def make_seal(
        self, wizard: str, stage: str, batch: int, fields: dict[str, str], before: int = 0
    ) -> Json:
        """Return a seal. `before` is the number of seals that it replaces."""
        is_older = self.is_older and self.ordinal < 3
        place = place_value(
            duel=self.record["duel"],
            ordinal=self.ordinal,
            wizard=wizard,
            stage=stage,
            batch=batch,
            roll_backs=None if is_older else self.roll_backs,
        )
        named = {**fields, PLACE_FIELD: place}
        if is_older:
            salts = {name: self.chance.randbytes(32).hex() for name in (*named, PADDING_FIELD)}
        else:
            named[RANDOM_NUMBER_FIELD] = self.chance.choice(("", self.chance.randbytes(16).hex()))
            salts = field_salts(self.seed, place, before, named)
        source = self.chance.choice(("player", "player", "default"))
        return {
            "wizard": wizard,
            "stage": stage,
            "batch": batch,
            "source": "player" if named.get(RANDOM_NUMBER_FIELD) else source,
            "sealed_at": self.next_time(),
            "taken_back_at": None,
            "superseded": False,
            "commitment": seal_commitment(named, salts),
            "hashes": field_commitments(named, salts),
            "fields": named,
            "salts": salts,
        }

    @property
    def ordinal(self) -> int:
        return len(self.record["turns"]) + 1

    def random_order_fields(self, position: Position, wizard: str) -> dict[str, str]:
        flat = engine.orders.fields(random_orders(position, wizard, self.players[wizard]))
        if self.chance.random() < 0.3:
            flat["say"] = "Let us be plain: „Nein“, or not?"
        return flat

    def next_turn_row(self, *, leaving: str = "", played: bool = True) -> tuple[Json, Position]:
        """Return the next turn as a row of the record, and the position after the turn."""
        position, start = self.position, self.position
        opened_at, seals = self.next_time(), self.random_order_seals()
        if leaving:
            position, _ = engine.play.resign(position, leaving)
            for seal in seals:
                seal["superseded"] |= seal["wizard"] == leaving or bool(position.outcome)
        played = played and not position.outcome
        in_force = sorted(
            (seal for seal in seals if not seal["superseded"]), key=lambda seal: seal["wizard"]
        )
        result = self.resolve_seals(position, in_force) if played else _PlayedTurn(position)
        row: Json = {
            "ordinal": self.ordinal,
            "number": start.turn,
            "kind": start.kind,
            "roll_backs": self.roll_backs,
            "opened_at": opened_at,
            "closed_at": self.next_time(),
            "release": "0.1.0",
            "played": played,
            "position": engine.proof.position_hash(start),
            "resigned": [leaving] if leaving else [],
            "forfeited": [],
            "removed": [],
            "commitments": [seal["commitment"] for seal in in_force],
            "seals": [*seals, *result.answer_seals],
            "orders": result.orders,
            "answers": result.answers,
            "draws": [
                {"label": event.label, "sides": event.sides, "value": event.value}
                for event in result.events
                if isinstance(event, engine.play.Drew)
            ],
            "damage": {wizard.id: wizard.damage for wizard in result.after.wizards},
            "after": engine.proof.position_hash(result.after),
            "acts": len(self.record["acts"]),
        }
        last_act = self.record["acts"][-1]["chain"] if self.record["acts"] else ""
        row["chain"] = engine.proof.turn_link(
            self.chain,
            {**row, "acts": last_act},
            ruleset=self.ruleset,
            options=[],
            seed=self.seed if self.links_are_salted else None,
        )
        return row, result.after

    def random_order_seals(self) -> list[Json]:
        """Return a seal of each acting wizard, and some that were taken back."""
        seals: list[Json] = []
        for wizard in engine.play.acting_wizards(self.position):
            is_replaced = self.chance.random() < 0.4
            if is_replaced:
                first = self.make_seal(
                    wizard, "orders", 0, self.random_order_fields(self.position, wizard)
                )
                first |= {"superseded": True, "taken_back_at": self.next_time()}
                seals.append(first)
            fields = self.random_order_fields(self.position, wizard)
            seals.append(self.make_seal(wizard, "orders", 0, fields, int(is_replaced)))
        return seals

    def resolve_seals(self, position: Position, in_force: list[Json]) -> _PlayedTurn:
        """Resolve a turn with these seals, and with random answers to its questions."""
        able = engine.play.acting_wizards(position)
        orders = {
            s["wizard"]: submitted_fields(s["fields"]) for s in in_force if s["wizard"] in able
        }
        values = {wizard: engine.orders.from_fields(flat) for wizard, flat in orders.items()}
        commitments = [seal["commitment"] for seal in in_force]
        dice = engine.play.Dice(bytes.fromhex(self.seed), commitments)
        answers: dict[str, str] = {}
        seals: list[Json] = []
        batch = 0
        while asked := engine.play.questions(position, values, answers, dice):
            batch += 1
            for wizard in dict.fromkeys(question.wizard for question in asked):
                given = {
                    question.id: self.chance.choice(question.options)
                    for question in asked
                    if question.wizard == wizard
                }
                answers |= given
                seals.append(self.make_seal(wizard, "answers", batch, given))
        after, events = engine.play.resolve(position, values, answers, dice)
        return _PlayedTurn(after, orders, answers, seals, events)

    def add_turn(self, **how: Any) -> None:
        row, self.position = self.next_turn_row(**how)
        self.record["turns"].append(row)
        self.chain = row["chain"]

    def roll_back(self) -> None:
        """Play one complete and one open turn, and add an act that voids them."""
        position, chain, turns = self.position, self.chain, list(self.record["turns"])
        self.add_turn()
        while self.resigns_before and not self.position.outcome:
            self.add_turn(leaving=self.position.wizards_in_duel()[0].id)
        if not self.position.outcome:
            self.add_turn(played=False)
        self.record["void_turns"] += [
            {**row, "voided_in": 1} for row in self.record["turns"][len(turns) :]
        ]
        was_over = self.rolls_back_after_an_end or bool(self.position.outcome)
        self.position, self.chain, self.record["turns"] = position, chain, turns
        self.roll_backs = 1
        facts: Json = {
            "roll_back": 1,
            "void": [row["ordinal"] for row in self.record["void_turns"]],
        }
        if was_over:
            facts["was"] = {"status": "over", "ended": "agreed", "result": "draw"}
        if was_over and self.renews_seed:
            self.seed = self.chance.randbytes(32).hex()
            facts["seed_commitment"] = engine.proof.seed_commitment(self.seed)
            self.record["dice"]["seeds"].append(seed_entry(1, self.seed))
        act = {
            "ordinal": 1,
            "at": self.next_time(),
            "referee": "Referee 3",
            "act": "roll_back",
            "turn": self.ordinal,
            "reason": "The rule was misplayed.",
            "facts": facts,
        }
        act["chain"] = engine.proof.link("", act)
        self.record["acts"] = [act]

    def remove_first_message(self) -> None:
        """Add an act that removes the first message of a turn, if there is one."""
        acts, said = self.record["acts"], self.first_message()
        if said is None:
            return
        turn, wizard = said
        act = {
            "ordinal": len(acts) + 1,
            "at": self.next_time(),
            "referee": "Referee 3",
            "act": "remove_words",
            "turn": turn["ordinal"],
            "seat": wizard,
            "reason": "Nobody should read that.",
            "facts": {"with_turn": True},
        }
        act["chain"] = engine.proof.link(acts[-1]["chain"] if acts else "", act)
        acts.append(act)
        turn["orders"].get(wizard, {}).pop(MESSAGE_FIELD, None)
        for seal in turn["seals"]:
            if seal["wizard"] == wizard and MESSAGE_FIELD in seal["fields"]:
                del seal["fields"][MESSAGE_FIELD], seal["salts"][MESSAGE_FIELD]
                seal["removed"] = {MESSAGE_FIELD: act["ordinal"]}

    def first_message(self) -> tuple[Json, str] | None:
        for turn in self.record["turns"]:
            for wizard, fields in turn["orders"].items():
                if MESSAGE_FIELD in fields:
                    return turn, wizard
        return None

    def finish_record(self, *, lost: bool = False) -> Json:
        how = "rules"
        if lost:
            assert not self.position.outcome, "nothing can be played without the seed"
            self.links_are_salted = False
        if not self.position.outcome:
            if not lost and self.chance.random() < 0.5:
                while not self.position.outcome:
                    self.add_turn(leaving=self.position.wizards_in_duel()[0].id)
                how = "resigned"
            else:
                self.add_turn(played=False)
                how = "agreed"
        if not lost and self.record["duel"] % 3 == 0:
            self.remove_first_message()
        result = "draw" if how == "agreed" else self.position.outcome
        ended: Json = {"how": how, "result": result, "at": self.next_time()}
        if self.position.rules.markers:
            ended["markers"] = engine.proof.markers_at_end(self.position, how, result)
        if lost:
            ended["seed_lost"], self.record["dice"]["seeds"][-1]["seed"] = True, None
        covered = engine.proof.end_link_data(
            ended, self.record["void_turns"], self.record["acts"], []
        )
        if lost:
            covered["turns"] = engine.proof.unsalted_links(self.record)
        ended["chain"] = engine.proof.link(self.chain, covered)
        self.record["ended"] = ended
        words = {"wizard": "w0", "ordinal": 1, "after_end": False, "words": "Well met."}
        self.record["speeches"] = [{**words, "said_at": self.record["turns"][0]["opened_at"]}]
        return self.record


def seed_entry(roll_backs: int, seed: str) -> Json:
    """Return the record's entry for a seed that is used since this rollback."""
    commitment = engine.proof.seed_commitment(seed)
    return {"roll_backs": roll_backs, "seed_commitment": commitment, "seed": seed}


def recompute_chain(record: Json) -> Json:
    """Recompute every link of the record's chain from its contents."""
    before = ""
    for act in record["acts"]:
        act["chain"] = before = engine.proof.link(
            before, {k: v for k, v in act.items() if k != "chain"}
        )
    chains = {0: _first_link(record)}
    record["chain"] = chains[0]
    for turn in record["turns"]:
        chains[turn["ordinal"]] = _recompute_turn_link(record, turn, chains[turn["ordinal"] - 1])
    before = ""
    for turn in record["void_turns"]:
        before = _recompute_turn_link(record, turn, before or chains[turn["ordinal"] - 1])
    covered = engine.proof.end_link_data(record["ended"], record["void_turns"], record["acts"], [])
    record["ended"]["chain"] = engine.proof.link(chains[len(record["turns"])], covered)
    return record


def _first_link(record: Json) -> str:
    if record["version"] == OLDEST_VERSION:
        return str(record["chain"])
    return engine.proof.first_link(
        record["dice"]["seeds"][0]["seed_commitment"],
        **{name: record[name] for name in ("duel", "ruleset", "options", "setup", "salts")},
        wizards=len(record["wizards"]),
        draws=record["dice"].get("draws"),
        covers_dice=record["version"] == engine.proof.RECORD_VERSION,
    )


def begun_with_draws(record: Json, draws: Mapping[str, int]) -> Json:
    """Return the record as if the duel had begun with these dice set in advance."""
    begun = copy.deepcopy(record)
    begun["dice"] |= {"kind": "recorded", "draws": dict(draws)}
    return recompute_chain(begun)


def _recompute_turn_link(record: Json, turn: Json, before: str) -> str:
    turn["acts"] = min(turn["acts"], len(record["acts"]))
    last = record["acts"][turn["acts"] - 1]["chain"] if turn["acts"] else ""
    turn["chain"] = engine.proof.turn_link(
        before,
        {**turn, "acts": last},
        ruleset=record["ruleset"],
        options=record["options"],
        seed=seed_after(read_seeds(record), turn.get("roll_backs", 0)).seed,
    )
    return str(turn["chain"])
