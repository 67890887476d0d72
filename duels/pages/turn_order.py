"""The order of a turn in plain words, step by step, for any ruleset.

A step names the phases of `engine.resolve` that it describes, and a test compares the two. Text of
the rules themselves is quoted: see `engine.quoting`.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from duels.pages.spell_rows import family
from duels.rule_index import quoted
from engine import NUMBERED, SEALED, STEPWISE, Ruleset


@dataclass(frozen=True)
class Step:
    """The events at one point of a turn, with the rules that describe them in full."""

    title: str
    words: str
    rules: tuple[str, ...]
    phases: tuple[str, ...] = ()


@dataclass(frozen=True)
class Term:
    """A word and its meaning in these rules."""

    word: str
    meaning: str
    rule: str


def steps(ruleset: Ruleset) -> tuple[Step, ...]:
    """Return the steps of a turn in order."""
    told = STEPS_BY_ORDER_OF_PLAY[ruleset.order_of_play](ruleset)
    return tuple(replace(step, words=quoted(step.words)) for step in told)


def glossary(ruleset: Ruleset) -> tuple[Term, ...]:
    """Return terms that the rules use in a special sense, this ruleset's own terms first."""
    own = OWN_TERMS.get(family(ruleset), ())
    words = {term.word for term in own}
    return (*own, *(term for term in TERMS if term.word not in words))


def _sealed_steps(ruleset: Ruleset) -> Iterator[Step]:
    """Yield the steps if orders are sealed once and everything happens at the same time."""
    yield from _sealed_orders(ruleset)
    yield from _sealed_magic(ruleset)
    yield from _sealed_ending(ruleset)


def _sealed_orders(ruleset: Ruleset) -> Iterator[Step]:
    if ruleset.acts_before_turns:
        yield Step(
            "Extra actions",
            "Whoever has been stopped in time acts once before each of his next three turns: one "
            "gesture for each hand, or one attack of a monster. It is played at once and unseen; "
            "nothing protects anybody else from it.",
            ("R99", "turn:extra"),
        )
    yield Step("Orders", _orders_words(ruleset), ("turn:orders", "turn:subjects", "R9"))
    yield Step(
        "The reveal",
        "The last seal opens them all. Hands that are bound move first: amnesia, paralysis and "
        "fear, then the letter of a charm, then the dice of a confusion. What comes of it counts, "
        "for a clap and a surrender too.",
        ("turn:reveal", "R2", "R84"),
        ("reveal_gestures",),
    )
    yield Step(
        "Casting",
        "{turn:casting} A banked spell that is released is cast with the others; a delay or a "
        "permanency in force takes what it wants.",
        ("turn:casting", "R7", "R102"),
        ("complete_spells",),
    )


def _sealed_magic(ruleset: Ruleset) -> Iterator[Step]:
    yield Step(
        "Which spells work",
        "Dispel Magic is looked at first: if there is one, nothing else works. Then counter-spells "
        "and mirrors take hold, monsters are summoned, and every other spell is stopped, sent back "
        "or arrives. Finger of Death and Raise Dead undo each other, and so do different spells "
        f"upon one mind. {_questions_words(ruleset)}",
        ("turn:landing", "turn:guards", "turn:summons", "turn:minds", "turn:answers"),
        (
            "dispel_all",
            "raise_guards",
            "summon_monsters",
            "land_casts",
            "remove_and_cure",
            "settle_minds",
            "enchant",
            "ask",
        ),
    )
    yield Step(
        "Heat and cold",
        f"Storms, elementals, fireballs and resistances meet. {_elementals_words(ruleset)} What is "
        "destroyed here does not attack any more.",
        ("turn:heat_and_cold", "R65", "R66"),
        ("heat_and_cold",),
    )
    yield Step(
        "Everything strikes",
        "Spells, storms, stabs and monsters strike at one moment, also for those who die of it. "
        "Shields stop missiles, stabs and monsters.",
        ("turn:monsters", "turn:stab", "turn:shield"),
        ("strike",),
    )


