"""Tests of challenges over HTTP: creating, showing, answering and hiding them."""

import re
from html import unescape

import pytest
from django.test import Client

from duels.commands import challenges, endings, profiles
from duels.loaded import adjudication
from duels.models import Duel
from duels.wording.rule_index import differences
from engine.rulesets import RULESETS
from engine.rulesets.ruleset import Ruleset
from tests.cast import NOW, Cast, begin, challenge, signed_in

pytestmark = pytest.mark.django_db

TERMS = {
    "to": "open",
    "ruleset": "bartle-1",
    "size": "2",
    "pace": "turn",
    "pace_number": "1",
    "pace_unit": "days",
    "visibility": "public",
    "words": "Who dares?",
}


OTHER_RULESETS = [ruleset for ruleset in RULESETS.values() if ruleset.id != "bartle-1"]


@pytest.fixture(autouse=True)
def at_the_time_of_the_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make views use `NOW`, when the tests create challenges, as the current time."""
    monkeypatch.setattr("django.utils.timezone.now", lambda: NOW)


def test_open_challenge_can_be_posted_and_accepted(cast: Cast):
    answer = signed_in(cast.ada).post("/challenge/new", TERMS)
    duel = Duel.objects.get()
    assert answer["Location"] == f"/duels/{duel.pk}/"
    page = signed_in(cast.bram).get(f"/duels/{duel.pk}/").content.decode()
    assert "Who dares?" in page
    assert signed_in(cast.bram).post(f"/duels/{duel.pk}/accept").status_code == 302
    duel.refresh_from_db()
    assert duel.status == "running"


def listed_differences(html: str) -> set[str]:
    """Return the differences from Bartle's rules that a page lists."""
    lists = re.findall(r'<ul class="differences">(.*?)</ul>', html, re.DOTALL)
    rows = re.findall(r"<li[^>]*>(.*?)(?: <span|<a)", "".join(lists), re.DOTALL)
    return {unescape(row).strip() for row in rows}


def test_form_offers_every_ruleset_with_a_description(cast: Cast):
    """rules: F1. Bartle's ruleset is the default."""
    html = signed_in(cast.ada).get("/challenge/new").content.decode()
    for ruleset in RULESETS.values():
        assert f'name="ruleset" value="{ruleset.id}"' in html
        assert ruleset.description in unescape(html)
    assert re.findall(r'name="ruleset" value="([^"]+)"[^>]*checked', html) == ["bartle-1"]
    assert listed_differences(html) == {
        line.text for other in OTHER_RULESETS for line in differences(other)
    }


def test_sacrifice_option_is_only_for_rulesets_with_that_spell(cast: Cast):
    """rules: R24"""
    ada = signed_in(cast.ada)
    html = ada.get("/challenge/new").content.decode()
    told = re.findall(r'name="ruleset" value="([^"]+)"[^>]*data-options="([^"]+)"', html)
    having = {ruleset for ruleset, options in told if "sacrifice" in options.split()}
    assert having == {"wizards-1"}
    answer = ada.post("/challenge/new", TERMS | {"sacrifice": "on"})
    assert answer.context["form"].errors["sacrifice"]
    assert not Duel.objects.exists()
    ada.post("/challenge/new", TERMS | {"sacrifice": "on", "ruleset": "wizards-1"})
    (duel,) = Duel.objects.all()
    assert duel.options == ["sacrifice"]
    page = ada.get(f"/duels/{duel.pk}/").content.decode()
    assert "with the house rule on Sacrifice" in page
    assert "house rule on Sacrifice" in signed_in(cast.bram).get("/").content.decode()


