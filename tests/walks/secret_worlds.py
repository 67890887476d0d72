"""Pairs of worlds that differ in one secret, and the observers who must not know it.

A duel is created once. Then each of the secret's two alternatives happens, is observed, and is
undone. Both worlds share the same rows for everything else, including sessions.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import engine.play
from duels.commands import sealing, speaking
from duels.commands.profiles import set_reading_preferences
from duels.loaded import adjudication
from duels.messages.commands import send_message
from duels.models import Duel, Seat, Turn, TurnKind
from duels.post.public import EmailTiming, set_mail_choice
from tests.cast import CAST_PRONOUNS, NOW, Cast, begin, hands, open_turn, play, seal

IDLE = hands("-", "-")
Event = Callable[[Cast, Duel], None]
PositionChange = Callable[[Any], None]

ADA, BRAM, CLEO, DORN, VISITOR, OPERATOR = "Ada", "Bram", "Cleo", "Dorn", "visitor", "operator"
OUTSIDERS = (CLEO, VISITOR)  # Dorn has the same access as Cleo, so he observes only one secret


@dataclass(frozen=True)
class Secret:
    """A secret.

    `shared` creates the duel, and one of `either` happens. The observers in `kept_from` must not
    see which of them happened, but `owner` must see it on some page of the duel. If `whole`,
    everyone requests every address on the site and sends every form on the duel's pages. Otherwise
    observers request the addresses of the duel, of its wizards and of lists, and the duel's two
    players send some forms.
    """

    name: str
    shared: Callable[[Cast], Duel]
    either: tuple[Event, Event]
    kept_from: tuple[str, ...]
    owner: str
    whole: bool = False


def _seal_and_draft(first: Mapping[str, str], drafted: Mapping[str, str]) -> Event:
    """Return a function that lets Bram seal, and then save a different draft."""

    def seal_and_save_draft(cast: Cast, duel: Duel) -> None:
        seal(duel, cast.bram, first)
        sealing.save_draft(turn_id=open_turn(duel).pk, wizard=cast.bram, fields=drafted, now=NOW)

    return seal_and_save_draft


def _play_gestures(wizard: str, *sets: tuple[str, str]) -> Event:
    """Return a function that lets a wizard make these gestures, and resolves the turns."""

    def play_sets(cast: Cast, duel: Duel) -> None:
        by_name = {name: getattr(cast, name.lower()) for name in CAST_PRONOUNS}
        for pair in sets:
            turn = open_turn(duel)
            awaited = Seat.objects.filter(duel=duel, awaited=True).select_related("wizard")
            orders = {
                seat.wizard: hands(*pair) if seat.wizard == by_name[wizard] else IDLE
                for seat in awaited
            }
            played = play(duel, orders)
            assert played.pk == turn.pk
            assert not played.is_open

    return play_sets


def _seal_with_chance(chance: str) -> Event:
    """Return a function that lets Bram seal with these random bytes ("" without JavaScript).

    Bram seals in a turn that is then resolved, and in the next one.
    """

    def seal_twice(cast: Cast, duel: Duel) -> None:
        seal(duel, cast.bram, IDLE, chance=chance)
        play(duel, {cast.ada: IDLE})
        seal(duel, cast.bram, IDLE, chance=chance)

    return seal_twice


def _answer_question(answer: str) -> Event:
    """Return a function that lets Bram choose which of Ada's hands is paralysed."""

    def choose_hand(cast: Cast, duel: Duel) -> None:
        turn = open_turn(duel)
        (question,) = [each for each in turn.questions if each["wizard"] == "w1"]
        sealing.answer_questions(
            turn_id=turn.pk,
            wizard=cast.bram,
            answers={question["id"]: answer},
            form_seal="",
            batch=1,
            now=NOW,
        )

    return choose_hand


def _bank_spell(spell: str) -> Event:
    """Return a function that puts this spell into Bram's bank."""

    def add_to_bank(cast: Cast, duel: Duel) -> None:
        _change_position(duel, lambda position: setattr(position.wizard("w1"), "bank", spell))
        view = engine.play.view(
            engine.play.History((), adjudication.position_after_departures(open_turn(duel))), "w1"
        )
        assert spell in repr(view.status), "Bram sees it"

    return add_to_bank


