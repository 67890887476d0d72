"""Lists of duels and wizards: their contents for each viewer, filters, pages and queries."""

import re
from collections.abc import Callable
from dataclasses import replace

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from duels.clocks.budget import Budget
from duels.commands import challenges, closing, endings, guests, profiles, speaking
from duels.models import Duel, Marker, Seat, Speech, Stage, Turn, TurnKind, Wizard
from duels.queries import listing, lists, wizard_search
from duels.queries.listing import PAGE_ROWS, FigurePlace
from duels.screens.lists.kinds import DUELLIST_LISTS
from tests.cast import LATER, NOW, Cast, begin, challenge, hands, play, seal, signed_in
from tests.copies import make_copies
from tests.duels import duel_rows, plans
from tests.duels.test_invited_guests import invited_guest
from tests.duels.test_views_states import set_up
from tests.duels.visitors import Visitor
from tests.states import STATES, People

pytestmark = pytest.mark.sqlite

IDLE = hands("-", "-")


def page(viewer: Wizard | None, address: str) -> str:
    answer = signed_in(viewer).get(address)
    assert answer.status_code == 200
    return str(answer.content.decode())


def listed(html: str) -> list[int]:
    """Return the ids of the duels in the page's list, in order."""
    return [int(number) for number in re.findall(r'data-duel="(\d+)"', html)]


def kinds(html: str) -> list[str]:
    return re.findall(r"\?show=([a-z]+)", html[html.index("filters") : html.index("<section")])


def following(html: str) -> str:
    """Return the address of the next page of the list, or an empty string."""
    found = re.search(r'href="([^"]+)" rel="next"', html)
    return found[1].replace("&amp;", "&") if found else ""


def apprentices(number: int) -> list[Wizard]:
    """Create wizards without users, named Apprentice 1 and so on."""
    return Wizard.objects.bulk_create(
        Wizard(name=f"Apprentice {n}", slug=f"apprentice-{n}", skeleton=f"{n}", created_at=NOW)
        for n in range(1, number + 1)
    )


# Kinds of lists and their viewers


def test_page_of_duels_shows_visitors_public_duels_and_open_challenges(cast: Cast):
    running, over = begin(cast.ada, cast.bram), begin(cast.ada, cast.bram)
    endings.resign(duel_id=over.pk, wizard=cast.ada, now=NOW)
    wanted = challenge(cast.ada, now=timezone.now())
    html = page(None, "/duels/")
    assert (kinds(html), listed(html)) == (["watch", "read", "open"], [running.pk])
    assert listed(page(None, "/duels/?show=read")) == [over.pk]
    assert listed(page(None, "/duels/?show=open")) == [wanted.pk]


def test_page_of_duels_shows_players_the_waiting_duels_first(cast: Cast):
    waiting, sealed = begin(cast.ada, cast.bram), begin(cast.ada, cast.bram)
    seal(sealed, cast.ada, IDLE)
    over = begin(cast.ada, cast.bram)
    endings.resign(duel_id=over.pk, wizard=cast.ada, now=NOW)
    asked = challenge(cast.bram, cast.ada, now=timezone.now())
    html = page(cast.ada, "/duels/")
    assert kinds(html)[0] == "waiting"
    assert listed(html) == [waiting.pk]
    assert "Against Bram" in html
    for code, duel in (("running", sealed), ("finished", over), ("challenges", asked)):
        assert listed(page(cast.ada, f"/duels/?show={code}")) == [duel.pk]


@pytest.mark.parametrize("code", ["waiting", "running", "challenges", "finished", "practice", "x"])
def test_lists_of_own_duels_return_404_to_visitors(db: None, code: str):
    assert Client().get(f"/duels/?show={code}").status_code == 404


def test_empty_list_of_duels_has_a_note(cast: Cast):
    for code in ("waiting", "running", "challenges", "finished", "practice", "open", "watch"):
        html = page(cast.ada, f"/duels/?show={code}")
        assert 'class="empty"' in html
        assert listed(html) == []
        offers = '<a href="/challenge/new">' in html.partition('class="empty"')[2]
        assert offers == (code in ("challenges", "open")), code
        assert ('href="/practice/">Practise</a>' in html) == (code == "practice"), code


