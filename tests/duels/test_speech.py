"""Messages between turns and after the end: who can write and read them, and how many."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from duels import errors
from duels.commands import closing, endings, profiles, speaking
from duels.models import Duel, Mute, Seat, Speech, User, Wizard
from duels.queries import pages, speeches, stories
from tests.cast import (
    LATER,
    NOW,
    Cast,
    begin,
    challenge,
    hands,
    open_turn,
    play,
    seal,
    sign_in_with_second_factor,
    signed_in,
)

IDLE = hands("-", "-")


@pytest.fixture
def duel(ada: Wizard, bram: Wizard) -> Duel:
    return begin(ada, bram)


def say(duel: Duel, wizard: Wizard, words: str = "Well met.", *, seconds: int = 0) -> Speech:
    now = NOW + timedelta(seconds=seconds)
    return speaking.send_message(duel_id=duel.pk, wizard=wizard, words=words, now=now)


# Writing


def test_messages_are_stored_with_the_number_of_the_open_turn(duel: Duel, cast: Cast):
    first = say(duel, cast.ada, "Well met.")
    play(duel, {cast.ada: IDLE, cast.bram: IDLE})
    second = say(duel, cast.bram, "A bold opening.")
    assert [(row.wizard, row.ordinal, row.words) for row in Speech.objects.all()] == [
        (cast.ada, 1, "Well met."),
        (cast.bram, 2, "A bold opening."),
    ]
    assert (first.said_at, second.duel) == (NOW, duel)


def test_wizard_can_write_messages_after_the_end_and_after_resigning(cast: Cast):
    """F94"""
    duel = begin(cast.ada, cast.bram, cast.cleo)
    endings.resign(duel_id=duel.pk, wizard=cast.ada, now=NOW)
    say(duel, cast.ada, "I had to go.")
    endings.resign(duel_id=duel.pk, wizard=cast.bram, now=NOW)
    assert say(duel, cast.bram, "So had I.").ordinal == 1
    assert Speech.objects.count() == 2


def test_only_wizards_of_a_duel_can_write_messages_in_it(duel: Duel, cast: Cast):
    for stranger in (cast.cleo, cast.dorn):
        with pytest.raises(errors.Refused) as refused:
            say(duel, stranger)
        assert refused.value.code == "not_your_duel"
    assert not Speech.objects.exists()


def test_message_before_the_duel_begins_is_rejected(cast: Cast):
    gathering = challenge(cast.ada, cast.bram)
    with pytest.raises(errors.Refused) as refused:
        say(gathering, cast.ada)
    assert refused.value.code == "not_begun"
    with pytest.raises(errors.Refused):
        speaking.send_message(duel_id=404, wizard=cast.ada, words="Anybody?", now=NOW)


def test_practice_duels_have_no_messages(duel: Duel, cast: Cast):
    other = Wizard.objects.filter(pk=cast.bram.pk)
    other.update(user=None, kind="practice")
    for wizard in (cast.ada, other.get()):
        with pytest.raises(errors.Refused) as refused:
            say(duel, wizard)
        assert refused.value.code == "nobody_listens"


def test_message_sent_by_a_double_click_is_stored_once(duel: Duel, ada: Wizard):
    once = say(duel, ada, "Hm.")
    assert say(duel, ada, "Hm.", seconds=3) == once
    assert say(duel, ada, "Hm!", seconds=4) != once
    assert say(duel, ada, "Hm.", seconds=30) != once
    assert Speech.objects.count() == 3


@pytest.mark.parametrize(
    ("words", "stored"),
    [
        ("  Ja, so\u00e4h!  ", "Ja, so\u00e4h!"),
        ("one\r\ntwo\rthree\u2028four", "one\ntwo\nthree\nfour"),
        ("a\n\n\n\n\nb", "a\n\nb"),
        ("a\0b\x1b[31mc\x7fd\x9be", "ab[31mcde"),
        ("\u202eevil\u202c \u2066x\u2069", "evil x"),
        ("tab\there", "tab here"),
        ("\u05e9\u05dc\u05d5\u05dd", "\u05e9\u05dc\u05d5\u05dd"),
        ("\U0001f469\u200d\U0001f680", "\U0001f469\u200d\U0001f680"),
        ("<script>alert(1)</script>", "<script>alert(1)</script>"),
        ("x" * 500, "x" * 500),
    ],
)
def test_unusual_characters_are_removed_from_messages_before_storing(
    duel: Duel, ada: Wizard, words: str, stored: str
):
    speech = say(duel, ada, words)
    speech.refresh_from_db()
    assert speech.words == stored


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("", "no_words"),
        (" \n\t ", "no_words"),
        ("\u202e\0", "no_words"),
        ("\u200b\u2060\ufeff", "no_words"),
        ("\ud800", "no_words"),
        ("x" * 501, "too_long"),
    ],
)
def test_empty_and_too_long_messages_are_rejected(duel: Duel, ada: Wizard, words: str, code: str):
    with pytest.raises(errors.Refused) as refused:
        say(duel, ada, words)
    assert (refused.value.code, refused.value.field) == (code, "words")
    assert not Speech.objects.exists()


def test_number_of_messages_per_minute_is_limited_across_all_duels(duel: Duel, cast: Cast):
    other = begin(cast.ada, cast.cleo)
    for number in range(10):
        say((duel, other)[number % 2], cast.ada, f"line {number}", seconds=number)
    with pytest.raises(errors.Refused) as refused:
        say(duel, cast.ada, "one more", seconds=10)
    assert refused.value.code == "too_many_words"
    say(duel, cast.bram, "My turn.", seconds=10)
    say(duel, cast.ada, "one more", seconds=60)
    assert Speech.objects.filter(wizard=cast.ada).count() == 11


def test_number_of_messages_per_hour_is_limited(duel: Duel, ada: Wizard):
    for number in range(60):
        say(duel, ada, f"line {number}", seconds=number * 30)
    with pytest.raises(errors.Refused) as refused:
        say(duel, ada, "one more", seconds=1830)
    assert refused.value.code == "too_many_words"
    say(duel, ada, "one more", seconds=3600)


# Muting


def test_muting_and_unmuting_twice_has_no_further_effect(cast: Cast):
    for _ in range(2):
        made = speaking.mute(wizard=cast.ada, other=cast.bram, now=NOW)
    assert list(Mute.objects.all()) == [made]
    assert str(made) == "Ada mutes Bram"
    for _ in range(2):
        speaking.unmute(wizard=cast.ada, other=cast.bram)
    assert not Mute.objects.exists()


def test_wizards_cannot_mute_themselves(ada: Wizard):
    with pytest.raises(errors.Refused) as refused:
        speaking.mute(wizard=ada, other=ada, now=NOW)
    assert refused.value.code == "own_mute"


def test_messages_of_a_closed_account_are_shown_under_the_neutral_name(duel: Duel, cast: Cast):
    say(duel, cast.bram, "Farewell, says Bram.")
    speaking.mute(wizard=cast.bram, other=cast.ada, now=NOW)
    speaking.mute(wizard=cast.ada, other=cast.bram, now=NOW)
    assert cast.bram.user
    closing.close_account(user=cast.bram.user, now=LATER)
    (speech,) = Speech.objects.select_related("wizard")
    assert speech.wizard.name == f"Departed {cast.bram.pk}"
    assert speech.words == "Farewell, says Bram."
    assert [(row.wizard, row.muted_id) for row in Mute.objects.all()] == [(cast.ada, cast.bram.pk)]


# The page


def page(duel: Duel, wizard: Wizard | None) -> str:
    answer = signed_in(wizard).get(f"/duels/{duel.pk}/")
    assert answer.status_code == 200
    return answer.content.decode()


def shown_messages(duel: Duel, viewer: Wizard | None) -> list[tuple[str, str, str]]:
    """Return the writer, occasion and text of each message on the viewer's page."""
    context = signed_in(viewer).get(f"/duels/{duel.pk}/").context
    return [
        (run.first.speaker.name, run.occasion, "muted" if run.first.is_muted else line.words)
        for run in context["talk"].runs
        for line, _ in run.lines
    ]


