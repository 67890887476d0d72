"""Positions, orders, events and histories to plain JSON values and back, with a version.

`load(dump(x)) == x`. What equals a default is left out, so that positions stay small.
"""

from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields
from typing import Any, Final

from engine.events import BY_CODE, EVENTS, Event
from engine.history import History, Turn
from engine.json_values import InvalidData, a_number, an_object, objects, one_of, strings
from engine.orders import Orders, from_fields
from engine.orders import fields as flat_fields
from engine.position import (
    ALIVE,
    CORPSE,
    EXTRA,
    FOREVER,
    HASTE,
    NORMAL,
    SEATS,
    STANDING,
    STANDINGS,
    BlindCharm,
    Effect,
    Monster,
    PendingCast,
    Position,
    Wizard,
    hand_states,
)
from engine.rulesets import RULESETS
from engine.spellbook import HELD_GUARDS, MONSTER_KINDS, WIZARD_LIMIT

FORMAT: Final = 1
Json = dict[str, Any]


def dump(value: Position | Orders | History | tuple[Event, ...]) -> Json:
    """The value as a JSON object: {"format": 1, "type": …, …}."""
    match value:
        case Position():
            return {"format": FORMAT, "type": "position", **_dump_position(value)}
        case Orders():
            return {"format": FORMAT, "type": "orders", "fields": flat_fields(value)}
        case History():
            turns = [
                {
                    "ordinal": turn.ordinal,
                    "position": _dump_position(turn.position),
                    "events": [_dump_event(event) for event in turn.events],
                }
                for turn in value.turns
            ]
            row = {"turns": turns, "position": _dump_position(value.position)}
            return {"format": FORMAT, "type": "history", **row} | (
                {"is_open": True} if value.is_open else {}
            )
        case tuple():
            events = [_dump_event(event) for event in value]
            return {"format": FORMAT, "type": "events", "events": events}


def load(data: object) -> Position | Orders | History | tuple[Event, ...]:
    """The value that `dump` made this of. Raises InvalidData, naming the place, for all else."""
    row: Json = dict(an_object("data", data))
    if a_number("format", row.get("format")) != FORMAT:
        raise InvalidData("format", f"must be {FORMAT}")
    loaders: dict[str, Callable[[Json], Position | Orders | History | tuple[Event, ...]]] = {
        "position": _load_position,
        "orders": lambda row: from_fields(row["fields"]),
        "history": _load_history,
        "events": _load_events,
    }
    loader = loaders.get(str(row.get("type")))
    if loader is None:
        raise InvalidData("type", f"must be one of {', '.join(loaders)}")
    try:
        return loader(row)
    except InvalidData:
        raise
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        raise InvalidData(str(row["type"]), f"is malformed ({error})") from error


def load_position(data: object) -> Position:
    """The position that this states. Raises InvalidData."""
    value = load(data)
    if not isinstance(value, Position):
        raise InvalidData("type", "must be position")
    return value


def load_events(data: object) -> tuple[Event, ...]:
    """The events that this states. Raises InvalidData."""
    value = load(data)
    if not isinstance(value, tuple):
        raise InvalidData("type", "must be events")
    return value


def _dump_position(position: Position) -> Json:
    row: Json = {
        "ruleset": position.ruleset,
        "turn": position.turn,
        "wizards": [_dump_wizard(wizard) for wizard in position.wizards],
    }
    if position.monsters:
        row["monsters"] = [_dump_monster(monster) for monster in position.monsters]
    if position.created:
        row["created"] = position.created
    if position.options:
        row["options"] = list(position.options)
    if position.kind != NORMAL:
        row["kind"] = position.kind
    if position.stopped:
        row["stopped"] = list(position.stopped)
    if position.outcome:
        row["outcome"] = position.outcome
    if position.left_now:
        row["left_now"] = list(position.left_now)
    if position.was_hasted:
        row["was_hasted"] = True
    if position.pending:
        row["pending"] = [_dump_pending(cast) for cast in position.pending]
    return row


