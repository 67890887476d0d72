"""Tests of production's static files: compressed, with hashed names, even in imports of scripts."""

import json
import re
from pathlib import Path

import pytest
from django.test import Client, override_settings

from tests import prepared

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture(scope="module")
def collected_folder() -> Path:
    """The folder of static files, collected as for production."""
    return prepared.static_root()


def test_imports_in_scripts_have_hashed_names(collected_folder: Path):
    names: dict[str, str] = json.loads((collected_folder / "staticfiles.json").read_text())["paths"]
    folder = ROOT / "static" / "js"
    ours = [path.relative_to(folder).as_posix() for path in folder.rglob("*.js")]
    imported, written = [], 0
    for name in ours:
        own = (folder / name).read_text("utf-8")
        written += len(re.findall(r"""\bfrom\s*["']\.|\bimport\s*\(?["']\.""", own))
        text = (collected_folder / names[f"js/{name}"]).read_text("utf-8")
        found = re.findall(
            r"""(?:^import\b[^"']*|\bimport\()["'](\.[^"']+)["']""", text, re.MULTILINE
        )
        imported += found
    assert "./" + Path(names["js/reading.js"]).name in imported
    assert len(imported) == written  # the storage must recognise every import
    assert all(re.fullmatch(r"\.[\w./-]+\.[0-9a-f]{12}\.js", name) for name in imported), imported


def test_images_of_notifications_exist_under_unhashed_names(collected_folder: Path):
    """Browsers keep the service worker for a long time, so it cannot use hashed names."""
    script = (ROOT / "static" / "js" / "web_app" / "service_worker.js").read_text("utf-8")
    named = re.findall(r'"/static/(img/[^"]+)"', script)
    assert len(named) == 2
    assert all((collected_folder / name).is_file() for name in named)


def test_compressed_files_of_every_page_are_small(collected_folder: Path):
    names: dict[str, str] = json.loads((collected_folder / "staticfiles.json").read_text())["paths"]
    for name, most in (
        ("css/signs.css", 32_000),
        ("pages/site.js", 6_600),
        ("pages/site.css", 10_000),
    ):
        packed = collected_folder / f"{names[name]}.gz"
        assert packed.stat().st_size < most, name


def test_pages_load_hashed_files_that_browsers_cache(client: Client, collected_folder: Path):
    """Browsers may cache a file permanently if its name changes with its content."""
    from whitenoise.middleware import WhiteNoiseMiddleware

    storages = {"staticfiles": {"BACKEND": "spellcaster.storage.HashedStaticFilesStorage"}}
    with override_settings(
        STATIC_ROOT=collected_folder, STORAGES=storages, WHITENOISE_AUTOREFRESH=False
    ):
        html = client.get("/about/").content.decode()
        named = re.findall(r'"/static/([^"#]+)', html)
        assert len(named) > 5
        assert all(re.search(r"\.[0-9a-f]{12}\.\w+$", name) for name in named)
        serves = WhiteNoiseMiddleware(lambda request: None)
        for name in named:
            path = str(collected_folder / name)
            assert serves.immutable_file_test(path, f"/static/{name}"), name