def test_messages_are_shown_to_everyone_who_can_see_the_duel(duel: Duel, cast: Cast):
    """F43"""
    answer = signed_in(cast.bram).post(f"/duels/{duel.pk}/say", {"words": "Well met."})
    assert (answer.status_code, answer.headers["Location"]) == (302, f"/duels/{duel.pk}/#talk")
    for viewer in (cast.ada, cast.bram, cast.cleo, None):
        assert shown_messages(duel, viewer) == [("Bram", "during turn 1", "Well met.")]
    assert "others see it right away" in page(duel, cast.ada)
    for viewer in (cast.cleo, None):
        assert "others see it right away" not in page(duel, viewer)


def test_messages_of_a_private_duel_are_shown_only_to_its_wizards(cast: Cast):
    duel = begin(cast.ada, cast.bram, visibility="private")
    say(duel, cast.ada)
    for stranger in (cast.cleo, cast.dorn, None):
        for path in ("", "words/"):
            assert signed_in(stranger).get(f"/duels/{duel.pk}/{path}").status_code == 404
    assert signed_in(cast.dorn).post(f"/duels/{duel.pk}/say", {"words": "Hm."}).status_code == 404
    assert signed_in(cast.bram).get(f"/duels/{duel.pk}/words/").status_code == 200
    assert Speech.objects.count() == 1


