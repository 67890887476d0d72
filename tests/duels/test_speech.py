"""Words between turns and after the end: who may say what, how often, and who reads it."""

from datetime import timedelta

import pytest

from duels import commands
from duels.models import Duel, Mute, Speech, Wizard
from tests.cast import LATER, NOW, Cast, begin, challenge, hands, play

IDLE = hands("-", "-")


@pytest.fixture
def duel(ada: Wizard, bram: Wizard) -> Duel:
    return begin(ada, bram)


def say(duel: Duel, wizard: Wizard, words: str = "Well met.", *, seconds: int = 0) -> Speech:
    now = NOW + timedelta(seconds=seconds)
    return commands.say(duel_id=duel.pk, wizard=wizard, words=words, now=now)


# Saying


def test_words_stand_in_the_duel_under_the_turn_that_is_open(duel: Duel, cast: Cast):
    first = say(duel, cast.ada, "Well met.")
    play(duel, {cast.ada: IDLE, cast.bram: IDLE})
    second = say(duel, cast.bram, "A bold opening.")
    assert [(row.wizard, row.ordinal, row.words) for row in Speech.objects.all()] == [
        (cast.ada, 1, "Well met."),
        (cast.bram, 2, "A bold opening."),
    ]
    assert (first.said_at, second.duel) == (NOW, duel)


def test_one_may_speak_after_the_end_and_when_one_is_out(cast: Cast):
    """F94"""
    duel = begin(cast.ada, cast.bram, cast.cleo)
    commands.resign(duel_id=duel.pk, wizard=cast.ada, now=NOW)
    say(duel, cast.ada, "I had to go.")
    commands.resign(duel_id=duel.pk, wizard=cast.bram, now=NOW)
    assert say(duel, cast.bram, "So had I.").ordinal == 1
    assert Speech.objects.count() == 2


def test_only_wizards_of_the_duel_speak_in_it(duel: Duel, cast: Cast):
    for stranger in (cast.cleo, cast.dorn):
        with pytest.raises(commands.Refused) as refused:
            say(duel, stranger)
        assert refused.value.code == "not_your_duel"
    assert not Speech.objects.exists()


def test_nobody_speaks_before_the_duel_begins(cast: Cast):
    gathering = challenge(cast.ada, cast.bram)
    with pytest.raises(commands.Refused) as refused:
        say(gathering, cast.ada)
    assert refused.value.code == "not_begun"
    with pytest.raises(commands.Refused):
        commands.say(duel_id=404, wizard=cast.ada, words="Anybody?", now=NOW)


@pytest.mark.parametrize("kind", ["guest", "practice"])
def test_guests_and_the_practice_opponent_hear_nothing(duel: Duel, cast: Cast, kind: str):
    other = Wizard.objects.filter(pk=cast.bram.pk)
    kept = {"guest_key": "x", "kept_until": LATER} if kind == "guest" else {}
    other.update(user=None, kind=kind, **kept)
    for wizard in (cast.ada, other.get()):
        with pytest.raises(commands.Refused) as refused:
            say(duel, wizard)
        assert refused.value.code == "nobody_listens"


def test_a_second_click_says_nothing_twice(duel: Duel, ada: Wizard):
    once = say(duel, ada, "Hm.")
    assert say(duel, ada, "Hm.", seconds=3) == once
    assert say(duel, ada, "Hm!", seconds=4) != once
    assert say(duel, ada, "Hm.", seconds=30) != once
    assert Speech.objects.count() == 3


@pytest.mark.parametrize(
    ("words", "stands"),
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
def test_what_stands_of_what_was_typed(duel: Duel, ada: Wizard, words: str, stands: str):
    speech = say(duel, ada, words)
    speech.refresh_from_db()
    assert speech.words == stands


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
def test_what_cannot_be_said(duel: Duel, ada: Wizard, words: str, code: str):
    with pytest.raises(commands.Refused) as refused:
        say(duel, ada, words)
    assert (refused.value.code, refused.value.field) == (code, "words")
    assert not Speech.objects.exists()


def test_ten_speeches_a_minute_in_all_duels_together(duel: Duel, cast: Cast):
    other = begin(cast.ada, cast.cleo)
    for number in range(10):
        say((duel, other)[number % 2], cast.ada, f"line {number}", seconds=number)
    with pytest.raises(commands.Refused) as refused:
        say(duel, cast.ada, "one more", seconds=10)
    assert refused.value.code == "too_many_words"
    say(duel, cast.bram, "My turn.", seconds=10)
    say(duel, cast.ada, "one more", seconds=60)
    assert Speech.objects.filter(wizard=cast.ada).count() == 11


def test_sixty_speeches_an_hour(duel: Duel, ada: Wizard):
    for number in range(60):
        say(duel, ada, f"line {number}", seconds=number * 30)
    with pytest.raises(commands.Refused) as refused:
        say(duel, ada, "one more", seconds=1830)
    assert refused.value.code == "too_many_words"
    say(duel, ada, "one more", seconds=3600)


# Muting


def test_a_wizard_is_muted_and_heard_again(cast: Cast):
    for _ in range(2):
        made = commands.mute(wizard=cast.ada, other=cast.bram, now=NOW)
    assert list(Mute.objects.all()) == [made]
    assert str(made) == "Ada mutes Bram"
    for _ in range(2):
        commands.unmute(wizard=cast.ada, other=cast.bram)
    assert not Mute.objects.exists()


def test_nobody_mutes_himself(ada: Wizard):
    with pytest.raises(commands.Refused) as refused:
        commands.mute(wizard=ada, other=ada, now=NOW)
    assert refused.value.code == "own_mute"


def test_what_is_left_of_the_words_of_one_who_goes(duel: Duel, cast: Cast):
    say(duel, cast.bram, "Farewell, says Bram.")
    commands.mute(wizard=cast.bram, other=cast.ada, now=NOW)
    commands.mute(wizard=cast.ada, other=cast.bram, now=NOW)
    assert cast.bram.user
    commands.close_account(user=cast.bram.user, now=LATER)
    (speech,) = Speech.objects.select_related("wizard")
    assert speech.wizard.name == f"Departed {cast.bram.pk}"
    assert speech.words == "Farewell, says Bram."
    assert [(row.wizard, row.muted_id) for row in Mute.objects.all()] == [(cast.ada, cast.bram.pk)]
