"""Accessibility checks of pages with axe-core, and the window sizes for these checks."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

from playwright.sync_api import BrowserContext, Page

AXE = next((Path(__file__).parent / "vendor").glob("axe-core-*/axe.min.js"))
RULE_TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa", "best-practice"]
COLOUR_RULES = ["color-contrast", "link-in-text-block"]
WIDE, NARROW, VAST = 1440, 360, 2560
WINDOWS: list[tuple[int, Literal["light", "dark"]]] = [
    (WIDE, "light"),
    (WIDE, "dark"),
    (NARROW, "light"),
    (NARROW, "dark"),
    (VAST, "light"),
]
# Return only violations, without selectors, which this module does not use.
RESULT_OPTIONS = {"resultTypes": ["violations"], "selectors": False}
RUN_AXE = """([within, options]) => axe.run(within ?? document, options).then(result =>
  result.violations.map(({ id, nodes }) => `${id}: ${nodes.map(node => node.html.slice(0, 160))}`))
"""
# Returns the elements whose text has a new combination of colours and font in this tab. Nothing
# else affects how legible a text is, or how well a link contrasts with the words around it.
FIND_NEW_TEXT_STYLES = """key => {
  const judged = new Set(JSON.parse(sessionStorage.getItem(key) ?? "[]"));
  const grounds = new Map([[null, ""]]);
  const ground = part => {
    if (!grounds.has(part)) {
      const { backgroundColor, backgroundImage, opacity } = getComputedStyle(part);
      const own = `${backgroundColor} ${backgroundImage} ${opacity}`;
      const isClear = own === "rgba(0, 0, 0, 0) none 1";
      grounds.set(part, ground(part.parentElement) + (isClear ? "" : `/${own}`));
    }
    return grounds.get(part);
  };
  const isText = part =>
    part.matches("input, select, textarea, button")
    || [...part.childNodes].some(child => child.nodeType === 3 && child.data.trim());
  const isSeen = part => {
    const { width, height } = part.getBoundingClientRect();
    return width > 2 && height > 2 && part.checkVisibility({ visibilityProperty: true });
  };
  const looks = new Map();
  for (const part of document.body.querySelectorAll("*")) {
    if (!isText(part) || !isSeen(part)) continue;
    const style = getComputedStyle(part);
    const { color, fontSize, fontWeight, textDecorationLine, textShadow } = style;
    const around = getComputedStyle(part.parentElement).color;
    const look = [
      ground(part), color, fontSize, fontWeight, textDecorationLine, textShadow, around,
      part.closest("a") && "link",
      // Contrast does not matter for disabled controls and their labels.
      part.closest(":disabled, [aria-disabled=true]") && "disabled",
      part.closest("label")?.control?.disabled && "disabled",
    ].join(";");
    if (judged.has(look)) continue;
    if (!looks.has(look)) looks.set(look, []);
    if (looks.get(look).length < 3) looks.get(look).push(part);
  }
  sessionStorage.setItem(key, JSON.stringify([...judged, ...looks.keys()]));
  return [...looks.values()].flat();
}"""


def preload_axe(window: BrowserContext) -> None:
    """Make axe-core available in every page of this window, without sending it for each page."""
    window.add_init_script(f"window.loadAxe = () => {{ {AXE.read_text('utf-8')} }};")


def violations(
    page: Page, rules: list[str] | None = None, *, without: Sequence[str] = ()
) -> list[str]:
    """Return violations of these rules (or of the standard), and whether the page is too wide."""
    options: dict[str, Any] = {
        "runOnly": {"type": "rule" if rules else "tag", "values": rules or RULE_TAGS},
        "rules": {rule: {"enabled": False} for rule in without},
    }
    return _run_axe(page, RUN_AXE, options) + width_violations(page)


def colour_violations(page: Page, scheme: str) -> list[str]:
    """Return colour violations of texts with colours and a font that this tab has not checked yet.

    Two texts of the same colour, size and weight on the same backgrounds are equally legible, so it
    is enough to check one of them.
    """
    within = f"async ([key, options]) => {{ const include = ({FIND_NEW_TEXT_STYLES})(key);"
    run = f"{within} return include.length ? ({RUN_AXE})([{{ include }}, options]) : []; }}"
    options = {"runOnly": {"type": "rule", "values": COLOUR_RULES}}
    return _run_axe(page, run, options, key=f"looks judged: {scheme}")


def _run_axe(page: Page, run: str, options: dict[str, Any], key: str | None = None) -> list[str]:
    page.wait_for_load_state()  # so that style sheets have loaded
    if not page.evaluate("typeof axe !== 'undefined' || (window.loadAxe?.(), !!window.axe)"):
        page.evaluate(AXE.read_text("utf-8"))  # works despite the page's CSP
    found = page.evaluate(run, [key, options | RESULT_OPTIONS])
    assert isinstance(found, list)
    return found


def width_violations(page: Page) -> list[str]:
    wide = page.evaluate("document.documentElement.scrollWidth > window.innerWidth")
    return [f"wider than its window of {page.viewport_size}"] if wide else []
