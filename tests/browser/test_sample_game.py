"""A test of the first sample game, Black against White: two people enter all 22 turns.

Both use browsers on a site with PostgreSQL, Redis, Celery workers and SMTP.
"""

import json
import re
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from playwright.sync_api import Browser, expect

from tests.browser.person import Person
from tests.browser.where import ON_SERVICES
from tests.browser.whole_duels import whole_duel
from tests.browser.windows import PATIENCE_SECONDS, close_window
from tests.sites import Site

GAME_FILE = Path(__file__).parent.parent / "engine" / "sample_games" / "black_and_white.json"
GAME_RECORD = json.loads(GAME_FILE.read_text())["record"]
TURNS_OF_INVISIBILITY = range(16, 19)
TEXT_AFTER_SEALING = re.compile(
    "Your orders for|has been played|The duel is over|White wins|You win"
)


@ON_SERVICES
@whole_duel("first sample game")
def test_two_people_can_play_the_first_sample_game(
    people: Callable[..., Person], browser: Browser, site: Site
) -> None:
    black, white = people("Black"), people("White")
    for person in (black, white):
        request_emails_at_once(person)
    send_challenge(black, "White")
    store_printed_dice(site, black.page.url)
    path = accept_challenge(white)
    for person in (black, white):
        person.open(path)
    codes = wizard_ids(black)
    watcher = Person(browser.new_context(base_url=site.url).new_page(), site, "", "")
    written = {"w0": black, "w1": white}

    for turn in GAME_RECORD["turns"]:
        number = turn["number"]  # both players' pages already show this turn
        # Begin with wizards who have nothing to decide, because the turn may resolve without them.
        for code, person in sorted(written.items(), key=lambda each: each[1].is_awaited()):
            assert person.turn_number() == number
            fill_in_sheet(
                person,
                {name: with_site_ids(value, codes) for name, value in turn["orders"][code].items()},
            )
            person.seal()
            # the worker may be so fast that the page already shows the next turn
            taken = person.page.get_by_role("status").filter(has_text=TEXT_AFTER_SEALING)
            news = person.page.get_by_role("link", name=f"Turn {number} has been played")
            expect(taken.or_(news).first).to_be_visible()
        for person in written.values():
            await_turn(person, path, number)
            for code, damage in turn["damage"].items():
                assert person.damage(codes[code]) == damage, f"turn {number}"
        if number in TURNS_OF_INVISIBILITY:
            watcher.open(path)
            for side in ("left", "right"):
                square = (number, codes["w0"], side)
                expect(white.square(*square)).to_have_class(re.compile("fogged"))
                expect(watcher.square(*square)).to_have_class(re.compile("fogged"))
                expect(black.square(*square)).not_to_have_class(re.compile("fogged"))
                expect(black.square(*square)).to_contain_text(turn["orders"]["w0"][side])

    for person in written.values():
        outcome = "You win" if person is white else "White wins"
        expect(person.page.locator("[data-outcome]")).to_contain_text(outcome)
        broken = person.page.locator(".history tr.broken")
        shown = [
            (row.get_attribute("data-break-after"), mark.get_attribute("data-broken"))
            for row in broken.all()
            for mark in row.locator("[data-broken]").all()
        ]
        assert ("16", codes["w0"]) in shown
        assert ("19", codes["w1"]) in shown
    watcher.open(path)
    expect(watcher.square(17, codes["w0"], "left")).to_contain_text("W")
    close_window(watcher.page.context)
    for person in written.values():
        assert_email_for_every_turn(person)


def request_emails_at_once(person: Person) -> None:
    """Choose to get emails at once; by default, they are delayed while the player is here."""
    person.open("/settings/mail")
    person.page.get_by_label("Also while I am on the site").check()
    person.page.get_by_role("button", name="Save").first.click()
    expect(person.page.get_by_text("Saved.")).to_be_visible()


