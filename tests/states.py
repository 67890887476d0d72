"""Duels in all states that pages must be able to show. The site's commands create them.

A state is a duel and its viewer, or None for a visitor. If a position is rare, the duel begins with
an engine setup, and the next turns are played. The states are the same in every run.
"""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth.models import Group
from django.db import transaction

import engine.orders
import engine.play
from duels import demonstration
from duels.accounts.second_factor import REFEREE_GROUP
from duels.commands import deadlines, endings, resolution, sealing, time_keeping, vacations
from duels.loaded import adjudication
from duels.models import ActKind, Duel, DuelStatus, Seat, Stage, Turn, User, Wizard
from duels.referees.acts import carrying_out
from duels.referees.log import act_log
from duels.sealing import links
from engine.positions.position import ALIVE, Position
from tests.cast import NOW, begin, hands, make_user, make_wizard, seal
from tests.engine.random_duels import Player, random_orders

WIZARD_NAMES = (
    ("Ada", "she"), ("Bram", "he"), ("Cleo", "they"), ("Dorn", "it"),
    ("Edda of the North", "she"), ("Falk", "he"), ("Gwendolyn the Unlikely", "she"), ("Hugo", "he"),
)  # fmt: skip
TURN_DURATION = timedelta(hours=5)
MAX_ATTEMPTS = 400  # attempts to find a suitable turn
MAX_DAMAGE = 11  # maximum damage of any wizard in a duel that must continue

Setup = Mapping[str, Any]
Moves = Mapping[str, Mapping[str, str]]


@dataclass(frozen=True)
class State:
    """A duel and its viewer."""

    duel: Duel
    viewer: Wizard | None

    @property
    def path(self) -> str:
        return f"/duels/{self.duel.pk}/"


@dataclass
class People:
    """Wizards by seat, in the order of `names`. A wizard is created when first used."""

    now: datetime = NOW
    names: Sequence[tuple[str, str]] = WIZARD_NAMES  # with pronouns
    known: dict[str, Wizard] = field(default_factory=dict)

    def __getitem__(self, seat: int) -> Wizard:
        name, pronouns = self.names[seat]
        if name not in self.known:
            found = Wizard.objects.filter(name=name).first()
            self.known[name] = found or make_wizard(name, pronouns=pronouns)
        return self.known[name]

    def first(self, number: int) -> list[Wizard]:
        return [self[seat] for seat in range(number)]


# Building


def begin_duel(
    people: People, number: int = 2, *, setup: Setup | None = None, **agreed: Any
) -> Duel:
    """Begin a duel between `number` wizards, from a setup if one is given."""
    duel = begin(*people.first(number), **agreed)
    if setup is not None:
        wizards = [engine.play.Duellist(*people.names[seat]) for seat in range(number)]
        position = engine.play.begin(
            duel.ruleset, wizards, setup=setup, options=tuple(duel.options)
        )
        Duel.objects.filter(pk=duel.pk).update(setup=dict(setup))
        Turn.objects.filter(duel=duel).update(position=engine.play.dump(position))
        duel.refresh_from_db()
        Duel.objects.filter(pk=duel.pk).update(chain=links.new_first_link(duel, number))
        duel.refresh_from_db()
    return duel


def open_turn_of(duel: Duel) -> Turn | None:
    return Turn.objects.filter(duel=duel, closed_at__isnull=True).first()


def play_turn(duel: Duel, moves: Moves, now: datetime = NOW) -> None:
    """Seal for every wizard who must act, resolve the turn, and answer questions by default."""
    turn = open_turn_of(duel)
    assert turn is not None
    by_code = {row.code: row.wizard for row in duel.seats.select_related("wizard")}
    with transaction.atomic():  # so that no task resolves the turn before all have sealed
        for code in engine.play.acting_wizards(adjudication.position_after_departures(turn)):
            seal(duel, by_code[code], moves.get(code, hands("-", "-")), now=now)
    resolution.resolve_turn(turn_id=turn.pk, now=now)
    turn.refresh_from_db()
    while turn.stage == Stage.ANSWERS:
        answer_by_default(turn, by_code, now)
        turn.refresh_from_db()
    duel.refresh_from_db()


