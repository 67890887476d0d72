"""The acts of referees in a duel that one reader may see, and the void turns."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.db.models import Q

from duels.act_log import former_wizards
from duels.models import Act, ActKind, Duel, RefereeMessage, Seat, Stage, Turn, Wizard
from duels.moments import moment_words, span_words
from duels.turns import turn_words
from engine import DRAW

# Operators' maintenance, which does not affect the duel and is only in its record.
NOT_TOLD: Final = frozenset({ActKind.NUDGE, ActKind.SEND_AGAIN})
# Acts that no one sees before the duel is over, and everyone afterwards.
TOLD_AT_THE_END: Final = frozenset({ActKind.OPEN_SEALED})
# Acts that only the players see while the duel runs.
FOR_PLAYERS: Final = frozenset({ActKind.RULING, ActKind.OPEN_DISPUTE, ActKind.CLOSE_DISPUTE})


@dataclass(frozen=True)
class ActRow:
    """An act as a reader sees it.

    `reason` is empty if the reader may not see it. `message` is only for its recipients.
    """

    kind: str
    at: datetime
    referee: str
    words: str  # the act, as the rest of a sentence that begins with the referee
    reason: str
    case: int | None
    message: str = ""

    @property
    def sentence(self) -> str:
        """The act as a sentence."""
        return f"{self.referee} {self.words}."


@dataclass(frozen=True)
class VoidTurn:
    """A turn that a referee has voided. It has a page if it was played."""

    roll_back: int
    ordinal: int
    number: int
    kind: str
    was_played: bool


@dataclass(frozen=True)
class _Told:
    """The names and titles needed to describe a duel's acts."""

    duel: Duel
    names: Mapping[str, str]  # by place
    wizards: Mapping[int, str]  # by key: wizards who were replaced or replaced another
    turns: Mapping[int, str]  # by ordinal


def acts_told(duel: Duel, viewer: Wizard | None) -> tuple[ActRow, ...]:
    """Return the referees' acts that a viewer of the duel may see, newest last."""
    if not duel.last_act:
        return ()
    acts = [act for act in Act.objects.filter(duel=duel).order_by("ordinal") if _is_told(act, duel)]
    told = _told(duel, acts)
    is_player = _is_player(duel, viewer)
    rows = (_row(act, told, viewer, is_player=is_player) for act in acts)
    return tuple(row for row in rows if row is not None)


def act_told(act: Act, reader: Wizard) -> ActRow | None:
    """Return one act as the people involved may see it, for an email or the page of a case."""
    if act.duel is None:
        return _row_on_wizard(act, reader)
    if not _is_told(act, act.duel):
        return None
    return _row(act, _told(act.duel, [act]), reader, is_player=True)


def removed_words(duel: Duel) -> frozenset[tuple[int, str]]:
    """Return the turns and seats whose messages a referee has removed, by turn ordinal."""
    if not duel.last_act:
        return frozenset()
    turns = Turn.objects.filter(duel=duel).exclude(silenced=[]).values_list("ordinal", "silenced")
    return frozenset((ordinal, place) for ordinal, places in turns for place in places)


def void_turns(duel: Duel) -> tuple[VoidTurn, ...]:
    """Return the void turns, by rollback and then by ordinal."""
    if not duel.last_act:
        return ()
    rows = Turn.with_voided.filter(duel=duel, voided_in__gt=0).order_by("voided_in", "ordinal")
    return tuple(
        VoidTurn(roll_back, ordinal, number, kind, stage == Stage.RESOLVED)
        for roll_back, ordinal, number, kind, stage in rows.values_list(
            "voided_in", "ordinal", "number", "kind", "stage"
        )
    )


def _is_told(act: Act, duel: Duel) -> bool:
    kind = ActKind(act.kind)
    return kind not in NOT_TOLD and (kind not in TOLD_AT_THE_END or duel.is_over)


def _is_player(duel: Duel, viewer: Wizard | None) -> bool:
    if viewer is None:
        return False
    is_seated = Seat.objects.filter(duel=duel, wizard=viewer).exists()
    return is_seated or any(each.wizard.pk == viewer.pk for each in former_wizards(duel))


def _row(act: Act, told: _Told, viewer: Wizard | None, *, is_player: bool) -> ActRow | None:
    kind = ActKind(act.kind)
    reads_all = is_player or told.duel.is_over
    if kind in FOR_PLAYERS and not reads_all:
        return None
    message = ""
    if kind == ActKind.MESSAGE:
        found = RefereeMessage.objects.filter(act=act).first()
        if found is None or viewer is None or viewer.pk not in found.readers:
            return None
        message = found.words
    return ActRow(
        kind=kind,
        at=act.at,
        referee=act.referee_name,
        words=WORDS[kind](act, told),
        reason=act.reason if reads_all else "",
        case=act.case,
        message=message,
    )


