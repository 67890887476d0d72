"""The reader's time zone, chosen or guessed, which is used for every time on a page."""

import re
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.core import mail
from django.db import connection
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from duels.accounts import preferences
from duels.accounts.preferences import ReaderZone, ReadingPreferences
from duels.clocks.clock import zone_names
from duels.clocks.zones import zone_groups
from duels.commands import profiles
from duels.models import Wizard
from duels.post import emails
from duels.post.models import Notice
from duels.screens.parts.moment_html import moment_html, time_html
from duels.wording.moments import moment_words, zone_label
from tests.cast import NOW, Cast, begin, challenge, hands, seal

pytestmark = pytest.mark.django_db

KATHMANDU = "Asia/Kathmandu"  # UTC+5:45, a zone without an abbreviated name


def signed_in(wizard: Wizard, zone: str = "") -> Client:
    assert wizard.user is not None
    if zone:
        profiles.set_reading_preferences(wizard=wizard, typed={"zone": zone})
    client = Client()
    client.force_login(wizard.user)
    return client


def page(client: Client, address: str) -> str:
    return client.get(address).content.decode()


# Choosing and guessing a time zone


def test_guessed_time_zone_is_used_until_one_is_chosen(cast: Cast):
    client = signed_in(cast.ada)
    assert 'data-zone=""' in page(client, "/about/")
    assert client.post("/reading", {"guessed_zone": KATHMANDU, "quiet": "1"}).status_code == 204
    assert f'data-zone="{KATHMANDU}"' in page(client, "/about/")
    client.post("/reading", {"zone": "Europe/Dublin"})
    assert client.post("/reading", {"guessed_zone": KATHMANDU, "quiet": "1"}).status_code == 204
    cast.ada.refresh_from_db()
    assert cast.ada.preferences == {"zone": "Europe/Dublin"}


def test_guessed_time_zone_does_not_change_other_preferences(cast: Cast):
    client = signed_in(cast.ada)
    client.post("/reading", {"scheme": "dark"})
    client.post("/reading", {"guessed_zone": KATHMANDU, "quiet": "1"})
    cast.ada.refresh_from_db()
    assert cast.ada.preferences == {"scheme": "dark", "zone": KATHMANDU}


def test_guessed_time_zone_of_a_visitor_is_kept_in_a_cookie(client: Client):
    client.post("/reading", {"guessed_zone": KATHMANDU, "quiet": "1"})
    assert f'data-zone="{KATHMANDU}"' in page(client, "/about/")
    client.post("/reading", {"zone": "Europe/Dublin"})
    client.post("/reading", {"guessed_zone": KATHMANDU, "quiet": "1"})
    assert 'data-zone="Europe/Dublin"' in page(client, "/about/")


@pytest.mark.parametrize("guess", ["", "Mars/Olympus", "../../etc/passwd", "\0", "x" * 10_000])
def test_invalid_guess_of_a_time_zone_changes_nothing(cast: Cast, guess: str):
    client = signed_in(cast.ada)
    status = client.post("/reading", {"guessed_zone": guess, "quiet": "1"}).status_code
    assert status == (422 if guess else 204)
    cast.ada.refresh_from_db()
    assert cast.ada.preferences == {}


def test_get_request_does_not_change_the_time_zone(cast: Cast):
    client = signed_in(cast.ada)
    client.get("/reading", {"zone": KATHMANDU, "guessed_zone": KATHMANDU})
    cast.ada.refresh_from_db()
    assert cast.ada.preferences == {}


def test_the_settings_offer_every_time_zone_and_show_the_chosen_one(cast: Cast):
    html = page(signed_in(cast.ada, KATHMANDU), "/settings/")
    select = html[html.index('name="zone"') : html.index("</select>", html.index('name="zone"'))]
    assert set(re.findall(r'<option value="([^"]*)"', select)) == zone_names() | {""}
    assert re.findall(r'<option value="([^"]*)" selected>', select) == [KATHMANDU]
    assert (
        '<option value="America/Argentina/Buenos_Aires">Argentina / Buenos Aires</option>' in select
    )


def test_every_time_zone_is_offered_once():
    offered = [name for _, zones in zone_groups() for name, _ in zones]
    assert len(offered) == len(set(offered)) == len(zone_names())
    assert offered[0] == "UTC"
    assert all(words for _, zones in zone_groups() for _, words in zones)


# Times as text


@pytest.mark.parametrize(
    ("zone", "words"),
    [
        ("UTC", "1 March, 12:00 UTC"),
        ("Europe/Berlin", "1 March, 13:00 CET"),
        ("America/New_York", "1 March, 07:00 EST"),
        (KATHMANDU, "1 March, 17:45 UTC+05:45"),
        ("America/Sao_Paulo", "1 March, 09:00 UTC−03:00"),
        ("Pacific/Kiritimati", "2 March, 02:00 UTC+14:00"),
    ],
)
def test_time_is_shown_in_the_readers_zone_with_its_name(zone: str, words: str):
    with timezone.override(ZoneInfo(zone)):
        assert moment_words(NOW) == words
        assert moment_html(NOW) == f'<time datetime="2026-03-01T12:00:00+00:00">{words}</time>'


def test_every_time_zone_has_a_short_name_or_an_offset():
    for name in zone_names():
        label = zone_label(datetime(2026, 7, 1, 12, tzinfo=UTC).astimezone(ZoneInfo(name)))
        assert re.fullmatch(r"[A-Za-z]{2,6}|UTC[+−]\d\d:\d\d", label), name