def test_empty_list_of_own_turns_mentions_practice_duels_that_wait(visitor: Visitor):
    visitor.begin()
    html = visitor.page("/duels/")
    assert listed(html) == []
    assert "It is not your turn in any duel against other wizards." in html
    assert "Old Quill waits in your" in html
    assert '<a href="/duels/?show=practice">practice duels</a>' in html
    assert "Old Quill waits in your" not in visitor.page("/duels/?show=running")


def test_tabs_show_the_numbers_of_own_duels(cast: Cast):
    *_, asked = _one_of_each(cast)
    challenge(cast.ada, now=timezone.now())

    def tabs(address: str) -> list[str]:
        links = page(cast.ada, address).partition("filters")[2].partition("</nav>")[0]
        return [" ".join(words.split()) for words in re.findall(r"<a [^>]*>([^<]*)</a>", links)]

    challenges.accept(duel_id=asked.pk, wizard=cast.ada, now=timezone.now())
    own = ["Your turn (2)", "Waiting for others (1)", "Practice", "Your challenges (1)"]
    for code in DUELLIST_LISTS:
        assert tabs(f"/duels/?show={code}")[:4] == own
    assert "You are waiting for an answer to" in page(cast.ada, "/duels/")
    assert tabs("/duels/?wizard=ada") == ["To watch", "Finished"]


def test_empty_lists_offer_an_opponent(visitor: Visitor):
    visitor.begin()
    offer = 'action="/somebody"'
    for code in ("waiting", "running", "challenges", "finished", "open"):
        assert offer in visitor.page(f"/duels/?show={code}")
    visitor.post("/somebody")
    html = visitor.page("/duels/")
    assert "You are waiting for an answer to" in html
    assert "Your challenges (1)" in html
    assert offer not in visitor.page("/duels/?show=challenges")


def test_list_of_a_wizards_duels_has_only_those_that_the_viewer_may_see(cast: Cast):
    public, private = begin(cast.ada, cast.bram), begin(cast.ada, cast.bram, visibility="private")
    address = "/duels/?wizard=ada&show="
    for viewer in (None, cast.cleo):
        assert listed(page(viewer, f"{address}watch")) == [public.pk]
        assert f"/duels/{private.pk}/" not in page(viewer, "/wizards/ada/")
    for viewer in (cast.ada, cast.bram):
        assert listed(page(viewer, f"{address}watch")) == [private.pk, public.pk]
        assert f"/duels/{private.pk}/" in page(viewer, "/wizards/ada/")
    for duel in (public, private):
        endings.resign(duel_id=duel.pk, wizard=cast.ada, now=NOW)
    for viewer in (None, cast.cleo):
        assert listed(page(viewer, f"{address}finished")) == [public.pk]
        assert f"/duels/{private.pk}/" not in page(viewer, "/wizards/ada/")
    for viewer in (cast.ada, cast.bram):
        assert listed(page(viewer, f"{address}finished")) == [private.pk, public.pk]
    assert signed_in(cast.bram).get("/duels/?wizard=ada&show=waiting").status_code == 404
    assert signed_in(cast.bram).get("/duels/?wizard=nobody").status_code == 404


def test_private_duels_are_not_listed_for_others(cast: Cast):
    duel = begin(cast.ada, cast.bram, visibility="private")
    seal(duel, cast.ada, IDLE)
    over = begin(cast.ada, cast.bram, visibility="private")
    endings.resign(duel_id=over.pk, wizard=cast.ada, now=NOW)
    for viewer, codes in (
        (None, ("watch", "read", "open")),
        (cast.cleo, ("waiting", "running", "finished", "watch", "read", "open", "challenges")),
    ):
        for code in codes:
            assert listed(page(viewer, f"/duels/?show={code}")) == []


