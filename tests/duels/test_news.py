"""News since the last visit: how it is shown, and when it is marked as read."""

import re

import pytest
from django.test import Client

import engine.orders
import engine.play
import engine.words
from duels.commands import endings, profiles, read_marks, speaking
from duels.models import Duel, Seat
from duels.screens.parts.reports import (
    MAX_OPEN_REPORTS,
    ReportLine,
    Story,
    TurnStory,
    fit_to_screen,
    report_story,
)
from engine.words import Line, TurnReport
from tests.cast import LATER, NOW, Cast, begin, hands, play, seal, seat, signed_in
from tests.duels.test_views_states import set_up

IDLE_HANDS = hands("-", "-")


def turn_report(ordinal: int, *lines: Line) -> TurnReport:
    return TurnReport(ordinal, ordinal, "normal", lines, f"turn {ordinal}")


def make_story(*reports: TurnReport, observer: str = "w0", read: int | None = None) -> Story:
    return report_story(reports, observer, read, "/turns/", 0)


def page(client: Client, duel: Duel) -> str:
    return client.get(f"/duels/{duel.pk}/").content.decode()


def shown_turns(html: str) -> list[tuple[str, bool]]:
    """Return the turns reported on a page and whether they are marked as new."""
    found = re.findall(r'<div class="told( new)?[^"]*" data-told="(\d+)"[^>]*>', html)
    return [(ordinal, bool(new)) for new, ordinal in found]


def begin_and_play(cast: Cast, turns: int) -> Duel:
    duel = begin(cast.ada, cast.bram)
    for _ in range(turns):
        play(duel, {cast.ada: IDLE_HANDS, cast.bram: IDLE_HANDS})
    return duel


# Reports


def test_latest_reports_are_unfolded_and_the_newest_is_last():
    found = make_story(*(turn_report(ordinal) for ordinal in range(1, 9)))
    assert [each.ordinal for each in found.open] == [4, 5, 6, 7, 8]
    assert [each.ordinal for each in found.folded] == [1, 2, 3]
    assert len(found.open) == MAX_OPEN_REPORTS


def test_unread_reports_are_marked_as_new():
    found = make_story(turn_report(3), turn_report(4), read=3)
    assert [each.is_new for each in found.open] == [False, True]
    assert not any(each.is_new for each in make_story(turn_report(3), turn_report(4)).open)


def test_only_report_lines_about_your_own_wounds_are_marked():
    hit = Line("hit", "Bram’s Missile hits you.", "spell:missile", "w1", "w0")
    lines = (hit, Line("hit", "Your Missile hits Bram.", "spell:missile", "w0", "w1"))
    (only,) = make_story(turn_report(1, *lines)).open
    assert [line.is_hurt for line in only.lines] == [True, False]
    (spectators,) = make_story(turn_report(1, *lines), observer="spectator").open
    assert not any(line.is_hurt for line in spectators.lines)


@pytest.mark.parametrize(
    ("line", "sign"),
    [
        (Line("cast", "", "spell:missile", "w0"), "missile"),
        (Line("hit", "", "turn:stab", "w0"), "stab"),
        (Line("hit", "", "turn:victims", "m0"), "attack"),
        (Line("wounded", "", "turn:damage", ""), "wound"),
        (Line("spoke", "", "turn:reveal", "w0"), "talk"),
        (Line("knife_kept", "", "R16", "w0"), ""),
    ],
)
def test_report_line_has_the_icon_of_its_event(line: Line, sign: str):
    assert make_story(turn_report(1, line)).open[0].lines[0].sign == sign


def test_report_line_has_the_code_of_its_subject():
    wizards = [engine.play.Duellist("Ada", "she"), engine.play.Duellist("Bram", "he")]
    position = engine.play.begin(
        "bartle-1", wizards, setup={"wizards": [{"left": "S", "right": "-"}, {}]}
    )
    orders = {
        "w0": engine.orders.from_fields(hands("D", "-", left_subject="w1")),
        "w1": engine.orders.from_fields(IDLE_HANDS),
    }
    after, events = engine.play.resolve(position, orders, {}, engine.play.NoDice())
    view = engine.play.view(
        engine.play.History((engine.play.Turn(1, position, events),), after), "w1"
    )
    lines = {line.code: line.subject for line in engine.words.narrate(view)[0].lines}
    assert lines["hit"] == lines["wounded"] == "w1"


