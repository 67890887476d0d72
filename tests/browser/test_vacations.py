"""Tests of a vacation while the opponent has the duel's page open in another window."""

from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Page, expect

from tests.browser.scenes import Desks, Scene, poll, scenes
from tests.sites import Site

POLL_TIMEOUT = 30_000  # milliseconds; pages poll every three seconds, but the machine may be busy
SEAL_LIST_SELECTOR = "#live-seals"


@pytest.fixture(scope="module")
def scene(embedded_site: Site) -> Scene:
    (laid_out,) = scenes(embedded_site)
    embedded_site.call(set_one_day_pace, laid_out.path)
    return laid_out


def set_one_day_pace(path: str) -> None:
    """Set the pace of the duel to one day per turn, beginning now. Call this with `Site.call`."""
    from django.utils import timezone

    from duels.models import Duel, Seat

    duel = int(path.split("/")[2])
    Duel.objects.filter(pk=duel).update(pace=str(24 * 3600))
    Seat.objects.filter(duel=duel).update(due_at=timezone.now() + timedelta(days=1))


def test_open_page_shows_that_the_opponent_goes_on_vacation_and_returns(
    desks: Desks, scene: Scene
) -> None:
    ada, bram = desks.ada(scene), desks.window("/settings/", scene.bram, {"timezone_id": "UTC"})
    ada.evaluate("window.isSame = true")
    go_on_vacation(bram)
    poll(ada)
    expect(ada.locator(SEAL_LIST_SELECTOR)).to_contain_text(
        "on vacation until", timeout=POLL_TIMEOUT
    )
    expect(ada.locator("[data-announce]")).to_contain_text("is on vacation.")
    bram.get_by_role("button", name="End vacation").click()
    expect(bram.locator("#vacation")).to_contain_text("days left")
    poll(ada)
    expect(ada.locator(SEAL_LIST_SELECTOR)).not_to_contain_text("on vacation", timeout=POLL_TIMEOUT)
    expect(ada.locator("[data-announce]")).to_contain_text("is back from vacation.")
    assert ada.evaluate("window.isSame")


def test_vacation_can_be_started_and_ended_without_javascript(desks: Desks, scene: Scene) -> None:
    bram = desks.window("/settings/", scene.bram, {"java_script_enabled": False})
    go_on_vacation(bram)
    bram.goto(scene.path)
    expect(bram.locator(SEAL_LIST_SELECTOR)).to_contain_text("on vacation until")
    bram.goto("/settings/")
    bram.get_by_role("button", name="End vacation").click()
    expect(bram.get_by_text("Welcome back. Your clocks are running again.")).to_be_visible()


def go_on_vacation(page: Page) -> None:
    """Start a vacation of about five days, and check that the form rejects an end tomorrow."""
    field = page.get_by_label("Back on")
    tomorrow = (datetime.now(UTC) + timedelta(days=1)).date().isoformat()
    assert (field.get_attribute("min") or "") > tomorrow
    field.fill((datetime.now(UTC) + timedelta(days=5)).date().isoformat())
    page.get_by_role("button", name="Start vacation").click()
    expect(page.locator("#vacation")).to_contain_text("You are on vacation until")
