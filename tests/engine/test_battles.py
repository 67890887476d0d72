"""Tests that our own battles (docs/BATTLES.md) replay exactly, but altered battles do not."""

import copy
import json
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.battles import parse_battle, replay_and_compare
from engine.battles.resolution import resolve_by_phase
from engine.cli.main import main
from engine.json_values import InvalidData
from engine.orders import fields
from tests import daily
from tests.engine.battle_scripts import SCRIPTS
from tests.engine.battle_writer import (
    BATTLES_FOLDER,
    BattleScript,
    DocumentBuilder,
    battle_document,
    document_text,
)
from tests.engine.random_duels import WIZARD_NAMES, random_duel

Json = dict[str, Any]
DocumentPath = tuple[str | int, ...]
ROOT = Path(__file__).parent.parent.parent
BATTLE_FILES = sorted(BATTLES_FOLDER.glob("*.json"))
BATTLES: dict[str, Json] = {path.stem: json.loads(path.read_text()) for path in BATTLE_FILES}
CHANGES_PER_KIND = 60  # changes of each kind; a third of them is tested each day


def differing_fields(document: Json) -> list[tuple[int, str]]:
    """Return the turn and field of each value that is different in the replay."""
    found = replay_and_compare(parse_battle(document))
    return [(one.turn, one.field) for one in found if not one.agrees]


def value_at_path(document: Json, path: DocumentPath) -> Any:
    part: Any = document
    for key in path:
        part = part[key]
    return part


def with_value_at(document: Json, path: DocumentPath, to: object) -> Json:
    """Return the document with another value at this path."""
    new = copy.deepcopy(document)
    value_at_path(new, path[:-1])[path[-1]] = to
    return new


def test_our_own_battles_replay_without_mismatches(capsys) -> None:
    assert main(["battles", *map(str, BATTLE_FILES)]) == 0
    line = capsys.readouterr().out
    turns = sum(len(document["turns"]) for document in BATTLES.values())
    assert re.fullmatch(
        rf"battles {len(BATTLE_FILES)} turns {turns} compared \d+ mismatches 0\n", line
    )
    page = (ROOT / "docs" / "BATTLES.md").read_text(encoding="utf-8")
    assert f"    {line}" in page
    assert all(f"| `{name}` |" in page for name in BATTLES)


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.name)
def test_battle_file_matches_its_script(script) -> None:
    assert (BATTLES_FOLDER / f"{script.name}.json").read_text() == document_text(
        battle_document(script)
    )


@pytest.mark.parametrize("seed", range(24))
def test_random_battle_replays_from_its_document(seed: int) -> None:
    """The battles have two to four wizards, and any combination of the two variants."""
    options = ((), ("parafc",), ("maladroit",), ("parafc", "maladroit"))[seed % 4]
    document = random_battle(random.Random(seed), 2 + seed % 3, options)
    assert differing_fields(document) == []


def random_battle(dice: random.Random, wizards: int, options: tuple[str, ...]) -> Json:
    """Return the document of a random battle."""
    document = DocumentBuilder("chance", "by chance", WIZARD_NAMES[:wizards], options)
    duel = random_duel(
        dice, wizards=wizards, turns=200, ruleset="warlocks-1", options=options, surrendering=0.01
    )
    for step in duel:
        sealed = {wizard: fields(orders) for wizard, orders in step.orders.items()}
        document.add_turn(
            step.position, sealed, resolve_by_phase(step.position, step.orders, step.dice, {})
        )
    return document.finished_document()


# Differences that the replay must notice


def paths_of_entries(document: Json, key: str) -> list[DocumentPath]:
    """Return the paths of all entries in these lists."""
    return [
        ("turns", n, key, m)
        for n, turn in enumerate(document["turns"])
        for m in range(len(turn.get(key, ())))
    ]


