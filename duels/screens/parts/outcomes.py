"""The outcome of a duel as text."""

from collections.abc import Mapping
from typing import Final

from duels.models import Duel, DuelStatus, Ended, Outcome

ENDED_WORDS = {
    Ended.RULES: "",
    Ended.RESIGNED: "by resignation",
    Ended.AGREED: "by agreement",
    Ended.TIME: "by timeout",
    Ended.CLAIMED: "by a claim, because the other player was absent",
    Ended.ABANDONED: "abandoned",
    Ended.REMOVED: "because a referee removed a player",
    Ended.DECLARED: "by a referee’s decision",
    Ended.ANNULLED: "annulled",
}
OWN_OUTCOME_WORDS = {
    Outcome.WON: "you won",
    Outcome.LOST: "you lost",
    Outcome.DREW: "drawn",
    Outcome.RESIGNED: "you resigned",
    Outcome.FORFEITED: "you ran out of time",
    Outcome.REMOVED: "you were removed by a referee",
}
FALLS: Final = frozenset({"surrendered", "died"})  # codes of lines in reports


def outcome_words(duel: Duel, names: Mapping[str, str], you: str = "") -> str:
    """Return the outcome of a finished duel as a sentence, or "" before its end.

    `names` contains the wizards' names by engine id. `you` is the id of the reader.
    """
    if not duel.is_over:
        return ""
    if duel.status == DuelStatus.ANNULLED:
        return "This duel was annulled."
    if duel.ended == Ended.ABANDONED:
        return "This duel was abandoned. It is a draw and does not count."
    how = ENDED_WORDS.get(Ended(duel.ended), "")
    winner = names.get(duel.result, "")
    words = f"{winner} wins" if winner else "The duel is drawn"
    if winner and duel.result == you:
        words = "You win"
    return f"{words} {how}".strip() + "."