def answer_by_default(turn: Turn, wizards: Mapping[str, Wizard], now: datetime) -> None:
    """Answer every question with its default answer, and resolve the turn."""
    asked: dict[str, dict[str, str]] = {}
    for question in turn.questions:
        asked.setdefault(question["wizard"], {})[question["id"]] = question["default"]
    for code, given in asked.items():
        sealing.answer_questions(
            turn_id=turn.pk,
            wizard=wizards[code],
            answers=given,
            batch=turn.batch,
            form_seal="",
            now=now,
        )
    resolution.resolve_turn(turn_id=turn.pk, now=now)


def play_turns(duel: Duel, turns: Sequence[Moves], now: datetime = NOW) -> Duel:
    for number, moves in enumerate(turns):
        play_turn(duel, moves, now + TURN_DURATION * number)
    return duel


def play_random_turns(
    duel: Duel, turns: int, *, seed: int, now: datetime = NOW, same_monsters: bool = False
) -> Duel:
    """Play this many turns. Wizards follow spells, and no one comes close to death.

    With `same_monsters`, no monster appears or dies in these turns.
    """
    chance = random.Random(seed)
    position = adjudication.position_after_departures(_require_turn(open_turn_of(duel)))
    patterns = [completable.pattern for completable in position.rules.completables]
    players = {wizard.id: Player(chance, patterns) for wizard in position.wizards}
    for number in range(turns):
        position = adjudication.position_after_departures(_require_turn(open_turn_of(duel)))
        moves = _harmless_orders(position, players, same_monsters)
        play_turn(duel, moves, now + TURN_DURATION * number)
        assert not duel.is_over, number
    return duel


def _harmless_orders(
    position: Position, players: Mapping[str, Player], same_monsters: bool
) -> Moves:
    """Return orders after which the duel continues, or {} if the search fails."""
    for _ in range(MAX_ATTEMPTS):
        orders = {
            wizard: random_orders(position, wizard, players[wizard])
            for wizard in engine.play.acting_wizards(position)
        }
        try:
            after, _events = engine.play.resolve(position, orders, {}, engine.play.NoDice())
        except (LookupError, ValueError, TypeError):  # they need dice or an answer
            continue
        if _does_duel_continue(position, after) and not (
            same_monsters and _living_monsters(after) != _living_monsters(position)
        ):
            return {wizard: engine.orders.fields(own) for wizard, own in orders.items()}
        for player in players.values():
            player.steps = ""
    return {}


def _does_duel_continue(position: Position, after: Position) -> bool:
    """Return whether every wizard is still in the duel, and none is near death."""
    standing = after.wizards_in_duel()
    is_whole = not after.outcome and len(standing) == len(position.wizards_in_duel())
    return is_whole and all(each.damage <= MAX_DAMAGE for each in standing)


def _living_monsters(position: Position) -> set[str]:
    return {monster.id for monster in position.monsters if monster.state == ALIVE}


def _require_turn(turn: Turn | None) -> Turn:
    assert turn is not None
    return turn


# The states


def first_turn(people: People) -> State:
    """Return a duel at turn 1 before any seal."""
    return State(begin_duel(people), people[0])


def sealed(people: People) -> State:
    """Return a duel in which the viewer has sealed and waits for the opponent."""
    duel = play_turns(
        begin_duel(people), [{"w0": hands("S", "W"), "w1": hands("W", "P")}], people.now
    )
    seal(duel, people[0], hands("D", "F", left_subject="w1"), now=people.now + TURN_DURATION)
    return State(duel, people[0])


def awaited(people: People) -> State:
    """Return a duel in which the opponent has sealed and waits for the viewer."""
    duel = play_turns(
        begin_duel(people), [{"w0": hands("S", "W"), "w1": hands("W", "P")}], people.now
    )
    seal(duel, people[1], hands("D", "F"), now=people.now + TURN_DURATION)
    return State(duel, people[0])


