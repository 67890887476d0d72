"""Views for the web app manifest, the service worker, the icon and `robots.txt`.

With these files, phones can install the site, and browsers can show notifications. Their addresses
must never change, because browsers request the files again later.
"""

from pathlib import Path
from typing import Final

from django.contrib.staticfiles import finders
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.templatetags.static import static
from django.urls import reverse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

# The colours for light and dark mode, as in templates/base.html.
LIGHT_COLOUR: Final = "#f4ead5"
DARK_COLOUR: Final = "#14100c"
ICON_SIZES: Final = (192, 512)
ICON_PATH: Final = "img/icon-192.png"
SERVICE_WORKER_PATH: Final = "js/web_app/service_worker.js"
PATHS_CLOSED_TO_ROBOTS: Final = ("/accounts/", "/admin/", "/desk/", "/settings/")


@require_safe
@cache_control(public=True, max_age=24 * 3600)
def manifest(request: HttpRequest) -> HttpResponse:
    """Return the web app manifest, with name, colours and icons of the installed site."""
    home = reverse("home")
    value = {
        "id": home,
        "name": "Spellcaster",
        "short_name": "Spellcaster",
        "description": "Wizards’ duels by correspondence.",
        "lang": "en",
        "start_url": home,
        "scope": home,
        "display": "standalone",
        "background_color": LIGHT_COLOUR,
        "theme_color": LIGHT_COLOUR,
        "color_scheme_dark": {"background_color": DARK_COLOUR, "theme_color": DARK_COLOUR},
        "categories": ["games"],
        "icons": [
            *(_icon_data(f"img/icon-{size}.png", size, "any") for size in ICON_SIZES),
            *(_icon_data(f"img/icon-maskable-{size}.png", size, "maskable") for size in ICON_SIZES),
        ],
    }
    return JsonResponse(value, content_type="application/manifest+json")


@require_safe
@cache_control(public=True, max_age=24 * 3600)
def favicon(request: HttpRequest) -> HttpResponse:
    """Return the icon for programs that request `/favicon.ico`."""
    return HttpResponse(_static_file(ICON_PATH).read_bytes(), content_type="image/png")


@require_safe
@cache_control(public=True, max_age=24 * 3600)
def robots(request: HttpRequest) -> HttpResponse:
    """Return `robots.txt`. It allows search engines to read all pages except private ones."""
    lines = ("User-agent: *", *(f"Disallow: {path}" for path in PATHS_CLOSED_TO_ROBOTS), "")
    return HttpResponse("\n".join(lines), content_type="text/plain; charset=utf-8")


@require_safe
@cache_control(no_cache=True)
def service_worker(request: HttpRequest) -> HttpResponse:
    """Return the service worker's script. The script's address makes the whole site its scope."""
    script = _static_file(SERVICE_WORKER_PATH).read_text()
    return HttpResponse(script, content_type="text/javascript; charset=utf-8")


def _static_file(path: str) -> Path:
    found = finders.find(path)
    assert found, path
    return Path(found)


def _icon_data(path: str, size: int, purpose: str) -> dict[str, str]:
    sizes = f"{size}x{size}"
    return {"src": static(path), "sizes": sizes, "type": "image/png", "purpose": purpose}
