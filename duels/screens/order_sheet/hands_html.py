"""HTML for the gestures of the order sheet: eight for each hand, with their hints."""

from collections.abc import Iterable
from html import escape

from django.utils.safestring import SafeString, mark_safe

from duels.caching.caches import KeyedCache
from duels.screens.order_sheet.form_parts import HandPart, Hint, Option, SetPart
from duels.screens.parts.hyphens import hyphenated
from duels.screens.parts.rules.rule_links import rule_link
from duels.screens.parts.rules.spell_links import spell_link
from duels.screens.parts.signs import gesture_class, sign
from duels.screens.parts.view_cache import SheetKey
from engine.play import NOTHING, STAB, Fault

# Gestures that need less room, because they have no hints.
GESTURES_WITHOUT_HINT = frozenset({STAB, NOTHING})


HANDS: KeyedCache[tuple[SheetKey, int], SafeString] = KeyedCache(
    "printed hands", size=512, key="the SheetKey, and the number of the set"
)


def hands_html(part: SetPart, ruleset: str, key: SheetKey | None = None) -> SafeString:
    """Return HTML for choosing the gestures of both hands in one set."""

    def both_hands_html() -> SafeString:
        hands = "".join(_hand_html(hand, ruleset) for hand in part.hands)
        return mark_safe(f'<div class="hands">\n{hands}</div>\n')

    return HANDS.get((key, part.number) if key else None, both_hands_html)


def hint_html(hint: Hint, ruleset: str) -> SafeString:
    """Return HTML for the spells that a gesture completes or leads to.

    Only the first spell of each kind is visible, but screen readers read all of them.
    """
    shown = ""
    if hint.of_one_hand:
        spell, name = hint.of_one_hand[0]
        shown = _visible("completes", f"{sign(spell)} {_name(spell, name, ruleset)}")
    if hint.both:
        spell, name = hint.both[0]
        kind = "completes" if hint.is_made_by_both else "leads soon"
        shown += _visible(kind, f"<i>both</i> ▸ {_name(spell, name, ruleset)}")
    if hint.leads and not shown:
        spell, name, missing = hint.leads[0]
        kind = "leads soon" if len(missing) == 1 else "leads"
        shown = _visible(kind, f"<i>{escape(missing)}</i> ▸ {_name(spell, name, ruleset)}")
    words = f'<span class="hidden-text">{escape(hint.words)}</span>' if hint.words else ""
    return mark_safe(shown + words)


def _visible(kind: str, html: str) -> str:
    return f'<span class="{kind}" aria-hidden="true">{html}</span>'


def _name(spell: str, name: str, ruleset: str) -> str:
    return spell_link(spell, hyphenated(name), ruleset, is_on_card=True)


def faults_html(faults: Iterable[Fault], ruleset: str) -> SafeString:
    return mark_safe(
        "".join(
            f'<p class="fault" data-fault="{escape(fault.code)}">{escape(fault.text)}'
            f"{_rule_link_html(fault.rule, ruleset)}</p>"
            for fault in faults
        )
    )


def _rule_link_html(rule: str, ruleset: str) -> str:
    return rule_link(rule, ruleset) if rule else ""


def _hand_html(hand: HandPart, ruleset: str) -> str:
    field = escape(hand.gestures.field)
    faulty = " faulty" if hand.gestures.faults else ""
    forced = f' data-forced="{escape(hand.forced)}"' if hand.forced else ""
    notes = "".join(
        f'<p class="hand-note">{escape(sentence)}{_rule_link_html(rule, ruleset)}</p>'
        for sentence, rule in hand.notes
    )
    gestures = "".join(
        _gesture_html(field, number, option, ruleset)
        for number, option in enumerate(hand.gestures.options, 1)
    )
    return (
        f'<fieldset class="hand-choice {hand.side}{faulty}" data-field="{field}"'
        f" data-hand-choice{forced}><legend>{escape(hand.gestures.words)}</legend>"
        f'{_last_gestures_html(hand.trail)}{notes}<div class="gestures">{gestures}</div>'
        f"{faults_html(hand.gestures.faults, ruleset)}</fieldset>\n"
    )


def _last_gestures_html(letters: str) -> str:
    if not letters:
        return ""
    made = "".join(f'<span class="{gesture_class(each)}">{escape(each)}</span>' for each in letters)
    return f'<p class="trail"><span class="hidden-text">So far: </span>{made}</p>'


def _gesture_html(field: str, number: int, option: Option, ruleset: str) -> str:
    value = escape(option.value)
    brief = " brief" if option.value in GESTURES_WITHOUT_HINT else ""
    suggested = " data-suggested" if option.suggested else ""
    tried = '<em class="try-this">try</em>' if option.suggested else ""
    state = " checked" if option.chosen else "" if option.allowed else " disabled"
    told, hint = "", ""
    # Leave room for a hint, or for a note that the gesture is not allowed.
    if option.value not in GESTURES_WITHOUT_HINT or not option.allowed:
        said = hint_html(option.hint, ruleset) if option.allowed else "not allowed"
        told = f' aria-describedby="hint-{field}-{number}"'
        hint = f'<span class="gesture-hint" id="hint-{field}-{number}">{said}</span>'
    return (
        f'<div class="gesture-choice{brief}"{suggested}><label><input type="radio"'
        f' id="{field}-{number}" name="{field}" value="{value}"{told}{state}>{tried}'
        f'<span class="gesture-face {gesture_class(option.value)}"><b>{value}</b>'
        f"<small>{escape(option.words)}</small></span></label>{hint}</div>"
    )