Shape = Mapping[str, type]
_POSITION: Final[Shape] = {
    "ruleset": str, "turn": int, "wizards": list, "monsters": list, "created": int,
    "options": tuple, "kind": str, "stopped": tuple, "outcome": str, "left_now": tuple,
    "pending": list, "was_hasted": bool,
}  # fmt: skip
_WIZARD: Final[Shape] = {
    "name": str, "pronouns": str, "damage": int, "standing": str, "left": str, "right": str,
    "effects": dict, "bank": str, "used_bolt": bool, "made": tuple, "attacker": str,
    "knows": dict, "charming": tuple, "bank_pattern": str, "bank_subject": str, "held": str,
    "lasting": dict, "yielded": bool, "guards": tuple,
}  # fmt: skip
_MONSTER: Final[Shape] = {
    "id": str, "kind": str, "name": str, "controller": str, "damage": int, "state": str,
    "effects": dict, "victim": str, "made": tuple, "lasting": dict, "waiting": dict,
    "keeps_victim": bool, "raised": bool, "guards": tuple,
}  # fmt: skip
_PENDING: Final[Shape] = {
    "wizard": str, "spell": str, "pattern": str, "hand": str, "subject": str, "permanent": bool,
}  # fmt: skip
_EFFECT: Final[Shape] = {
    "first": int, "last": int, "caster": str, "permanent": bool, "hand": str, "letter": str,
    "sets": tuple, "unseen_by": tuple,
}  # fmt: skip


DAMAGES: Final = ("damage", "before", "after")
"""Which may be below nothing: cures can lift a being above its start. rules: W4"""


def _shaped(place: str, value: object, shape: Shape) -> Json:
    """The value as an object whose known keys hold what they must; a tuple is of strings."""
    row: Json = dict(an_object(place, value))
    for key, found in row.items():
        kind = shape.get(key)
        if kind is int:
            a_number(key, found, -WIZARD_LIMIT if key in DAMAGES else 0)
        elif kind is tuple:
            strings(key, found)
        elif type(found) is not kind and kind is not None:
            raise InvalidData(key, f"must be of type {kind.__name__}")
    return row


def _load_position(value: object) -> Position:
    row = _shaped("position", value, _POSITION)
    position = Position.__new__(Position)
    position.ruleset = row["ruleset"]
    if position.ruleset not in RULESETS:
        raise InvalidData("ruleset", f"unknown ruleset {position.ruleset!r}")
    position.options = tuple(row.get("options", ()))
    position.turn = row["turn"]
    position.kind = one_of("kind", row.get("kind", NORMAL), (NORMAL, EXTRA, HASTE))
    position.stopped = tuple(row.get("stopped", ()))
    position.outcome = row.get("outcome", "")
    position.wizards = [
        _load_wizard(position, seat, wizard) for seat, wizard in enumerate(row["wizards"])
    ]
    position.monsters = [_load_monster(monster) for monster in row.get("monsters", ())]
    least = -RULESETS[position.ruleset].surplus
    beings: list[Wizard | Monster] = [*position.wizards, *position.monsters]
    for being in beings:
        a_number("damage", being.damage, least)
    position.created = row.get("created", 0)
    position.left_now = tuple(row.get("left_now", ()))
    position.was_hasted = row.get("was_hasted", False)
    position.pending = tuple(_load_pending(position, cast) for cast in row.get("pending", ()))
    return position


def _dump_pending(cast: PendingCast) -> Json:
    return {name: value for name, value in cast._asdict().items() if value}


def _load_pending(position: Position, value: object) -> PendingCast:
    row = _shaped("pending", value, _PENDING)
    if row["wizard"] not in {wizard.id for wizard in position.wizards}:
        raise InvalidData("pending", f"unknown wizard {row['wizard']!r}")
    return PendingCast(
        row["wizard"],
        row["spell"],
        row["pattern"],
        row["hand"],
        row.get("subject", ""),
        row.get("permanent", False),
    )