def test_parafc_and_maladroit_are_only_for_warlocks_and_shown_on_pages(cast: Cast):
    """rules: W21, W23"""
    ada, bram = signed_in(cast.ada), signed_in(cast.bram)
    html = ada.get("/challenge/new").content.decode()
    told = re.findall(r'name="ruleset" value="([^"]+)"[^>]*data-options="([^"]*)"', html)
    for name in ("parafc", "maladroit"):
        assert [id for id, options in told if name in options.split()] == ["warlocks-1"]
        answer = ada.post("/challenge/new", TERMS | {name: "on"})
        assert "variant of Warlocks" in answer.context["form"].errors[name][0]
    assert not Duel.objects.exists()
    terms = TERMS | {"ruleset": "warlocks-1", "parafc": "on", "maladroit": "on"}
    ada.post("/challenge/new", terms)
    (duel,) = Duel.objects.all()
    assert duel.options == ["parafc", "maladroit"]
    assert adjudication.ruleset_of(duel).spells["maladroitness"]
    for reader in (ada, bram):
        page = reader.get(f"/duels/{duel.pk}/").content.decode()
        assert "ParaFC: a paralysed hand makes C after F" in page
        assert "Maladroit: D-S-F is Maladroitness" in page
    assert "Warlocks with ParaFC and Maladroit · 2 wizards" in bram.get("/").content.decode()
    bram.post(f"/duels/{duel.pk}/accept")
    for path in ("/", f"/duels/{duel.pk}/"):
        assert "Warlocks with ParaFC and Maladroit" in bram.get(path).content.decode(), path
    assert "?with=parafc,maladroit" in bram.get(f"/duels/{duel.pk}/").content.decode()


@pytest.mark.parametrize("ruleset", OTHER_RULESETS, ids=[other.id for other in OTHER_RULESETS])
def test_challenge_shows_rule_differences_before_acceptance(cast: Cast, ruleset: Ruleset):
    client = signed_in(cast.ada)
    client.post("/challenge/new", TERMS | {"to": "invitation", "ruleset": ruleset.id})
    duel = Duel.objects.get()
    assert duel.ruleset == ruleset.id
    for reader in (Client(), signed_in(cast.bram)):
        html = reader.get(f"/c/{duel.token}/").content.decode()
        assert listed_differences(html) == {line.text for line in differences(ruleset)}
        assert html.index('class="differences"') < html.index('/accept"')
        assert set(re.findall(r'href="/rules/([^/"]+)/#', html)) == {ruleset.id}


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=list(RULESETS))
def test_lists_show_the_ruleset_of_a_duel(cast: Cast, ruleset: Ruleset):
    def ruleset_in_list() -> str:
        html = signed_in(cast.bram).get("/").content.decode()
        (found,) = re.findall(r'<span class="about">(.*?)</span>', html, re.DOTALL)
        return str(found)

    duel = challenge(cast.ada, cast.bram, ruleset=ruleset.id)
    assert ruleset_in_list().startswith(f"{ruleset.name} · 2 wizards")
    signed_in(cast.bram).post(f"/duels/{duel.pk}/accept")
    assert f" · {ruleset.name} · " in ruleset_in_list()


def test_challenge_under_bartles_rules_lists_no_differences(cast: Cast):
    duel = challenge(cast.ada, cast.bram)
    html = signed_in(cast.bram).get(f"/duels/{duel.pk}/").content.decode()
    assert listed_differences(html) == set()


def test_challenge_to_a_wizard_can_be_answered_only_by_that_wizard(cast: Cast):
    duel = challenge(cast.ada, cast.bram)
    assert signed_in(cast.dorn).get(f"/duels/{duel.pk}/").status_code == 404
    assert signed_in(cast.dorn).post(f"/duels/{duel.pk}/accept").status_code == 404
    assert signed_in(cast.dorn).post(f"/duels/{duel.pk}/decline").status_code == 404
    assert signed_in(cast.bram).post(f"/duels/{duel.pk}/decline").status_code == 302
    duel.refresh_from_db()
    assert duel.status == "lapsed"


def test_invitation_link_opens_a_page_without_accepting(cast: Cast):
    client = signed_in(cast.ada)
    client.post("/challenge/new", TERMS | {"to": "invitation"})
    duel = Duel.objects.get()
    html = client.get(f"/duels/{duel.pk}/").content.decode()
    found = re.search(
        r'value="http://testserver(/c/[^"]+)" data-share-address data-invitation>', html
    )
    assert found is not None
    assert Client().get(found[1]).status_code == 200
    assert signed_in(cast.bram).get(found[1]).status_code == 200
    assert Duel.objects.get().status == "gathering"
    assert signed_in(cast.bram).post(f"/duels/{duel.pk}/accept").status_code == 404
    accepted = signed_in(cast.bram).post(f"/duels/{duel.pk}/accept", {"token": duel.token})
    assert accepted.status_code == 302
    assert Duel.objects.get().status == "running"


