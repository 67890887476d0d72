"""Questions asked after the reveal, and their options, as their wizards read them."""

from engine.gestures import HAND_NAMES
from engine.ids import SpellWithPattern
from engine.legality.scope import is_summons_for_subject
from engine.questions import Question
from engine.view.view_types import View
from engine.words import prose
from engine.words.templates import TemplateFiller, gesture_name


def question_text(view: View, question: Question) -> str:
    """Return the question as its wizard reads it."""
    filler = TemplateFiller(view)
    kind = question.kind
    if kind == "target" and question.spell == "stab":
        kind = "stab"
    elif kind == "target":
        spell = filler.rules.spells[SpellWithPattern.parse(question.spell).spell]
        kind = "released" if question.hand == "BANK" else "target"
        kind += " for" if is_summons_for_subject(spell) else ""
    elif kind == "attack" and question.number:
        kind = f"attack {question.number}"
    hand = HAND_NAMES.get(question.hand, "")
    return filler.fill_in(
        prose.QUESTION_TEXT[kind],
        whose=question.about,
        who=question.about,
        spell=question.spell,
        hand=hand,
        means=hand if question.hand == "BH" else f"your {hand}",
    )


def option_text(view: View, question: Question, option: str) -> str:
    """Return one of the question's options as its wizard reads it."""
    filler = TemplateFiller(view)
    if question.kind in ("left_spell", "right_spell"):
        return filler.spell_name(option)
    if question.labels:
        label = question.labels[question.options.index(option)]
        return f"{filler.spell_name(label)} ({HAND_NAMES[option]})"
    if question.kind in ("target", "attack"):
        return "yourself" if option == filler.you else filler.being_name(option)
    if question.kind == "charm_gesture":
        return gesture_name(option)
    return prose.OPTION_WORDS.get(option, option)
