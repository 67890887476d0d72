"""A test of searching the archive on a phone without JavaScript, from the list to a found duel."""

from playwright.sync_api import Browser, expect

from tests.browser.windows import close_window
from tests.sites import Site


def play_summoning_duel() -> str:
    """Play a duel in which Seeker summons a goblin, and return its address."""
    from django.utils import timezone

    from duels.commands import endings
    from tests.cast import begin, hands, make_wizard, play

    seeker, keeper = make_wizard("Seeker"), make_wizard("Keeper")
    duel = begin(seeker, keeper)
    for letter in "SFW":
        play(duel, {seeker: hands(letter, "-"), keeper: hands("-", "-")})
    endings.resign(duel_id=duel.pk, wizard=keeper, now=timezone.now())
    return f"/duels/{duel.pk}/"


def test_archive_can_be_searched_by_spell_without_javascript(
    browser: Browser, embedded_site: Site
) -> None:
    address = embedded_site.call(play_summoning_duel)
    window = browser.new_context(
        base_url=embedded_site.url,
        java_script_enabled=False,
        viewport={"width": 360, "height": 640},
    )
    page = window.new_page()
    page.goto("/duels/")
    page.get_by_role("link", name="archive").click()
    page.get_by_text("Search", exact=True).first.click()
    page.get_by_label("Wizard", exact=True).fill("Seeker")
    page.locator('select[name="spell"]').select_option("Haste")
    page.get_by_role("button", name="Search").click()
    expect(page.get_by_text("No duels match this search.")).to_be_visible()
    page.locator('select[name="spell"]').select_option("Summon Goblin")
    page.get_by_role("button", name="Search").click()
    # The results come first: nobody would see them below the form.
    expect(page.get_by_role("button", name="Search")).to_be_hidden()
    page.get_by_role("link", name="Seeker against Keeper").click()
    assert page.url.endswith(address)
    close_window(window)
