"""The list of wizards: its pages, its search and its index."""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from duels.commands import closing, guests
from duels.models import Marker, Wizard
from duels.queries import wizard_search
from duels.queries.listing import PAGE_ROWS
from tests.cast import NOW, Cast, begin
from tests.duels import plans
from tests.duels.list_pages import next_page_address, page_html

pytestmark = pytest.mark.sqlite


def create_apprentices(number: int) -> list[Wizard]:
    """Create wizards without users, named Apprentice 1 and so on."""
    return Wizard.objects.bulk_create(
        Wizard(name=f"Apprentice {n}", slug=f"apprentice-{n}", skeleton=f"{n}", created_at=NOW)
        for n in range(1, number + 1)
    )


def test_wizards_are_listed_by_name_fifty_at_a_time(cast: Cast):
    create_apprentices(PAGE_ROWS + 3)
    html = page_html(None, "/wizards/")
    found = re.findall(r'class="who" href="/wizards/([^/]+)/"', html)
    assert found[0] == "ada"
    assert len(found) == PAGE_ROWS
    rest = re.findall(
        r'class="who" href="/wizards/([^/]+)/"', page_html(None, next_page_address(html))
    )
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
    rows, _ = wizard_search.find_wizards(typed, "")
    assert [row.wizard.name for row in rows] == found


def test_guests_and_closed_accounts_are_not_listed_as_wizards(cast: Cast):
    assert cast.dorn.user is not None
    closing.close_account(user=cast.dorn.user, now=NOW)
    guest = guests.create_guest(key="0" * 64, now=NOW)
    html = page_html(cast.ada, "/wizards/")
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
    assert "rank 1" in page_html(None, "/wizards/?q=bram")
    assert "rank" not in page_html(None, "/wizards/?q=ada")


def test_query_for_wizards_by_name_uses_the_index_of_listed_wizards(db: None):
    plans.empty_table_files("duels_wizard")
    with CaptureQueriesContext(connection) as captured:
        wizard_search.find_wizards("", "")
    plans.avoid("seqscan")
    plan = plans.plan_of(captured[0]["sql"])
    assert "wizard_listed" in plan
    assert "TEMP B-TREE" not in plan
