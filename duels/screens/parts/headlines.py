"""One-line summaries of reports, for link previews and pictures."""

import engine.words

# Codes of report lines, most important first. All other codes come last.
CODES_BY_IMPORTANCE = (
    "won",
    "drawn",
    "died",
    "surrendered",
    "resigned",
    "forfeited",
    "wizard_removed",
    "doomed",
    "hit",
    "summoned",
    "raised",
    "controlled",
    "merged",
    "enchanted",
    "time_stopped",
    "broke",
    "reflected",
    "destroyed",
    "removed",
    "cured",
    "stopped",
    "failed",
    "guarded",
    "cast",
)
END_CODES = ("won", "drawn")
# Lines that mean nothing by themselves: players' messages, and dice.
OMITTED_CODES = frozenset({"spoke", "drew"})
UNEVENTFUL_TURN_HEADLINE = "The hands moved, and nothing else happened."
MAX_SENTENCES = 2  # sentences
MAX_HEADLINE_LENGTH = 150


def headline(report: engine.words.TurnReport | None, outcome: str = "") -> str:
    """Return the most important events: one sentence, or two short ones in the order in which they
    happened.

    `outcome` is the end of the duel as text. If the report does not mention the end, return this
    text.
    """
    if outcome and not (report and any(line.code in END_CODES for line in report.lines)):
        return outcome
    lines = [line for line in report.lines if line.code not in OMITTED_CODES] if report else []
    texts = {line.text: place for place, line in reversed(list(enumerate(lines)))}
    best = sorted(texts.values(), key=lambda place: (_importance_rank(lines[place].code), place))
    kept = sorted(best[:MAX_SENTENCES])
    length = sum(len(lines[place].text) + 1 for place in kept)
    if length > MAX_HEADLINE_LENGTH or any(
        lines[place].code not in CODES_BY_IMPORTANCE for place in kept
    ):
        kept = best[:1]
    return " ".join(lines[place].text for place in kept) or UNEVENTFUL_TURN_HEADLINE


def _importance_rank(code: str) -> int:
    return (
        CODES_BY_IMPORTANCE.index(code) if code in CODES_BY_IMPORTANCE else len(CODES_BY_IMPORTANCE)
    )