def test_lists_hide_questions_in_extra_turns_from_others(cast: Cast):
    """rules: R121, R162"""
    duel = begin(cast.ada, cast.bram, cast.cleo)
    Turn.objects.filter(duel=duel).update(kind=TurnKind.EXTRA, stage=Stage.ANSWERS, batch=1)
    Seat.objects.filter(duel=duel).exclude(wizard=cast.ada).update(
        awaited=False, awaited_since=None
    )
    words = "a question to answer"
    assert words in page(cast.ada, "/duels/")
    assert words in page(cast.ada, "/")
    assert words not in page(cast.bram, "/duels/?show=running")
    for viewer in (None, cast.bram, cast.dorn):
        for address in ("/", "/duels/?show=watch", "/wizards/ada/", "/duels/?wizard=ada"):
            assert words not in page(viewer, address)


# The state of a duel


def states(viewer: Wizard | None, address: str) -> list[str]:
    """Return the states of the duels in the page's list, as text."""
    return texts("span", "state", page(viewer, address))


def texts(tag: str, kind: str, html: str) -> list[str]:
    """Return the texts of all such elements on a page."""
    found = re.findall(f'<{tag} class="{kind}">(.*?)</{tag}>', html, re.DOTALL)
    return [" ".join(re.sub("<[^>]+>", " ", each).split()) for each in found]


def news(viewer: Wizard) -> list[str]:
    return texts("b", "news", page(viewer, "/duels/"))


def test_lists_show_damage_and_who_has_sealed(cast: Cast):
    duel = begin(cast.ada, cast.bram)
    play(duel, {cast.ada: hands(">", "-", left_subject="w1"), cast.bram: IDLE})
    Seat.objects.update(read_turn=1)
    seal(duel, cast.bram, IDLE)
    assert states(cast.ada, "/duels/") == ["Damage taken: you 0, Bram 1 · Bram has sealed"]
    running = states(cast.bram, "/duels/?show=running")
    assert running == ["Damage taken: you 1, Ada 0 · You have sealed"]
    watched = ["Damage taken: Ada 0, Bram 1 · Bram has sealed"]
    for viewer in (None, cast.dorn):
        assert states(viewer, "/duels/?show=watch") == watched
    for address in ("/duels/?show=watch", "/wizards/bram/", "/duels/?wizard=bram"):
        assert states(cast.bram, address) == running
    endings.resign(duel_id=duel.pk, wizard=cast.ada, now=NOW)
    assert states(None, "/duels/?show=read") == ["Damage taken: Ada 0, Bram 1"]


def test_lists_summarise_the_damage_and_seals_of_many_wizards(cast: Cast):
    duel = begin(cast.ada, cast.bram, cast.cleo, cast.dorn)
    play(
        duel,
        {cast.ada: hands(">", "-", left_subject="w1")}
        | dict.fromkeys((cast.bram, cast.cleo, cast.dorn), IDLE),
    )
    for wizard in (cast.bram, cast.cleo, cast.dorn):
        seal(duel, wizard, IDLE)
    assert states(cast.ada, "/duels/") == [
        "Damage taken: you 0, others 0 to 1 · 3 of 4 have sealed"
    ]
    watched = states(None, "/duels/?show=watch")
    assert watched == ["Damage taken: 0 to 1 · 3 of 4 have sealed"]


def test_lists_show_hit_points_left_to_readers_who_prefer_them(cast: Cast):
    duel = begin(cast.ada, cast.bram)
    play(duel, {cast.ada: hands(">", "-", left_subject="w1"), cast.bram: IDLE})
    profiles.set_reading_preferences(wizard=cast.ada, typed={"points": "left"})
    assert states(cast.ada, "/duels/") == ["Hit points left: you 15, Bram 14"]
    assert states(cast.bram, "/duels/") == ["Damage taken: you 1, Ada 0"]


@pytest.mark.parametrize(
    ("end", "words"),
    [
        (lambda duel, ada, bram: play(duel, {ada: hands("P", "P"), bram: IDLE}), "by surrender"),
        (lambda duel, ada, bram: endings.resign(duel_id=duel.pk, wizard=ada, now=NOW),
         "by resignation"),
    ],
)  # fmt: skip
def test_lists_say_how_a_duel_ended(
    cast: Cast, end: Callable[[Duel, Wizard, Wizard], object], words: str
):
    duel = begin(cast.ada, cast.bram)
    end(duel, cast.ada, cast.bram)
    assert f"you won {words} ·" in page(cast.bram, "/duels/?show=finished")
    assert f"Bram won {words} ·" in page(None, "/duels/?show=read")


