"""Templates for the sentences of reports, by event and cause, each with its rule.

`templates` explains the notation.
"""

from collections.abc import Mapping
from typing import Final

from engine.gestures import HAND_NAMES
from engine.spellbook import VictimEffect

OPENING_TEXT: Final[Mapping[str, tuple[str, str]]] = {
    "facing": ("{all} face each other with empty hands.", "turn:start"),
    "scrolls": ("{all} unroll blank scrolls.", "turn:start"),
    "dispelled": ("The referee casts [dispel_magic] to sweep away all earlier magic.", "R115"),
    "broken": ("An [anti_spell] on everyone follows: no earlier gesture counts.", "R115"),
    "bow": ("{all} bow to each other.", "R115"),
    "alone": ("No referee is needed: nothing before the first turn counts.", "R115"),
}  # fmt: skip


# By code of event. `narrate` has the sentences that depend on more than the event's fields.
EVENT_TEXT: Final[Mapping[str, tuple[str, str]]] = {
    "knife_kept": ("{who} <have|has who> only one knife: {who.his} {hand} does nothing.", "R16"),
    "banked": ("{who} <bank|banks who> {spell}.", "R103"),
    "extended": ("{whose} [permanency] makes {spell} permanent.", "spell:permanency"),
    "reflected": ("{whose} mirror sends {who's} {spell} back.", "spell:magic_mirror"),
    "summoned": ("{who} <appear|appears who> and <obey|obeys who> {whom}.", "turn:summons"),
    "merged": ("{who} and {whom} become one.", "R65"),
    "removed": ("{whose} {spell} is swept away.", "spell:{cause}"),
    "controlled": ("{who} now <obey|obeys who> {whom}.", "spell:{cause}"),
    "cured": ("{spell} cures {whom} of up to {points} of damage.", "spell:{spell}"),
    "doomed": ("{who} will not survive this turn: {spell}.", "spell:{cause}"),
    "raised": ("{whom} <rise|rises whom> from the dead.", "spell:raise_dead"),
    "destroyed": ("{whom} <are|is whom> destroyed: {spell}.", "spell:{cause}"),
    "broke": ("{whose} gestures so far can no longer be part of a spell.", "spell:anti_spell"),
    "time_stopped": ("Time stops for all but {whom}.", "spell:time_stop"),
    "surrendered": ("{who} <surrender|surrenders who>: both hands make P.", "gesture:surrender"),
    "resigned": ("{who} <resign|resigns who>.", "turn:resign"),
    "forfeited": ("{who} <run|runs who> out of time.", "turn:forfeit"),
    "wizard_removed": ("A referee has removed {whom} from the duel.", "turn:removal"),
    "won": ("{who} <win|wins who> the duel.", "turn:winner"),
    "drawn": ("The duel is a draw.", "turn:winner"),
    "marker_taken": ("{who} <take|takes who> a marker that bears {whose} name.", "R114"),
    "markers_returned": ("{who} <give|gives who> back every marker that {who.he} <have|has who.he> won.", "R114"),
}  # fmt: skip


FORCED_SURRENDER: Final = "{who} <surrender|surrenders who>: both hands make P because of {spell}."


# By purpose of the roll.
DICE_ROLL_TEXT: Final[Mapping[str, tuple[str, str]]] = {
    "victim": ("{who}, confused, <turn|turns who> on {whom} (roll: {die} of {sides}).", "R83"),
    "opponent": ("No subject is named for {whose} {hand}: the dice pick {whom} (roll: {die} of {sides}).", "R13"),
    "hand": ("[confusion] seizes {whose} {hand} (roll: {die}).", "spell:confusion"),
    "gesture": ("[confusion] picks its gesture (roll: {die}): {gesture}.", "spell:confusion"),
}  # fmt: skip


