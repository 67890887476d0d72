"""Reports as pages show them: with icons, and with the reader's wounds and unread turns marked."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from django.utils.text import capfirst

from duels.screens.parts.rules.rule_text import spell_id_of_rule
from engine.words import Line, TurnReport

OPENING_ORDINAL: Final = 0  # ordinal of the opening
MAX_OPEN_REPORTS: Final = 5  # maximum number of turns not collapsed
# In a duel of two, MAX_REPORT_LINES lines of LETTERS_PER_LINE letters fit on one screen. Each
# further being takes up one line, but at least MIN_REPORT_LINES lines remain.
MAX_REPORT_LINES: Final = 11
USUAL_WIZARD_COUNT: Final = 2
MIN_REPORT_LINES: Final = 5
MIN_LINES: Final = 3
# Heights, in lines of a report. MAX_TOTAL_HEIGHT is for the beings, the report of one turn and the
# history together.
MAX_TOTAL_HEIGHT: Final = 17.6
BEING_HEIGHT: Final = 1.35
ROW_HEIGHT: Final = 1.9  # a row of the history with the name of a spell
RULE_NAME_LENGTH: Final = 14  # letters
MAX_HISTORY_ROWS: Final = 8
LETTERS_PER_LINE: Final = 62
WOUND_CODES: Final = frozenset({"hit", "wounded", "died"})
# Lines that are always shown: casts, wounds, new effects, and wizards who died, left or won.
ALWAYS_SHOWN_CODES: Final = WOUND_CODES | {
    "cast", "enchanted", "controlled", "doomed", "destroyed", "surrendered", "resigned",
    "forfeited", "wizard_removed", "won", "drawn",
}  # fmt: skip
# Icons by the code of the line. All other lines have the icon of the spell whose rule they cite.
SIGN_BY_CODE: Final = {
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
# Icons by rule, for damage that does not come from a spell.
SIGN_BY_RULE: Final = {
    "turn:stab": "stab",
    "turn:victims": "attack",
    "turn:damage": "wound",
    "gesture:surrender": "surrender",
}


@dataclass(frozen=True)
class ReportLine:
    """One sentence of a report.

    `is_hurt` marks the reader's own wounds. `is_over` marks lines that do not fit on a small
    screen, and that are hidden until the reader presses a button.
    """

    code: str
    text: str
    rule: str
    sign: str
    is_hurt: bool
    is_over: bool = False

    @property
    def is_opening(self) -> bool:
        return self.code == "opening"


@dataclass(frozen=True)
class TurnStory:
    """The events of one turn. `address` is the turn's own page, if it has one."""

    ordinal: int
    address: str
    title: str
    lines: tuple[ReportLine, ...]
    is_new: bool
    rows: int = 0  # rows of the history that fit below, or 0 for the usual number

    @property
    def more(self) -> int:
        """The number of lines that are hidden until the reader presses a button."""
        return sum(line.is_over for line in self.lines)


@dataclass(frozen=True)
class Story:
    """The whole report. If many turns are unread, the earlier ones are in a collapsed section."""

    folded: tuple[TurnStory, ...]
    open: tuple[TurnStory, ...]

    @property
    def has_titles(self) -> bool:
        """Whether each turn has its own title. A single turn uses the report's title."""
        return len(self.folded) + len(self.open) > 1


def report_story(
    reports: Sequence[TurnReport],
    observer: str,
    last_read: int | None,
    turns: str,
    still_open: int,
    *,
    shows_left: bool = False,
) -> Story:
    """Return the reports for this observer. `last_read` is the last turn that they have seen, if
    known.

    `turns` is the beginning of the addresses of turns, or empty if turns do not have pages.
    The opening and the turn `still_open` do not have pages. If `shows_left` is True, wounds are
    given as hit points left.
    """
    without_page = (OPENING_ORDINAL, still_open)
    every = tuple(
        TurnStory(
            report.ordinal,
            f"{turns}{report.ordinal}/" if turns and report.ordinal not in without_page else "",
            capfirst(report.title),
            tuple(_report_line(line, observer, shows_left=shows_left) for line in report.lines),
            last_read is not None and report.ordinal > last_read,
        )
        for report in reports
    )
    return Story(every[:-MAX_OPEN_REPORTS], every[-MAX_OPEN_REPORTS:])


def fit_to_screen(story: Story, beings: int, effects: int = 0) -> Story:
    """Return the story, shortened to fit on one screen with the beings and last gestures."""
    room = max(MIN_REPORT_LINES, MAX_REPORT_LINES - max(0, beings - USUAL_WIZARD_COUNT)) // len(
        story.open or "-"
    )
    turns = [_hide_overflow(turn, max(MIN_LINES, room)) for turn in story.open]
    if len(turns) == 1 and not story.folded:
        turns = [replace(turns[0], rows=_history_rows_that_fit(turns[0], beings + effects))]
    return replace(story, open=tuple(turns))


def _history_rows_that_fit(turn: TurnStory, rows_above: int) -> int:
    """Return how many rows of the history are sure to fit below this report.

    `rows_above` is the number of lines for beings and effects.
    """
    shown = [line for line in turn.lines if not line.is_over]
    printed = sum(1 + (len(line.text) + RULE_NAME_LENGTH) // LETTERS_PER_LINE for line in shown)
    left = MAX_TOTAL_HEIGHT - BEING_HEIGHT * rows_above - (printed + bool(turn.more))
    return min(MAX_HISTORY_ROWS, 1 + max(0, int(left / ROW_HEIGHT)))


def _hide_overflow(turn: TurnStory, max_rows: int) -> TurnStory:
    """Hide the turn's least important lines if not all lines fit.

    A single line is not hidden, because the button to show it would take up the same room.
    """
    used = 0
    shown: set[int] = set()
    by_weight = sorted(
        enumerate(turn.lines), key=lambda each: each[1].code not in ALWAYS_SHOWN_CODES
    )
    for place, line in by_weight:
        used += 1 + len(line.text) // LETTERS_PER_LINE
        if used <= max_rows or line.code in ALWAYS_SHOWN_CODES or len(shown) < MIN_LINES:
            shown.add(place)
    if len(turn.lines) - len(shown) <= 1:
        return turn
    lines = (replace(line, is_over=place not in shown) for place, line in enumerate(turn.lines))
    return replace(turn, lines=tuple(lines))


def unread_reports(reports: Sequence[TurnReport], last_read: int | None) -> tuple[TurnReport, ...]:
    """Return the reports of the turns that this reader has not seen."""
    if last_read is None:
        return ()
    return tuple(report for report in reports if report.ordinal > last_read)


def _report_line(line: Line, observer: str, *, shows_left: bool) -> ReportLine:
    sign = SIGN_BY_CODE.get(line.code) or SIGN_BY_RULE.get(line.rule) or spell_id_of_rule(line.rule)
    is_hurt = line.subject == observer and line.code in WOUND_CODES
    return ReportLine(line.code, line.text_for(shows_left=shows_left), line.rule, sign, is_hurt)
