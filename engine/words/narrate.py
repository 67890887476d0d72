"""Sentences about a view's events, each with its rule. All prose about a turn comes from here.

`prose` has most of the templates, and `templates` explains their notation.
rules: F5, F33, F61, F80, promise 7
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache, cached_property
from typing import Final, NamedTuple

from engine import events
from engine.gestures import HAND_NAMES, NOTHING, STAB, SURRENDER_PAIR
from engine.ids import is_monster
from engine.legality.scope import aim_preposition, records_both_stabs
from engine.positions.position import EXTRA
from engine.rules_text.wording import and_list
from engine.rulesets import RULESETS
from engine.rulesets.choices import STEPWISE, CaptureRule, DefaultVictim, TimeStopMode
from engine.spellbook import DIRECTED_EFFECTS, HandEffect, VictimEffect
from engine.view.view_types import View
from engine.words import prose
from engine.words.templates import TemplateFiller, gesture_name


@dataclass(frozen=True, slots=True)
class Line:
    """One sentence of a report. `wizard` acted and `subject` was affected; each can be "".

    `text_with_left` replaces `text` for readers who count hit points left instead of damage. It is
    "" if the text is the same for them.
    """

    code: str
    text: str
    rule: str
    wizard: str
    subject: str = ""
    text_with_left: str = ""

    def text_for(self, *, shows_left: bool) -> str:
        """Return the sentence, with wounds as hit points left or as damage."""
        return (self.text_with_left if shows_left else "") or self.text


class SentenceTemplate(NamedTuple):
    """An event's report: a template, the rule it cites, and words not taken from its fields."""

    template: str
    rule: str
    words: Mapping[str, str] = {}


@dataclass(frozen=True, slots=True)
class TurnReport:
    """The report of one turn, blow by blow."""

    ordinal: int
    number: int
    kind: str
    lines: tuple[Line, ...]
    title: str = ""  # the name of the turn: "extra turn 4"


def narrate(view: View, reader: str = "") -> tuple[TurnReport, ...]:
    """Return the sentences of every turn in the view, in the order of events.

    `reader` is the wizard addressed as "you", if not the observer. Players who read the open record
    of their own duel need it.
    """
    narrator = Narrator(view, reader)
    return tuple(
        TurnReport(
            turn.ordinal,
            turn.number,
            turn.kind,
            tuple(line for line in narrator.turn_lines(turn.events)),
            turn_name(view.ruleset, turn.kind, turn.number),
        )
        for turn in view.turns
    )


def narrate_events(
    view: View, happened: Iterable[events.Event], reader: str = ""
) -> tuple[Line, ...]:
    """Return these events as lines for the view's observer, who must be allowed to see them all."""
    narrator = Narrator(view, reader)
    return tuple(line for event in happened for line in narrator.lines(event))


def opening_report(view: View, reader: str = "") -> TurnReport:
    """Return the lines before the first turn. rules: turn:start, R115"""
    narrator = Narrator(view, reader)
    words = {"all": and_list([narrator.being_name(wizard.id) for wizard in view.wizards])}
    lines = tuple(
        Line("opening", narrator.fill_in(text, **words), rule, "")
        for text, rule in (prose.OPENING_TEXT[part] for part in narrator.rules.opening)
    )
    return TurnReport(0, 0, "opening", lines, "before turn 1")


def turn_name(ruleset: str, kind: str, number: int) -> str:
    """Return the name of a turn, for use within a sentence. rules: turn:extra, R97, R99"""
    rules = RULESETS[ruleset]
    if kind == EXTRA and rules.acts_before_turns:
        return f"action before turn {number}"
    if kind == EXTRA and rules.order_of_play == STEPWISE:
        return f"extra turn before turn {number}"
    if rules.time_stop is TimeStopMode.OWN_TURN:
        return prose.TURN_NAMES_WITH_NUMBER[kind].format(number=number)
    return prose.TURN_NAMES[kind].format(number=number)


