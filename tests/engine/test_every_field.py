"""Tests that every field in every spell's row has an effect under every order of play.

A different value must change a turn or an order sheet, or the ruleset must reject it. For each
field, a different eighth of the spells is tested each day; `make test-all` tests all of them.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from functools import cache, partial
from typing import Any, Final

import pytest

import engine.orders
import engine.play
from engine.rules_text.differences import differences
from engine.rulesets import BARTLE_1, RULESETS
from engine.rulesets.ruleset import CompletablePattern, Ruleset, make_ruleset
from engine.rulesets.spellcast import SPELLCAST_1
from engine.rulesets.warlocks import WARLOCKS_1
from engine.spellbook import (
    MONSTER_KINDS,
    UNDECIDED_ELEMENTAL,
    AffectedBeings,
    CaptureEffect,
    CasterDecision,
    DefaultSubject,
    Duration,
    Guard,
    HandEffect,
    LegalSubjects,
    MonsterKind,
    RemovalEffect,
    SightEffect,
    Spell,
    SpellClass,
    VictimEffect,
    revised_spellbook,
)
from tests import daily
from tests.engine.board import ADA, BRAM, CLEO, Row, begun, duel, made

TEST_RULESET: Final = "every-1"
PLAYED_RULESETS: Final[Mapping[str, Ruleset]] = {
    "sealed": BARTLE_1,
    "stepwise": SPELLCAST_1,
    "numbered": WARLOCKS_1,
}
ILLNESS_TURNS: Final = 7  # length of an illness
DICE_OPTIONS: Final = {"sequence": [0] * 99}

REPLACEMENT_BY_VALUE: Final[Mapping[str, Any]] = {
    "works": {AffectedBeings.WIZARDS: AffectedBeings.MONSTERS, None: AffectedBeings.WIZARDS},
    "default": {DefaultSubject.SELF: DefaultSubject.OPPONENT, None: DefaultSubject.SELF},
    "lasts": {Duration.THREE_TURNS: Duration.FOUR_TURNS, None: Duration.THREE_TURNS},
    "legal": {LegalSubjects.WIZARDS: LegalSubjects.ANY, None: LegalSubjects.WIZARDS},
    "element": {"fire": "ice", None: "fire"},
    "resists": {"fire": "ice", None: "fire"},
    "destroys": {(): ("ogre", "fire", "ice"), None: ()},
    "heals": {(): ("disease", "poison"), None: ()},
    "asks": {CasterDecision.NOTHING: CasterDecision.HAND, None: CasterDecision.NOTHING},
    "class_": {SpellClass.ENCHANTMENT: SpellClass.DAMAGING, None: SpellClass.ENCHANTMENT},
    "monster": {"goblin": "ogre", None: "goblin"},
    "hands": {HandEffect.REPEATED: HandEffect.FRIGHTENED, None: HandEffect.REPEATED},
    "victims": {VictimEffect.DRAWN: VictimEffect.NOBODY, None: VictimEffect.DRAWN},
    "guard": {Guard.NONE: Guard.SHIELD, None: Guard.NONE},
    "unmakes": {RemovalEffect.NOTHING: RemovalEffect.ENCHANTMENTS, None: RemovalEffect.NOTHING},
    "eyes": {SightEffect.CLEAR: SightEffect.HIDDEN, None: SightEffect.CLEAR},
    "takes": {CaptureEffect.NONE: CaptureEffect.BANKS, None: CaptureEffect.NONE},
}
"""Replacement for each value of a field; None stands for all values not listed."""

FIELDS_WITHOUT_EFFECT: Final = (
    "id", "name", "is_area", "is_enchantment", "is_illness", "stops_spells", "patterns", "once_by",
)  # fmt: skip
"""Fields that are only shown, derived from others, or used by `make` for the automaton."""

ADVICE_FIELDS: Final = ("helps", "harms")
"""Fields that only the advice before sealing uses."""
Output = Callable[[engine.play.Position, dict[str, dict[str, str]]], Iterator[object]]


def replacement_for(field: str, spell: Spell) -> object:
    """Return a replacement for the value of this field in the spell's row."""
    value = getattr(spell, field)
    if field in REPLACEMENT_BY_VALUE:
        offered = REPLACEMENT_BY_VALUE[field]
        return offered[value] if value in offered else offered[None]
    return not value if isinstance(value, bool) else value + 1


