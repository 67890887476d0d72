"""Tests of checking a record in the browser.

A valid record passes. For a tampered record, the page and the command line tool report the same
place of the error. The record never leaves the browser.
"""

import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from engine.proof.verify import verify
from tests.browser.windows import close_window
from tests.sites import Site

RESULT_SELECTOR = "[data-check-result]"
RecordChange = Callable[[dict[str, Any]], Any]


@pytest.fixture
def page(browser: Browser, embedded_site: Site) -> Iterator[Page]:
    window = browser.new_context(base_url=embedded_site.url)
    yield window.new_page()
    close_window(window)


@pytest.fixture(scope="session")
def finished_duel(embedded_site: Site) -> str:
    """Return the address of a finished duel with a message, a replaced seal and a draw."""
    return embedded_site.call(play_duel)


def play_duel() -> str:
    """Play the duel and return its address. Call this with `Site.call`."""
    from django.utils import timezone

    from duels.commands import endings, speaking
    from tests.cast import begin, hands, make_wizard, play, seal

    ada, bram = make_wizard("Prover"), make_wizard("Doubter")
    duel = begin(ada, bram)
    first = seal(duel, ada, hands("W", "P", say="Ah, «spells» ☂ 🧙"))
    said, chance = "Ah, «spells» ☂ 🧙", "0f" * 16
    seal(duel, ada, hands("D", "P", say=said), form_seal=first.commitment, chance=chance)
    play(duel, {bram: hands("-", "-")})
    speaking.send_message(duel_id=duel.pk, wizard=bram, words="Well met.", now=timezone.now())
    for left, more in (("S", {}), ("F", {"left_subject": "w1"})):
        play(duel, {ada: hands(left, "-", **more), bram: hands("-", "-")})
    play(duel, {ada: hands("W", "-"), bram: hands("-", "-")})  # dice decide one of Bram's gestures
    endings.resign(duel_id=duel.pk, wizard=bram, now=timezone.now())
    return f"/duels/{duel.pk}/"


def check_record(page: Page) -> None:
    """Check the record of the finished duel on this page."""
    page.get_by_text("Record, transcript and checks").click()
    page.get_by_role("button", name="Check record").click()


def test_record_of_a_finished_duel_can_be_checked_with_a_button(page: Page, finished_duel: str):
    page.goto(finished_duel)
    check_record(page)
    result = page.locator(RESULT_SELECTOR)
    expect(result).to_contain_text("The record passed every check in this browser.")
    expect(result).to_contain_text("1 of them superseded")
    expect(result).to_contain_text("Not checked here, only by the command")
    record = page.request.get(f"{finished_duel}record.json").json()
    assert sum(len(turn["draws"]) for turn in record["turns"]) >= 1
    assert verify(record) == []
    expect(result).to_contain_text(record["ended"]["chain"])


def play_duel_without_seed() -> str:
    """Play a duel with a removed message and a lost seed key, which ends in an agreed draw.

    Call this with `Site.call`.
    """
    from cryptography.fernet import Fernet
    from django.utils import timezone

    from duels.commands import endings
    from duels.models import ActKind, Duel
    from tests.cast import begin, hands, make_wizard, play
    from tests.duels.referees.acts.refereeing import make_referee, perform_act

    ada, bram = make_wizard("Loser"), make_wizard("Finder")
    duel = begin(ada, bram)
    play(duel, {ada: hands("-", "-"), bram: hands("-", "-", say="Foul words.")})
    perform_act(ActKind.REMOVE_WORDS, make_referee(), duel, now=timezone.now(), speech="turn 1 w1")
    for left, more in (("D", {}), ("S", {}), ("F", {"left_subject": "w1"}), ("W", {})):
        play(duel, {ada: hands(left, "-", **more), bram: hands("-", "-")})
    gone = Fernet(Fernet.generate_key()).encrypt(b"00").decode()
    Duel.objects.filter(pk=duel.pk).update(seed=gone)
    for wizard in (ada, bram):
        endings.offer_draw(duel_id=duel.pk, wizard=wizard, ordinal=None, now=timezone.now())
    return f"/duels/{duel.pk}/"


def test_record_with_a_lost_seed_is_valid_with_a_list_of_unchecked_values(
    page: Page, embedded_site: Site, tmp_path: Path
):
    lost = embedded_site.call(play_duel_without_seed)
    page.goto(lost)
    check_record(page)
    expect(page.locator("[data-seed-lost]")).to_be_visible()
    result = page.locator(RESULT_SELECTOR)
    expect(result).to_contain_text("The record passed every check in this browser.")
    expect(result).to_contain_text(" as stated, without the seed, which is lost")
    expect(result).to_contain_text(
        "the draws, the origin of the salts, and the chain during the duel"
    )
    expect(result).to_contain_text("fields.say, which a referee removed (act 1)")
    expect(result).not_to_contain_text("from the committed seed")
    record = page.request.get(f"{lost}record.json").json()
    assert verify(record) == []
    expect(result).to_contain_text(record["ended"]["chain"])
    record["turns"][1]["release"] = "9.9.9"
    (tmp_path / "record.json").write_text(json.dumps(record), encoding="utf-8")
    page.goto("/proof/")
    page.get_by_label("A record you have downloaded").set_input_files(tmp_path / "record.json")
    expect(result.locator("[data-wrong-at]")).to_have_attribute("data-wrong-at", "ended.chain")
    assert _first_error(record).startswith("ended.chain")


