"""How one ruleset differs from another, in sentences made from the two values.

Nothing is written here for one ruleset: a sentence says what a field's value means, so a page made
from it cannot drift from what is played. An order of play of its own has its own list besides. What
RULES.md says itself is quoted from there, `{W9}`, and stands nowhere else: see `engine.quoting`.
rules: R27: what is not listed is as in the other ruleset.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from engine.gestures import GESTURE_NAMES, pattern_text
from engine.rulesets import BARTLE_1, Ruleset
from engine.rulesets.choices import (
    NUMBERED,
    STEPWISE,
    Asking,
    Capture,
    FullBank,
    HandNamed,
    Haste,
    Minds,
    Misses,
    Opponent,
    Preference,
    StoppedSight,
    TwoStabs,
    Unordered,
)
from engine.spellbook import (
    MONSTER_KINDS,
    UNDECIDED,
    Asks,
    Default,
    Hands,
    Lasts,
    Legal,
    MonsterKind,
    Spell,
    Victims,
    Works,
)
from engine.wording import either, listed

DIFFERS: Final = "differs"  # the program does what its manual denies
ADMITS: Final = "admits"  # a fault that its manual admits
DECIDES: Final = "decides"  # its manual does not say


@dataclass(frozen=True, slots=True)
class Difference:
    """What differs, the rule that has it in full, and the spells that it is about.

    The words quote RULES.md where it says the same: see `engine.quoting`.
    `trust` says of a program's play how it stands to the manual of that program.
    """

    text: str
    rule: str
    spells: tuple[str, ...] = ()
    trust: str = ""


@dataclass(frozen=True, slots=True)
class Switch:
    """What a field of `Ruleset` means where it is set and where it is not, and its rule."""

    rule: str
    on: str
    off: str

    def says(self, value: object) -> str:
        """The sentence for this value of the field."""
        return self.on if value else self.off


@dataclass(frozen=True, slots=True)
class Offer:
    """What each value of a field of `Ruleset` with more than two means, and its rule."""

    rule: str
    sentences: Mapping[StrEnum, str]

    def says(self, value: StrEnum) -> str:
        """The sentence for this value of the field."""
        return self.sentences[value]


@dataclass(frozen=True, slots=True)
class Table:
    """What a table of letters says in a sentence, and its rule."""

    rule: str
    says: Callable[[Any], str]


@dataclass(frozen=True, slots=True)
class Stabs:
    """What the row of the stab says, where it differs from a spell's."""

    rule: str = "R17"

    def says(self, stab: Spell) -> str:
        """The sentence for this row."""
        where = "at nowhere, " if stab.nowhere else ""
        whom = "corpses too" if stab.on_corpses else "and at no corpse"
        points = "one point" if stab.amount == 1 else f"{stab.amount} points"
        return (
            f"A stab does {points}. It can be written {where}at {STABBED[stab.legal]}, {whom}; "
            f"where nobody is named it goes {STAB_DEFAULTS[stab.default]}."
        )


@dataclass(frozen=True, slots=True)
class Column:
    """What each value of a field of `Spell` says of a spell: words that follow its name.

    `rules` names the rule where it is not the spell's own; `of_all` gives the sentence in place of
    a list of names when the whole book has the value, and `but` what is said of the few that have
    not when nearly the whole book has.
    """

    says: Callable[[Spell], str]
    rules: Mapping[str, str]
    rule: str = ""
    of_all: Callable[[Spell], str] | None = None
    but: str = ""


FEW: Final = 2  # spells that are named in place of all others


def differences(ruleset: Ruleset, other: Ruleset = BARTLE_1) -> tuple[Difference, ...]:
    """What a wizard who knows `other` must know before they play `ruleset`; empty for the same."""
    play = _play(ruleset, other)
    texts = {line.text for line in play}
    told = {(line.spells, line.rule) for line in play}
    book = [line for line in _book(ruleset, other) if (line.spells, line.rule) not in told]
    switches = [line for line in _switches(ruleset, other) if line.text not in texts]
    return (*play, *switches, *book)


def _play(ruleset: Ruleset, other: Ruleset) -> Sequence[Difference]:
    return PLAYS[ruleset.order_of_play] if ruleset.order_of_play != other.order_of_play else ()