def sample(people: People, turns: int = 16) -> State:
    """Return the sample duel in its middle: complete and broken spells, invisibility, monsters."""
    duel = begin_duel(people, draws=demonstration.SAMPLE_DRAWS)
    moves = [{"w0": black, "w1": white} for black, white in demonstration.SAMPLE_DUEL[:turns]]
    return State(play_turns(duel, moves, people.now - TURN_DURATION * turns), people[0])


def over(people: People) -> State:
    """Return the finished sample duel."""
    return sample(people, len(demonstration.SAMPLE_DUEL))


def long_duel(people: People) -> State:
    """Return a duel after forty turns."""
    duel = begin_duel(people)
    return State(
        play_random_turns(duel, 40, seed=7, now=people.now - TURN_DURATION * 40), people[0]
    )


def four_wizards(people: People) -> State:
    return State(
        play_random_turns(begin_duel(people, 4), 9, seed=4, now=people.now - TURN_DURATION * 9),
        people[0],
    )


def eight_wizards(people: People) -> State:
    return State(
        play_random_turns(begin_duel(people, 8), 7, seed=8, now=people.now - TURN_DURATION * 7),
        people[0],
    )


def crowd(people: People) -> State:
    """Return a duel with eight wizards and nine monsters, one of them without a controller."""
    kinds = (
        ("goblin", 0), ("ogre", 0), ("troll", 0), ("giant", 1), ("goblin", 3),
        ("ogre", 4), ("goblin", 4), ("troll", 6), ("giant", None),
    )  # fmt: skip
    monsters = [
        {"kind": kind, "controller": "" if seat is None else f"w{seat}"} for kind, seat in kinds
    ]
    setup = {"wizards": [{} for _ in range(8)], "monsters": monsters}
    duel = begin_duel(people, 8, setup=setup)
    now = people.now - TURN_DURATION * 6
    duel = play_random_turns(duel, 6, seed=5, now=now, same_monsters=True)
    assert len(
        _living_monsters(adjudication.position_after_departures(_require_turn(open_turn_of(duel))))
    ) == len(monsters)
    return State(duel, people[0])


def many_monsters(people: People) -> State:
    """Return a duel with thirty monsters, some of them uncontrolled, hurt, dead or enchanted."""
    kinds = ("goblin", "ogre", "troll", "giant")
    monsters: list[dict[str, Any]] = []
    for number in range(30):
        row: dict[str, Any] = {
            "kind": kinds[number % 4],
            "controller": ("w0", "w1", "")[number % 3],
        }
        if number % 5 == 0:
            row["damage"] = 1 if number % 4 else 0
        if number % 7 == 3:
            row["effects"] = {"protection_from_evil": {"turns": 1 + number % 3}}
        if number % 11 == 5:
            row["effects"] = {"resist_heat": {}, "blindness": {"turns": 2}}
        if number in (8, 21):
            row["state"] = "corpse"
        monsters.append(row)
    wizards = [
        {"damage": 3, "left": "WS", "right": "SF"},
        {"damage": 6, "left": "PS", "right": "-W"},
    ]
    setup = {"turn": 12, "wizards": wizards, "monsters": monsters}
    return State(begin_duel(people, setup=setup), people[0])


def every_effect(people: People) -> State:
    """Return a duel in which nearly every effect is in force, one of them permanently."""
    ada = {
        "damage": 9,
        "left": "WPF",
        "right": "CDS",
        "bank": "fireball",
        "effects": {
            "invisibility": {"turns": 2},
            "resist_heat": {},
            "resist_cold": {},
            "protection_from_evil": {"turns": 1},
            "disease": {"turns": 4},
            "poison": {"turns": 5},
            "permanency": {"turns": 2},
            "delayed_effect": {"turns": 3},
        },
    }
    bram = {
        "damage": 2,
        "left": "SWD",
        "right": "DSF",
        "effects": {
            "haste": {"turns": 3, "permanent": True},
            "confusion": {"turns": 1, "caster": "w0"},
            "protection_from_evil": {"turns": 3},
        },
    }
    setup = {"turn": 20, "wizards": [ada, bram], "monsters": [{"kind": "ogre", "controller": "w0"}]}
    return State(begin_duel(people, setup=setup), people[0])


