"""Tests of the width of word spaces."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.windows import close_window
from tests.sites import Site

REGULAR_SPACE_WIDTH = 0.198  # em, the width of the space in Alegreya's regular weight

MEASURE_SPACE = """([element, weight, size]) => {
    const sample = document.createElement(element);
    sample.style.cssText = `font-weight: ${weight}; font-size: ${size}px; white-space: pre;
        letter-spacing: 0; position: absolute; padding: 0; min-width: 0; width: max-content`;
    document.body.append(sample);
    const width = text => {
        sample.textContent = text;
        return sample.getBoundingClientRect().width;
    };
    return (width("n" + " n".repeat(10)) - width("n".repeat(11))) / 10 / size;
}"""


@pytest.fixture
def page(browser: Browser, site: Site) -> Iterator[Page]:
    """Yield a page on which the font Alegreya has been loaded."""
    window = browser.new_context(base_url=site.url)
    page = window.new_page()
    page.goto("/about/")
    page.evaluate("document.fonts.load('800 1rem Alegreya', 'abc')")
    page.reload()
    assert page.evaluate("document.fonts.check('800 1rem Alegreya', 'abc')")
    yield page
    close_window(window)


@pytest.mark.parametrize("weight", [400, 500, 600, 700, 800])
@pytest.mark.parametrize("element", ["h2", "button"])
def test_bold_spaces_are_as_wide_as_regular_ones(page: Page, element: str, weight: int) -> None:
    """Alegreya's own bold space is narrower, and rounding to pixels removed a third of it."""
    for size in (12, 14, 15.8, 17, 22.4, 43.2):
        width = page.evaluate(MEASURE_SPACE, [element, weight, size])
        assert width == pytest.approx(REGULAR_SPACE_WIDTH, abs=0.004), (size, width)