def _switches(ruleset: Ruleset, other: Ruleset) -> Sequence[Difference]:
    return [
        Difference(switch.says(getattr(ruleset, name)), switch.rule)
        for name, switch in SWITCHES.items()
        if getattr(ruleset, name) != getattr(other, name)
        and not getattr(ruleset, OVERRULED.get(name, ""), False)
    ]


def _book(ruleset: Ruleset, other: Ruleset) -> Sequence[Difference]:
    kept = [spell for spell in ruleset.spells.values() if spell.id in other.spells]
    gone = [spell for spell in other.spells.values() if spell.id not in ruleset.spells]
    new = [spell for spell in ruleset.spells.values() if spell.id not in other.spells]
    return [
        *(Difference(f"There is no {spell.name}.", spell.rule, (spell.id,)) for spell in gone),
        *(Difference(_presented(spell), spell.rule, (spell.id,)) for spell in new),
        *(line for name in COLUMNS for line in _column(name, kept, ruleset, other)),
    ]


def _presented(spell: Spell) -> str:
    """A spell that the other book does not have."""
    words = f"{spell.name} is a new spell, {_ways(spell)}"
    if spell.monster and spell.is_area:
        return f"{words}. What comes of it obeys nobody, whatever subject is written."
    return f"{words}, {DEFAULTS[spell.default]} by default.{BESIDES.get(spell.id, '')}"


def _column(
    name: str, kept: Sequence[Spell], ruleset: Ruleset, other: Ruleset
) -> Sequence[Difference]:
    """The rows that differ in one field, those of which the same is to be said together."""
    column = COLUMNS[name]
    alike: dict[tuple[str, str], list[Spell]] = {}
    for spell in kept:
        if getattr(spell, name) != getattr(other.spells[spell.id], name):
            rule = column.rules.get(spell.id, column.rule or spell.rule)
            alike.setdefault((column.says(spell), rule), []).append(spell)
    return [
        Difference(
            _sentence(column, says, spells, ruleset, name),
            rule,
            tuple(spell.id for spell in spells),
        )
        for (says, rule), spells in alike.items()
    ]


def _sentence(
    column: Column, says: str, spells: Sequence[Spell], ruleset: Ruleset, name: str
) -> str:
    rest = [spell.name for spell in ruleset.spells.values() if not _has_value(spell, spells, name)]
    if column.of_all is not None and not rest:
        return column.of_all(spells[0])
    if column.but and len(rest) <= FEW:
        return f"Only {listed(rest)} {column.but}."
    return f"{listed([spell.name for spell in spells])} {says}."


def _has_value(spell: Spell, spells: Sequence[Spell], name: str) -> bool:
    """Whether the spell has the value of those of which something is said, or takes no subject."""
    return spell.is_area or getattr(spell, name) == getattr(spells[0], name)


def _ways(spell: Spell) -> str:
    return "made with " + either(map(pattern_text, spell.patterns))


def _strengths(kinds: Mapping[str, MonsterKind]) -> str:
    return listed(
        [
            f"{kind.name} {kind.attack} and {kind.limit}"
            for kind in kinds.values()
            if kind.id != UNDECIDED
        ]
    )


