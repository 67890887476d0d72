"""Where a change of a condition would make a difference: both are worked out, and compared.

A trial in which the changed condition always comes out as the one that stands cannot notice the
change, and need not be asked. Each such change is a place of its own, beyond all lines.
"""

import ast
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final

Parents = Mapping[ast.AST, ast.AST]
Variant = tuple[int, ast.expr]
"""What would stand instead, and the place that is come by where it comes out otherwise."""

PROBE: Final = "differing_places_"
SITES: Final = (ast.Compare, ast.Subscript, ast.BinOp, ast.IfExp)
_ACTS = re.compile(
    r"\b(draw|pop|remove|append|setdefault|add|emit|clear|can_remove|chosen_victim|forced_victim"
    r"|has_attack|is_commanded|is_seen|is_lost_from_sight|send)\b|:=|yield|lambda"
)
"""What is not to be worked out twice."""

SEEN: set[int] = set()
"""The places come by since this was last cleared."""


def parents_in(tree: ast.AST) -> Parents:
    return {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}


def site_of(node: ast.AST, parents: Parents) -> ast.AST | None:
    """What is to be compared to see whether a change of this node tells; None if nothing can be."""
    site: ast.AST | None = node
    if isinstance(node, ast.Constant):
        while site is not None and not isinstance(site, SITES):
            site = parents.get(site) if isinstance(site, ast.expr) else None
    elif not isinstance(node, (ast.BoolOp, ast.comprehension)):
        return None
    if isinstance(site, ast.Subscript) and not isinstance(site.ctx, ast.Load):
        return None
    if site is None or any(_ACTS.search(ast.unparse(part)) for part in conditions(site)):
        return None
    return site


def conditions(site: ast.AST) -> Sequence[ast.expr]:
    """What is worked out there: the filters of a comprehension, or the expression itself."""
    if isinstance(site, ast.comprehension):
        return site.ifs
    assert isinstance(site, ast.expr)
    return [site]


def note_differences(
    own: Callable[[], object], *others: tuple[int, Callable[[], object]]
) -> object:
    """What it comes to as it stands; where one of the others does not, its place is noted."""
    value = own()
    for place, other in others:
        try:
            is_same = other() == value
        except Exception:
            is_same = False
        if not is_same:
            SEEN.add(place)
    return value


class Probed(ast.NodeTransformer):
    """Compares at every site what stands there with its variants."""

    def __init__(self, variants: Mapping[ast.AST, Sequence[Variant]], parents: Parents) -> None:
        self.variants = variants
        self.parents = parents

    def visit(self, node: ast.AST) -> ast.AST:
        variants = self.variants.get(node)
        is_truth = self.is_truth(node)
        self.generic_visit(node)
        if not variants:
            return node
        if isinstance(node, ast.comprehension):
            whole = node.ifs[0] if len(node.ifs) == 1 else ast.BoolOp(ast.And(), node.ifs)
            node.ifs = [compared(whole, variants, is_truth=True)]
            return node
        assert isinstance(node, ast.expr)
        return compared(node, variants, is_truth=is_truth)

    def is_truth(self, node: ast.AST) -> bool:
        """Whether it only matters if this is true."""
        match self.parents.get(node):
            case ast.If(test=test) | ast.IfExp(test=test) | ast.While(test=test):
                return test is node
            case ast.UnaryOp(op=ast.Not()):
                return True
            case _:
                return False


def compared(node: ast.expr, variants: Sequence[Variant], *, is_truth: bool) -> ast.expr:
    """A call that works out all of them, and comes to what the node does."""

    def deferred(expression: ast.expr) -> ast.Lambda:
        if is_truth:
            expression = ast.UnaryOp(ast.Not(), ast.UnaryOp(ast.Not(), expression))
        nothing = ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[])
        return ast.Lambda(nothing, expression)

    others = [
        ast.Tuple([ast.Constant(place), deferred(other)], ast.Load()) for place, other in variants
    ]
    return ast.Call(ast.Name(PROBE, ast.Load()), [deferred(node), *others], [])
