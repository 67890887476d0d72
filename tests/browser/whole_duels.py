"""Duels that tests play in Chromium to their end. A usual run plays one of them.

It depends on the date, as all samples do (`tests/daily.py`). `tests/duels` plays a whole duel of
each order of play in every run, without a browser.
"""

from typing import Final

import pytest

from tests import daily

DUELS: Final = ("first sample game", "haste and bank", "time stop", "two hasted wizards")
DUELS_OF_TODAY: Final = daily.sample(DUELS, 4, "whole duels in Chromium")


def whole_duel(name: str) -> pytest.MarkDecorator:
    """Return the mark of the test that plays this duel."""
    return pytest.mark.long if name in DUELS_OF_TODAY else pytest.mark.nightly
