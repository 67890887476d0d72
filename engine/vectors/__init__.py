"""Duels recorded from another implementation, replayed and compared phase by phase.

`recording` reads one, `mismatches` plays it and tells what comes out otherwise. The format is
described in tests/vectors/README.md.
"""

from engine.json_values import NOTHING
from engine.vectors.compare import differences
from engine.vectors.recording import Recording, recording
from engine.vectors.replay import Mismatch, mismatches

__all__ = ["NOTHING", "Mismatch", "Recording", "differences", "mismatches", "recording"]
