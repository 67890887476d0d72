"""Duels in many states, and helpers that find where their parts are in the window."""

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, BrowserContext, FloatRect, Locator, Page, ViewportSize

from tests.browser.windows import close_window
from tests.sites import Site

WIDE: ViewportSize = {"width": 1440, "height": 900}
PHONE: ViewportSize = {"width": 360, "height": 740}
STATES = (
    "first_turn",
    "long_duel",
    "answers",
    "hasted",
    "blind",
    "two_monsters",
    "draw_offered",
    "sealed",
    "over",
    "spectator",
    "warlocks",
)
# These states need more than one screen.
STATES_WITH_MANY_WIZARDS = ("four_wizards", "eight_wizards")
POLL_TIMEOUT = 30_000  # milliseconds; pages poll every three seconds, but the machine may be busy
LOW_WINDOW: ViewportSize = {"width": 1280, "height": 720}


def create_states() -> dict[str, tuple[str, str]]:
    """Create every state, and return the path and the viewer's session of each.

    Call this with `Site.call`.
    """
    from django.utils import timezone

    from tests import states
    from tests.browser.own_states import OWN_STATES
    from tests.browser.scenes import session_of, unique_name

    known = [name for name, _ in states.WIZARD_NAMES]
    names = [(unique_name(name[:17]), "they") for name in known]
    people = states.People(timezone.now(), names)
    found = {}
    for name in (*STATES, *STATES_WITH_MANY_WIZARDS, "clock_of_two", "clock_of_four"):
        create = OWN_STATES.get(name) or getattr(states, name)
        state = create(people)
        found[name] = (state.path, session_of(state.viewer) if state.viewer else "")
    return found


@contextmanager
def window(browser: Browser, site: Site, *, script: bool = True) -> Iterator[BrowserContext]:
    opened = browser.new_context(base_url=site.url, java_script_enabled=script)
    # all tests share these states, so no report may be marked as read
    opened.route("**/read", lambda route: route.abort())
    yield opened
    close_window(opened)


def use_session(context: BrowserContext, session: str, site: Site) -> None:
    """Sign in with this session, or become a visitor who is not signed in if there is none."""
    context.clear_cookies()
    if session:
        context.add_cookies([{"name": "sessionid", "value": session, "url": site.url}])


def box(place: Locator) -> FloatRect:
    found = place.bounding_box()
    assert found is not None, place
    return found


def bottom(place: Locator) -> float:
    return box(place)["y"] + box(place)["height"]


def is_on_screen(place: Locator) -> bool:
    """Return whether the whole element is visible in the window and in the frames around it."""
    within: bool = place.evaluate(
        """part => {
          const { top, bottom, left, right } = part.getBoundingClientRect();
          const frames = [{ top: 0, bottom: innerHeight, left: 0, right: innerWidth }];
          for (let each = part.parentElement; each; each = each.parentElement) {
            if (/auto|scroll/.test(getComputedStyle(each).overflowY)) {
              frames.push(each.getBoundingClientRect());
            }
          }
          return frames.every(frame =>
            top >= frame.top - 1 && bottom <= frame.bottom + 1
              && left >= frame.left - 1 && right <= frame.right + 1);
        }"""
    )
    return within


def can_be_clicked(place: Locator) -> bool:
    """Return whether the middle of this element can be clicked."""
    meets: bool = place.evaluate(
        """part => {
          const { x, y, width, height } = part.getBoundingClientRect();
          return part.contains(document.elementFromPoint(x + width / 2, y + height / 2));
        }"""
    )
    return meets


def fits_window(page: Page) -> bool:
    """Return whether the page fits the width of the window and is not scrolled."""
    still: bool = page.evaluate(
        "scrollY === 0 && document.documentElement.scrollWidth <= innerWidth"
    )
    return still


def sticky_bars(page: Page) -> list[Locator]:
    """Return those of the two bars that stay in view when the page scrolls."""
    bars = [page.locator(".duel-bar"), page.locator(".seal-bar")]
    position = "each => getComputedStyle(each).position"
    return [bar for bar in bars if bar.evaluate(position) == "sticky"]


def set_text_size(page: Page, size: str) -> None:
    page.evaluate("size => { document.documentElement.dataset.size = size }", size)
