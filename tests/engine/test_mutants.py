"""Tests that each mutant makes the change in its name, and that trials notice mutants."""

import ast
import multiprocessing
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest

import engine.play
from engine import spellbook
from engine.rulesets import RULESETS
from engine.rulesets.choices import TwoStabs
from engine.spellbook import Duration
from tests.engine.casebook import read_cases
from tests.engine.mutants import __main__, code, probes, result_store, rule_trials, values
from tests.engine.mutants.equivalent import REASON_BY_EQUIVALENT_MUTANT
from tests.engine.mutants.patch import Mutant, place_of_function, record_places

# Python 3.12 and later warn about forking while other threads run. The test runner's threads only
# wait, so this is safe.
pytestmark = [
    pytest.mark.source,
    pytest.mark.filterwarnings("ignore:This process:DeprecationWarning"),
]


@cache
def all_mutants() -> dict[str, Mutant]:
    return {mutant.name: mutant for mutant in (*values.value_mutants(), *code.code_mutants())}


def output_under_mutant(mutant: Mutant, read_output: Callable[[], object]) -> object:
    """Return the value of `read_output` after applying the mutant in a separate process."""
    all_mutants()  # the new process inherits them
    with multiprocessing.get_context("fork").Pool(1) as pool:
        return pool.apply(_output_after_applying, (mutant.name, read_output))


def _output_after_applying(name: str, read_output: Callable[[], object]) -> object:
    all_mutants()[name].apply()
    return read_output()


def spell_amount_in(ruleset: str, id: str) -> int:
    return RULESETS[ruleset].spells[id].amount


def right_hand_spells(ruleset: str, letters: str) -> list[str]:
    """Return the spells that the right hand completes with these letters on its own."""
    duel = engine.play.begin(
        ruleset,
        [engine.play.Duellist("Ada"), engine.play.Duellist("Bram")],
        setup={"wizards": [{"left": "-" * len(letters), "right": letters}]},
    )
    return [end.spell.id for end in duel.rules.ends[duel.wizards[0].right_state]]


def is_guard(spell_id: str) -> bool:
    return spell_id in spellbook.STOPPING_GUARDS


def turns_of_duration(lasts: Duration) -> object:
    return spellbook.TURNS_OF_DURATION[lasts]


@pytest.mark.parametrize(
    ("name", "read_output", "before", "after"),
    [
        ("bartle-1 fireball.amount = 6", partial(spell_amount_in, "bartle-1", "fireball"), 5, 6),
        (
            "bartle-1 missile.patterns = ('DSD',)", partial(right_hand_spells, "bartle-1", "WSD"),
            ["missile"], [],
        ),
        (
            "engine.spellbook.TURNS_OF_DURATION [t+1..t+3] = (1, 4)",
            partial(turns_of_duration, Duration.THREE_TURNS), (1, 3), (1, 4),
        ),
        (
            "engine.spellbook.STOPPING_GUARDS without magic_mirror",
            partial(is_guard, "magic_mirror"), True, False,
        ),
    ],
)  # fmt: skip
def test_applying_a_mutant_changes_the_named_value(
    name: str, read_output: Callable[[], object], before: object, after: object
) -> None:
    assert read_output() == before
    assert output_under_mutant(all_mutants()[name], read_output) == after
    assert read_output() == before


def test_every_switch_row_table_and_phase_has_mutants() -> None:
    for ruleset in RULESETS.values():
        for id in ruleset.spells:
            assert any(name.startswith(f"{ruleset.id} {id}.") for name in all_mutants())
        for switch in ("elementals_merge", "markers", "blind_sense_spells"):
            assert any(name.startswith(f"{ruleset.id} {switch} = ") for name in all_mutants())
    for part in (
        "sealed play without deal_damage", "stepwise play without aim_spells",
        "SEALED_MAGIC_PHASES apply_enchantments before cancel_conflicting_mind_spells",
        "EXECUTION_STEPS without deal_damage", "engine.spellbook.MONSTER_KINDS without troll",
        "bartle-1 wizard_hit_points = 16",
        "bartle-1 paralysed [C] = D", "bartle-1 under_fear without W",
        "spellcast-1 confused: D before P",
        "engine.spellbook.STOPPING_GUARDS without magic_mirror",
        f"bartle-1 two_stabs = {TwoStabs.LEFT}",
    ):  # fmt: skip
        assert part in all_mutants(), part


