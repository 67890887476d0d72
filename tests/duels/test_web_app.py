"""The installable web app: its manifest, its icons, and the service worker for notifications."""

import json
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from django.contrib.staticfiles import finders
from django.test import Client
from django.urls import reverse
from PIL import Image

pytestmark = pytest.mark.django_db


@pytest.fixture
def manifest() -> dict[str, Any]:
    answer = Client().get("/manifest.webmanifest")
    assert answer.headers["Content-Type"] == "application/manifest+json"
    assert answer.cookies == {}
    value: dict[str, Any] = json.loads(answer.content)
    return value


def test_every_page_links_to_the_manifest():
    page = Client().get("/about/").content.decode()
    assert '<link rel="manifest" href="/manifest.webmanifest">' in page


def test_manifest_has_name_scope_and_display(manifest: dict[str, Any]):
    assert manifest["start_url"] == manifest["scope"] == "/"
    assert manifest["display"] == "standalone"
    assert manifest["name"] == "Spellcaster"


def test_manifest_uses_the_colours_of_the_pages(manifest: dict[str, Any]):
    page = Client().get("/about/").content.decode()
    for colours in (manifest, manifest["color_scheme_dark"]):
        assert f'content="{colours["theme_color"]}"' in page


def test_manifest_icons_have_the_stated_sizes(manifest: dict[str, Any]):
    icons = manifest["icons"]
    assert {(icon["purpose"], icon["sizes"]) for icon in icons} == {
        (purpose, size) for purpose in ("any", "maskable") for size in ("192x192", "512x512")
    }
    for icon in icons:
        found = finders.find(icon["src"].removeprefix("/static/"))
        assert found
        with Image.open(found) as picture:
            assert f"{picture.width}x{picture.height}" == icon["sizes"]
            assert picture.format == "PNG"
            corner = picture.convert("RGBA").getpixel((0, 0))
            assert isinstance(corner, tuple)
            assert (corner[3] == 255) == (icon["purpose"] == "maskable")  # only these are opaque


def test_service_worker_is_served_from_the_root():
    """At the root, the scope of the service worker is the whole site."""
    answer = Client().get("/service-worker.js")
    assert answer.headers["Content-Type"].startswith("text/javascript")
    assert answer.headers["Cache-Control"] == "no-cache"
    assert answer.cookies == {}
    assert answer.content.decode() == service_worker_script()


def test_service_worker_does_not_cache_pages():
    """Players must never see an old turn."""
    assert "caches" not in service_worker_script()
    assert '"fetch"' not in service_worker_script()


def service_worker_script() -> str:
    found = finders.find("js/web_app/service_worker.js")
    assert found
    return Path(found).read_text()


def test_favicon_is_served_at_its_usual_address():
    answer = Client().get("/favicon.ico")
    assert answer["Content-Type"] == "image/png"
    assert Image.open(BytesIO(answer.content)).size == (192, 192)


def test_robots_txt_excludes_private_pages():
    answer = Client().get("/robots.txt")
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    lines = answer.content.decode().splitlines()
    assert lines[0] == "User-agent: *"
    excluded = tuple(line.removeprefix("Disallow: ") for line in lines[1:])
    for path in (reverse("account_login"), reverse("settings")):
        assert path.startswith(excluded)
    for path in ("/duels/", reverse("invitation", args=["x"])):  # invitations need previews
        assert not path.startswith(excluded)
