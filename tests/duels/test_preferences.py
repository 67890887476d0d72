"""Reading preferences, stored in a player's row or in a visitor's cookies. F9, F91"""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from duels import errors
from duels.accounts import preferences
from duels.accounts.preferences import (
    CHOICES,
    DEFAULT_PREFERENCES,
    PREFERENCE_FIELDS,
    ReadingPreferences,
    preference_cookie_name,
)
from duels.commands import closing, profiles
from tests.cast import NOW, Cast, signed_in

PREFERENCE_COOKIES = {preference_cookie_name(name) for name in PREFERENCE_FIELDS}

pytestmark = pytest.mark.django_db

ODD_ZONES = (
    "UTC",
    "Europe/Dublin",
    "Etc/GMT+5",
    "America/Argentina/Buenos_Aires",
    "Asia/Kathmandu",
    "Asia/Katmandu",  # the old name, which Chromium still uses
)

CHOICES_BY_FIELD = {
    **{name: list(choices) for name, choices in CHOICES.items()},
    "zone": ["", *ODD_ZONES],
}
LAST_CHOICES = {name: values[-1] for name, values in CHOICES_BY_FIELD.items()}


def html_tag(client: Client, path: str = "/about/") -> str:
    html = client.get(path).content.decode()
    return html[html.index("<html") : html.index(">", html.index("<html"))]


def test_default_of_each_preference_is_its_first_choice():
    assert (
        preferences.non_default_preferences(
            ReadingPreferences(**{name: CHOICES_BY_FIELD[name][0] for name in PREFERENCE_FIELDS})
        )
        == {}
    )
    assert set(CHOICES_BY_FIELD) == set(preferences.LABELS) == set(PREFERENCE_FIELDS)


@pytest.mark.parametrize("field", PREFERENCE_FIELDS)
def test_every_preference_of_a_visitor_is_applied_to_pages(client: Client, field: str):
    for value in CHOICES_BY_FIELD[field]:
        answer = client.post("/reading", {field: value, "next": "/about/"})
        assert (answer.status_code, answer["Location"]) == (302, "/about/")
        assert f'data-{field}="{value}"' in html_tag(client)


@pytest.mark.parametrize("field", PREFERENCE_FIELDS)
def test_preferences_of_a_player_are_stored_only_in_their_row(cast: Cast, field: str):
    ada, elsewhere, bram = signed_in(cast.ada), signed_in(cast.ada), signed_in(cast.bram)
    value = LAST_CHOICES[field]
    ada.post("/reading", {field: value})
    cast.ada.refresh_from_db()
    assert cast.ada.preferences == {field: value}
    assert f'data-{field}="{value}"' in html_tag(elsewhere)
    assert f'data-{field}="{value}"' not in html_tag(bram)


def test_changing_one_preference_keeps_all_other_preferences(cast: Cast):
    profiles.set_reading_preferences(wizard=cast.ada, typed={"scheme": "dark", "sound": "on"})
    profiles.set_reading_preferences(wizard=cast.ada, typed={"size": "largest"})
    profiles.set_reading_preferences(wizard=cast.ada, typed={"sound": "off"})
    cast.ada.refresh_from_db()
    assert cast.ada.preferences == {"scheme": "dark", "size": "largest"}


def test_preferences_of_a_player_are_kept_in_the_browser_after_signing_out(cast: Cast):
    client = signed_in(cast.ada)
    client.post("/reading", {"scheme": "dark"})
    client.logout()
    assert 'data-scheme="dark"' not in html_tag(client)  # this deletes all cookies
    client = signed_in(cast.ada)
    client.post("/reading", {"scheme": "dark"})
    client.post("/accounts/logout/")
    assert 'data-scheme="dark"' in html_tag(client, "/accounts/login/")


def test_preferences_cookie_is_samesite_and_deleted_if_all_are_defaults(client: Client):
    kept = client.post("/reading", {"scheme": "dark"}).cookies["reading_scheme"]
    assert (kept["httponly"], kept["samesite"], kept["path"]) == (True, "Lax", "/")
    assert kept["max-age"] > 365 * 24 * 3600
    gone = client.post("/reading", {"scheme": "system"}).cookies["reading_scheme"]
    assert gone["max-age"] == 0


def test_simultaneous_preference_changes_are_all_kept(client: Client):
    """A browser may send three requests before it receives the first response."""
    asked = ({"guessed_zone": "Asia/Kathmandu"}, {"scheme": "dark"}, {"size": "largest"})
    for answer in [Client().post("/reading", typed) for typed in asked]:
        client.cookies.update(answer.cookies)
    shown = html_tag(client)
    assert 'data-scheme="dark"' in shown
    assert 'data-size="largest"' in shown
    assert 'data-zone="Asia/Kathmandu"' in shown


