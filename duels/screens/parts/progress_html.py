"""HTML for the spells that each wizard may complete, grouped by missing turns."""

from html import escape
from typing import Final

from django.utils.safestring import SafeString, mark_safe

from duels.screens.parts.rules.spell_links import spell_link
from duels.screens.parts.signs import sign
from duels.standing.progress import SpellInProgress, SpellsDue, WizardProgress
from engine.play import PatternStep

# Shown if no spell in progress can be completed in a turn. Spells of one gesture still can.
NONE_DUE_TEXT: Final = "no started spell can be completed"


def progress_html(progress: tuple[WizardProgress, ...], ruleset: str) -> SafeString:
    """Return a section for each wizard. Spells of more than two turns are collapsed."""
    return mark_safe("".join(_wizard_section(wizard, ruleset) for wizard in progress))


def _wizard_section(wizard: WizardProgress, ruleset: str) -> str:
    name = escape(wizard.name)
    you = " <small>(you)</small>" if wizard.you else ""
    later = ""
    if wizard.later:
        later = (
            f"<details><summary>Later: {len(wizard.later)} more</summary>"
            f"{_spells_html(wizard.later, ruleset)}</details>"
        )
    soon = "".join(_due_spells_html(due, ruleset) for due in wizard.soon)
    return (
        f'<section class="in-progress seat-{wizard.seat}" data-progress="{wizard.id}"'
        f' aria-label="What {name} may complete"><h3>{name}{you}</h3>'
        f"<dl>{soon}</dl>{later}</section>\n"
    )


def _due_spells_html(due: SpellsDue, ruleset: str) -> str:
    spells = _spells_html(due.spells, ruleset) if due.spells else ""
    words = due.unseen or ("" if spells else NONE_DUE_TEXT)
    told = f'<span class="soft">{words}</span>' if words else ""
    return f"<dt>{due.words}</dt><dd>{spells}{told}</dd>"


def _spells_html(spells: tuple[SpellInProgress, ...], ruleset: str) -> str:
    return f"<ul>{''.join(_spell_html(spell, ruleset) for spell in spells)}</ul>"


def _spell_html(spell: SpellInProgress, ruleset: str) -> str:
    """Return HTML for one spell in progress.

    Screen readers read the name, the hand, and the gestures made and missing. The visible order is
    name, gestures, hand.
    """
    harm = ' class="harm"' if spell.is_harm else ""
    return (
        f'<li{harm} data-spell="{spell.id}">{sign(spell.id)}<span>'
        f"{spell_link(spell.id, spell.name, ruleset)}"
        f' <span class="pattern"><i>, {spell.hand}, done </i>'
        f'<span class="done">{spell.done}</span><i>, needs </i>'
        f"{''.join(map(_gesture_html, spell.needs))}</span>"
        f' <small aria-hidden="true">{spell.hand}</small></span></li>'
    )


def _gesture_html(gesture: PatternStep) -> str:
    if gesture.both:
        return f"<b><i>both </i>{gesture.letter.lower()}</b>"
    return f"<b>{gesture.letter}</b>"
