"""Reader of battles from JSON. Malformed values are rejected with their place and the reason.

docs/BATTLES.md describes the format.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, TypeVar

from engine.battles import document, words
from engine.battles.document import FinalState as FinalState
from engine.ids import SEATS, wizard_id
from engine.json_values import (
    InvalidData,
    check_keys,
    parse_bool,
    parse_choice,
    parse_int,
    parse_list,
    parse_object,
    parse_objects,
    parse_string,
    parse_strings,
)
from engine.start.begin import MAX_WIZARDS, MIN_WIZARDS

BATTLE_FORMAT: Final = 1
PERMANENT: Final = "permanent"
ATTACK_OUTCOMES: Final = ("hit", "shield", "unseen", "missing", "paralysed", "ordered_none", "none")

_OPTION_BY_VARIANT: Final = {"parafc": "parafc", "maladroit": "maladroit"}
"""Names of the supported house variants, mapped to the names of duel options."""
_UNSUPPORTED_VARIANT: Final = "parafdf"

_BATTLE_KEYS: Final = (
    "format", "battle", "kind", "variants", "players", "viewer", "inferred", "turns", "final",
)  # fmt: skip
_TURN_KEYS: Final = (
    "n", "type", "forced", "gestures", "casts", "banks", "wills", "effects", "orders", "attacks",
    "sick", "deaths", "out", "hp", "monsters", "result",
)  # fmt: skip
_EFFECT_KEYS: Final = ("e", "on", "what", "by", "m", "kind", "for", "dmg", "n", "by_hp")
_KEYS_REQUIRED_BY_EFFECT: Final[Mapping[str, tuple[str, ...]]] = {
    "created": ("m", "kind", "for"),
    "hit": ("on", "what", "dmg"),
    "wounds": ("on",),
    "blocked": ("on", "what"),
    "countered": ("on", "what"),
    "nobody": ("what",),
    "reflected": ("on",),
    "resists": ("on", "what"),
    "spared": ("on", "what"),
    "heal": ("on",),
}
"""Keys that an effect needs in addition to its code, by that code."""

Read = TypeVar("Read")


def parse_battle(value: object) -> document.Battle:
    """Return the battle in this JSON value. Raises InvalidData, which names the faulty place."""
    row = parse_object("battle", value)
    if row.get("format") != BATTLE_FORMAT:
        raise InvalidData("format", f"must be {BATTLE_FORMAT}")
    check_keys("battle", row, _BATTLE_KEYS)
    players = parse_strings("players", row.get("players"))
    if not MIN_WIZARDS <= len(players) <= MAX_WIZARDS:
        raise InvalidData("players", f"a battle has {MIN_WIZARDS} to {MAX_WIZARDS} wizards")
    return _BattleReader(players).read_battle(row)


class _BattleReader:
    """Reader of one battle's values. `seats` is its number of wizards."""

    def __init__(self, players: tuple[str, ...]) -> None:
        self.players = players
        self.seats = len(players)

    def read_battle(self, row: Mapping[str, object]) -> document.Battle:
        if row.get("viewer") is not None:
            self.read_seat("viewer", row["viewer"])
        if "kind" in row:
            parse_string("kind", row["kind"])
        options = tuple(_required_options(row.get("variants")))
        inferred = self.read_inferred_gestures(row.get("inferred", ()))
        turns = tuple(
            self.read_turn(f"turns[{number}]", number + 1, turn)
            for number, turn in enumerate(parse_objects("turns", row.get("turns")))
        )
        if not turns:
            raise InvalidData("turns", "there is none")
        for number, turn in enumerate(turns[:-1]):
            if turn.result is not None:
                raise InvalidData(f"turns[{number}].result", "is only recorded for the last turn")
        final = self.read_final_state(row.get("final"), len(turns))
        if turns[-1].result != final.result:
            raise InvalidData("final.result", "must be the result of the last turn")
        return document.Battle(
            parse_string("battle", row.get("battle")), options, self.players, inferred, turns, final
        )

    # Turns

    def read_turn(self, place: str, number: int, row: Mapping[str, object]) -> document.Turn:
        check_keys(place, row, _TURN_KEYS)
        if row.get("n") != number:
            raise InvalidData(f"{place}.n", f"must be {number}: turns are numbered one by one")

        def read_each(
            key: str, read: Callable[[str, Mapping[str, object]], Read]
        ) -> tuple[Read, ...]:
            rows = parse_objects(f"{place}.{key}", row.get(key, ()))
            return tuple(read(f"{place}.{key}[{n}]", one) for n, one in enumerate(rows))

        rows = self.read_gesture_rows(f"{place}.gestures", row.get("gestures"))
        forced = read_each("forced", self.read_forced_hand)
        for one in forced:
            if one.by == "confusion" and not rows[one.wizard]:
                raise InvalidData(
                    f"{place}.gestures[{one.wizard}]", "a confused wizard needs a set"
                )
        return document.Turn(
            number,
            parse_choice(f"{place}.type", row.get("type"), tuple(words.TURN_KIND_WORDS.values())),
            rows,
            forced,
            read_each("casts", self.read_cast),
            read_each("banks", self.read_wizard_seat),
            read_each("wills", self.read_wizard_seat),
            read_each("effects", self.read_effect),
            read_each("orders", self.read_monster_order),
            read_each("attacks", self.read_attack),
            read_each("sick", self.read_sickness),
            tuple(self.read_beings(f"{place}.deaths", row.get("deaths", ()))),
            read_each("out", self.read_departure),
            tuple(self.read_hit_points(f"{place}.hp", row.get("hp"))),
            read_each("monsters", self.read_living_monster),
            None if "result" not in row else self.read_result(f"{place}.result", row["result"]),
        )

    def read_gesture_rows(self, place: str, value: object) -> tuple[str, ...]:
        rows = self.read_value_per_seat(place, value)
        return tuple(
            "" if row is None else _read_gestures(f"{place}[{seat}]", row)
            for seat, row in enumerate(rows)
        )

    def read_forced_hand(self, place: str, row: Mapping[str, object]) -> document.ForcedSet:
        check_keys(place, row, ("w", "by", "hand", "same"))
        return document.ForcedSet(
            self.read_seat(f"{place}.w", row.get("w")),
            parse_choice(f"{place}.by", row.get("by"), words.MIND_SPELLS),
            parse_choice(f"{place}.hand", row["hand"], ("L", "R"))
            if row.get("hand") is not None
            else "",
            parse_bool(f"{place}.same", row.get("same", False)),
        )

    def read_cast(self, place: str, row: Mapping[str, object]) -> document.Cast:
        check_keys(place, row, ("by", "spell", "at", "hand", "banked"))
        hand = parse_choice(f"{place}.hand", row.get("hand"), tuple(words.HAND_WORDS.values()))
        if parse_bool(f"{place}.banked", row.get("banked", False)) != (hand == "bank"):
            raise InvalidData(
                f"{place}.banked", "must be true for released spells and for no others"
            )
        return document.Cast(
            self.read_seat(f"{place}.by", row.get("by")),
            _read_spell(f"{place}.spell", row.get("spell")),
            self.read_being(f"{place}.at", row.get("at")),
            hand,
        )

    def read_wizard_seat(self, place: str, row: Mapping[str, object]) -> int:
        check_keys(place, row, ("w",))
        return self.read_seat(f"{place}.w", row.get("w"))

    def read_effect(self, place: str, row: Mapping[str, object]) -> document.Effect:
        check_keys(place, row, _EFFECT_KEYS)
        code = parse_string(f"{place}.e", row.get("e"))
        kind = ""
        if row.get("kind") is not None:
            kind = parse_choice(f"{place}.kind", row["kind"], words.WARLOCKS_MONSTERS)
        for key in _KEYS_REQUIRED_BY_EFFECT.get(
            code, ("on",) if code in words.WARLOCKS_SPELL_IDS and "what" not in row else ()
        ):
            is_there = key in row if key == "dmg" else row.get(key) is not None
            is_nobodys = (code, key) == (
                "created",
                "for",
            ) and kind in words.WORD_FOR_ELEMENTAL_STRIKE
            if not is_there and not is_nobodys and (code, key) != ("dispel_magic", "on"):
                raise InvalidData(f"{place}.{key}", f"is missing; {code} needs it")
        amount = "dmg" if "dmg" in row else "n"
        parse_bool(f"{place}.by_hp", row.get("by_hp", False))
        return document.Effect(
            code,
            self.read_optional_being(f"{place}.on", row.get("on")),
            "" if row.get("what") is None else parse_string(f"{place}.what", row["what"]),
            self.read_optional_being(f"{place}.by", row.get("by")),
            self.read_optional_being(f"{place}.m", row.get("m")),
            kind,
            self.read_optional_being(f"{place}.for", row.get("for"))
            or (words.NO_BEING if code == "created" else ""),
            None if row.get(amount) is None else parse_int(f"{place}.{amount}", row[amount]),
        )

    def read_monster_order(self, place: str, row: Mapping[str, object]) -> document.MonsterOrder:
        check_keys(place, row, ("by", "m", "at"))
        return document.MonsterOrder(
            self.read_seat(f"{place}.by", row.get("by")),
            self.read_being(f"{place}.m", row.get("m")),
            self.read_being(f"{place}.at", row.get("at")),
        )

    def read_attack(self, place: str, row: Mapping[str, object]) -> document.Attack:
        check_keys(place, row, ("by", "at", "out", "dmg", "burst", "uncounted"))
        out = parse_choice(f"{place}.out", row.get("out"), ATTACK_OUTCOMES)
        if (out == "hit") != ("dmg" in row):
            raise InvalidData(f"{place}.dmg", "must be recorded for hits and for nothing else")
        return document.Attack(
            self.read_being(f"{place}.by", row.get("by")),
            out,
            self.read_optional_being(f"{place}.at", row.get("at")),
            parse_int(f"{place}.dmg", row["dmg"]) if "dmg" in row else None,
            parse_bool(f"{place}.burst", row.get("burst", False)),
            parse_bool(f"{place}.uncounted", row.get("uncounted", False)),
        )

    def read_sickness(self, place: str, row: Mapping[str, object]) -> document.Illness:
        check_keys(place, row, ("w", "left"))
        left = parse_int(f"{place}.left", row.get("left"), -1)
        return document.Illness(self.read_seat(f"{place}.w", row.get("w")), left)

    def read_departure(self, place: str, row: Mapping[str, object]) -> document.DepartedWizard:
        check_keys(place, row, ("w", "how"))
        how = parse_choice(f"{place}.how", row.get("how"), words.FINAL_STANDINGS[1:])
        return document.DepartedWizard(self.read_seat(f"{place}.w", row.get("w")), how)

    def read_hit_points(self, place: str, value: object) -> Iterator[int | None]:
        for seat, points in enumerate(self.read_value_per_seat(place, value)):
            # A wizard's hit points can fall far below 0.
            yield None if points is None else parse_int(f"{place}[{seat}]", points, -(10**6))

    def read_living_monster(self, place: str, row: Mapping[str, object]) -> document.LivingMonster:
        check_keys(place, row, ("id", "kind", "owner", "hp", "target"))
        owner = row.get("owner")
        return document.LivingMonster(
            self.read_being(f"{place}.id", row.get("id")),
            parse_int(f"{place}.hp", row.get("hp"), 1),
            words.NO_BEING
            if owner in (None, words.NO_BEING)
            else wizard_id(self.read_seat(f"{place}.owner", owner)),
            parse_choice(f"{place}.kind", row["kind"], words.WARLOCKS_MONSTERS)
            if "kind" in row
            else "",
            self.read_optional_being(f"{place}.target", row.get("target")),
        )

    def read_result(self, place: str, value: object) -> document.BattleResult:
        row = parse_object(place, value)
        check_keys(place, row, ("winner",))
        if "winner" not in row:
            raise InvalidData(f"{place}.winner", "must be a seat, or null for a draw")
        winner = row["winner"]
        return document.BattleResult(
            None if winner is None else self.read_seat(f"{place}.winner", winner)
        )

    # The rest of the record

    def read_inferred_gestures(self, value: object) -> dict[tuple[int, int], str]:
        found: dict[tuple[int, int], str] = {}
        for number, row in enumerate(parse_objects("inferred", value)):
            place = f"inferred[{number}]"
            check_keys(place, row, ("w", "n", "row"))
            seat = self.read_seat(f"{place}.w", row.get("w"))
            turn = parse_int(f"{place}.n", row.get("n"), 1)
            found[seat, turn] = _read_gestures(f"{place}.row", row.get("row"))
        return found

    def read_final_state(self, value: object, turns: int) -> FinalState:
        row = parse_object("final", value)
        check_keys("final", row, ("wizards", "monsters", "result", "grid"))
        wizards = self.read_value_per_seat("final.wizards", row.get("wizards"))
        grid = self.read_value_per_seat("final.grid", row.get("grid"))
        return FinalState(
            tuple(_read_final_wizard(f"final.wizards[{n}]", one) for n, one in enumerate(wizards)),
            tuple(
                self.read_living_monster(f"final.monsters[{number}]", one)
                for number, one in enumerate(parse_objects("final.monsters", row.get("monsters")))
            ),
            self.read_result("final.result", row.get("result")),
            tuple(_read_final_grid(f"final.grid[{n}]", one, turns) for n, one in enumerate(grid)),
        )

    # Words

    def read_value_per_seat(self, place: str, value: object) -> Sequence[object]:
        rows = parse_list(place, value)
        if len(rows) != self.seats:
            raise InvalidData(place, f"must have {self.seats} entries, one for each seat")
        return rows

    def read_seat(self, place: str, value: object) -> int:
        seat = parse_int(place, value)
        if seat >= self.seats:
            raise InvalidData(place, f"there is no seat {seat}")
        return seat

    def read_being(self, place: str, value: object) -> str:
        word = parse_string(place, value)
        found = words.BEING_PATTERN.fullmatch(word)
        if found is None:
            raise InvalidData(place, "must be a being: w0, m0, LH:w0, RH:w0 or -")
        wizard = found["wizard"]
        if wizard and SEATS[wizard] >= self.seats:
            raise InvalidData(place, f"there is no wizard {wizard}")
        return word

    def read_optional_being(self, place: str, value: object) -> str:
        """Return the being, or "" if none is stated."""
        return "" if value is None else self.read_being(place, value)

    def read_beings(self, place: str, value: object) -> Iterator[str]:
        for number, one in enumerate(parse_list(place, value)):
            yield self.read_being(f"{place}[{number}]", one)


