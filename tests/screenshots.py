"""Take screenshots of every page and email: `make screenshots`.

The folder `screenshots`, which git ignores, gets

- for each page a sheet of six pictures (360, 768 and 1440 pixels wide, by day and by night),
- for each email a sheet with its HTML (360 and 720 pixels wide) and its text in a monospaced font,
- `index.png` with all pages side by side.

With arguments, it takes only pages whose names contain one of them.
"""

import shutil
import sys
from collections.abc import Iterable, Iterator
from html import escape
from io import BytesIO
from pathlib import Path
from typing import Literal

from PIL import Image, ImageDraw, ImageFont
from playwright.sync_api import BrowserContext, Page, sync_playwright

from tests.sample_pages.site import ShownPage, ShownSite, shown_site
from tests.services import CHROMIUM_FLAGS, ROOT, chromium_path

SCREENSHOTS_FOLDER = ROOT / "screenshots"
FONT = ROOT / "static" / "vendor" / "alegreya-5.3.0" / "alegreya-latin-wght-normal.woff2"
WIDTHS = (360, 768, 1440)
MAIL_WIDTHS = (360, 720)
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
MAX_HEIGHT = 3600  # maximum height in pixels; there is nothing new further down
SCALE = 0.5
PATIENCE_MS = 180_000  # milliseconds, enough for a long page on a busy machine
PICTURE_GAP = 16
BACKGROUND = "#8b8378"
THUMBNAIL = (300, 400)
PICTURES_PER_ROW = 8


def main(wanted: list[str]) -> None:
    program = chromium_path()
    if program is None:
        sys.exit("Chromium is not installed. Install the Debian package chromium-headless-shell.")
    if not wanted:
        shutil.rmtree(SCREENSHOTS_FOLDER, ignore_errors=True)
    SCREENSHOTS_FOLDER.mkdir(exist_ok=True)
    with shown_site() as site, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=list(CHROMIUM_FLAGS))
        window = browser.new_context(reduced_motion="reduce")
        page = window.new_page()
        page.set_default_timeout(PATIENCE_MS)
        for shown in _selected_pages(site.pages, wanted):
            pictures = list(_page_pictures(site, window, page, shown))
            _picture_sheet(shown.name, pictures).save(
                SCREENSHOTS_FOLDER / f"{shown.name.replace(' ', '-')}.png"
            )
            print(f"{shown.name}: {shown.path}", flush=True)
        browser.close()
    _thumbnail_index(sorted(SCREENSHOTS_FOLDER.glob("*.png"))).save(
        SCREENSHOTS_FOLDER / "index.png"
    )
    print(f"The pictures are in {SCREENSHOTS_FOLDER.name}/; index.png shows them all.")


def _selected_pages(pages: Iterable[ShownPage], wanted: list[str]) -> list[ShownPage]:
    return [page for page in pages if not wanted or any(part in page.name for part in wanted)]


def _page_pictures(
    site: ShownSite, window: BrowserContext, page: Page, shown: ShownPage
) -> Iterator[Image.Image]:
    """Yield the page at each width and colour scheme.

    The page is loaded once per width, because a script can switch colours without a reload.
    """
    for width in MAIL_WIDTHS if shown.text else WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        site.open(window, page, shown)
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            yield _screenshot(page, is_whole=not shown.opens)
    if shown.text:
        page.emulate_media(color_scheme="light")
        page.set_content(f"<pre style='font-size:13px'>{escape(shown.text)}</pre>")
        yield _screenshot(page)


def _screenshot(page: Page, *, is_whole: bool = True) -> Image.Image:
    """Return a picture of the whole page, or only of its visible part."""
    taken = Image.open(BytesIO(page.screenshot(full_page=is_whole))).convert("RGB")
    return taken.crop((0, 0, taken.width, min(taken.height, MAX_HEIGHT)))


def _picture_sheet(name: str, pictures: list[Image.Image]) -> Image.Image:
    """Return a picture with these pictures side by side below the page's name."""
    small = [picture.reduce(int(1 / SCALE)) for picture in pictures]
    head = 40
    width = sum(picture.width + PICTURE_GAP for picture in small) + PICTURE_GAP
    height = max(picture.height for picture in small) + head + PICTURE_GAP
    sheet = Image.new("RGB", (width, height), BACKGROUND)
    _write_text(sheet, (PICTURE_GAP, 8), name, 22)
    left = PICTURE_GAP
    for picture in small:
        sheet.paste(picture, (left, head))
        left += picture.width + PICTURE_GAP
    return sheet


def _thumbnail_index(files: list[Path]) -> Image.Image:
    """Return a picture with thumbnails of all pages (the widest by day) below their names."""
    files = [file for file in files if file.name != "index.png"]
    rows = -(-len(files) // PICTURES_PER_ROW)
    wide, high = THUMBNAIL[0] + PICTURE_GAP, THUMBNAIL[1] + PICTURE_GAP + 24
    index = Image.new(
        "RGB", (PICTURES_PER_ROW * wide + PICTURE_GAP, rows * high + PICTURE_GAP), BACKGROUND
    )
    for number, file in enumerate(files):
        left, top = (
            PICTURE_GAP + number % PICTURES_PER_ROW * wide,
            PICTURE_GAP + number // PICTURES_PER_ROW * high,
        )
        with Image.open(file) as sheet:
            start = PICTURE_GAP * 5 + int(
                (360 * 2 + 768 * 2) * SCALE
            )  # after the four narrower ones
            picture = sheet.crop((start, 40, start + int(1440 * SCALE), sheet.height))
        picture = picture.resize(
            (THUMBNAIL[0], max(1, picture.height * THUMBNAIL[0] // picture.width))
        )
        index.paste(picture.crop((0, 0, *THUMBNAIL)), (left, top + 24))
        _write_text(index, (left, top), file.stem, 17)
    return index


def _write_text(image: Image.Image, at: tuple[int, int], text: str, size: int) -> None:
    font = ImageFont.truetype(str(FONT), size)
    ImageDraw.Draw(image).text(at, text, fill="#fff", font=font)


if __name__ == "__main__":
    main(sys.argv[1:])
