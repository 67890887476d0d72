"""The speed of the engine for random, planned and recorded duels, prepared in advance."""

import gc
import gzip
import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median

import engine.play
from bench.output import Figure
from bench.planned import planned_duel
from bench.reference import reference_microseconds
from bench.sizes import Size
from bench.timing import fastest_pass_seconds
from engine.orders import Orders
from engine.play import Position
from tests.engine.random_duels import Step, random_duel
from tests.vectors import mismatches, parse_recording

RECORDED_DUELS = Path(__file__).parent.parent / "tests" / "vectors" / "spellcast.jsonl.gz"


def figures(size: Size) -> Iterator[Figure]:
    """Yield all benchmark results for the engine."""
    duels, passes = size.engine_duels, size.passes
    yield from bartle_figures(duels, passes)
    reference = reference_microseconds()
    yield "reference_us", reference, "us"
    for ruleset in engine.play.RULESETS.values():
        name = ruleset.id.partition("-")[0]
        for what, steps in (
            ("", random_turns(duels // 4, ruleset.id)),
            ("_planned", planned_turns(duels // 8, ruleset.id)),
        ):
            turns = turns_per_second(steps, passes)
            yield f"engine_turns_per_second{what}_{name}", turns, "turns/s"
            yield f"engine_turn_ratio{what}_{name}", 1e6 / turns / reference, "turn/reference"
    with gzip.open(RECORDED_DUELS) as file:
        lines = list(file)[:: size.recordings_step]
    recorded = [parse_recording(json.loads(line)) for line in lines]

    def check_recorded_duels() -> None:
        for duel in recorded:
            assert not list(mismatches(duel)), duel.id

    seconds = fastest_pass_seconds(check_recorded_duels, passes)
    phases = sum(len(duel.phases) for duel in recorded)
    yield "vector_phases_per_second", phases / seconds, "phases/s"


def random_turns(duels: int, ruleset: str) -> list[Step]:
    """Return the turns of two-wizard duels with random gestures."""
    return [
        step
        for seed in range(duels)
        for step in random_duel(random.Random(seed), ruleset=ruleset, idle=True)
    ]


def planned_turns(duels: int, ruleset: str) -> list[Step]:
    """Return all turns of two-wizard duels whose gestures follow the sequences of spells."""
    return [
        step for seed in range(duels) for step in planned_duel(random.Random(seed), ruleset=ruleset)
    ]


def turns_per_second(steps: list[Step], passes: int) -> float:
    """Return the turns per second that `questions` and `resolve` handle with every event."""
    return len(steps) / fastest_pass_seconds(lambda: resolve_turns(steps), passes)


def bartle_figures(duels: int, passes: int) -> Iterator[Figure]:
    """Yield the results under Bartle's rules, for which there are targets."""
    steps = random_turns(duels, "bartle-1")
    gc.collect()
    gc.freeze()  # exempt the prepared turns from garbage collection
    yield "engine_prepared_turns", len(steps), "turns"
    yield "engine_turns_per_second", turns_per_second(steps, passes), "turns/s"
    dropped = fastest_pass_seconds(
        lambda: resolve_turns(steps, sink=engine.play.drop_events), passes
    )
    yield "engine_turns_per_second_no_events", len(steps) / dropped, "turns/s"
    sample = steps[:: max(1, len(steps) // 2_000)]
    yield "sheet_us", microseconds_per_call(sample, engine.play.sheet, passes), "us"
    yield "check_us", microseconds_per_call(sample, engine.play.check, passes), "us"
    plain = [step.position for step in sample if not step.position.monsters]
    sizes = [len(json.dumps(engine.play.dump(p), separators=(",", ":")).encode()) for p in plain]
    yield "position_json_bytes", max(sizes), "bytes"
    yield "position_json_bytes_median", median(sizes), "bytes"
    dumps = [engine.play.dump(position) for position in plain]
    calls: dict[str, Callable[[], object]] = {
        "dump": lambda: [engine.play.dump(position) for position in plain],
        "load": lambda: [engine.play.load(dumped) for dumped in dumps],
        "copy": lambda: [position.copy() for position in plain],
    }
    for name, call in calls.items():
        yield f"position_{name}_us", fastest_pass_seconds(call, passes) / len(plain) * 1e6, "us"


def resolve_turns(
    steps: list[Step], sink: Callable[[engine.play.Event], object] | None = None
) -> None:
    """Call `questions` and `resolve` for every prepared turn."""
    questions, resolve = engine.play.questions, engine.play.resolve
    for step in steps:
        questions(step.position, step.orders, step.answers, step.dice)
        resolve(step.position, step.orders, step.answers, step.dice, sink=sink)


def microseconds_per_call(
    sample: list[Step], call: Callable[[Position, str, Orders], object], passes: int
) -> float:
    """Return the microseconds per call, averaged over all wizards in all sampled turns."""
    rows = [(step.position, *each) for step in sample for each in step.orders.items()]
    return fastest_pass_seconds(lambda: [call(*row) for row in rows], passes) / len(rows) * 1e6
