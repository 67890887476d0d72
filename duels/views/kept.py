"""What is made of a view, made once for each view.

Views are large, and the same one serves many requests (`queries.stories`): they are told apart by
which they are, not by what is in them.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache, wraps
from typing import Final, TypeVar

from engine import View

KEPT: Final = 256
Spells = Mapping[str, str]
Made = TypeVar("Made")


class Same:
    """A view that equals itself only. It is held, so that nothing else takes its place."""

    __slots__ = ("spells", "view")

    def __init__(self, view: View, spells: Spells) -> None:
        self.view, self.spells = view, spells

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and self.view is other.view

    def __hash__(self) -> int:
        return id(self.view)


def once_for_each_view(make: Callable[[View, Spells], Made]) -> Callable[[View, Spells], Made]:
    """The function, asked once for each view. The names of its spells go with its ruleset."""

    @lru_cache(maxsize=KEPT)
    def made(same: Same) -> Made:
        return make(same.view, same.spells)

    @wraps(make)
    def kept(view: View, spells: Spells) -> Made:
        return made(Same(view, spells))

    return kept