# Blows that are not spells, by source.
HIT_TEXT: Final[Mapping[str, tuple[str, str]]] = {
    "stab": ("{who} <stab|stabs who> {whom} for {points}.", "turn:stab"),
    "attack": ("{who} <attack|attacks who> {whom} for {points}.", "turn:victims"),
}  # fmt: skip


# Elementals that other elementals destroy.
DESTROYED_TEXT: Final[Mapping[str, tuple[str, str]]] = {
    "fire": ("{whom} <are|is whom> destroyed by its opposite.", "turn:heat_and_cold"),
    "ice": ("{whom} <are|is whom> destroyed by its opposite.", "turn:heat_and_cold"),
    "kin": ("{whom} <give|gives whom> way to an older one of its kind.", "R65"),
    "newer": ("{whom} <give|gives whom> way to a newer one of its kind.", "W43"),
}  # fmt: skip


FAILURE_TEXT: Final[Mapping[str, tuple[str, str]]] = {
    "dispelled": ("{who's} {spell} is dispelled.", "spell:dispel_magic"),
    "countered": ("{who's} {spell} fails: {whom} <are|is whom> under a [counter_spell].", "spell:counter_spell"),
    "nowhere": ("{who's} {spell} vanishes into thin air.", "R8"),
    "no_subject": ("{who's} {spell} is lost: its subject is not there.", "R14"),
    "too_early": ("{who's} {spell} comes too early: its subject does not exist yet.", "W36"),
    "corpse": ("{who's} {spell} is lost on a corpse.", "R150"),
    "mirrors": ("{who's} {spell} breaks between two mirrors.", "R41"),
    "removed": ("{who's} {spell} is swept away by the [remove_enchantment] on {whom}.", "R52"),
    "cured": ("{who's} {spell} is cured on the spot.", "R90"),
    "raised": ("{who's} {spell} does not cling to {whom}, who <rise|rises whom> clean.", "R137"),
    "mind_conflict": ("{who's} {spell} is cancelled by another spell on {whose} mind.", "R77"),
    "mind_in_force": ("{who's} {spell} is cancelled by a spell already at work on {whose} mind.", "R78"),
    "mind_waits": ("{who's} {spell} and the spell already waiting on {whose} mind cancel each other.", "W17"),
    "mind_lasts": ("{who's} {spell} fails: a permanent spell holds {whose} mind.", "W26"),
    "two_charmers": ("{who's} {spell} is cancelled by another charm on {whom}.", "R76"),
    "unsuitable": ("{who's} {spell} has no effect on {whom}.", "turn:enchantments"),
    "opposed": ("{who's} {spell} on {whom} is cancelled: death and life meet.", "R59"),
    "blind": ("{who's} {spell} at {whom} goes astray: the blind find nobody.", "R94"),
    "unseen": ("{who's} {spell} goes astray: {whom} <cannot|cannot whom> be seen.", "R95"),
    "spent": ("{who's} {spell} fizzles: made this way, it works only once in a battle.", "R18"),
    "no_master": ("{who's} {spell} comes back from a monster’s mirror and obeys nobody.", "R43"),
    "invisible": ("{who's} {spell} does {whom} no harm: {whom.he} cannot be seen.", "R95"),
    "shield": ("{who's} {spell} shatters on a shield before {whom}.", "turn:shield"),
    "resists": ("{who's} {spell} leaves {whom} cold: heat does no harm there.", "spell:resist_heat"),
    "storm": ("{who's} {spell} and the [ice_storm] cancel each other around {whom}.", "R67"),
    "powerless": ("{who's} {spell} on {whom} has no effect, like every [sacrifice].", "R24"),
    "nothing_given": ("{who's} {spell} on {whom} has no effect: no monster is given up.", "R24"),
    "already": ("{who's} {spell} adds nothing: the work is already done.", "R124"),
}  # fmt: skip


