"""Tests of Warlocks duels in the browser, played to their end.

The tests cover numbered extra turns, marking spells to be made permanent or delayed, a visible
bank, paralysed hands and stopping a heart.
"""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import violations
from tests.browser.person import load
from tests.browser.scenes import (
    Desks,
    choose,
    press,
    scenes,
    session_of,
    unique_name,
    wait_until_settled,
)
from tests.browser.scenes import seal as seal_chosen
from tests.browser.whole_duels import whole_duel
from tests.sites import Site

pytestmark = pytest.mark.timeout(600)

RULESET = "warlocks-1"
MAX_RELOADS = 20  # a turn may be resolved a moment after its last seal
WIDE = {"viewport": {"width": 1440, "height": 900}}
PHONE = {"viewport": {"width": 360, "height": 740}, "color_scheme": "dark"}
ABOUT_TO_HASTE_SETUP = {
    "turn": 6,
    "wizards": [
        {
            "left": "PWPWW",
            "right": "-----",
            "effects": {"delayed_effect": {"turns": 3}, "permanency": {"turns": 3}},
        },
        {"left": "-----", "right": "-----", "damage": 13},
    ],
}
ABOUT_TO_STOP_TIME_SETUP = {
    "turn": 4,
    "wizards": [
        {"left": "SPP", "right": "---", "bank": "lightning_bolt", "bank_subject": "w1"},
        {"damage": 12},
        {},
        {},
    ],
}
TWO_ABOUT_TO_HASTE_SETUP = {
    "turn": 6,
    "wizards": [
        {
            "left": "PWPWW",
            "right": "-----",
            "effects": {"delayed_effect": {"turns": 3}, "permanency": {"turns": 3}},
        },
        {"left": "-----", "right": "-----", "effects": {"haste": {"turns": 3}}},
        {
            "left": "--W",
            "right": "--W",
            "damage": 14,
            "effects": {"charm_person": {"caster": "w3", "turns": 1}},
        },
        {"damage": 14},
    ],
    "monsters": [{"kind": "goblin", "controller": "w3"}],
}
PARALYSIS_SETUP: dict[str, object] = {
    "turn": 5,
    "wizards": [
        {"left": "---", "right": "---"},
        {
            "left": "SWS",
            "right": "WSW",
            "effects": {"paralysis": {"caster": "w0", "turns": 1}},
        },
    ],
}
FEAR_SETUP: dict[str, object] = {
    "turn": 9,
    "wizards": [
        {"effects": {"fear": {"caster": "w1", "permanent": True}}},
        {"damage": 3},
    ],
}


# Returns each line break inside a word that has no hyphen there, with the text around it.
FIND_BROKEN_WORDS = """() => [
  ...document.querySelectorAll(".history .cast-name > span, .gesture-hint > [aria-hidden]"),
].flatMap(each => {
  const text = document.createTreeWalker(each, NodeFilter.SHOW_TEXT).lastChild();
  const found = [], range = document.createRange();
  let last;
  for (let at = 0; at < text.data.length; at++) {
    range.setStart(text, at);
    range.setEnd(text, at + 1);
    const box = [...range.getClientRects()].pop();
    if (!box?.width) continue;
    if (last && box.top > last + 4 && /\\p{L}/u.test(text.data[at - 1]))
      found.push(text.data.slice(0, at) + "|" + text.data.slice(at));
    last = box.top;
  }
  return found;
})"""


def begin_maladroitness_duel() -> list[str]:
    """Begin a duel in which every hand is casting Maladroitness; return its path and a session.

    Call this with `Site.call`.
    """
    from tests.cast import begin, hands, make_wizard, play

    ada, bram = (make_wizard(unique_name(name)) for name in ("Ada", "Bram"))
    duel = begin(ada, bram, ruleset=RULESET, options=["maladroit"])
    for row in ("D-", "SP", "FD", "-W", "D-", "-D", "-S"):
        play(duel, {ada: hands(*row), bram: hands(*row)})
    return [f"/duels/{duel.pk}/", session_of(ada)]


def begin_duel_of_four(setup: dict[str, object]) -> list[Any]:
    """Begin a duel of four from this setup; return its path and a session of each wizard.

    Call this with `Site.call`.
    """
    from django.utils import timezone

    import engine.play
    from duels.models import Duel, Turn
    from tests.cast import begin, make_wizard

    names = ("Ada", "Bram", "Cleo", "Dorn")
    wizards = [make_wizard(unique_name(name)) for name in names]
    duel = begin(*wizards, ruleset=RULESET)
    duellists = [engine.play.Duellist(wizard.name, "they") for wizard in wizards]
    position = engine.play.begin(RULESET, duellists, setup=setup)
    Turn.objects.filter(duel=duel).update(
        position=engine.play.dump(position), opened_at=timezone.now()
    )
    Duel.objects.filter(pk=duel.pk).update(setup=setup)
    return [f"/duels/{duel.pk}/", *map(session_of, wizards)]


