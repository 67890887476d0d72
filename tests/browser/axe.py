"""axe-core in a page, and the windows in which pages are looked at."""

from pathlib import Path
from typing import Literal

from playwright.sync_api import Page

AXE = next((Path(__file__).parent / "vendor").glob("axe-core-*/axe.min.js"))
STANDARD = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa", "best-practice"]
WIDE, NARROW, VAST = 1440, 360, 2560
WINDOWS: list[tuple[int, Literal["light", "dark"]]] = [
    (WIDE, "light"),
    (WIDE, "dark"),
    (NARROW, "light"),
    (NARROW, "dark"),
    (VAST, "light"),
]


def violations(page: Page, rules: list[str] | None = None) -> list[str]:
    """What axe-core finds, in words, by the standard or by these rules alone; and whether the page
    is wider than its window."""
    if page.evaluate("typeof axe === 'undefined'"):
        page.evaluate(AXE.read_text("utf-8"))  # by the debugger, which no policy stops
    found = page.evaluate(
        "only => axe.run(only).then(result => result.violations.map("
        "  found => `${found.id}: ${found.nodes.map(node => node.html.slice(0, 160))}`))",
        {
            "runOnly": {"type": "rule" if rules else "tag", "values": rules or STANDARD},
            # Only what is read here, not a selector for every element that passes.
            "resultTypes": ["violations"],
            "selectors": False,
        },
    )
    assert isinstance(found, list)
    return found + too_wide(page)


def too_wide(page: Page) -> list[str]:
    wide = page.evaluate("document.documentElement.scrollWidth > window.innerWidth")
    return [f"wider than its window of {page.viewport_size}"] if wide else []