def with_row(ruleset: Ruleset, row: Spell) -> Ruleset:
    """Return the ruleset with this row. Raise ValueError if the ruleset rejects the row."""

    def new(end: CompletablePattern) -> CompletablePattern:
        return replace(end, spell=row) if end.spell.id == row.id else end

    return replace(
        ruleset,
        id=TEST_RULESET,
        spells={**ruleset.spells, row.id: row},
        completables=tuple(map(new, ruleset.completables)),
        ends=tuple(tuple(map(new, ends)) for ends in ruleset.ends),
    )


FIRE_ELEMENTAL: Final[Row] = {"kind": "fire", "controller": BRAM}
ICE_ELEMENTAL: Final[Row] = {"kind": "ice", "controller": BRAM}
ILL_WIZARD: Final[Row] = {"effects": {"disease": {"turns": 4}, "poison": {"turns": 5}}}
COLD_RESISTING_WIZARD: Final[Row] = {"effects": {"resist_cold": {}}}
HEAT_RESISTING_WIZARD: Final[Row] = {"effects": {"resist_heat": {}}}
WOUNDED_WIZARD: Final[Row] = {"damage": 6}


def histories_and_last_set(pattern: str) -> tuple[Row, str]:
    """Return histories with all gestures of a pattern except the last, and the last as a set."""
    right = "".join(step.upper() if step.islower() else "-" for step in pattern)
    left = pattern.upper()
    return begun(left[:-1], right[:-1]), f"{left[-1]} {right[-1]}"


Scene = tuple[engine.play.Position, dict[str, dict[str, str]]]
"""A position, and the orders of some wizards as fields."""


def scene_functions(spell: Spell) -> Iterator[Callable[[], Scene]]:
    """Yield functions that return a scene in which Ada completes the spell.

    The position has the rules that are published as `TEST_RULESET` at the time of the call.
    """
    casting = Casting(spell, *histories_and_last_set(spell.patterns[0]))
    yield from casting.unopposed_scenes()
    yield from casting.opposed_scenes()
    yield from casting.scenes_with_effects()
    yield casting.scene_with_a_bank


@dataclass(frozen=True)
class Casting:
    """A spell that Ada completes with her next pair of gestures."""

    spell: Spell
    before: Row
    pair: str

    @property
    def side(self) -> str:
        return "both" if self.spell.patterns[0][-1].islower() else "left"

    @property
    def ada(self) -> Row:
        return {**self.before, **WOUNDED_WIZARD}

    def orders(self, subject: str) -> dict[str, str]:
        return made(self.pair, **({f"{self.side}_subject": subject} if subject else {}))

    def unopposed_scenes(self) -> Iterator[Callable[[], Scene]]:
        for subject in (BRAM, "", ADA, "m0", "m2", "m1", CLEO, "nowhere", "R:w0"):
            orders = {ADA: self.orders(subject)}
            cleo: Row = {"state": "dead"} if subject == CLEO else {}
            for extra in (FIRE_ELEMENTAL, ICE_ELEMENTAL):
                for bram in (
                    WOUNDED_WIZARD,
                    ILL_WIZARD,
                    COLD_RESISTING_WIZARD,
                    HEAT_RESISTING_WIZARD,
                ):
                    yield partial(scene, orders, self.ada, bram, cleo, extra=extra)
                if subject not in (BRAM, "m2") and not self.spell.is_area:
                    break

    def opposed_scenes(self) -> Iterator[Callable[[], Scene]]:
        """Yield scenes in which Bram casts a spell too, and sometimes Cleo the same as Ada."""
        elemental = ICE_ELEMENTAL if self.spell.element == "ice" else FIRE_ELEMENTAL
        guards = [*GUARDS, (self.before, made(self.pair), self.side)]
        for subject in (BRAM, "m2", "m0"):
            orders = self.orders("" if self.spell.is_area and subject != BRAM else subject)
            for row, written, hand in guards:
                theirs = {**written, f"{hand}_subject": subject} if hand else dict(written)
                bram = {**row, **WOUNDED_WIZARD}
                both = {ADA: orders, BRAM: theirs}
                yield partial(scene, both, self.ada, bram, {}, extra=elemental)
                all_three = {**both, CLEO: orders}
                yield partial(scene, all_three, self.ada, bram, self.ada, extra=elemental)

    def scenes_with_effects(self) -> Iterator[Callable[[], Scene]]:
        for effects in ({"permanency": {"turns": 2}}, {"delayed_effect": {"turns": 2}}):
            row: Row = {**self.before, "effects": effects}
            yield partial(scene, {ADA: self.orders(BRAM)}, row, WOUNDED_WIZARD, {})
        if not self.spell.is_area:
            both = {ADA: self.orders("m0"), BRAM: {"victim:m0": CLEO}}
            ogre: Row = {"kind": "ogre", "controller": BRAM}
            yield lambda: (duel(self.before, {}, {}, monsters=[ogre], ruleset=TEST_RULESET), both)

    def scene_with_a_bank(self) -> Scene:
        bank: dict[str, Any] = {"bank": self.spell.id}
        release = {"release": "yes"}
        if RULESETS[TEST_RULESET].bank_keeps_subject:
            bank |= {"bank_subject": BRAM}
        else:
            release |= {"release_subject": BRAM}
        return scene({ADA: release, BRAM: COUNTER_SPELL}, bank, begun("WP"), {})