def change_letter(document: Json, dice: random.Random) -> Json:
    rows = [
        ("turns", n, "gestures", seat)
        for n, turn in enumerate(document["turns"])
        for seat, row in enumerate(turn["gestures"])
        if row
    ]
    way = (*dice.choice(rows), dice.randrange(2))
    letters = [letter for letter in "CDFPSW>-" if letter != value_at_path(document, way)]
    return with_value_at(document, way, dice.choice(letters))


def removal_from_list(key: str) -> Callable[[Json, random.Random], Json]:
    def change(document: Json, dice: random.Random) -> Json:
        new = copy.deepcopy(document)
        *way, number = dice.choice(paths_of_entries(document, key))
        del value_at_path(new, tuple(way))[number]
        return new

    return change


def remove_effect(document: Json, dice: random.Random) -> Json:
    """Remove one effect that every record must list."""
    new = copy.deepcopy(document)
    ways = [
        way
        for way in paths_of_entries(document, "effects")
        if is_always_reported(value_at_path(document, way))
    ]
    *way, number = dice.choice(ways)
    del value_at_path(new, tuple(way))[number]
    return new


def is_always_reported(effect: Json) -> bool:
    stopped = effect["e"] in ("blocked", "resists") and "elemental" in effect["what"]
    return not stopped and not (effect["e"] == "destroyed" and "elemental" in effect["what"])


def change_attack(document: Json, dice: random.Random) -> Json:
    blows = [
        way for way in paths_of_entries(document, "attacks") if "at" in value_at_path(document, way)
    ]
    way = dice.choice(blows)
    attack = dict(value_at_path(document, way))
    if attack["out"] == "hit":
        attack["out"] = "shield"
        del attack["dmg"]
    else:
        attack |= {"out": "hit", "dmg": 1}
    return with_value_at(document, way, attack)


def change_order(document: Json, dice: random.Random) -> Json:
    way = dice.choice(paths_of_entries(document, "orders"))
    at = "w0" if value_at_path(document, way)["at"] == "-" else "-"
    return with_value_at(document, (*way, "at"), at)


def change_hit_points(document: Json, dice: random.Random) -> Json:
    way: DocumentPath = ("turns", dice.randrange(len(document["turns"])), "hp", 0)
    return with_value_at(document, way, (value_at_path(document, way) or 0) + dice.choice((-1, 1)))


CHANGE_BY_KIND: dict[str, tuple[Callable[[Json, random.Random], Json], str]] = {
    "a letter": (change_letter, "gestures"),
    "a cast": (removal_from_list("casts"), "casts"),
    "an effect": (remove_effect, "effects"),
    "an attack": (change_attack, "attacks"),
    "a missing attack": (removal_from_list("attacks"), "attacks"),
    "a death": (removal_from_list("deaths"), "deaths"),
    "an order": (change_order, "orders"),
    "hit points": (change_hit_points, "hp"),
}


@pytest.mark.parametrize("what", CHANGE_BY_KIND)
def test_replay_notices_changed_battle(what: str) -> None:
    change, needed = CHANGE_BY_KIND[what]
    having = [d for d in BATTLES.values() if needed == "gestures" or paths_of_entries(d, needed)]
    having = list(BATTLES.values()) if needed == "hp" else having
    unnoticed = []
    for number in daily.sample(range(CHANGES_PER_KIND), 3, what):
        dice = random.Random(f"{what} {number}")
        if not differing_fields(change(dice.choice(having), dice)):
            unnoticed.append(number)
    assert len(unnoticed) <= 1, unnoticed  # one change may have no effect


def test_missing_or_unknown_optional_details_are_not_a_mismatch() -> None:
    """Records may omit an elemental's attack on a shield, or the subject of an elemental."""
    document = copy.deepcopy(BATTLES["elementals"])
    for turn in document["turns"]:
        told = turn.get("effects", ())
        kept = [e for e in told if e["e"] not in ("blocked", "resists") or "elem" not in e["what"]]
        if told:
            turn["effects"] = kept
        for effect in kept:
            if effect.get("for") == "-":
                effect["for"] = None
            if effect["e"] == "nobody":
                effect["what"] = "luck"
    assert document != BATTLES["elementals"]
    assert differing_fields(document) == []