def test_page_of_a_challenge_shows_the_readers_next_step_first(cast: Cast):
    """For the challenger, this is the invitation link, or a note to wait for the opponent.

    The opponent first sees the buttons to answer, and no link.
    """
    duel = challenge(cast.ada, invitation=True)
    html = signed_in(cast.ada).get(f"/duels/{duel.pk}/").content.decode()
    assert html.index("Send this link to your friend") < html.index("<dt>Rules</dt>")
    named = challenge(cast.ada, cast.bram)
    html = signed_in(cast.ada).get(f"/duels/{named.pk}/").content.decode()
    assert "Nothing more to do: the duel begins when Bram has accepted." in html
    for path in (f"/c/{duel.token}/", f"/duels/{named.pk}/"):
        html = signed_in(cast.bram).get(path).content.decode()
        assert html.index(">Accept<") < html.index("<dt>Rules</dt>")
        assert "data-invitation" not in html
        assert "Withdraw" not in html


def test_invitation_can_be_seen_only_with_its_link(cast: Cast):
    duel = challenge(cast.ada, invitation=True)
    assert signed_in(cast.dorn).get(f"/duels/{duel.pk}/").status_code == 404
    assert Client().get(f"/duels/{duel.pk}/").status_code == 404


def text_without_token(page: bytes) -> str:
    """Return the text of a page without form tokens, which differ in each response."""
    return re.sub(r'value="\w{64}"', "", page.decode())


@pytest.mark.parametrize("answer", ["accept", "decline", "leave", "withdraw"])
def test_addresses_of_a_hidden_duel_respond_like_those_of_a_missing_one(cast: Cast, answer: str):
    named = challenge(cast.ada, cast.bram)
    invitation = challenge(cast.ada, invitation=True)
    begun = begin(cast.ada, cast.bram, visibility="private")
    dorn = signed_in(cast.dorn)
    nowhere = dorn.post(f"/duels/999999/{answer}", {"token": "x"})
    assert nowhere.status_code == 404
    for duel in (named, invitation, begun):
        for typed in ({}, {"token": ""}, {"token": "x"}):
            hidden = dorn.post(f"/duels/{duel.pk}/{answer}", typed)
            assert hidden.status_code == 404
            assert text_without_token(hidden.content) == text_without_token(nowhere.content)


def test_only_the_challenger_can_withdraw_a_challenge(cast: Cast):
    duel = challenge(cast.ada)
    assert signed_in(cast.bram).post(f"/duels/{duel.pk}/withdraw").status_code == 403
    assert signed_in(cast.ada).post(f"/duels/{duel.pk}/withdraw").status_code == 302
    duel.refresh_from_db()
    assert duel.status == "lapsed"


def test_leaving_a_challenge_before_the_start_frees_the_seat(cast: Cast):
    duel = challenge(cast.ada, size=3)
    bram = signed_in(cast.bram)
    bram.post(f"/duels/{duel.pk}/accept")
    assert duel.seats.count() == 2
    assert bram.post(f"/duels/{duel.pk}/leave").status_code == 302
    assert duel.seats.count() == 1
    assert bram.post(f"/duels/{duel.pk}/leave").status_code == 403