def test_lists_show_that_a_wizard_died(cast: Cast):
    duel = set_up(cast, {"damage": 14}, {})
    play(duel, {cast.ada: IDLE, cast.bram: hands(">", "-", left_subject="w0")})
    assert "Bram won by a kill ·" in page(None, "/duels/?show=read")
    assert states(None, "/duels/?show=read") == ["Damage taken: Ada dead, Bram 0"]


def test_lists_show_whether_a_turn_or_messages_are_new(cast: Cast):
    """Removed messages, your own and those of wizards that you have muted do not count."""
    duel = begin(cast.ada, cast.bram, cast.cleo)
    assert news(cast.ada) == []
    play(duel, dict.fromkeys((cast.ada, cast.bram, cast.cleo), IDLE))
    for number, wizard in enumerate((cast.bram, cast.bram, cast.cleo, cast.ada)):
        speaking.send_message(duel_id=duel.pk, wizard=wizard, words=f"Hm {number}", now=NOW)
    speaking.mute(wizard=cast.ada, other=cast.cleo, now=NOW)
    assert news(cast.ada) == ["new turn · 2 new messages"]
    Speech.objects.filter(words="Hm 0").update(removed_at=NOW)
    assert news(cast.ada) == ["new turn · 1 new message"]
    newest = Speech.objects.latest("pk").pk
    Seat.objects.filter(wizard=cast.ada).update(read_turn=1, read_speech=newest)
    assert news(cast.ada) == []


def test_lists_hide_damage_that_a_blind_wizard_cannot_see(cast: Cast):
    """rules: R145, F41"""
    state = STATES["blind"](People())
    assert state.viewer is not None
    (shown,) = states(state.viewer, "/duels/")
    assert re.search(r"you \d+, \w+ unseen", shown)


def test_lists_hide_seals_if_a_wizard_has_a_question_in_an_extra_turn(cast: Cast):
    """Nobody else may notice that a wizard has questions. rules: R121, R162"""
    duel = begin(cast.ada, cast.bram)
    seal(duel, cast.ada, IDLE)
    Turn.objects.filter(duel=duel).update(kind=TurnKind.EXTRA, stage=Stage.ANSWERS, batch=1)
    Seat.objects.filter(duel=duel, wizard=cast.ada).update(awaited=True, awaited_since=NOW)
    assert states(cast.bram, "/duels/") == ["Damage taken: you 0, Ada 0"]
    assert states(None, "/duels/?show=watch") == ["Damage taken: Ada 0, Bram 0"]


def test_state_of_a_duel_leaves_out_the_word_guest(cast: Cast):
    duel, _ = invited_guest(cast.ada)
    assert states(cast.ada, "/duels/") == ["Damage taken: you 0, Tom 0"]
    assert f'data-duel="{duel.pk}"' in page(cast.ada, "/duels/")


def test_empty_practice_list_offers_to_practise(cast: Cast):
    link = '<a class="button prime" href="/practice/">Practise</a>'
    assert link in page(cast.ada, "/duels/?show=practice")
    assert link not in page(cast.ada, "/duels/?show=running")


# Filters


def test_lists_are_filtered_by_opponent_ruleset_and_result(cast: Cast):
    won, lost = begin(cast.ada, cast.bram), begin(cast.ada, cast.cleo, ruleset="warlocks-1")
    endings.resign(duel_id=won.pk, wizard=cast.bram, now=NOW)
    endings.resign(duel_id=lost.pk, wizard=cast.ada, now=LATER)
    drawn = begin(cast.bram, cast.dorn)
    for wizard in (cast.bram, cast.dorn):
        endings.offer_draw(duel_id=drawn.pk, wizard=wizard, ordinal=None, now=LATER)
    both = [lost.pk, won.pk]
    for address, found in {
        "?show=finished": both,
        "?show=finished&opponent=BRA": [won.pk],
        "?show=finished&opponent=ada": [],  # Ada cannot be her own opponent
        "?show=finished&ruleset=warlocks-1": [lost.pk],
        "?show=finished&result=won": [won.pk],
        "?show=finished&result=lost": [lost.pk],
        "?show=finished&result=lost&opponent=bram": [],
        "?show=finished&wizard=bram&result=lost": [won.pk],
        "?show=read&opponent=ada": both,
        "?show=read&result=drew": [drawn.pk],
        "?show=read&result=won": both,
    }.items():
        assert listed(page(cast.ada, f"/duels/{address}")) == found, address