@pytest.mark.django_db
def test_duel_page_shows_your_own_wounds_in_bold_with_an_icon(cast: Cast):
    duel = begin(cast.ada, cast.bram)
    play(duel, {cast.ada: hands("S", "-"), cast.bram: IDLE_HANDS})
    play(duel, {cast.ada: hands("D", "-", left_subject="w1"), cast.bram: IDLE_HANDS})
    hurt = re.findall(r'<li class="(?:hit|wounded) hurt".*?</li>', page(signed_in(cast.bram), duel))
    assert len(hurt) == 2
    assert all("<strong>" in line and '<i class="sign sign-' in line for line in hurt)
    assert " hurt" not in page(signed_in(cast.ada), duel)


@pytest.mark.django_db
def test_reports_show_hit_points_left_to_readers_who_prefer_them(cast: Cast):
    duel = begin(cast.ada, cast.bram)
    play(duel, {cast.ada: hands("S", "-"), cast.bram: IDLE_HANDS})
    play(duel, {cast.ada: hands("D", "-", left_subject="w1"), cast.bram: IDLE_HANDS})
    profiles.set_reading_preferences(wizard=cast.bram, typed={"points": "left"})
    words = "You have 14 of 15 hit points left."
    turn = signed_in(cast.bram).get(f"/duels/{duel.pk}/turns/2/").content.decode()
    assert words in page(signed_in(cast.bram), duel)
    assert words in turn
    assert "Bram, 14 hit points left" in turn
    assert "Bram has 1 point of damage now." in page(signed_in(cast.ada), duel)


# News


@pytest.mark.django_db
def test_all_turns_since_the_last_visit_are_shown_and_marked(cast: Cast):
    duel = begin_and_play(cast, 4)
    Seat.objects.filter(duel=duel, wizard=cast.ada).update(read_turn=2)
    html = page(signed_in(cast.ada), duel)
    assert shown_turns(html) == [("3", True), ("4", True)]
    assert html.count('<span class="tag news">new</span>') == 2
    assert shown_turns(page(Client(), duel)) == [("4", False)]


@pytest.mark.django_db
def test_news_of_many_turns_is_folded_except_the_newest(cast: Cast):
    duel = begin_and_play(cast, 8)
    Seat.objects.filter(duel=duel, wizard=cast.ada).update(read_turn=0)
    html = page(signed_in(cast.ada), duel)
    assert [ordinal for ordinal, _ in shown_turns(html)] == [str(n) for n in range(1, 9)]
    folded = re.search(r'<details class="earlier-told">.*?</details>', html, re.DOTALL)
    assert folded is not None
    assert "3 more turns before these" in folded[0]
    assert [ordinal for ordinal, _ in shown_turns(folded[0])] == ["1", "2", "3"]
    assert "What happened since your last visit" in html


@pytest.mark.django_db
def test_title_does_not_mention_the_last_visit_if_a_shown_turn_was_read(cast: Cast):
    """rules: W9. The turn before a hasted turn is shown again, although it was read."""
    duel = set_up(cast, {"effects": {"haste": {"turns": 3}}}, {}, ruleset="warlocks-1")
    play(duel, {cast.ada: hands("P", "-"), cast.bram: IDLE_HANDS})
    play(duel, {cast.ada: IDLE_HANDS})
    Seat.objects.filter(duel=duel, wizard=cast.ada).update(read_turn=1)
    html = page(signed_in(cast.ada), duel)
    assert shown_turns(html) == [("1", False), ("2", True)]
    assert "What happened" in html
    assert "since your last visit" not in html


@pytest.mark.django_db
def test_opening_the_page_of_a_duel_does_not_mark_anything_as_read(cast: Cast):
    duel = begin_and_play(cast, 2)
    client = signed_in(cast.ada)
    first = page(client, duel)
    assert ("2", True) in shown_turns(first)
    assert shown_turns(page(client, duel)) == shown_turns(first)
    assert seat(duel, cast.ada).read_turn == 1


