"""Tests of the style sheets and scripts of pages, which are joined from listed files."""

import json
import re
from collections.abc import Iterator
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import FileSystemStorage
from django.test import override_settings

from spellcaster.bundles import BundleError, ScriptBundle, bundled_text
from spellcaster.storage import HashedStaticFilesStorage
from tests import prepared

ROOT = Path(__file__).parents[2]
STATIC_FOLDER = ROOT / "static"
STYLES = sorted(
    path.relative_to(STATIC_FOLDER).as_posix() for path in STATIC_FOLDER.glob("pages/*.css")
)
SCRIPTS = sorted(
    path.relative_to(STATIC_FOLDER).as_posix() for path in STATIC_FOLDER.glob("pages/*.js")
)
STATIC_TAG_PATTERN = re.compile(r"\{% static '([^']+)' %\}")
FILES_BY_TEMPLATE = {  # the static files that each template names
    path.relative_to(ROOT).as_posix(): STATIC_TAG_PATTERN.findall(path.read_text("utf-8"))
    for path in ROOT.glob("templates/**/*.html")
}
ON_EVERY_PAGE = ("pages/site.js", "pages/presence.js")  # by base.html


def static_source(name: str) -> str:
    return (STATIC_FOLDER / name).read_text("utf-8")


@cache
def hashed_names() -> dict[str, str]:
    """Return the hashed names of the collected files."""
    paths: dict[str, str] = json.loads((prepared.static_root() / "staticfiles.json").read_text())[
        "paths"
    ]
    return paths


def collected_text(name: str) -> str:
    return (prepared.static_root() / hashed_names()[name]).read_text("utf-8")


def imported_files(name: str) -> list[str]:
    """Return the files that this file imports, without using the code under test."""
    found = re.findall(r"""^@?import\b[^"]*"(\.[^"]+)";$""", static_source(name), re.MULTILINE)
    paths = (STATIC_FOLDER.joinpath(name).parent.joinpath(path).resolve() for path in found)
    return [path.relative_to(STATIC_FOLDER).as_posix() for path in paths]


def run_in_order(name: str, done: set[str]) -> Iterator[str]:
    """Yield each module that a browser runs for this script once, in the order of execution."""
    if name in done:
        return
    done.add(name)
    for path in imported_files(name):
        yield from run_in_order(path, done)
    yield name


def module_statements(name: str) -> str:
    """Return the text of a module without its imports and the keyword `export`."""
    lines = re.sub(r'^import\b[^"]*"\.[^"]+";\n', "", static_source(name), flags=re.MULTILINE)
    return re.sub(r"^export ", "", lines, flags=re.MULTILINE).strip("\n")


@pytest.mark.parametrize("name", STYLES)
def test_style_sheet_contains_the_files_that_it_lists_in_order(name: str):
    listed = imported_files(name)
    assert len(listed) > 1
    assert collected_text(name) == "\n".join(map(collected_text, listed))


@pytest.mark.parametrize("name", SCRIPTS)
def test_script_contains_its_modules_in_the_order_of_execution(name: str):
    """Modules of other lists are imported from those lists' bundles instead."""
    lists = [path for path in run_in_order(name, set()) if path.startswith("pages/")]
    elsewhere: set[str] = set()
    for other in lists[:-1]:
        elsewhere.update(run_in_order(other, set()))
    own = [path for path in run_in_order(name, set()) if path not in {*elsewhere, name}]
    text = collected_text(name)
    places = [text.index(module_statements(path)) for path in own]
    assert places == sorted(places)
    assert len(places) == len(set(places)) > 0
    assert text.count("\n})();") == len(own)
    asked = re.findall(r"""^import.*?"\./([^"]+)";$""", text, re.MULTILINE)
    assert {f"pages/{each}" for each in asked} <= {hashed_names()[other] for other in lists[:-1]}


def test_every_bundle_is_used_by_a_template():
    assert {*STYLES, *SCRIPTS} <= {name for named in FILES_BY_TEMPLATE.values() for name in named}


def test_every_static_file_named_in_templates_is_collected():
    for path, named in FILES_BY_TEMPLATE.items():
        for name in named:
            assert (prepared.static_root() / hashed_names()[name]).is_file(), (path, name)


@cache
def modules_loaded_with(name: str) -> set[str]:
    """Return the modules that a page loads with this file."""
    return (
        set(ScriptBundle.read_script(name, static_source).modules)
        if name in SCRIPTS
        else set(run_in_order(name, set()))
    )