def _required_options(value: object) -> Iterator[str]:
    """Yield the duel options that these variants require."""
    row = parse_object("variants", value)
    check_keys("variants", row, (*_OPTION_BY_VARIANT, _UNSUPPORTED_VARIANT))
    for key, played in row.items():
        if parse_bool(f"variants.{key}", played):
            if key == _UNSUPPORTED_VARIANT:
                raise InvalidData(f"variants.{key}", "is a variant that is not played here")
            yield _OPTION_BY_VARIANT[key]


def _read_spell(place: str, value: object) -> str:
    if not isinstance(value, str) or value not in words.WARLOCKS_SPELL_IDS:
        raise InvalidData(place, f"unknown spell {value!r}")
    return value


def _read_gestures(place: str, value: object) -> str:
    letters = parse_strings(place, value)
    if len(letters) != 2 or any(
        len(each) != 1 or each not in words.RECORDED_LETTERS for each in letters
    ):
        raise InvalidData(
            place, f"must be two of {' '.join(words.RECORDED_LETTERS)}, left hand first"
        )
    return "".join(letters)


def _read_final_wizard(place: str, value: object) -> document.FinalWizard:
    row = parse_object(place, value)
    check_keys(place, row, ("how", "hp", "effects", "bank"))
    status = parse_object(f"{place}.effects", row.get("effects"))
    check_keys(f"{place}.effects", status, tuple(words.STATUS_WORDS.values()))
    for word, left in status.items():
        if left != PERMANENT:
            parse_int(f"{place}.effects.{word}", left)
    points, bank = row.get("hp"), row.get("bank")
    return document.FinalWizard(
        parse_choice(f"{place}.how", row.get("how"), words.FINAL_STANDINGS),
        None if points is None else parse_int(f"{place}.hp", points, -(10**6)),
        status,
        "" if bank is None else _read_spell(f"{place}.bank", bank),
    )


def _read_final_grid(place: str, value: object, turns: int) -> tuple[str, str]:
    row = parse_object(place, value)
    check_keys(place, row, ("L", "R"))
    hands: list[str] = []
    for hand in ("L", "R"):
        letters = parse_string(f"{place}.{hand}", row.get(hand))
        if len(letters) < turns or any(
            each not in words.RECORDED_LETTERS + words.BLANK_LETTER for each in letters
        ):
            cells = " ".join(words.RECORDED_LETTERS)
            text = f"must be {turns} characters, one for each turn: {cells} or a blank"
            raise InvalidData(f"{place}.{hand}", text)
        hands.append(letters)
    return hands[0], hands[1]