def send_challenge(person: Person, opponent: str) -> None:
    person.open("/challenge/new")
    person.page.get_by_label("A wizard by name").check()
    person.page.get_by_label("The wizard’s name").fill(opponent)
    person.page.get_by_role("button", name="Send challenge").click()
    expect(person.page.locator("h1")).to_contain_text("Your challenge")


def accept_challenge(person: Person) -> str:
    """Accept the only challenge, and return the address of the duel."""
    person.open("/")
    person.page.locator("#to-me .who").click()
    person.page.get_by_role("button", name="Accept").click()
    expect(person.page.locator("#orders-title")).to_be_visible()
    return re.sub(r"^https?://[^/]+", "", person.page.url)


def wizard_ids(person: Person) -> Mapping[str, str]:
    """Map the wizards' ids in the printed game to those on the site. The order is the same."""
    first = person.page.locator(".history .wizard-name").first
    expect(first).to_have_text(re.compile("^Black"))
    return {"w0": "w0", "w1": "w1"}


def store_printed_dice(site: Site, path: str) -> None:
    """Store the printed game's die rolls of turn 10. There is no page for storing die rolls.

    The challenger also gets the first seat, like Black in the printed game.
    """
    site.call(record_draws, duel_id_of(path), GAME_RECORD["dice"]["draws"])


def duel_id_of(path: str) -> int:
    """Return the duel's primary key."""
    return int(path.partition("#")[0].strip("/").rpartition("/")[2])


def record_draws(duel_id: int, draws: Mapping[str, object]) -> None:
    """Store these draws with the duel. Call this with `Site.call`."""
    from duels.models import Duel

    Duel.objects.filter(pk=duel_id).update(recorded_draws=draws)


def with_site_ids(value: str, codes: Mapping[str, str]) -> str:
    """Return a value of the printed game with the wizards' ids on the site."""
    return re.sub(r"\bw[01]\b", lambda found: codes[found[0]], value)


def fill_in_sheet(person: Person, fields: Mapping[str, str]) -> None:
    """Fill in the order sheet: the gestures, then the completed spells, then all other fields."""
    for side in ("left", "right"):
        if side in fields:  # these fields are missing if both hands are forced
            person.choose_gesture(side, fields[side])
    if fields:
        person.wait_for_spells(fields["left"] + fields["right"])
    for name, value in fields.items():
        if name.endswith("_spell"):
            person.choose_spell(name, value)
    for name, value in fields.items():
        if name not in ("left", "right") and not name.endswith("_spell"):
            person.choose(name, value)


def await_turn(person: Person, path: str, number: int) -> None:
    """Wait until a worker has resolved this turn, and show it.

    The page of the wizard who sealed last may already show it.
    """
    give_up = time.monotonic() + PATIENCE_SECONDS
    while not person.site.call(is_played, duel_id_of(path), number):
        assert time.monotonic() < give_up, f"turn {number} was not played"
        person.page.wait_for_timeout(50)
    if not person.square(number, "w0", "left").count():
        person.open(path)
    expect(person.square(number, "w0", "left").first).to_be_attached()


def is_played(duel_id: int, number: int) -> bool:
    """Return whether the turn has been played. Call this with `Site.call`."""
    from duels.models import Turn

    turns = Turn.objects.filter(duel=duel_id, number=number)
    return turns.exists() and not turns.filter(closed_at=None).exists()


def assert_email_for_every_turn(person: Person) -> None:
    """Assert that this person gets an email about every turn, and about the end of the duel."""
    for _ in range(100):
        texts = [text_of(mail) for mail in person.mails()]
        missing = [
            turn["number"]
            for turn in GAME_RECORD["turns"]
            if not any(f"turn {turn['number']}" in text.lower() for text in texts)
        ]
        if not missing and any("over" in str(mail["Subject"]) for mail in person.mails()):
            return
        person.page.wait_for_timeout(100)
    raise AssertionError(f"no email to {person.name} mentions turns {missing}")


def text_of(mail) -> str:
    body = mail.get_body(("plain",))
    return f"{mail['Subject']}\n{body.get_content()}"