def seal_without_browser(path: str, seats: list[int], left: str) -> None:
    """Seal this gesture for these wizards, without a browser window.

    Call this with `Site.call`.
    """
    from django.utils import timezone

    from duels.models import Duel
    from tests.cast import hands, seal

    duel = Duel.objects.get(pk=int(path.strip("/").split("/")[1]))
    for seat in duel.seats.filter(place__in=seats):
        seal(duel, seat.wizard, hands(left, "-"), now=timezone.now())


def seal(page: Page, left: str, right: str, **more: str) -> None:
    """Choose these gestures and marks, seal, and confirm if the sheet asks."""
    for field, letter in (("left", left), ("right", right)):
        if letter not in ("", "-"):  # a hand without a choice does nothing
            choose(page, field, letter)
    for field, value in more.items():
        found = page.locator(f'input[name="{field}"][value="{value}"]')
        if found.count():
            with page.expect_response("**/sheet"):
                press(found)
            expect(found).to_be_checked()
        else:
            with page.expect_response("**/sheet"):
                page.locator(f'select[name="{field}"]').select_option(value)
        wait_until_settled(page)
    seal_chosen(page)


def reload_until(page: Page, words: str) -> None:
    """Reload the page until its header shows this text, such as a turn or the end of the duel."""
    head = page.locator(".duel-head .tag").first
    for _ in range(MAX_RELOADS):
        load(page, page.url)
        if words in head.inner_text():
            return
        page.wait_for_timeout(500)
    expect(head).to_contain_text(words)


def test_long_spell_names_break_between_syllables(desks: Desks, embedded_site: Site) -> None:
    """On a small phone, the names are in the history's squares and next to gestures."""
    path, session = embedded_site.call(begin_maladroitness_duel)
    page = desks.window(path, session, PHONE)
    for width in (320, 360):
        page.set_viewport_size({"width": width, "height": 740})
        page.get_by_label("All rows").check()
        assert page.evaluate(FIND_BROKEN_WORDS) == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    name = page.locator(".history .cast-name", has_text="adroit").first
    name.hover()
    expect(name).to_have_attribute("title", "Maladroitness")


@whole_duel("haste and bank")
def test_duel_of_two_with_haste_bank_and_mark_can_be_played_to_its_end(
    desks: Desks, embedded_site: Site
) -> None:
    """rules: W9, W34, W35"""
    (scene,) = scenes(embedded_site, [ABOUT_TO_HASTE_SETUP], RULESET)
    ada, bram = desks.ada(scene, **WIDE), desks.bram(scene, **PHONE)
    seal(bram, "W", "-")
    choose(ada, "left", "C")
    choose(ada, "right", "C")
    expect(ada.locator('[data-field="permanency"]')).to_contain_text("Haste")
    seal(ada, "", "", permanency="BH")
    reload_until(ada, "hasted turn 7")
    expect(ada.locator("[data-why]")).to_contain_text("You are hasted")
    expect(ada.locator('.duel-standing [data-being="w0"]')).to_contain_text("permanent")
    reload_until(bram, "hasted turn 7")
    expect(bram.locator(".waiting")).to_contain_text("Only hasted wizards act this turn:")
    expect(bram.locator("#order-form")).to_have_count(0)
    seal(ada, "S", "S")
    reload_until(bram, "turn 8")
    seal(bram, "W", "-")
    reload_until(ada, "turn 8")
    seal(ada, "D", "S", bank="L")
    reload_until(bram, "hasted turn 9")
    expect(bram.locator('.duel-standing [data-being="w0"]')).to_contain_text("Magic Missile")
    empty = bram.locator('.history tr[data-turn="7h"] td[data-hand="w1-left"]')
    expect(empty).to_have_class("blank")
    reload_until(ada, "hasted turn 9")
    assert violations(ada) == []
    seal(ada, "F", "D", release="yes")
    reload_until(bram, "over after turn 9")
    expect(bram.locator("main")).to_contain_text("wins.")


