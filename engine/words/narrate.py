"""Sentences about a view's events, each with its rule. All prose about a turn comes from here.

Notation of the templates:

- `{who}` is a being ("you" for the observer), and `{who's}` its possessive.
- `{who.he}`, `{who.his}` and `{who.self}` are pronouns of a being already named.
- `<cast|casts who>` is a verb that agrees with a name, `<cast|casts who.he>` with a pronoun.
- `[missile]` is the ruleset's name for that spell, and `{spell}` the name of the event's spell.

rules: F5, F33, F61, F80, promise 7
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple, assert_never

from engine.events import (
    Banked,
    Broke,
    Cast,
    Controlled,
    Cured,
    Destroyed,
    Died,
    Doomed,
    Drawn,
    Drew,
    Enchanted,
    Event,
    Extended,
    Failed,
    Forfeited,
    Gestured,
    Guarded,
    Hit,
    Idle,
    KnifeKept,
    Lapsed,
    MarkersReturned,
    MarkerTaken,
    Merged,
    MindsClashed,
    Overridden,
    Raised,
    Reflected,
    Removed,
    Resigned,
    Spoke,
    Stopped,
    StormSpent,
    Summoned,
    Surrendered,
    TimeStopped,
    WizardRemoved,
    Won,
    Wounded,
)
from engine.gestures import GESTURE_NAMES, HAND_NAMES, NOTHING, STAB, pattern_text
from engine.ids import FUTURE_BEINGS, MadeSpell, is_monster
from engine.legality.scope import NOWHERE, aim_word, is_summons_for_subject, records_both_stabs
from engine.positions.position import EXTRA
from engine.questions import Question
from engine.rules_text.wording import PLACE_WORDS, and_list, future_being_text
from engine.rulesets import RULESETS
from engine.rulesets.choices import STEPWISE, CaptureRule, DefaultVictim, TimeStopMode
from engine.spellbook import DIRECTED, HandEffect, VictimEffect
from engine.view.view_types import View
from engine.words.prose import (
    DEATH_TEXT,
    ENCHANTED_TEXT,
    FAILURE_TEXT,
    IDLE_TEXT,
    KILLED_AT_ONCE_TEXT,
    LAPSED_TEXT,
    MARKED_WINDOW_TEXT,
    OPENING_TEXT,
    OPTION_WORDS,
    OVERRIDE_TEXT,
    QUESTION_TEXT,
    REPEATING_TEXT,
    STOPPED_TEXT,
    TURN_NAMES,
    TURN_NAMES_WITH_NUMBER,
)


@dataclass(frozen=True, slots=True)
class Line:
    """One sentence of a report. `wizard` acted and `subject` was affected; each can be ""."""

    code: str
    text: str
    rule: str
    wizard: str
    subject: str = ""


class Sentence(NamedTuple):
    """The report of an event: a template, the rule it cites, and the words to fill in."""

    template: str
    rule: str
    words: Mapping[str, str]


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
            tuple(line for event in turn.events for line in narrator.lines(event)),
            turn_name(view.ruleset, turn.kind, turn.number),
        )
        for turn in view.turns
    )


def narrate_events(view: View, events: Iterable[Event], reader: str = "") -> tuple[Line, ...]:
    """Return these events as lines for the view's observer, who must be allowed to see them all."""
    narrator = Narrator(view, reader)
    return tuple(line for event in events for line in narrator.lines(event))