def test_code_mutant_changes_the_code_of_its_function() -> None:
    """The changed function must have different bytecode."""
    sample = list(code.code_mutants())[::40]
    assert len(sample) > 20
    all_mutants()  # the new process inherits them
    with multiprocessing.get_context("fork").Pool(1) as pool:
        assert all(pool.map(_is_other_code, [mutant.name for mutant in sample]))


def _is_other_code(name: str) -> bool:
    (change,) = all_mutants()[name].apply.args  # type: ignore[attr-defined]
    _, function = change.where
    before = function.__code__
    all_mutants()[name].apply()
    changed = function.__code__ != before and function.__code__.co_name == before.co_name
    function.__code__ = before
    return bool(changed)


def case_that_fails(name: str, word: str) -> str:
    """Return the name of a case that mentions this word and detects the mutant."""
    places = all_mutants()[name].touches
    trials = [
        rule_trials.Trial(
            case.name, "bartle-1", word, partial(rule_trials.play_case, case, "bartle-1"), places
        )
        for case in read_cases()
        if word in case.name and "bartle-1" in case.rulesets
    ]
    return rule_trials.rejection_or_failing_trial(all_mutants()[name], trials)


@pytest.mark.parametrize(
    ("name", "word", "notices"),
    [
        ("bartle-1 fireball.amount = 6", "fireball", True),
        ("bartle-1 fireball.amount = 6", "shield", False),
        ("engine.spellbook.STOPPING_GUARDS without magic_mirror", "mirror", True),
        ("sealed play without deal_damage", "missile", True),
    ],
)
def test_case_fails_under_a_mutant_of_its_rule(name: str, word: str, notices: bool) -> None:
    all_mutants()  # the new process inherits them
    with multiprocessing.get_context("fork").Pool(1) as pool:
        assert bool(pool.apply(case_that_fails, (name, word))) == notices


def test_equivalent_mutants_exist_and_have_reasons() -> None:
    assert set(REASON_BY_EQUIVALENT_MUTANT) <= set(all_mutants())
    assert all(len(reason) > 10 for reason in REASON_BY_EQUIVALENT_MUTANT.values())


def no_change() -> None:
    """Change nothing."""


def test_likeliest_trials_for_a_mutant_come_first() -> None:
    trials = [
        rule_trials.Trial("a", "bartle-1", "shield", str, 0b01),
        rule_trials.Trial("b", "wizards-1", "haste", str, 0b11),
        rule_trials.Trial("c", "bartle-1", "haste", str, 0b10),
        rule_trials.Trial("d", "bartle-1", "", str, 0b10, is_wide=True),
    ]
    names = [
        trial.name
        for trial in rule_trials.trials_for_mutant(Mutant("m", no_change, words=("haste",)), trials)
    ]
    assert names == ["b", "d", "c", "a"]
    before = rule_trials.trials_for_mutant(
        Mutant("m", no_change, words=("haste",)), trials, "a under bartle-1"
    )
    assert [trial.name for trial in before] == ["a", "b", "d", "c"]
    touched = Mutant("m", no_change, rulesets=("bartle-1",), touches=0b10)
    assert [trial.name for trial in rule_trials.trials_for_mutant(touched, trials)] == ["d", "c"]


def test_watcher_notes_the_lines_that_a_trial_runs() -> None:
    with record_places() as seen:
        engine.play.begin("bartle-1", [engine.play.Duellist("Ada"), engine.play.Duellist("Bram")])
    assert seen() & place_of_function(vars(engine.play)["begin"])
    assert not seen() & place_of_function(vars(engine.play)["resolve"])


def test_mutant_touches_only_its_own_statement() -> None:
    """A mutant of a condition touches the line of the condition, but not its block."""
    for mutant in code.code_mutants():
        assert 0 < mutant.touches.bit_count() < 40, mutant.name


