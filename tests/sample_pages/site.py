"""A site with a page of every kind, for screenshots and accessibility tests.

The site runs as in production (`DEBUG` off, hashed file names), so that error pages and the content
security policy are those of production. The site uses SQLite and has no worker.
"""

import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from urllib.error import URLError
from urllib.request import urlopen

from playwright.sync_api import BrowserContext, Page

from tests import prepared
from tests.inside import SiteProcess
from tests.services import (
    TEST_KEYS,
    VAPID_SETTINGS,
    accepts_connections,
    clean_environment,
    free_port,
    mail_sink,
    running_server,
    temporary_folder,
)
from tests.sites import SETTINGS_MODULE


@dataclass(frozen=True)
class ShownPage:
    """A page that `tests.sample_pages.world` prepared."""

    name: str
    path: str
    cookie: tuple[str, str] | None
    html: str
    text: str = ""  # the plain text of an email
    opens: str = ""  # selector of an element to click first, which opens a dialog


@dataclass(frozen=True)
class ShownSite:
    url: str
    pages: tuple[ShownPage, ...]

    def open(self, window: BrowserContext, page: Page, shown: ShownPage) -> None:
        """Load the page in this window, as its viewer."""
        window.clear_cookies()
        if shown.cookie is not None:
            name, value = shown.cookie
            window.add_cookies([{"name": name, "value": value, "url": self.url}])
        if shown.html:
            page.route(
                f"**{shown.path}",
                lambda route: route.fulfill(body=shown.html, content_type="text/html"),
                times=1,
            )
        answer = page.goto(f"{self.url}{shown.path}")
        assert answer is not None
        assert answer.status < 500, f"{shown.name} has failed"
        page.evaluate("document.fonts.ready.then(() => true)")
        if shown.opens:
            page.locator(shown.opens).first.click()
            page.get_by_role("dialog").wait_for()


@contextmanager
def shown_site() -> Iterator[ShownSite]:
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    with temporary_folder() as folder, mail_sink() as sink:
        env = clean_environment(
            ALLOWED_HOSTS="127.0.0.1,testserver",
            DJANGO_SETTINGS_MODULE=SETTINGS_MODULE,
            EMAIL_URL=sink.url,
            HTTPS="off",
            REPLY_DOMAIN="duels.example",
            SITE_URL=url,
            STATIC_ROOT=str(prepared.static_root()),
            VAR_DIR=str(folder),
            **TEST_KEYS,
            **VAPID_SETTINGS,
        )
        prepared.migrated_sqlite(folder)
        with (
            closing(SiteProcess(env)) as inside,
            running_server(
                [
                    sys.executable,
                    "-m",
                    "gunicorn",
                    "spellcaster.wsgi",
                    f"--bind=127.0.0.1:{port}",
                    "--workers=1",
                    "--threads=4",
                ],
                log=folder / "site.log",
                env=env,
                ready=lambda: accepts_connections(port) and _responds(url),
            ),
        ):
            rows = inside.ask("tests.sample_pages.world", "prepare")
            yield ShownSite(url, tuple(_parsed_page(row) for row in rows))


def _parsed_page(row: dict[str, object]) -> ShownPage:
    cookie = row["cookie"]
    pair = (str(cookie[0]), str(cookie[1])) if isinstance(cookie, list) else None
    return ShownPage(
        str(row["name"]),
        str(row["path"]),
        pair,
        str(row["html"]),
        str(row["text"]),
        str(row["opens"]),
    )


def _responds(url: str) -> bool:
    try:
        urlopen(f"{url}/about/", timeout=20).close()
    except (URLError, OSError):
        return False
    return True
