"""Parser for answers in a reply, such as `1: left`, `2 ice`, or without a number."""

import re
from collections.abc import Mapping, Sequence

from duels.queries.rows import AskedQuestion
from engine.words import Misreading, UnreadableOrders, or_list

_NUMBERED_ANSWER_PATTERN = re.compile(
    r"(?:answer\s+)?(?:question\s+)?#?(\d{1,3})\s*[:.)=-]?\s*(.*)", re.IGNORECASE
)
_UNNUMBERED_ANSWER_PATTERN = re.compile(r"(?:answer\b:?\s*)?(.*)", re.IGNORECASE)
_HAND_BY_NAME: Mapping[str, str] = {
    "lh": "L",
    "left": "L",
    "l": "L",
    "rh": "R",
    "right": "R",
    "r": "R",
}


def read_answers(text: str, questions: Sequence[AskedQuestion]) -> dict[str, str]:
    """Return the chosen options by the ids of the questions. Raise `UnreadableOrders`."""
    given: dict[str, str] = {}
    unread: list[Misreading] = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        question, words = _question_and_answer_text(line.strip(), questions)
        option = _matching_option(question, words) if question else None
        if question is None:
            fault = f"Write the number of a question (1 to {len(questions)}), then your answer."
        elif option is None:
            fault = f"Possible answers: {or_list(question.words)}."
        elif given.setdefault(question.id, option) != option:
            fault = "An earlier line answers this differently."
        else:
            continue
        unread.append(Misreading("answer", number, 1, line, fault))
    if unread:
        raise UnreadableOrders(unread)
    return given


def _question_and_answer_text(
    line: str, questions: Sequence[AskedQuestion]
) -> tuple[AskedQuestion | None, str]:
    if found := _NUMBERED_ANSWER_PATTERN.fullmatch(line):
        number = int(found[1])
        return (questions[number - 1] if 1 <= number <= len(questions) else None), found[2]
    plain = _UNNUMBERED_ANSWER_PATTERN.fullmatch(line)
    words = plain[1] if plain else line
    # As in text orders, accept `ANSWER paralysis LH` if there is only one question of that kind.
    for question in questions:
        kind = question.kind.replace("_", " ")
        if words.casefold().startswith(kind + " "):
            alike = [each for each in questions if each.kind == question.kind]
            return (question if len(alike) == 1 else None), words[len(kind) :]
    return (questions[0] if len(questions) == 1 else None), words


def _matching_option(question: AskedQuestion, words: str) -> str | None:
    """Return the only option that the words name by its id, its hand, or the start of its text."""
    wanted = _letters_to_compare(words)
    hand = _HAND_BY_NAME.get(wanted.removesuffix("hand"))
    if hand in question.options:
        return hand
    spelt = dict(zip(question.options, map(_letters_to_compare, question.words), strict=True))
    exact = [
        id for id, name in spelt.items() if wanted in (name, id.casefold()) or words.strip() == id
    ]
    begun = [id for id, name in spelt.items() if wanted and name.startswith(wanted)]
    for found in (exact, begun):
        if found:
            return found[0] if len(found) == 1 else None
    return None


def _letters_to_compare(words: str) -> str:
    return "".join(letter for letter in words.casefold() if letter.isalnum() or letter == ">")