def play_rolled_back_duel() -> str:
    """Play a duel to its end, roll it back, and end it again. Call this with `Site.call`."""
    from django.utils import timezone

    from duels.commands import endings
    from duels.models import ActKind
    from tests.cast import begin, hands, make_wizard, play, seal
    from tests.duels.referees.acts.refereeing import make_referee, perform_act

    ada, bram = make_wizard("Hasty"), make_wizard("Patient")
    duel = begin(ada, bram)
    for left, more in (("D", {}), ("S", {}), ("F", {"left_subject": "w1"}), ("W", {})):
        play(duel, {ada: hands(left, "-", **more), bram: hands("-", "-")})
    endings.resign(duel_id=duel.pk, wizard=bram, now=timezone.now())
    duel.refresh_from_db()
    perform_act(ActKind.ROLL_BACK, make_referee(), duel, turn="4", now=timezone.now())
    seal(duel, ada, hands("W", "-"), chance="0f" * 16)
    play(duel, {bram: hands("-", "-")})
    endings.resign(duel_id=duel.pk, wizard=bram, now=timezone.now())
    return f"/duels/{duel.pk}/"


def test_both_seeds_are_checked_for_a_duel_rolled_back_after_its_end(
    page: Page, embedded_site: Site, tmp_path: Path
):
    address = embedded_site.call(play_rolled_back_duel)
    page.goto(address)
    check_record(page)
    result = page.locator(RESULT_SELECTOR)
    expect(result).to_contain_text("The record passed every check in this browser.")
    expect(result).to_contain_text("2 seeds, each matching its commitment")
    expect(result).to_contain_text("1 seal with a random number from the wizard’s own browser")
    record = page.request.get(f"{address}record.json").json()
    assert verify(record) == []
    assert all(turn["draws"] for turn in (record["turns"][3], record["void_turns"][0]))
    page.goto("/proof/")
    own = next(n for n, s in enumerate(record["turns"][3]["seals"]) if s["fields"]["chance"])
    seal = ("turns", 3, "seals", own)
    at = f"turns[3].seals[{own}]"
    altered: dict[str, RecordChange] = {
        "dice.seeds[1].seed_commitment": _with_value("dice", "seeds", 1, "seed", to="0" * 64),
        "dice.seeds[1].roll_backs": _with_value("dice", "seeds", 1, "roll_backs", to=2),
        "dice.seeds": lambda record: record["dice"]["seeds"].pop(),
        "turns[3].roll_backs": _with_value("turns", 3, "roll_backs", to=0),
        "void_turns[0].roll_backs": _with_value("void_turns", 0, "roll_backs", to=1),
        f"{at}.fields.chance": _with_value(*seal, "fields", "chance", to="f0" * 16),
        f"{at}.salts.chance": _with_value(*seal, "salts", "chance", to="0" * 64),
        f"{at}.salts.pad": _with_value(*seal, "salts", "pad", to="0" * 64),
        "acts[0].chain": _with_value("acts", 0, "facts", "seed_commitment", to="0" * 64),
    }
    _check_tampered(page, record, altered, tmp_path)


def test_record_in_the_previous_format_can_be_checked(page: Page, tmp_path: Path):
    path = Path(__file__).parents[1] / "engine" / "golden" / "stored" / "record-2.json"
    record = json.loads(path.read_text("utf-8"))
    page.goto("/proof/")
    page.get_by_label("A record you have downloaded").set_input_files(path)
    result = page.locator(RESULT_SELECTOR)
    expect(result).to_contain_text("The record passed every check in this browser.")
    expect(result).to_contain_text("chosen by the site")
    expect(result).to_contain_text(record["ended"]["chain"])
    altered: dict[str, RecordChange] = {
        "seed_commitment": _with_value("dice", "seed", to="0" * 64),
        "salts": lambda record: record.update(salts="site"),
    }
    _check_tampered(page, record, altered, tmp_path)


def _with_value(*path: str | int, to: Any) -> RecordChange:
    """Return a function that changes one value in a record."""

    def change(record: dict[str, Any]) -> None:
        row: Any = record
        for key in path[:-1]:
            row = row[key]
        assert row[path[-1]] != to
        row[path[-1]] = to

    return change


def _with_added_values(*path: str | int, **more: Any) -> RecordChange:
    """Return a function that adds values to an object in a record."""

    def change(record: dict[str, Any]) -> None:
        row: Any = record
        for key in path:
            row = row[key]
        row.update(more)

    return change