def _sealed_ending(ruleset: Ruleset) -> Iterator[Step]:
    yield Step(
        "The sum",
        "All damage and all cures of the turn are added to what there was; nobody falls below no "
        "damage.",
        ("turn:damage", "R30"),
        ("tally",),
    )
    yield Step(
        "Deaths",
        "A wizard with fifteen points of damage dies, a monster with as many as it has; so does "
        "who is under a Finger of Death, or at the end of an illness. What was destroyed is gone.",
        ("turn:deaths", "R109", "R56"),
        ("bury",),
    )
    yield Step(
        "The winner",
        _winner_words(ruleset),
        ("turn:winner", "R111", *(["R114"] if ruleset.markers else [])),
        ("settle_winner", "move_markers"),
    )
    yield Step(
        "What binds the next turn",
        "An anti-spell breaks the sequences of its subject, and spells upon the mind take what "
        "they need: the gestures to repeat, the hand and its letter.",
        ("spell:anti_spell", "turn:minds"),
        ("bind_next_turn",),
    )
    yield Step("Clocks", _clock_words(ruleset), ("turn:clock", "turn:extra"), ("turn_the_page",))


def _orders_words(ruleset: Ruleset) -> str:
    nowhere = any(spell.nowhere for spell in ruleset.spells.values())
    unwanted = (
        "a spell that nobody is to have can be shot at nowhere"
        if nowhere
        else "every spell has a subject, wanted or not"
    )
    return (
        "Every wizard writes in secret and seals: a gesture for each hand, which spell it casts "
        "where it completes several, the subjects of spells and stabs, whom his monsters attack, "
        f"and the gestures of hands that he has charmed. What is not written has a default; "
        f"{unwanted}."
    )


def _questions_words(ruleset: Ruleset) -> str:
    asked = "which hand a paralysis or a charm takes"
    if "summon_elemental" not in ruleset.spells:
        return f"One thing is asked only now: {asked}."
    who = "the subject" if ruleset.subject_picks_element else "the caster"
    return f"Two things are asked only now: {asked}, and {who} is asked for fire or ice."


def _elementals_words(ruleset: Ruleset) -> str:
    if ruleset.elementals_merge:
        return "Opposites destroy each other; two elementals alike merge into an unhurt one."
    return "Opposites destroy each other. {R65 of archmage}"


def _winner_words(ruleset: Ruleset) -> str:
    words = (
        "Surrenders count now. The last one standing has won; those who go together have drawn, "
        "unless the gestures of a surrender cast the spell that killed."
    )
    if ruleset.markers:
        words += " {R114 of wizards, 2}"
    return words


def _clock_words(ruleset: Ruleset) -> str:
    words = "Effects on their last turn end, and a death by illness is a turn closer."
    if ruleset.acts_before_turns:
        return words
    return (
        "Whoever has been stopped in time has an extra turn first, alone and unseen, in which no "
        f"clock runs. {words}"
    )


def _stepwise_steps(ruleset: Ruleset) -> Iterator[Step]:
    """Yield the steps if gestures are sealed and everything else is asked as it comes up."""
    yield from STEPWISE_GESTURES
    yield from STEPWISE_MAGIC
    yield from STEPWISE_ENDING


