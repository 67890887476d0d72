"""Pairs of worlds that differ in one secret, and who may not know it.

A world is laid out once; then each of the two things that may have happened in secret happens, is
looked at, and is undone. What both share, and everybody's sessions, are the same rows.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import engine
from duels import adjudication, commands
from duels.models import Duel, Seat, Turn, TurnKind
from duels.post.public import When, choose_mails
from tests.cast import CAST, NOW, Cast, begin, hands, open_turn, play, seal

IDLE = hands("-", "-")
Happening = Callable[[Cast, Duel], None]
Position = Callable[[Any], None]

ADA, BRAM, CLEO, DORN, VISITOR, OPERATOR = "Ada", "Bram", "Cleo", "Dorn", "visitor", "operator"
OTHERS = (CLEO, VISITOR)  # Dorn, who is as far from these duels as Cleo, looks at one of them


@dataclass(frozen=True)
class Secret:
    """`shared` lays the duel out; one of `either` happens; `kept_from` may not tell which.

    `owner` sees which, on some page of the duel. If `whole`, everyone requests every address of
    the site and sends every form of the duel. Otherwise they request the addresses of the duel,
    of its wizards and of lists, and its two players send some forms.
    """

    name: str
    shared: Callable[[Cast], Duel]
    either: tuple[Happening, Happening]
    kept_from: tuple[str, ...]
    owner: str
    whole: bool = False


def _sealing(first: Mapping[str, str], drafted: Mapping[str, str]) -> Happening:
    """Bram seals, and drafts something else afterwards."""

    def happens(cast: Cast, duel: Duel) -> None:
        seal(duel, cast.bram, first)
        commands.save_draft(turn_id=open_turn(duel).pk, wizard=cast.bram, fields=drafted, now=NOW)

    return happens


def _playing(wizard: str, *sets: tuple[str, str]) -> Happening:
    """These gestures are made by one wizard in turns that everybody plays to their end."""

    def happens(cast: Cast, duel: Duel) -> None:
        by_name = {name: getattr(cast, name.lower()) for name in CAST}
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

    return happens


def _giving_chance(chance: str) -> Happening:
    """Bram's browser runs scripts, or none, in a turn that is played and in the one after it."""

    def happens(cast: Cast, duel: Duel) -> None:
        seal(duel, cast.bram, IDLE, chance=chance)
        play(duel, {cast.ada: IDLE})
        seal(duel, cast.bram, IDLE, chance=chance)

    return happens


def _answering(answer: str) -> Happening:
    """Bram says which hand of Ada's is paralysed."""

    def happens(cast: Cast, duel: Duel) -> None:
        turn = open_turn(duel)
        (question,) = [each for each in turn.questions if each["wizard"] == "w1"]
        commands.answer_questions(
            turn_id=turn.pk,
            wizard=cast.bram,
            answers={question["id"]: answer},
            form_seal="",
            now=NOW,
        )

    return happens


def _banking(spell: str) -> Happening:
    """Bram's bank holds this spell."""

    def happens(cast: Cast, duel: Duel) -> None:
        _change_position(duel, lambda position: setattr(position.wizard("w1"), "bank", spell))

    return happens


def _change_position(duel: Duel, change: Position) -> None:
    """The open turn begins from a position that is changed so."""
    turn = open_turn(duel)
    position = adjudication.position_of(turn).copy()
    change(position)
    Turn.objects.filter(pk=turn.pk).update(
        position=engine.dump(position), kind=TurnKind(position.kind), number=position.turn
    )


def _set_up(setup: Mapping[str, Any], ruleset: str = "bartle-1") -> Callable[[Cast], Duel]:
    """A duel of Ada and Bram whose first turn begins from this setup."""

    def shared(cast: Cast) -> Duel:
        duel = begin(cast.ada, cast.bram, ruleset=ruleset)
        wizards = [engine.Duellist(each.name, each.pronouns) for each in (cast.ada, cast.bram)]
        position = engine.begin(ruleset, wizards, setup={"turn": 5, **setup})
        Duel.objects.filter(pk=duel.pk).update(setup=dict(setup))
        Turn.objects.filter(duel=duel).update(position=engine.dump(position), number=5)
        return duel

    return shared


def _begun(ruleset: str, visibility: str = "public") -> Callable[[Cast], Duel]:
    """Ada and Bram have played two turns."""

    def shared(cast: Cast) -> Duel:
        duel = begin(cast.ada, cast.bram, ruleset=ruleset, visibility=visibility)
        for letter in "WF":
            play(duel, {cast.ada: hands("D", letter), cast.bram: hands("F", letter)})
        return duel

    return shared


def _both_asked(cast: Cast) -> Duel:
    """Each has paralysed the other, and is asked which hand."""
    duel = begin(cast.ada, cast.bram)
    for letter in "WDW":
        play(duel, {cast.ada: hands("F", letter), cast.bram: hands("F", letter)})
    assert open_turn(duel).stage == "answers"
    return duel