def _change_position(duel: Duel, change: PositionChange) -> None:
    """Change the position at the beginning of the open turn."""
    turn = open_turn(duel)
    position = adjudication.position_after_departures(turn).copy()
    change(position)
    Turn.objects.filter(pk=turn.pk).update(
        position=engine.play.dump(position), kind=TurnKind(position.kind), number=position.turn
    )


def _set_up(setup: Mapping[str, Any], ruleset: str = "bartle-1") -> Callable[[Cast], Duel]:
    """Return a function that begins a duel between Ada and Bram from this setup."""

    def begin_from_setup(cast: Cast) -> Duel:
        duel = begin(cast.ada, cast.bram, ruleset=ruleset)
        wizards = [engine.play.Duellist(each.name, each.pronouns) for each in (cast.ada, cast.bram)]
        position = engine.play.begin(ruleset, wizards, setup={"turn": 5, **setup})
        Duel.objects.filter(pk=duel.pk).update(setup=dict(setup))
        Turn.objects.filter(duel=duel).update(position=engine.play.dump(position), number=5)
        return duel

    return begin_from_setup


def _begin_duel(ruleset: str, visibility: str = "public") -> Callable[[Cast], Duel]:
    """Return a function that begins a duel and plays two turns."""

    def begin_and_play(cast: Cast) -> Duel:
        duel = begin(cast.ada, cast.bram, ruleset=ruleset, visibility=visibility)
        for letter in "WF":
            play(duel, {cast.ada: hands("D", letter), cast.bram: hands("F", letter)})
        return duel

    return begin_and_play


def _ask_both(cast: Cast) -> Duel:
    """Play a duel until both wizards have cast Paralysis, and each must choose a hand."""
    duel = begin(cast.ada, cast.bram)
    for letter in "WDW":
        play(duel, {cast.ada: hands("F", letter), cast.bram: hands("F", letter)})
    assert open_turn(duel).stage == "answers"
    return duel


def _begin_extra_turn(ruleset: str) -> Callable[[Cast], Duel]:
    """Return a function that begins a duel with an extra turn, in which only Bram acts."""
    histories = [{"left": "-", "right": "-"}, {"left": "WW", "right": "--"}]
    set_up = _set_up({"wizards": histories}, ruleset)

    def stop_time(position: Any) -> None:
        position.kind, position.stopped = "extra", ("w1",)

    def begin_and_stop(cast: Cast) -> Duel:
        duel = set_up(cast)
        _change_position(duel, stop_time)
        Seat.objects.filter(duel=duel, wizard=cast.ada).update(awaited=False, awaited_since=None)
        return duel

    return begin_and_stop


def _make_private_choices(when: EmailTiming, muted: str, *, drafts: bool) -> Event:
    """Return a function that makes Bram's private choices: emails, a muted wizard, a draft."""

    def choose(cast: Cast, duel: Duel) -> None:
        set_mail_choice(
            wizard=cast.bram, now=NOW, when=when, hour=9, though_here=drafts, words=drafts
        )
        speaking.mute(wizard=cast.bram, other=getattr(cast, muted), now=NOW)
        set_reading_preferences(wizard=cast.bram, typed={"scheme": "dark" if drafts else "light"})
        if drafts:
            sealing.save_draft(
                turn_id=open_turn(duel).pk, wizard=cast.bram, fields=hands("W", "W"), now=NOW
            )

    return choose


def _do_each(*happenings: Event) -> Event:
    """Return a function that calls these in order, so that one check covers several secrets."""

    def do_all(cast: Cast, duel: Duel) -> None:
        for each in happenings:
            each(cast, duel)

    return do_all


def _write_messages(words: str, *sets: tuple[str, str]) -> Event:
    """Return a function that lets Ada write messages (one private), and Bram play."""
    play_them = _play_gestures(BRAM, *sets)

    def write_and_play(cast: Cast, duel: Duel) -> None:
        speaking.send_message(duel_id=duel.pk, wizard=cast.ada, words=words, now=NOW)
        send_message(author=cast.ada, reader=cast.bram, words=words, now=NOW)
        play_them(cast, duel)

    return write_and_play