def test_records_may_list_cures_and_dispelled_monsters_in_several_ways() -> None:
    document = BATTLES["dispelled"]
    heals = [
        way
        for way in paths_of_entries(document, "effects")
        if value_at_path(document, way)["e"] == "heal"
    ]
    assert len(heals) == 2
    changes: list[tuple[DocumentPath, object]] = [((*way, "n"), 0) for way in heals]
    told = document["turns"][7]["effects"]
    for cause in ("dispel_magic", ""):
        destroyed = {"e": "destroyed", "on": "m0", "what": cause}
        changes.append((("turns", 7, "effects"), [*told, destroyed]))
    for way, value in changes:
        assert differing_fields(with_value_at(document, way, value)) == []
    untrue = {"e": "destroyed", "on": "m0", "what": "fireball"}
    wrong = with_value_at(document, ("turns", 7, "effects"), [*told, untrue])
    assert differing_fields(wrong) == [(8, "effects[2]")]
    assert differing_fields(with_value_at(document, (*heals[0], "n"), 2))[0] == (4, "effects[0]")


def test_command_prints_the_first_mismatch_of_each_battle_in_one_line(
    tmp_path: Path, capsys
) -> None:
    document = BATTLES["goblins"]
    hurt = with_value_at(document, ("turns", 2, "hp", 0), 9)
    hurt = with_value_at(hurt, ("turns", 3, "attacks", 1, "at"), "w1")
    paths = [tmp_path / name for name in ("one.json", "two.json")]
    for path in paths:
        path.write_text(document_text(hurt), encoding="utf-8")
    assert main(["battles", *map(str, paths)]) == 1
    *lines, last = capsys.readouterr().out.splitlines()
    assert lines == ["goblins turn 3 hp[0]: expected 9, got 14"] * 2
    assert last.endswith(" mismatches 4")
    assert main(["battles", str(paths[0]), "--limit", "9"]) == 1
    assert capsys.readouterr().out.splitlines()[1] == (
        'goblins turn 4 attacks[1]: expected {"by": "m1", "out": "shield", "at": "w1"}, '
        'got {"by": "m1", "out": "shield", "at": "w0"}'
    )


def test_battle_that_continues_after_its_end_is_a_mismatch() -> None:
    document = copy.deepcopy(BATTLES["goblins"])
    last = document["turns"].pop()
    again = {**document["turns"][-1], "n": 6, "result": last["result"]}
    document["turns"] += [{k: v for k, v in last.items() if k != "result"}, again]
    for hands in document["final"]["grid"]:
        hands |= {"L": hands["L"] + " ", "R": hands["R"] + " "}
    assert (6, "type") in differing_fields(document)


def test_replay_ends_at_a_turn_of_the_wrong_kind() -> None:
    document = with_value_at(BATTLES["goblins"], ("turns", 1, "type"), "haste")
    assert differing_fields(document) == [(2, "type")]


def test_orders_that_break_a_rule_are_a_mismatch() -> None:
    document = with_value_at(
        BATTLES["goblins"], ("turns", 3, "orders"), [{"by": 0, "m": "m2", "at": "w1"}]
    )
    assert differing_fields(document) == [(4, "orders")]


def test_permanent_spell_without_a_cast_is_a_mismatch() -> None:
    document = copy.deepcopy(BATTLES["heart"])
    del document["turns"][7]["casts"]
    assert {(8, "casts[0]"), (8, "effects[0]")} <= set(differing_fields(document))


def test_set_that_a_held_hand_cannot_make_is_a_mismatch() -> None:
    """rules: W18"""
    document = with_value_at(BATTLES["heart"], ("turns", 4, "gestures", 1, 0), "W")
    assert differing_fields(document) == [(5, "gestures[1]")]