COUNTER_SPELL = made("P -", left_spell="counter_spell")
# Bram's histories, his orders, and the hand whose spell has a subject.
GUARDS: list[tuple[Row, dict[str, str], str]] = [
    ({}, {}, ""),
    ({}, made("P -"), "left"),
    (begun("WP"), COUNTER_SPELL, "left"),
    (begun("C", "C"), made("W W"), "both"),
    (begun("CDP", "C--"), made("W -"), "left"),
    (begun("PDW"), made("P -"), "left"),
    (begun("DWWFW", "-----"), made("C C"), "both"),
    (begun("SW"), made("D -"), "left"),
]


def scene(orders: dict[str, dict[str, str]], *rows: Row, extra: Row | None = None) -> Scene:
    """Return a scene with these wizards, an ogre, a corpse and perhaps another monster."""
    beings: list[Row] = [
        {"kind": "ogre", "controller": BRAM, "damage": 1},
        {"kind": "ogre", "state": "corpse"},
        *([] if extra is None else [extra]),
    ]
    return duel(*rows, monsters=beings, ruleset=TEST_RULESET), orders


def output_of_sheets_and_turns(
    position: engine.play.Position, flats: Mapping[str, Mapping[str, str]]
) -> Iterator[object]:
    """Yield the options on the order sheets, the faults, the questions, and all turns' events."""
    orders = {}
    for wizard, flat in flats.items():
        orders[wizard] = engine.orders.from_fields(flat)
        sheet = engine.play.sheet(position, wizard, orders[wizard])
        yield [sheet.subjects, sheet.captures, sheet.advance, sheet.monsters]
        faults = engine.play.check(position, wizard, orders[wizard])
        yield [fault.code for fault in faults]
        if faults:
            return
    dice = engine.play.RecordedDice(**DICE_OPTIONS)  # type: ignore[arg-type]
    yield engine.play.questions(position, orders, {}, dice)
    for _ in range(ILLNESS_TURNS):
        position, events = engine.play.resolve(position, orders, {}, dice)
        yield [repr(event) for event in events]
        if position.outcome:
            return
        orders = {}


def output_of_cautions(
    position: engine.play.Position, flats: Mapping[str, Mapping[str, str]]
) -> Iterator[object]:
    """Yield Ada's cautions for her orders."""
    yield engine.play.cautions(position, ADA, engine.orders.from_fields(flats[ADA]))


def output_of_events(
    position: engine.play.Position, flats: Mapping[str, Mapping[str, str]]
) -> Iterator[object]:
    """Yield the events that each wizard sees in the following turns."""
    orders = {wizard: engine.orders.from_fields(flat) for wizard, flat in flats.items()}
    if any(engine.play.check(position, wizard, own) for wizard, own in orders.items()):
        return
    dice = engine.play.RecordedDice(**DICE_OPTIONS)  # type: ignore[arg-type]
    turns: list[engine.play.Turn] = []
    while len(turns) < 3 and not position.outcome:
        after, events = engine.play.resolve(position, orders, {}, dice)
        turns.append(engine.play.Turn(len(turns) + 1, position, events))
        position, orders = after, {}
    history = engine.play.History(turns, position)
    for wizard in position.wizards:
        yield [
            repr(event)
            for turn in engine.play.view(history, wizard.id).turns
            for event in turn.events
        ]