SEALED_ORDERS = (
    _seal_and_draft(hands("W", "P", right_subject="w0", say="abracadabra"), hands("D", "D")),
    _seal_and_draft(hands("S", "-"), hands("P", "P", say="sesame")),
)
FOGGED_ROWS = (("W", "F"), ("F", "W")), (("F", "S"), ("S", "F"))
BLINDNESS_SETUP = {"wizards": [{"effects": {"blindness": {"turns": 4}}}, {}]}
INVISIBILITY_SETUP = {"wizards": [{}, {"effects": {"invisibility": {"turns": 4}}}]}

SECRETS: tuple[Secret, ...] = (
    Secret(
        "sealed orders",
        _begin_duel("bartle-1"),
        SEALED_ORDERS,
        (ADA, DORN, VISITOR, OPERATOR),
        BRAM,
        True,
    ),
    Secret(
        "sealed orders in spellcast",
        _begin_duel("spellcast-1"),
        SEALED_ORDERS,
        (ADA, VISITOR),
        BRAM,
    ),
    Secret(
        "browser scripts, private settings and a banked spell",
        _begin_duel("bartle-1"),
        (
            _do_each(
                _make_private_choices(EmailTiming.EVERY, "ada", drafts=True),
                _seal_with_chance("0f" * 16),
                _bank_spell("fireball"),
            ),
            _do_each(
                _make_private_choices(EmailTiming.OFF, "cleo", drafts=False),
                _seal_with_chance(""),
                _bank_spell("lightning_bolt"),
            ),
        ),
        (ADA, *OUTSIDERS),
        BRAM,
    ),
    Secret(
        "sealed answers",
        _ask_both,
        (_answer_question("L"), _answer_question("R")),
        (ADA, *OUTSIDERS),
        BRAM,
    ),
    Secret(
        "gestures hidden by blindness",
        _set_up(BLINDNESS_SETUP),
        (_play_gestures(BRAM, *FOGGED_ROWS[0]), _play_gestures(BRAM, *FOGGED_ROWS[1])),
        (ADA, *OUTSIDERS),
        BRAM,
    ),
    Secret(
        "gestures of an invisible wizard in bartle",
        _set_up(INVISIBILITY_SETUP),
        (_play_gestures(BRAM, *FOGGED_ROWS[0]), _play_gestures(BRAM, *FOGGED_ROWS[1])),
        (ADA, VISITOR),
        BRAM,
    ),
    Secret(
        "gestures and orders of an invisible wizard in wizards",
        _set_up(INVISIBILITY_SETUP, "wizards-1"),
        (
            _do_each(_play_gestures(BRAM, *FOGGED_ROWS[0]), SEALED_ORDERS[0]),
            _do_each(_play_gestures(BRAM, *FOGGED_ROWS[1]), SEALED_ORDERS[1]),
        ),
        (ADA, VISITOR),
        BRAM,
    ),
    Secret(
        "gestures in a time stop in bartle",
        _begin_extra_turn("bartle-1"),
        (_play_gestures(BRAM, ("D", "W")), _play_gestures(BRAM, ("S", "F"))),
        (ADA, VISITOR),
        BRAM,
    ),
    Secret(
        "gestures in a time stop and orders after it in archmage",
        _begin_extra_turn("archmage-1"),
        (
            _do_each(_play_gestures(BRAM, ("D", "W")), SEALED_ORDERS[0]),
            _do_each(_play_gestures(BRAM, ("S", "F")), SEALED_ORDERS[1]),
        ),
        (ADA, VISITOR),
        BRAM,
    ),
    Secret(
        "messages and gestures in a private duel",
        _begin_duel("bartle-1", "private"),
        (_write_messages("Well met.", ("W", "D")), _write_messages("Have at you!", ("S", "S"))),
        OUTSIDERS,
        BRAM,
    ),
)
