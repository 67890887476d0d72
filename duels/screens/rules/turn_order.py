"""Descriptions of a turn, step by step in plain words, for every ruleset.

A test compares the steps with the phases of `engine.resolve`. Text from the rules is quoted
(`engine.rules_text.quoting`).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from duels.screens.parts.rules.spell_rows import ruleset_family
from duels.wording.rule_index import with_quoted_rules
from engine.play import NUMBERED, STEPWISE, Ruleset


@dataclass(frozen=True)
class Step:
    """One step of a turn, with the rules that describe it in full."""

    title: str
    words: str
    rules: tuple[str, ...]


@dataclass(frozen=True)
class Term:
    """A term and its meaning in these rules."""

    word: str
    meaning: str
    rule: str


def turn_steps(ruleset: Ruleset) -> tuple[Step, ...]:
    told = FIXED_STEPS.get(ruleset.order_of_play) or _sealed_steps(ruleset)
    return tuple(replace(step, words=with_quoted_rules(step.words)) for step in told)


def rule_terms(ruleset: Ruleset) -> tuple[Term, ...]:
    """Return the terms that the rules use in a special sense, this ruleset's own first."""
    own = RULESET_TERMS.get(ruleset_family(ruleset), ())
    words = {term.word for term in own}
    return (*own, *(term for term in SHARED_TERMS if term.word not in words))


def _sealed_steps(ruleset: Ruleset) -> Iterator[Step]:
    """Yield the steps for rulesets in which everyone seals once and spells act together."""
    if ruleset.acts_before_turns:
        yield Step(
            "Extra actions",
            "A time-stopped wizard acts once before each of their next three turns, with one "
            "gesture for each hand. A time-stopped monster attacks once. This is played at once "
            "and unseen, and nothing protects anyone else from it.",
            ("R99", "turn:extra"),
        )
    yield Step("Orders", _orders_words(ruleset), ("turn:orders", "turn:subjects", "R9"))
    yield Step(
        "The reveal",
        "The last seal opens all orders. Forced gestures come first: "
        "amnesia, paralysis and fear, then the letter of a charm, then the dice of a confusion. "
        "From here on, only the resulting gestures count, even for a clap or a surrender.",
        ("turn:reveal", "R2", "R84"),
    )
    yield Step(
        "Casting",
        "{turn:casting} A released banked spell is cast with the others. A delay or a "
        "permanency in effect takes its spell.",
        ("turn:casting", "R7", "R102"),
    )
    yield from _steps_of_spells(ruleset)
    yield from _ending_steps(ruleset)


def _steps_of_spells(ruleset: Ruleset) -> Iterator[Step]:
    yield Step(
        "Which spells work",
        "Dispel Magic comes first: if there is one, no other spell works. "
        f"{_merging_words(ruleset)}Then counter-spells and mirrors take effect, monsters are "
        "summoned, and every other spell is stopped, sent back or reaches its subject. Finger of "
        "Death and Raise Dead cancel each other, and so do "
        f"different mind spells on one being. {_questions_words(ruleset)}",
        ("turn:landing", "turn:guards", "turn:summons", "turn:minds", "turn:answers"),
    )
    yield Step(
        "Heat and cold",
        f"Storms, elementals, fireballs and resistances meet. {_elementals_words(ruleset)} "
        "Anything destroyed here no longer attacks.",
        ("turn:heat_and_cold", "R65", "R66"),
    )
    yield Step(
        "Everything strikes",
        "Spells, storms, stabs and monsters strike at the same moment, and those who are killed "
        "still strike. Shields stop missiles, stabs and monsters.",
        ("turn:monsters", "turn:stab", "turn:shield"),
    )


def _ending_steps(ruleset: Ruleset) -> Iterator[Step]:
    yield Step(
        "Damage and cures",
        "All damage of the turn is added to earlier damage, and all cures are subtracted. Damage "
        "never falls below zero.",
        ("turn:damage", "R30"),
    )
    yield Step(
        "Deaths",
        "A wizard dies with fifteen points of damage, and a monster when its damage equals its hit "
        "points. Finger of Death and the end of an illness also kill. Destroyed monsters are "
        "removed.",
        ("turn:deaths", "R109", "R56"),
    )
    yield Step(
        "The winner",
        _winner_words(ruleset),
        ("turn:winner", "R111", *(["R114"] if ruleset.markers else [])),
    )
    yield Step(
        "Effects on the next turn",
        "An anti-spell breaks the sequences of its subject. Mind spells record what they need: "
        "the gestures to repeat, or the hand and its letter.",
        ("spell:anti_spell", "turn:minds"),
    )
    yield Step("Clocks", _clock_words(ruleset), ("turn:clock", "turn:extra"))


def _orders_words(ruleset: Ruleset) -> str:
    nowhere = any(spell.nowhere for spell in ruleset.spells.values())
    unwanted = (
        "A spell that should not hit anyone can be cast without a target"
        if nowhere
        else "Every spell has a subject, even if it should not hit anyone"
    )
    return (
        "Every wizard secretly writes and seals orders: a gesture for each hand, which spell it "
        "casts if it completes several, the subjects of spells and stabs, the victims of their "
        "monsters, and the gestures of hands they have charmed. Anything left out takes its "
        f"default. {unwanted}."
    )


