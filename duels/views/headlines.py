"""A report in one line, for those who see no more of it."""

import engine

# What is worth telling most; what is not here is told last.
NEWS = (
    *("won", "drawn", "died", "surrendered", "resigned", "doomed"),
    *("hit", "summoned", "raised", "controlled", "merged", "enchanted", "time_stopped"),
    *("broke", "reflected", "destroyed", "removed", "cured", "stopped", "failed"),
    *("guarded", "cast"),
)
UNTOLD = frozenset({"spoke", "drew"})  # words are their speaker's, and dice need the rest
QUIET = "The hands moved on, and nothing else happened."
LONGEST = 150


def headline(report: engine.TurnReport | None) -> str:
    """What mattered most, in the order in which it happened: a sentence, or some if short."""
    lines = [line for line in report.lines if line.code not in UNTOLD] if report else []
    ranked = sorted(range(len(lines)), key=lambda place: (_rank(lines[place].code), place))
    kept: dict[str, int] = {}
    for place in ranked:
        text = lines[place].text
        if kept and (
            _rank(lines[place].code) == len(NEWS)
            or sum(map(len, kept)) + len(text) + len(kept) > LONGEST
        ):
            break
        kept.setdefault(text, place)
    return " ".join(sorted(kept, key=lambda text: kept[text])) or QUIET


def _rank(code: str) -> int:
    return NEWS.index(code) if code in NEWS else len(NEWS)