# Differences that the record itself explains


def test_spells_of_inferred_gestures_need_not_be_listed() -> None:
    """rules: W33"""
    document = copy.deepcopy(BATTLES["goblins"])
    turn = document["turns"][3]
    document["inferred"] = [{"w": 0, "n": 4, "row": turn["gestures"][0]}]
    turn["gestures"][0] = ["?", "?"]
    del turn["casts"]
    for hand in ("L", "R"):
        letters = document["final"]["grid"][0][hand]
        document["final"]["grid"][0][hand] = letters[:3] + "?" + letters[4:]
    assert differing_fields(document) == []
    del document["inferred"]
    assert (4, "effects[0]") in differing_fields(document)


def test_hit_marked_as_uncounted_deals_no_damage() -> None:
    document = copy.deepcopy(BATTLES["goblins"])
    document["turns"][2]["attacks"][0]["uncounted"] = True
    assert (3, "hp[1]") in differing_fields(document)
    for turn in document["turns"][2:]:
        turn["hp"][1] += 1
    document["final"]["wizards"][1]["hp"] += 1
    assert differing_fields(document) == []


def test_hit_marked_as_uncounted_does_not_kill() -> None:
    document = copy.deepcopy(BATTLES["goblins"])
    document["turns"][2]["attacks"][2]["uncounted"] = True
    assert differing_fields(document)[0] == (3, "deaths[0]")


def test_turn_in_which_one_wizard_makes_no_gestures_is_an_extra_turn() -> None:
    """In an extra turn, no effect runs down and no monster attacks. rules: W10"""
    document = copy.deepcopy(BATTLES["goblins"])
    quiet = {"n": 5, "type": "normal", "gestures": [None, ["-", "-"]], "hp": [14, 14]}
    quiet["monsters"] = document["turns"][3]["monsters"]
    document["turns"].insert(4, quiet)
    document["turns"][5]["n"] = 6
    for seat, hands in enumerate(document["final"]["grid"]):
        for hand in ("L", "R"):
            hands[hand] = hands[hand][:4] + (" ", "-")[seat] + hands[hand][4:]
    assert differing_fields(document) == []


# Details that records can report in several ways

FINGER_OF_DEATH_GESTURES = "PWPFSSSD"
POISON_GESTURES = "DWWFWD"


def document_of_battle(hands: list[tuple[str, str]], orders: dict[int, str] | None = None) -> Json:
    """Return the document of a battle with these gestures and orders."""
    return battle_document(BattleScript("open", "what records leave open", hands, orders or {}))


def with_effects(document: Json, turn: int, effects: list[Json]) -> Json:
    return with_value_at(document, ("turns", turn - 1, "effects"), effects)


def with_illness(document: Json, turn: int, left: int, status: int) -> Json:
    """Return the document with these turns left of Bram's illness, in this turn and at the end."""
    new = copy.deepcopy(document)
    new["turns"][turn - 1]["sick"] = [{"w": 1, "left": left}] if left else []
    new["final"]["wizards"][1]["effects"] = {"poison": status} if status else {}
    return new


def test_illness_of_a_wizard_who_leaves_keeps_its_last_reported_turns() -> None:
    """The turn in which the wizard leaves counts only if the record reports the illness in it."""
    idle, poison = "---------", f"{POISON_GESTURES}---"
    surrender = document_of_battle([(idle, poison), ("--------P", "--------P")])
    death = document_of_battle(
        [
            (f"{idle}P", f"{poison}P"),
            (f"{idle} ", f"{idle} "),
            (f"-{FINGER_OF_DEATH_GESTURES}-", f"{idle}-"),
        ],
        {6: "w0 right_subject=w1", 9: "w2 left_subject=w1"},
    )
    assert death["turns"][8]["out"] == [{"w": 1, "how": "dead"}]
    for document in (surrender, death):
        for report, status, agrees in ((0, 4, True), (3, 3, True), (0, 3, False), (3, 4, False)):
            new = with_illness(document, 9, report, status)
            assert (differing_fields(new) == []) is agrees, (report, status)
        assert differing_fields(with_illness(document, 9, 2, 2))


