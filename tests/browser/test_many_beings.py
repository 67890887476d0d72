"""Tests that pages with many beings stay readable: no text is cut off or crossed by a line."""

from itertools import count

import pytest
from playwright.sync_api import Page, expect

from tests.browser.scenes import Desks
from tests.sites import Site

WIDTHS = (360, 768, 1440)
UNIQUE_NUMBERS = count(1001)  # added to wizard names, which must be unique on a site
# Returns every visible text within these elements, with the boxes of its lines.
FIND_WORDS = """within => [...document.querySelectorAll(within)].flatMap(each => {
  const walker = document.createTreeWalker(each, NodeFilter.SHOW_TEXT);
  const found = [];
  while (walker.nextNode()) {
    const text = walker.currentNode;
    if (!text.data.trim() || text.parentElement.closest("i, .hidden-text, caption")) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    for (const box of range.getClientRects()) found.push([text.data.trim(), box, each]);
  }
  return found;
})"""
# Returns words in the history that a spell's bracket crosses. Each piece of a bracket has a box as
# wide as the bracket's end strokes.
FIND_CROSSED_WORDS = f"""() => {{
  const meet = (a, b) => a.left < b.right - 0.5 && b.left < a.right - 0.5
    && a.top < b.bottom - 0.5 && b.top < a.bottom - 0.5;
  const words = ({FIND_WORDS})(".history");
  const lines = [...document.querySelectorAll(".history td > i")];
  const found = lines.flatMap(line => {{
    const box = line.getBoundingClientRect();
    return words.filter(([, place]) => meet(box, place))
      .map(([word]) => `${{word}} in ${{line.parentElement.dataset.hand}}`);
  }});
  return {{ found, words: words.length, lines: lines.length }};
}}"""
# Returns words that extend beyond their container.
FIND_CUT_OFF_WORDS = f"""() => ({FIND_WORDS})(
    ".history :is(.wizard-name, .cast-name), .report li, .being-line, .order-line label"
  )
  .filter(([, box, each]) => {{
    const held = each.closest("td, th, li, .order-line").getBoundingClientRect();
    return box.left < held.left - 1 || box.right > held.right + 1;
  }})
  .map(([word]) => word)"""
HIDDEN_NAMES = """() => [...document.querySelectorAll(".history .cast-name > span")]
  .filter(each => each.getBoundingClientRect().height < 6)
  .map(each => each.textContent)"""


def create_state(name: str, called: str) -> tuple[str, str]:
    """Create this state with new wizards, and return its path and a session.

    Call this with `Site.call`.
    """
    from django.utils import timezone

    from tests.browser.scenes import session_of
    from tests.states import STATES, WIZARD_NAMES, People

    names = [(f"{given[:19]} {called}", pronouns) for given, pronouns in WIZARD_NAMES]
    state = STATES[name](People(timezone.now(), names))
    assert state.viewer is not None
    return state.path, session_of(state.viewer)


def open_state(desks: Desks, site: Site, name: str, called: str = "") -> Page:
    path, session = site.call(create_state, name, called or str(next(UNIQUE_NUMBERS)))
    return desks.window(path, session, {"reduced_motion": "reduce"})


@pytest.mark.parametrize("state", ["crowd", "eight_wizards", "long_duel", "sample"])
def test_spells_brackets_do_not_cross_text_and_no_text_is_cut_off(
    desks: Desks, embedded_site: Site, state: str
) -> None:
    page = open_state(desks, embedded_site, state)
    wrong = []
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        all_rows = page.get_by_label("All rows")
        if all_rows.is_visible():
            all_rows.check()
        crossed = page.evaluate(FIND_CROSSED_WORDS)
        assert crossed["words"] > 20
        assert crossed["lines"] > 2
        wrong += [f"{width}: a bracket crosses {each}" for each in crossed["found"]]
        wrong += [f"{width}: cut off: {each}" for each in page.evaluate(FIND_CUT_OFF_WORDS)]
        wrong += [f"{width}: not shown: {each}" for each in page.evaluate(HIDDEN_NAMES)]
        if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            wrong.append(f"{width}: wider than its window")
    assert not wrong, "\n".join(wrong)


def test_one_choice_can_order_all_monsters_of_a_player(desks: Desks, embedded_site: Site) -> None:
    """One choice aims all three of the player's monsters. Then one gets a different target."""
    called = str(next(UNIQUE_NUMBERS))
    page = open_state(desks, embedded_site, "crowd", called)
    page.set_viewport_size({"width": WIDTHS[0], "height": 900})
    expect(page.locator(".beings > li")).to_have_count(17)
    page.get_by_label("All monsters attack").select_option(label=f"Hugo {called}")
    own = [page.get_by_label(f"{name} attacks") for name in ("Red Goblin", "Green Ogre")]
    for monster in own:
        expect(monster.locator("option:checked")).to_contain_text(f"Hugo {called}")
    last = page.get_by_label("Blue Troll attacks")
    expect(last.locator("option:checked")).to_contain_text(f"Hugo {called}")
    headings = [each.get_attribute("label") for each in last.locator("optgroup").all()]
    assert headings[:3] == ["Wizards", "Your monsters", f"Bram {called}’s monsters"]
    last.select_option(label="Grey Giant")
    sealing = page.locator(".sealing")
    expect(sealing).to_contain_text("The Blue Troll attacks the Grey Giant")
    expect(sealing).to_contain_text(f"The Red Goblin and the Green Ogre attack Hugo {called}")
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), width