def test_time_can_be_shown_in_several_styles():
    styles = ("time", "day", "minute", "second", "year")
    with timezone.override(ZoneInfo("Europe/Berlin")):
        assert [moment_words(NOW, style) for style in styles] == [
            "13:00 CET",
            "1 March 2026",
            "1 March, 13:00 CET",
            "1 March, 13:00:00 CET",
            "1 March 2026, 13:00 CET",
        ]


def test_text_of_a_time_is_escaped():
    assert time_html(NOW, "<b>", 'a"b') == (
        '<time class="a&quot;b" datetime="2026-03-01T12:00:00+00:00">&lt;b&gt;</time>'
    )


# On pages


def datetime_attributes(html: str) -> list[datetime]:
    return [datetime.fromisoformat(found) for found in re.findall(r'datetime="([^"]*)"', html)]


def test_default_time_zone_is_utc_and_its_name_is_shown(cast: Cast):
    duel = challenge(cast.ada, cast.bram)
    html = page(signed_in(cast.ada), f"/duels/{duel.pk}/")
    assert "15 March 2026, 12:00 UTC</time>" in html


def test_each_reader_sees_times_in_their_own_zone(cast: Cast):
    duel = begin(cast.ada, cast.bram)
    seal(duel, cast.ada, hands("P", "D"))
    told = {
        "": "1 March, 12:00 UTC",
        "Europe/Berlin": "1 March, 13:00 CET",
        KATHMANDU: "1 March, 17:45 UTC+05:45",
    }
    for zone, words in told.items():
        html = page(signed_in(cast.bram, zone), f"/duels/{duel.pk}/")
        assert f'<time datetime="2026-03-01T12:00:00+00:00">{words}</time>' in html


def test_machine_readable_times_are_in_utc(cast: Cast):
    duel = begin(cast.ada, cast.bram)
    seal(duel, cast.ada, hands("P", "D"))
    client = signed_in(cast.ada, KATHMANDU)
    for address in ("/", f"/duels/{duel.pk}/"):
        times = datetime_attributes(page(client, address))
        assert times
        assert all(at.utcoffset() == timedelta(0) for at in times)


def test_time_of_a_saved_draft_is_shown_in_the_readers_zone(cast: Cast):
    duel = begin(cast.ada, cast.bram)
    turn = duel.turns.get()
    client = signed_in(cast.ada, KATHMANDU)
    typed = {"turn": str(turn.ordinal), "left": "P", "right": "D"}
    said = client.post(f"/duels/{duel.pk}/draft", typed).content.decode()
    assert re.fullmatch(r"Draft saved at \d\d:\d\d UTC\+05:45\. It is not sealed\.", said)


def test_time_zone_does_not_leak_into_the_next_request(cast: Cast):
    duel = challenge(cast.ada, cast.bram)
    address = f"/duels/{duel.pk}/"
    assert "17:45 UTC+05:45" in page(signed_in(cast.ada, KATHMANDU), address)
    assert "12:00 UTC<" in page(signed_in(cast.bram), address)
    assert timezone.get_current_timezone_name() == "UTC"


def test_email_uses_its_readers_time_zone_and_not_the_senders(cast: Cast):
    late = NOW.replace(hour=20)  # already the next day in Kathmandu, but not in New York
    profiles.set_reading_preferences(wizard=cast.bram, typed={"zone": KATHMANDU})
    challenge(cast.ada, cast.bram, now=late)
    notice = Notice.objects.get(wizard=cast.bram)
    with timezone.override(ZoneInfo("America/New_York")):
        written = emails.email_for([notice])
    assert written is not None
    assert "The challenge is open until 16 March 2026." in written.body
    assert mail.outbox == []


def test_time_zone_is_looked_up_only_if_needed(cast: Cast):
    request = RequestFactory().get("/")

    def get_response(asked: object) -> object:
        assert isinstance(timezone.get_current_timezone(), ReaderZone)
        assert "zone" not in vars(timezone.get_current_timezone())
        return None

    preferences.ReadingMiddleware(get_response)(request)  # type: ignore[arg-type]  # answers nothing
    client = signed_in(cast.ada, KATHMANDU)
    with CaptureQueriesContext(connection) as asked:
        client.get("/reading")
    assert len(asked) == 0


def test_time_zone_object_of_the_reader_behaves_like_any_other():
    request = RequestFactory().get("/")
    request.user = Wizard()  # type: ignore[assignment]  # nobody is signed in
    request.user.is_authenticated = False  # type: ignore[misc]  # as above
    request.COOKIES[preferences.preference_cookie_name("zone")] = KATHMANDU
    zone, real = ReaderZone(request), ZoneInfo(KATHMANDU)
    local = datetime(2026, 3, 1, 17, 45)  # noqa: DTZ001 # the zone is what is tried
    assert local.replace(tzinfo=zone) == local.replace(tzinfo=real) == NOW
    assert zone.tzname(local) == real.tzname(local)
    assert zone.dst(local) == real.dst(local)
    assert timezone.localtime(NOW, zone).tzinfo is real
    assert timezone.make_aware(local, zone) == NOW


def test_time_zone_of_a_wizard_is_available_outside_requests(cast: Cast):
    assert preferences.time_zone_of(cast.ada).key == "UTC"
    profiles.set_reading_preferences(wizard=cast.ada, typed={"zone": KATHMANDU})
    assert preferences.time_zone_of(cast.ada).key == KATHMANDU
    assert ReadingPreferences().zone == ""