@pytest.mark.parametrize("field", ["opponent", "ruleset", "result"])
def test_invalid_filter_of_a_list_is_ignored(cast: Cast, field: str):
    duel = begin(cast.ada, cast.bram)
    for value in ("\0", "x" * 5000):
        answer = signed_in(cast.ada).get("/duels/", {"show": "watch", field: value})
        assert listed(answer.content.decode()) == [duel.pk]


def test_pages_of_a_filtered_list_keep_the_filter(cast: Cast):
    duel = begin(cast.ada, cast.bram)
    make_copies(duel, PAGE_ROWS)
    begin(cast.ada, cast.cleo)
    html = page(cast.ada, "/duels/?show=waiting&opponent=bram")
    rest = page(cast.ada, following(html))
    assert (len(listed(html)), len(listed(rest))) == (PAGE_ROWS, 1)
    assert 'href="/duels/?show=waiting&amp;opponent=bram" rel="first"' in rest
    assert "No duels match this filter." in page(cast.ada, "/duels/?opponent=dorn")


# Pagination


@pytest.mark.parametrize("code", ["waiting", "running", "finished", "read", "watch", "open"])
def test_long_list_is_paginated_without_gaps_or_repetitions(cast: Cast, code: str):
    is_open = code == "open"
    duel = challenge(cast.bram, now=timezone.now()) if is_open else begin(cast.ada, cast.bram)
    if code in ("running", "watch"):
        seal(duel, cast.ada, IDLE)
    if code in ("finished", "read"):
        endings.resign(duel_id=duel.pk, wizard=cast.ada, now=NOW)
    duel.refresh_from_db()
    make_copies(duel, 2 * PAGE_ROWS + 10)
    html, pages = page(cast.ada, f"/duels/?show={code}"), []
    while True:
        pages.append(listed(html))
        if not following(html):
            break
        html = page(cast.ada, following(html))
    everything = [number for each in pages for number in each]
    assert [len(each) for each in pages] == [PAGE_ROWS, PAGE_ROWS, 11]
    assert len(set(everything)) == len(everything)
    assert everything == sorted(everything, reverse=code != "waiting")
    assert "First page" in html


def test_finished_duels_are_sorted_by_end_time_then_number(cast: Cast):
    first, second, third = (begin(cast.ada, cast.bram) for _ in range(3))
    for duel, moment in ((second, NOW), (third, LATER), (first, LATER)):
        endings.resign(duel_id=duel.pk, wizard=cast.bram, now=moment)
    expected = [third, first, second]
    assert [row.duel for row in duel_rows.finished_duels(cast.ada, cast.ada)] == expected
    duels, found = lists.finished_list(cast.ada, cast.ada).limited_to(1), []
    place: FigurePlace | None = None
    for _ in expected:
        part = listing.load_duel_lists({"": duels.starting_after(place)}, cast.ada)[""]
        found += [row.duel for row in part.rows]
        place = part.next and FigurePlace.parse(str(part.next))
    assert (found, place) == (expected, None)


@pytest.mark.parametrize(
    "after", ["", "-", "x", "1-x", "-5", "1-", "9" * 40, f"1-{'9' * 40}", "1-2-3", "\0", "²", "1-²"]
)
def test_invalid_position_in_a_list_does_not_cause_an_error(cast: Cast, after: str):
    begin(cast.ada, cast.bram)
    for code in ("watch", "running"):
        answer = signed_in(cast.ada).get("/duels/", {"show": code, "after": after})
        assert answer.status_code == 200