def _row_on_wizard(act: Act, reader: Wizard) -> ActRow | None:
    """Return an act on a wizard outside of duels, as shown to them or to the reporter."""
    words = WORDS_ON_WIZARD.get(ActKind(act.kind))
    if words is None:
        return None
    whom = "you"
    if act.wizard_id != reader.pk:
        wizard = Wizard.objects.filter(pk=act.wizard_id or 0).first()
        whom = wizard.name if wizard else "a wizard"
    return ActRow(
        kind=act.kind,
        at=act.at,
        referee=act.referee_name,
        words=words(act, whom),
        reason=act.reason,
        case=act.case,
    )


def _suspended(act: Act, whom: str) -> str:
    until = act.facts["until"]
    if not until:
        return f"suspended {whom} permanently"
    return f"suspended {whom} until {moment_words(datetime.fromisoformat(until), 'year')}"


WORDS_ON_WIZARD: Final[Mapping[ActKind, Callable[[Act, str], str]]] = {
    ActKind.RENAME: lambda act, whom: f"renamed {whom}",
    ActKind.SUSPEND: _suspended,
    ActKind.REINSTATE: lambda act, whom: f"let {whom} play again",
    ActKind.LOCK_SPEECH: lambda act, whom: f"stopped {whom} from sending messages",
    ActKind.UNLOCK_SPEECH: lambda act, whom: f"let {whom} send messages again",
}


def _told(duel: Duel, acts: list[Act]) -> _Told:
    seats = Seat.objects.filter(duel=duel).select_related("wizard")
    replaced = [act.facts for act in acts if act.kind == ActKind.REPLACE]
    keys = {facts[side] for facts in replaced for side in ("from", "to")}
    ordinals = {act.turn for act in acts if act.turn is not None}
    turns = Turn.with_voided.filter(Q(ordinal__in=ordinals), duel=duel).order_by("-voided_in")
    return _Told(
        duel=duel,
        names={seat.code: seat.wizard.name for seat in seats},
        wizards=dict(Wizard.objects.filter(pk__in=keys).values_list("pk", "name")),
        turns={
            ordinal: turn_words(duel.ruleset, number, kind)
            for ordinal, number, kind in turns.values_list("ordinal", "number", "kind")
        },
    )


def _whom(act: Act, told: _Told, everybody: str) -> str:
    return told.names.get(act.seat, "someone") if act.seat else everybody


def _turn(act: Act, told: _Told) -> str:
    return told.turns.get(act.turn or 0, "a turn")


def _given(act: Act, told: _Told) -> str:
    span = span_words(timedelta(seconds=act.facts["seconds"]))
    return f"gave {_whom(act, told, 'everyone who had yet to act')} {span} more"


def _result(act: Act, told: _Told) -> str:
    result = act.facts["result"]
    if result == DRAW:
        return "declared the duel a draw"
    return f"declared {told.names.get(result, 'someone')} the winner"


def _replaced(act: Act, told: _Told) -> str:
    old, new = (told.wizards.get(act.facts[side], "someone") for side in ("from", "to"))
    return f"replaced {old} with {new}"


def _rolled_back(act: Act, told: _Told) -> str:
    words = (
        f"rolled the duel back to the start of {_turn(act, told)}; everything after that is void"
    )
    return f"{words}, and the dice have a new seed" if "seed_commitment" in act.facts else words


Words = Callable[[Act, Any], str]
WORDS: Final[Mapping[ActKind, Words]] = {
    ActKind.PAUSE: lambda act, told: "paused the duel",
    ActKind.GO_ON: lambda act, told: "resumed the duel",
    ActKind.EXTEND: _given,
    ActKind.RESTART_CLOCK: lambda act, told: (
        f"gave {_whom(act, told, 'everyone who had yet to act')} the whole time of the turn again"
    ),
    ActKind.EXCUSE: lambda act, told: f"excused the absence of {_whom(act, told, '')}",
    ActKind.DEFAULTS: lambda act, told: f"had default orders sealed for {_whom(act, told, '')}",
    ActKind.ROLL_BACK: _rolled_back,
    ActKind.REMOVE: lambda act, told: f"removed {_whom(act, told, '')} from the duel",
    ActKind.REPLACE: _replaced,
    ActKind.DECLARE: _result,
    ActKind.ANNUL: lambda act, told: "annulled the duel",
    ActKind.LOCK_SPEECH: lambda act, told: "locked messages in the duel",
    ActKind.UNLOCK_SPEECH: lambda act, told: "unlocked messages in the duel",
    ActKind.REMOVE_WORDS: lambda act, told: (
        "removed the name of the duel"
        if act.facts.get("name")
        else f"removed a message by {_whom(act, told, 'a wizard')}"
    ),
    ActKind.MESSAGE: lambda act, told: "wrote to you" if act.seat else "wrote to the players",
    ActKind.OPEN_SEALED: lambda act, told: (
        f"looked at sealed or hidden orders in {_turn(act, told)}"
    ),
    ActKind.RULING: lambda act, told: "ruled on a dispute",
    ActKind.OPEN_DISPUTE: lambda act, told: "noted that a dispute was opened",
    ActKind.CLOSE_DISPUTE: lambda act, told: "closed a dispute",
}
