"""Chromium for these tests, and people who use the site with it.

chromium    Debian's Chromium, headless
site        the site under test: as `make play` runs it, or with all services (parametrised)
desks       windows before duels that are laid out already
people      call it with a name: a person with a window of their own, signed up and verified
"""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser

from tests.browser.person import Person, sign_up
from tests.browser.scenes import Desks
from tests.conftest import need
from tests.services import CHROMIUM_FLAGS, chromium
from tests.sites import Site


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, object]:
    """What pytest-playwright launches: the Chromium that is installed, not one of its own."""
    need("Chromium")
    return {"executable_path": chromium(), "args": list(CHROMIUM_FLAGS), "headless": True}


@pytest.fixture(params=["embedded", pytest.param("services", marks=pytest.mark.services)])
def site(request: pytest.FixtureRequest) -> Site:
    """The site, on the embedded default and on the real services alike."""
    found: Site = request.getfixturevalue(f"{request.param}_site")
    return found


@pytest.fixture
def desks(browser: Browser, embedded_site: Site) -> Iterator[Desks]:
    """Windows of Ada and Bram before duels that `scenes` has laid out."""
    opened = Desks(browser, embedded_site)
    yield opened
    opened.close()


@pytest.fixture
def people(browser: Browser, site: Site) -> Iterator[Callable[..., Person]]:
    windows = []

    def person(name: str, *, script: bool = True) -> Person:
        window = browser.new_context(base_url=site.url, java_script_enabled=script)
        windows.append(window)
        return sign_up(window.new_page(), site, name)

    yield person
    for window in windows:
        window.close()
