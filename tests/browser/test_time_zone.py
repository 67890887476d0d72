"""Tests that the site uses the browser's time zone if the user has not chosen one."""

from datetime import UTC, datetime

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from duels.wording.moments import FORMATS, moment_words
from tests.browser.scenes import Desks, Scene, scenes
from tests.sites import Site

BROWSER_ZONE = "Pacific/Chatham"
OTHER_ZONE = "Asia/Tokyo"
ZONE_FIELD = 'select[name="zone"]'
# Returns the text of the local time, as the page's script shows it instead of a time in UTC.
FORMAT_LOCAL_TIME = """async ([words, at]) => {
  const { localWords } = await import("/static/js/local_time.js");
  return localWords(words, new Date(at));
}"""


@pytest.fixture(scope="module")
def prepared_scenes(embedded_site: Site) -> list[Scene]:
    """Return scenes, each with a different Ada, who has not chosen a time zone."""
    return [scenes(embedded_site)[0] for _ in range(3)]


def write_message(path: str) -> None:
    """Seal orders and write a message, so that the page shows two times.

    Call this with `Site.call`.
    """
    from duels.commands import speaking
    from duels.models import Duel
    from tests.cast import hands, seal

    duel = Duel.objects.get(pk=int(path.split("/")[2]))
    ada = duel.seats.get(place=0).wizard
    now = timezone.now()
    seal(duel, ada, hands("P", "D"), now=now)
    speaking.send_message(duel_id=duel.pk, wizard=ada, words="Well met.", now=now)


@pytest.fixture(scope="module")
def duel_with_times(embedded_site: Site) -> str:
    """Return the address of a public duel whose page shows times."""
    (scene,) = scenes(embedded_site)
    embedded_site.call(write_message, scene.path)
    return scene.path


def record_zone_requests(page: Page) -> list[str]:
    """Return a list that collects the bodies of requests about the time zone."""
    sent: list[str] = []
    page.on(
        "request",
        lambda request: (
            sent.append(request.post_data or "")
            if "guessed_zone" in (request.post_data or "")
            else None
        ),
    )
    return sent


def test_page_sends_the_browsers_time_zone_only_once(
    desks: Desks, prepared_scenes: list[Scene]
) -> None:
    page = desks.window("/about/", prepared_scenes[0].ada, {"timezone_id": BROWSER_ZONE})
    expect(page.locator("html")).to_have_attribute("data-zone", "")
    sent = record_zone_requests(page)
    page.wait_for_load_state("networkidle")
    page.goto("/settings/")
    expect(page.locator(ZONE_FIELD)).to_have_value(BROWSER_ZONE)
    page.goto(prepared_scenes[0].path)
    page.wait_for_load_state("networkidle")
    assert len(sent) <= 1  # the first request may have been sent before the test began to listen
    # A browser in another time zone does not change the stored zone.
    other = desks.window("/settings/", prepared_scenes[0].ada, {"timezone_id": OTHER_ZONE})
    expect(other.locator(ZONE_FIELD)).to_have_value(BROWSER_ZONE)
    other.wait_for_load_state("networkidle")
    other.reload()
    expect(other.locator(ZONE_FIELD)).to_have_value(BROWSER_ZONE)


def test_chosen_time_zone_takes_precedence_over_the_browsers(
    desks: Desks, prepared_scenes: list[Scene]
) -> None:
    page = desks.window("/settings/", prepared_scenes[1].ada, {"timezone_id": BROWSER_ZONE})
    page.locator(ZONE_FIELD).select_option("Europe/Dublin")
    page.locator("#reading button.prime").click()
    expect(page.locator("[data-reading-said]")).to_have_text("Saved.")
    page.reload()
    expect(page.locator(ZONE_FIELD)).to_have_value("Europe/Dublin")
    expect(page.locator("html")).to_have_attribute("data-zone", "Europe/Dublin")


def test_time_zone_is_not_guessed_without_javascript(
    desks: Desks, prepared_scenes: list[Scene]
) -> None:
    context = {"timezone_id": BROWSER_ZONE, "java_script_enabled": False}
    page = desks.window(prepared_scenes[2].path, prepared_scenes[2].ada, context)
    page.goto("/settings/")
    expect(page.locator(ZONE_FIELD)).to_have_value("")
    page.locator(ZONE_FIELD).select_option(BROWSER_ZONE)
    page.locator("#reading button.prime").click()
    expect(page.get_by_role("status").first).to_contain_text("Saved.")
    expect(page.locator(ZONE_FIELD)).to_have_value(BROWSER_ZONE)


def test_visitor_without_an_account_gets_local_times(desks: Desks, embedded_site: Site) -> None:
    window = desks.browser.new_context(base_url=embedded_site.url, timezone_id=BROWSER_ZONE)
    desks.windows.append(window)
    page = window.new_page()
    with page.expect_response("**/reading") as answer:
        page.goto("/about/")
    assert answer.value.status == 204
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-zone", BROWSER_ZONE)


def shown_times(page: Page) -> list[str]:
    """Return every time on the page, as text."""
    return page.locator("time").all_text_contents()


@pytest.mark.parametrize(
    "zone", [BROWSER_ZONE, "Asia/Katmandu", "America/New_York", "Europe/Berlin", "UTC"]
)
def test_first_page_shows_local_times_before_the_site_knows_the_time_zone(
    desks: Desks, duel_with_times: str, zone: str
) -> None:
    """After the zone is stored, the site renders the same text."""
    window = desks.browser.new_context(base_url=desks.site.url, timezone_id=zone)
    desks.windows.append(window)
    page = window.new_page()
    page.route("**/reading", lambda route: route.abort())  # the page must not need this
    page.goto(duel_with_times)
    expect(page.locator("html")).to_have_attribute("data-script", "on")
    expect(page.locator("html")).to_have_attribute("data-zone", "")
    first = shown_times(page)
    assert len(first) >= 2
    assert zone == "UTC" or not any(words.endswith(" UTC") for words in first)
    page.unroute("**/reading")
    with page.expect_response("**/reading"):
        page.reload()
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-zone", zone)
    assert shown_times(page) == first


def test_first_page_shows_times_in_utc_without_javascript(
    desks: Desks, duel_with_times: str
) -> None:
    window = desks.browser.new_context(
        base_url=desks.site.url, timezone_id=BROWSER_ZONE, java_script_enabled=False
    )
    desks.windows.append(window)
    page = window.new_page()
    page.goto(duel_with_times)
    moments = shown_times(page)
    assert moments
    assert all(words.endswith(" UTC") for words in moments)


def test_script_writes_local_times_like_the_site_in_every_style(desks: Desks) -> None:
    window = desks.browser.new_context(base_url=desks.site.url, timezone_id="Europe/Berlin")
    desks.windows.append(window)
    page = window.new_page()
    page.goto("/about/")
    moment = datetime(2026, 3, 31, 22, 30, 5, tzinfo=UTC)
    for style in FORMATS:
        with timezone.override("UTC"):
            there = moment_words(moment, style)
        with timezone.override("Europe/Berlin"):
            here = moment_words(moment, style)
        assert page.evaluate(FORMAT_LOCAL_TIME, [there, moment.isoformat()]) == here, style
    for odd in ("", "two days ago", "3 days left", "31 March", "31 March 2026, 22:30 CEST"):
        assert page.evaluate(FORMAT_LOCAL_TIME, [odd, moment.isoformat()]) == odd
