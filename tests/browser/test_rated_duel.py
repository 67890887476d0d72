"""A test of a rated duel with a spectator, from the challenge to the explanation of the ratings."""

from playwright.sync_api import Browser, expect

from tests.browser.scenes import Desks, poll, session_of, unique_name
from tests.sites import Site

POLL_TIMEOUT = 30_000  # milliseconds; pages poll every few seconds, but the machine may be busy


def create_wizards(names: tuple[str, str]) -> list[str]:
    """Create these wizards, and return the keys of their sessions."""
    from tests.cast import make_wizard

    return [session_of(make_wizard(name)) for name in names]


def play_turns(number: int) -> None:
    """Play two turns in the duel with this number."""
    from duels.models import Duel
    from tests.cast import hands, play

    duel = Duel.objects.get(pk=number)
    for _ in range(2):
        play(duel, {seat.wizard: hands("W", "-") for seat in duel.seats.select_related("wizard")})


def test_rated_duel_explains_the_changes_of_both_ratings(
    browser: Browser, embedded_site: Site
) -> None:
    names = unique_name("Rhoda"), unique_name("Rufus")
    sessions = embedded_site.call(create_wizards, names)
    desks = Desks(browser, embedded_site)
    rhoda = desks.window("/challenge/new", sessions[0], {})
    rhoda.get_by_label("A wizard by name").check()
    rhoda.locator('input[name="opponent"]').fill(names[1])
    rhoda.get_by_role("button", name="Send challenge").click()
    rhoda.wait_for_url("**/duels/*/")
    expect(rhoda.get_by_text("rated", exact=True)).to_be_visible()
    path = rhoda.url.removeprefix(embedded_site.url)

    rufus = desks.window(path, sessions[1], {})
    rufus.get_by_role("button", name="Accept").click()
    poll(rhoda)
    expect(rhoda.locator("#order-form")).to_be_visible(timeout=POLL_TIMEOUT)
    expect(rhoda.locator("[data-spectators]")).to_be_hidden()
    visitor = desks.window(path, "none", {})
    for page in (visitor, rhoda):
        poll(page)
        expect(page.get_by_text("1 watching")).to_be_visible(timeout=POLL_TIMEOUT)

    for page in (rhoda, rufus):
        page.goto("about:blank")  # an open page would load each new turn, and interrupt `goto`
    embedded_site.call(play_turns, int(path.split("/")[2]))
    rufus.goto(path)
    rufus.get_by_role("link", name="Resign").click()
    rufus.get_by_role("button", name="Resign duel").click()
    rhoda.goto(path)
    ratings = rhoda.locator('[aria-labelledby="ratings-title"]')
    expect(ratings.locator("[data-rating]")).to_have_count(2)
    expect(ratings).to_contain_text("1500 ±")
    expect(ratings).to_contain_text("surrender")
    ratings.get_by_role("link", name=names[0]).click()
    expect(
        rhoda.get_by_role("heading", name="Most frequent opponents in rated duels")
    ).to_be_visible()
    desks.close()