def test_a_duel_that_has_begun_cannot_be_accepted_again(cast: Cast):
    duel = begin(cast.ada, cast.bram)
    assert signed_in(cast.dorn).post(f"/duels/{duel.pk}/accept").status_code == 409


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("to", "everyone"),
        ("ruleset", "bartle-9"),
        ("ruleset", ""),
        ("size", "1"),
        ("size", "9"),
        ("size", "two"),
        ("size", "9" * 5000),
        ("pace", "never"),
        ("pace_number", ""),
        ("pace_number", "0"),
        ("pace_number", "-3"),
        ("pace_number", "2.5"),
        ("pace_number", "three"),
        ("pace_number", "31"),
        ("pace_number", "9" * 5000),
        ("pace_number", "9" * 40),
        ("pace_unit", "weeks"),
        ("pace_unit", ""),
        ("excuses", "6"),
        ("excuses", "-1"),
        ("excuses", "two"),
        ("visibility", "none"),
        ("words", "x" * 201),
        ("words", "nul \0"),
    ],
)
def test_rejected_challenge_form_keeps_the_input(cast: Cast, field: str, value: str):
    answer = signed_in(cast.ada).post("/challenge/new", TERMS | {field: value})
    assert answer.status_code == 400
    assert answer.context["form"].errors[field]
    html = answer.content.decode()
    assert field == "words" or "Who dares?" in html
    assert not Duel.objects.exists()


DAILY_TERMS = TERMS | {"pace": "daily", "pace_hour": "21:00", "pace_zone": "Europe/Dublin"}


@pytest.mark.parametrize(
    ("typed", "pace", "words"),
    [
        (TERMS, "86400", "a day for each turn"),
        (
            TERMS | {"pace_number": "5", "pace_unit": "minutes"},
            "300",
            "five minutes for each turn",
        ),
        (TERMS | {"pace_number": "36", "pace_unit": "hours"}, "129600", "36 hours for each turn"),
        (TERMS | {"pace_number": "30"}, "2592000", "30 days for each turn"),
        (DAILY_TERMS, "daily 21:00 Europe/Dublin", "every day at 21:00 (Europe/Dublin)"),
        (
            DAILY_TERMS | {"pace_hour": "09:05:00"},
            "daily 09:05 Europe/Dublin",
            "every day at 09:05",
        ),
        (TERMS | {"pace": "none"}, "none", "no hurry"),
    ],
)
def test_challenge_has_and_shows_the_chosen_pace(
    cast: Cast, typed: dict[str, str], pace: str, words: str
):
    signed_in(cast.ada).post("/challenge/new", typed)
    duel = Duel.objects.get()
    assert duel.pace == pace
    bram = signed_in(cast.bram)
    assert words in bram.get(f"/duels/{duel.pk}/").content.decode()
    assert words in bram.get("/duels/?show=open").content.decode()
    bram.post(f"/duels/{duel.pk}/accept")
    assert words in bram.get(f"/duels/{duel.pk}/").content.decode()


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("pace_hour", "", "Enter the hour of the day when orders are due."),
        ("pace_hour", "25:00", "Enter an hour from 00:00 to 23:59."),
        ("pace_hour", "9 pm", "Enter an hour from 00:00 to 23:59."),
        ("pace_hour", "21:00:30", "Enter the daily hour in hours and minutes, without seconds."),
        ("pace_zone", "", "Choose the time zone for this hour."),
        ("pace_zone", "Europe/Nowhere", "Choose a time zone from the list."),
    ],
)
def test_invalid_daily_hour_shows_an_error_next_to_its_field(
    cast: Cast, field: str, value: str, sentence: str
):
    answer = signed_in(cast.ada).post("/challenge/new", DAILY_TERMS | {field: value})
    assert answer.status_code == 400
    assert answer.context["form"].errors == {field: [sentence]}
    html = answer.content.decode()
    assert f'<p class="fault" id="id_{field}_error">{sentence}</p>' in html
    assert re.search(r'name="pace" value="daily"[^>]*checked', html)


@pytest.mark.parametrize(
    ("number", "unit", "sentence"),
    [
        ("4", "minutes", "Choose a time from 5 minutes to 30 days."),
        ("31", "days", "Choose a time from 5 minutes to 30 days."),
        ("1.5", "hours", "Enter a whole number, such as 3."),
        ("", "hours", "Enter the number of minutes, hours or days for each turn."),
    ],
)
def test_invalid_time_for_a_turn_shows_an_error_next_to_its_number(
    cast: Cast, number: str, unit: str, sentence: str
):
    typed = TERMS | {"pace_number": number, "pace_unit": unit}
    answer = signed_in(cast.ada).post("/challenge/new", typed)
    assert answer.context["form"].errors == {"pace_number": [sentence]}
    html = answer.content.decode()
    assert not number or f'name="pace_number" value="{number}"' in html
    assert f'<option value="{unit}" selected>' in html


