"""Fixtures: Chromium, and people who use the site in Chromium.

chromium    Debian's Chromium, headless
site        the site under test, as `make play` runs it; a test marked `ON_SERVICES` or `ON_BOTH`
            (`tests/browser/where.py`) runs on a site with all services, or on both sites
desks       windows with prepared duels
people      call it with a name to get a person who is signed in, with their own window
open_state  call it with a state of `tests/browser/one_screen.py` and a size to get a duel's page
"""

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

from tests.browser import one_screen
from tests.browser.person import Person, load, signed_in_person
from tests.browser.scenes import Desks
from tests.browser.windows import close_window
from tests.conftest import require_programs
from tests.services import CHROMIUM_FLAGS, chromium_path
from tests.sites import Site


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, object]:
    """Return options that make pytest-playwright launch the installed Chromium."""
    require_programs("Chromium")
    args = [
        *CHROMIUM_FLAGS,
        # Otherwise Chromium starts a process for each window, which takes a fifth of the time of a
        # short test.
        "--renderer-process-limit=1",
        # Lay pages out without drawing them, because these tests never take pictures. Without
        # memory for pixels, Chromium needs a quarter less processor time.
        "--force-gpu-mem-available-mb=0",
    ]
    return {"executable_path": chromium_path(), "args": args, "headless": True}


# Milliseconds. Expected changes usually appear at once, but the machine may be busy.
expect.set_options(timeout=30_000)


class SiteScheduling(LoadScopeScheduling):  # type: ignore[misc]  # no types
    """Run all tests that use services in one process, and distribute all others by file.

    Each file's duels are then created only once, and services are started only once.

    xdist's own groups do not work with this version of pytest, which stores test ids differently.
    """

    def _split_scope(self, nodeid: str) -> str:
        if re.search(r"\[.*\bservices\b", nodeid):
            return "services"
        return nodeid.partition("::")[0]


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> SiteScheduling:
    return SiteScheduling(config, log)


@pytest.fixture
def site(request: pytest.FixtureRequest) -> Site:
    """The site under test: the embedded site by default, or the site that the test's mark names."""
    found: Site = request.getfixturevalue(f"{getattr(request, 'param', 'embedded')}_site")
    return found


@pytest.fixture
def desks(browser: Browser, embedded_site: Site) -> Iterator[Desks]:
    """Yield windows of Ada and Bram for duels that `scenes` created."""
    opened = Desks(browser, embedded_site)
    yield opened
    opened.close()


@pytest.fixture
def people(browser: Browser, site: Site) -> Iterator[Callable[..., Person]]:
    windows = []

    def person(name: str, *, script: bool = True) -> Person:
        window = browser.new_context(base_url=site.url, java_script_enabled=script)
        windows.append(window)
        return signed_in_person(window, site, name)

    yield person
    for window in windows:
        close_window(window)


@pytest.fixture(scope="session")
def duel_states(embedded_site: Site) -> dict[str, tuple[str, str]]:
    found: dict[str, tuple[str, str]] = embedded_site.call(one_screen.create_states)
    return found


@pytest.fixture(scope="module")
def open_state(
    browser: Browser, embedded_site: Site, duel_states: dict[str, tuple[str, str]]
) -> Iterator[Callable[..., Page]]:
    """Yield a function that shows a state to its viewer in a shared page of a given size."""
    pages: dict[bool, Page] = {}
    with ExitStack() as stack:

        def page_of(state: str, size: ViewportSize, *, script: bool = True) -> Page:
            if script not in pages:
                opening = one_screen.window(browser, embedded_site, script=script)
                pages[script] = stack.enter_context(opening).new_page()
                load(pages[script], "/about/")
            path, session = duel_states[state]
            one_screen.use_session(pages[script].context, session, embedded_site)
            pages[script].set_viewport_size(size)
            pages[script].evaluate("localStorage.clear()")  # forget "All rows" of other tests
            load(pages[script], path)
            return pages[script]

        yield page_of
