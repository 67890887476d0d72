"""A base for values whose attributes templates read."""

from typing import Any


class TemplateValue:
    """A value with attributes that templates also find as items.

    For `value.name`, Django tries `value["name"]` first. The exceptions of values without items
    took a thirtieth of the time of a duel's page.
    """

    __slots__ = ()

    def __getitem__(self, name: str) -> Any:
        return getattr(self, name)