def test_spectators_and_visitors_cannot_write_messages(duel: Duel, cast: Cast):
    assert signed_in(cast.cleo).post(f"/duels/{duel.pk}/say", {"words": "Boo."}).status_code == 403
    answer = signed_in(None).post(f"/duels/{duel.pk}/say", {"words": "Boo."})
    assert answer.headers["Location"].startswith("/accounts/login/")
    assert signed_in(cast.ada).get(f"/duels/{duel.pk}/say").status_code == 302
    assert not Speech.objects.exists()


def test_messages_are_escaped_in_html(duel: Duel, cast: Cast):
    say(duel, cast.bram, '<script>alert("1")</script> https://example.org/ <b>&')
    for path in ("", "words/"):
        text = signed_in(cast.ada).get(f"/duels/{duel.pk}/{path}").content.decode()
        assert "<script>alert" not in text
        assert "&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; https://example.org/ " in text
        assert 'href="https://example.org' not in text


@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}])
@pytest.mark.parametrize(
    ("words", "status"), [("  ", 422), ("x" * 501, 422), ("one too many", 429)]
)
def test_rejected_message_is_kept_in_the_form(
    duel: Duel, ada: Wizard, words: str, status: int, headers: dict[str, str]
):
    """Promise 4"""
    if status == 429:
        for number in range(10):
            speaking.send_message(
                duel_id=duel.pk, wizard=ada, words=f"{number}", now=timezone.now()
            )
    said = Speech.objects.count()
    answer = signed_in(ada).post(f"/duels/{duel.pk}/say", {"words": words}, headers=headers)
    assert answer.status_code == status
    text = answer.content.decode()
    assert f">{words}</textarea>" in text
    assert 'id="talk-fault"' in text
    assert ("<html" in text) is not bool(headers)
    assert Speech.objects.count() == said


def test_message_sent_by_script_gets_a_part_of_the_page_in_response(duel: Duel, ada: Wizard):
    answer = signed_in(ada).post(
        f"/duels/{duel.pk}/say", {"words": "Quietly."}, headers={"HX-Request": "true"}
    )
    text = answer.content.decode()
    assert answer.status_code == 200
    assert "Quietly." in text
    assert "<html" not in text
    assert "></textarea>" in text


def test_messages_in_orders_appear_when_the_turn_is_revealed(duel: Duel, cast: Cast):
    """F43: messages sent before the reveal come first."""
    say(duel, cast.ada, "Before.")
    play(duel, {cast.ada: hands("W", "-", say="En garde!"), cast.bram: IDLE}, now=LATER)
    say(duel, cast.bram, "After.")
    expected = [
        ("Ada", "during turn 1", "Before."),
        ("Ada", "with turn 1", "En garde!"),
        ("Bram", "during turn 2", "After."),
    ]
    assert shown_messages(duel, cast.cleo) == expected
    context = signed_in(cast.cleo).get(f"/duels/{duel.pk}/words/").context
    assert [run.occasion for run in context["runs"]] == [row[1] for row in expected]
    assert context["runs"][1].first.at == LATER


def test_messages_in_sealed_orders_are_not_shown(duel: Duel, cast: Cast):
    """Promise 1"""
    seal(duel, cast.bram, hands("W", "-", say="abracadabra"))
    for viewer in (cast.ada, cast.cleo, None):
        for path in ("", "words/"):
            answer = signed_in(viewer).get(f"/duels/{duel.pk}/{path}")
            assert "abracadabra" not in answer.content.decode()