def test_home_and_wizard_pages_link_to_the_rest_of_their_lists(cast: Cast):
    duel = begin(cast.ada, cast.bram)
    endings.resign(duel_id=duel.pk, wizard=cast.bram, now=NOW)
    duel.refresh_from_db()
    assert "/duels/?show=finished" not in page(cast.ada, "/")
    make_copies(duel, 30)
    home, wizard = page(cast.ada, "/"), page(None, "/wizards/ada/")
    assert 'href="/duels/?show=finished"' in home
    assert len(listed(home)) == 10
    assert 'href="/duels/?show=finished&amp;wizard=ada"' in wizard
    assert len(listed(wizard)) == 20


# Wizards


def test_wizards_are_listed_by_name_fifty_at_a_time(cast: Cast):
    apprentices(PAGE_ROWS + 3)
    html = page(None, "/wizards/")
    found = re.findall(r'class="who" href="/wizards/([^/]+)/"', html)
    assert found[0] == "ada"
    assert len(found) == PAGE_ROWS
    rest = re.findall(r'class="who" href="/wizards/([^/]+)/"', page(None, following(html)))
    assert found + rest == sorted({*found, *rest})
    assert rest[-1] == "dorn"


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("ad", ["Ada"]),
        ("ADA", ["Ada"]),
        ("Аdа", ["Ada"]),  # noqa: RUF001  # Cyrillic letters that look like ours
        ("d", ["Dorn"]),
        ("orn", []),
        ("%", []),
        ("_da", []),
        ("", ["Ada", "Bram", "Cleo", "Dorn"]),
    ],
)
def test_wizards_are_found_by_the_start_of_a_name_or_look_alike_letters(
    cast: Cast, typed: str, found: list[str]
):
    assert [row.wizard.name for row in wizard_search.find_wizards(typed).rows] == found


def test_guests_and_closed_accounts_are_not_listed_as_wizards(cast: Cast):
    assert cast.dorn.user is not None
    closing.close_account(user=cast.dorn.user, now=NOW)
    guest = guests.create_guest(key="0" * 64, now=NOW)
    html = page(cast.ada, "/wizards/")
    assert "Bram" in html
    assert guest.name not in html
    assert "Departed" not in html


def test_invalid_search_for_wizards_does_not_cause_an_error(cast: Cast):
    for query in ({"q": "\0"}, {"after": "\0"}, {"q": "x" * 5000}, {"q": "<b>"}, {"after": "zz"}):
        answer = Client().get("/wizards/", query)
        assert answer.status_code == 200
        assert b"<b>" not in answer.content


def test_list_of_wizards_shows_their_ranks(cast: Cast):
    duel = begin(cast.ada, cast.bram)
    Marker.objects.create(duel=duel, bears=cast.ada, holder=cast.bram, won_at=NOW)
    assert "rank 1" in page(None, "/wizards/?q=bram")
    assert "rank" not in page(None, "/wizards/?q=ada")


# Queries


MOST_QUERIES = {
    "/": 8,
    "/duels/": 7,
    "/duels/?show=finished": 7,
    "/duels/?show=finished&opponent=bram&result=won": 7,
    "/duels/?show=open": 8,
    "/duels/?show=watch": 7,
    "/wizards/": 5,
    "/wizards/bram/": 11,
}


def test_queries_of_lists_do_not_depend_on_the_number_of_duels(cast: Cast):
    def costs() -> dict[str, int]:
        return {address: cost(address) for address in MOST_QUERIES}

    def cost(address: str) -> int:
        with CaptureQueriesContext(connection) as captured:
            assert client.get(address).status_code == 200
        return len(captured)

    client = signed_in(cast.ada)
    for shown in _one_of_each(cast):
        shown.refresh_from_db()
        make_copies(shown, 1)
    costs()  # fill the cache
    few = costs()
    for shown in Duel.objects.order_by("pk")[:4]:
        make_copies(shown, 40)
    assert costs() == few
    assert {address: cost for address, cost in few.items() if cost > MOST_QUERIES[address]} == {}


def _one_of_each(cast: Cast) -> list[Duel]:
    waiting, running, over = (begin(cast.ada, cast.bram) for _ in range(3))
    seal(running, cast.ada, IDLE)
    endings.resign(duel_id=over.pk, wizard=cast.ada, now=NOW)
    return [waiting, running, over, challenge(cast.bram, now=timezone.now())]