@cache
def scenes_of_row(play: str, id: str) -> list[Callable[[], Scene]]:
    return list(scene_functions(PLAYED_RULESETS[play].spells[id]))


@cache
def output_under_published_row(play: str, id: str, describe: Output, number: int) -> list[str]:
    """Return the output of `describe` for one scene with the published row."""
    return output_under_ruleset(
        replace(PLAYED_RULESETS[play], id=TEST_RULESET), scenes_of_row(play, id)[number], describe
    )


def output_under_ruleset(
    ruleset: Ruleset, make_scene: Callable[[], Scene], describe: Output
) -> list[str]:
    """Return the output of `describe` for a scene under this ruleset."""
    published = dict(RULESETS)
    table: Any = RULESETS
    table[TEST_RULESET] = ruleset
    try:
        return [repr(part) for part in describe(*make_scene())]
    finally:
        table.clear()
        table.update(published)


def does_field_matter(play: str, id: str, field: str, decided: Counter[int]) -> bool:
    """Return whether a different value of the field is rejected or changes anything.

    `decided` counts the changes of other rows that each scene has revealed. Scenes that revealed
    the most are tried first.
    """
    spell = PLAYED_RULESETS[play].spells[id]
    change: dict[str, Any] = {field: replacement_for(field, spell)}
    try:
        ruleset = with_row(PLAYED_RULESETS[play], replace(spell, **change))
    except ValueError:
        return True
    describe = (
        output_of_cautions
        if field in ADVICE_FIELDS
        else output_of_events
        if field == "eyes"
        else output_of_sheets_and_turns
    )
    scenes = scenes_of_row(play, id)
    for number in sorted(range(len(scenes)), key=lambda each: -decided[each]):
        if output_under_published_row(play, id, describe, number) != output_under_ruleset(
            ruleset, scenes[number], describe
        ):
            decided[number] += 1
            return True
    return False


TESTED_FIELDS: Final = [
    field.name for field in fields(Spell) if field.name not in FIELDS_WITHOUT_EFFECT
]


@pytest.mark.parametrize("field", TESTED_FIELDS)
@pytest.mark.parametrize("play", PLAYED_RULESETS)
def test_every_field_in_every_spells_row_has_an_effect(play: str, field: str) -> None:
    decided: Counter[int] = Counter()
    spells = daily.sample(PLAYED_RULESETS[play].spells, 8, play, field)
    assert [id for id in spells if not does_field_matter(play, id, field, decided)] == []


# Kinds of monsters, and the points of damage that kill a wizard


