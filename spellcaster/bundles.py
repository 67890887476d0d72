"""Bundles: a page's style sheet and script, each joined from the files that it imports.

The files in `static/pages/` list what pages load, as `@import` and `import` lines that browsers
understand. A checkout serves these lists, and the files that they name, unchanged. `collectstatic`
replaces each list with the joined files, so that a page needs fewer requests.

Lists are one folder deep. Only a style sheet that is also one folder deep may use relative
addresses, because only then do they refer to the same files in the bundle.
"""

import posixpath
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final

PAGES_FOLDER: Final = "pages/"

# Function that returns the text of a static file, given its name, such as "css/base.css".
ReadStaticFile = Callable[[str], str]

_STYLE_IMPORT_PATTERN: Final = re.compile(r'^@import "(?P<path>[^"]+)";\n', re.MULTILINE)
_CSS_COMMENT_PATTERN: Final = re.compile(r"/\*.*?\*/", re.DOTALL)

# The forms of import and export that our scripts use.
_IMPORT_PATTERN: Final = re.compile(
    r'^import (?:\{(?P<names>[^}]*)\} from )?"(?P<path>\.[^"]+)";\n', re.MULTILINE
)
_EXPORT_PATTERN: Final = re.compile(
    r"^export (?=(?:async function|function|class|const) (?P<name>\w+))", re.MULTILINE
)
_LINE_COMMENT_PATTERN: Final = re.compile(r"^//.*", re.MULTILINE)
_OTHER_STATEMENT_PATTERN: Final = re.compile(r"^(?:import|export)\b(?! *\().*", re.MULTILINE)


class BundleError(ValueError):
    """Error for a file whose syntax prevents joining."""


def is_bundle_list(name: str) -> bool:
    """Return whether this static file lists the files of a page."""
    return name.startswith(PAGES_FOLDER) and name.endswith((".css", ".js"))


def bundled_text(name: str, read_file: ReadStaticFile) -> str:
    """Return the joined text of the files that a list names."""
    if name.endswith(".css"):
        return _bundled_styles(name, read_file)
    return "\n".join(ScriptBundle.read_script(name, read_file).bundle_parts()) + "\n"


def _bundled_styles(name: str, read_file: ReadStaticFile) -> str:
    rest = _CSS_COMMENT_PATTERN.sub("", _STYLE_IMPORT_PATTERN.sub("", read_file(name))).strip()
    if rest:
        raise BundleError(f'{name}: only lines of @import "…"; can be joined, not {rest!r}')
    listed = [
        _resolved_file_name(name, found["path"])
        for found in _STYLE_IMPORT_PATTERN.finditer(read_file(name))
    ]
    texts = {path: read_file(path) for path in listed}
    for path, text in texts.items():
        if "@import" in _CSS_COMMENT_PATTERN.sub("", text):
            raise BundleError(f"{path}: it is listed in {name}, so it cannot import others")
        if path.count("/") > 1 and "url(" in _CSS_COMMENT_PATTERN.sub("", text):
            raise BundleError(f"{path}: addresses in it would not be found from {name}")
    return "\n".join(texts.values())


@dataclass
class ScriptBundle:
    """A list of modules, and the other lists that it imports, which the page loads separately."""

    modules: dict[str, "_Module"] = field(default_factory=dict)
    others: dict[str, "ScriptBundle"] = field(default_factory=dict)  # all imported lists

    @classmethod
    def read_script(cls, name: str, read_file: ReadStaticFile) -> "ScriptBundle":
        script = cls()
        own = _Module.read_module(name, read_file)
        if code := _LINE_COMMENT_PATTERN.sub("", own.body).strip():
            raise BundleError(f'{name}: only lines of import "…"; can be joined, not {code!r}')
        for _, path in own.imports:
            if is_bundle_list(path):
                other = cls.read_script(path, read_file)
                script.others |= {**other.others, path: other}
            else:
                script.add_module(path, read_file, ())
        return script

    def add_module(self, path: str, read_file: ReadStaticFile, importers: tuple[str, ...]) -> None:
        """Add a module after those that it imports, in the order of execution."""
        if path in importers:
            raise BundleError(f"modules import each other in a circle: {(*importers, path)}")
        if any(path in script.modules for script in (self, *self.others.values())):
            return
        module = _Module.read_module(path, read_file)
        for _, other in module.imports:
            self.add_module(other, read_file, (*importers, path))
        self.modules[path] = module

    def bundle_parts(self) -> Iterator[str]:
        """Yield the parts of the bundle: its imports from other bundles, then its modules."""
        needed = {
            path for module in self.modules.values() for names, path in module.imports if names
        }
        for name, other in self.others.items():
            lent = ", ".join(_exports_variable(path) for path in other.modules if path in needed)
            yield f'import {f"{{ {lent} }} from " if lent else ""}"./{posixpath.basename(name)}";'
        for module in self.modules.values():
            yield from module.function_parts()


@dataclass(frozen=True)
class _Module:
    path: str
    imports: tuple[tuple[str, str], ...]  # each: the names, if any, and the module's path
    exports: tuple[str, ...]
    body: str

    @classmethod
    def read_module(cls, path: str, read_file: ReadStaticFile) -> "_Module":
        text = read_file(path)
        imports = tuple(
            ((found["names"] or "").strip(), _resolved_file_name(path, found["path"]))
            for found in _IMPORT_PATTERN.finditer(text)
        )
        exports = tuple(found["name"] for found in _EXPORT_PATTERN.finditer(text))
        body = _EXPORT_PATTERN.sub("", _IMPORT_PATTERN.sub("", text)).strip("\n")
        if other := _OTHER_STATEMENT_PATTERN.search(body):
            raise BundleError(
                f"{path}: {other[0]!r} is not a form of import or export that can be joined"
            )
        return cls(path, imports, exports, body)

    def function_parts(self) -> Iterator[str]:
        """Yield the module as a function, so that its names stay private."""
        yield (
            f"export const {_exports_variable(self.path)} = (() => {{"
            if self.exports
            else "(() => {"
        )
        for names, path in self.imports:
            if names:
                yield f"const {{ {names.replace(' as ', ': ')} }} = {_exports_variable(path)};"
        yield self.body
        if self.exports:
            yield f"return {{ {', '.join(self.exports)} }};"
        yield "})();"


def _exports_variable(path: str) -> str:
    """Return the name of the variable for this module's exports in a bundle."""
    return "$" + re.sub(r"\W", "_", path.removesuffix(".js"))


def _resolved_file_name(name: str, path: str) -> str:
    """Return the name of the static file at a relative address in another file."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), path))
