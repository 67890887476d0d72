"""Make the icons for phones from `static/img/icon.svg`.

    python docs/icons.py

The web app manifest (`duels.screens.web_app.views`) lists them. Maskable icons, which may be cut to
any shape, are filled to the edge, with the drawing in the middle. The badge is a shape without a
background. Chromium, which the tests also need, renders the icons.
"""

import re
import sys
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from tests.services import CHROMIUM_FLAGS, chromium_path  # noqa: E402  # the line above makes it importable

IMAGES = ROOT / "static" / "img"
BACKGROUND = "#7d1f2b"
SAFE = 0.86  # share of the side; keeps the drawing inside the circle that no mask cuts off


def main() -> None:
    icon = (IMAGES / "icon.svg").read_text()
    shape = re.sub(r"<rect[^>]*/>", "", icon)
    with sync_playwright() as player:
        browser = player.chromium.launch(executable_path=chromium_path(), args=list(CHROMIUM_FLAGS))
        page = browser.new_page()
        for size in (192, 512):
            draw(page, icon, f"icon-{size}.png", size)
            draw(page, shape, f"icon-maskable-{size}.png", size, share=SAFE, fill=BACKGROUND)
        draw(page, shape, "icon-apple-180.png", 180, share=SAFE, fill=BACKGROUND)
        draw(page, shape.replace("#fdf3e3", "#fff"), "icon-badge-96.png", 96)
        browser.close()


def draw(
    page: Page, svg: str, name: str, size: int, *, share: float = 1, fill: str = "transparent"
) -> None:
    """Save the drawing in the centre of a square picture. `share`: its part of the side."""
    page.set_viewport_size({"width": size, "height": size})
    page.set_content(
        f'<body style="margin:0;height:{size}px;display:grid;place-items:center;background:{fill}">'
        f'<div style="width:{size * share}px;height:{size * share}px;line-height:0">{svg}</div>'
    )
    page.screenshot(path=str(IMAGES / name), omit_background=True)


if __name__ == "__main__":
    main()