class Narrator(TemplateFiller):
    """Narrator of events for one observer, or for a wizard who reads the open record."""

    def turn_lines(self, happened: Sequence[events.Event]) -> Iterator[Line]:
        """Yield the sentences of all events of one turn."""
        for event in happened:
            yield from self.lines(event, surrender_cause(event, happened))

    def lines(self, event: events.Event, cause: str = "") -> Iterator[Line]:
        """Yield the sentence of an event, or nothing if the grid already shows the event.

        `cause` is the spell that forced the event, if it is a surrender.
        """
        found = self.sentence(event)
        if found and cause:
            words = {"spell": cause}
            found = SentenceTemplate(prose.FORCED_SURRENDER, found.rule, words)
        if found:
            words = words_of_fields(event)
            rule = found.rule.format_map(words)
            words.update(found.words)
            text = self.fill_in(found.template, **words)
            wizard = getattr(event, "wizard", "") or getattr(event, "by", "")
            subject = getattr(event, "subject", "")
            yield Line(event.code, text, rule, wizard, subject, self.text_with_left(event))

    def text_with_left(self, event: events.Event) -> str:
        """Return the sentence about a being's hit points left, or "" for other events."""
        if not isinstance(event, events.Wounded) or event.subject not in self.limits:
            return ""
        limit = self.limits[event.subject]
        text = "{whom} <have|has whom> {points} left."
        return self.fill_in(text, whom=event.subject, points=hit_points_text(event.after, limit))

    @cached_property
    def limits(self) -> Mapping[str, int]:
        """The hit points at the start of all beings that the view mentions, by id."""
        made = (event for turn in self.view.turns for event in turn.events)
        return {
            event.monster: self.rules.monsters[event.kind].limit
            for event in made
            if isinstance(event, events.Summoned)
        } | {being.id: being.limit for being in self.view.status}

    def sentence(self, event: events.Event) -> SentenceTemplate | None:
        """Return the report of an event, or None if the grid already shows it."""
        match event:
            case events.Gestured():
                return None
            case events.Cast():
                return self.cast_sentence(event)
            case events.Hit():
                return self.hit_sentence(event)
            case events.Wounded():
                return wounds_sentence(event)
            case events.Guarded():
                return self.guard_sentence(event)
            case events.Spoke(words=words):
                text = "{who} <say|says who>: \u201c{words}\u201d"
                return SentenceTemplate(text, "turn:reveal", {"words": words})
            case events.Lapsed(effect=effect):
                lapsed = prose.LAPSED_TEXT.get(effect)
                return SentenceTemplate(lapsed, "turn:clock") if lapsed else None
            case events.Failed():
                return self.failure_sentence(event)
            case events.Enchanted():
                return self.enchantment_sentence(event)
            case events.Drew():
                return self.dice_roll_sentence(event)
            case events.Stopped(subject, source, by, cause):
                text, rule = prose.STOPPED_TEXT[cause]
                text = with_reflexive_pronouns(text, by, subject)
                return SentenceTemplate(text, rule, self.source_words(source))
            case events.Idle(cause="ordered") if self.rules.unordered is DefaultVictim.KEPT:
                return SentenceTemplate("{who} <hold|holds who> back.", "W39")
            case events.Idle(cause=cause):
                return SentenceTemplate(*prose.IDLE_TEXT[cause])
            case events.Overridden(letter=letter, cause=cause):
                text = prose.OVERRIDE_TEXT[cause]
                return SentenceTemplate(text, "spell:{cause}", {"makes": gesture_phrase(letter)})
            case events.KnifeKept() if records_both_stabs(self.rules):
                text = "{who} <have|has who> only one knife: {who.his} {hand} stabs without it."
                return SentenceTemplate(text, "W6")
            case events.MindsClashed(spells=spells):
                text = "{spells} cancel each other, and {whose} mind is free."
                names = and_list(map(self.spell_name, spells))
                return SentenceTemplate(text, "R79", {"spells": names})
            case events.Banked() if self.rules.capture is CaptureRule.MARKED:
                return SentenceTemplate(prose.EVENT_TEXT[event.code][0], "W34")
            case events.Summoned(controller=""):
                text = "{who} <appear|appears who> and <obey|obeys who> nobody."
                return SentenceTemplate(text, "turn:summons")
            case events.StormSpent():
                return self.spent_storm_sentence(event)
            case events.Removed(effect="bank"):
                return SentenceTemplate("{whose} banked spell is lost.", "R53")
            case events.Controlled(cause="left"):
                return SentenceTemplate("{who} <obey|obeys who> nobody now.", "R73")
            case events.Died(cause=cause):
                return SentenceTemplate(*prose.DEATH_TEXT[cause])
            case events.Destroyed(cause=cause) if cause in prose.DESTROYED_TEXT:
                return SentenceTemplate(*prose.DESTROYED_TEXT[cause])
            case _:
                return SentenceTemplate(*prose.EVENT_TEXT[event.code])

    def guard_sentence(self, event: events.Guarded) -> SentenceTemplate:
        text = "A shield covers {whom}."
        if event.spell == self.rules.mirroring:
            text = "A mirror shimmers before {whom}."
        elif event.spell == self.rules.countering:
            text = "A [counter_spell] surrounds {whom}."
        return SentenceTemplate(text, "spell:{spell}")

    def spent_storm_sentence(self, event: events.StormSpent) -> SentenceTemplate:
        is_spell = event.cause in self.rules.spells
        other = self.spell_name(event.cause) if is_spell else f"{event.cause} elemental"
        text = "The {spell} and the {other} cancel each other."
        return SentenceTemplate(text, "R66", {"other": other})

    def dice_roll_sentence(self, event: events.Drew) -> SentenceTemplate:
        text, rule = prose.DICE_ROLL_TEXT[event.purpose]
        words = {"whom": event.result, "die": str(event.value + 1), "sides": str(event.sides)}
        if event.purpose == "victim":
            if event.result == event.being:  # an oddity of spellcast
                text = text.replace("{whom}", "{who.self}")
        elif event.purpose == "opponent" and is_monster(event.being):
            text = "{who} <choose|chooses who> {whom} (roll: {die} of {sides})."
        elif event.purpose == "opponent":
            is_banked = event.hand in ("", "BANK")
            words["hand"] = "banked spell" if is_banked else HAND_NAMES[event.hand]
        elif event.purpose == "hand":
            words["hand"] = HAND_NAMES[event.result]
        else:
            words["gesture"] = gesture_name(event.result)
        return SentenceTemplate(text, rule, words)

    def cast_sentence(self, event: events.Cast) -> SentenceTemplate:
        words: dict[str, str] = {}
        text = "{who} <cast|casts who> {spell}"
        if event.hand == "BANK":
            text = "{who} <release|releases who> the banked {spell}"
        if event.subject:
            whom = "{who.self}" if event.subject == event.wizard else "{whom}"
            aim = aim_preposition(self.rules.spells[event.spell], event.subject, event.wizard)
            text += f" {aim} {whom}"
        if event.instead_of:
            words["others"] = and_list(map(self.spell_name, event.instead_of))
            text += " instead of {others}"
        return SentenceTemplate(text + ".", "spell:{spell}", words)

    def failure_sentence(self, event: events.Failed) -> SentenceTemplate:
        text, rule = prose.FAILURE_TEXT[event.cause]
        if event.cause == "mind_conflict" and self.rules.same_minds_cancel:
            rule = "W14"
        elif event.cause == "too_early" and self.rules.spells[event.spell].monster:
            rule = "W38"
        elif event.cause == "blind":
            aim = aim_preposition(self.rules.spells[event.spell], event.subject, event.wizard)
            text = text.replace(" at ", f" {aim} ")
        return SentenceTemplate(with_reflexive_pronouns(text, event.wizard, event.subject), rule)

    def enchantment_sentence(self, event: events.Enchanted) -> SentenceTemplate:
        text = prose.ENCHANTED_TEXT[event.spell]
        hands = self.rules.hands_under.get(event.spell)
        if event.hand == "" and hands in DIRECTED_EFFECTS:
            bound = "charmed" if hands is HandEffect.CHARMED else "paralysed"
            text = f"{{whom}} <are|is whom> {bound}."
        if is_monster(event.subject) and hands is HandEffect.REPEATED:
            victims = self.rules.victims_under.get(event.spell, VictimEffect.ORDERED)
            text = prose.REPEATING_TEXT[victims]
        if is_monster(event.subject) and not self.rules.illness_waits_in_monsters:
            text = prose.KILLED_AT_ONCE_TEXT.get(event.spell, text)
        if event.spell in prose.MARKED_WINDOW_TEXT and self.rules.capture is CaptureRule.MARKED:
            text = prose.MARKED_WINDOW_TEXT[event.spell][event.permanent]
        elif event.permanent:
            text = text.removesuffix(".") + ", for good."
        return SentenceTemplate(text, "spell:{spell}")

    def hit_sentence(self, event: events.Hit) -> SentenceTemplate:
        if event.source in prose.HIT_TEXT:
            return SentenceTemplate(*prose.HIT_TEXT[event.source])
        text = "{who's} {what} hits {whom} for {points}."
        if event.source in self.rules.slayers:
            text = "{who's} {what} points at {whom}."
        return SentenceTemplate(text, f"spell:{event.source}", self.source_words(event.source))

    def source_words(self, source: str) -> Mapping[str, str]:
        """Return the name of a spell, stab or attack that struck, as `{what}`."""
        is_blow = source in prose.HIT_TEXT
        return {"what": source if is_blow else self.spell_name(source)}


