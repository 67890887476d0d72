"""Fixtures that publish rulesets which differ from a published one in single fields.

Nothing else can then explain a different result. `test_rulesets.py` and the casebook test the
values of the published rulesets.
"""

from dataclasses import replace
from typing import Any

import pytest

from engine.rulesets import RULESETS
from engine.rulesets.ruleset import make_ruleset
from engine.spellbook import BARTLE, revised
from tests.engine.changed_rulesets import RULESET_OF_EACH_PLAY, TEST_RULESET, Rows


@pytest.fixture
def publish_ruleset(monkeypatch: pytest.MonkeyPatch) -> object:
    """Return a function that publishes Bartle's rules, with changes, as `TEST_RULESET`."""

    def publish(rows: Rows | None = None, **switches: object) -> str:
        book = revised(BARTLE, rows or {})
        ruleset = make_ruleset(
            TEST_RULESET, name="Trial", description="For a test.", spells=book, **switches
        )
        monkeypatch.setitem(RULESETS, TEST_RULESET, ruleset)
        return TEST_RULESET

    return publish


@pytest.fixture
def publish_variant(monkeypatch: pytest.MonkeyPatch) -> object:
    """Return a function that publishes a ruleset with this order of play and changed fields."""

    def publish(play: str, **changes: Any) -> str:
        monkeypatch.setitem(
            RULESETS, TEST_RULESET, replace(RULESET_OF_EACH_PLAY[play], id=TEST_RULESET, **changes)
        )
        return TEST_RULESET

    return publish
