"""Tests of all pairs of spells, compared with the hand-written interaction matrix in `matrix/`.

Each test plays one scene with a different eighth of all pairs of spells each day; `make test-all`
plays all pairs. rules: turn:guards, turn:landing, turn:minds, turn:heat_and_cold, R35-R45, R50-R52,
R59, R65-R69, R76, R77, R102, W4, W9, W13-W16, W20, W29-W38, W41-W46
"""

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import pytest

import engine.play
from tests import daily
from tests.engine.matrix.expected_results import ResultCalculation
from tests.engine.matrix.matrix_file import (
    ELEMENTS,
    ILLEGAL,
    MATRIX_FOLDER,
    InteractionMatrix,
    InvalidMatrix,
    Statement,
    read_matrix,
)
from tests.engine.matrix.scenes import (
    SCENES,
    SUBJECT,
    Facts,
    Scene,
    SpellCast,
    casts_of,
    gestures_by_wizard,
    play_scene,
)

MATRIX_FILES = ("bartle", "spellcast", "wizards", "archmage", "warlocks")
RULESETS = {f"{name}-1": f"{name}.txt" for name in MATRIX_FILES}
TESTED_ONE_IN = 8  # an eighth of the pairs of spells and of the statements is tested each day


@cache
def matrix_of(ruleset: str) -> InteractionMatrix:
    return read_matrix(RULESETS[ruleset])


def possible_first_spells(book: InteractionMatrix, scene: Scene) -> list[str]:
    """Return the spells that can come first in this scene: casts, or effects already in force.

    A wizard under a mind spell cannot cast, so mind spells are left out if the subject casts.
    """
    if not scene.has_held:
        return book.spells()
    subject_casts = scene.casters[1] == SUBJECT
    return [
        one
        for one in book.effects_in_force()
        if not (subject_casts and one in book.groups["minds*"])
    ]


def possible_second_spells(book: InteractionMatrix, scene: Scene) -> list[str]:
    """Return the spells that can come second in this scene."""
    spells = book.spells()
    if not scene.has_newcomer:
        return spells
    return [s for s in spells if {"makes fire", "makes ice"} & {*book.effect_parts(s, "wizard")}]


SCENES_WITH_SPELLS = [
    (ruleset, scene, spell)
    for ruleset in RULESETS
    for scene in SCENES
    for spell in possible_first_spells(matrix_of(ruleset), scene)
]


@pytest.mark.parametrize("scene", SCENES, ids=[scene.name for scene in SCENES])
@pytest.mark.parametrize("ruleset", RULESETS)
def test_pairs_of_spells_have_the_results_in_the_matrix(ruleset: str, scene: Scene) -> None:
    wrong = [
        f"{spell} {line}"
        for spell in possible_first_spells(matrix_of(ruleset), scene)
        for line in results_unlike_the_matrix(
            ruleset,
            scene,
            spell,
            daily.sample(
                possible_second_spells(matrix_of(ruleset), scene),
                TESTED_ONE_IN,
                ruleset,
                scene.name,
                spell,
            ),
        )
    ]
    assert not wrong, "\n".join(wrong)


def play_with_others(ruleset: str, scene: Scene, spell: str) -> None:
    """Play the spell with each second one, and compare the results with the matrix."""
    others = possible_second_spells(matrix_of(ruleset), scene)
    wrong = list(results_unlike_the_matrix(ruleset, scene, spell, others))
    assert not wrong, "\n".join(wrong)


def results_unlike_the_matrix(
    ruleset: str, scene: Scene, spell: str, others: Sequence[str]
) -> Iterator[str]:
    """Yield each difference between the matrix and the results of this spell with the others."""
    book = matrix_of(ruleset)
    for other in others:
        casts = casts_of(scene, spell, other)
        if all(is_legal(book, scene, cast) for cast in casts):
            expected = predicted_facts(book, scene, casts, ruleset)
            yield from differences(other, expected, play_scene(scene, casts, ruleset))


def predicted_facts(
    book: InteractionMatrix, scene: Scene, casts: tuple[SpellCast, ...], ruleset: str
) -> Facts:
    """Return the result that the matrix predicts."""
    return ResultCalculation(
        book, scene, casts, gestures_by_wizard(scene, casts, ruleset)
    ).calculated_facts()


def is_legal(book: InteractionMatrix, scene: Scene, cast: SpellCast) -> bool:
    """Return whether this spell can be aimed at this subject."""
    column = "wizard" if cast.subject.startswith("w") else scene.column
    parts = book.effect_parts(cast.name, column)
    return ILLEGAL not in parts and not ("others only" in parts and cast.caster == cast.subject)


def differences(other: str, expected: Facts, found: Facts) -> list[str]:
    """Return one line for each difference between expected and actual result.

    When the duel is over, only deaths and damage matter.
    """
    looked_at = expected.keys() | found.keys()
    if expected["the duel"] != "goes on":
        looked_at = {
            "the duel",
            *(what for what in looked_at if what[0] == "w" and " " not in what),
        }
    return [
        f"with {other}: {what}: the matrix says {expected.get(what)!r}, seen is {found.get(what)!r}"
        for what in sorted(looked_at)
        if expected.get(what) != found.get(what)
    ]


