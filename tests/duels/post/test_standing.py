"""The current state in emails: beings, effects in force, and spells that each hand can complete."""

import re
from datetime import timedelta
from unittest import mock

import pytest
from django.core.mail import EmailMultiAlternatives
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks

import engine.play
from duels.commands import profiles, resolution
from duels.delivery.wrapping import LINE_WIDTH, wrap_long_lines
from duels.loaded import adjudication
from duels.models import Turn
from duels.post import contexts, emails
from duels.post.models import Notice
from tests import daily
from tests.cast import NOW, Cast, begin, hands, open_turn, play, seal
from tests.states import STATES, People, State

pytestmark = pytest.mark.django_db

SECTION_TITLES = (
    "Wizards and effects",
    "Spells your hands can complete",
    "Spells your opponents may complete",
)


def turn_mail(state: State) -> EmailMultiAlternatives:
    """Return the email that the state's viewer gets about the open turn."""
    assert state.viewer is not None
    turn = Turn.objects.filter(duel=state.duel).latest("ordinal")
    notice = Notice(
        kind="your_turn",
        wizard=state.viewer,
        duel=state.duel,
        turn=turn,
        created_at=turn.opened_at,
        key="looked at",
        pk=1,
    )
    notice.the_duel.refresh_from_db()
    message = emails.email_for([notice])
    assert message
    return message


def turn_email_text(name: str) -> str:
    return str(turn_mail(STATES[name](People())).body)


def section_lines(body: str, title: str) -> list[str]:
    """Return the lines between this title and the next one."""
    lines = body.split("\n")
    found = lines[lines.index(title) + 2 :]
    return found[: next(n for n, line in enumerate(found) if line and line[0] != " ")]


def page_html(message: EmailMultiAlternatives) -> str:
    ((content, _),) = message.alternatives
    return str(content)


def test_email_lists_beings_and_durations_of_effects():
    lines = section_lines(turn_email_text("every_effect"), SECTION_TITLES[0])
    assert lines[:4] == [
        "  You         9 of 15 damage",
        "      Delayed Effect: 3 more turns",
        "      Disease: kills in 4 turns",
        "      Invisibility: 2 more turns",
    ]
    assert "      banked: Fireball" in lines
    assert "    Red Ogre  0 of 2 damage" in lines
    assert "      Haste: permanent" in lines


def test_email_shows_hit_points_as_the_reader_prefers():
    state = STATES["every_effect"](People())
    assert state.viewer
    profiles.set_reading_preferences(wizard=state.viewer, typed={"points": "left"})
    state.viewer.refresh_from_db()
    message = turn_mail(state)
    assert "  You         6 of 15 hit points left" in section_lines(
        str(message.body), SECTION_TITLES[0]
    )
    assert "6 of 15 hit points left" in page_html(message)


def test_email_to_a_blind_wizard_shows_only_their_own_wounds():
    lines = section_lines(turn_email_text("blind"), SECTION_TITLES[0])
    assert "  Bram          damage not seen" in lines
    assert "  Red Goblin    not seen" in lines
    assert section_lines(turn_email_text("blind"), SECTION_TITLES[2])[:3] == [
        "  Bram",
        "    this turn  not seen: anything is possible",
        "    next turn  not seen: anything is possible",
    ]


def test_email_lists_the_spells_that_each_gesture_completes():
    lines = section_lines(turn_email_text("every_effect"), SECTION_TITLES[1])
    left = lines.index("  left hand, so far W P F")
    assert lines[left : left + 6] == [
        "  left hand, so far W P F",
        "    this turn",
        "      P    Shield",
        "      D    Cause Heavy Wounds",
        "    next turn",
        "      F F  Paralysis",
    ]
    assert "      D    Missile" in lines[lines.index("  right hand, so far C D S") :]


def test_email_lists_a_two_handed_spell_for_both_hands():
    assert "      w s  Invisibility" in section_lines(
        turn_email_text("eight_wizards"), SECTION_TITLES[1]
    )


def test_email_hints_use_only_gestures_that_the_reader_has_seen():
    duel_of_eight = section_lines(turn_email_text("eight_wizards"), SECTION_TITLES[2])
    assert "    this turn  Anti-spell (left, F); Fear (right, D)" in duel_of_eight
    assert not any(line == "  Ada" for line in duel_of_eight)


def test_email_has_no_hints_for_gestures_that_a_hand_cannot_make():
    """For a forced hand, only the forced gesture is listed."""
    state = STATES["forced"](People())
    position = adjudication.position_after_departures(open_turn(state.duel))
    assert state.viewer
    code = state.duel.seats.get(wizard=state.viewer).code
    for hand in adjudication.hints_for_free_hand(position, code):
        sheet = next(
            part for part in engine.play.sheet(position, code).sets if part.number == hand.set
        )
        options = (sheet.left if hand.hand == "L" else sheet.right).gestures
        assert [hint.letter for hint in hand.gestures] == [
            option.letter for option in options if option.allowed
        ]
        assert len(hand.gestures) < 8