def blind(people: People) -> State:
    """Return a duel whose viewer is blind and cannot see the opponent's gestures."""
    ada = {"left": "S", "right": "W", "effects": {"blindness": {"turns": 3}}}
    monsters = [{"kind": "goblin", "controller": "w1"}, {"kind": "ogre", "controller": "w0"}]
    duel = begin_duel(
        people, setup={"wizards": [ada, {"left": "P", "right": "S"}], "monsters": monsters}
    )
    moves = [
        {"w0": hands("D", "P", left_subject="w1"), "w1": hands("P", "D", right_subject="w0")},
        {"w0": hands("S", "P"), "w1": hands("F", "S")},
    ]
    return State(play_turns(duel, moves, people.now), people[0])


def hasted(people: People) -> State:
    """Return a duel whose viewer makes two sets of gestures each turn."""
    duel = begin_duel(people, setup={"wizards": [{"effects": {"haste": {"turns": 4}}}, {}]})
    second = {"left2": "D", "right2": "P", "left_subject2": "w1"}
    moves = [
        {"w0": hands("S", "W", **second), "w1": hands("W", "D")},
        {"w0": hands("W", "P", left2="F", right2="W"), "w1": hands("F", "S")},
    ]
    return State(play_turns(duel, moves, people.now), people[0])


def forced(people: People) -> State:
    """Return a duel in which fear bars some of the viewer's gestures.

    One of the opponent's hands is paralysed.
    """
    fear = {"effects": {"fear": {"turns": 1}}, "left": "SW", "right": "WP"}
    paralysed = {"effects": {"paralysis": {"turns": 1, "hand": "R", "letter": "D", "caster": "w0"}}}
    return State(begin_duel(people, setup={"wizards": [fear, paralysed]}), people[0])


def answers(people: People) -> State:
    """Return a duel with revealed gestures in which the viewer must choose a hand to paralyse."""
    duel = begin_duel(people, setup={"wizards": [{"left": "FF", "right": "--"}, {}]}, strict=True)
    with transaction.atomic():
        for code, pair in ((0, hands("F", "-")), (1, hands("W", "S"))):
            seal(duel, people[code], pair, now=people.now)
    turn = _require_turn(open_turn_of(duel))
    resolution.resolve_turn(turn_id=turn.pk, now=people.now)
    turn.refresh_from_db()
    assert turn.stage == Stage.ANSWERS
    return State(duel, people[0])


def spectator(people: People) -> State:
    """Return a running duel that a visitor views."""
    return State(sample(people).duel, None)


def drawn(people: People) -> State:
    """Return a duel that ended in an agreed draw after three turns."""
    duel = play_random_turns(begin_duel(people), 3, seed=3, now=people.now)
    for wizard in people.first(2):
        endings.offer_draw(
            duel_id=duel.pk, wizard=wizard, ordinal=None, now=people.now + TURN_DURATION * 4
        )
    duel.refresh_from_db()
    assert duel.status == DuelStatus.OVER
    return State(duel, people[0])


def in_spellcast(people: People) -> State:
    """Return a duel under the `spellcast` ruleset, with one hasted wizard."""
    setup = {"wizards": [{"effects": {"haste": {"turns": 4}}}, {}]}
    duel = begin_duel(people, setup=setup, ruleset="spellcast-1")
    moves: list[Moves] = [
        {"w0": hands(*pair), "w1": hands(*other)}
        for pair, other in (("SW", "WD"), ("DP", "FS"), ("WP", "PF"), ("FW", "SW"))
    ]
    return State(play_turns(duel, moves, people.now), people[0])