@pytest.mark.django_db
def test_reports_marked_as_read_are_no_longer_new(cast: Cast):
    duel = begin_and_play(cast, 2)
    client = signed_in(cast.ada)
    form = re.search(r"<form[^>]*data-mark-read[^>]*>.*?</form>", page(client, duel), re.DOTALL)
    assert form is not None
    typed = dict(re.findall(r'name="(turn|speech)" value="(\d+)"', form[0]))
    assert typed == {"turn": "2", "speech": "0"}
    assert client.post(f"/duels/{duel.pk}/read", typed)["Location"] == f"/duels/{duel.pk}/"
    html = page(client, duel)
    assert shown_turns(html) == [("2", False)]
    assert "data-mark-read" not in html
    assert ("2", True) in shown_turns(
        page(signed_in(cast.bram), duel)
    )  # Bram has not read the report


@pytest.mark.django_db
def test_request_by_script_to_mark_as_read_gets_an_empty_response(cast: Cast):
    duel = begin_and_play(cast, 2)
    answer = signed_in(cast.ada).post(f"/duels/{duel.pk}/read", {"turn": "2", "quietly": "yes"})
    assert (answer.status_code, answer.content) == (204, b"")
    assert seat(duel, cast.ada).read_turn == 2


@pytest.mark.django_db
def test_messages_are_marked_as_read_with_the_reports(cast: Cast):
    duel = begin_and_play(cast, 1)
    said = speaking.send_message(duel_id=duel.pk, wizard=cast.bram, words="Well met.", now=LATER)
    read_marks.mark_read(duel_id=duel.pk, wizard=cast.ada, turn=1, speech=said.pk)
    assert seat(duel, cast.ada).read_speech == said.pk
    assert "data-mark-read" not in page(signed_in(cast.ada), duel)


@pytest.mark.django_db
def test_messages_can_be_marked_as_read_even_if_there_are_no_reports(cast: Cast):
    duel = begin(cast.ada, cast.bram)
    speaking.send_message(duel_id=duel.pk, wizard=cast.bram, words="Well met.", now=LATER)
    assert "data-mark-read" in page(signed_in(cast.ada), duel)


@pytest.mark.django_db
def test_only_played_turns_and_messages_of_the_duel_can_be_marked_as_read(cast: Cast):
    duel = begin_and_play(cast, 3)
    other = speaking.send_message(
        duel_id=begin(cast.ada, cast.bram).pk, wizard=cast.bram, words="Elsewhere.", now=LATER
    )
    read_marks.mark_read(duel_id=duel.pk, wizard=cast.ada, turn=99, speech=other.pk)
    assert (seat(duel, cast.ada).read_turn, seat(duel, cast.ada).read_speech) == (3, 0)
    read_marks.mark_read(duel_id=duel.pk, wizard=cast.ada, turn=1, speech=0)
    assert seat(duel, cast.ada).read_turn == 3


@pytest.mark.django_db
@pytest.mark.parametrize("number", ["", "x", "-1", "1e3", "٣", "9" * 40])
def test_marking_as_read_ignores_invalid_numbers(cast: Cast, number: str):
    duel = begin_and_play(cast, 2)
    typed = {"turn": number, "speech": number}
    assert signed_in(cast.ada).post(f"/duels/{duel.pk}/read", typed).status_code == 302
    assert seat(duel, cast.ada).read_turn == 1


@pytest.mark.django_db
def test_only_players_of_a_duel_can_mark_it_as_read(cast: Cast):
    duel = begin_and_play(cast, 2)
    typed = {"turn": "2", "speech": "0"}
    before = [(each.read_turn, each.read_speech) for each in duel.seats.all()]
    assert signed_in(cast.dorn).post(f"/duels/{duel.pk}/read", typed).status_code == 403
    assert Client().post(f"/duels/{duel.pk}/read", typed)["Location"].startswith("/accounts/login/")
    assert Client(enforce_csrf_checks=True).post(f"/duels/{duel.pk}/read", typed).status_code == 403
    assert [(each.read_turn, each.read_speech) for each in duel.seats.all()] == before
    assert "data-mark-read" not in page(signed_in(cast.dorn), duel)