STOPPED_TEXT: Final[Mapping[str, tuple[str, str]]] = {
    "shield": ("{who's} {what} at {whom} is stopped by a shield.", "turn:shield"),
    "invisible": ("{who's} {what} misses {whom}, who cannot be seen.", "R95"),
    "resists": ("{who's} {what} does not harm {whom}: {whom.his} resistance holds.", "turn:heat_and_cold"),
    "blind": ("{who's} {what} at {whom} goes astray: the blind find nobody.", "R94"),
    "no_subject": ("{who's} {what} meets nothing.", "R17"),
    "counter_spell": ("{who's} {what} does not touch {whom}, under a [counter_spell].", "R151"),
    "fireball": ("{who's} {what} spares {whom}, in the heat of a [fireball].", "R67"),
}  # fmt: skip


REPEATING_TEXT: Final[Mapping[VictimEffect, str]] = {
    VictimEffect.LAST: "{whom} will have to do the same again.",
    VictimEffect.NOBODY: "{whom} <forget|forgets whom> everything.",
    VictimEffect.DRAWN: "{whom} <forget|forgets whom> whom to attack.",
    VictimEffect.ORDERED: "{whom} <obey|obeys whom> as before.",
}
"""Texts for a monster under a spell that makes wizards repeat their gestures. rules: R155, W15"""


IDLE_TEXT: Final[Mapping[str, tuple[str, str]]] = {
    "paralysis": ("{who} <are|is who> paralysed and cannot attack.", "spell:paralysis"),
    "amnesia": ("{who} <forget|forgets who> to attack.", "R155"),
    "confusion": ("{who} <find|finds who> nobody to attack.", "R83"),
    "fear": ("{who} <dare|dares who> not attack.", "W15"),
    "maladroitness": ("{who} <stumble|stumbles who> and <attack|attacks who> nobody.", "W15"),
    "ordered": ("{who} <hold|holds who> back as ordered.", "R170"),
    "uncontrolled": ("{who} <obey|obeys who> nobody and <stay|stays who> idle.", "R73"),
    "no_victim": ("{who} <find|finds who> nobody to attack.", "turn:victims"),
}  # fmt: skip


DEATH_TEXT: Final[Mapping[str, tuple[str, str]]] = {
    "wounds": ("{whom} <die|dies whom> of {whom.his} wounds.", "turn:deaths"),
    "finger_of_death": ("{whom} <drop|drops whom> dead: the [finger_of_death].", "spell:finger_of_death"),
    "disease": ("{whom} <die|dies whom> of the disease.", "spell:disease"),
    "poison": ("{whom} <die|dies whom> of the poison.", "spell:poison"),
    "heart": ("{whom} <stop|stops whom> {whom.his} own heart and <die|dies whom>.", "W27"),
}  # fmt: skip


ENCHANTED_TEXT: Final[Mapping[str, str]] = {
    "amnesia": "{whom} will have to repeat these gestures.",
    "confusion": "{whom} <become|becomes whom> confused.",
    "maladroitness": "{whom} <become|becomes whom> maladroit.",
    "charm_person": "{whose} {hand} is charmed.",
    "paralysis": "{whose} {hand} is paralysed.",
    "fear": "{whom} <are|is whom> struck with fear.",
    "protection_from_evil": "{whom} <are|is whom> protected from evil.",
    "resist_heat": "{whom} <resist|resists whom> heat.",
    "resist_cold": "{whom} <resist|resists whom> cold.",
    "disease": "{whom} <fall|falls whom> ill: the disease kills in six turns.",
    "poison": "{whom} <are|is whom> poisoned: the poison kills in six turns.",
    "blindness": "{whom} <go|goes whom> blind.",
    "invisibility": "{whom} <fade|fades whom> from sight.",
    "haste": "{whom} <speed|speeds whom> up.",
    "anti_spell": "{whose} sequences will break as this turn ends.",
    "time_stop": "{whom} will act once more before each of the next three turns.",
    "delayed_effect": "{whose} next spell will be banked.",
    "permanency": "{whose} next enchantment will be permanent.",
}