BESIDES: Final = {"sacrifice": " It does nothing, unless the duel has the house rule on it."}
DEFAULTS: Final = {
    Default.SELF: "for its caster",
    Default.OPPONENT: "at the opponent",
    Default.NONE: "for the whole arena",
}
WORKS: Final = {
    Works.ALL: "can work on every being",
    Works.WIZARDS: "can work on wizards only",
    Works.MONSTERS: "can work on every monster, elementals among them, and on no wizard",
    Works.EARTHLY: "can work on every being but elementals",
    Works.BEASTS: "can work on monsters other than elementals, and on no wizard",
}
LASTS: Final = {
    Lasts.INSTANT: "will be over at once",
    Lasts.NEXT_TURN: "will act on the next turn",
    Lasts.THREE_TURNS: "will act on three turns, from the one after the casting on",
    Lasts.FOUR_TURNS: "will act on four turns, from that of the casting on",
    Lasts.UNTIL_REMOVED: "will last until removed",
    Lasts.SIX_TURNS: "will kill when the fifth turn that follows is over",
    Lasts.THREE_FROM_NOW: "will act on three turns, from that of the casting on",
    Lasts.SEVEN_TURNS: "will kill when the sixth turn that follows is over",
}
TIME_STOP: Final = {
    Lasts.INSTANT: "will give an extra turn at once",
    Lasts.THREE_TURNS: "will give three actions, each before a turn, and no extra turn",
}
LEGAL: Final = {
    Legal.ANY: "can be written at any being",
    Legal.OTHERS: "can be written at any being but its caster",
    Legal.WIZARDS: "can be written at wizards only",
    Legal.OPPONENTS: "can be written at other wizards only, never at its caster or a monster",
}
ELEMENTS: Final = {"fire": "heat", "ice": "cold", "": "neither heat nor cold"}
ASKED: Final = {
    Asks.NOTHING: "will ask no question after the reveal",
    Asks.HAND: "will ask which hand it takes when it works",
    Asks.ELEMENT: "will ask whether it is of fire or ice when it works",
}
HANDS: Final = {
    Hands.HELD: "will hold the hand that its caster names",
    Hands.REPEATED: "will have both hands make again what they made",
    Hands.FRIGHTENED: "will leave the hands the letters of fear alone",
    Hands.COPIED: "will have the left hand make what the right one makes",
    Hands.DRAWN: "will have one hand that is drawn make a letter that is drawn",
    Hands.CHARMED: "will have its caster write for the hand that they name",
    Hands.FREE: "will leave both hands free",
}
VICTIMS: Final = {
    Victims.ORDERED: "will leave a monster to its controller’s orders",
    Victims.LAST: "will have a monster attack again whom it attacked",
    Victims.DRAWN: "will have a monster attack whom a draw gives",
    Victims.NOBODY: "will keep a monster from attacking",
}
STABBED: Final = {
    Legal.ANY: "every being, oneself too",
    Legal.OTHERS: "every being but oneself",
    Legal.WIZARDS: "wizards, oneself too",
    Legal.OPPONENTS: "other wizards",
}
STAB_DEFAULTS: Final = {Default.SELF: "at the stabber", Default.OPPONENT: "at the opponent"}


def _either(name: str, yes: str, no: str) -> Callable[[Spell], str]:
    return lambda spell: yes if getattr(spell, name) else no