def test_messages_written_after_the_end_are_marked(duel: Duel, cast: Cast):
    """F94"""
    say(duel, cast.ada, "Farewell.")
    endings.resign(duel_id=duel.pk, wizard=cast.ada, now=LATER)
    signed_in(cast.bram).post(f"/duels/{duel.pk}/say", {"words": "Come back."})
    assert shown_messages(duel, None) == [
        ("Ada", "during turn 1", "Farewell."),
        ("Bram", "after the end", "Come back."),
    ]


def test_older_messages_are_on_a_page_of_their_own(duel: Duel, cast: Cast):
    for number in range(45):
        say(duel, cast.ada, f"line {number}", seconds=number * 90)
    assert len(shown_messages(duel, cast.bram)) == 40
    text = page(duel, cast.bram)
    assert f'href="/duels/{duel.pk}/words/"' in text
    assert "line 4<" not in text
    whole = signed_in(cast.bram).get(f"/duels/{duel.pk}/words/").content.decode()
    assert "line 4<" in whole
    assert "line 44<" in whole


def test_challenge_does_not_have_a_message_page(cast: Cast):
    duel = challenge(cast.ada, cast.bram)
    assert signed_in(cast.ada).get(f"/duels/{duel.pk}/words/").status_code == 404


def test_new_messages_are_marked_until_they_are_read(duel: Duel, cast: Cast):
    first = say(duel, cast.bram, "First.")
    Seat.objects.filter(duel=duel, wizard=cast.ada).update(read_speech=first.pk)
    say(duel, cast.bram, "Second.")
    say(duel, cast.ada, "My own.")

    def new_messages(viewer: Wizard | None) -> list[str]:
        runs = signed_in(viewer).get(f"/duels/{duel.pk}/").context["talk"].runs
        return [line.words for run in runs for line, _ in run.lines if line.is_new]

    assert new_messages(cast.ada) == ["Second."]
    assert ">Chat (1 new)</a>" in signed_in(cast.ada).get(f"/duels/{duel.pk}/").content.decode()
    assert new_messages(cast.bram) == ["My own."]
    assert new_messages(None) == []


# Muting and blocking on pages


def test_muting_affects_only_one_reader(duel: Duel, cast: Cast):
    say(duel, cast.bram, "Nonsense.")
    play(duel, {cast.ada: IDLE, cast.bram: hands("W", "-", say="Drivel!")})
    ada = signed_in(cast.ada)
    for _ in range(2):
        answer = ada.post("/wizards/bram/mute", {"duel": duel.pk})
        assert answer.headers["Location"] == f"/duels/{duel.pk}/#talk"
    text = page(duel, cast.ada)
    assert "Nonsense." not in text
    assert "Drivel!" not in text
    assert shown_messages(duel, cast.ada) == [
        ("Bram", "during turn 1", "muted"),
        ("Bram", "with turn 1", "muted"),
    ]
    kept = speeches.messages_on_page(pages.duel_page(duel, cast.ada), cast.ada).said
    assert [each.words for each in kept] == ["", ""]  # the message itself is not on the page
    assert "Drivel!" not in ada.get(f"/duels/{duel.pk}/words/").content.decode()
    assert "Drivel!" not in ada.get(f"/duels/{duel.pk}/turns/1/").content.decode()
    for viewer in (cast.bram, cast.cleo, None):
        assert "Nonsense." in page(duel, viewer)
        assert "muted" not in page(duel, viewer).lower()
    ada.post("/wizards/bram/unmute", {"duel": duel.pk})
    assert "Nonsense." in page(duel, cast.ada)


def test_messages_of_a_blocked_wizard_are_omitted(duel: Duel, cast: Cast):
    say(duel, cast.bram, "Nonsense.")
    speaking.mute(wizard=cast.ada, other=cast.bram, now=NOW)
    profiles.block(wizard=cast.ada, other=cast.bram, now=NOW)
    assert shown_messages(duel, cast.ada) == []
    assert "Nonsense." in page(duel, cast.cleo)