def _time_stopped(ruleset: str) -> Callable[[Cast], Duel]:
    """Bram has an extra turn, in which nobody else acts."""
    histories = [{"left": "-", "right": "-"}, {"left": "WW", "right": "--"}]
    set_up = _set_up({"wizards": histories}, ruleset)

    def stop(position: Any) -> None:
        position.kind, position.stopped = "extra", ("w1",)

    def shared(cast: Cast) -> Duel:
        duel = set_up(cast)
        _change_position(duel, stop)
        Seat.objects.filter(duel=duel, wizard=cast.ada).update(awaited=False, awaited_since=None)
        return duel

    return shared


def _quietly(when: When, muted: str, *, drafts: bool) -> Happening:
    """What Bram keeps to himself: his mails, whom he does not read, and a draft."""

    def happens(cast: Cast, duel: Duel) -> None:
        choose_mails(wizard=cast.bram, now=NOW, when=when, hour=9, though_here=drafts, words=drafts)
        commands.mute(wizard=cast.bram, other=getattr(cast, muted), now=NOW)
        commands.change_reading(wizard=cast.bram, typed={"scheme": "dark" if drafts else "light"})
        if drafts:
            commands.save_draft(
                turn_id=open_turn(duel).pk, wizard=cast.bram, fields=hands("W", "W"), now=NOW
            )

    return happens


def _each(*happenings: Happening) -> Happening:
    """These things happen one after another: a secret of several is kept if each is."""

    def happens(cast: Cast, duel: Duel) -> None:
        for each in happenings:
            each(cast, duel)

    return happens


def _spoken(words: str, *sets: tuple[str, str]) -> Happening:
    """Said and played where only the two can hear it."""
    play_them = _playing(BRAM, *sets)

    def happens(cast: Cast, duel: Duel) -> None:
        commands.say(duel_id=duel.pk, wizard=cast.ada, words=words, now=NOW)
        play_them(cast, duel)

    return happens


SEALED = (
    _sealing(hands("W", "P", right_subject="w0", say="abracadabra"), hands("D", "D")),
    _sealing(hands("S", "-"), hands("P", "P", say="sesame")),
)
FOGGED = (("W", "F"), ("F", "W")), (("F", "S"), ("S", "F"))
BLIND = {"wizards": [{"effects": {"blindness": {"turns": 4}}}, {}]}
UNSEEN = {"wizards": [{}, {"effects": {"invisibility": {"turns": 4}}}]}
WINDOW = {"wizards": [{}, {"left": "W", "right": "S"}]}

SECRETS: tuple[Secret, ...] = (
    Secret(
        "what is sealed", _begun("bartle-1"), SEALED, (ADA, DORN, VISITOR, OPERATOR), BRAM, True
    ),
    Secret("what is sealed in spellcast", _begun("spellcast-1"), SEALED, (ADA, VISITOR), BRAM),
    Secret(
        "whether a browser runs scripts, and what somebody has set for themselves",
        _begun("bartle-1"),
        (
            _each(_quietly(When.EVERY, "ada", drafts=True), _giving_chance("0f" * 16)),
            _each(_quietly(When.OFF, "cleo", drafts=False), _giving_chance("")),
        ),
        (ADA, *OTHERS),
        BRAM,
    ),
    Secret(
        "what is answered",
        _both_asked,
        (_answering("L"), _answering("R")),
        (ADA, *OTHERS),
        BRAM,
    ),
    Secret(
        "what a blind wizard does not see",
        _set_up(BLIND),
        (_playing(BRAM, *FOGGED[0]), _playing(BRAM, *FOGGED[1])),
        (ADA, *OTHERS),
        BRAM,
    ),
    Secret(
        "what an invisible wizard does in bartle",
        _set_up(UNSEEN),
        (_playing(BRAM, *FOGGED[0]), _playing(BRAM, *FOGGED[1])),
        (ADA, VISITOR),
        BRAM,
    ),
    Secret(
        "what an invisible wizard does and seals in wizards",
        _set_up(UNSEEN, "wizards-1"),
        (
            _each(_playing(BRAM, *FOGGED[0]), SEALED[0]),
            _each(_playing(BRAM, *FOGGED[1]), SEALED[1]),
        ),
        (ADA, VISITOR),
        BRAM,
    ),
    Secret(
        "what is done while time stands in bartle",
        _time_stopped("bartle-1"),
        (_playing(BRAM, ("D", "W")), _playing(BRAM, ("S", "F"))),
        (ADA, VISITOR),
        BRAM,
    ),
    Secret(
        "what is done while time stands, and sealed after it, in archmage",
        _time_stopped("archmage-1"),
        (
            _each(_playing(BRAM, ("D", "W")), SEALED[0]),
            _each(_playing(BRAM, ("S", "F")), SEALED[1]),
        ),
        (ADA, VISITOR),
        BRAM,
    ),
    Secret(
        "what is banked",
        _set_up(WINDOW),
        (_banking("fireball"), _banking("lightning_bolt")),
        (ADA, CLEO, VISITOR),
        BRAM,
    ),
    Secret(
        "what happens in a private duel",
        _begun("bartle-1", "private"),
        (_spoken("Well met.", ("W", "D")), _spoken("Have at you!", ("S", "S"))),
        OTHERS,
        BRAM,
    ),
)