# By field of `Spell`, in the order in which a page lists them.
COLUMNS: Final[Mapping[str, Column]] = {
    "name": Column(lambda spell: f"is what {BARTLE_1.spells[spell.id].name} is called here", {}),
    "patterns": Column(
        lambda spell: f"is {_ways(spell)}",
        {"blindness": "R23", "time_stop": "R25"},
    ),
    "default": Column(
        lambda spell: f"will be cast {DEFAULTS[spell.default]} where nobody is named",
        {"remove_enchantment": "R11", "charm_monster": "R12"},
        rule="R10",
    ),
    "works": Column(lambda spell: WORKS[spell.works], {}, rule="R70"),
    "lasts": Column(
        lambda spell: TIME_STOP[spell.lasts] if spell.id == "time_stop" else LASTS[spell.lasts],
        {"delayed_effect": "R102", "permanency": "R102", "time_stop": "R99"},
    ),
    "amount": Column(lambda spell: f"will do or cure {spell.amount} points", {}),
    "monster": Column(lambda spell: f"will make a monster of the kind {spell.monster}", {}),
    "can_be_permanent": Column(
        _either("can_be_permanent", "can be made permanent", "can never be made permanent"),
        {},
        rule="R107",
    ),
    "on_corpses": Column(
        _either("on_corpses", "can be written at a corpse", "cannot be written at a corpse"),
        {},
        rule="R150",
        but="can be written at a corpse",
    ),
    "on_dead_wizards": Column(
        _either(
            "on_dead_wizards",
            "can bring back a dead wizard",
            "cannot be written at a dead wizard",
        ),
        {},
        rule="R54",
    ),
    "nowhere": Column(
        _either("nowhere", "can be shot at nowhere", "cannot be shot at nowhere"),
        {},
        rule="R8",
        of_all=lambda spell: (
            "Every spell can be shot at nowhere."
            if spell.nowhere
            else "No spell can be shot at nowhere: what is completed goes at somebody."
        ),
    ),
    "aimable": Column(
        _either(
            "aimable",
            "can be written at a subject, and will come whatever it is",
            "will take no subject if the whole arena is meant",
        ),
        {},
        rule="W3",
    ),
    "once_by": Column(
        lambda spell: (
            f"can be cast once in a battle with {pattern_text(spell.once_by)}"
            if spell.once_by
            else "can be cast any number of times with any of its gestures"
        ),
        {},
        rule="R18",
    ),
    "legal": Column(lambda spell: LEGAL[spell.legal], {"anti_spell": "R93"}, rule="R61"),
    "reflectable": Column(
        _either("reflectable", "will be sent back by a Magic Mirror", "will pass a Magic Mirror"),
        {},
        rule="R40",
    ),
    "counterable": Column(
        _either("counterable", "will be stopped by a Counter-spell", "will pass a Counter-spell"),
        {"raise_dead": "R207"},
        rule="R37",
    ),
    "shieldable": Column(
        _either("shieldable", "will be stopped by a shield", "will pass a shield"),
        {},
        rule="turn:shield",
    ),
    "element": Column(
        lambda spell: f"will be harm by {ELEMENTS[spell.element]}, which a resistance stops",
        {},
        rule="turn:heat_and_cold",
    ),
    "resists": Column(
        lambda spell: f"will save its subject from {ELEMENTS[spell.resists]}",
        {},
        rule="turn:heat_and_cold",
    ),
    "destroys": Column(
        lambda spell: (
            f"will destroy {listed([MONSTER_KINDS[kind].name for kind in spell.destroys])}"
            " before it attacks"
            if spell.destroys
            else "will destroy no monster before it attacks"
        ),
        {},
        rule="turn:heat_and_cold",
    ),
    "heals": Column(
        lambda spell: (
            f"will end {listed([BARTLE_1.spells[id].name for id in spell.heals])}"
            if spell.heals
            else "will end no illness"
        ),
        {},
        rule="R90",
    ),
    "removable": Column(
        _either(
            "removable",
            "will be ended by a Remove Enchantment of its turn",
            "will stand against a Remove Enchantment of its turn",
        ),
        {},
        rule="W30",
    ),
    "helps": Column(_either("helps", "will be taken for help", "will not be taken for help"), {}),
    "harms": Column(_either("harms", "will be taken for harm", "will not be taken for harm"), {}),
    "slays": Column(_either("slays", "will kill outright", "will kill nobody outright"), {}),
    "raises": Column(_either("raises", "will raise the dead", "will raise nobody"), {}, rule="R54"),
    "one_master": Column(
        _either(
            "one_master",
            "will be void where two masters’ meet",
            "will not be void where two masters’ meet",
        ),
        {},
        rule="R76",
    ),
    "asks": Column(lambda spell: ASKED[spell.asks], {}, rule="turn:answers"),
    "hands": Column(lambda spell: HANDS[spell.hands], {}, rule="R79"),
    "victims": Column(lambda spell: VICTIMS[spell.victims], {}, rule="W15"),
}