@pytest.mark.django_db
def test_get_request_to_mark_as_read_only_redirects_to_the_duel(cast: Cast):
    duel = begin_and_play(cast, 2)
    assert signed_in(cast.ada).get(f"/duels/{duel.pk}/read")["Location"] == f"/duels/{duel.pk}/"
    assert seat(duel, cast.ada).read_turn == 1


@pytest.mark.django_db
def test_sealing_marks_earlier_reports_as_read(cast: Cast):
    duel = begin_and_play(cast, 2)
    assert seat(duel, cast.ada).read_turn == 1
    seal(duel, cast.ada, IDLE_HANDS, now=NOW)
    assert seat(duel, cast.ada).read_turn == 2
    assert seat(duel, cast.bram).read_turn == 1


def test_lines_of_a_long_report_that_do_not_fit_are_folded() -> None:
    """A long line counts as two lines. A single line that does not fit is still shown."""

    def story_with_lines(count: int, words: str = "It is so.") -> Story:
        lines = tuple(ReportLine("said", words, "", "", is_hurt=False) for _ in range(count))
        return Story((), (TurnStory(4, "", "Turn 4", lines, is_new=True),))

    def folded_line_count(story: Story, beings: int = 2) -> int:
        return fit_to_screen(story, beings).open[0].more

    assert folded_line_count(story_with_lines(12)) == 0
    assert folded_line_count(story_with_lines(13)) == 2
    assert folded_line_count(story_with_lines(13), beings=4) == 4
    assert folded_line_count(story_with_lines(13, "word " * 16)) == 8
    assert folded_line_count(story_with_lines(40), beings=30) == 35


def test_a_short_report_leaves_room_for_rows_of_the_history() -> None:
    def row_count(count: int, beings: int = 2, effects: int = 0) -> int:
        lines = tuple(ReportLine("said", "Yes.", "", "", is_hurt=False) for _ in range(count))
        story = Story((), (TurnStory(4, "", "Turn 4", lines, is_new=True),))
        return fit_to_screen(story, beings, effects).open[0].rows

    assert [row_count(count) for count in (1, 4, 6, 12)] == [8, 6, 5, 2]
    assert (row_count(4, beings=4), row_count(4, beings=4, effects=2), row_count(40)) == (5, 3, 2)
    turn = TurnStory(4, "", "Turn 4", (), is_new=True)
    assert [each.rows for each in fit_to_screen(Story((), (turn, turn)), 2).open] == [0, 0]


def test_long_report_always_shows_casts_wounds_effects_and_results() -> None:
    """These lines are shown in order, however late they come and however little room there is."""
    late = ("cast", "hit", "wounded", "enchanted", "surrendered", "won")
    codes = (*("said",) * 20, *late)
    lines = tuple(ReportLine(code, "It is so.", "", "", is_hurt=False) for code in codes)
    (turn,) = fit_to_screen(Story((), (TurnStory(4, "", "Turn 4", lines, is_new=True),)), 2).open
    assert [line.code for line in turn.lines] == [*codes]
    assert [line.code for line in turn.lines if not line.is_over] == ["said"] * 5 + [*late]
    (crowded,) = fit_to_screen(
        Story((), (TurnStory(4, "", "Turn 4", lines, is_new=True),)), 30
    ).open
    assert [line.code for line in crowded.lines if not line.is_over] == [*late]


@pytest.mark.django_db
def test_finished_duel_shows_who_fell_when_and_how(cast: Cast) -> None:
    duel = begin_and_play(cast, 1)
    play(duel, {cast.ada: hands("P", "P"), cast.bram: IDLE_HANDS})
    bram = page(signed_in(cast.bram), duel)
    assert '<p class="falls">Turn 2. Ada surrenders: both hands make P.</p>' in bram
    assert "Turn 2. You surrender: both hands make P." in page(signed_in(cast.ada), duel)
    resigned = begin(cast.ada, cast.bram)
    endings.resign(duel_id=resigned.pk, wizard=cast.ada, now=NOW)
    assert 'class="falls"' not in page(signed_in(cast.bram), resigned)