def test_changed_condition_is_noted_only_if_its_result_differs() -> None:
    tree = ast.parse("def f(a, b):\n    return 1 if a and b else 2")
    both = next(node for node in ast.walk(tree) if isinstance(node, ast.BoolOp))
    parents = probes.parent_by_node(tree)
    assert probes.probe_site(both, parents) is both
    first_alone = (7, ast.Name("a", ast.Load()))
    probes.ProbeInserter({both: [first_alone]}, parents).visit(tree)
    names: dict[str, Any] = {probes.PROBE_NAME: probes.record_differing_variants}
    exec(compile(ast.fix_missing_locations(tree), "f", "exec"), names)
    probes.REACHED_PLACES.clear()
    assert [names["f"](a, b) for a, b in ((1, 1), (0, 0), (0, 1))] == [1, 2, 2]
    assert not probes.REACHED_PLACES
    assert names["f"](1, 0) == 2
    assert sorted(probes.REACHED_PLACES) == [7]


def test_probes_do_not_evaluate_calls_with_side_effects_twice() -> None:
    for text, is_site in (("a and b()", True), ("a and dice.draw(b)", False), ("a", False)):
        node = ast.parse(text, mode="eval").body
        assert (probes.probe_site(node, {}) is node) == is_site


def test_stored_results_are_read_back_and_the_last_one_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(result_store, "CACHE_FOLDER", tmp_path)
    monkeypatch.setattr(result_store, "RESULTS_FILE", tmp_path / "tried")
    assert result_store.stored_results() == {}
    result_store.replace_results({"a": result_store.MutantResult("case R1", "one")})
    result_store.store_result("b", result_store.MutantResult("", "one"))
    result_store.store_result("a", result_store.MutantResult("case R2", "two"))
    assert result_store.stored_results() == {
        "a": result_store.MutantResult("case R2", "two"),
        "b": result_store.MutantResult("", "one"),
    }


def test_mutant_noticed_before_is_skipped_until_its_source_changes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = {
        "noticed": result_store.MutantResult("case R1", "one"),
        "open": result_store.MutantResult("", "one"),
    }
    monkeypatch.setattr(__main__, "EARLIER_RESULTS", found)
    assert __main__.was_noticed_before(Mutant("noticed", no_change, source="one"))
    assert not __main__.was_noticed_before(Mutant("noticed", no_change, source="two"))
    assert not __main__.was_noticed_before(Mutant("open", no_change, source="one"))
    assert not __main__.was_noticed_before(Mutant("new", no_change, source="one"))


def test_fingerprint_of_a_mutant_depends_on_its_source() -> None:
    sources = {name: mutant.source for name, mutant in all_mutants().items()}
    assert all(sources.values())
    by_function: dict[str, set[str]] = {}
    for name in (mutant.name for mutant in code.code_mutants()):
        by_function.setdefault(name.split()[0], set()).add(sources[name])
    assert all(len(each) == 1 for each in by_function.values())
    assert len(set().union(*by_function.values())) > len(by_function) / 2
    assert sources["bartle-1 fireball.amount = 6"] == sources["bartle-1 wizard_hit_points = 16"]
    assert sources["bartle-1 fireball.amount = 6"] != sources["sealed play without deal_damage"]


def test_tables_unused_in_duels_have_no_mutants() -> None:
    """These tables only serve to build the book or to give advice."""
    tables = {name.split()[0] for name in all_mutants()}
    for name in ("ALL_MONSTER_KINDS", "BEAST_KINDS", "DEADLY_DURATIONS"):
        assert f"engine.spellbook.{name}" not in tables
    assert {
        f"engine.spellbook.{name}"
        for name in ("STOPPING_GUARDS", "TURNS_OF_DURATION", "OPPOSITE_ELEMENT")
    } <= tables


def test_only_value_errors_count_as_rejections() -> None:
    def raise_value_error() -> None:
        raise ValueError("two spells share a pattern")

    def raise_attribute_error() -> None:
        raise AttributeError("renamed")

    assert "share" in rule_trials.rejection_reason(Mutant("m", raise_value_error))
    assert rule_trials.rejection_reason(Mutant("m", no_change)) == ""
    with pytest.raises(AttributeError):
        rule_trials.rejection_reason(Mutant("m", raise_attribute_error))


def test_stored_places_are_read_back_only_with_the_same_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(result_store, "CACHE_FOLDER", tmp_path)
    result_store.store_places("trials", "key", {"case R1": 0b101, "case R2": -1})
    assert result_store.stored_places("trials", "key") == {"case R1": 0b101, "case R2": -1}
    assert result_store.stored_places("trials", "another key") == {}


def test_files_of_trials_and_other_tests_can_be_read() -> None:
    for files in (result_store.files_behind_trials(), result_store.files_behind_other_tests()):
        assert result_store.fingerprint(files)