@pytest.mark.parametrize("field", PREFERENCE_FIELDS)
@pytest.mark.parametrize("value", [" ", "mauve", "\0", "Dark", '"><script>', "europe/dublin"])
def test_unknown_preference_is_rejected_with_a_list_of_choices(cast: Cast, field: str, value: str):
    other = next(name for name in PREFERENCE_FIELDS if name != field)
    typed = {field: value, other: LAST_CHOICES[other]}
    with pytest.raises(errors.Refused) as refused:
        profiles.set_reading_preferences(wizard=cast.ada, typed=typed)
    assert refused.value.field == field
    assert all(allowed in refused.value.text for allowed in CHOICES.get(field, ["Europe/Dublin"]))
    cast.ada.refresh_from_db()
    assert cast.ada.preferences == {}
    for client in (Client(), signed_in(cast.ada)):
        answer = client.post("/reading", typed)
        assert answer.status_code == 422
        assert preferences.LABELS[field] in answer.content.decode()
        assert not answer.cookies.keys() & PREFERENCE_COOKIES


def test_preferences_form_without_a_choice_is_rejected(client: Client):
    assert client.post("/reading", {"next": "/"}).status_code == 409


@pytest.mark.parametrize("faulty", ["", "|", ":", "mauve", "dark:er", "\xff", "x" * 500])
def test_invalid_preferences_cookie_is_ignored(client: Client, faulty: str):
    client.cookies.load(dict.fromkeys(PREFERENCE_COOKIES, faulty))
    assert 'data-scheme="system"' in html_tag(client)
    assert 'data-zone=""' in html_tag(client)


@pytest.mark.parametrize("zone", ["../../etc/passwd", "Europe"])
def test_cookie_with_an_unknown_time_zone_is_ignored(client: Client, zone: str):
    client.cookies["reading_zone"] = zone
    assert 'data-zone=""' in html_tag(client)


@pytest.mark.parametrize(
    "kept", [None, [], "dark", {"scheme": ["dark"]}, {"mode": "dark"}, {"zone": ["UTC"]}]
)
def test_invalid_stored_preferences_are_ignored(kept: object):
    assert preferences.parse_preferences(kept) == DEFAULT_PREFERENCES


@pytest.mark.parametrize(
    ("back", "leads_to"),
    [
        ("/spellbook/?order=last", "/spellbook/?order=last"),
        ("https://elsewhere.example/", "/"),
        ("//elsewhere.example/", "/"),
        ("javascript:alert(1)", "/"),
        ("", "/"),
    ],
)
def test_changing_preferences_redirects_back_within_the_site(
    client: Client, back: str, leads_to: str
):
    assert client.post("/reading", {"scheme": "dark", "next": back})["Location"] == leads_to
    referred = client.post("/reading", {"scheme": "dark"}, headers={"referer": back})
    assert referred["Location"] == leads_to


def test_script_that_saves_preferences_gets_an_empty_response(client: Client):
    answer = client.post("/reading", {"scheme": "dark", "quiet": "1"})
    assert (answer.status_code, answer.content) == (204, b"")


def test_get_request_does_not_change_preferences(client: Client):
    answer = client.get("/reading", {"scheme": "dark"})
    assert (answer.status_code, answer["Location"]) == (302, "/")
    assert not answer.cookies.keys() & PREFERENCE_COOKIES


def test_changing_preferences_requires_a_csrf_token(cast: Cast):
    """Promise 8."""
    assert cast.ada.user is not None
    client = Client(enforce_csrf_checks=True)
    client.force_login(cast.ada.user)
    assert client.post("/reading", {"scheme": "dark"}).status_code == 403
    cast.ada.refresh_from_db()
    assert cast.ada.preferences == {}


def test_pages_apply_preferences_without_a_database_query(cast: Cast):
    client = signed_in(cast.ada)
    with CaptureQueriesContext(
        connection,
    ) as before:
        client.get("/about/")
    profiles.set_reading_preferences(wizard=cast.ada, typed=LAST_CHOICES)
    with CaptureQueriesContext(connection) as after:
        client.get("/about/")
    assert len(after) == len(before)
    with CaptureQueriesContext(connection) as none:
        Client().get("/about/")
    assert len(none) == 0


def test_settings_page_shows_the_chosen_preferences_after_saving(cast: Cast):
    client = signed_in(cast.ada)
    answer = client.post("/reading", {**LAST_CHOICES, "next": "/settings/#reading", "said": "1"})
    assert answer["Location"] == "/settings/#reading"
    html = client.get("/settings/").content.decode()
    assert "Saved." in html
    for value in LAST_CHOICES.values():
        assert f'<option value="{value}" selected>' in html


def test_closing_an_account_deletes_preferences(cast: Cast):
    profiles.set_reading_preferences(wizard=cast.ada, typed={"scheme": "dark"})
    assert cast.ada.user is not None
    closing.close_account(user=cast.ada.user, now=NOW)
    cast.ada.refresh_from_db()
    assert cast.ada.preferences == {}