_ACTOR_FIELDS: Final = ("monster", "kept", "being", "wizard", "by")
_AFFECTED_FIELDS: Final = ("subject", "controller", "gone", *_ACTOR_FIELDS)
FIELDS_FOR_WORDS: Final[Mapping[str, tuple[str, ...]]] = {
    "who": _ACTOR_FIELDS,
    "whom": _AFFECTED_FIELDS,
    "whose": _AFFECTED_FIELDS,
    "spell": ("spell", "effect", "cause"),
    "cause": ("cause",),
    "hand": ("hand",),
    "points": ("amount",),
}
"""The event fields that can supply each word of a template; the first that exists is used."""


@cache
def field_by_word(code: str) -> Mapping[str, str]:
    """Return the field that supplies each word in events of this kind."""
    names = [field.name for field in fields(events.EVENT_CLASS_BY_CODE[code])]
    first = {
        word: [name for name in possible if name in names][:1]
        for word, possible in FIELDS_FOR_WORDS.items()
    }
    return {word: name for word, found in first.items() for name in found}


def words_of_fields(event: events.Event) -> dict[str, str]:
    """Return the words that an event's own fields supply."""
    words = {word: getattr(event, name) for word, name in field_by_word(event.code).items()}
    if "hand" in words:
        words["hand"] = HAND_NAMES.get(words["hand"], "")
    if "points" in words:
        words["points"] = points_text(words["points"])
    return words