def _questions_words(ruleset: Ruleset) -> str:
    asked = "After the reveal, casters choose which hand a paralysis or a charm holds"
    if "summon_elemental" not in ruleset.spells:
        return f"{asked}."
    who = "the subject" if ruleset.subject_picks_element else "the caster"
    return f"{asked}, and {who} chooses fire or ice."


def _merging_words(ruleset: Ruleset) -> str:
    if not ruleset.elementals_merge:
        return ""
    return "Two elementals of a kind merge into one that is unhurt. "


def _elementals_words(ruleset: Ruleset) -> str:
    words = "Opposites destroy each other."
    return words if ruleset.elementals_merge else words + " {R65 of archmage}"


def _winner_words(ruleset: Ruleset) -> str:
    words = (
        "Surrenders count now. The last wizard left has won. If the last ones die or surrender "
        "together, it is a draw, unless the gestures of a surrender cast the spell that killed."
    )
    if ruleset.markers:
        words += " {R114 of wizards, 2}"
    return words


def _clock_words(ruleset: Ruleset) -> str:
    words = "Effects on their last turn end, and illnesses move a turn closer to death."
    if ruleset.acts_before_turns:
        return words
    return (
        "Time-stopped wizards have an extra turn first, alone and unseen, while no clock runs. "
        f"{words}"
    )


# In these steps, only gestures are sealed, and everything else is asked later.
STEPWISE_STEPS: Final = (
    Step(
        "Gestures",
        "Every wizard seals a gesture for each hand and, unless the duel is strict, the answers "
        "to possible questions. While anyone is hasted, a phase only for the hasted comes first. "
        "They do not see the other hands, and the spells they cast wait for the turn itself.",
        ("turn:orders", "R97"),
    ),
    Step(
        "The hands move",
        "Seat by seat, the effects that bind hands apply, and the charmer of a hand chooses "
        "its letter. Two palms are a surrender. If both hands stab, the right "
        "one does nothing.",
        ("turn:reveal", "R85", "R16"),
    ),
    Step(
        "Choice of spells",
        "If a hand completes several spells, its wizard chooses one. The holder of a banked spell "
        "is asked whether to release it. Then a delay takes its spell, and a permanency takes one "
        "that is left.",
        ("turn:casting", "R176", "R106"),
    ),
    Step(
        "Aim",
        "All spells and stabs get their subjects at the same time, before any takes effect.",
        ("turn:answers", "turn:subjects"),
    ),
    Step(
        "Which spells work",
        "Dispel Magic, counter-spells and mirrors come first. Each other spell is checked against "
        "them: is its subject seen, countered, or under a mirror that sends harm back? The spells "
        "that reach each being are counted.",
        ("turn:landing", "R94", "R95", "R40"),
    ),
    Step(
        "Summons, heat and cold",
        "The wizard who gets an elemental chooses fire or ice. Elementals and storms destroy each "
        "other, and some spells destroy monsters.",
        ("R63", "turn:heat_and_cold"),
    ),
    Step(
        "Enchantments",
        "Mind spells on the same being cancel each other. Casters are asked which hand a paralysis "
        "or a charm holds. Resistances and shields start, then enchantments take effect, and "
        "Remove Enchantment comes last and ends them.",
        ("turn:enchantments", "R76", "R77"),
    ),
    Step(
        "Damage, then cures",
        "Spells and stabs deal their damage. After that, cures work and the dead are raised.",
        ("turn:damage", "R142"),
    ),
    Step(
        "Monsters",
        "All monsters get their orders and attack one after another. Dying monsters still attack.",
        ("turn:monsters", "R116"),
    ),
    Step(
        "Clocks and deaths",
        "First the wizards in seat order, then the monsters: those with no points left die, "
        "illness kills, and lasting effects move a turn closer to their end.",
        ("turn:deaths", "turn:clock"),
    ),
    Step(
        "The end or the next turn",
        "If at most one wizard is left, the duel is over. Otherwise the time-stopped act next, "
        "then the hasted, then everyone.",
        ("turn:winner", "R98", "R111"),
    ),
)