# fmt: off
# By field of `Ruleset`, in the order in which a page lists them.
SWITCHES: Final[Mapping[str, Switch | Offer | Stabs | Table]] = {
    "asking": Offer(
        "turn:answers",
        {
            Asking.AFTER_MAGIC: "All is written before the reveal but the hand of a paralysis or a charm and the kind of an elemental.",
            Asking.AT_EVERY_STEP: "{turn:answers of spellcast, 2}",
        },
    ),
    "haste": Offer(
        "R97",
        {
            Haste.TWO_SETS: "The hasted make two sets in each turn, sealed together.",
            Haste.OWN_PHASE: "{R97 of spellcast, 2}",
            Haste.OWN_TURN: "{W9} {W42}",
        },
    ),
    "minds": Offer(
        "R168",
        {
            Minds.BY_TURN: "Spells upon the mind act on the turns that they are laid for, by the gestures of the turn of their casting.",
            Minds.NEXT_ROW: "{R168 of spellcast}",
            Minds.NEXT_TURN: "{W16} {W17} {W26}",
        },
    ),
    "paralysed": Table(
        "R80",
        lambda table: (
            "A paralysed hand makes "
            + listed([f"{after} after {before}" for before, after in table.items()])
            + ", and what it made again after all else."
        ),
    ),
    "under_fear": Table(
        "R87",
        lambda letters: (
            "A frightened hand can make "
            + listed([GESTURE_NAMES[letter] for letter in letters])
            + " alone."
        ),
    ),
    "confused": Table(
        "spell:confusion",
        lambda letters: f"The die for a confused hand’s gesture shows {' '.join(letters)}.",
    ),
    "stopped_sight": Offer(
        "R121",
        {
            StoppedSight.EACH_OTHER: "The time-stopped see each other’s hands.",
            StoppedSight.OWN: "{R121 of spellcast}",
        },
    ),
    "opponent": Offer(
        "R13",
        {
            Opponent.NEXT_SEAT: "The opponent, where nobody is named, is the next living wizard in the order of the seats.",
            Opponent.LOWEST_SEAT: "{R13 of spellcast}",
            Opponent.DRAWN: "{R13 of warlocks}",
        },
    ),
    "stab": Stabs(),
    "two_stabs": Offer(
        "R16",
        {
            TwoStabs.REFUSED: "Two knives in one row are refused.",
            TwoStabs.LEFT: "{R16 of spellcast}",
            TwoStabs.RIGHT: "{W6}",
        },
    ),
    "subjects_to_come": Switch(
        "R14",
        "Spells and stabs can be aimed at monsters of their own turn.",
        "{R14 of spellcast}",
    ),
    "unordered": Offer(
        "R170",
        {
            Unordered.LAST_VICTIM: "A monster without orders attacks the last victim that was written for it, else the opponent.",
            Unordered.OPPONENT: "A monster without orders attacks the opponent, whomever it attacked before.",
            Unordered.LAST_OR_NOBODY: "A monster without orders attacks the last victim that was written for it, else nobody.",
            Unordered.KEPT: "{W39, 2}",
        },
    ),
    "full_bank": Offer(
        "R104",
        {
            FullBank.KEEPS: "While a spell is banked no other is taken.",
            FullBank.REPLACES: "{R104 of spellcast}",
        },
    ),
    "hand_named": Offer(
        "W18",
        {
            HandNamed.WHEN_IT_WORKS: "The caster of a paralysis or a charm names the hand as it works, after that turn’s reveal.",
            HandNamed.WHEN_IT_ACTS: "{W18, 2}",
        },
    ),
    "capture": Offer(
        "W34",
        {
            Capture.WHATEVER_COMES: "A delay or a permanency takes the first spell that it can, wanted or not.",
            Capture.MARKED: "{W34} {W35}",
        },
    ),
    "bank_keeps_subject": Switch(
        "W34",
        "{R105 of warlocks}",
        "The subject of a banked spell is named when it is released.",
    ),
    "bank_is_public": Switch(
        "W34",
        "{R147 of warlocks}",
        "What is banked is known to its owner alone.",
    ),
    "hearts_stop": Switch(
        "W27",
        "{W27, 2}",
        "No wizard stops their own heart.",
    ),
    "spent_fizzles": Switch(
        "R18",
        "What can be cast once, and has been, can still be taken for what its gestures complete, and fizzles.",
        "The gestures of what can be cast once, and has been, complete it no more.",
    ),
    "gesture_names": Switch(
        "R20",
        "Its text calls the gestures by other names, which matters to no rule.",
        "Its text calls the gestures by Bartle’s names.",
    ),
    "order_of_log": Switch(
        "R26",
        "A report tells the spells of a turn in the order of its own list, whoever cast them.",
        "A report tells the spells of a turn in the order of the seats.",
    ),
    "subject_picks_element": Switch(
        "R63",
        "The subject of Summon Elemental picks fire or ice.",
        "The caster of Summon Elemental picks fire or ice.",
    ),
    "removal_unmakes_summons": Switch(
        "R51",
        "Remove Enchantment on a wizard destroys the monsters summoned for him that turn.",
        "{R51 of spellcast}",
    ),
    "elementals_merge": Switch(
        "R65",
        "Two elementals of a kind become one without damage.",
        "{R65 of archmage}",
    ),
    "minds_in_force_cancel": Switch(
        "R78",
        "{R78 of archmage}",
        "A spell upon the mind that is at work leaves one newly cast alone.",
    ),
    "lasting_minds_repeat": Switch(
        "R173",
        "A lasting confusion or charm repeats what it did first.",
        "{R173 of warlocks}",
    ),
    "illness_waits_in_monsters": Switch(
        "W31",
        "An illness takes as long to kill a monster as a wizard.",
        "{R144 of warlocks}",
    ),
    "illness_spares_the_surrendering": Switch(
        "R112",
        "Who surrenders on the turn on which an illness would kill them leaves alive.",
        "{R112 of spellcast}",
    ),
    "preference": Offer(
        "R7",
        {
            Preference.LONGEST: "Where several spells are completed and none is chosen the longest is cast, then one of both hands, then the left hand’s.",
            Preference.BOTH_HANDS: "{W2}",
        },
    ),
    "dispelled_is_unspent": Switch(
        "W5",
        "What can be cast once in a battle is not spent when a Dispel Magic stops it.",
        "What can be cast once in a battle is spent even when a Dispel Magic stops it.",
    ),
    "corpses": Switch(
        "R56",
        "A killed monster leaves a corpse.",
        "{R56 of warlocks}",
    ),
    "early_spells_wait": Switch(
        "R134",
        "Counter-spells, mirrors and summons at a monster of their own turn work as soon as it is made.",
        "{R14 of warlocks}",
    ),
    "summons_by_kind": Switch(
        "W38",
        "{W38}",
        "Monsters of one turn are made in the order of the casts.",
    ),
    "mirrors_meet": Switch(
        "R41",
        "A spell that one mirror sends into another is lost.",
        "{W37}",
    ),
    "monsters_direct": Switch(
        "R43",
        "A charm or paralysis turned back by a monster’s mirror is directed by its master.",
        "{R43 of spellcast}",
    ),
    "newer_elemental_stays": Switch(
        "W43",
        "{R65 of warlocks}",
        "Where two elementals of a kind do not become one the older stays.",
    ),
    "elementals_immune": Switch(
        "R68",
        "A spell of its own element does an elemental no harm.",
        "A spell of its own element harms an elemental like any other being.",
    ),
    "heat_in_steps": Switch(
        "R66",
        "{W44}",
        "Elementals and storms meet all at once.",
    ),
    "can_attack_itself": Switch(
        "R74",
        "A monster can be ordered to attack itself.",
        "No monster can be ordered to attack itself.",
    ),
    "monsters_outlast_masters": Switch(
        "R73",
        "{R73 of warlocks}",
        "Once a wizard is out their monsters obey nobody.",
    ),
    "youngest_die_first": Switch(
        "W40",
        "A report tells the deaths of monsters with the youngest first.",
        "A report tells the deaths of monsters with the oldest first.",
    ),
    "keeps_bank": Switch(
        "R53",
        "{R53 of warlocks}",
        "Remove Enchantment and Dispel Magic take a banked spell as well.",
    ),
    "monsters": Table("spell:summon_goblin", lambda kinds: f"What monsters do in a turn, and what kills them: {_strengths(kinds)}."),
    "wizard_hit_points": Table("R109", lambda points: f"A wizard dies of {points} points of damage."),
    "surplus": Table(
        "W4",
        lambda points: (
            f"A cure can lift a being above its hit points at the start, by at most {points}."
            if points
            else "No cure lifts a being above its hit points at the start."
        ),
    ),
    "cures_first": Switch(
        "R30",
        "{R30 of warlocks}",
        "Cures and the damage of the turn are counted together.",
    ),
    "same_minds_cancel": Switch(
        "R76",
        "{W14}",
        "Two spells upon the mind of one kind do not cancel each other.",
    ),
    "minds_strike_monsters_at_once": Switch(
        "W15",
        "{W15}",
        "Upon a monster a spell upon the mind acts in the next turn.",
    ),
    "fear_refuses": Switch(
        "R87",
        "Gestures that fear bars cannot be written.",
        "{W24}",
    ),
    "anti_spell_blanks": Switch(
        "W25",
        "{W25}",
        "What was made in the turn of an Anti-spell can still be repeated and held.",
    ),
    "death_before_surrender": Switch(
        "W48",
        "{W48}",
        "Who surrenders as the last opponent dies has won only if their own spells killed.",
    ),
    "release_ignores_counter": Switch(
        "R105",
        "{R105 of archmage}",
        "A Counter-spell stops a spell that is released from a bank like any other.",
    ),
    "misses": Offer(
        "W33",
        {
            Misses.DAMAGE: "Spells that do damage, stabs and attacks miss the invisible; other spells find them, and the blind miss nobody.",
            Misses.ALL_AIMED: "{W33, 2}",
        },
    ),
    "unseen_casts_told": Switch(
        "W33",
        "The casts of a wizard whose hands are not seen are told.",
        "Of a wizard whose hands are not seen the casts are not told either, only what they do.",
    ),
    "blind_sense_spells": Switch(
        "R94",
        "The blind are told everything that happens but the gestures.",
        "The blind are told only of what touches them.",
    ),
    "markers": Switch(
        "R114",
        "{R114 of wizards, 2}",
        "Nothing is won from anybody but the battle.",
    ),
}