def _dump_wizard(wizard: Wizard) -> Json:
    row: Json = {"name": wizard.name, "pronouns": wizard.pronouns, "damage": wizard.damage}
    if wizard.standing != STANDING:
        row["standing"] = wizard.standing
    if wizard.left:
        row["left"] = wizard.left
        row["right"] = wizard.right
    if wizard.effects:
        row["effects"] = _dump_effects(wizard.effects)
    if wizard.bank:
        row["bank"] = wizard.bank
    if wizard.used_bolt:
        row["used_bolt"] = True
    if wizard.made:
        row["made"] = list(wizard.made)
    if wizard.attacker:
        row["attacker"] = wizard.attacker
    if wizard.knows is not None:
        row["knows"] = wizard.knows.copy()
    if wizard.blind_charms:
        row["charming"] = [_dump_blind_charm(charm) for charm in wizard.blind_charms]
    if wizard.bank_pattern:
        row["bank_pattern"] = wizard.bank_pattern
    if wizard.bank_subject:
        row["bank_subject"] = wizard.bank_subject
    if wizard.held:
        row["held"] = wizard.held
    if wizard.lasting:
        row["lasting"] = _dump_effects(wizard.lasting)
    if wizard.yielded:
        row["yielded"] = True
    if wizard.guards:
        row["guards"] = list(wizard.guards)
    return row


def _dump_effects(effects: Mapping[str, Effect]) -> Json:
    return {kind: _dump_effect(effect) for kind, effect in effects.items()}


def _dump_blind_charm(charm: BlindCharm) -> str:
    """As "w1.L", or "+w1.L" where it is for the turn after the next one."""
    return f"{'+' if charm.is_later else ''}{charm.key}"


def _load_blind_charm(text: str) -> BlindCharm:
    subject, _, hand = text.removeprefix("+").partition(".")
    return BlindCharm(
        one_of("charming", subject, tuple(SEATS)),
        one_of("charming", hand, ("L", "R")),
        text.startswith("+"),
    )


def _load_effects(row: Json, name: str) -> dict[str, Effect]:
    effects = row.get(name)
    return {kind: _load_effect(effect) for kind, effect in effects.items()} if effects else {}


def _load_guards(row: Json) -> tuple[str, ...]:
    return tuple(one_of("guards", guard, HELD_GUARDS) for guard in row.get("guards", ()))


def _load_wizard(position: Position, seat: int, value: object) -> Wizard:
    row = _shaped("wizards", value, _WIZARD)
    wizard = Wizard.__new__(Wizard)
    wizard.id = f"w{seat}"
    wizard.seat = seat
    wizard.name = row["name"]
    wizard.pronouns = row["pronouns"]
    wizard.standing = one_of("standing", row.get("standing", STANDING), STANDINGS)
    wizard.damage = row["damage"]
    wizard.left = row.get("left", "")
    wizard.right = row.get("right", "")
    wizard.left_state, wizard.right_state = hand_states(position.rules, wizard.left, wizard.right)
    wizard.effects = _load_effects(row, "effects")
    wizard.bank = row.get("bank", "")
    wizard.used_bolt = row.get("used_bolt", False)
    wizard.made = tuple(row.get("made", ()))
    wizard.attacker = row.get("attacker", "")
    wizard.knows = _load_names(row["knows"]) if "knows" in row else None
    wizard.blind_charms = tuple(_load_blind_charm(text) for text in row.get("charming", ()))
    wizard.bank_pattern = row.get("bank_pattern", "")
    wizard.bank_subject = row.get("bank_subject", "")
    wizard.held = one_of("held", row.get("held", ""), ("", "L", "R"))
    wizard.lasting = _load_effects(row, "lasting")
    wizard.yielded = row.get("yielded", False)
    wizard.guards = _load_guards(row)
    return wizard


def _dump_monster(monster: Monster) -> Json:
    row: Json = {"id": monster.id, "kind": monster.kind, "name": monster.name}
    if monster.controller:
        row["controller"] = monster.controller
    if monster.damage:
        row["damage"] = monster.damage
    if monster.state != ALIVE:
        row["state"] = monster.state
    if monster.effects:
        row["effects"] = _dump_effects(monster.effects)
    if monster.victim:
        row["victim"] = monster.victim
    if monster.made:
        row["made"] = list(monster.made)
    if monster.lasting:
        row["lasting"] = _dump_effects(monster.lasting)
    if monster.waiting:
        row["waiting"] = _dump_effects(monster.waiting)
    if monster.keeps_victim:
        row["keeps_victim"] = True
    if monster.raised:
        row["raised"] = True
    if monster.guards:
        row["guards"] = list(monster.guards)
    return row


