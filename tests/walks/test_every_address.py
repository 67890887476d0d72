"""Tests that every address works for players, guests, referees and visitors, on both databases."""

from collections.abc import Mapping
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from duels.commands import endings, speaking
from duels.models import User
from duels.referees import appointments
from duels.referees.cases.disputes import open_dispute
from duels.referees.cases.handling import claim_case
from tests.cast import NOW, Cast, begin, hands, play, seal, sign_in_with_second_factor
from tests.duels.visitors import Visitor
from tests.walks.addresses import every_address

pytestmark = pytest.mark.sqlite

# status codes of responses without a page: redirects, rejected requests and rate limits
STATUSES_WITHOUT_PAGE = {301, 302, 304, 400, 403, 404, 405, 409, 410, 415, 422, 429}


def create_referee() -> User:
    user = User.objects.create_superuser("root@example.org", "x")
    return appointments.appoint_referee(email=user.email)


@pytest.fixture
def url_arguments(cast: Cast) -> Mapping[str, str]:
    """A duel in turn 2, with a seal, a draft, a message, and a dispute that a referee handles."""
    duel = begin(cast.ada, cast.bram)
    play(duel, {cast.ada: hands("W", "P"), cast.bram: hands("S", "D")})
    seal(duel, cast.bram, hands("F", "F"))
    speaking.send_message(duel_id=duel.pk, wizard=cast.ada, words="Well met.", now=NOW)
    case = open_dispute(
        duel_id=duel.pk,
        wizard=cast.ada,
        ordinal=1,
        now=NOW,
        category="rule",
        rule="R94",
        words="I could not see that.",
    )
    claim_case(case_id=case.pk, user=create_referee(), now=timezone.now())
    number = str(duel.pk)
    return {"duel_id": number, "object_id": number, "number": str(case.pk)}


def request_all(
    client: Client, arguments: Mapping[str, str], *, of_duel: bool = False
) -> dict[str, int]:
    """Return the status codes of all addresses, or only of those of the duel, by name and path."""
    found = {}
    for address in every_address(arguments):
        if "logout" in address.path or (of_duel and "duel_id" not in address.arguments):
            continue
        answer = client.get(address.path)
        answer.getvalue()  # reading the response to its end closes its files
        found[f"{address.name} {address.path}"] = answer.status_code
    odd = {
        name: status
        for name, status in found.items()
        if status not in STATUSES_WITHOUT_PAGE | {200}
    }
    assert not odd
    return found


def names_of_pages(found: Mapping[str, int]) -> set[str]:
    return {name.split(" ")[0] for name, status in found.items() if status == 200}


def test_player_can_request_every_address(cast: Cast, url_arguments: Mapping[str, str]) -> None:
    assert cast.ada.user is not None
    client = Client()
    client.force_login(cast.ada.user)
    shown = names_of_pages(request_all(client, url_arguments))
    assert {"home", "duel", "turn", "poll", "settings", "mail_settings"} <= shown
    assert not {"desk", "desk_case", "duels_orders_changelist"} & shown


def test_referee_can_request_every_address(url_arguments: Mapping[str, str]) -> None:
    client = Client()
    sign_in_with_second_factor(client, User.objects.get(email="root@example.org"))
    shown = names_of_pages(request_all(client, url_arguments))
    desk = {"desk", "desk_log", "desk_case", "desk_timeline", "desk_turn", "desk_acts"}
    assert desk | {"duel", "duels_orders_changelist", "duels_duel_change"} <= shown


def test_guest_can_request_every_address(
    url_arguments: Mapping[str, str], django_capture_on_commit_callbacks: Any
) -> None:
    guest = Visitor(lambda: django_capture_on_commit_callbacks(execute=True))
    own = guest.begin().split("/")[2]
    shown = names_of_pages(request_all(guest.client, {**url_arguments, "duel_id": own}))
    assert {"home", "duel", "poll", "guest_mail"} <= shown
    assert not {"settings", "desk"} & shown


def test_visitor_can_request_every_address(url_arguments: Mapping[str, str]) -> None:
    shown = names_of_pages(request_all(Client(), url_arguments))
    assert {"home", "duel", "turn", "picture", "rulebooks", "account_login"} <= shown
    assert not {"settings", "guest_mail", "desk", "duels_orders_changelist"} & shown


def test_visitor_can_request_every_address_of_a_finished_duel(cast: Cast) -> None:
    duel = begin(cast.ada, cast.bram)
    play(duel, {cast.ada: hands("W", "P"), cast.bram: hands("S", "D")})
    endings.resign(duel_id=duel.pk, wizard=cast.bram, now=NOW)
    shown = names_of_pages(request_all(Client(), {"duel_id": str(duel.pk)}, of_duel=True))
    assert {"duel", "turn", "record", "transcript", "picture", "turn_picture"} <= shown
