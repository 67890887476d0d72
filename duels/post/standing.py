"""The current state of a duel for an email: the beings, and the spells that each hand can complete.

The state is available as text for a fixed-width font and as rows for a table, and contains only
what the reader may see.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import engine.play
import engine.words
from duels.delivery.wrapping import wrap_with_prefixes
from duels.loaded import adjudication
from duels.standing import progress
from duels.standing.beings import Being
from duels.standing.state import DuelState

MAX_SHOWN_GESTURES = 6  # maximum number of past gestures shown for a hand
MAX_SHOWN_SPELLS = 6  # maximum number of spells per hand that could be completed next turn
THIS_TURN, NEXT_TURN = "this turn", "next turn"


# Beings


@dataclass(frozen=True)
class BeingLine:
    """A being: its name, its health and the effects on it."""

    name: str
    is_controlled: bool  # a wizard's monster
    health: str
    notes: tuple[str, ...]


@dataclass(frozen=True)
class BeingTable:
    """All beings that the reader can see, with monsters below their controllers."""

    lines: tuple[BeingLine, ...]

    @property
    def text(self) -> str:
        """Names and health in two columns, with the effects below each being."""
        names = [("    " if line.is_controlled else "  ") + line.name for line in self.lines]
        width = max(map(len, names), default=0)
        found: list[str] = []
        for name, line in zip(names, self.lines, strict=True):
            found.append(f"{name.ljust(width)}  {line.health}".rstrip())
            found += [wrap_with_prefixes(note, "      ", "        ") for note in line.notes]
        return "\n".join(found)


def being_table(state: DuelState, you: str, *, shows_left: bool) -> BeingTable:
    """Return the beings, with their health as hit points left or damage. `you` is the reader."""
    return BeingTable(tuple(_being_line(being, you, shows_left) for being in state.beings))


def _being_line(being: Being, you: str, shows_left: bool) -> BeingLine:
    health = _damage_text(being, shows_left)
    notes = ["obeys nobody"] if being.is_free else []
    notes += [being.state_words] if health else []
    notes += [f"{effect.name}: {effect.left}" for effect in being.effects]
    notes += [f"banked: {being.bank}"] if being.bank else []
    return BeingLine(
        "You" if being.id == you else being.name,
        being.is_controlled,
        health or being.state_words,
        tuple(note for note in notes if note),
    )


def _damage_text(being: Being, shows_left: bool) -> str:
    """Return the being's damage as text, "damage not seen" if it is hidden, or "" if it has no
    health."""
    if not being.has_health:
        return ""
    if being.damage is None:
        return "damage not seen"
    if shows_left:
        return f"{being.points_left} of {being.limit} hit points left"
    return f"{being.damage} of {being.limit} damage"


# Hands


@dataclass(frozen=True)
class CompletableSpells:
    """The spells that a hand can complete, and the gestures for them."""

    gestures: str
    spells: str


@dataclass(frozen=True)
class ReaderHand:
    """One of the reader's hands. `done` contains the hand's gestures so far."""

    words: str
    done: str
    leads: tuple[tuple[str, tuple[CompletableSpells, ...]], ...]  # by turn

    @property
    def text(self) -> str:
        """The hand's name, and for each turn the gestures and spells in columns."""
        head = f"  {self.words}" + (f", so far {self.done}" if self.done else "")
        width = max((len(lead.gestures) for _, leads in self.leads for lead in leads), default=0)
        lines = [head]
        for when, leads in self.leads:
            lines.append(f"    {when}")
            indent = " " * (6 + width + 2)
            lines += [
                wrap_with_prefixes(lead.spells, f"      {lead.gestures.ljust(width)}  ", indent)
                for lead in leads
            ]
        return "\n".join(lines)


