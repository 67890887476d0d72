"""Choices for the kind of a notice. Migrations refer to this module instead of a list of kinds, so
a new kind does not need a migration."""

from importlib import import_module


def kind_choices() -> list[tuple[str, str]]:
    """Return the codes and labels of all kinds.

    Kinds import the model of notices, so they can be imported only when this function is called.
    """
    registry = import_module("duels.post.kinds.registry")
    return [(kind.code, kind.label) for kind in registry.all_kinds().values()]
