"""The acts on a duel that a reader may see, and the duel's void turns."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Final

from django.db.models import Q

import engine.words
from duels.models import Act, ActKind, Duel, DuelStatus, RefereeMessage, Seat, Stage, Turn, Wizard
from duels.referees.log.act_log import former_wizards
from duels.wording.moments import moment_words, span_words
from engine.play import DRAW

# Maintenance by operators, which does not affect the duel. Only its record shows these acts.
HIDDEN_ACTS: Final = frozenset({ActKind.NUDGE, ActKind.SEND_AGAIN})
# Acts that are hidden until the duel is over.
ACTS_SHOWN_AT_END: Final = frozenset({ActKind.OPEN_SEALED})
# Acts that only the players can see until the duel is over.
PLAYER_ACTS: Final = frozenset({ActKind.RULING, ActKind.OPEN_DISPUTE, ActKind.CLOSE_DISPUTE})


@dataclass(frozen=True)
class ActRow:
    """An act, as shown to one reader.

    `reason` is empty if the reader may not see it. `message` is only for its recipients.
    """

    kind: str
    at: datetime
    referee: str
    words: str  # a sentence without its subject, which is the referee
    reason: str
    case: int | None
    message: str = ""

    @property
    def sentence(self) -> str:
        return f"{self.referee} {self.words}."


@dataclass(frozen=True)
class VoidTurn:
    roll_back: int
    ordinal: int
    number: int
    kind: str
    was_played: bool


@dataclass(frozen=True)
class _ActLabels:
    """The names that sentences about a duel's acts need."""

    duel: Duel
    names: Mapping[str, str]  # by seat
    wizards: Mapping[int, str]  # names of replaced wizards and their replacements, by primary key
    turns: Mapping[int, str]  # by ordinal


def visible_acts(duel: Duel, viewer: Wizard | None) -> tuple[ActRow, ...]:
    """Return the acts on a duel that this viewer may see, oldest first."""
    if not duel.last_act:
        return ()
    acts = [
        act for act in Act.objects.filter(duel=duel).order_by("ordinal") if _is_visible(act, duel)
    ]
    labels = _load_labels(duel, acts)
    is_player = viewer is not None and (
        Seat.objects.filter(duel=duel, wizard=viewer).exists()
        or any(each.wizard.pk == viewer.pk for each in former_wizards(duel))
    )
    rows = (_duel_act_row(act, labels, viewer, is_player=is_player) for act in acts)
    return tuple(row for row in rows if row is not None)


def visible_act(act: Act, reader: Wizard) -> ActRow | None:
    """Return an act as an involved reader sees it in emails and on the page of a case."""
    if act.duel is None:
        return _wizard_act_row(act, reader)
    if not _is_visible(act, act.duel):
        return None
    return _duel_act_row(act, _load_labels(act.duel, [act]), reader, is_player=True)


def act_sentence(act: Act, names: Mapping[str, str]) -> str:
    """Return a sentence about an act on a duel. `names` are the wizards' names by seat."""
    assert act.duel is not None
    labels = replace(_load_labels(act.duel, [act]), names=names)
    return f"A referee {ACT_WORDS[ActKind(act.kind)](act, labels)}."


def newest_visible_act_query(duel: Any, own_seat: Any = None) -> Any:
    """Return a query for the ordinal of the newest act on the duel that a reader may see.

    `own_seat` is the code of the reader's seat, or None for a spectator. Both arguments can be
    expressions. Other acts must not change the reader's page or the answers to its polls.
    """
    is_over = Q(duel__status__in=[DuelStatus.OVER, DuelStatus.ANNULLED])
    shown = ~Q(kind__in=[*HIDDEN_ACTS, ActKind.MESSAGE])
    shown &= ~Q(kind__in=ACTS_SHOWN_AT_END) | is_over
    if own_seat is None:
        shown &= ~Q(kind__in=PLAYER_ACTS) | is_over
    else:
        shown |= Q(kind=ActKind.MESSAGE) & (Q(seat="") | Q(seat=own_seat))
    found = Act.objects.filter(shown, duel=duel).order_by("-ordinal")
    return found.values_list("ordinal", flat=True)[:1]


