"""Duels recorded by another implementation, replayed and compared phase by phase.

`parse_recording` reads one. `mismatches` replays it and yields the differences.
tests/vectors/README.md describes the format.
"""

from engine.json_values import MISSING as MISSING
from tests.vectors.compare import differences as differences
from tests.vectors.recording import Recording as Recording
from tests.vectors.recording import parse_recording as parse_recording
from tests.vectors.replay import Mismatch as Mismatch
from tests.vectors.replay import mismatches as mismatches
