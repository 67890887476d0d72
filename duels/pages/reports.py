"""Reports as pages print them: the signs of lines, what touches the reader, what is news."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from django.utils.text import capfirst

from duels.pages.rule_text import spell_of
from engine import Line, TurnReport

BEFORE_TURNS: Final = 0  # the ordinal under which the opening is told
SHOWN: Final = 5  # unread turns that stand open: of more, the earlier ones are folded
# On one screen: so many printed lines, of so many letters, fit beside a duel of two; each further
# being takes one of them, and some are left whatever happens.
ROOM: Final = 11
DUELLISTS: Final = 2
LEAST_ROOM: Final = 5
LEAST_TOLD: Final = 3
# Below one turn's report and the beings: how high each of these is printed, in lines of a report.
BELOW: Final = 17.6
A_BEING: Final = 1.35
A_ROW: Final = 1.9  # of the history, with the name of a spell in it
A_RULES_NAME: Final = 14  # letters
MOST_ROWS: Final = 8
PRINTED_WIDTH: Final = 62
HURTS: Final = frozenset({"hit", "wounded", "died"})
# What shows however scarce room is: wounds, new effects, and who has fallen, left or won.
ALWAYS_TOLD: Final = HURTS | {
    "enchanted", "controlled", "doomed", "destroyed", "surrendered", "resigned", "forfeited",
    "wizard_removed", "won", "drawn",
}  # fmt: skip
# What the line of an event shows; where there is nothing here, the spell that its rule is.
SIGNS: Final = {
    "spoke": "talk",
    "drew": "die",
    "died": "corpse",
    "surrendered": "surrender",
    "resigned": "surrender",
    "forfeited": "surrender",
    "wizard_removed": "surrender",
    "won": "crown",
    "drawn": "crown",
    "broke": "break",
    "banked": "bank",
    "opening": "hat",
    "controlled": "charm_monster",
    "marker_taken": "seal",
    "markers_returned": "seal",
}
# Rules of phases that have a sign: of blows with no spell behind them.
SIGNS_OF_RULES: Final = {
    "turn:stab": "stab",
    "turn:victims": "attack",
    "turn:damage": "wound",
    "gesture:surrender": "surrender",
}


@dataclass(frozen=True)
class ReportLine:
    """One sentence. `is_hurt`: it tells of the reader's own wounds. `is_over`: it shows only at a
    tick where room is scarce."""

    code: str
    text: str
    rule: str
    sign: str
    is_hurt: bool
    is_over: bool = False

    @property
    def is_opening(self) -> bool:
        """Whether it is among the first that a newcomer reads."""
        return self.code == "opening"


@dataclass(frozen=True)
class TurnStory:
    """What happened in one turn. `address`: its own page, if it has one."""

    ordinal: int
    address: str
    title: str
    lines: tuple[ReportLine, ...]
    is_new: bool
    rows: int = 0  # of the history that show below it for certain; 0: not more than usual

    @property
    def more(self) -> int:
        """How many lines show only at a tick."""
        return sum(line.is_over for line in self.lines)


@dataclass(frozen=True)
class Story:
    """All that a report shows: of many unread turns the earlier ones are folded."""

    folded: tuple[TurnStory, ...]
    open: tuple[TurnStory, ...]

    @property
    def has_titles(self) -> bool:
        """One turn alone has the title of the whole report."""
        return len(self.folded) + len(self.open) > 1


def report_story(
    reports: Sequence[TurnReport], observer: str, read: int | None, turns: str, still_open: int
) -> Story:
    """The reports for this observer. `read`: the last turn whose report they have seen, if known.

    `turns` is what the addresses of turns begin with, if they have pages: the one that is
    `still_open` has none yet, nor has what is told before the first one.
    """
    every = tuple(
        _turn_story(report, observer, read, _address(report, turns, still_open))
        for report in reports
    )
    return Story(every[:-SHOWN], every[-SHOWN:])


def fitted(story: Story, beings: int, effects: int = 0) -> Story:
    """The story for a page where it shares one screen with so many beings and the last rows."""
    room = max(LEAST_ROOM, ROOM - max(0, beings - DUELLISTS)) // len(story.open or "-")
    turns = [_fitted(turn, max(LEAST_TOLD, room)) for turn in story.open]
    if len(turns) == 1 and not story.folded:
        turns = [replace(turns[0], rows=_rows_below(turns[0], beings + effects))]
    return replace(story, open=tuple(turns))


def _rows_below(turn: TurnStory, above: int) -> int:
    """How many rows of the history have room below this report, whatever stands in them, and below
    so many lines of beings and effects."""
    shown = [line for line in turn.lines if not line.is_over]
    printed = sum(1 + (len(line.text) + A_RULES_NAME) // PRINTED_WIDTH for line in shown)
    left = BELOW - A_BEING * above - (printed + bool(turn.more))
    return min(MOST_ROWS, 1 + max(0, int(left / A_ROW)))


def _fitted(turn: TurnStory, room: int) -> TurnStory:
    """A turn of which as many lines show as fit, what matters before what comes first; one alone
    is not worth a tick."""
    used = 0
    shown: set[int] = set()
    by_weight = sorted(enumerate(turn.lines), key=lambda each: each[1].code not in ALWAYS_TOLD)
    for place, line in by_weight:
        used += 1 + len(line.text) // PRINTED_WIDTH
        if used <= room or line.code in ALWAYS_TOLD or len(shown) < LEAST_TOLD:
            shown.add(place)
    if len(turn.lines) - len(shown) <= 1:
        return turn
    lines = (replace(line, is_over=place not in shown) for place, line in enumerate(turn.lines))
    return replace(turn, lines=tuple(lines))


def unread(reports: Sequence[TurnReport], read: int | None) -> tuple[TurnReport, ...]:
    """The reports of the turns that this reader has not seen."""
    return tuple(report for report in reports if _is_new(report, read))


def _is_new(report: TurnReport, read: int | None) -> bool:
    return read is not None and report.ordinal > read


def _address(report: TurnReport, turns: str, still_open: int) -> str:
    has_page = turns and report.ordinal not in (BEFORE_TURNS, still_open)
    return f"{turns}{report.ordinal}/" if has_page else ""


def _turn_story(report: TurnReport, observer: str, read: int | None, address: str) -> TurnStory:
    lines = tuple(_line(line, observer) for line in report.lines)
    title = capfirst(report.title)
    return TurnStory(report.ordinal, address, title, lines, _is_new(report, read))


def _line(line: Line, observer: str) -> ReportLine:
    is_hurt = line.subject == observer and line.code in HURTS
    return ReportLine(line.code, line.text, line.rule, _sign(line), is_hurt)


def _sign(line: Line) -> str:
    return SIGNS.get(line.code) or SIGNS_OF_RULES.get(line.rule) or spell_of(line.rule)