INVISIBLE_STATEMENTS = {
    # effects that are visible only with a third spell
    ("stops", "dispel_magic", "remove_enchantment"),
    ("stops", "dispel_magic", "magic_mirror"),
    ("stops", "counter_spell", "magic_mirror"),
    # no visible effect: two shields, or no effect in any case
    ("stops", "counter_spell", "shield"),
    ("stops", "raise_dead", "charm_person"),
    ("stops", "raise_dead", "fear"),
    ("stops", "raise_dead", "anti_spell"),
    ("stops", "raise_dead", "delayed_effect"),
    ("stops", "raise_dead", "permanency"),
    ("stops", "dispel_magic", "sacrifice"),
    ("stops", "counter_spell", "sacrifice"),
    ("returns", "magic_mirror", "sacrifice"),
    ("stops", "invisibility*", "sacrifice"),
}
"""Statements without a visible effect, which help readers of the matrix."""

INVISIBLE_IF_ALL_MISSES = {
    (
        "stops",
        "dispel_magic",
        "charm_monster",
    ),  # the victim stays, or Dispel Magic cannot target monsters
    ("hides", "blindness*", "remove_enchantment"),
    ("hides", "blindness*", "magic_mirror"),
    ("hides", "blindness*", "charm_monster"),
    ("hides", "invisibility*", "shield"),
    ("hides", "invisibility*", "counter_spell"),
    ("hides", "invisibility*", "magic_mirror"),
    ("hides", "invisibility*", "charm_monster"),
    ("unshields", "invisibility*", "dispel_magic"),
}
"""More statements without a visible effect, if everything aimed at an unseen being misses."""


@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_matrix_statement_affects_the_result_of_a_scene(ruleset: str) -> None:
    """Without the statement, the expected result of some pair differs from the actual one."""
    book = matrix_of(ruleset)
    statements = [statement for each in list(book.together.values()) for statement in each]
    rows = {*daily.sample(sorted({*map(statement_key, statements)}), TESTED_ONE_IN, ruleset)}
    idle = [
        each
        for each in statements
        if statement_key(each) in rows and not is_statement_needed(book, each, ruleset)
    ]
    all_misses = book.in_steps or book.numbered
    unseen = INVISIBLE_STATEMENTS | (INVISIBLE_IF_ALL_MISSES if all_misses else set())
    assert {*map(statement_key, idle)} == unseen & rows


def statement_key(statement: Statement) -> tuple[str, str, str]:
    return statement.verdict, statement.of, statement.on


def is_statement_needed(book: InteractionMatrix, statement: Statement, ruleset: str) -> bool:
    """Return whether leaving out the statement changes the result of some pair."""
    pair = statement.of, statement.on
    held = book.together[pair]
    book.together[pair] = [other for other in held if other is not statement]
    try:
        return any(
            differences(
                other,
                predicted_facts(book, scene, casts, ruleset),
                play_scene(scene, casts, ruleset),
            )
            for one in spells_to_try(book, statement.of)
            for other in spells_to_try(book, statement.on)
            for scene in SCENES
            for first, second in ((one, other), (other, one))
            if first in possible_first_spells(book, scene)
            and second in possible_second_spells(book, scene)
            for casts in [casts_of(scene, first, second)]
            if all(is_legal(book, scene, cast) for cast in casts)
        )
    finally:
        book.together[pair] = held


def spells_to_try(book: InteractionMatrix, thing: str) -> list[str]:
    """Return the spell itself, or for an element all spells, those that summon one first."""
    if thing not in ELEMENTS:
        return [thing]
    return sorted(
        book.alone, key=lambda name: f"makes {thing}" not in book.effect_parts(name, "wizard")
    )


@pytest.mark.parametrize("ruleset", RULESETS)
def test_matrix_contains_every_spell_of_its_ruleset(ruleset: str) -> None:
    names = {name.partition("/")[0] for name in matrix_of(ruleset).spells()}
    assert names == set(engine.play.RULESETS[ruleset].spells)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("alone\nshield | shield", "x.txt:2: 2 cells, not 6"),
        ("alone\nshield | shields | - | - | - | -", "x.txt:2: 'shields' is not an effect"),
        ("shield | shield", "x.txt:1: 'shield | shield' is outside"),
        ("together\nstops | shield | missile |", "x.txt:2: 'shield' is not a spell"),
        ("together\nhelps | shield | missile |", "x.txt:2: no such verdict as 'helps'"),
        ("like bartle\ntogether\nstops | shield | missile |", "x.txt:3: shield stops missile"),
    ],
)
def test_malformed_matrix_is_reported_with_file_and_line(
    tmp_path: Path, text: str, complaint: str
) -> None:
    (tmp_path / "bartle.txt").write_text((MATRIX_FOLDER / "bartle.txt").read_text())
    (tmp_path / "x.txt").write_text(text)
    with pytest.raises(InvalidMatrix) as fault:
        read_matrix("x.txt", tmp_path)
    assert str(fault.value).startswith(complaint)
