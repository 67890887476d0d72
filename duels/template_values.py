"""Base class for values whose attributes are used in templates."""

from typing import Any


class TemplateValue:
    """A value whose attributes can also be read as items, which makes templates faster.

    For `value.name`, Django tries `value["name"]` first. For values without items, the resulting
    exceptions took a thirtieth of the time needed for a duel's page.
    """

    __slots__ = ()

    def __getitem__(self, name: str) -> Any:
        return getattr(self, name)
