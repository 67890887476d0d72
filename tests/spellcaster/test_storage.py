"""Static files as production serves them: hashed names, also between scripts; compressed."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client, override_settings

from duels.templatetags import signs

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture(scope="module")
def collected(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of static files, made as for production."""
    folder = tmp_path_factory.mktemp("collected")
    storages = {"staticfiles": {"BACKEND": "spellcaster.storage.HashedFiles"}}
    with override_settings(STATIC_ROOT=folder, STORAGES=storages):
        call_command("collectstatic", interactive=False, verbosity=0)
    return folder


@pytest.fixture
def signs_anew() -> Iterator[None]:
    """What a process keeps of printed signs names the files as they were called then."""
    kept = (signs.sign, signs.flourish, signs.hands_for)
    for each in kept:
        each.cache_clear()
    yield
    for each in kept:
        each.cache_clear()


def test_what_our_scripts_import_has_a_hashed_name(collected: Path):
    names: dict[str, str] = json.loads((collected / "staticfiles.json").read_text())["paths"]
    ours = [path.name for path in (ROOT / "static" / "js").glob("*.js")]
    imported, written = [], 0
    for name in ours:
        own = (ROOT / "static" / "js" / name).read_text("utf-8")
        written += len(re.findall(r"""\bfrom\s*["']\./|\bimport\s*\(?["']\./""", own))
        text = (collected / names[f"js/{name}"]).read_text("utf-8")
        found = re.findall(r'^import\b[^"\']*["\'](\./[^"\']+)["\']', text, re.MULTILINE)
        imported += found
    assert "./" + Path(names["js/reading.js"]).name in imported
    assert len(imported) == written  # each is written so that the storage sees it
    assert all(re.fullmatch(r"\./[\w-]+\.[0-9a-f]{12}\.js", name) for name in imported), imported


def test_files_that_every_page_needs_are_small_over_the_wire(collected: Path):
    for name, most in (("img/sprite", 32_000), ("js/site", 2_000), ("css/variables", 4_000)):
        (packed,) = collected.glob(f"{name}.????????????.*.gz")
        assert packed.stat().st_size < most, name


def test_a_page_names_hashed_files_and_browsers_keep_them(
    client: Client, collected: Path, signs_anew: None
):
    """Names that never change their content may be kept for ever."""
    from whitenoise.middleware import WhiteNoiseMiddleware

    storages = {"staticfiles": {"BACKEND": "spellcaster.storage.HashedFiles"}}
    with override_settings(STATIC_ROOT=collected, STORAGES=storages, WHITENOISE_AUTOREFRESH=False):
        html = client.get("/about/").content.decode()
        named = re.findall(r'"/static/([^"#]+)', html)
        assert len(named) > 5
        assert all(re.search(r"\.[0-9a-f]{12}\.\w+$", name) for name in named)
        serves = WhiteNoiseMiddleware(lambda request: None)
        for name in named:
            path = str(collected / name)
            assert serves.immutable_file_test(path, f"/static/{name}"), name