def test_fatal_illness_has_one_turn_left_at_the_end() -> None:
    """rules: W31"""
    last = len(POISON_GESTURES) + 6
    idle = "-" * last
    document = document_of_battle([(idle, f"{POISON_GESTURES}------"), (idle, idle)])
    assert document["turns"][-1]["sick"] == [{"w": 1, "left": -1}]
    assert document["final"]["wizards"][1]["effects"] == {"poison": 1}
    assert differing_fields(document) == []


def test_records_differ_on_an_illness_that_ends_in_its_first_turn() -> None:
    """Records may omit an illness that is cured in its first turn, or whose subject dies in it."""
    idle, poison = "--------", f"--{POISON_GESTURES}"
    cured = document_of_battle(
        [(f"{idle}P", f"{poison}P"), (f"{idle}-", "----PDWP-")], {8: "w1 right_subject=w1"}
    )
    dead = document_of_battle(
        [
            (f"{idle}P", f"{poison}P"),
            (f"{idle} ", f"{idle} "),
            (f"{FINGER_OF_DEATH_GESTURES}-", f"{idle}-"),
        ],
        {8: "w0 right_subject=w1 | w2 left_subject=w1"},
    )
    beast = document_of_battle(
        [(f"{idle}P", f"{poison}P"), (f"{idle}-", "SFW------")], {8: "w0 right_subject=m0"}
    )
    assert (dead["turns"][7]["deaths"], beast["turns"][7]["deaths"]) == (["w1"], ["m0"])
    for document, subject, statuses in (
        (cured, "w1", (0,)),
        (dead, "w1", (0, 6, 7)),
        (beast, "m0", (0,)),
    ):
        others = [e for e in document["turns"][7].get("effects", ()) if e["e"] != "sick"]
        for effects in (others, [*others, {"e": "sick", "on": subject}]):
            new = with_effects(document, 8, effects)
            for left in (0, 6, 7) if subject == "w1" else (0,):
                for status in statuses:
                    assert differing_fields(with_illness(new, 8, left, status)) == []
        assert differing_fields(with_illness(document, 8, 5, statuses[0]))
        assert differing_fields(with_illness(document, 8, 0, 5))
    lasting = document_of_battle([(f"{idle}P", f"{poison}P"), (f"{idle}-", f"{idle}-")])
    assert differing_fields(with_effects(lasting, 8, [])), "a sickness that lasts is always listed"


def test_records_may_report_a_resistance_instead_of_a_guard() -> None:
    """If a being has both a guard and a resistance, a record may report either of them."""
    storm, ball = ("-SWWC-P", "----C-P"), ("------P", "-FSSDDP")
    proof, bare = ("WWFP---", "--WWS--"), ("-------", "--WWS--")
    fireproof_later, bare_later = ("WWFP---", "---WWS-"), ("-------", "---WWS-")
    for caster, resisting, unresisting, turn, code in (
        (storm, proof, bare, 5, "spared"),
        (ball, fireproof_later, bare_later, 6, "countered"),
    ):
        for subject, agrees in ((resisting, True), (unresisting, False)):
            document = document_of_battle([caster, subject])
            effects = document["turns"][turn - 1]["effects"]
            place = next(n for n, effect in enumerate(effects) if effect["e"] == code)
            assert effects[place]["on"] == "w1"
            way: DocumentPath = ("turns", turn - 1, "effects", place, "e")
            assert (differing_fields(with_value_at(document, way, "resists")) == []) is agrees
            assert differing_fields(with_value_at(document, way, "blocked"))


