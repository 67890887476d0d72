"""Duels recorded by another implementation, replayed and compared phase by phase.

`parse_recording` reads one. `mismatches` replays it and yields the differences.
tests/vectors/README.md describes the format.
"""

from engine.json_values import NOTHING
from tests.vectors.compare import differences
from tests.vectors.recording import Recording, parse_recording
from tests.vectors.replay import Mismatch, mismatches

__all__ = ["NOTHING", "Mismatch", "Recording", "differences", "mismatches", "parse_recording"]
