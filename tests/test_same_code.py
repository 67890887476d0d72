"""Tests of `tests/same_code.py`, which compares code without docstrings and comments."""

import pytest

from tests.same_code import has_same_code

MODULE_SOURCE = '''"""Module."""

def add(one: int, two: int) -> int:
    """Add."""
    return one + two  # a sum
'''


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"""Module."""', '"""A module that adds."""'),
        ('    """Add."""\n', ""),
        ("  # a sum", ""),
        ("# a sum", '\n    """A sum."""'),
        ("(one: int, two: int)", "(\n    one: int,\n    two: int\n)"),
    ],
)
def test_sources_with_different_text_and_layout_have_the_same_code(old: str, new: str) -> None:
    assert old in MODULE_SOURCE
    assert has_same_code(MODULE_SOURCE, MODULE_SOURCE.replace(old, new))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("one + two", "two + one"),
        ("  # a sum", " + 2"),
        ("add", "sum_of"),
        ('"""Add."""', 'print("Add.")'),
    ],
)
def test_sources_with_different_code_are_recognised(old: str, new: str) -> None:
    assert old in MODULE_SOURCE
    assert not has_same_code(MODULE_SOURCE, MODULE_SOURCE.replace(old, new))