def removed_messages(duel: Duel) -> frozenset[tuple[int, str]]:
    """Return the removed messages with orders, as pairs of a turn's ordinal and a seat."""
    if not duel.last_act:
        return frozenset()
    turns = Turn.objects.filter(duel=duel).exclude(silenced=[]).values_list("ordinal", "silenced")
    return frozenset((ordinal, place) for ordinal, places in turns for place in places)


def void_turns(duel: Duel) -> tuple[VoidTurn, ...]:
    """Return the duel's void turns, ordered by rollback and ordinal."""
    if not duel.last_act:
        return ()
    rows = Turn.with_voided.filter(duel=duel, voided_in__gt=0).order_by("voided_in", "ordinal")
    return tuple(
        VoidTurn(roll_back, ordinal, number, kind, stage == Stage.RESOLVED)
        for roll_back, ordinal, number, kind, stage in rows.values_list(
            "voided_in", "ordinal", "number", "kind", "stage"
        )
    )


def _is_visible(act: Act, duel: Duel) -> bool:
    kind = ActKind(act.kind)
    return kind not in HIDDEN_ACTS and (kind not in ACTS_SHOWN_AT_END or duel.is_over)


def _duel_act_row(
    act: Act, labels: _ActLabels, viewer: Wizard | None, *, is_player: bool
) -> ActRow | None:
    kind = ActKind(act.kind)
    reads_all = is_player or labels.duel.is_over
    if kind in PLAYER_ACTS and not reads_all:
        return None
    message = ""
    if kind == ActKind.MESSAGE:
        found = RefereeMessage.objects.filter(act=act).first()
        if found is None or viewer is None or viewer.pk not in found.readers:
            return None
        message = found.words
    words, reason = ACT_WORDS[kind](act, labels), act.reason if reads_all else ""
    return ActRow(act.kind, act.at, act.referee_name, words, reason, act.case, message)


def _wizard_act_row(act: Act, reader: Wizard) -> ActRow | None:
    """Return an act on a wizard, for that wizard or for the player who reported them."""
    words = WORDS_FOR_WIZARD_ACTS.get(ActKind(act.kind))
    if words is None:
        return None
    whom = "you"
    if act.wizard_id != reader.pk:
        wizard = Wizard.objects.filter(pk=act.wizard_id or 0).first()
        whom = wizard.name if wizard else "a wizard"
    return ActRow(act.kind, act.at, act.referee_name, words(act, whom), act.reason, act.case)


def _renaming_words(act: Act, wizard_words: str) -> str:
    if act.facts["from"] == act.facts["to"]:
        return f"removed what {wizard_words} had written about themselves"
    return f"renamed {wizard_words}"


def _suspension_words(act: Act, wizard_words: str) -> str:
    until = act.facts["until"]
    if not until:
        return f"suspended {wizard_words} permanently"
    return f"suspended {wizard_words} until {moment_words(datetime.fromisoformat(until), 'year')}"


WORDS_FOR_WIZARD_ACTS: Final[Mapping[ActKind, Callable[[Act, str], str]]] = {
    ActKind.RENAME: _renaming_words,
    ActKind.SUSPEND: _suspension_words,
    ActKind.REINSTATE: lambda act, whom: f"let {whom} play again",
    ActKind.REMOVE_WORDS: lambda act, whom: f"removed a private message that {whom} had written",
    ActKind.LOCK_SPEECH: lambda act, whom: f"stopped {whom} from sending messages",
    ActKind.UNLOCK_SPEECH: lambda act, whom: f"let {whom} send messages again",
}


