"""The outcome of a duel as text."""

from collections.abc import Mapping
from typing import Final

from duels.models import Duel, DuelEnding, DuelStatus, Outcome

ENDED_WORDS = {
    DuelEnding.RULES: "",
    DuelEnding.RESIGNED: "by resignation",
    DuelEnding.AGREED: "by agreement",
    DuelEnding.TIME: "by timeout",
    DuelEnding.CLAIMED: "by a claim, because the other player was absent",
    DuelEnding.ABANDONED: "because it was abandoned",
    DuelEnding.REMOVED: "because a referee removed a player",
    DuelEnding.DECLARED: "by a referee’s decision",
    DuelEnding.ANNULLED: "annulled",
}
OWN_OUTCOME_WORDS = {
    Outcome.WON: "you won",
    Outcome.LOST: "you lost",
    Outcome.DREW: "drawn",
    Outcome.RESIGNED: "you resigned",
    Outcome.FORFEITED: "you ran out of time",
    Outcome.REMOVED: "you were removed by a referee",
}
# By the state in which the rules leave the losers.
WAY_BY_LOSER_STATE: Final = {"dead": "by a kill", "surrendered": "by surrender"}
DEATH_AND_SURRENDER_CODES: Final = frozenset({"surrendered", "died"})  # codes of lines in reports


def outcome_words(duel: Duel, names: Mapping[str, str], you: str = "") -> str:
    """Return the outcome of a finished duel as a sentence, or "" before its end.

    `names` contains the wizards' names by engine id. `you` is the id of the reader.
    """
    if not duel.is_over:
        return ""
    if duel.status == DuelStatus.ANNULLED:
        return "This duel was annulled."
    if duel.ended == DuelEnding.ABANDONED:
        return "This duel was abandoned. It is a draw and does not count."
    how = ENDED_WORDS.get(DuelEnding(duel.ended), "")
    winner = names.get(duel.result, "")
    words = f"{winner} wins" if winner else "The duel is drawn"
    if winner and duel.result == you:
        words = "You win"
    return f"{words} {how}".strip() + "."


def way_words(duel: Duel, states: Mapping[str, str]) -> str:
    """Return the way in which a finished duel ended, such as "by surrender", or "" if the rules
    ended it in several ways or in a draw.

    `states` has the state of each wizard by engine id.
    """
    if duel.ended != DuelEnding.RULES:
        return ENDED_WORDS[DuelEnding(duel.ended)]
    lost = {state for wizard, state in states.items() if wizard != duel.result}
    won = duel.result in states and len(lost) == 1
    return WAY_BY_LOSER_STATE.get(lost.pop(), "") if won else ""
