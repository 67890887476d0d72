"""Tests that a turn fits on one screen.

At 1440 x 900 the orders and everything needed to decide are visible without scrolling. On a phone,
damage, the order sheet and the seal button come first, and everything else is one tap away. After a
seal, the page shows the news, and nothing on it jumps.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import cycle, product
from typing import Any

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    FloatRect,
    Locator,
    Page,
    Route,
    ViewportSize,
    expect,
)
from playwright.sync_api import Error as PageError

from tests.browser.person import load
from tests.browser.scenes import Desks, choose, choose_both, scenes
from tests.browser.windows import close_window
from tests.sites import Site

pytestmark = pytest.mark.timeout(600)

WIDE: ViewportSize = {"width": 1440, "height": 900}
PHONE: ViewportSize = {"width": 360, "height": 740}
STATES = (
    "first_turn",
    "long_duel",
    "answers",
    "hasted",
    "blind",
    "two_monsters",
    "draw_offered",
    "sealed",
    "over",
    "spectator",
    "warlocks",
)
STATES_WITH_MANY_WIZARDS = (
    "four_wizards",
    "eight_wizards",
)  # these states need more than one screen
STATES_WITH_SHEET = (
    "first_turn",
    "long_duel",
    "hasted",
    "blind",
    "two_monsters",
    "draw_offered",
    "warlocks",
)
DRAW_OFFER = re.compile(r"Bram \w+ offers a draw\.")
POLL_TIMEOUT = 30_000  # milliseconds; pages poll every three seconds, but the machine may be busy
LOW_WINDOW: ViewportSize = {"width": 1280, "height": 720}
# Returns how many pixels each part of the right column overlaps the part below it.
OVERLAPS = """() => {
  const parts = [...document.querySelectorAll(
    ".duel-seals, .duel-standing, .duel-report, .duel-history, .duel-progress, .duel-talk"
  )].filter(part => part.offsetHeight && part.closest(".duel-second"));
  const spans = parts.map(part => {
    const own = part.getBoundingClientRect();
    const inside = [...part.querySelectorAll(".leaf")].map(leaf => leaf.getBoundingClientRect());
    return { top: own.top, bottom: Math.max(own.bottom, ...inside.map(each => each.bottom)) };
  });
  const over = spans.slice(1).map((span, at) => Math.round(spans[at].bottom - span.top));
  return over.filter(by => by > 1);
}"""
# Returns the number of history rows that the frame cuts off or its head covers.
COUNT_SLICED_ROWS = """() => {
  const rows = [...document.querySelectorAll(".duel-now .history tbody tr")];
  return rows.filter(row => {
    const frame = row.closest(".history-frame").getBoundingClientRect();
    const head = row.closest("table").tHead.getBoundingClientRect();
    const { top, bottom, height } = row.getBoundingClientRect();
    return height && (top < head.bottom - 2 || bottom > frame.bottom + 2);
  }).length;
}"""
# Returns layout shifts without user input: their amounts and, for each part that moved, its parent
# element and its x, y, width and height before and after.
RECORD_JUMPS = """() => new Promise(resolve => {
  const jumps = [];
  const place = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(" ");
  const part = ({ node, previousRect, currentRect }) =>
    [node?.parentElement?.outerHTML.slice(0, 60), place(previousRect), place(currentRect)];
  new PerformanceObserver(list => {
    for (const { value, hadRecentInput, sources } of list.getEntries()) {
      if (!hadRecentInput) jumps.push([value, ...sources.map(part)]);
    }
  }).observe({ type: "layout-shift", buffered: true });
  setTimeout(() => resolve(jumps), 300);
})"""
# Returns gestures of the sheet that leave their row or overlap another one.
CROWDED = """() => [...document.querySelectorAll("#orders .trail")].flatMap(row => {
  const frame = row.getBoundingClientRect();
  const made = [...row.querySelectorAll("span:not(.hidden-text)")];
  const boxes = made.filter(each => each.checkVisibility()).map(each => {
    const { left, right, top, bottom } = each.getBoundingClientRect();
    const words = document.createRange();
    words.selectNodeContents(each);
    const icon = parseFloat(getComputedStyle(each, "::before").width);
    const letter = words.getBoundingClientRect();
    return { left, right: Math.max(right, left + icon + letter.width, letter.right), top, bottom };
  });
  const isOver = (one, two) => one.left < two.right - 1 && two.left < one.right - 1
    && one.top < two.bottom - 1 && two.top < one.bottom - 1;
  return boxes.filter((box, at) => box.left < frame.left - 1 || box.right > frame.right + 1
    || box.bottom > frame.bottom + 1 || boxes.slice(at + 1).some(next => isOver(box, next)));
})"""
MOST_BARS = 150  # pixels that the bars may cover on a phone
TEXT_SIZES = ("normal", "large", "larger", "largest")
MAX_INVISIBLE_SHIFT = 0.002  # smaller shifts are invisible: some words move by a pixel or two


def create_states() -> dict[str, tuple[str, str]]:
    """Create every state, and return the path and the viewer's session of each.

    Call this with `Site.call`.
    """
    from django.utils import timezone

    from duels.commands import endings
    from tests import states
    from tests.browser.scenes import session_of, unique_name
    from tests.cast import hands

    known = [name for name, _ in states.WIZARD_NAMES]
    names = [(unique_name(name[:17]), "they") for name in known]
    people = states.People(timezone.now(), names)

    def two_monsters(people: states.People) -> states.State:
        """Return a duel of two wounded wizards with two monsters."""
        ada: dict[str, Any] = {"damage": 4, "left": "SW", "right": "WP"}
        bram = {"damage": 7, "effects": {"resist_heat": {}, "protection_from_evil": {"turns": 3}}}
        monsters = [{"kind": "troll", "controller": "w0"}, {"kind": "ogre", "controller": "w0"}]
        duel = states.begin_duel(people, setup={"wizards": [ada, bram], "monsters": monsters})
        moves = [{"w0": hands("S", "W"), "w1": hands(*pair)} for pair in ("WP", "DF", "FS", "SD")]
        return states.State(states.play_turns(duel, moves, people.now), people[0])

    def warlocks(people: states.People) -> states.State:
        """Return a duel in which Ada has many choices and an elemental attacks.

        Ada can mark the spells of two hands, paralyse one of Bram's hands, and stop her heart.
        """
        open_windows = {"delayed_effect": {"turns": 3}, "permanency": {"turns": 3}}
        fear = {"fear": {"caster": "w1", "permanent": True}}
        ada: dict[str, Any] = {"damage": 2, "left": "WWP", "right": "---"}
        ada |= {"effects": {**open_windows, **fear}}
        bram: dict[str, Any] = {"damage": 4, "left": "SFW", "right": "WSW"}
        bram |= {"effects": {"paralysis": {"caster": "w0", "turns": 1}}}
        monsters = [{"kind": "ogre", "controller": "w0"}, {"kind": "ice", "controller": ""}]
        setup = {"turn": 5, "wizards": [ada, bram], "monsters": monsters}
        duel = states.begin_duel(people, setup=setup, ruleset="warlocks-1")
        return states.State(duel, people[0])

    def draw_offered(people: states.People) -> states.State:
        state = states.awaited(people)
        endings.offer_draw(duel_id=state.duel.pk, wizard=people[1], ordinal=None, now=people.now)
        return state

    def with_clock(number: int) -> Callable[[states.People], states.State]:
        def clocked(people: states.People) -> states.State:
            return states.State(
                states.begin_duel(people, number, pace=str(3 * 24 * 3600)), people[0]
            )

        return clocked

    own = {
        "two_monsters": two_monsters,
        "warlocks": warlocks,
        "draw_offered": draw_offered,
        "clock_of_two": with_clock(2),
        "clock_of_four": with_clock(4),
    }
    found = {}
    for name in (*STATES, *STATES_WITH_MANY_WIZARDS, "clock_of_two", "clock_of_four"):
        state = (own.get(name) or getattr(states, name))(people)
        found[name] = (state.path, session_of(state.viewer) if state.viewer else "")
    return found


@pytest.fixture(scope="module")
def laid_out(embedded_site: Site) -> dict[str, tuple[str, str]]:
    found: dict[str, tuple[str, str]] = embedded_site.call(create_states)
    return found


@contextmanager
def window(browser: Browser, site: Site, *, script: bool = True) -> Iterator[BrowserContext]:
    opened = browser.new_context(base_url=site.url, java_script_enabled=script)
    # all tests share these states, so no report may be marked as read
    opened.route("**/read", lambda route: route.abort())
    yield opened
    close_window(opened)


@pytest.fixture(scope="module")
def opened(
    browser: Browser, embedded_site: Site, laid_out: dict[str, tuple[str, str]]
) -> Iterator[Callable[..., Page]]:
    """Yield a function that shows a state to its viewer in a shared page of a given size."""
    pages: dict[bool, Page] = {}
    with ExitStack() as stack:

        def page_of(state: str, size: ViewportSize, *, script: bool = True) -> Page:
            if script not in pages:
                opening = window(browser, embedded_site, script=script)
                pages[script] = stack.enter_context(opening).new_page()
                load(pages[script], "/about/")
            path, session = laid_out[state]
            enter(pages[script].context, session, embedded_site)
            pages[script].set_viewport_size(size)
            pages[script].evaluate("localStorage.clear()")  # forget "All rows" of other tests
            load(pages[script], path)
            return pages[script]

        yield page_of


def enter(window: BrowserContext, session: str, site: Site) -> None:
    """Sign in with this session, or become a visitor who is not signed in if there is none."""
    window.clear_cookies()
    if session:
        window.add_cookies([{"name": "sessionid", "value": session, "url": site.url}])


def box(place: Locator) -> FloatRect:
    found = place.bounding_box()
    assert found is not None, place
    return found


def bottom(place: Locator) -> float:
    return box(place)["y"] + box(place)["height"]


def is_on_screen(place: Locator) -> bool:
    """Return whether the whole element is visible in the window and in the frames around it."""
    within: bool = place.evaluate(
        """part => {
          const { top, bottom, left, right } = part.getBoundingClientRect();
          const frames = [{ top: 0, bottom: innerHeight, left: 0, right: innerWidth }];
          for (let each = part.parentElement; each; each = each.parentElement) {
            if (/auto|scroll/.test(getComputedStyle(each).overflowY)) {
              frames.push(each.getBoundingClientRect());
            }
          }
          return frames.every(frame =>
            top >= frame.top - 1 && bottom <= frame.bottom + 1
              && left >= frame.left - 1 && right <= frame.right + 1);
        }"""
    )
    return within


def is_uncovered(place: Locator) -> bool:
    """Return whether the middle of this element can be clicked."""
    meets: bool = place.evaluate(
        """part => {
          const { x, y, width, height } = part.getBoundingClientRect();
          return part.contains(document.elementFromPoint(x + width / 2, y + height / 2));
        }"""
    )
    return meets


def fits(page: Page) -> bool:
    """Return whether the page fits the width of the window and is not scrolled."""
    still: bool = page.evaluate(
        "scrollY === 0 && document.documentElement.scrollWidth <= innerWidth"
    )
    return still


@pytest.mark.parametrize("state", STATES)
def test_whole_turn_fits_on_one_wide_screen(opened: Any, state: str) -> None:
    """The screen shows damage, effects, the last report, recent rows and the whole order sheet.

    A finished duel begins with its story instead of damage and effects.
    """
    page = opened(state, WIDE)
    assert fits(page)
    if state != "over":  # a finished duel begins with its story
        for being in page.locator(".standing .beings > li").all():
            assert is_on_screen(being)
    assert is_on_screen(page.locator(".history tbody tr").last)
    if page.locator("#news").count():
        assert is_on_screen(page.locator("#report-title"))
        assert is_on_screen(page.locator("#news .told li").first)
    if state == "answers":
        assert is_on_screen(page.locator("#questions"))
    if state == "sealed":
        assert is_on_screen(page.locator("[data-receipt]"))
    if state == "over":
        assert is_on_screen(page.locator("[data-outcome]"))
        assert bottom(page.locator("[data-outcome]")) < box(page.locator(".duel-table"))["y"]
    if state in STATES_WITH_SHEET:
        seal, foot = page.locator(".seal-bar button.seal"), page.locator(".seal-bar")
        assert is_on_screen(seal)
        assert is_uncovered(seal)
        first_set = page.locator(".hands").first.locator(".gesture-choice")
        for part in (*first_set.all(), *page.locator("#sheet-rest > .order-rows select").all()):
            assert is_on_screen(part)
            assert bottom(part) <= box(foot)["y"]


@pytest.mark.parametrize("state", STATES)
def test_phone_shows_damage_and_sheet_first_and_other_parts_after_a_tap(
    opened: Any, state: str
) -> None:
    page = opened(state, PHONE)
    assert fits(page)
    wounds = page.locator(".points-line")
    assert box(wounds)["height"] < 2 * box(wounds.locator("b").first)["height"]
    if state == "over":
        assert is_on_screen(page.locator("[data-outcome]"))
        assert bottom(page.locator(".outcome")) <= box(wounds)["y"]
    else:
        assert is_on_screen(wounds)
    own = page.locator("#orders, #questions")
    if own.count():
        assert bottom(wounds) <= box(own)["y"] < PHONE["height"] / 2
        for place in ("#news", "#history", "#standing", ".duel-seals"):
            if page.locator(place).count():
                assert box(page.locator(place))["y"] >= bottom(own)
    if state in STATES_WITH_SHEET:
        seal = page.locator(".seal-bar button.seal")
        assert is_on_screen(seal)
        assert is_uncovered(seal)
        choice = page.locator(".gesture-choice").first
        assert bottom(choice) <= box(page.locator(".seal-bar"))["y"]
    ways = page.get_by_role("navigation", name="Parts of this page")
    if page.locator("#news").count():
        ways.get_by_role("link", name="Report").click()
        expect(page.locator("#report-title")).to_be_in_viewport()
        assert box(page.locator("#report-title"))["y"] >= bottom(wounds)
    ways.get_by_role("link", name="History").click()
    expect(page.locator(".history tbody tr").last).to_be_in_viewport()
    assert box(page.locator(".duel-bar"))["y"] == 0


def test_damage_line_on_a_phone_shows_names_of_wizards_and_icons_of_monsters(opened: Any) -> None:
    beings = opened("two_monsters", PHONE).locator(".points-line li")
    expect(beings).to_have_count(4)
    you = beings.first.locator("span")
    assert you.evaluate("each => each.scrollWidth <= each.clientWidth"), "You is not cut off"
    for points in beings.locator("b").all():
        assert is_on_screen(points)
    icons = beings.locator(".sign")
    expect(icons).to_have_count(2)
    for icon in icons.all():
        assert is_on_screen(icon)


@pytest.mark.parametrize("size", [WIDE, LOW_WINDOW], ids=["wide", "low"])
@pytest.mark.parametrize("state", ["long_duel", "two_monsters", "sealed", "spectator"])
def test_second_column_does_not_cut_off_or_cover_anything(
    opened: Any, state: str, size: ViewportSize
) -> None:
    """At least three whole rows are shown.

    If the report is cut short, a checkbox shows the rest.
    """
    page = opened(state, size)
    assert page.evaluate(OVERLAPS) == []
    assert page.evaluate(COUNT_SLICED_ROWS) == 0
    rows = page.locator(".duel-now .history tbody tr:visible")
    shown, every = rows.count(), page.locator(".duel-now .history tbody tr").count()
    assert shown >= min(3, every)
    lines = page.locator("#news .told li")
    if size is LOW_WINDOW:
        assert shown == every
        assert lines.count() == page.locator("#news .told li:visible").count()
        return
    if state == "long_duel":
        assert shown > 4  # more rows fit because the report above them is short
    for row in rows.all():
        assert is_on_screen(row)
    for line in page.locator("#news .told li:visible").all():
        assert is_on_screen(line)
    if shown < every:
        page.get_by_label("All rows").press("Space")
        assert page.locator(".duel-now .history tbody tr:visible").count() == every
        assert page.evaluate(OVERLAPS) == []
        page.reload()
        expect(page.get_by_label("All rows")).to_be_checked()


def settles(page: Page, script: str, wanted: object) -> None:
    """Wait until the script returns the expected value."""
    found: object = None
    for _ in range(100):
        try:
            found = page.evaluate(script)
        except PageError as error:
            found = error
        if found == wanted:
            return
        page.wait_for_timeout(100)
    assert found == wanted


@pytest.mark.parametrize("size", [WIDE, LOW_WINDOW], ids=["wide", "low"])
def test_nothing_is_covered_after_a_live_reveal_or_after_taking_a_seal_back(
    desks: Desks, embedded_site: Site, size: ViewportSize
) -> None:
    (scene,) = scenes(embedded_site)
    ada, bram = desks.ada(scene, viewport=size), desks.bram(scene, viewport=size)
    choose_both(ada, "W-")
    ada.get_by_role("button", name="Seal these orders").click()
    expect(ada.locator("[data-receipt]")).to_be_visible()
    settles(ada, OVERLAPS, [])
    ada.get_by_role("button", name="Unseal").click()
    expect(ada.get_by_text("You have not sealed yet")).to_be_visible()
    settles(ada, OVERLAPS, [])
    for page in (ada, bram):
        choose_both(page, "SF")
        page.get_by_role("button", name=re.compile("^(Seal these|Change) orders")).click()
        expect(page.locator("[data-receipt], #turn-1").first).to_be_visible()
    expect(ada.locator("#turn-1")).to_be_visible()  # a poll updates the page
    for page in (ada, bram):
        settles(page, OVERLAPS, [])
        settles(page, COUNT_SLICED_ROWS, 0)


@pytest.mark.parametrize("size", [WIDE, LOW_WINDOW, PHONE], ids=["wide", "low", "phone"])
def test_summary_of_orders_is_shown_next_to_the_seal_button(
    desks: Desks, embedded_site: Site, size: ViewportSize
) -> None:
    """The summary is one sentence, followed by warnings.

    Orders with a one-handed clap must be confirmed once.
    """
    (scene,) = scenes(embedded_site)
    page = desks.ada(scene, viewport=size)
    foot = page.locator(".seal-bar")
    choose(page, "left", "W")
    assert is_on_screen(foot.locator("[data-to-seal]"))
    assert is_uncovered(foot.locator("[data-to-seal]"))
    if size is PHONE:
        assert box(foot)["height"] <= 110
    choose(page, "left", "C")
    warning = foot.locator('[data-caution="half_a_clap"]')
    assert is_on_screen(warning)
    assert is_uncovered(warning)
    page.get_by_role("button", name="Seal these orders").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.locator('[data-caution="half_a_clap"]')).to_be_visible()
    dialog.get_by_role("button", name="Back to order sheet").click()
    expect(page.locator("[data-receipt]")).to_have_count(0)
    choose(page, "right", "C")
    page.get_by_role("button", name="Seal these orders").click()
    expect(page.locator("[data-receipt]")).to_be_visible()  # both hands clap now


def test_summary_on_a_phone_shows_the_spells_of_both_hands(
    desks: Desks, embedded_site: Site
) -> None:
    """Warnings and monsters do not hide the spells, and the bars leave room for the sheet."""
    goblin = {"kind": "goblin", "controller": "w0"}
    wizards = [{"left": "-WPF", "right": "DFFD"}, {}]
    scene, crowd = scenes(
        embedded_site, [{"wizards": wizards}, {"wizards": wizards, "monsters": [goblin] * 4}]
    )
    summary = ".seal-bar .to-seal"
    for page in (desks.ada(scene, viewport=PHONE), desks.ada(crowd, viewport=PHONE)):
        choose_both(page, "DD")
        expect(page.locator(summary)).to_contain_text("casts Lightning Bolt at Bram")
        last = page.locator(f'{summary} a[href$="#spell:lightning_bolt"]')
        assert is_on_screen(last)
        assert is_uncovered(last)
        with page.expect_response("**/sheet"):
            page.locator('select[name="right_subject"]').select_option("w0")
        expect(page.locator('.seal-bar [data-caution="harms_you"]')).to_be_visible()
        assert is_on_screen(last)
        assert is_uncovered(last)
        assert sum(box(bar)["height"] for bar in sticky_bars(page)) <= MOST_BARS


def test_foot_on_a_phone_stays_low_if_the_summary_is_long(opened: Any) -> None:
    """A hasted wizard can complete four spells in one turn."""
    page = opened("hasted", PHONE)
    page.evaluate("""() => {
        document.querySelector(".sheet").insertAdjacentHTML(
            "beforeend", '<div class="completed"><span class="spells"></span></div>');
        document.querySelector(".to-seal").textContent =
            "Your left hand makes W and casts Fire Storm at everybody; ".repeat(9);
    }""")
    (foot,) = sticky_bars(page)
    assert box(foot)["height"] <= MOST_BARS


def test_newest_gestures_and_news_are_not_covered_on_a_phone(opened: Any) -> None:
    page = opened("two_monsters", PHONE)
    for side in ("left", "right"):
        trail = page.locator(f".hand-choice.{side} .trail").first
        made = trail.locator("span:not(.hidden-text)")
        seen = [each for each in made.all() if each.is_visible()]
        assert len(seen) == 4 < made.count()
        assert made.last.is_visible()
        frame = box(trail)
        for each in seen:
            assert box(each)["x"] >= frame["x"] - 0.5
            assert box(each)["x"] + box(each)["width"] <= frame["x"] + frame["width"] + 0.5
    played = page.get_by_role("link", name="Turn 4 has been played")
    assert is_on_screen(played)
    played.click()
    title, strip = page.locator("#report-title"), page.locator(".duel-bar")
    expect(title).to_be_in_viewport()
    assert box(title)["y"] >= bottom(strip)
    page.evaluate("location.hash = 'turn-4'")
    assert box(title)["y"] >= bottom(strip) - 1


def test_phone_shows_the_opponents_last_gestures_in_the_sheet(opened: Any) -> None:
    """The gestures fit on one line. On a desktop, the history is next to the sheet instead."""
    page = opened("two_monsters", PHONE)
    rivals, sheet = page.locator(".rivals"), page.locator("#orders")
    (line,) = rivals.locator("li").all()
    assert is_on_screen(line)
    assert is_uncovered(line)
    assert box(sheet)["y"] < box(line)["y"] < bottom(line) <= box(page.locator(".hands"))["y"]
    made = {side: line.locator(f".{side} > span") for side in ("left", "right")}
    assert {side: "".join(found.all_inner_texts()) for side, found in made.items()} == {
        "left": "DFS",
        "right": "FSD",
    }
    for gesture in (*made["left"].all(), *made["right"].all()):
        assert box(line)["x"] <= box(gesture)["x"]
        assert box(gesture)["x"] + box(gesture)["width"] <= box(line)["x"] + box(line)["width"] + 1
    expect(opened("two_monsters", WIDE).locator(".rivals")).to_be_hidden()


def sticky_bars(page: Page) -> list[Locator]:
    """Return those of the two bars that stay in view when the page scrolls."""
    bars = [page.locator(".duel-bar"), page.locator(".seal-bar")]
    position = "each => getComputedStyle(each).position"
    return [bar for bar in bars if bar.evaluate(position) == "sticky"]


def set_text_size(page: Page, size: str) -> None:
    page.evaluate("size => { document.documentElement.dataset.size = size }", size)


@pytest.mark.parametrize("size", TEXT_SIZES)
@pytest.mark.parametrize("state", ["two_monsters", "four_wizards"])
def test_rows_of_gestures_show_every_gesture(opened: Any, state: str, size: str) -> None:
    page = opened(state, PHONE)
    set_text_size(page, size)
    rows = page.locator("#orders .trail").all()
    shown = [row.locator("span:not(.hidden-text):visible").count() for row in rows]
    assert shown[-2:] == [4, 4]
    assert set(shown[:-2]) == {3}
    assert page.evaluate(CROWDED) == []


@pytest.mark.parametrize("size", TEXT_SIZES)
def test_bars_leave_room_for_the_sheet_on_a_phone(opened: Any, size: str) -> None:
    """With large text, the foot of the sheet scrolls with the page, and shows all it says."""
    page = opened("first_turn", PHONE)
    set_text_size(page, size)
    fixed = sticky_bars(page)
    assert len(fixed) == (2 if size == "normal" else 1)
    assert sum(box(bar)["height"] for bar in fixed) <= MOST_BARS
    clauses = page.locator(".to-seal > span").all()
    hands = [each.inner_text() for each in clauses]
    assert hands == ["Your left hand does nothing;", "your right hand does nothing."]
    for clause in clauses:
        assert bottom(clause) <= bottom(page.locator(".to-seal")) + 1


@pytest.mark.parametrize("size", TEXT_SIZES)
def test_bar_on_a_phone_does_not_cover_the_heading_of_a_report(opened: Any, size: str) -> None:
    page = opened("two_monsters", PHONE)
    set_text_size(page, size)
    page.evaluate("location.hash = document.querySelector('.told').id")
    expect(page.locator("#report-title")).to_be_in_viewport(ratio=1)
    assert box(page.locator("#report-title"))["y"] >= bottom(page.locator(".duel-bar")) - 1


def test_draw_offer_can_be_answered_next_to_the_seal_button(opened: Any) -> None:
    for size in (WIDE, PHONE):
        page = opened("draw_offered", size)
        foot = page.locator(".seal-bar")
        expect(foot).to_contain_text(DRAW_OFFER)
        for name in ("Agree to a draw", "Decline", "Seal these orders"):
            button = foot.get_by_role("button", name=name)
            assert is_on_screen(button)
            assert is_uncovered(button)
        expect(page.get_by_role("button", name="Offer a draw")).to_have_count(0)
    page.get_by_role("button", name="Decline").click()
    expect(page.get_by_text(DRAW_OFFER)).to_have_count(0)
    page.get_by_role("button", name="Offer a draw").click()
    expect(page.locator("#live-ending").get_by_text("You have offered a draw.")).to_be_visible()
    page.get_by_role("button", name="Withdraw draw offer").click()
    expect(page.get_by_text("You have offered a draw.")).to_have_count(0)


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_whole_turn_fits_on_one_screen_without_javascript(opened: Any, size: ViewportSize) -> None:
    page = opened("two_monsters", size, script=False)
    seal = box(page.locator(".seal-bar button.seal"))
    assert seal["y"] + seal["height"] <= size["height"]
    row = box(page.locator(".history tbody tr").last)
    frame = box(page.locator(".history-frame"))
    assert row["y"] + row["height"] <= frame["y"] + frame["height"] + 1
    for name in ("Preview", "Save draft"):
        expect(page.get_by_role("button", name=name)).to_be_in_viewport()


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_page_shows_the_result_after_a_seal(
    desks: Desks, embedded_site: Site, size: ViewportSize
) -> None:
    """The page shows the sealed orders or, after the last seal, the report with the focus."""
    (scene,) = scenes(embedded_site)
    ada, bram = desks.ada(scene, viewport=size), desks.bram(scene, viewport=size)
    for page in (ada, bram):
        page.route("**/poll*", lambda route: route.abort())  # polls do not update this page
        choose_both(page, "W-")
        page.evaluate("scrollTo(0, document.body.scrollHeight)")
        page.get_by_role("button", name="Seal these orders").click()
        page.wait_for_url("**/#*")
    assert ada.url.endswith("#orders")
    expect(ada.locator("[data-receipt]")).to_be_in_viewport()
    expect(ada.get_by_role("status").filter(has_text="are sealed")).to_have_count(1)
    assert bram.url.endswith("#turn-1")
    news = bram.locator("#turn-1")
    expect(news).to_be_in_viewport()
    expect(news).to_be_focused()
    expect(bram.locator(".notes")).to_have_count(0)  # the report shows enough
    expect(bram.get_by_text("are sealed")).to_have_count(0)
    to_orders = bram.get_by_role("link", name="Your orders for turn 2")
    if size is WIDE:
        assert bram.evaluate("scrollY") == 0
        expect(to_orders).to_be_hidden()
    else:
        to_orders.click()
        expect(bram.locator("#orders-title")).to_be_in_viewport()


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_buttons_to_take_the_seal_back_and_change_orders_are_adjacent(
    opened: Any, size: ViewportSize
) -> None:
    """Both buttons that change a seal stay together when the order sheet is opened."""
    page = opened("sealed", size)
    change, unseal = (
        page.get_by_text("Change your orders", exact=True),
        page.get_by_role("button", name="Unseal"),
    )
    assert abs(box(change)["y"] - box(unseal)["y"]) < 2
    assert box(unseal)["x"] > box(change)["x"] + box(change)["width"]
    expect(unseal).to_have_count(1)
    change.click(position={"x": 20, "y": 20})
    assert box(unseal)["x"] > box(change)["x"] + 100  # a double click does not press it
    expect(page.locator(".seal-bar").get_by_role("button", name="Seal new orders")).to_be_visible()
    expect(unseal).to_have_count(1)


@pytest.mark.parametrize("size", [WIDE, LOW_WINDOW, PHONE], ids=["wide", "low", "phone"])
@pytest.mark.parametrize("state", STATES_WITH_MANY_WIZARDS)
def test_history_of_many_wizards_does_not_cut_off_rows(
    opened: Any, state: str, size: ViewportSize
) -> None:
    """No row is cut off, a checkbox shows the hidden rows, and the history does not scroll."""
    page = opened(state, size)
    rows, every = page.locator(".history tbody tr:visible"), page.locator(".history tbody tr")
    whole = "frame => frame.scrollHeight <= frame.clientHeight + 1"
    assert page.locator(".history-frame").evaluate(whole)
    if size is not LOW_WINDOW or state == "eight_wizards":
        assert 3 <= rows.count() < every.count()
        page.get_by_label("All rows").check()
    assert rows.count() == every.count()
    assert page.locator(".history-frame").evaluate(whole)


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
@pytest.mark.parametrize("state", ["clock_of_two", "clock_of_four"])
def test_countdown_does_not_move_the_page(opened: Any, state: str, size: ViewportSize) -> None:
    page = opened(state, size)
    heights = []
    for words in ("9 hours left", "2 days, 23 hours left", "23 hours, 59 minutes left"):
        page.evaluate(
            "words => document.querySelectorAll('.time-left').forEach(e => e.textContent = words)",
            words,
        )
        heights.append(page.evaluate("document.documentElement.scrollHeight"))
    assert len(set(heights)) == 1, heights


@pytest.mark.parametrize("size", [WIDE, LOW_WINDOW, PHONE], ids=["wide", "low", "phone"])
def test_page_shows_the_news_and_announces_damage_when_a_turn_is_revealed(
    desks: Desks, embedded_site: Site, size: ViewportSize
) -> None:
    """Both wizards see the news, and the buttons above the order sheet are still shown."""
    (scene,) = scenes(embedded_site)
    ada, bram = desks.ada(scene, viewport=size), desks.bram(scene, viewport=size)
    choose_both(ada, ">-")
    ada.get_by_role("button", name="Seal these orders").click()
    expect(ada.locator("[data-receipt]")).to_be_visible()
    ada.evaluate("scrollTo(0, document.body.scrollHeight)")
    choose_both(bram, "W-")
    bram.get_by_role("button", name="Seal these orders").click()
    for page, said in ((ada, "The turn has been played. "), (bram, "")):
        news = page.locator("#turn-1")
        expect(news).to_be_focused(timeout=POLL_TIMEOUT)
        expect(news.locator("li").first).to_be_in_viewport()
        expect(page.locator("[data-announce]")).to_have_text(
            re.compile(f"^{said}Bram\\b.* now has 1 point|^{said}.*1 point of damage now[.]$")
        )
        for name in ("Keys", "Find a spell"):
            expect(page.locator(".sheet-tools").get_by_text(name)).to_be_visible()
    assert "#" not in ada.url  # the address no longer points to the sealed orders


def test_gesture_keys_work_while_a_checkbox_outside_the_sheet_has_the_focus(opened: Any) -> None:
    page = opened("eight_wizards", WIDE)
    lines = page.locator(".more-lines input")
    lines.check()
    page.keyboard.press("-")
    expect(page.locator('input[name="left"][value="-"]')).to_be_focused()
    lines.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog", name="Seal these orders?")).to_be_visible()


def test_low_window_links_to_news_that_is_out_of_view(opened: Any) -> None:
    page = opened("two_monsters", LOW_WINDOW)
    link = page.get_by_role("link", name="Turn 4 has been played")
    assert is_on_screen(link)
    link.click()
    expect(page.locator("#report-title")).to_be_in_viewport()
    expect(page.locator("#news li").first).to_be_in_viewport()
    expect(opened("eight_wizards", WIDE).locator(".played")).to_be_visible()
    expect(opened("two_monsters", WIDE).locator(".played")).to_be_hidden()  # news is in view


def test_spell_can_be_looked_up_on_a_phone_without_leaving_the_sheet(opened: Any) -> None:
    """The list of spells and a spell's text open in dialogs over the order sheet."""
    page = opened("two_monsters", PHONE)
    before = page.url
    page.get_by_role("link", name="Find a spell").click()
    found = page.get_by_role("dialog", name="Find a spell")
    found.get_by_role("link", name="Shield", exact=True).click()
    spell = page.get_by_role("dialog", name="Shield")
    expect(spell).to_be_visible()
    spell.press("Escape")
    expect(spell).to_have_count(0)
    expect(found).to_be_visible()
    found.press("Escape")
    expect(found).to_have_count(0)
    assert page.url == before
    assert is_on_screen(page.locator(".seal-bar button.seal"))


