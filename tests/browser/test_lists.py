"""Tests of the lists of duels on a phone."""

from tests.browser.scenes import Desks, scenes
from tests.browser.test_countdown import give_clocks
from tests.sites import Site

SECONDS = 71.5 * 3600


def test_time_left_in_a_list_is_not_cut_off_on_a_phone(desks: Desks, embedded_site: Site) -> None:
    """Only a long name or message is cut off."""
    (scene,) = scenes(embedded_site, [{}])
    embedded_site.call(give_clocks, scene.path, SECONDS)
    phone = desks.window("/", scene.ada, {"viewport": {"width": 360, "height": 740}})
    clock = phone.locator("#awaiting .clock")
    assert "2 days, 23 hours left" in clock.inner_text().replace("\N{NO-BREAK SPACE}", " ")
    assert clock.evaluate("each => each.scrollWidth <= each.clientWidth")
