"""Check that a change of docstrings and comments does not change code.

    python -m tests.same_code REV [PATH...]

Compare each Python file that differs from REV with its earlier version, as syntax trees without
docstrings. Comments are not part of a tree. List the files whose code differs, and exit with 1 if
there are any.
"""

import ast
import subprocess
import sys
from pathlib import Path


class _DocstringRemover(ast.NodeTransformer):
    """A transformer that removes docstrings, including those of constants."""

    def visit_Expr(self, node: ast.Expr) -> ast.AST | None:
        is_text = isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        return None if is_text else node


def tree_without_docstrings(source: str) -> str:
    """Return the syntax tree of this source, without docstrings."""
    return ast.dump(_DocstringRemover().visit(ast.parse(source)))


def has_same_code(before: str, after: str) -> bool:
    """Return whether two sources differ only in docstrings, comments and layout."""
    return tree_without_docstrings(before) == tree_without_docstrings(after)


def _git(*words: str) -> str:
    return subprocess.run(["git", *words], check=True, capture_output=True, text=True).stdout


def main(rev: str, *paths: str) -> int:
    changed = _git("diff", "--name-status", "--no-renames", rev, "--", *(paths or ["*.py"]))
    rows = [line.split("\t") for line in changed.splitlines() if line.endswith(".py")]
    different = [
        name
        for status, name in rows
        if status != "M" or not has_same_code(_git("show", f"{rev}:{name}"), Path(name).read_text())
    ]
    for name in different:
        print(f"{name}: the code differs")
    print(f"{len(rows)} files compared, {len(different)} with other code")
    return 1 if different else 0


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:]) if sys.argv[1:] else __doc__)
