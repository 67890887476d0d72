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
from tests.engine.matrix.book import (
    ELEMENTS,
    ILLEGAL,
    MATRIX,
    Book,
    MatrixFault,
    Statement,
    read_book,
)
from tests.engine.matrix.reckoning import Reckoner
from tests.engine.matrix.scenes import (
    SCENES,
    SUBJECT,
    Facts,
    Scene,
    SpellCast,
    casts_of,
    hands_of,
    play,
)

NAMES = ("bartle", "spellcast", "wizards", "archmage", "warlocks")
RULESETS = {f"{name}-1": f"{name}.txt" for name in NAMES}
TESTED_ONE_IN = 8  # an eighth of the pairs of spells and of the statements is tested each day


@cache
def book_of(ruleset: str) -> Book:
    return read_book(RULESETS[ruleset])


def possible_first_spells(book: Book, scene: Scene) -> list[str]:
    """Return the spells that can come first in this scene: casts, or effects already in force.

    A wizard under a mind spell cannot cast, so mind spells are left out if the subject casts.
    """
    if not scene.has_held:
        return book.spells()
    casts_himself = scene.casters[1] == SUBJECT
    return [one for one in book.held() if not (casts_himself and one in book.groups["minds*"])]


def possible_second_spells(book: Book, scene: Scene) -> list[str]:
    """Return the spells that can come second in this scene."""
    spells = book.spells()
    if not scene.has_newcomer:
        return spells
    return [s for s in spells if {"makes fire", "makes ice"} & {*book.parts(s, "wizard")}]


ROWS = [
    (ruleset, scene, spell)
    for ruleset in RULESETS
    for scene in SCENES
    for spell in possible_first_spells(book_of(ruleset), scene)
]


@pytest.mark.parametrize("scene", SCENES, ids=[scene.name for scene in SCENES])
@pytest.mark.parametrize("ruleset", RULESETS)
def test_pairs_of_spells_have_the_results_in_the_matrix(ruleset: str, scene: Scene) -> None:
    wrong = [
        f"{spell} {line}"
        for spell in possible_first_spells(book_of(ruleset), scene)
        for line in meetings_unlike_the_matrix(
            ruleset,
            scene,
            spell,
            daily.sample(
                possible_second_spells(book_of(ruleset), scene),
                TESTED_ONE_IN,
                ruleset,
                scene.name,
                spell,
            ),
        )
    ]
    assert not wrong, "\n".join(wrong)


def meet_all(ruleset: str, scene: Scene, spell: str) -> None:
    """Play the spell with each second one, and compare the results with the matrix."""
    others = possible_second_spells(book_of(ruleset), scene)
    wrong = list(meetings_unlike_the_matrix(ruleset, scene, spell, others))
    assert not wrong, "\n".join(wrong)


def meetings_unlike_the_matrix(
    ruleset: str, scene: Scene, spell: str, others: Sequence[str]
) -> Iterator[str]:
    """Yield each difference between the matrix and the results of this spell with the others."""
    book = book_of(ruleset)
    for other in others:
        casts = casts_of(scene, spell, other)
        if all(is_legal(book, scene, cast) for cast in casts):
            expected = predicted_facts(book, scene, casts, ruleset)
            yield from differences(other, expected, play(scene, casts, ruleset))


def predicted_facts(book: Book, scene: Scene, casts: tuple[SpellCast, ...], ruleset: str) -> Facts:
    """Return the result that the matrix predicts."""
    return Reckoner(book, scene, casts, hands_of(scene, casts, ruleset)).facts()


def is_legal(book: Book, scene: Scene, cast: SpellCast) -> bool:
    """Return whether this spell can be aimed at this subject."""
    column = "wizard" if cast.subject.startswith("w") else scene.column
    parts = book.parts(cast.name, column)
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
    book = book_of(ruleset)
    statements = [statement for each in list(book.together.values()) for statement in each]
    rows = {*daily.sample(sorted({*map(row_of, statements)}), TESTED_ONE_IN, ruleset)}
    idle = [
        each
        for each in statements
        if row_of(each) in rows and not is_statement_needed(book, each, ruleset)
    ]
    all_misses = book.in_steps or book.numbered
    unseen = INVISIBLE_STATEMENTS | (INVISIBLE_IF_ALL_MISSES if all_misses else set())
    assert {*map(row_of, idle)} == unseen & rows


def row_of(statement: Statement) -> tuple[str, str, str]:
    return statement.verdict, statement.of, statement.on


def is_statement_needed(book: Book, statement: Statement, ruleset: str) -> bool:
    """Return whether leaving out the statement changes the result of some pair."""
    pair = statement.of, statement.on
    held = book.together[pair]
    book.together[pair] = [other for other in held if other is not statement]
    try:
        return any(
            differences(
                other, predicted_facts(book, scene, casts, ruleset), play(scene, casts, ruleset)
            )
            for one in spells_that_summon(book, statement.of)
            for other in spells_that_summon(book, statement.on)
            for scene in SCENES
            for first, second in ((one, other), (other, one))
            if first in possible_first_spells(book, scene)
            and second in possible_second_spells(book, scene)
            for casts in [casts_of(scene, first, second)]
            if all(is_legal(book, scene, cast) for cast in casts)
        )
    finally:
        book.together[pair] = held


def spells_that_summon(book: Book, thing: str) -> list[str]:
    """Return the spell itself; for an element, all spells, beginning with those that summon one."""
    if thing not in ELEMENTS:
        return [thing]
    return sorted(book.alone, key=lambda name: f"makes {thing}" not in book.parts(name, "wizard"))


@pytest.mark.parametrize("ruleset", RULESETS)
def test_matrix_contains_every_spell_of_its_ruleset(ruleset: str) -> None:
    names = {name.partition("/")[0] for name in book_of(ruleset).spells()}
    assert names == set(engine.play.RULESETS[ruleset].spells)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("alone\nshield | shield", "x.txt:2: 2 cells, not 6"),
        ("alone\nshield | shields | - | - | - | -", "x.txt:2: 'shields' is nothing"),
        ("shield | shield", "x.txt:1: 'shield | shield' stands outside"),
        ("together\nstops | shield | missile |", "x.txt:2: 'shield' is no spell"),
        ("together\nhelps | shield | missile |", "x.txt:2: no such verdict as 'helps'"),
        ("like bartle\ntogether\nstops | shield | missile |", "x.txt:3: shield stops missile"),
    ],
)
def test_malformed_matrix_is_reported_with_file_and_line(
    tmp_path: Path, text: str, complaint: str
) -> None:
    (tmp_path / "bartle.txt").write_text((MATRIX / "bartle.txt").read_text())
    (tmp_path / "x.txt").write_text(text)
    with pytest.raises(MatrixFault) as fault:
        read_book("x.txt", tmp_path)
    assert str(fault.value).startswith(complaint)