# What a whole order of play does differently from the one in which everything is sealed.
PLAYS: Final[Mapping[str, tuple[Difference, ...]]] = {
    STEPWISE: (
        # How a turn goes.
        Difference("{R85 of spellcast}", "R85"),
        Difference("{R86 of spellcast}", "R86"),
        Difference("{R176 of spellcast}", "R176"),
        Difference("{R201 of spellcast}", "R201"),
        # Seeing.
        Difference("{R94 of spellcast}", "R94", trust=DECIDES),
        Difference("{R95 of spellcast, 2}", "R95", trust=DECIDES),
        # Protection.
        Difference("{R43 of spellcast}", "R43"),
        Difference("{R51 of spellcast}", "R51", trust=ADMITS),
        Difference("{R38 of spellcast}", "R38"),
        Difference("{R142 of spellcast}", "R142"),
        Difference("{R54 of spellcast}", "R54"),
        Difference("{R208 of spellcast}", "R208"),
        Difference("{R209 of spellcast}", "R209"),
        Difference("{R56 of spellcast}", "R56"),
        Difference("{R18 of spellcast}", "R18"),
        Difference("{R50 of spellcast}", "R50"),
        Difference("{R30 of spellcast}", "R30"),
        # Upon the mind.
        Difference("{R76 of spellcast, 2}", "R76", trust=DECIDES),
        Difference("{R79 of spellcast}", "R79"),
        Difference("{R83 of spellcast}", "R83"),
        Difference("{R213 of spellcast}", "R213"),
        Difference("{R214 of spellcast}", "R214"),
        Difference("{R212 of spellcast}", "R212"),
        Difference("{R101 of spellcast}", "R101", trust=ADMITS),
        Difference("{R87 of spellcast}", "R87"),
        # Delay and permanency.
        Difference("{R102 of spellcast}", "R102", ("delayed_effect", "permanency"), ADMITS),
        Difference("{R105 of spellcast}", "R105"),
        Difference("{R106 of spellcast}", "R106"),
        # Extra rows.
        Difference("{R98 of spellcast}", "R98", trust=DECIDES),
        Difference("{R169 of spellcast}", "R169"),
        Difference("{R211 of spellcast}", "R211"),
        # Surrender and death.
        Difference("{R112 of spellcast}", "R112", trust=DIFFERS),
        Difference("{R111 of spellcast}", "R111"),
        Difference("{R210 of spellcast}", "R210"),
        Difference("{R110 of spellcast}", "R110"),
        Difference("{R73 of spellcast}", "R73"),
        Difference("{R116 of spellcast}", "R116", trust=ADMITS),
    ),
    NUMBERED: (
        Difference("{W8}", "W8"),
        Difference("{W10, 2}", "W10"),
        Difference("{W11, 2}", "W11"),
        Difference("{W12}", "W12"),
        Difference("{W13}", "W13"),
    ),
}
# fmt: on

OVERRULED: Final[Mapping[str, str]] = {"elementals_merge": "newer_elemental_stays"}
"""Fields that decide nothing where another one is set."""

# What says which ruleset it is and is told before turn 1, not how it plays. Fields that follow from
# others need no words either.
SETTLED: Final = frozenset({"class_", "mind", "takes_over", "gives_up"})
"""The fields of a row in which no two books can differ: the spell's phase settles them."""

IDENTITY: Final = frozenset(
    {
        *("id", "name", "description", "spells", "automaton", "completables", "ends", "asks"),
        *("opening", "variants"),
    }
)
