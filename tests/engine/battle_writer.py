"""Functions that play scripts of battles and write the results in the format of docs/BATTLES.md.

`python -m tests.engine.battle_scripts` rewrites our own battles. A script contains the orders and
dice of every turn. The results come from the engine and were checked against the rules by hand.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from engine.battles.document import Effect, as_json
from engine.battles.outcome import Outcome, OutcomeCollector
from engine.battles.replay import final_wizard_states
from engine.battles.resolution import PlayedTurn, resolve_turn
from engine.battles.spell_fates import SpellFates
from engine.battles.words import recorded_being
from engine.events import Controlled, Summoned
from engine.legality.scope import is_acting
from engine.orders import from_fields
from engine.positions.position import DEAD, Position
from engine.rulesets.warlocks import WARLOCKS_1
from engine.start.begin import Duellist, begin

BATTLES_FOLDER = Path(__file__).parent / "battles"
PLAYER_NAMES = ("Ada", "Bram", "Cleo", "Dirk")
Json = dict[str, Any]


OrderFields = dict[str, str]


@dataclass(frozen=True, slots=True)
class BattleScript:
    """The orders and dice of a battle.

    `hands`: for each seat, the gestures of the left and the right hand, one for each turn, or blank
    if the wizard does not act in it. `orders`: all other fields by turn, such as "w0 victim:m0=w1 |
    w1 right_subject=m0". `draws`: the dice by turn, such as "w1 hand L | w1 gesture S".
    """

    name: str
    about: str
    hands: Sequence[tuple[str, str]]
    orders: Mapping[int, str]
    draws: Mapping[int, str] = field(default_factory=dict[int, str])
    options: tuple[str, ...] = ()

    def orders_in_turn(self, turn: int) -> dict[str, OrderFields]:
        """Return the orders of all wizards in that turn, as fields."""
        found: dict[str, OrderFields] = {}
        for seat, (left, right) in enumerate(self.hands):
            if left[turn - 1] != " ":
                found[f"w{seat}"] = {"left": left[turn - 1], "right": right[turn - 1]}
        for part in self.orders.get(turn, "").split(" | "):
            wizard, *words = part.split() or [""]
            for word in words:
                name, _, value = word.partition("=")
                found.setdefault(wizard, {})[name] = value
        return found

    def dice_in_turn(self, turn: int) -> dict[tuple[str, str], str]:
        words = [part.split() for part in self.draws.get(turn, "").split(" | ") if part]
        return {(being, purpose): result for being, purpose, result in words}


def battle_document(script: BattleScript) -> Json:
    """Play the script and return the document of its battle."""
    players = PLAYER_NAMES[: len(script.hands)]
    position = begin(WARLOCKS_1.id, [Duellist(name) for name in players], options=script.options)
    document = DocumentBuilder(script.name, script.about, players, script.options)
    for number in range(1, len(script.hands[0][0]) + 1):
        assert not position.outcome, f"{script.name}: over before turn {number}"
        orders = script.orders_in_turn(number)
        due = {wizard.id for wizard in position.wizards if is_acting(position, wizard)}
        made = {wizard for wizard, fields in orders.items() if "left" in fields}
        assert due == made, f"{script.name}: turn {number} is a turn of {sorted(due)}"
        sealed = {wizard: from_fields(fields) for wizard, fields in orders.items()}
        played = resolve_turn(position, sealed, script.dice_in_turn(number), {})
        document.add_turn(position, orders, played)
        position = played.after
    assert position.outcome, f"{script.name}: unfinished"
    return document.finished_document()


class DocumentBuilder:
    """A document that is being built by adding each turn after it was played."""

    def __init__(
        self, name: str, about: str, players: Sequence[str], options: Sequence[str] = ()
    ) -> None:
        variants = {name: name in options for name in ("parafc", "parafdf", "maladroit")}
        self.head = {"format": 1, "battle": name, "kind": about, "variants": variants}
        self.players = list(players)
        self.turns: list[Json] = []
        self.grid = [{"L": "", "R": ""} for _ in players]
        self.at_end: dict[str, Any] = {}
        self.last: Outcome | None = None

    def add_turn(
        self, before: Position, orders: Mapping[str, OrderFields], played: PlayedTurn
    ) -> None:
        victims = list(_ordered_victims(before, orders, played))
        ordered = {row["m"]: row["at"] for row in victims}
        self.last = outcome = OutcomeCollector(before, played).whole_outcome(ordered)
        self.at_end |= final_wizard_states(before, played)
        self.turns.append(_turn_as_json(before, outcome, orders, victims))
        for cells, shown in zip(self.grid, outcome.grid, strict=True):
            cells["L"] += shown[0]
            cells["R"] += shown[1]

    def finished_document(self) -> Json:
        assert self.last is not None
        final = {
            "wizards": [
                _final_wizard_as_json(self.at_end[f"w{seat}"]) for seat in range(len(self.players))
            ],
            "monsters": [_monster_as_json(monster, final=True) for monster in self.last.monsters],
            "result": self.turns[-1]["result"],
            "grid": self.grid,
        }
        beside = {"players": self.players, "viewer": None, "inferred": []}
        return {**self.head, **beside, "turns": self.turns, "final": final}


def _ordered_victims(
    before: Position, orders: Mapping[str, OrderFields], played: PlayedTurn
) -> Iterator[Json]:
    """Yield the victims in the orders, for monsters that obey the wizard who wrote them."""
    made = SpellFates(played.events)
    masters = {monster.id: monster.controller for monster in before.monsters}
    for event in played.events:
        if isinstance(event, Summoned | Controlled):
            masters[event.monster] = event.controller
    for wizard, fields in orders.items():
        for name, at in fields.items():
            monster = made.being_id(name.removeprefix("victim:"))
            if name.startswith("victim:") and masters.get(monster) == wizard:
                yield {"by": int(wizard[1:]), "m": monster, "at": recorded_being(made.being_id(at))}


def _turn_as_json(
    before: Position,
    outcome: Outcome,
    orders: Mapping[str, Mapping[str, str]],
    victims: Sequence[Json],
) -> Json:
    wills = [{"w": int(w[1:])} for w, fields in orders.items() if "heart" in fields]
    deaths = sorted(outcome.deaths, key=lambda id: (id[0] == "w", -int(id[1:])))
    parts: Json = {
        "forced": _records_as_json(outcome.forced),
        "gestures": [list(row) if row else None for row in outcome.rows],
        "casts": [
            {**_record_as_json(cast), "banked": cast.hand == "bank"} for cast in outcome.casts
        ],
        "banks": [{"w": seat} for seat in outcome.banks],
        "wills": wills,
        "effects": _records_as_json(sorted(outcome.effects, key=_is_harmful)),
        "orders": list(victims),
        "attacks": _records_as_json(outcome.attacks)
        if before.kind == "normal"
        else _records_as_json(attack for attack in outcome.attacks if attack.by[0] == "w"),
        "sick": _records_as_json(outcome.sick),
        "deaths": deaths,
        "out": _records_as_json(outcome.leavings),
        "hp": list(outcome.hit_points),
        "monsters": [_monster_as_json(monster, final=False) for monster in outcome.monsters],
        "result": as_json(outcome.result) if outcome.result is not None else None,
    }
    kept = {key: part for key, part in parts.items() if part or key in ("gestures", "hp")}
    return {"n": before.turn, "type": outcome.kind, **kept}


def _is_harmful(effect: Effect) -> bool:
    """Return whether this effect is harmful, and therefore listed after protective effects."""
    return effect.code in ("hit", "wounds", "blocked", "resists", "spared")


def _record_as_json(record: object) -> Json:
    row: Any = as_json(record)
    return dict(row)


def _records_as_json(records: Any) -> list[Json]:
    return [_record_as_json(record) for record in records]


def _monster_as_json(monster: Any, *, final: bool) -> Json:
    row = _record_as_json(monster)
    row["owner"] = int(row["owner"][1:]) if row["owner"] != "-" else None
    row.pop("kind" if final else "target", None)
    return row


def _final_wizard_as_json(wizard: Any) -> Json:
    return {
        "how": wizard.how,
        "hp": None if wizard.how == DEAD else wizard.hit_points,
        "effects": dict(wizard.status),
        "bank": wizard.bank or None,
    }


def document_text(document: Json) -> str:
    """Return the document as the text of its file, with one turn per line."""
    head = {key: part for key, part in document.items() if key not in ("turns", "final")}
    turns = ",\n".join(f"  {json.dumps(turn)}" for turn in document["turns"])
    opening = json.dumps(head).removesuffix("}")
    return f'{opening},\n "turns": [\n{turns}\n ],\n "final": {json.dumps(document["final"])}}}\n'
