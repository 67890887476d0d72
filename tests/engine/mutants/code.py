"""Mutants of functions: changed conditions, spell ids and numbers, and omitted steps."""

import ast
import copy
import hashlib
import inspect
import re
from collections.abc import Iterable, Iterator
from functools import cache, partial
from itertools import groupby
from types import CodeType, FunctionType, ModuleType
from typing import NamedTuple

from engine.rulesets import RULESETS
from tests.engine.mutants import probes
from tests.engine.mutants.patch import (
    Mutant,
    engine_modules,
    functions_in_module,
    place_beyond_lines,
    places_of_lines,
)

SPELL_IDS = frozenset(spell for ruleset in RULESETS.values() for spell in ruleset.spells)
_REPORTING_CALL_PATTERN = re.compile(r"\b(emit|fail|report\w*|super)\b")
"""Calls that only report a turn or an error, and are covered by the tests of reports."""
_EVENT_SINKS = ("table.emit", "self.emit")


class NodeChange(NamedTuple):
    """A change to one node in a function, identified by the node's number."""

    where: tuple[ModuleType, FunctionType]
    number: int
    what: str


_PLACE_OF_CHANGE: dict[NodeChange, int] = {}
"""The place of each change whose result a probe can compare with the original's."""


def code_mutants() -> Iterator[Mutant]:
    """Yield all mutants of the code that resolves turns and applies mind spells to hands."""
    for module in engine_modules():
        if (
            module.__name__.startswith("engine.resolve")
            or module.__name__ == "engine.legality.hand_constraints"
        ):
            for function in functions_in_module(module):
                yield from mutants_of_function(module, function)


def mutants_of_function(module: ModuleType, function: FunctionType) -> Iterator[Mutant]:
    tree = function_definition(module, function)
    if tree is None:
        return
    nodes = list(ast.walk(tree))
    told = {part for node in nodes for part in reporting_nodes(node)}
    lines, parents = dict(lines_by_node(tree)), probes.parent_by_node(tree)
    file = function.__code__.co_filename
    source = hashlib.sha256(ast.dump(tree).encode()).hexdigest()[:16]
    for number, node in enumerate(nodes):
        for what in possible_changes(node) if node not in told else ():
            text = ast.unparse(node).split("\n")[0][:50]
            change = NodeChange((module, function), number, what)
            touches = places_of_lines(file, lines[node])
            if probes.probe_site(node, parents) is not None:
                place = _PLACE_OF_CHANGE.setdefault(
                    change, place_beyond_lines(len(_PLACE_OF_CHANGE))
                )
                touches = 1 << place
            yield Mutant(
                f"{module.__name__}.{function.__qualname__} {what} `{text}` #{number}",
                partial(apply_change, change),
                touches=touches,
                words=tuple(_spells_in(node)),
                line=getattr(node, "lineno", 0),
                source=source,
            )


def lines_by_node(node: ast.AST, around: range = range(0)) -> Iterator[tuple[ast.AST, range]]:
    """Yield each node with the line numbers of its statement, excluding the statement's block."""
    if isinstance(node, ast.stmt):
        block: list[ast.stmt] = getattr(node, "body", [])
        if block and not isinstance(node, ast.FunctionDef):
            around = range(node.lineno, max(node.lineno + 1, block[0].lineno))
        else:
            around = range(node.lineno, (node.end_lineno or node.lineno) + 1)
    yield node, around
    for child in ast.iter_child_nodes(node):
        yield from lines_by_node(child, around)


def reporting_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """Yield nodes in calls that only report the turn, or that run only if events are requested."""
    match node:
        case ast.Expr(value=ast.Call(func=func)) if _REPORTING_CALL_PATTERN.search(
            ast.unparse(func)
        ):
            yield from ast.walk(node)
        case ast.If(test=test, body=body) if ast.unparse(test) in _EVENT_SINKS:
            for statement in body:
                yield from ast.walk(statement)
        case _:
            pass


def _spells_in(node: ast.AST) -> Iterator[str]:
    for part in ast.walk(node):
        if isinstance(part, ast.Constant) and part.value in SPELL_IDS:
            yield str(part.value)


def possible_changes(node: ast.AST) -> Iterator[str]:
    """Yield the possible changes to a node."""
    match node:
        case ast.If(test=test) | ast.IfExp(test=test) | ast.While(test=test):
            if not _REPORTING_CALL_PATTERN.search(ast.unparse(test)):
                yield "not"
        case ast.comprehension(ifs=ifs):
            yield from ["unfiltered"] if ifs else []
        case ast.BoolOp(values=values):
            yield from (f"without part {number} of" for number in range(len(values)))
        case ast.Return(value=ast.Compare() | ast.BoolOp() | ast.UnaryOp(op=ast.Not())):
            yield "not"
        case ast.Constant(value=str(text)) if text in SPELL_IDS:
            yield "no spell for"
        case ast.Constant(value=int(value)) if not isinstance(value, bool):
            yield "one more than"
        case ast.Expr(value=ast.Call() as call):
            if not _REPORTING_CALL_PATTERN.search(ast.unparse(call.func)):
                yield "nothing for"
        case _:
            pass