def test_pages_do_not_load_any_module_twice():
    """Two copies of a module would not share their state, such as the registry of keys."""
    ours = {
        path.relative_to(STATIC_FOLDER).as_posix() for path in STATIC_FOLDER.glob("[jp]*s/**/*.js")
    }
    for path, named in FILES_BY_TEMPLATE.items():
        scripts = ours & {*named, *ON_EVERY_PAGE}
        for one, other in combinations(sorted(scripts), 2):
            assert not modules_loaded_with(one) & modules_loaded_with(other), (path, one, other)


def write_file(folder: Path, name: str, text: str) -> None:
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text, "utf-8")


def collect_files(
    source_folder: Path, folder: Path, *, backwards: bool = False
) -> dict[str, bytes]:
    """Collect the files in this folder, and return the contents of all resulting files by name."""
    storage = FileSystemStorage(source_folder)
    found = sorted(
        path.relative_to(source_folder).as_posix()
        for path in source_folder.rglob("*")
        if path.is_file()
    )
    paths: dict[str, Any] = {name: (storage, name) for name in found[:: -1 if backwards else 1]}
    target = HashedStaticFilesStorage(location=folder)
    for name in paths:
        if not target.exists(name):
            target.save(name, ContentFile(b"collected before"))
    for name, _, processed in target.post_process(paths):
        assert not isinstance(processed, Exception), (name, processed)
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


@override_settings(WHITENOISE_SKIP_COMPRESS_EXTENSIONS=("css", "js", "png", "svg", "woff2", "md"))
def test_collectstatic_is_deterministic(tmp_path: Path):
    first = collect_files(STATIC_FOLDER, tmp_path / "first")
    second = collect_files(STATIC_FOLDER, tmp_path / "second", backwards=True)
    manifest = "staticfiles.json"
    assert json.loads(first.pop(manifest)) == json.loads(second.pop(manifest))
    assert first == second


def test_bundle_is_joined_again_if_a_file_has_changed(tmp_path: Path):
    """A bundle is joined again even if an older one was collected and the list is the same."""
    folder = tmp_path / "source"
    write_file(folder, "pages/duel.css", '@import "../css/a.css";\n')
    for colour in ("red", "green"):
        write_file(folder, "css/a.css", f"a {{ color: {colour}; }}\n")
        files = collect_files(folder, tmp_path / "collected")
        name = json.loads(files["staticfiles.json"])["paths"]["pages/duel.css"]
        assert files[name] == f"a {{ color: {colour}; }}\n".encode()


BUNDLE_FILES = {
    "css/a.css": "a { color: red; }\n",
    "css/nested.css": '@import "a.css";\n',
    "css/deep/image.css": "a { background: url(../../img/icon.svg); }\n",
    "js/one.js": "export const one = 1;\n",
    "js/two.js": 'import { one as a } from "./one.js";\nexport function two() { return a; }\n',
    "js/three.js": 'import { two } from "./two.js";\nimport "./one.js";\n\ntwo();\n',
    "js/ring.js": 'import "./chain.js";\n',
    "js/chain.js": 'import "./ring.js";\n',
    "js/default.js": "export default 1;\n",
    "js/all.js": 'import * as one from "./one.js";\n',
    "js/live.js": "export let count = 0;\n",
    "pages/base.js": 'import "../js/one.js";\n',
}


def bundle_of(name: str, text: str) -> str:
    """Return the bundle made from this list, which can refer to BUNDLE_FILES."""
    return bundled_text(name, {**BUNDLE_FILES, name: text}.__getitem__)


def test_joined_modules_have_separate_scopes():
    assert bundle_of("pages/p.js", 'import "../js/three.js";\n') == (
        "export const $js_one = (() => {\n"
        "const one = 1;\n"
        "return { one };\n"
        "})();\n"
        "export const $js_two = (() => {\n"
        "const { one: a } = $js_one;\n"
        "function two() { return a; }\n"
        "return { two };\n"
        "})();\n"
        "(() => {\n"
        "const { two } = $js_two;\n"
        "two();\n"
        "})();\n"
    )


def test_module_of_several_pages_is_imported_from_its_bundle():
    text = bundle_of("pages/p.js", 'import "./base.js";\nimport "../js/two.js";\n')
    assert text.startswith('import { $js_one } from "./base.js";\nexport const $js_two')


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("pages/p.css", "a { color: red; }\n"),
        ("pages/p.css", '@import "../css/nested.css";\n'),
        ("pages/p.css", '@import "../css/a.css" print;\n'),
        ("pages/p.css", '@import "../css/deep/image.css";\n'),
        ("pages/p.js", "alert(1);\n"),
        *(
            ("pages/p.js", f'import "../js/{module}.js";\n')
            for module in ("ring", "default", "all", "live")
        ),
    ],
)
def test_bundle_with_unsupported_styles_or_scripts_is_rejected(name: str, text: str):
    with pytest.raises(BundleError):
        bundle_of(name, text)