@pytest.fixture
def published(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return a function that publishes a changed ruleset of an order of play as `TEST_RULESET`."""

    def publish(play: str, **changes: Any) -> Ruleset:
        ruleset = replace(PLAYED_RULESETS[play], id=TEST_RULESET, **changes)
        monkeypatch.setitem(RULESETS, TEST_RULESET, ruleset)
        return ruleset

    return publish


def output_of_fight(kind: str) -> list[str]:
    """Return views and events of a monster that is summoned, attacks, is hit, and may die."""
    told: list[str] = []
    for damage in range(MONSTER_KINDS[kind].limit):
        monster: Row = {"kind": kind, "controller": BRAM, "damage": damage}
        position = duel(begun("S"), {}, monsters=[monster], ruleset=TEST_RULESET)
        told += map(repr, engine.play.view(engine.play.History((), position), ADA).status)
        orders = {ADA: engine.orders.from_fields(made("D -", left_subject="m0"))}
        told += play_two_turns(position, orders)
    rules = RULESETS[TEST_RULESET]
    for spell in rules.spells.values():
        if spell.monster in (kind, UNDECIDED_ELEMENTAL if MONSTER_KINDS[kind].element else kind):
            before, pair = histories_and_last_set(spell.patterns[0])
            answers = {"answer:elemental": kind} if spell.monster == UNDECIDED_ELEMENTAL else {}
            orders = {ADA: engine.orders.from_fields(made(pair, **answers))}
            told += play_two_turns(duel(before, {}, ruleset=TEST_RULESET), orders)
    return told


def play_two_turns(
    position: engine.play.Position, orders: Mapping[str, engine.orders.Orders]
) -> list[str]:
    """Play two turns, and return their events and the positions after them."""
    dice = engine.play.RecordedDice(**DICE_OPTIONS)  # type: ignore[arg-type]
    told: list[str] = []
    for written in (orders, {}):
        position, events = engine.play.resolve(position, written, {}, dice)
        told += [*map(repr, events), repr(position), repr(position.monsters)]
        if position.outcome:
            break
    return told


@pytest.mark.parametrize("play", PLAYED_RULESETS)
@pytest.mark.parametrize("kind", [kind for kind in MONSTER_KINDS if kind != UNDECIDED_ELEMENTAL])
@pytest.mark.parametrize("field", ["name", "attack", "limit"])
def test_every_field_of_a_monster_kind_has_an_effect(
    published: Any, play: str, kind: str, field: str
) -> None:
    """Each field affects the events, the view and the page of differences."""
    published(play)
    usual = output_of_fight(kind)
    row = MONSTER_KINDS[kind]
    value = "Sprite" if field == "name" else getattr(row, field) + 1
    change: dict[str, Any] = {field: value}
    ruleset = published(play, monsters={**MONSTER_KINDS, kind: replace(row, **change)})
    assert output_of_fight(kind) != usual
    (line,) = differences(ruleset, PLAYED_RULESETS[play])
    assert str(value) in line.text


@pytest.mark.parametrize("play", PLAYED_RULESETS)
@pytest.mark.parametrize("kind", MONSTER_KINDS)
@pytest.mark.parametrize(
    "change", [{"id": "sprite"}, {"element": "wood"}, {"attack": -1}, {"limit": 0}], ids=str
)
def test_unsupported_field_of_a_monster_kind_is_rejected(
    published: Any, play: str, kind: str, change: dict[str, Any]
) -> None:
    with pytest.raises(ValueError, match=kind):
        published(play, monsters={**MONSTER_KINDS, kind: replace(MONSTER_KINDS[kind], **change)})


@pytest.mark.parametrize("play", PLAYED_RULESETS)
def test_incomplete_table_of_monster_kinds_is_rejected(published: Any, play: str) -> None:
    """An undecided elemental has no attack. No kind may be missing or share another's name."""
    goblin, other = MONSTER_KINDS["goblin"], MONSTER_KINDS[UNDECIDED_ELEMENTAL]
    for field in ("name", "attack", "limit"):
        change: dict[str, Any] = {field: "Sprite" if field == "name" else 9}
        with pytest.raises(ValueError, match="it becomes fire or ice before it acts"):
            published(
                play, monsters={**MONSTER_KINDS, UNDECIDED_ELEMENTAL: replace(other, **change)}
            )
    tables: tuple[dict[str, MonsterKind], ...] = (
        {"goblin": goblin},
        {**MONSTER_KINDS, "ogre": replace(MONSTER_KINDS["ogre"], name=goblin.name)},
    )
    for table in tables:
        with pytest.raises(ValueError, match="monsters"):
            published(play, monsters=table)


ADDED_SPELLS: Final = (
    Spell(
        "summon_imp", "Summon Imp", ("SSF",), SpellClass.SUMMONS, DefaultSubject.SELF,
        monster="ogre",
    ),
    Spell("splinter", "Splinter", ("SSD",), SpellClass.DAMAGING, DefaultSubject.OPPONENT, amount=4),
    Spell(
        "balm", "Balm", ("SSP",), SpellClass.PROTECTION, DefaultSubject.SELF,
        amount=2, heals=("poison",),
    ),
    Spell(
        "dread", "Dread", ("SSW",), SpellClass.ENCHANTMENT, DefaultSubject.OPPONENT,
        AffectedBeings.ALL, Duration.NEXT_TURN, mind=True,
        hands=HandEffect.FRIGHTENED, victims=VictimEffect.NOBODY, harms=True,
    ),
)  # fmt: skip
"""Rows of invented spells, whose ids appear nowhere in the code that resolves turns."""


@pytest.fixture
def publish_added_rows(monkeypatch: pytest.MonkeyPatch, play: str) -> None:
    """Publish a ruleset of this order of play with the added rows."""
    kept = {
        field.name: getattr(PLAYED_RULESETS[play], field.name)
        for field in fields(Ruleset)
        if field.init
        and field.name not in ("id", "spells", "automaton", "completables", "ends", "asks")
    }
    book = revised_spellbook(tuple(PLAYED_RULESETS[play].spells.values()), {}, added=ADDED_SPELLS)
    monkeypatch.setitem(RULESETS, TEST_RULESET, make_ruleset(TEST_RULESET, spells=book, **kept))


@pytest.mark.usefixtures("publish_added_rows")
@pytest.mark.parametrize("play", PLAYED_RULESETS)
def test_added_spells_summon_hurt_and_cure(play: str) -> None:
    """The code that resolves turns reads only the fields of these spells, never their ids."""
    ill: Row = {"damage": 5, "effects": {"poison": {"turns": 5}}}

    def cast(letter: str) -> engine.play.Position:
        position = duel({**begun("SS"), **ill}, {}, ruleset=TEST_RULESET)
        orders = {ADA: engine.orders.from_fields(made(f"{letter} -"))}
        dice = engine.play.RecordedDice(**DICE_OPTIONS)  # type: ignore[arg-type]
        return engine.play.resolve(position, orders, {}, dice)[0]

    (ogre,) = cast("F").monsters
    assert (ogre.kind, ogre.controller) == ("ogre", ADA)
    assert cast("D").wizard(BRAM).damage == 4
    cured = cast("P").wizard(ADA)
    assert (cured.damage, "poison" in cured.effects) == (3, False)
    for effects, is_due in (({}, True), (ill["effects"], False)):
        whole: Row = {"damage": -PLAYED_RULESETS[play].surplus, "effects": effects}
        position = duel({**begun("SS"), **whole}, {}, ruleset=TEST_RULESET)
        found = engine.play.cautions(position, ADA, engine.orders.from_fields(made("P -")))
        assert ("nothing_to_cure" in {caution.code for caution in found}) == is_due


@pytest.mark.usefixtures("publish_added_rows")
@pytest.mark.parametrize("play", PLAYED_RULESETS)
@pytest.mark.parametrize("subject", [BRAM, "m0"])
def test_added_mind_spell_affects_wizards_and_monsters(play: str, subject: str) -> None:
    """The spell frightens a wizard and stops a monster's attack. rules: R79, W15"""
    ogre: Row = {"kind": "ogre", "controller": BRAM}
    position = duel(begun("SS"), {}, monsters=[ogre], ruleset=TEST_RULESET)
    orders = {ADA: engine.orders.from_fields(made("W -", left_subject=subject))}
    dice = engine.play.RecordedDice(**DICE_OPTIONS)  # type: ignore[arg-type]
    told: list[engine.play.Event] = []
    for written in (orders, {}):
        position, events = engine.play.resolve(position, written, {}, dice)
        told += events
        if written and subject == BRAM:
            assert (
                engine.play.sheet(position, BRAM).sets[0].left.reason.startswith("You are afraid")
            )
    idle = [event.cause for event in told if isinstance(event, engine.events.Idle)]
    assert ("dread" in idle) == (subject == "m0")


@pytest.mark.parametrize("play", PLAYED_RULESETS)
@pytest.mark.parametrize("points", [3, 15, 16, 40])
def test_wizards_die_at_the_damage_limit_of_the_ruleset(
    published: Any, play: str, points: int
) -> None:
    """A wizard dies exactly at the limit; views and setups have the same limit. rules: R109"""
    ruleset = published(play, wizard_hit_points=points)
    with pytest.raises(engine.play.InvalidData):
        duel({"damage": points}, ruleset=TEST_RULESET)
    for damage, standing in ((points - 1, "dead"), (points - 2, "standing")):
        position = duel(begun("S"), {"damage": damage}, ruleset=TEST_RULESET)
        (_, bram) = engine.play.view(engine.play.History((), position), ADA).status
        assert (bram.limit, bram.hit_points) == (points, points - damage)
        orders = {ADA: engine.orders.from_fields(made("D -", left_subject=BRAM))}
        after, _ = engine.play.resolve(position, orders, {}, engine.play.NoDice())
        assert after.wizard(BRAM).standing == standing
    lines = [line.text for line in differences(ruleset, PLAYED_RULESETS[play])]
    assert lines == ([] if points == 15 else [f"A wizard dies of {points} points of damage."])


@pytest.mark.parametrize("play", PLAYED_RULESETS)
@pytest.mark.parametrize("change", [{"wizard_hit_points": 0}, {"surplus": -1}, {"surplus": 16}])
def test_invalid_damage_limit_is_rejected(
    published: Any, play: str, change: dict[str, int]
) -> None:
    with pytest.raises(ValueError, match=next(iter(change))):
        published(play, **change)