TAMPERING_CHANGES: dict[str, RecordChange] = {
    "dice.seeds[0].seed_commitment": _with_value(
        "dice", "seeds", 0, "seed_commitment", to="0" * 64
    ),
    "chain": _with_value("ruleset", to="wizards-1"),
    "turns[0].seals[0].fields.place": _with_value(
        "turns", 0, "seals", 0, "fields", "place", to="x"
    ),
    "turns[0].seals[0].fields.say": _with_value("turns", 0, "seals", 0, "fields", "say", to="No"),
    "turns[0].seals[1].salts.left": _with_value(
        "turns", 0, "seals", 1, "salts", "left", to="0" * 64
    ),
    "turns[1].orders.w0.left": _with_value("turns", 1, "orders", "w0", "left", to="P"),
    "turns[1].orders.w1": lambda record: record["turns"][1]["orders"].pop("w1"),
    "turns[1].commitments": lambda record: record["turns"][1]["commitments"].reverse(),
    "turns[3].draws[0].value": lambda record: record["turns"][3]["draws"][0].update(
        value=record["turns"][3]["draws"][0]["value"] + 1
    ),
    "turns[2].chain": _with_value("turns", 2, "chain", to="0" * 64),
    "turns[1].extra": lambda record: record["turns"][1].update(extra=1),
    "dice.kind": _with_value("dice", "kind", to="thrown"),
    "wizards[0].name": _with_value("wizards", 0, "name", to=7),
    "wizards[1].pronouns": lambda record: record["wizards"][1].pop("pronouns"),
    "wizards[1].extra": lambda record: record["wizards"][1].update(extra=""),
    "wizards": lambda record: record.update(wizards={"w0": {}, "w1": {}}),
    "speeches[0].after_end": _with_value("speeches", 0, "after_end", to="no"),
    "speeches[0].said_at": _with_value("speeches", 0, "said_at", to="yesterday"),
    "speeches[0].ordinal": _with_value("speeches", 0, "ordinal", to="1"),
    "speeches[0].removed": _with_added_values("speeches", 0, removed=False),
    "speeches[0].words": lambda record: record["speeches"][0].pop("words"),
    "speeches[0].mood": _with_added_values("speeches", 0, mood="grim"),
    "speeches[0]": lambda record: record.update(speeches=["Well met."]),
    "speeches": lambda record: record.update(speeches=None),
    "ended.chain": _with_value("ended", "at", to="2026-01-01T00:00:00+00:00"),
}


def test_error_message_names_the_place_in_a_tampered_record(
    page: Page, finished_duel: str, tmp_path: Path
):
    """The browser does not send any request, and the command line tool names the same place."""
    record = page.request.get(f"{finished_duel}record.json").json()
    page.goto("/proof/")
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    field, result = page.get_by_label("A record you have downloaded"), page.locator(RESULT_SELECTOR)
    _check_tampered(page, record, TAMPERING_CHANGES, tmp_path)
    assert all(url.endswith(".js") for url in requests), requests
    (tmp_path / "record.json").write_text("left W", encoding="utf-8")
    field.set_input_files(tmp_path / "record.json")
    expect(result).to_contain_text("is not valid JSON")


def _check_tampered(
    page: Page, record: dict[str, Any], changes: dict[str, RecordChange], tmp_path: Path
) -> None:
    """Assert that the browser and the command line tool report the place of each change."""
    field, result = page.get_by_label("A record you have downloaded"), page.locator(RESULT_SELECTOR)
    for number, (place, change) in enumerate(changes.items()):
        altered = deepcopy(record)
        change(altered)
        path = tmp_path / f"record-{number}.json"
        path.write_text(json.dumps(altered, ensure_ascii=False), encoding="utf-8")
        field.set_input_files(path)
        expect(result.locator("[data-wrong-at]")).to_have_attribute("data-wrong-at", place)
        expect(result).to_contain_text("is not correct")
        assert _first_error(altered).startswith(place)


def _first_error(record: object) -> str:
    """Return the first error that the command line tool reports."""
    from engine.proof.record import InvalidRecord

    try:
        (fault,) = verify(record)
    except InvalidRecord as error:
        return str(error)
    return fault


def test_page_shows_the_command_for_checking_without_javascript(
    browser: Browser, embedded_site: Site, finished_duel
):
    window = browser.new_context(base_url=embedded_site.url, java_script_enabled=False)
    page = window.new_page()
    page.goto(finished_duel)
    expect(page.get_by_role("button", name="Check record")).to_be_hidden()
    number = finished_duel.strip("/").rpartition("/")[2]
    expect(page.locator("[data-record-check]")).to_contain_text(
        f"python -m engine verify spellcaster-{number}.json"
    )
    page.goto("/proof/")
    expect(page.get_by_label("A record you have downloaded")).to_be_hidden()
    close_window(window)
