"""A test of a webhook: a player adds it on a phone, and a server gets the messages."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.person import signed_in_person
from tests.browser.windows import close_window
from tests.sites import Site
from tests.webhook_sink import DISCORD_HOST, DISCORD_PATH, webhook_sink


def begin_duel(one: str, other: str) -> None:
    """Begin a duel of two wizards. Call this with `Site.call`."""
    from duels.models import Wizard
    from tests.cast import begin

    begin(*(Wizard.objects.get(name=name) for name in (one, other)))


def deliver(port: int, certificate: str) -> None:
    """Run a round of deliveries to the server on this port. Call this with `Site.call`."""
    from duels.webhooks.commands.delivering import deliver_due
    from tests.webhook_sink import connect_to_sink

    with pytest.MonkeyPatch.context() as monkeypatch:
        connect_to_sink(monkeypatch, port, certificate)
        deliver_due()


@pytest.mark.parametrize("script", [True, False])
def test_webhook_posts_a_duel_and_its_page_lists_the_response(
    browser: Browser, embedded_site: Site, tmp_path: Path, script: bool
) -> None:
    names = ("Ottokar", "Perpetua") if script else ("Quintus", "Rosamund")
    windows = [
        browser.new_context(base_url=embedded_site.url, java_script_enabled=script) for _ in names
    ]
    ottokar, _ = (
        signed_in_person(window, embedded_site, name)
        for window, name in zip(windows, names, strict=True)
    )
    page = ottokar.page
    page.set_viewport_size({"width": 360, "height": 740})
    embedded_site.call(begin_duel, *names)
    ottokar.open("/settings/webhooks")
    page.get_by_label("Service").select_option("discord")
    page.get_by_label("Address").fill("http://localhost/")
    page.get_by_role("button", name="Add", exact=True).click()
    error = "The address must begin with https:// and the name of a public host."
    expect(page.get_by_text(error)).to_be_visible()
    page.get_by_label("Address").fill(f"https://{DISCORD_HOST}{DISCORD_PATH}")
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.get_by_text(f"https://{DISCORD_HOST}/••••")).to_be_visible()
    certificate = tmp_path / "certificate.pem"
    with webhook_sink(certificate) as sink:
        sink.answers.append((503, b"try later"))
        embedded_site.call(deliver, sink.port, str(certificate))
    assert [request.partition("?")[0] for request in sink.request_lines] == [f"POST {DISCORD_PATH}"]
    assert f"{names[0]} against {names[1]} · turn 1" in sink.received[0].value["content"]
    ottokar.open("/settings/webhooks")
    expect(page.get_by_text("No message has been accepted since")).to_be_visible()
    expect(page.get_by_text("try later")).to_be_visible()
    page.get_by_role("button", name="Delete").click()
    expect(page.get_by_text(f"https://{DISCORD_HOST}/••••")).to_have_count(0)
    for window in windows:
        close_window(window)