STEPWISE_GESTURES: Final = (
    Step(
        "Gestures",
        "Every wizard seals a gesture for each hand, and, unless the duel is strict, the answers "
        "to what may be asked. While somebody is hasted, a phase for the hasted alone comes "
        "first: they see nobody’s hands, and what they cast waits for the turn itself.",
        ("turn:orders", "R97"),
    ),
    Step(
        "The hands move",
        "By seat, what binds the hands is put in force; whoever has charmed a hand is asked for "
        "its letter. Two palms surrender. Of two knives the right one is dropped.",
        ("turn:reveal", "R85", "R16"),
        ("reveal_rows",),
    ),
    Step(
        "Choice of spells",
        "A hand that completes several is asked for one, and the holder of a banked spell whether "
        "he releases it. Then a delay takes its spell, and a permanency one of what is left.",
        ("turn:casting", "R176", "R106"),
        ("complete_spells", "capture_spells"),
    ),
    Step(
        "Aim",
        "All spells and stabs are given their subjects at once, before any of them has done "
        "anything.",
        ("turn:answers", "turn:subjects"),
        ("aim_spells",),
    ),
)
STEPWISE_MAGIC: Final = (
    Step(
        "Which spells work",
        "First come Dispel Magic, counter-spells and mirrors. Each other spell is held against "
        "them: is its subject seen, countered, or under a mirror that sends harm back? What "
        "arrives is counted, being by being.",
        ("turn:landing", "R94", "R95", "R40"),
        ("gather_casts", "raise_guards", "land_spells"),
    ),
    Step(
        "Summons, heat and cold",
        "Whoever gets an elemental says whether it is fire or ice. Elementals and storms "
        "destroy each other, and some spells destroy monsters.",
        ("R63", "turn:heat_and_cold"),
        ("summon_monsters", "settle_elements"),
    ),
    Step(
        "Enchantments",
        "Spells upon one mind cancel; casters are asked which hand a paralysis or a charm takes. "
        "Resistances and shields are up, enchantments take hold, and Remove Enchantment ends them "
        "last of all.",
        ("turn:enchantments", "R76", "R77"),
        ("cancel_opposites", "protect", "enchant"),
    ),
)
STEPWISE_ENDING: Final = (
    Step(
        "Damage, then cures",
        "Spells and stabs do their damage; after that cures help, and the dead are raised.",
        ("turn:damage", "R142"),
        ("deal_damage", "cure_and_raise"),
    ),
    Step(
        "Monsters",
        "All get their orders, and attack one after another; those that die do so too.",
        ("turn:monsters", "R116"),
        ("monsters_attack", "move_minds"),
    ),
    Step(
        "Clocks and deaths",
        "Wizards by seat, then monsters: who has no points left dies, illness kills, and what "
        "lasts comes a turn nearer to its end.",
        ("turn:deaths", "turn:clock"),
        ("run_clocks",),
    ),
    Step(
        "The end, or what is next",
        "If at most one wizard is left the duel is over. Else those who are stopped in time go on, "
        "before the hasted, before all together.",
        ("turn:winner", "R98", "R111"),
        ("settle_winner", "turn_the_page"),
    ),
)


def _numbered_steps(ruleset: Ruleset) -> Iterator[Step]:
    """Yield the steps if every extra turn is a turn of its own."""
    yield from NUMBERED_ORDERS
    yield from NUMBERED_MAGIC
    yield from NUMBERED_ENDING