# Texts for windows that take only marked spells: first temporary, then permanent windows. rules:
# W34, W35
MARKED_WINDOW_TEXT: Final[Mapping[str, tuple[str, str]]] = {
    "delayed_effect": (
        "{whom} may bank a spell in the next three turns.",
        "{whom} may bank a spell at any time.",
    ),
    "permanency": (
        "{whom} may make an enchantment permanent in the next three turns.",
        "{whom} may make an enchantment permanent at any time.",
    ),
}

# Texts for monsters, if an illness kills them at the end of the turn. rules: W31
KILLED_AT_ONCE_TEXT: Final[Mapping[str, str]] = {
    "disease": "{whom} <fall|falls whom> ill: the disease kills at once.",
    "poison": "{whom} <are|is whom> poisoned: the poison kills at once.",
}


# Mind spells have no text, because their work is done when they lapse.
LAPSED_TEXT: Final[Mapping[str, str]] = {
    "protection_from_evil": "{whose} protection from evil ends.",
    "blindness": "{whom} <see|sees whom> again.",
    "invisibility": "{whom} can be seen again.",
    "haste": "{whom} <slow|slows whom> down again.",
    "time_stop": "{whom} no longer <act|acts whom> before the turn.",
    "delayed_effect": "{whose} [delayed_effect] passes unused.",
    "permanency": "{whose} [permanency] passes unused.",
}


TURN_NAMES: Final[Mapping[str, str]] = {
    "normal": "turn {number}",
    "extra": "extra turn {number}",
    "haste": "haste phase before turn {number}",
}

# Names of turns, for rulesets in which extra turns are numbered like the others. rules: W8
TURN_NAMES_WITH_NUMBER: Final[Mapping[str, str]] = {
    "normal": "turn {number}",
    "extra": "time-stopped turn {number}",
    "haste": "hasted turn {number}",
}


# By kind of question. {who} is the being that the question is about.
QUESTION_TEXT: Final[Mapping[str, str]] = {
    "elemental": "An elemental takes shape: fire or ice?",
    "paralysis": "Which of {whose} hands do you paralyse?",
    "paralysis_hand": "Which of {whose} hands do you paralyse?",
    "charm_person": "Which of {whose} hands do you charm?",
    "charm_hand": "Which of {whose} hands do you charm?",
    "charm_gesture": "Which gesture does {whose} charmed {hand} make?",
    "left_spell": "Which spell does your left hand cast?",
    "right_spell": "Which spell does your right hand cast?",
    "release": "Do you release the banked {spell}?",
    "which_delay": "Which of your spells should be banked?",
    "which_extend": "Which of your spells should be permanent?",
    "target": "Who do you cast {spell} at with {means}?",
    "target for": "Who do you cast {spell} for with {means}?",
    "released": "Who do you aim the banked {spell} at?",
    "released for": "Who is the banked {spell} for?",
    "stab": "Who do you stab with {means}?",
    "attack": "Who does {who} attack?",
    "attack 1": "Who does {who} attack first?",
    "attack 2": "Who does {who} attack next?",
}


OPTION_WORDS: Final[Mapping[str, str]] = {
    "L": f"the {HAND_NAMES['L']}",
    "R": f"the {HAND_NAMES['R']}",
    "fire": "fire",
    "ice": "ice",
    "yes": "yes",
    "no": "no",
}
"""Words for the options of questions that are not beings, spells or gestures."""


OVERRIDE_TEXT: Final[Mapping[str, str]] = {
    "amnesia": "{whose} {hand} {makes} again.",
    "confusion": "{whose} {hand}, confused, {makes}.",
    "maladroitness": "{whose} {hand}, maladroit, copies the other and {makes}.",
    "charm_person": "{whose} {hand}, charmed, {makes}.",
    "paralysis": "{whose} {hand}, paralysed, {makes}.",
    "fear": "{whose} {hand}, afraid, {makes}.",
}
