"""One-line summaries of reports, for link previews and pictures."""

from collections.abc import Sequence

import engine

# Codes of report lines, most important first. Codes not in this list come last.
NEWS = (
    *("won", "drawn", "died", "surrendered", "resigned", "forfeited"),
    *("wizard_removed", "doomed"),
    *("hit", "summoned", "raised", "controlled", "merged", "enchanted", "time_stopped"),
    *("broke", "reflected", "destroyed", "removed", "cured", "stopped", "failed"),
    *("guarded", "cast"),
)
ENDS = ("won", "drawn")
UNTOLD = frozenset({"spoke", "drew"})  # messages belong to their authors; dice make no sense alone
QUIET = "The hands moved, and nothing else happened."
MOST = 2  # sentences
LONGEST = 150


def headline(report: engine.TurnReport | None, outcome: str = "") -> str:
    """Return the most important events in order of time: one sentence, or two short ones.

    `outcome` describes the end of the duel, in case the report does not.
    """
    if outcome and not (report and any(line.code in ENDS for line in report.lines)):
        return outcome
    told = [line for line in report.lines if line.code not in UNTOLD] if report else []
    texts = {line.text: place for place, line in reversed(list(enumerate(told)))}
    best = sorted(texts.values(), key=lambda place: (_rank(told[place].code), place))
    kept = sorted(best[:MOST])
    if any(told[place].code not in NEWS for place in kept) or _length(told, kept) > LONGEST:
        kept = best[:1]
    return " ".join(told[place].text for place in kept) or QUIET


def _length(lines: Sequence[engine.Line], places: Sequence[int]) -> int:
    return sum(len(lines[place].text) + 1 for place in places)


def _rank(code: str) -> int:
    return NEWS.index(code) if code in NEWS else len(NEWS)