def test_fields_of_paces_that_are_not_chosen_are_kept_without_validation(cast: Cast):
    odd = {"pace_number": "2.5", "pace_unit": "days", "pace_hour": "late", "pace_zone": "Nowhere"}
    ada = signed_in(cast.ada)
    answer = ada.post("/challenge/new", TERMS | odd | {"pace": "none", "size": "9"})
    assert set(answer.context["form"].errors) == {"size"}
    assert 'value="2.5"' in answer.content.decode()
    assert 'value="late"' in answer.content.decode()
    assert ada.post("/challenge/new", TERMS | odd | {"pace": "none"}).status_code == 302
    assert Duel.objects.get().pace == "none"


def chosen_value(html: str, name: str) -> str:
    """Return the value of the selected option or of the checked radio button."""
    select = re.search(
        rf'<select name="{name}".*?<option value="([^"]*)" selected>', html, re.DOTALL
    )
    button = re.search(rf'name="{name}" value="([^"]*)"[^>]*checked', html)
    found = select or button
    assert found is not None
    return found[1]


@pytest.mark.parametrize(
    ("typed", "is_open"),
    [
        ({"words": "For the tea", "ruleset": "spellcast-1"}, False),
        ({"size": "3"}, True),
        ({"excuses": "0"}, True),
        ({"strict": "on"}, True),
        ({"size": "9"}, True),
    ],
)
def test_further_settings_are_folded_unless_changed_or_invalid(
    cast: Cast, typed: dict[str, str], is_open: bool
):
    usual = {"rating": "rated", "size": "2", "excuses": "2", "visibility": "public"}
    client = signed_in(cast.ada)
    empty = client.get("/challenge/new").content.decode()
    assert '<details class="more-settings"><summary>' in empty
    faulty = {"to": "named", "opponent": ""}  # without an opponent, the form is shown again
    html = client.post("/challenge/new", TERMS | usual | faulty | typed).content.decode()
    assert ('<details class="more-settings" open><summary>' in html) is is_open
    assert '<details class="more-settings"' in html
    shown, folded = html.split('<details class="more-settings"')
    assert 'name="words"' in shown
    assert 'name="excuses"' in folded


def test_challenge_form_has_defaults_for_pace_and_extensions(cast: Cast):
    profiles.set_reading_preferences(wizard=cast.ada, typed={"zone": "Asia/Tokyo"})
    html = signed_in(cast.ada).get("/challenge/new").content.decode()
    assert chosen_value(html, "pace") == "turn"
    assert re.search(r'name="pace_number" value="3"', html)
    assert chosen_value(html, "pace_unit") == "days"
    assert chosen_value(html, "pace_zone") == "Asia/Tokyo"
    assert chosen_value(html, "excuses") == "2"
    assert (
        chosen_value(signed_in(cast.bram).get("/challenge/new").content.decode(), "pace_zone")
        == "UTC"
    )


@pytest.mark.parametrize(
    ("typed", "excuses"), [({}, 2), ({"excuses": "0"}, 0), ({"excuses": "5"}, 5)]
)
def test_challenge_has_the_chosen_number_of_extensions(
    cast: Cast, typed: dict[str, str], excuses: int
):
    signed_in(cast.ada).post("/challenge/new", TERMS | typed)
    duel = Duel.objects.get()
    assert duel.excuses == excuses
    html = signed_in(cast.bram).get(f"/duels/{duel.pk}/").content.decode()
    assert f"<dt>Extensions</dt><dd>{excuses or 'none'}" in html


@pytest.mark.parametrize("name", ["", "Nobody Here", "Ada", "\0", "x" * 1000])
def test_challenge_to_an_invalid_opponent_is_rejected(cast: Cast, name: str):
    answer = signed_in(cast.ada).post("/challenge/new", TERMS | {"to": "named", "opponent": name})
    assert answer.status_code in (400, 422)
    assert answer.context["form"].errors["opponent"]