def test_lists_do_not_load_events_or_dice(cast: Cast):
    _one_of_each(cast)
    client = signed_in(cast.ada)
    heavy = re.compile(r'"(events|questions|seed|setup|recorded_draws)"')
    for address in MOST_QUERIES:
        with CaptureQueriesContext(connection) as captured:
            client.get(address)
        assert not [query["sql"] for query in captured if heavy.search(query["sql"])]


LIST_BY_INDEX: dict[str, Callable[[Wizard], listing.DuelList]] = {
    "seat_awaited": lists.waiting_list,
    "seat_going_on": lists.running_list,
    "seat_challenged": lists.challenge_list,
    "seat_finished": lambda wizard: lists.finished_list(wizard, wizard),
    "duel_open": lambda wizard: lists.open_challenge_list(wizard, NOW),
    "duel_to_watch": lambda wizard: lists.running_public_list(),
    "duel_to_read": lambda wizard: lists.finished_public_list(),
}


def test_each_list_uses_its_own_index(cast: Cast):
    """The queries for later pages use the index too.

    PostgreSQL chooses plans by statistics, so the test needs many rows.
    """
    if connection.vendor == "postgresql":
        plans.empty_table_files()
        for duel in _one_of_each(replace(cast, ada=cast.cleo, bram=cast.dorn)):
            make_copies(duel, 150)
        for duel in _one_of_each(cast):  # the wizard herself also has many duels of each kind
            make_copies(duel, 15)
    plans.count_rows()
    plans.avoid("sort", "seqscan", "bitmapscan")
    last = Duel.objects.order_by("pk").values_list("pk", flat=True).last() or 0
    for index, list_of in LIST_BY_INDEX.items():
        duels = list_of(cast.ada)
        microseconds = (NOW - listing.EPOCH) // listing.MICROSECOND
        place = FigurePlace(microseconds if duels.moment else 0, last)
        for each in (duels, duels.starting_after(place)):
            plan = each.duels.explain()
            assert index in plan
            scanned = re.search(r"SCAN duels_\w+$|TEMP B-TREE FOR ORDER|Seq Scan", plan, re.M)
            assert not scanned, (index, plan)


def test_query_for_wizards_by_name_uses_the_index_of_listed_wizards(db: None):
    plans.empty_table_files("duels_wizard")
    with CaptureQueriesContext(connection) as captured:
        wizard_search.find_wizards()
    plans.avoid("seqscan")
    plan = plans.plan_of(captured[0]["sql"])
    assert "wizard_listed" in plan
    assert "TEMP B-TREE" not in plan


def test_every_seat_stores_the_end_time_of_its_duel(cast: Cast):
    """The end time is stored for every way of ending.

    Seats of running duels have no end time.
    """
    resigned, drawn, played, running = (begin(cast.ada, cast.bram) for _ in range(4))
    endings.resign(duel_id=resigned.pk, wizard=cast.ada, now=LATER)
    for wizard in (cast.ada, cast.bram):
        endings.offer_draw(duel_id=drawn.pk, wizard=wizard, ordinal=None, now=LATER)
    play(played, {cast.ada: hands("P", "P"), cast.bram: IDLE}, now=LATER)
    withdrawn, declined, expired = (challenge(cast.ada, cast.bram) for _ in range(3))
    challenges.withdraw(duel_id=withdrawn.pk, wizard=cast.ada, now=LATER)
    challenges.decline(duel_id=declined.pk, wizard=cast.bram, now=LATER)
    Duel.objects.filter(pk=expired.pk).update(expires_at=NOW)
    assert challenges.expire_challenges(now=LATER, budget=Budget(60)) == (1, 0)
    unanswered = challenge(cast.ada, cast.bram)
    for seat in Seat.objects.select_related("duel"):
        assert seat.duel_ended_at == seat.duel.ended_at
    for duel in (running, unanswered):
        assert not Seat.objects.filter(duel=duel, duel_ended_at__isnull=False).exists()
    ended = (resigned, drawn, played, withdrawn, declined, expired)
    assert Seat.objects.filter(duel__in=ended, duel_ended_at=LATER).count() == 2 * len(ended)
