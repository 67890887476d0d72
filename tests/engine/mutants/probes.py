"""Probes that evaluate a condition and its changed form, and compare the results.

If both always have the same result in a trial, the trial cannot notice the change and need not run.
Each probed change has a number. If its result differs from the original, the trial has reached the
place with this number, just as it reaches the lines that it runs.
"""

import ast
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final

Parents = Mapping[ast.AST, ast.AST]
Variant = tuple[int, ast.expr]
"""The place that is reached if the result of a condition differs, and the changed condition."""

PROBE_NAME: Final = "differing_places_"
PROBED_NODE_TYPES: Final = (ast.Compare, ast.Subscript, ast.BinOp, ast.IfExp)
_SIDE_EFFECT_PATTERN = re.compile(
    r"\b(draw|pop|remove|append|setdefault|add|emit|report\w*|clear|can_remove"
    r"|chosen_victim|forced_victim|is_commanded|is_seen|fails_because_unseen|send)\b|:=|yield|lambda"
)
"""Calls with side effects, which must not run twice."""

REACHED_PLACES: set[int] = set()
"""Places reached since the set was last cleared."""


def parent_by_node(tree: ast.AST) -> Parents:
    return {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}


def probe_site(node: ast.AST, parents: Parents) -> ast.AST | None:
    """Return the expression whose value shows whether a change to this node matters, or None."""
    site: ast.AST | None = node
    if isinstance(node, ast.Constant):
        while site is not None and not isinstance(site, PROBED_NODE_TYPES):
            site = parents.get(site) if isinstance(site, ast.expr) else None
    elif not isinstance(node, (ast.BoolOp, ast.comprehension)):
        return None
    if isinstance(site, ast.Subscript) and not isinstance(site.ctx, ast.Load):
        return None
    if site is None or any(
        _SIDE_EFFECT_PATTERN.search(ast.unparse(part)) for part in expressions_at_site(site)
    ):
        return None
    return site


def expressions_at_site(site: ast.AST) -> Sequence[ast.expr]:
    """Return the expressions evaluated at a site: a comprehension's filters, or the node."""
    if isinstance(site, ast.comprehension):
        return site.ifs
    assert isinstance(site, ast.expr)
    return [site]


def record_differing_variants(
    own: Callable[[], object], *others: tuple[int, Callable[[], object]]
) -> object:
    """Return the value of the original, and record the places of variants with different values."""
    value = own()
    for place, other in others:
        try:
            is_same = other() == value
        except Exception:
            is_same = False
        if not is_same:
            REACHED_PLACES.add(place)
    return value


class ProbeInserter(ast.NodeTransformer):
    """Transformer that inserts a comparison with the variants at every site."""

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
            node.ifs = [comparison_call(whole, variants, is_truth=True)]
            return node
        assert isinstance(node, ast.expr)
        return comparison_call(node, variants, is_truth=is_truth)

    def is_truth(self, node: ast.AST) -> bool:
        """Return whether the node is used only as true or false."""
        match self.parents.get(node):
            case ast.If(test=test) | ast.IfExp(test=test) | ast.While(test=test):
                return test is node
            case ast.UnaryOp(op=ast.Not()):
                return True
            case _:
                return False


def comparison_call(node: ast.expr, variants: Sequence[Variant], *, is_truth: bool) -> ast.expr:
    """Return a call that evaluates original and variants, and returns the original's value."""

    def deferred(expression: ast.expr) -> ast.Lambda:
        if is_truth:
            expression = ast.UnaryOp(ast.Not(), ast.UnaryOp(ast.Not(), expression))
        nothing = ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[])
        return ast.Lambda(nothing, expression)

    others = [
        ast.Tuple([ast.Constant(place), deferred(other)], ast.Load()) for place, other in variants
    ]
    return ast.Call(ast.Name(PROBE_NAME, ast.Load()), [deferred(node), *others], [])