# Every extra turn is a separate turn.
NUMBERED_STEPS: Final = (
    Step(
        "Normal and extra turns",
        "Every turn has its own number, even an extra one. Everyone acts in a normal turn, the "
        "hasted in a hasted turn, and the time-stopped in a time-stopped turn. A wizard who does "
        "not act has an empty place in the history, and their next gestures directly follow their "
        "last ones.",
        ("W8", "W9", "W12"),
    ),
    Step(
        "Orders",
        "Everything is written secretly and sealed together: a gesture for each hand, which spell "
        "it casts if it completes several, the subjects of spells and stabs, the victims of "
        "monsters, the hand that a paralysis holds, the hand and gesture of a charm, marks for "
        "delays and permanencies, and the release of a banked spell. Anything left out takes its "
        "default. There are no questions after the reveal.",
        ("turn:orders", "W3", "W18", "W34", "W35"),
    ),
    Step(
        "The reveal",
        "The last seal opens all orders. Forced gestures come first: "
        "amnesia, paralysis, fear, charm and confusion. From here on, only the resulting gestures "
        "count, even for a clap or a surrender.",
        ("turn:reveal", "W21", "W22", "W24"),
    ),
    Step(
        "Casting",
        "{turn:casting} {W2} Marked spells are banked or made permanent. Blindness and "
        "invisibility count as they were when the turn began: spells and stabs that cannot find "
        "their subject are lost.",
        ("W2", "W33", "W34", "W35"),
    ),
    Step(
        "Which spells work",
        "Dispel Magic comes first: if there is one, no other spell works. Then counter-spells and "
        "mirrors take effect (in a hasted turn, those of the turn before still apply). Monsters "
        "are summoned, smallest first, and every other spell is stopped, sent back or reaches its "
        "subject. Two mind spells on one being cancel each other, even two of the same "
        "kind. On a monster they act at once.",
        ("W11", "W36", "W37", "W38", "W14", "W15"),
    ),
    Step(
        "Heat and cold",
        "{W44} {R65 of warlocks} Anything destroyed here no longer attacks.",
        ("W43", "W44", "W45"),
    ),
    Step(
        "Cures and blows",
        "Cures work first, and can raise hit points to one more than at the start. Then spells, "
        "storms, stabs and monsters strike. The oldest monsters attack first, hasted ones twice, "
        "and time-stopped ones once more, past every shield. No monster attacks in an extra turn. "
        "Anyone who dies in this turn still strikes.",
        ("W4", "W40", "W10", "W13", "W42"),
    ),
    Step(
        "Deaths",
        "Monsters die first, then the sick whose time has come, then wizards with no hit points "
        "left, and last any wizard who has stopped their own heart.",
        ("W31", "W46", "W27"),
    ),
    Step(
        "The winner",
        "{W48} Then surrenders count. The last wizard left has won. If no one is left, it is a "
        "draw between those who began the turn.",
        ("W47", "W48"),
    ),
    Step(
        "Effects on the next turn",
        "An anti-spell breaks the sequences of its subject, and the set counts as nothing. Mind "
        "spells wait for the next turn of their subject.",
        ("W16", "W28", "W25"),
    ),
    Step(
        "The next turn, and clocks",
        "If anyone was time-stopped, their turn comes next. Otherwise a hasted turn follows, "
        "unless one has already followed the last normal turn. Otherwise a normal turn "
        "follows. {turn:clock of warlocks}",
        ("W11", "W9", "W12"),
    ),
)
FIXED_STEPS: Final = {STEPWISE: STEPWISE_STEPS, NUMBERED: NUMBERED_STEPS}
RULESET_TERMS: Final[Mapping[str, tuple[Term, ...]]] = {
    "archmage": (
        Term(
            "before the turn",
            "ahead of everything that anyone else does on that turn: a monster destroyed then does "
            "not attack",
            "R96",
        ),
        Term(
            "after the turn",
            "at its very end: a monster destroyed then has already attacked",
            "turn:deaths",
        ),
    ),
    "spellcast": (
        Term(
            "row",
            "one set of gestures, made in a turn, in an extra turn or in a haste phase",
            "R97",
        ),
    ),
    "warlocks": (
        Term("warlock", "a wizard, as these rules call anyone who duels", "turn:start"),
        Term("turn", "anything with a number, even a hasted or time-stopped turn", "W8"),
        Term("hit points", "fifteen at the start, minus the damage so far", "W4"),
        Term(
            "window",
            "the turns in which a delay or a permanency can take a marked spell",
            "W34",
        ),
        Term("set", "the gestures of both hands, made together, one set in each turn", "W8"),
        Term(
            "banked",
            "kept by a Delay Effect, with its subject, to be cast whenever its holder chooses",
            "W34",
        ),
        Term(
            "killed, destroyed",
            "killed monsters have made their attack; destroyed ones may have lost it. Neither "
            "leaves anything that can be targeted",
            "W41",
        ),
    ),
}
SHARED_TERMS: Final = (
    Term(
        "subject",
        "the being at which a spell is cast; the caster is the one who cast it",
        "turn:subjects",
    ),
    Term("being", "a wizard or a monster; elementals are monsters", "R70"),
    Term(
        "set", "the gestures of both hands, made together; the hasted make two sets a turn", "R97"
    ),
    Term(
        "shield",
        "anything that stops missiles, stabs and monsters, whichever spell it comes from",
        "turn:shield",
    ),
    Term("banked", "kept by a Delayed Effect, to be cast whenever its holder chooses", "R103"),
    Term(
        "killed, destroyed",
        "the killed leave a corpse that can be raised; the destroyed leave nothing",
        "R56",
    ),
)