def test_records_differ_on_blindness_or_invisibility_of_a_dying_wizard() -> None:
    """If a wizard dies in that turn, records may or may not list the effect and its turns left."""
    idle = "--------"
    for begins, status, hands in (
        ("invisible_begins", "invisibility", ("----PPWS ", "------WS ")),
        ("blind_begins", "blindness", ("---DWFFD ", "-------D ")),
    ):
        document = document_of_battle(
            [(f"{idle}P", f"{idle}P"), hands, (f"{FINGER_OF_DEATH_GESTURES}-", f"{idle}-")],
            {8: "w1 left_subject=w1 | w2 left_subject=w1"},
        )
        begin = {"e": begins, "on": "w1"}
        others = [e for e in document["turns"][7]["effects"] if e != begin]
        for effects in (others, [*others, begin]):
            new = with_effects(document, 8, effects)
            for left, agrees in ((0, True), (3, True), (2, False)):
                new["final"]["wizards"][1]["effects"] = {status: left} if left else {}
                assert (differing_fields(new) == []) is agrees, (effects, left)


def test_records_may_omit_an_anti_spell_without_a_target() -> None:
    """Records must report any other spell that is lost."""
    for letters, what, is_open in (("SPFP", "anti_spell", True), ("--SD", "missile", False)):
        document = document_of_battle(
            [("-----", f"{letters}-"), ("----P", "----P")], {4: "w0 right_subject=nowhere"}
        )
        lost = [{"e": "nobody", "what": what}]
        assert differing_fields(with_effects(document, 4, lost)) == []
        assert (differing_fields(with_effects(document, 4, [])) == []) is is_open


# Rejected documents

BAD_VALUES: tuple[tuple[DocumentPath, object, str], ...] = (
    (("format",), 2, "format: must be 1"),
    (("battle",), 7, "battle: must be a string"),
    (("what",), 7, "battle: unknown key 'what'"),
    (("variants",), None, "variants: must be an object"),
    (("variants", "parafdf"), True, "variants.parafdf: is a variant that is not played here"),
    (("variants", "parafc"), 1, "variants.parafc: must be true or false"),
    (("players",), ["Ada"], "players: a battle has 2 to 8 wizards"),
    (("viewer",), 2, "viewer: there is no seat 2"),
    (("inferred",), [{"w": 0, "n": 1, "row": ["S"]}], "inferred[0].row: must be two of"),
    (("turns",), [], "turns: there is none"),
    (("turns", 1, "n"), 3, "turns[1].n: must be 2"),
    (("turns", 1, "type"), "extra", "turns[1].type: must be one of normal, haste, timestop"),
    (("turns", 1, "gestures"), [["S", "S"]], "turns[1].gestures: must have 2 entries, one for"),
    (("turns", 1, "gestures", 0), ["S", "X"], "turns[1].gestures[0]: must be two of"),
    (("turns", 1, "result"), {"winner": 0}, "turns[1].result: is only recorded for the last turn"),
    (("turns", 1, "banks"), [{"w": 4}], "turns[1].banks[0].w: there is no seat 4"),
    (("turns", 1, "forced"), [{"w": 0, "by": "sloth"}], "turns[1].forced[0].by: must be one of"),
    (("turns", 1, "sick"), [{"w": 0, "left": -2}], "turns[1].sick[0].left: must be a whole number"),
    (("turns", 1, "out"), [{"w": 0, "how": "standing"}], "turns[1].out[0].how: must be one of"),
    (("turns", 1, "deaths"), ["w2"], "turns[1].deaths[0]: there is no wizard w2"),
    (("turns", 1, "hp", 0), "15", "turns[1].hp[0]: must be a whole number"),
    (("turns", 2, "casts", 0, "spell"), "raise_dead", "unknown spell 'raise_dead'"),
    (("turns", 2, "casts", 0, "at"), "goblin", "turns[2].casts[0].at: must be a being"),
    (("turns", 2, "casts", 0, "hand"), "both", "turns[2].casts[0].hand: must be one of L, R, B"),
    (("turns", 2, "casts", 0, "banked"), True, "turns[2].casts[0].banked: must be true for"),
    (("turns", 2, "effects", 0), {"e": "created", "m": "m0"}, "turns[2].effects[0].kind: is miss"),
    (("turns", 2, "effects", 0), {"e": "shield"}, "turns[2].effects[0].on: is missing; shield"),
    (("turns", 2, "effects", 0, "kind"), "dragon", "turns[2].effects[0].kind: must be one of gob"),
    (("turns", 2, "attacks", 0, "out"), "miss", "turns[2].attacks[0].out: must be one of hit"),
    (("turns", 2, "attacks", 0, "out"), "shield", "turns[2].attacks[0].dmg: must be recorded"),
    (("turns", 2, "monsters", 0, "hp"), 0, "turns[2].monsters[0].hp: must be a whole number fr"),
    (("final", "wizards", 0, "effects"), {"drunk": 1}, "final.wizards[0].effects: unknown key 'dr"),
    (("final", "wizards", 0, "bank"), "luck", "final.wizards[0].bank: unknown spell 'luck'"),
    (("final", "grid", 0, "L"), "SF", "final.grid[0].L: must be 5 characters"),
    (("final", "result"), {}, "final.result.winner: must be a seat, or null"),
    (("final", "result", "winner"), 0, "final.result: must be the result of the last turn"),
)  # fmt: skip