def slow_letters(page: Page, url: str) -> None:
    """Delay the site's fonts."""

    def late(route: Route) -> None:
        page.wait_for_timeout(600)
        route.continue_()

    page.route("**/*.woff2", late)


def slow_machine(page: Page, url: str) -> None:
    """Delay scripts, and slow the processor down."""

    def late(route: Route) -> None:
        page.wait_for_timeout(200)
        route.continue_()

    page.route("**/*.js", late)
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": 6})


def slow_page(page: Page, url: str) -> None:
    """Load the page's HTML slowly."""
    pace = {"latency": 0, "downloadThroughput": 6_000, "uploadThroughput": -1}
    network = page.context.new_cdp_session(page)
    network.send("Network.enable")
    network.send(
        "Network.emulateNetworkConditionsByRule",
        {"offline": False, "matchedNetworkConditions": [{"urlPattern": url, **pace}]},
    )


SLOW_LOADS = (slow_letters, slow_machine, slow_page)
SLOWLY_LOADED_STATES = ("answers", "two_monsters", "over", *STATES_WITH_MANY_WIZARDS)


@pytest.mark.parametrize(
    ("state", "slow", "size"),
    # every state is loaded with each of the delays; the window sizes alternate
    [
        pytest.param(*each, size, id=f"{each[0]}-{each[1].__name__}-{size['width']}")
        for each, size in zip(
            product(SLOWLY_LOADED_STATES, SLOW_LOADS), cycle((WIDE, PHONE)), strict=False
        )
    ],
)
def test_page_does_not_jump_while_it_loads_slowly(
    browser: Browser,
    embedded_site: Site,
    laid_out: dict[str, tuple[str, str]],
    state: str,
    slow: Callable[[Page, str], None],
    size: ViewportSize,
) -> None:
    """The fonts, the scripts or the page itself load slowly, and the cache is empty."""
    path, session = laid_out[state]
    with window(browser, embedded_site) as opened:
        page = opened.new_page()
        enter(opened, session, embedded_site)
        page.set_viewport_size(size)
        page.goto("/robots.txt")  # throttling ends if Chromium starts a new process
        slow(page, f"{embedded_site.url}{path}")
        page.goto(path)
        page.evaluate("document.fonts.ready.then(() => true)")
        jumps = page.evaluate(RECORD_JUMPS)
    assert sum(by for by, *_ in jumps) < MAX_INVISIBLE_SHIFT, jumps


def test_phone_shows_seals_and_links_to_a_played_turn(desks: Desks, embedded_site: Site) -> None:
    """A line shows who has sealed, and links to a played turn until its report has been read."""
    (scene,) = scenes(embedded_site)
    ada, bram = desks.ada(scene, viewport=PHONE), desks.bram(scene)
    bar = ada.locator(".duel-bar")
    waits = ada.get_by_text(re.compile(r"^Bram \w+ has sealed and is waiting for you\.$"))
    played = ada.get_by_role("link", name="Turn 1 has been played")
    for page in (bram, ada):
        choose_both(page, "W-")
        if page is ada:
            expect(waits).to_be_visible(timeout=POLL_TIMEOUT)
        page.get_by_role("button", name="Seal these orders").click()
    expect(ada.get_by_role("heading", name="Your orders for turn 2")).to_be_visible(
        timeout=POLL_TIMEOUT
    )
    expect(waits).to_have_count(0)
    load(ada, scene.path)
    expect(played).to_be_visible()
    played.click()
    expect(ada.locator("#report-title")).to_be_in_viewport()
    bar.get_by_role("link", name="Orders").click()
    expect(played).to_be_hidden()