@whole_duel("time stop")
def test_duel_of_four_with_time_stop_can_be_played_to_its_end(
    desks: Desks, embedded_site: Site
) -> None:
    """rules: W12, W47, W48"""
    path, *sessions = embedded_site.call(begin_duel_of_four, ABOUT_TO_STOP_TIME_SETUP)
    ada, bram, cleo, dorn = (desks.window(path, session, WIDE) for session in sessions)
    for page in (bram, cleo, dorn):
        seal(page, "W", "-")
    seal(ada, "C", "C")
    reload_until(ada, "turn 5")
    expect(ada.locator("[data-why]")).to_contain_text("Time has stopped for others")
    reload_until(bram, "turn 5")
    expect(bram.locator(".waiting")).to_contain_text("Time has stopped for you")
    seal(ada, "F", "-", release="yes")
    reload_until(cleo, "turn 6")
    expect(cleo.locator('.duel-standing [data-being="w1"]')).to_contain_text("dead")
    for page in (cleo, dorn):
        load(page, page.url)
        seal(page, "P", "P")
    reload_until(ada, "turn 6")
    seal(ada, "W", "-")
    reload_until(ada, "over after turn 6")


@whole_duel("two hasted wizards")
def test_duel_of_four_with_two_hasted_wizards_bank_and_mark_can_be_played_to_its_end(
    desks: Desks, embedded_site: Site
) -> None:
    """rules: W3, W9, W10, W18, W34, W35, W39, W48"""
    path, *sessions = embedded_site.call(begin_duel_of_four, TWO_ABOUT_TO_HASTE_SETUP)
    ada, bram = (desks.window(path, session, WIDE) for session in sessions[:2])
    dorn = desks.window(path, sessions[3], PHONE)
    embedded_site.call(seal_without_browser, path, [2], "W")
    victim = dorn.locator('select[name="victim:m0"]')
    expect(victim.locator("option").first).to_have_text("an opponent, drawn by lot (default)")
    seal(dorn, "W", "-", **{"victim:m0": "w1", "charmed:w2.R": "D"})
    seal(bram, "W", "-")
    choose(ada, "left", "C")
    choose(ada, "right", "C")
    seal(ada, "", "", permanency="BH")
    reload_until(ada, "hasted turn 7")
    made = ada.locator('.history tr[data-turn="6"] td[data-hand="w2-right"]')
    expect(made).to_contain_text("D")
    reload_until(dorn, "hasted turn 7")
    expect(dorn.locator(".waiting")).to_contain_text("Only hasted wizards act this turn:")
    seal(ada, "S", "-")
    load(bram, bram.url)
    seal(bram, "S", "-")
    reload_until(ada, "turn 8")
    embedded_site.call(seal_without_browser, path, [2, 3], "W")
    load(bram, bram.url)
    seal(bram, "D", "-", left_subject="w2")
    seal(ada, "D", "-", left_subject="w3", bank="L")
    reload_until(bram, "hasted turn 9")
    expect(bram.locator('.duel-standing [data-being="w2"]')).to_contain_text("dead")
    expect(bram.locator('.duel-standing [data-being="w0"]')).to_contain_text("Magic Missile")
    assert violations(bram) == []
    seal(bram, "P", "P")
    load(ada, ada.url)
    seal(ada, "F", "-", release="yes")
    reload_until(dorn, "over after turn 9")
    expect(dorn.locator('.duel-standing [data-being="w1"]')).to_contain_text("surrendered")
    expect(dorn.locator("main")).to_contain_text("wins.")


@pytest.mark.parametrize("window", [WIDE, PHONE], ids=["desk", "phone"])
def test_caster_can_choose_which_hand_to_paralyse(
    desks: Desks, embedded_site: Site, window: dict[str, Any]
) -> None:
    """rules: W18"""
    (scene,) = scenes(embedded_site, [PARALYSIS_SETUP], RULESET)
    ada = desks.ada(scene, **window)
    field = ada.locator('select[name="held:w1"]')
    expect(field.locator("option")).to_have_text(["left hand (default)", "right hand"])
    assert violations(ada) == []
    seal(desks.bram(scene, **window), "W", "W")
    seal(ada, "W", "-", **{"held:w1": "R"})
    reload_until(ada, "turn 6")
    made = ada.locator('.history tr[data-turn="5"] td[data-hand="w1-right"]')
    expect(made).to_contain_text("P")


def test_stopping_your_own_heart_must_be_confirmed(desks: Desks, embedded_site: Site) -> None:
    """rules: W27"""
    (scene,) = scenes(embedded_site, [FEAR_SETUP], RULESET)
    ada = desks.ada(scene, **WIDE)
    choose(ada, "left", "W")
    with ada.expect_response("**/sheet"):
        ada.locator('select[name="heart"]').select_option("yes")
    expect(ada.locator("#sealing[data-asks=grave]")).to_have_count(1)
    ada.locator("#order-form button.seal").click()
    asked = ada.get_by_role("dialog")
    expect(asked.locator("button.seal")).to_contain_text("Stop your heart and seal")
    asked.locator("button.seal").click()
    seal(desks.bram(scene, **WIDE), "W", "-")
    reload_until(ada, "over after turn 9")
    expect(ada.locator('.duel-standing [data-being="w0"]')).to_contain_text("dead")