def _load_labels(duel: Duel, acts: list[Act]) -> _ActLabels:
    seats = Seat.objects.filter(duel=duel).select_related("wizard")
    replaced = [act.facts for act in acts if act.kind == ActKind.REPLACE]
    keys = {facts[side] for facts in replaced for side in ("from", "to")}
    ordinals = {act.turn for act in acts if act.turn is not None}
    turns = Turn.with_voided.filter(Q(ordinal__in=ordinals), duel=duel).order_by("-voided_in")
    return _ActLabels(
        duel=duel,
        names={seat.code: seat.wizard.name for seat in seats},
        wizards=dict(Wizard.objects.filter(pk__in=keys).values_list("pk", "name")),
        turns={
            ordinal: engine.words.turn_name(duel.ruleset, kind, number)
            for ordinal, number, kind in turns.values_list("ordinal", "number", "kind")
        },
    )


def _target_name(act: Act, labels: _ActLabels, everyone_words: str) -> str:
    return labels.names.get(act.seat, "someone") if act.seat else everyone_words


def _turn_name(act: Act, labels: _ActLabels) -> str:
    return labels.turns.get(act.turn or 0, "a turn")


def _declaration_words(act: Act, labels: _ActLabels) -> str:
    result = act.facts["result"]
    if result == DRAW:
        return "declared the duel a draw"
    return f"declared {labels.names.get(result, 'someone')} the winner"


def _replacement_words(act: Act, labels: _ActLabels) -> str:
    old, new = (labels.wizards.get(act.facts[side], "someone") for side in ("from", "to"))
    return f"replaced {old} with {new}"


def _roll_back_words(act: Act, labels: _ActLabels) -> str:
    start = _turn_name(act, labels)
    words = f"rolled the duel back to the start of {start}; everything after that is void"
    return f"{words}, and the dice have a new seed" if "seed_commitment" in act.facts else words


ACT_WORDS: Final[Mapping[ActKind, Callable[[Act, _ActLabels], str]]] = {
    ActKind.PAUSE: lambda act, labels: "paused the duel",
    ActKind.GO_ON: lambda act, labels: "resumed the duel",
    ActKind.EXTEND: lambda act, labels: (
        f"gave {_target_name(act, labels, 'everyone who had yet to act')} "
        f"{span_words(timedelta(seconds=act.facts['seconds']))} more"
    ),
    ActKind.RESTART_CLOCK: lambda act, labels: (
        f"gave {_target_name(act, labels, 'everyone who had yet to act')} "
        "the full time for the turn again"
    ),
    ActKind.EXCUSE: lambda act, labels: f"excused the absence of {_target_name(act, labels, '')}",
    ActKind.DEFAULTS: lambda act, labels: (
        f"had default orders sealed for {_target_name(act, labels, '')}"
    ),
    ActKind.ROLL_BACK: _roll_back_words,
    ActKind.REMOVE: lambda act, labels: f"removed {_target_name(act, labels, '')} from the duel",
    ActKind.REPLACE: _replacement_words,
    ActKind.DECLARE: _declaration_words,
    ActKind.ANNUL: lambda act, labels: "annulled the duel",
    ActKind.LOCK_SPEECH: lambda act, labels: "locked messages in the duel",
    ActKind.UNLOCK_SPEECH: lambda act, labels: "unlocked messages in the duel",
    ActKind.REMOVE_WORDS: lambda act, labels: (
        "removed the name of the duel"
        if act.facts.get("name")
        else f"removed a message by {_target_name(act, labels, 'a wizard')}"
    ),
    ActKind.MESSAGE: lambda act, labels: "wrote to you" if act.seat else "wrote to the players",
    ActKind.OPEN_SEALED: lambda act, labels: (
        f"looked at sealed or hidden orders in {_turn_name(act, labels)}"
    ),
    ActKind.RULING: lambda act, labels: "ruled on a dispute",
    ActKind.OPEN_DISPUTE: lambda act, labels: "opened or appealed a dispute",
    ActKind.CLOSE_DISPUTE: lambda act, labels: "withdrew a dispute or an appeal",
}
