"""Make masks for pages and pictures from the icons in `static/img/sprite.svg`.

    python docs/signs.py

`static/css/signs.css` gets each icon as a mask, which pages fill with the colour of their text.
`duels/pictures/signs/` gets some of them as grey masks for the pictures in link previews, so that
the site does not have to render SVG itself. Chromium, which the tests also need, renders these
masks.
"""

import io
import re
import sys
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

import engine.play  # noqa: E402  # the line above makes it importable
from duels.pictures.icons import SIGN_FOLDER, gesture_sign, monster_sign, spell_sign  # noqa: E402
from duels.screens.parts.signs import sign_class  # noqa: E402
from engine.play import GESTURE_NAMES, MONSTER_KINDS  # noqa: E402
from tests.services import CHROMIUM_FLAGS, chromium_path  # noqa: E402

SPRITES = ROOT / "static" / "img"
STYLES = ROOT / "static" / "css" / "signs.css"
STYLESHEET_HEAD = """\
/* Icons as masks, filled with the colour of the text next to them, even in print and with forced
   colours. docs/signs.py makes them from static/img/sprite.svg, which names the artists. */

.sign, :is(.history td > b, .cast-name, .gesture-face, .trail > span)::before {
  background: currentcolor; mask: var(--sign) center / contain no-repeat;
  print-color-adjust: exact; forced-color-adjust: preserve-parent-color;
}
@media (forced-colors: active) {
  .sign, :is(.history td > b, .cast-name, .gesture-face, .trail > span)::before {
    color: inherit !important;
  }
}

"""
MASK_SIZE = 96  # pixels, twice the largest size in a picture
SYMBOL_PATTERN = re.compile(r'<symbol id="([^"]+)" viewBox="([^"]+)">(.*?)</symbol>', re.DOTALL)


def names_of_needed_signs() -> set[str]:
    """Return the names of all icons that a picture may show."""
    gestures = {gesture_sign(letter) for letter in (*GESTURE_NAMES, "?")}
    spells = {
        spell_sign(spell)
        for rules in engine.play.RULESETS.values()
        for variant in (rules, *rules.variants.values())
        for spell in variant.spells
    }
    return (
        {"hat", "quill", "scroll"}
        | gestures
        | {gesture_sign("C", is_half=True)}
        | spells
        | set(map(monster_sign, MONSTER_KINDS))
    )


def stylesheet() -> str:
    """Return a style sheet with the shape of each sign (`duels.screens.parts.signs`)."""
    rules = (
        f'.{sign_class(name.removeprefix("gesture-"))} {{ --sign: url("{data_url(box, body)}"); }}'
        for sprite in sorted(SPRITES.glob("sprite*.svg"))
        for name, box, body in SYMBOL_PATTERN.findall(sprite.read_text("utf-8"))
    )
    return STYLESHEET_HEAD + "\n".join(rules) + "\n"


def data_url(box: str, body: str) -> str:
    """Return a drawing as a `data:` URL, without its colour, which a mask ignores."""
    bare = body if 'fill="none"' in body else body.replace(' fill="currentColor"', "")
    drawing = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}">{bare}</svg>'
    signs: dict[str, str | int | None] = {"%": "%25", "<": "%3C", ">": "%3E", "#": "%23", '"': "'"}
    return "data:image/svg+xml," + drawing.translate(str.maketrans(signs))


def main() -> None:
    STYLES.write_text(stylesheet(), "utf-8")
    for old in SIGN_FOLDER.glob("*.png"):
        old.unlink()
    wanted = names_of_needed_signs()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium_path(), args=list(CHROMIUM_FLAGS), headless=True
        )
        page = browser.new_page(viewport={"width": MASK_SIZE, "height": MASK_SIZE})
        for sprite in sorted(SPRITES.glob("sprite*.svg")):
            for name, box, body in SYMBOL_PATTERN.findall(sprite.read_text("utf-8")):
                if name in wanted:
                    render_mask(page, box, body).save(SIGN_FOLDER / f"{name}.png", optimize=True)
        browser.close()


def render_mask(page: Page, box: str, body: str) -> Image.Image:
    """Return a drawing as a greyscale picture with 16 shades."""
    page.set_content(
        '<body style="margin:0;background:#000;color:#fff">'
        f'<svg width="{MASK_SIZE}" height="{MASK_SIZE}" viewBox="{box}" fill="#fff" '
        f'style="display:block">{body}</svg>'
    )
    shot = Image.open(io.BytesIO(page.screenshot()))
    return shot.convert("L").quantize(16).convert("L")


if __name__ == "__main__":
    main()