def test_email_is_sent_even_if_its_hints_cannot_be_computed(caplog: pytest.LogCaptureFixture):
    with mock.patch("engine.play.hints", side_effect=RuntimeError("abracadabra")):
        body = turn_email_text("every_effect")
    assert SECTION_TITLES[0] in body
    assert SECTION_TITLES[1] not in body
    assert SECTION_TITLES[2] not in body
    assert "Advice failed in turn" in caplog.text


def test_emails_are_not_written_while_a_turn_is_resolved(
    cast: Cast, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
):
    """Promise 12: writing an email may delay its sending, but not the turn."""
    duel = begin(cast.ada, cast.bram)
    for wizard in (cast.ada, cast.bram):
        seal(duel, wizard, hands("S", "W"))
    with (
        mock.patch.object(emails, "email_for", side_effect=RuntimeError) as message,
        mock.patch("engine.play.hints", side_effect=RuntimeError) as hints,
        django_capture_on_commit_callbacks(execute=False),
    ):
        assert resolution.resolve_turn(turn_id=open_turn(duel).pk)
    assert not message.called
    assert not hints.called
    assert Notice.objects.filter(kind="your_turn").count() == 2


def test_email_about_questions_has_no_empty_section(cast: Cast):
    duel = begin(cast.ada, cast.bram)
    for letter in "WDW":
        play(duel, {cast.ada: hands("F", letter), cast.bram: hands("-", "-")})
    notice = Notice.objects.filter(kind="question").latest("pk")
    message = emails.email_for([notice])
    assert message
    assert SECTION_TITLES[0] in message.body
    assert "Nothing but gestures" not in message.body
    assert "Turn 3\n" not in message.body


def test_email_says_if_only_gestures_were_made_in_a_turn(cast: Cast):
    duel = begin(cast.ada, cast.bram)
    play(duel, {cast.ada: hands("S", "W"), cast.bram: hands("W", "S")})
    message = turn_mail(State(duel, cast.ada))
    assert "Turn 1\n\n  Nothing but gestures." in message.body
    assert "Nothing but gestures." in page_html(message)


def test_email_does_not_list_hands_if_there_is_nothing_to_decide(cast: Cast):
    duel = begin(cast.ada, cast.bram)
    for left, right in (("D", "W"), ("P", "W"), ("P", "D")):
        play(duel, {cast.ada: hands(left, right), cast.bram: hands("W", "S")})
    body = str(turn_mail(State(duel, cast.bram)).body)
    assert "nothing to decide" in " ".join(body.split())
    assert SECTION_TITLES[0] in body
    assert SECTION_TITLES[1] not in body


def test_lines_of_an_email_are_short_enough_to_be_sent_unencoded():
    parts = turn_mail(STATES["long_duel"](People())).message().walk()
    encodings = [part["Content-Transfer-Encoding"] for part in parts if not part.is_multipart()]
    assert len(encodings) == 2
    assert set(encodings) <= {"7bit", "8bit"}


@pytest.mark.parametrize("name", daily.sample(sorted(STATES), 3, "emails"))
def test_text_of_an_email_fits_a_terminal_and_matches_its_html(name: str):
    state = STATES[name](People())
    if state.viewer is None or state.duel.is_over:
        state = STATES["long_duel"](People())
    message = turn_mail(state)
    body = str(message.body)
    assert max(len(line) for line in body.split("\n") if "://" not in line) <= LINE_WIDTH
    html = page_html(message)
    assert [title in html for title in SECTION_TITLES] == [
        title in body for title in SECTION_TITLES
    ]
    assert not re.search(r"<(script|img|link)|\son[a-z]+=", html)


@pytest.mark.parametrize(
    ("left", "words"),
    [
        (timedelta(days=2, hours=4, minutes=59), "in 2 days, 4 hours"),
        (timedelta(hours=1, seconds=59), "in 1 hour"),
        (timedelta(minutes=5, seconds=59), "in 5 minutes"),
        (timedelta(seconds=42), "in 42 seconds"),
        (timedelta(0), "the time is up"),
        (timedelta(hours=-3), "the time is up"),
    ],
)
def test_emails_and_pages_show_deadlines_in_the_same_way(left: timedelta, words: str):
    with timezone.override("Europe/Dublin"):
        told = contexts.due_words(NOW, NOW - left)
    assert told == f"1 March 2026, 12:00 GMT, {words}"


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("short", ["short"]),
        ("-- ", ["-- "]),
        ("x " * 45 + "x", ["x " * 38 + "x", "x x x x x x x"]),
        ("  " + "x " * 45, ["  " + "x " * 37 + "x", "    " + "x " * 6 + "x"]),
        ("  - " + "x " * 45, ["  - " + "x " * 36 + "x", "    " + "x " * 7 + "x"]),
        ("https://" + "x" * 90, ["https://" + "x" * 90]),
    ],
)
def test_long_lines_of_an_email_are_wrapped_with_an_indent(text: str, lines: list[str]):
    assert wrap_long_lines(text).split("\n") == lines
