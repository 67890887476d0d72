"""Make the signs of `duels/pictures/signs/` from `static/img/sprite.svg`, as masks in grey.

    python docs/signs.py

The pictures of share links draw with them, so that the site needs no program for SVG. Chromium
renders them: it is one of the tools that the tests need.
"""

import io
import re
import sys
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from duels.pictures.stamps import FOLDER, needed  # noqa: E402  # the line above makes it importable
from tests.services import CHROMIUM_FLAGS, chromium  # noqa: E402

SPRITES = ROOT / "static" / "img"
SIZE = 96  # pixels: twice the largest that a picture shows
SYMBOL = re.compile(r'<symbol id="([^"]+)" viewBox="([^"]+)">(.*?)</symbol>', re.DOTALL)


def main() -> None:
    for old in FOLDER.glob("*.png"):
        old.unlink()
    wanted = needed()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium(), args=list(CHROMIUM_FLAGS), headless=True
        )
        page = browser.new_page(viewport={"width": SIZE, "height": SIZE})
        for sprite in sorted(SPRITES.glob("sprite*.svg")):
            for name, box, body in SYMBOL.findall(sprite.read_text("utf-8")):
                if name in wanted:
                    mask(page, box, body).save(FOLDER / f"{name}.png", optimize=True)
        browser.close()


def mask(page: Page, box: str, body: str) -> Image.Image:
    """How much ink lies where: 16 shades of it."""
    page.set_content(
        '<body style="margin:0;background:#000;color:#fff">'
        f'<svg width="{SIZE}" height="{SIZE}" viewBox="{box}" fill="#fff" style="display:block">'
        f"{body}</svg>"
    )
    shot = Image.open(io.BytesIO(page.screenshot()))
    return shot.convert("L").quantize(16).convert("L")


if __name__ == "__main__":
    main()