def deserted(people: People) -> State:
    """Return a duel of three: one has been absent for two turns, and another asks for a pause."""
    ada, _, cleo = people.first(3)
    duel = begin_duel(people, 3, pace=str(3 * 24 * 3600), excuses=0)
    for _ in range(2):
        for wizard in (ada, cleo):
            seal(duel, wizard, hands("W", "W"), now=people.now)
        Seat.objects.filter(duel=duel, awaited=True).update(due_at=people.now)
        deadlines.process_deadlines(duel_id=duel.pk, now=people.now)
        resolution.resolve_turn(turn_id=_require_turn(open_turn_of(duel)).pk, now=people.now)
    time_keeping.request_pause(duel_id=duel.pk, wizard=cleo, is_paused=None, now=people.now)
    duel.refresh_from_db()
    return State(duel, ada)


def forfeited(people: People) -> State:
    """Return a duel that one wizard forfeited by missing deadlines."""
    duel = begin_duel(people, pace=str(24 * 3600), excuses=0)
    for _ in range(3):
        seal(duel, people[0], hands("W", "W"), now=people.now)
        Seat.objects.filter(duel=duel, awaited=True).update(due_at=people.now)
        deadlines.process_deadlines(duel_id=duel.pk, now=people.now)
        turn = open_turn_of(duel)
        if turn is not None:
            resolution.resolve_turn(turn_id=turn.pk, now=people.now)
    duel.refresh_from_db()
    assert duel.status == DuelStatus.OVER
    return State(duel, people[0])


def on_vacation(people: People) -> State:
    """Return a duel in which the viewer has sealed and the opponent is on vacation.

    The opponent is not in any other duel with a clock.
    """
    gwendolyn = people[6]
    duel = begin(people[0], gwendolyn, pace=str(3 * 24 * 3600))
    due_at = people.now + timedelta(days=2, hours=21)
    Seat.objects.filter(duel=duel).update(awaited_since=people.now, due_at=due_at)
    seal(duel, people[0], hands("S", "W"), now=people.now)
    until = people.now + timedelta(days=9)
    vacations.start_vacation(wizard=gwendolyn, until=until, now=people.now)
    return State(duel, people[0])


def rolled_back(people: People) -> State:
    """Return a duel that a referee has rolled back by two turns, with a message to its players."""
    duel = play_random_turns(begin_duel(people, pace=str(3 * 24 * 3600)), 5, seed=5, now=people.now)
    email = "rhea@example.org"
    user = User.objects.filter(email=email).first() or make_user(email)
    user.groups.add(Group.objects.get_or_create(name=REFEREE_GROUP)[0])
    doings: tuple[tuple[ActKind, str, dict[str, str]], ...] = (
        (ActKind.ROLL_BACK, "Turn 4 was played by a rule that was misread.", {"turn": "4"}),
        (ActKind.EXTEND, "For the time that the case took.", {"time": "1 day"}),
        (ActKind.MESSAGE, "A word to both.", {"words": "Thank you for your patience."}),
    )
    for kind, reason, fields in doings:
        carrying_out.carry_out_act(
            kind,
            duel_id=duel.pk,
            by=act_log.referee_ref(user),
            reason=reason,
            now=people.now,
            fields=fields,
        )
    duel.refresh_from_db()
    return State(duel, people[0])


STATES: dict[str, Callable[[People], State]] = {
    build.__name__: build
    for build in (
        first_turn, sealed, awaited, sample, long_duel, four_wizards, eight_wizards, crowd,
        many_monsters, every_effect, blind, hasted, forced, answers, spectator, over, drawn,
        in_spellcast, deserted, forfeited, on_vacation, rolled_back,
    )
}  # fmt: skip


def build_all(now: datetime = NOW) -> Iterator[tuple[str, State]]:
    """Yield the name and duel of every state. All duels are between the same wizards."""
    people = People(now)
    for name, build in STATES.items():
        yield name, build(people)