def apply_change(change: NodeChange) -> None:
    """Apply the change to the function for the rest of this process."""
    module, function = change.where
    source = _module_tree(module)
    tree = _find_definition(source, function)
    assert tree is not None
    node = list(ast.walk(tree))[change.number]
    _NodeChanger(node, change.what).visit(tree)
    _replace_code(source, function)


def install_probes() -> None:
    """Make all functions record which of their changes would have a different result."""
    for module, in_module in groupby(_PLACE_OF_CHANGE, lambda change: change.where[0]):
        vars(module)[probes.PROBE_NAME] = probes.record_differing_variants
        source = _module_tree(module)
        probed: list[FunctionType] = []
        for (_, function), changed in groupby(in_module, lambda change: change.where):
            _insert_probes(_find_definition(source, function), changed)
            probed.append(function)
        _replace_code(source, *probed)


def _insert_probes(tree: ast.FunctionDef | None, changed: Iterable[NodeChange]) -> None:
    assert tree is not None
    nodes, parents = list(ast.walk(tree)), probes.parent_by_node(tree)
    variants: dict[ast.AST, list[probes.Variant]] = {}
    for change in changed:
        node = nodes[change.number]
        site = probes.probe_site(node, parents)
        assert site is not None
        variant = (_PLACE_OF_CHANGE[change], _changed_expression(site, node, change.what))
        variants.setdefault(site, []).append(variant)
    probes.ProbeInserter(variants, parents).visit(tree)


def _changed_expression(site: ast.AST, node: ast.AST, what: str) -> ast.expr:
    """Return the expression at the site with the node in it changed."""
    if isinstance(site, ast.comprehension):
        return ast.Constant(True)
    copies: dict[int, ast.AST] = {}
    copied = copy.deepcopy(site, copies)
    changed = _NodeChanger(copies[id(node)], what).visit(copied)
    assert isinstance(changed, ast.expr)
    return changed


def _replace_code(source: ast.Module, *changed: FunctionType) -> None:
    """Compile the tree of the functions' module, and replace the functions' code."""
    ast.fix_missing_locations(source)
    code = compile(source, changed[0].__code__.co_filename, "exec")
    for function in changed:
        function.__code__ = _find_code(code, function)


class _NodeChanger(ast.NodeTransformer):
    """Transformer that changes one node."""

    def __init__(self, node: ast.AST, what: str) -> None:
        self.node = node
        self.what = what

    def visit(self, node: ast.AST) -> ast.AST:
        if node is not self.node:
            return super().generic_visit(node)
        match node:
            case ast.If() | ast.IfExp() | ast.While():
                node.test = ast.UnaryOp(ast.Not(), node.test)
            case ast.comprehension():
                node.ifs = []
            case ast.BoolOp():
                del node.values[int(self.what.split()[2])]
                return node if len(node.values) > 1 else node.values[0]
            case ast.Return(value=value) if value is not None:
                node.value = ast.UnaryOp(ast.Not(), value)
            case ast.Constant(value=str()):
                node.value = "umbrella"
            case ast.Constant(value=int(value)):
                node.value = value + 1
            case ast.Expr():
                return ast.Pass()
            case _:
                raise AssertionError(node)
        return node


def _module_tree(module: ModuleType) -> ast.Module:
    return ast.parse(inspect.getsource(module))


_cached_module_tree = cache(_module_tree)


def function_definition(module: ModuleType, function: FunctionType) -> ast.FunctionDef | None:
    return _find_definition(_cached_module_tree(module), function)


def _find_definition(tree: ast.Module, function: FunctionType) -> ast.FunctionDef | None:
    """Return the function's definition in its module's tree, or None if there is none."""
    bodies: list[list[ast.stmt]] = [tree.body]
    bodies += [node.body for node in tree.body if isinstance(node, ast.ClassDef)]
    for body in bodies:
        for node in body:
            if isinstance(node, ast.FunctionDef) and node.name == function.__name__:
                first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
                if first == function.__code__.co_firstlineno:
                    return node
    return None


def _find_code(code: CodeType, function: FunctionType) -> CodeType:
    """Return the code of the function, found in its module's code."""
    for const in code.co_consts:
        if isinstance(const, CodeType):
            same = const.co_qualname == function.__code__.co_qualname
            if same and const.co_firstlineno == function.__code__.co_firstlineno:
                return const
            if not const.co_qualname.count("<"):
                try:
                    return _find_code(const, function)
                except LookupError:
                    continue
    raise LookupError(function.__qualname__)