def test_wizard_can_be_challenged_by_name_in_upper_or_lower_case(cast: Cast):
    typed = TERMS | {"to": "named", "opponent": "  bRaM "}
    assert signed_in(cast.ada).post("/challenge/new", typed).status_code == 302
    assert Duel.objects.get().seats.filter(wizard=cast.bram).exists()


# Names


def test_duel_has_the_name_given_by_its_challenger(cast: Cast):
    ada = signed_in(cast.ada)
    ada.post("/challenge/new", TERMS | {"name": "  Best of <i>three</i> "})
    (duel,) = Duel.objects.all()
    assert duel.name == "Best of <i>three</i>"
    named = '<q dir="auto">Best of &lt;i&gt;three&lt;/i&gt;</q>'
    page = f"/duels/{duel.pk}/"
    assert named in signed_in(cast.bram).get("/").content.decode()
    assert named in signed_in(cast.bram).get(page).content.decode()
    challenges.accept(duel_id=duel.pk, wizard=cast.bram, now=NOW)
    for path in ("/", page):
        assert named in ada.get(path).content.decode()
    assert named in Client().get("/duels/").content.decode()


def test_duel_name_that_is_too_long_is_rejected_and_kept_in_the_form(cast: Cast):
    long = "x" * 41
    answer = signed_in(cast.ada).post("/challenge/new", TERMS | {"name": long})
    assert answer.status_code == 400
    assert answer.context["form"].errors["name"]
    assert long in answer.content.decode()
    assert not Duel.objects.exists()


def test_rematch_has_the_name_of_the_duel(cast: Cast):
    duel = begin(cast.ada, cast.bram)
    Duel.objects.filter(pk=duel.pk).update(name="Tower")
    endings.resign(duel_id=duel.pk, wizard=cast.bram, now=NOW)
    assert challenges.request_rematch(duel_id=duel.pk, wizard=cast.ada, now=NOW).name == "Tower"


def test_unnamed_duels_against_the_same_opponent_are_numbered_in_lists(cast: Cast):
    first, second, named = (begin(cast.ada, cast.bram) for _ in range(3))
    begin(cast.ada, cast.cleo)
    Duel.objects.filter(pk=named.pk).update(name="Tower")
    html = signed_in(cast.ada).get("/").content.decode()
    about = re.findall(r'<span class="about">(duel \d+)?', html)
    assert sorted(filter(None, about)) == [f"duel {first.pk}", f"duel {second.pk}"]


def offered_names(client: Client, typed: str) -> list[str]:
    html = client.get("/wizards/", {"part": "names", "opponent": typed}).content.decode()
    return re.findall(r'<option value="([^"]*)">', html)


def test_name_suggestions_are_the_same_for_everyone(cast: Cast):
    """Suggestions do not depend on blocks, and do not include guests or closed accounts."""
    assert offered_names(signed_in(cast.ada), "b") == ["Bram"]
    profiles.block(wizard=cast.bram, other=cast.ada, now=NOW)
    assert (
        offered_names(signed_in(cast.ada), "b")
        == offered_names(signed_in(cast.cleo), "b")
        == ["Bram"]
    )
    assert offered_names(signed_in(cast.ada), "") == []
    assert (
        offered_names(signed_in(cast.ada), "old") == []
    )  # the practice opponent cannot be challenged
    cast.bram.user, cast.bram.closed_at = None, NOW
    cast.bram.save()
    assert offered_names(signed_in(cast.ada), "b") == []


def test_field_for_the_opponent_loads_name_suggestions(cast: Cast):
    html = signed_in(cast.ada).get("/challenge/new").content.decode()
    field = re.search(r'<input[^>]*name="opponent"[^>]*>', html)
    assert field is not None
    assert 'list="wizard-names"' in field[0]
    assert 'hx-get="/wizards/?part=names"' in field[0]
    assert '<datalist id="wizard-names"></datalist>' in html