NUMBERED_ORDERS: Final = (
    Step(
        "Whose turn it is",
        "Every turn has the next number, an extra one too. In a normal turn everybody acts; in a "
        "hasted turn all who are hasted, in a time-stopped turn all who were stopped. Whoever does "
        "not act has an empty place in the history, and their next gestures follow their last ones "
        "directly.",
        ("W8", "W9", "W12"),
    ),
    Step(
        "Orders",
        "Everything is written in secret and sealed at once: a gesture for each hand, which spell "
        "it casts where it completes several, the subjects of spells and stabs, whom monsters "
        "attack, the hand that a paralysis holds, the hand and the gesture of a charm, marks for a "
        "delay or a permanency, the release of a banked spell. What is not written has a default. "
        "Nothing is asked after the reveal.",
        ("turn:orders", "W3", "W18", "W34", "W35"),
    ),
    Step(
        "The reveal",
        "The last seal opens them all. Hands that are bound move first: amnesia, paralysis, fear, "
        "a charm, a confusion. What comes of it counts, for a clap and a surrender too.",
        ("turn:reveal", "W21", "W22", "W24"),
        ("reveal_gestures",),
    ),
    Step(
        "Casting",
        "{turn:casting} {W2} What is marked is put into the bank or made permanent. Who is blind, "
        "and who cannot be seen, was settled when the turn began: spells and stabs that cannot "
        "find their subject are lost.",
        ("W2", "W33", "W34", "W35"),
        ("complete_spells",),
    ),
)
NUMBERED_MAGIC: Final = (
    Step(
        "Which spells work",
        "Dispel Magic is looked at first: if there is one, nothing else works. Then counter-spells "
        "and mirrors take hold (in a hasted turn those of the turn before still stand), monsters "
        "are summoned, the small ones first, and every other spell is stopped, sent back or "
        "arrives. Two spells upon one mind undo each other, of the same "
        "kind too. Upon a monster’s mind they act at once.",
        ("W11", "W36", "W37", "W38", "W14", "W15"),
        (
            "hold_guards",
            "dispel_all",
            "raise_guards",
            "hold_mirrors",
            "summon_monsters",
            "land_casts",
            "remove_and_cure",
            "settle_minds",
            "meet_older_minds",
            "enchant",
            "ask",
        ),
    ),
    Step(
        "Heat and cold",
        "{W44} {R65 of warlocks} What is destroyed here does not attack any more.",
        ("W43", "W44", "W45"),
        ("heat_and_cold",),
    ),
    Step(
        "Cures and blows",
        "Cures work first, one hit point above the start at most. Then spells, storms, stabs "
        "and monsters strike: the monsters by their age, hasted ones a second time, those that are "
        "stopped in time once more, past every shield. In an extra turn no monster attacks. What "
        "dies in this turn still strikes.",
        ("W4", "W40", "W10", "W13", "W42"),
        ("strike_in_rounds", "tally"),
    ),
)
NUMBERED_ENDING: Final = (
    Step(
        "Deaths",
        "Monsters die, then the sick whose time has come, then wizards with no hit point left, and "
        "last whoever has stopped their own heart.",
        ("W31", "W46", "W27"),
        ("bury",),
    ),
    Step(
        "The winner",
        "{W48} Then surrenders count: the last one left has won; where nobody is left, those who "
        "were in when the turn began have drawn.",
        ("W47", "W48"),
        ("settle_winner",),
    ),
    Step(
        "What binds the next turn",
        "An anti-spell breaks the sequences of its subject and makes nothing of the set; spells "
        "upon the mind wait for the next turn of their subject.",
        ("W16", "W28", "W25"),
        ("bind_next_turns",),
    ),
    Step(
        "The next turn, and clocks",
        "If somebody was stopped in time a turn of theirs comes next; else a turn of those who are "
        "hasted, unless one has followed the last normal turn already; else a normal turn. "
        "{turn:clock of warlocks}",
        ("W11", "W9", "W12"),
        ("turn_the_page",),
    ),
)
STEPS_BY_ORDER_OF_PLAY: Final[Mapping[str, Callable[[Ruleset], Iterator[Step]]]] = {
    SEALED: _sealed_steps,
    STEPWISE: _stepwise_steps,
    NUMBERED: _numbered_steps,
}
OWN_TERMS: Final[Mapping[str, tuple[Term, ...]]] = {
    "archmage": (
        Term(
            "before the turn",
            "ahead of all that anybody else does on that turn: a monster destroyed then makes no "
            "attack",
            "R96",
        ),
        Term(
            "after the turn",
            "at its very end: a monster destroyed then has made its attack",
            "turn:deaths",
        ),
    ),
    "warlocks": (
        Term("warlock", "what a wizard is called there: somebody who duels", "turn:start"),
        Term("turn", "whatever has a number, a hasted or a time-stopped turn too", "W8"),
        Term("hit points", "fifteen at the start, less the damage that was done", "W4"),
        Term(
            "window",
            "the turns in which a delay or a permanency can take a marked spell",
            "W34",
        ),
        Term("set", "the gestures of both hands made together: one in each turn", "W8"),
        Term(
            "banked",
            "kept by a Delay Effect with its subject, to be cast when its holder wishes",
            "W34",
        ),
        Term(
            "killed, destroyed",
            "the killed have made their attack, the destroyed may have lost it; neither leaves "
            "anything that can be named",
            "W41",
        ),
    ),
}
TERMS: Final = (
    Term(
        "subject", "the being at which a spell is cast; the caster is who cast it", "turn:subjects"
    ),
    Term("being", "a wizard or a monster; elementals are monsters", "R70"),
    Term("set", "the gestures of both hands made together; the hasted make two a turn", "R97"),
    Term(
        "shield",
        "what stops missiles, stabs and monsters, whatever spell it comes from",
        "turn:shield",
    ),
    Term("banked", "kept by a Delayed Effect, to be cast when its holder wishes", "R103"),
    Term(
        "killed, destroyed",
        "the killed leave a corpse that can be raised, the destroyed nothing",
        "R56",
    ),
)
