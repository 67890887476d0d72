"""Addresses and forms that find a renamed wizard by a former name."""

import re
from http import HTTPStatus

import pytest
from django.db import connection
from django.test import Client

from duels.commands.closing import close_account
from duels.messages import public as messages
from duels.models import ActKind, Wizard
from duels.queries.wizard_search import renaming_acts
from duels.referees.acts import carrying_out
from duels.screens.challenge.forms import ChallengeForm
from duels.urls import urlpatterns
from tests.cast import LATER, NOW, Cast, begin
from tests.duels.referees.acts.refereeing import REASON, make_referee

pytestmark = pytest.mark.django_db

ADDRESSES_WITH_NAMES = [
    pattern
    for pattern in (str(each.pattern) for each in urlpatterns)
    if pattern.startswith(("wizards/<", "messages/<"))
]


def rename(wizard: Wizard, *names: str) -> None:
    by = make_referee()
    for name in names:
        carrying_out.carry_out_act(
            ActKind.RENAME,
            wizard_id=wizard.pk,
            by=by,
            reason=REASON,
            now=LATER,
            fields={"name": name},
            seen_stamp=carrying_out.plan_act(
                ActKind.RENAME, wizard_id=wizard.pk, by=by, now=LATER, fields={"name": name}
            ).stamp,
        )
    wizard.refresh_from_db()


def client_of(wizard: Wizard) -> Client:
    assert wizard.user
    client = Client()
    client.force_login(wizard.user)
    return client


@pytest.mark.parametrize("pattern", ADDRESSES_WITH_NAMES)
def test_addresses_follow_former_names(pattern: str, cast: Cast):
    begin(cast.ada, cast.bram)
    message = messages.send_message(author=cast.ada, reader=cast.bram, words="Hello.", now=NOW)
    rename(cast.ada, "Eve", "Ida")
    client = client_of(cast.bram)

    def path(name: str) -> str:
        address = pattern.replace("<str:slug>", name).replace("<str:opponent>", "bram")
        return "/" + address.replace("<int:message_id>", str(message.pk))

    posted = client.post(path("eve"), {"words": "A note."})
    if posted.status_code == HTTPStatus.METHOD_NOT_ALLOWED or pattern == "messages/<str:slug>/":
        for name in ("ada", "eve"):
            assert client.get(path(name)).headers["Location"] == path("ida")
    if posted.status_code != HTTPStatus.METHOD_NOT_ALLOWED:
        assert posted.status_code == HTTPStatus.FOUND
        assert re.match("/(wizards|messages)/ida/|/disputes/[0-9]+/", posted.headers["Location"])
        assert client.post(path("nobody")).status_code == HTTPStatus.NOT_FOUND


def test_message_sent_to_a_former_name_arrives(cast: Cast):
    begin(cast.ada, cast.bram)
    rename(cast.ada, "Ida")
    client_of(cast.bram).post("/messages/ada/", {"words": "Well played."})
    part = messages.participant(cast.bram, cast.ada)
    assert part
    assert [each.words for each in messages.messages_of(part.thread)] == ["Well played."]


def test_filters_and_challenges_accept_former_names(cast: Cast):
    begin(cast.ada, cast.bram)
    rename(cast.ada, "Ida")
    client = client_of(cast.bram)
    assert "Ida" in client.get("/duels/?wizard=ada").content.decode()
    assert "no wizard with this name" not in client.get("/archive/?opponent=Ada").content.decode()
    form = ChallengeForm({"to": ChallengeForm.NAMED, "opponent": "Ada"})
    form.full_clean()
    assert form.cleaned_data["opponent"] == cast.ada


def test_name_that_someone_has_taken_leads_to_them(cast: Cast):
    rename(cast.ada, "Ida")
    rename(cast.cleo, "Ada")
    shown = Client().get("/wizards/ada/").content.decode()
    assert "Ada" in shown
    assert "Ida" not in shown


def test_former_name_of_a_closed_account_leads_nowhere(cast: Cast):
    rename(cast.ada, "Ida")
    assert Client().get("/wizards/ada/").status_code == HTTPStatus.FOUND
    assert cast.ada.user
    close_account(user=cast.ada.user, now=NOW)
    assert Client().get("/wizards/ada/").status_code == HTTPStatus.NOT_FOUND


def test_query_for_former_names_uses_an_index(db: None) -> None:
    index = "act_of_renaming"
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL enable_seqscan = off")
    else:  # SQLite may take the index of acts without a duel instead
        index = "USING INDEX"
    assert index in renaming_acts().explain()
