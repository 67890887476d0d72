"""Tests of lists of duels on a phone, and of news on pages without lists."""

from playwright.sync_api import Response, expect

from tests.browser.scenes import Desks, scenes, session_of
from tests.browser.test_countdown import set_clocks
from tests.sites import Site

SECONDS = 71.5 * 3600
PHONE = {"viewport": {"width": 360, "height": 740}}
# The details in rows of a list that do not fit into their rows.
FIND_CUT_OFF_DETAILS = """list => [...list.querySelectorAll(":is(.about, .state)")].filter(each =>
  each.scrollWidth > each.clientWidth || each.scrollHeight > each.clientHeight + 1
  || each.getBoundingClientRect().bottom > each.closest("li").getBoundingClientRect().bottom
).map(each => each.textContent)"""
MEASURE_ROW_HEIGHTS = "list => [...list.children].map(each => each.getBoundingClientRect().height)"


def test_time_left_in_a_list_is_not_cut_off_on_a_phone(desks: Desks, embedded_site: Site) -> None:
    """Only a long name or message is cut off."""
    (scene,) = scenes(embedded_site, [{}])
    embedded_site.call(set_clocks, scene.path, SECONDS)
    phone = desks.window("/", scene.ada, PHONE)
    clock = phone.locator("#awaiting .clock")
    assert "2 days, 23 hours left" in clock.inner_text().replace("\N{NO-BREAK SPACE}", " ")
    assert clock.evaluate("each => each.scrollWidth <= each.clientWidth")


def create_long_lists() -> tuple[str, str]:
    """Create running and finished duels, and return the sessions of a player and a spectator."""
    from django.utils import timezone

    from duels.commands import endings
    from tests.cast import begin, hands, make_wizard, play, seal

    now = timezone.now()
    viewer, rival = make_wizard("Lysander"), make_wizard("Theodora the Tireless")
    for _ in range(2):
        duel = begin(viewer, rival)
        play(duel, {viewer: hands("S", "-"), rival: hands("-", "-")})
        endings.resign(duel_id=duel.pk, wizard=viewer, now=now)
    for _ in range(2):
        duel = begin(viewer, rival)
        play(duel, {viewer: hands("S", "-"), rival: hands("-", "-")})
    seal(duel, rival, hands("S", "-"))
    return session_of(viewer), session_of(make_wizard("Onlooker"))


def test_details_of_duels_in_a_list_are_not_cut_off_on_a_phone(
    desks: Desks, embedded_site: Site
) -> None:
    """The list shows who has sealed, and the archive how a duel ended. All rows have one height."""
    player, onlooker = embedded_site.call(create_long_lists)
    for session, path, part, words in (
        (player, "/", "#awaiting", "has sealed"),
        (onlooker, "/archive/?wizard=Lysander", "main", "won by resignation"),
    ):
        rows = desks.window(path, session, PHONE).locator(f"{part} .duel-list")
        expect(rows).to_contain_text(words)
        assert rows.evaluate(FIND_CUT_OFF_DETAILS) == []
        assert len(set(rows.evaluate(MEASURE_ROW_HEIGHTS))) == 1


def clear_awaited(path: str) -> None:
    """Change the duel so that it does not wait for anyone. Call this with `Site.call`."""
    from duels.models import Seat

    Seat.objects.filter(duel=int(path.split("/")[2])).update(awaited=False)


def test_page_without_lists_updates_the_link_to_the_next_duel(
    desks: Desks, embedded_site: Site
) -> None:
    """It does so once, and does not announce the same turn at every poll."""
    first, second = scenes(embedded_site, [{}, {}])
    page = desks.window("/about/", first.ada, {})
    with page.expect_response("**/waiting*"):
        page.reload()
    expect(page.get_by_role("link", name="Your turn (2)")).to_be_visible()
    embedded_site.call(clear_awaited, second.path)
    statuses: list[int] = []

    def record_status(answer: Response) -> None:
        if "/waiting" in answer.url:
            statuses.append(answer.status)

    page.on("response", record_status)
    one_turn = page.get_by_role("link", name="Your turn (1)")
    for _ in range(50):
        page.keyboard.press("Shift")  # polls at once
        page.wait_for_timeout(200)
        if one_turn.is_visible() and statuses[-1:] == [304]:
            break
    expect(one_turn).to_be_visible()
    assert statuses[-1] == 304, statuses  # the number of people on the site may change before