def test_signed_in_spectator_can_mute_wizards_but_a_visitor_cannot(duel: Duel, cast: Cast):
    say(duel, cast.bram)
    assert "/wizards/bram/mute" in page(duel, cast.cleo)
    assert "/wizards/bram/mute" not in page(duel, None)
    assert "/wizards/bram/mute" not in page(duel, cast.bram)
    assert signed_in(None).post("/wizards/bram/mute").status_code == 302
    assert not Mute.objects.exists()


def test_wizard_can_be_muted_and_unmuted_on_their_page(cast: Cast):
    ada = signed_in(cast.ada)
    assert 'action="/wizards/bram/mute"' in ada.get("/wizards/bram/").content.decode()
    assert ada.post("/wizards/bram/mute").headers["Location"] == "/wizards/bram/"
    assert 'action="/wizards/bram/unmute"' in ada.get("/wizards/bram/").content.decode()
    assert ada.post("/wizards/bram/unmute").headers["Location"] == "/wizards/bram/"
    assert "Mute" not in ada.get("/wizards/ada/").content.decode()
    assert ada.post("/wizards/ada/mute").status_code == 409
    assert ada.post("/wizards/nobody/mute").status_code == 404


@pytest.mark.parametrize("duel_id", ["404", "x", "-1", "9" * 30, "\u0663"])
def test_muting_redirects_only_to_visible_duels(cast: Cast, duel_id: str):
    begin(cast.cleo, cast.dorn, visibility="private")
    answer = signed_in(cast.ada).post("/wizards/bram/mute", {"duel": duel_id})
    assert answer.headers["Location"] == "/wizards/bram/"


def test_reports_in_emails_omit_messages_of_muted_wizards(duel: Duel, cast: Cast):
    speaking.mute(wizard=cast.ada, other=cast.bram, now=NOW)
    play(duel, {cast.ada: IDLE, cast.bram: hands("W", "-", say="Drivel!")})
    turn = open_turn(duel)
    assert "Drivel!" not in str(stories.story_for_reader(duel, cast.ada, turn).reports)
    assert "Drivel!" in str(stories.story_for_reader(duel, cast.bram, turn).reports)


# Cost


def test_queries_of_the_duel_page_do_not_depend_on_the_number_of_messages(duel: Duel, cast: Cast):
    client = signed_in(cast.ada)
    client.get(f"/duels/{duel.pk}/")  # the first request caches the played turns
    costs = []
    for number in range(3):
        for wizard in (cast.ada, cast.bram):
            say(duel, wizard, f"{number}", seconds=number * 120)
        with CaptureQueriesContext(connection) as captured:
            client.get(f"/duels/{duel.pk}/")
        costs.append(len(captured))
        speaking.send_message(duel_id=duel.pk, wizard=cast.bram, words="And more.", now=LATER)
    assert len(set(costs)) == 1


def test_admin_shows_messages_read_only(duel: Duel, cast: Cast):
    speech = say(duel, cast.bram, "Well met.")
    speaking.mute(wizard=cast.ada, other=cast.bram, now=NOW)
    client = Client()
    sign_in_with_second_factor(client, User.objects.create_superuser("root@example.org", "x"))
    assert "Well met." in client.get("/admin/duels/speech/").content.decode()
    assert client.get(f"/admin/duels/speech/{speech.pk}/change/").status_code == 200
    assert client.post(f"/admin/duels/speech/{speech.pk}/delete/").status_code == 403
    assert client.get("/admin/duels/speech/add/").status_code == 403
    assert "Bram" in client.get("/admin/duels/mute/").content.decode()


def test_time_of_a_message_is_shown_again_after_a_while(duel: Duel, cast: Cast):
    for seconds in (0, 60, 3600, 3660):
        say(duel, cast.ada, f"after {seconds}", seconds=seconds)
    (run,) = signed_in(None).get(f"/duels/{duel.pk}/").context["talk"].runs
    assert run.first.at == NOW
    assert [later for _, later in run.lines] == [None, None, NOW + timedelta(hours=1), None]


def test_page_of_a_duel_without_messages_runs_no_query_for_them(duel: Duel, ada: Wizard):
    found = pages.duel_page(duel, ada)
    with CaptureQueriesContext(connection) as captured:
        speeches.messages_on_page(found, ada)
    assert found.last_speech == 0
    assert len(captured) == 0