def opening_report(view: View, reader: str = "") -> TurnReport:
    """Return the lines before the first turn. rules: turn:start, R115"""
    narrator = Narrator(view, reader)
    words = {"all": narrator.names_of_all_wizards()}
    lines = tuple(
        Line("opening", narrator.fill_in(text, **words), rule, "")
        for text, rule in (OPENING_TEXT[part] for part in narrator.rules.opening)
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
        return TURN_NAMES_WITH_NUMBER[kind].format(number=number)
    return TURN_NAMES[kind].format(number=number)


def question_text(view: View, question: Question) -> str:
    """Return the question as its wizard reads it."""
    return Narrator(view).question_sentence(question)


def option_text(view: View, question: Question, option: str) -> str:
    """Return one of the question's options as its wizard reads it."""
    return Narrator(view).option(question, option)


_TOKEN = re.compile(
    r"\{(\w+)('s|\.self|\.his|\.he)?\}"
    r"|<([^|>]*)\|([^ >]*(?: [^|> ]+)*?) (\w+)(\.he)?>"
    r"|\[(\w+)\]"
)


_FORMS: Final[Mapping[str, Mapping[str, str]]] = {
    ".he": {"you": "you", "he": "he", "she": "she", "they": "they", "it": "it"},
    ".his": {"you": "your", "he": "his", "she": "her", "they": "their", "it": "its"},
    ".self": {
        "you": "yourself", "he": "himself", "she": "herself", "they": "themselves", "it": "itself",
    },
}  # fmt: skip


class Narrator:
    """Narrator of events for one observer, or for a wizard who reads the open record."""

    def __init__(self, view: View, reader: str = "") -> None:
        self.view = view
        self.you = reader or view.observer
        self.rules = view.rules
        self.pronouns = {wizard.id: wizard.pronouns for wizard in view.wizards}

    # Words

    def being_name(self, id: str) -> str:
        """Return a being's name, "you" for the observer, or "somebody" if it is unknown."""
        if id == self.you:
            return "you"
        if not id:
            return "somebody"
        if id == NOWHERE:
            return PLACE_WORDS[NOWHERE]
        if id in FUTURE_BEINGS:
            return future_being_text(id, self.possessive)
        name = self.view.names.get(id, id)
        return f"the {name}" if is_monster(id) else name

    def possessive(self, id: str) -> str:
        if id == self.you:
            return "your"
        return f"{self.being_name(id)}’s"

    def names_of_all_wizards(self) -> str:
        """Return the names of all wizards, by seat."""
        return and_list([self.being_name(wizard.id) for wizard in self.view.wizards])

    def spell_name(self, id: str) -> str:
        """Return a spell's name; for `id/PATTERN`, with the gestures of that pattern."""
        id, pattern = MadeSpell.parse(id)
        spell = self.rules.spells.get(id)
        name = spell.name if spell else id.replace("_", " ")
        return f"{name} ({pattern_text(pattern)})" if pattern else name

    def fill_in(self, template: str, **words: str) -> str:
        """Return the template as a sentence, with its beings and verbs filled in.

        Words whose name begins with "who" are ids of beings, and `spell` is a spell's; all others
        are used unchanged. A being that does something to itself is named once, followed by
        "himself", "herself" and so on.
        """
        doers: set[str] = set()

        def text_of_token(found: re.Match[str]) -> str:
            name, form, plural, singular, subject, pronoun, spell = found.groups()
            if spell:
                return self.spell_name(spell)
            if subject:
                return plural if self.is_plural(words[subject], bool(pronoun)) else singular
            word = words[name]
            if name == "spell":
                return self.spell_name(word)
            if not name.startswith("who"):
                return word
            if form in _FORMS:
                return self.pronoun_for(word, form)
            if name == "whose" or form == "'s":
                return self.possessive(word)
            if template.startswith(" <", found.end()):
                doers.add(word)
            elif word and word in doers:
                return self.pronoun_for(word, ".self")
            return self.being_name(word)

        text = _TOKEN.sub(text_of_token, template)
        return text[:1].upper() + text[1:]

    def is_plural(self, id: str, pronoun: bool) -> bool:
        """Return whether the verb is plural: after "you" and "they", but not after a name."""
        return id == self.you or (pronoun and self.pronoun(id) == "they")

    def pronoun(self, id: str) -> str:
        """Return the being's pronoun: "it" for monsters, "they" for someone unknown."""
        return self.pronouns.get(id, "it" if id else "they")

    def pronoun_for(self, id: str, form: str) -> str:
        """Return a form of the being's pronoun; `form` is ".he", ".his" or ".self"."""
        pronoun = "you" if id == self.you else self.pronoun(id)
        return _FORMS[form][pronoun]

    # Events

    def lines(self, event: Event) -> Iterator[Line]:
        """Yield the sentence of an event, or nothing if the grid already shows the event."""
        found = self.sentence(event)
        if found:
            wizard = getattr(event, "wizard", "") or getattr(event, "by", "")
            subject = getattr(event, "subject", "")
            text = self.fill_in(found.template, **found.words)
            yield Line(event.code, text, found.rule, wizard, subject)

    def sentence(self, event: Event) -> Sentence | None:
        """Return the report of an event, or None if the grid already shows it."""
        match event:
            case Gestured() | Overridden() | KnifeKept() | MindsClashed() | Drew() | Spoke():
                return self.reveal_sentence(event)
            case Cast() | Banked() | Extended() | Failed() | Reflected() | Guarded():
                return self.casting_sentence(event)
            case Summoned() | Merged() | StormSpent() | Enchanted() | Removed() | Lapsed():
                return self.magic_sentence(event)
            case Controlled() | Hit() | Stopped() | Idle() | Cured() | Wounded() | Doomed():
                return self.fight_sentence(event)
            case Raised() | Died() | Destroyed() | Broke() | TimeStopped():
                return self.closing_sentence(event)
            case Surrendered() | Resigned() | Forfeited() | WizardRemoved():
                return self.leaving_sentence(event)
            case Won() | Drawn() | MarkerTaken() | MarkersReturned():
                return self.outcome_sentence(event)
        assert_never(event)

    def reveal_sentence(
        self, event: Gestured | Overridden | KnifeKept | MindsClashed | Drew | Spoke
    ) -> Sentence | None:
        """Return the report of an event during the reveal."""
        match event:
            case Gestured():
                return None
            case Overridden(wizard, _, hand, letter, cause, _):
                words = {"whose": wizard, "hand": HAND_NAMES[hand], "makes": gesture_phrase(letter)}
                return Sentence(OVERRIDE_TEXT[cause], f"spell:{cause}", words)
            case KnifeKept(wizard, _, hand):
                text = "{who} <have|has who> only one knife: {who.his} {hand} does nothing."
                rule = "R16"
                if records_both_stabs(self.rules):
                    text = "{who} <have|has who> only one knife: {who.his} {hand} stabs without it."
                    rule = "W6"
                return Sentence(
                    text, rule, {"who": wizard, "whose": wizard, "hand": HAND_NAMES[hand]}
                )
            case MindsClashed(subject, spells):
                text = "{spells} cancel each other, and {whose} mind is free."
                names = and_list([self.spell_name(spell) for spell in spells])
                return Sentence(text, "R79", {"spells": names, "whose": subject})
            case Drew():
                return self.draw_sentence(event)
            case Spoke(wizard, words):
                return Sentence("{who} <say|says who>: \u201c{words}\u201d", "turn:reveal", {
                    "who": wizard, "words": words,
                })  # fmt: skip
        assert_never(event)

    def casting_sentence(
        self, event: Cast | Banked | Extended | Failed | Reflected | Guarded
    ) -> Sentence:
        """Return the report of a spell that is cast or stopped."""
        match event:
            case Cast():
                return self.cast_sentence(event)
            case Banked(wizard, spell):
                text = "{who} <bank|banks who> {spell}."
                rule = "W34" if self.rules.capture is CaptureRule.MARKED else "R103"
                return Sentence(text, rule, {"who": wizard, "spell": spell})
            case Extended(wizard, spell):
                text = "{whose} [permanency] makes {spell} permanent."
                return Sentence(text, "spell:permanency", {"whose": wizard, "spell": spell})
            case Failed():
                return self.failure_sentence(event)
            case Reflected(spell, wizard, subject):
                text = "{whose} mirror sends {who's} {spell} back."
                words = {"whose": subject, "who": wizard, "spell": spell}
                return Sentence(text, "spell:magic_mirror", words)
            case Guarded():
                return self.guard_sentence(event)
        assert_never(event)

    def magic_sentence(
        self, event: Summoned | Merged | StormSpent | Enchanted | Removed | Lapsed
    ) -> Sentence | None:
        """Return the report of a spell's result, or of the end of an effect."""
        match event:
            case Summoned(monster, _, _, controller, _):
                text = "{who} <appear|appears who> and <obey|obeys who> {whom}."
                if not controller:
                    text = "{who} <appear|appears who> and <obey|obeys who> nobody."
                return Sentence(text, "turn:summons", {"who": monster, "whom": controller})
            case Merged(kept, gone):
                text = "{who} and {whom} become one."
                return Sentence(text, "R65", {"who": kept, "whom": gone})
            case StormSpent(spell, cause):
                text = "The {spell} and the {cause} cancel each other."
                other = (
                    self.spell_name(cause) if cause in self.rules.spells else f"{cause} elemental"
                )
                return Sentence(text, "R66", {"spell": spell, "cause": other})
            case Enchanted():
                return self.enchantment_sentence(event)
            case Removed(subject, effect, cause):
                return self.removal_sentence(subject, effect, cause)
            case Lapsed(subject, effect):
                if effect not in LAPSED_TEXT:
                    return None
                words = {"whom": subject, "whose": subject}
                return Sentence(LAPSED_TEXT[effect], "turn:clock", words)
        assert_never(event)

    def fight_sentence(
        self, event: Controlled | Hit | Stopped | Idle | Cured | Wounded | Doomed
    ) -> Sentence:
        """Return the report of a monster's act, a blow or a cure."""
        match event:
            case Controlled(monster, controller, cause):
                if cause == "left":
                    return Sentence("{who} <obey|obeys who> nobody now.", "R73", {"who": monster})
                text = "{who} now <obey|obeys who> {whom}."
                return Sentence(text, f"spell:{cause}", {"who": monster, "whom": controller})
            case Hit():
                return self.hit_sentence(event)
            case Stopped(subject, source, by, cause):
                text, rule = STOPPED_TEXT[cause]
                words = {
                    "who": by,
                    "whom": subject,
                    "whose": subject,
                    "what": self.source_name(source),
                }
                return Sentence(reflexive(text, by, subject), rule, words)
            case Idle(monster, cause):
                text, rule = IDLE_TEXT[cause]
                if cause == "ordered" and self.rules.unordered is DefaultVictim.KEPT:
                    text, rule = "{who} <hold|holds who> back.", "W39"  # perhaps in an earlier turn
                return Sentence(text, rule, {"who": monster})
            case Cured(subject, amount, spell, _):
                text = "{spell} cures {whom} of up to {points} of damage."
                words = {"spell": spell, "whom": subject, "points": points_text(amount)}
                return Sentence(text, f"spell:{spell}", words)
            case Wounded(subject, before, after):
                text = "{whom} <have|has whom> {points} of damage now."
                if after < before:
                    text = "{whom} <are|is whom> down to {points} of damage."
                if after < 0:  # rules: W4
                    text = "{whom} <have|has whom> {points} more than at the start."
                words = {"whom": subject, "points": points_text(abs(after))}
                return Sentence(text, "turn:damage", words)
            case Doomed(monster, cause):
                text = "{who} will not survive this turn: {spell}."
                return Sentence(text, f"spell:{cause}", {"who": monster, "spell": cause})
        assert_never(event)

    def closing_sentence(self, event: Raised | Died | Destroyed | Broke | TimeStopped) -> Sentence:
        """Return the report of a death, a raising, or an event that affects the next turn."""
        match event:
            case Raised(subject, wizard):
                text = "{whom} <rise|rises whom> from the dead."
                return Sentence(text, "spell:raise_dead", {"whom": subject, "who": wizard})
            case Died(subject, cause):
                text, rule = DEATH_TEXT[cause]
                return Sentence(text, rule, {"whom": subject, "whose": subject})
            case Destroyed(subject, cause):
                return self.destruction_sentence(subject, cause)
            case Broke(wizard):
                text = "{whose} gestures so far can no longer be part of a spell."
                return Sentence(text, "spell:anti_spell", {"whose": wizard})
            case TimeStopped(subject):
                text = "Time stops for all but {whom}."
                return Sentence(text, "spell:time_stop", {"whom": subject})
        assert_never(event)

    def leaving_sentence(
        self, event: Surrendered | Resigned | Forfeited | WizardRemoved
    ) -> Sentence:
        """Return the report of a wizard who leaves the duel alive."""
        match event:
            case Surrendered(wizard):
                text = "{who} <surrender|surrenders who>: both hands make P."
                return Sentence(text, "gesture:surrender", {"who": wizard})
            case Resigned(wizard):
                return Sentence("{who} <resign|resigns who>.", "turn:resign", {"who": wizard})
            case Forfeited(wizard):
                return Sentence(
                    "{who} <run|runs who> out of time.", "turn:forfeit", {"who": wizard}
                )
            case WizardRemoved(wizard):
                text = "A referee has removed {whom} from the duel."
                return Sentence(text, "turn:removal", {"whom": wizard})
        assert_never(event)

    def outcome_sentence(self, event: Won | Drawn | MarkerTaken | MarkersReturned) -> Sentence:
        """Return the report of the duel's result, or of markers that change hands."""
        match event:
            case Won(wizard):
                return Sentence("{who} <win|wins who> the duel.", "turn:winner", {"who": wizard})
            case Drawn():
                return Sentence("The duel is a draw.", "turn:winner", {})
            case MarkerTaken(wizard, subject):
                text = "{who} <take|takes who> a marker that bears {whose} name."
                return Sentence(text, "R114", {"who": wizard, "whose": subject})
            case MarkersReturned(wizard):
                text = (
                    "{who} <give|gives who> back every marker that {who.he} <have|has who.he> won."
                )
                return Sentence(text, "R114", {"who": wizard})
        assert_never(event)

    def draw_sentence(self, event: Drew) -> Sentence:
        die = str(event.value + 1)
        if event.purpose == "victim":
            text = "{who}, confused, <turn|turns who> on {whom} (die {die} of {sides})."
            if event.result == event.being:  # an oddity of spellcast
                text = text.replace("{whom}", "{who.self}")
            words = {"who": event.being, "whom": event.result, "die": die}
            return Sentence(text, "R83", {**words, "sides": str(event.sides)})
        if event.purpose == "opponent":
            text = "No subject is named for {whose} {hand}: the dice pick {whom}"
            if is_monster(event.being):
                text = "{who} <choose|chooses who> {whom}"
            text += " (die {die} of {sides})."
            words = {"who": event.being, "whose": event.being, "whom": event.result, "die": die}
            hand = event.hand if event.hand != "BANK" else ""
            words["hand"] = HAND_NAMES.get(hand, "banked spell")
            return Sentence(text, "R13", {**words, "sides": str(event.sides)})
        if event.purpose == "hand":
            text = "[confusion] seizes {whose} {hand} (die {die})."
            words = {"whose": event.being, "hand": HAND_NAMES[event.result], "die": die}
            return Sentence(text, "spell:confusion", words)
        text = "[confusion] makes it {gesture} (die {die})."
        return Sentence(
            text, "spell:confusion", {"gesture": gesture_name(event.result), "die": die}
        )

    def cast_sentence(self, event: Cast) -> Sentence:
        words = {"who": event.wizard, "spell": event.spell, "whom": event.subject}
        text = "{who} <cast|casts who> {spell}"
        if event.hand == "BANK":
            text = "{who} <release|releases who> the banked {spell}"
        if event.subject:
            whom = "{who.self}" if event.subject == event.wizard else "{whom}"
            aim = aim_word(self.rules.spells[event.spell], event.subject, event.wizard)
            text += f" {aim} {whom}"
        if event.instead_of:
            words["others"] = and_list([self.spell_name(spell) for spell in event.instead_of])
            text += ", although the gestures also completed {others}"
        return Sentence(text + ".", f"spell:{event.spell}", words)

    def failure_sentence(self, event: Failed) -> Sentence:
        text, rule = FAILURE_TEXT[event.cause]
        if event.cause == "mind_conflict" and self.rules.same_minds_cancel:
            rule = "W14"
        elif event.cause == "too_early" and self.rules.spells[event.spell].monster:
            rule = "W38"
        words = {
            "who": event.wizard,
            "spell": event.spell,
            "whom": event.subject,
            "whose": event.subject,
        }
        if event.cause == "blind":
            aim = aim_word(self.rules.spells[event.spell], event.subject, event.wizard)
            text = text.replace(" at ", f" {aim} ")
        return Sentence(reflexive(text, event.wizard, event.subject), rule, words)

    def guard_sentence(self, event: Guarded) -> Sentence:
        words = {"whom": event.subject}
        if event.spell == self.rules.mirroring:
            text = "A mirror shimmers before {whom}."
        elif event.spell == self.rules.countering:
            text = "A [counter_spell] surrounds {whom}."
        else:
            text = "A shield covers {whom}."
        return Sentence(text, f"spell:{event.spell}", words)

    def enchantment_sentence(self, event: Enchanted) -> Sentence:
        text = ENCHANTED_TEXT[event.spell]
        hands = self.rules.hands_under.get(event.spell)
        if event.hand == "" and hands in DIRECTED:
            bound = "charmed" if hands is HandEffect.CHARMED else "paralysed"
            text = f"{{whom}} <are|is whom> {bound}."
        if is_monster(event.subject) and hands is HandEffect.REPEATED:
            text = REPEATING_TEXT[self.rules.victims_under.get(event.spell, VictimEffect.ORDERED)]
        if is_monster(event.subject) and not self.rules.illness_waits_in_monsters:
            text = KILLED_AT_ONCE_TEXT.get(event.spell, text)
        if event.spell in MARKED_WINDOW_TEXT and self.rules.capture is CaptureRule.MARKED:
            text = MARKED_WINDOW_TEXT[event.spell][event.permanent]
        elif event.permanent:
            text = text.removesuffix(".") + ", for good."
        words = {"whom": event.subject, "whose": event.subject}
        words["hand"] = HAND_NAMES.get(event.hand, "")
        return Sentence(text, f"spell:{event.spell}", words)

    def removal_sentence(self, subject: str, effect: str, cause: str) -> Sentence:
        if effect == "bank":
            return Sentence("{whose} banked spell is lost.", "R53", {"whose": subject})
        text = "{whose} {spell} is swept away."
        return Sentence(text, f"spell:{cause}", {"whose": subject, "spell": effect})

    def hit_sentence(self, event: Hit) -> Sentence:
        words = {
            "who": event.by,
            "whom": event.subject,
            "points": points_text(event.amount),
            "what": self.source_name(event.source),
        }
        if event.source in self.rules.slayers:
            text = "{who's} {what} points at {whom}."
            return Sentence(text, f"spell:{event.source}", words)
        if event.source == "stab":
            return Sentence("{who} <stab|stabs who> {whom} for {points}.", "turn:stab", words)
        if event.source == "attack":
            return Sentence(
                "{who} <attack|attacks who> {whom} for {points}.", "turn:victims", words
            )
        return Sentence("{who's} {what} hits {whom} for {points}.", f"spell:{event.source}", words)

    def source_name(self, source: str) -> str:
        return source if source in ("stab", "attack") else self.spell_name(source)

    def destruction_sentence(self, subject: str, cause: str) -> Sentence:
        words = {"whom": subject, "spell": cause}
        if cause in ("fire", "ice"):
            text = "{whom} <are|is whom> destroyed by its opposite."
            return Sentence(text, "turn:heat_and_cold", words)
        if cause == "kin":
            return Sentence(
                "{whom} <give|gives whom> way to an older one of its kind.", "R65", words
            )
        if cause == "newer":
            text = "{whom} <give|gives whom> way to a newer one of its kind."
            return Sentence(text, "W43", words)
        rule = f"spell:{cause}"
        return Sentence("{whom} <are|is whom> destroyed: {spell}.", rule, words)

    def question_sentence(self, question: Question) -> str:
        """Return a question asked after the reveal, as its wizard reads it."""
        kind = question.kind
        if kind == "target" and question.spell == "stab":
            kind = "stab"
        elif kind == "target":
            spell = self.rules.spells[MadeSpell.parse(question.spell).spell]
            kind = "released" if question.hand == "BANK" else "target"
            kind += " for" if is_summons_for_subject(spell) else ""
        elif kind == "attack" and question.number:
            kind = f"attack {question.number}"
        hand = HAND_NAMES.get(question.hand, "")
        return self.fill_in(
            QUESTION_TEXT[kind],
            whose=question.about,
            who=question.about,
            spell=question.spell,
            hand=hand,
            means=hand if question.hand == "BH" else f"your {hand}",
        )

    def option(self, question: Question, option: str) -> str:
        """Return an option of a question, as its wizard reads it."""
        if question.kind in ("left_spell", "right_spell"):
            return self.spell_name(option)
        if question.labels:
            label = question.labels[question.options.index(option)]
            return f"{self.spell_name(label)} ({HAND_NAMES[option]})"
        if question.kind in ("target", "attack"):
            return self.aim_phrase(question, option)
        if question.kind == "charm_gesture":
            return gesture_name(option)
        return OPTION_WORDS.get(option, option)

    def aim_phrase(self, question: Question, being: str) -> str:
        if being == NOWHERE:
            return PLACE_WORDS[NOWHERE]
        return "yourself" if being == self.you else self.being_name(being)


def reflexive(text: str, who: str, whom: str) -> str:
    """Return the template, with "himself" and so on for a being that acts on itself."""
    if not who or who != whom:
        return text
    return re.sub(r"(\{(?:what|spell)\} (?:at|on)) \{whom\}", r"\1 {who.self}", text)


def gesture_phrase(letter: str) -> str:
    """Return the verb and object for a hand's gesture, such as "makes palm (P)"."""
    if letter == STAB:
        return "stabs"
    return "does nothing" if letter == NOTHING else f"makes {gesture_name(letter)}"


def gesture_name(letter: str) -> str:
    """Return the name of a gesture, with its letter."""
    name = GESTURE_NAMES[letter]
    return name if letter in ">-" else f"{name} ({letter})"


def points_text(amount: int) -> str:
    return "1 point" if amount == 1 else f"{amount} points"