@dataclass(frozen=True)
class OpponentThreat:
    """The spells that another wizard can complete, by turn."""

    name: str
    spells: tuple[tuple[str, str], ...]

    @property
    def text(self) -> str:
        """The wizard's name, and the spells of each turn as a paragraph."""
        width = len(NEXT_TURN)
        lines = [f"  {self.name}"]
        for when, words in self.spells:
            lines.append(wrap_with_prefixes(words, f"    {when.ljust(width)}  ", " " * (6 + width)))
        return "\n".join(lines)


@dataclass(frozen=True)
class CompletableSpellsOfAll:
    """The spells that the reader's hands and those of other wizards can complete."""

    hands: tuple[ReaderHand, ...]
    threats: tuple[OpponentThreat, ...]

    @property
    def hands_text(self) -> str:
        return "\n\n".join(hand.text for hand in self.hands)

    @property
    def threats_text(self) -> str:
        return "\n\n".join(threat.text for threat in self.threats)


def completable_spells(
    state: DuelState, view: engine.play.View, position: engine.play.Position
) -> CompletableSpellsOfAll:
    """Return the spells that the hands of this view can complete.

    `state` is derived from the view. `position` is the position at the turn's start, and is used
    only for the reader's own hands.
    """
    hints = adjudication.hints_for_free_hand(position, view.observer)
    if not hints:
        return CompletableSpellsOfAll((), ())
    names = view.rules.spell_names
    mine = {hand.hand: hand for hand in view.hands if hand.wizard == view.observer}
    hands = tuple(
        _completable_spells_of_hand(hint, mine[hint.hand], names) for hint in hints if hint.set == 1
    )
    others = (each for each in state.progress if not each.you)
    threats = (_wizard_threat(each) for each in others)
    return CompletableSpellsOfAll(hands, tuple(threat for threat in threats if threat.spells))


def _completable_spells_of_hand(
    hint: engine.play.HandHint, hand: engine.play.HandView, names: dict[str, str]
) -> ReaderHand:
    now = [
        CompletableSpells(
            each.letter, engine.words.and_list([names[spell] for spell in each.completes])
        )
        for each in hint.gestures
        if each.completes
    ]
    # Leave out spells that one gesture of this hand completes, because they are already listed.
    now += _spells_by_gestures(
        step
        for step in hand.progress
        if step.turns == progress.NEXT and (len(step.steps) > 1 or step.steps[0].both)
    )
    soon = _spells_by_gestures(step for step in hand.progress if step.turns == progress.AFTER)[
        :MAX_SHOWN_SPELLS
    ]
    done = " ".join(hand.letters[-MAX_SHOWN_GESTURES:])
    found = ((THIS_TURN, tuple(now)), (NEXT_TURN, tuple(soon)))
    words = f"{engine.play.HAND_FIELD_NAMES[hint.hand]} hand"
    return ReaderHand(words, done, tuple((when, leads) for when, leads in found if leads))


def _spells_by_gestures(steps: Iterable[engine.play.Progress]) -> list[CompletableSpells]:
    """Return spells grouped by the gestures that they need."""
    by_need: dict[str, list[str]] = {}
    for step in steps:
        spells = by_need.setdefault(progress.gestures_text(step.steps), [])
        if step.name not in spells:
            spells.append(step.name)
    return [
        CompletableSpells(need, engine.words.and_list(spells)) for need, spells in by_need.items()
    ]


def _wizard_threat(wizard: progress.WizardProgress) -> OpponentThreat:
    spells_by_time = zip((THIS_TURN, NEXT_TURN), wizard.soon, strict=True)
    return OpponentThreat(
        wizard.name,
        tuple((when, words) for when, due in spells_by_time if (words := _due_spells_text(due))),
    )


def _due_spells_text(due: progress.SpellsDue) -> str:
    spells = [
        f"{spell.name} ({spell.hand}, {progress.gestures_text(spell.needs)})"
        for spell in due.spells
    ]
    return "; ".join([*spells, due.unseen] if due.unseen else spells)