def surrender_cause(event: events.Event, happened: Iterable[events.Event]) -> str:
    """Return the spell that decided a hand of this surrender, or "" if no spell did.

    `happened` has the events of the turn. rules: R111
    """
    if not isinstance(event, events.Surrendered):
        return ""
    own = [each for each in happened if getattr(each, "wizard", "") == event.wizard]
    sets = {
        each.set
        for each in own
        if isinstance(each, events.Gestured) and each.left + each.right == SURRENDER_PAIR
    }
    forced = (each for each in own if isinstance(each, events.Overridden) and each.set in sets)
    return next((each.cause for each in forced), "")


def wounds_sentence(event: events.Wounded) -> SentenceTemplate:
    text = "{whom} <have|has whom> {points} of damage now."
    if event.after < event.before:
        text = "{whom} <are|is whom> down to {points} of damage."
    if event.after < 0:  # rules: W4
        text = "{whom} <have|has whom> {points} more than at the start."
    return SentenceTemplate(text, "turn:damage", {"points": points_text(abs(event.after))})


def with_reflexive_pronouns(text: str, who: str, whom: str) -> str:
    """Return the template, with "himself" and so on for a being that acts on itself."""
    if not who or who != whom:
        return text
    return re.sub(r"(\{(?:what|spell)\} (?:at|on)) \{whom\}", r"\1 {who.self}", text)


def gesture_phrase(letter: str) -> str:
    """Return the verb and object for a hand's gesture, such as "makes palm (P)"."""
    if letter == STAB:
        return "stabs"
    return "does nothing" if letter == NOTHING else f"makes {gesture_name(letter)}"


def points_text(amount: int) -> str:
    return "1 point" if amount == 1 else f"{amount} points"


def hit_points_text(damage: int, limit: int) -> str:
    """Return the hit points left after this damage, such as "5 of 15 hit points"."""
    return f"{limit - damage} of {limit} hit points" if damage < limit else "no hit points"