def _load_names(row: Json) -> dict[str, str]:
    strings("knows", [*row.values()])
    return dict(row)


def _load_monster(value: object) -> Monster:
    row = _shaped("monsters", value, _MONSTER)
    monster = Monster.__new__(Monster)
    monster.id = row["id"]
    monster.kind = row["kind"]
    if monster.kind not in MONSTER_KINDS:
        raise InvalidData("kind", f"unknown kind of monster {monster.kind!r}")
    monster.name = row["name"]
    monster.controller = row.get("controller", "")
    monster.damage = row.get("damage", 0)
    monster.state = one_of("state", row.get("state", ALIVE), (ALIVE, CORPSE))
    monster.effects = _load_effects(row, "effects")
    monster.victim = row.get("victim", "")
    monster.made = tuple(row.get("made", ()))
    monster.lasting = _load_effects(row, "lasting")
    monster.waiting = _load_effects(row, "waiting")
    monster.keeps_victim = row.get("keeps_victim", False)
    monster.raised = row.get("raised", False)
    monster.guards = _load_guards(row)
    return monster


def _dump_effect(effect: Effect) -> Json:
    row: Json = {"first": effect.first}
    if effect.last != FOREVER:
        row["last"] = effect.last
    if effect.caster:
        row["caster"] = effect.caster
    if effect.permanent:
        row["permanent"] = True
    if effect.hand:
        row["hand"] = effect.hand
    if effect.letter:
        row["letter"] = effect.letter
    if effect.sets:
        row["sets"] = list(effect.sets)
    if effect.unseen_by:
        row["unseen_by"] = list(effect.unseen_by)
    return row


def _load_effect(value: object) -> Effect:
    row = _shaped("effects", value, _EFFECT)
    return Effect(
        row["first"],
        row.get("last", FOREVER),
        row.get("caster", ""),
        row.get("permanent", False),
        row.get("hand", ""),
        row.get("letter", ""),
        tuple(row.get("sets", ())),
        tuple(row.get("unseen_by", ())),
    )


_FIELDS: Final = {
    event.code: tuple(
        (field.name, () if field.default == () else field.default) for field in fields(event)
    )
    for event in EVENTS
}

_TUPLES: Final = frozenset({"spells", "instead_of", "wizards"})
"""The fields of events that hold several values."""

_EVENTS: Final[Mapping[str, Shape]] = {
    event.code: {
        field.name: field.type if isinstance(field.type, type) else tuple for field in fields(event)
    }
    for event in EVENTS
}


def _dump_event(event: Event) -> Json:
    row: Json = {"code": event.code}
    for name, default in _FIELDS[event.code]:
        value = getattr(event, name)
        if value != default:
            row[name] = [*value] if name in _TUPLES else value
    return row


def _load_events(row: Json) -> tuple[Event, ...]:
    return tuple(_load_event(event) for event in objects("events", row["events"]))


def _load_event(value: Mapping[str, object]) -> Event:
    code = value["code"]
    if not isinstance(code, str) or code not in BY_CODE:
        raise InvalidData("events", f"unknown event {code!r}")
    row = _shaped("events", value, _EVENTS[code])
    values: dict[str, Any] = {}
    for name, default in _FIELDS[code]:
        if name in row:
            value = row[name]
            values[name] = (*value,) if name in _TUPLES else value
        elif default is MISSING:
            raise InvalidData(f"events.{code}", f"{name} is missing")
    return BY_CODE[code](**values)


def _load_history(row: Json) -> History:
    turns = tuple(
        Turn(
            a_number("ordinal", turn["ordinal"], 1),
            _load_position(turn["position"]),
            _load_events(dict(turn)),
        )
        for turn in objects("turns", row["turns"])
    )
    return History(turns, _load_position(row["position"]), row.get("is_open", False) is True)