@pytest.mark.parametrize(("way", "to", "reason"), BAD_VALUES, ids=lambda part: str(part)[:40])
def test_bad_document_is_rejected_with_the_place_of_the_error(
    way: DocumentPath, to: object, reason: str
) -> None:
    with pytest.raises(InvalidData) as refused:
        parse_battle(with_value_at(BATTLES["goblins"], way, to))
    assert reason in str(refused.value)


def required_arguments() -> Iterator[DocumentPath]:
    for key in ("format", "battle", "variants", "players", "turns", "final"):
        yield (key,)
    for key in ("n", "type", "gestures", "hp"):
        yield ("turns", 2, key)
    for key in ("wizards", "monsters", "result", "grid"):
        yield ("final", key)


@pytest.mark.parametrize("way", list(required_arguments()), ids=str)
def test_documents_with_missing_parts_are_rejected(way: DocumentPath) -> None:
    document = copy.deepcopy(BATTLES["goblins"])
    del value_at_path(document, way[:-1])[way[-1]]
    with pytest.raises(InvalidData):
        parse_battle(document)


REJECTED_FILES: dict[str, tuple[bytes, str]] = {
    "not JSON": (b'{"format": 1,\n "turns": [}', "line 2: is not JSON"),
    "not text": (b"\xff", "line 1: is not UTF-8 text"),
    "a list": (b"[]", "line 1: battle: must be an object"),
    "a bad turn": (
        document_text(with_value_at(BATTLES["goblins"], ("turns", 1, "n"), 7)).encode(),
        "line 4: turns[1].n: must be 2: turns are numbered one by one",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", REJECTED_FILES)
def test_bad_file_is_rejected_in_one_line(tmp_path: Path, capsys, name: str) -> None:
    """If one of several battles cannot be read, none of them is played."""
    content, reason = REJECTED_FILES[name]
    path = tmp_path / "battle.json"
    path.write_bytes(content)
    assert main(["battles", str(BATTLE_FILES[0]), str(path)]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith(f"engine: {path}, {reason}")
    assert printed.err.count("\n") == 1


def test_battles_command_rejects_missing_files(tmp_path: Path, capsys) -> None:
    assert main(["battles", str(tmp_path / "none.json")]) == 2
    assert capsys.readouterr().err.endswith("none.json: No such file or directory\n")
    with pytest.raises(SystemExit):
        main(["battles"])
