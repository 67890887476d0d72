"""The first lesson: a duel of nine turns under Bartle's rules.

It teaches how gestures become spells, and then Missile, Shield, monsters, overlapping spells, how
to read the opponent's hands, Counter-spell, and how to use both hands together. The script does not
need dice.
"""

import json
from typing import Final

from duels.lessons.script import Lesson, LessonTurn

FIRST_LESSON_TURNS: Final = (
    LessonTurn(
        "-S",
        "WW",
        "Gestures are secret until the reveal. 15 damage kills. To keep it short, you start at 4, "
        "{rival} at 3.",
        "Some sequences are spells: S, D is Missile. Begin: right hand S; left hand does nothing.",
    ),
    LessonTurn(
        "SD",
        "SF",
        "You have seen {rival}’s gestures, and {rival} has seen yours. Nothing is hidden except "
        "what comes next.",
        "Right hand D: after the S, that makes a Missile, which flies at your enemy by itself. "
        "Left hand S: the first gesture of Summon Goblin, S F W.",
    ),
    LessonTurn(
        "FP",
        "DW",
        "A hit: one point of damage, and a wizard falls at 15. But {rival}’s left hand has made "
        "an S. If a D follows, a Missile comes at you.",
        "A single P is a Shield and stops it: right hand P. Left hand F, towards your goblin.",
    ),
    LessonTurn(
        "WS",
        "WD",
        "The Missile broke on your shield. You read your enemy’s hands and were ready: that is "
        "the whole art.",
        "Left hand W completes S F W: a goblin that obeys you and strikes at once. Right hand "
        "S: another Missile begins.",
    ),
    LessonTurn(
        "PD",
        "FF",
        "Your goblin attacks your enemy every turn, unless you choose someone else in your orders.",
        "Right hand D: Missile. Left hand P: a Shield, and more than that. The W before it and "
        "this P begin Cause Heavy Wounds, W P F D. One gesture can serve two spells.",
    ),
    LessonTurn(
        "FW",
        "PF",
        "Look at {rival}’s right hand: D F. Three more gestures make D F F D D, Lightning Bolt: "
        "five points of damage, and no shield stops it.",
        "A Counter-spell does: W W S, completed in the turn the bolt comes. Begin it: right "
        "hand W. Left hand F.",
    ),
    LessonTurn(
        "DW",
        "PD",
        "Two points of damage from Cause Light Wounds. Shields stop missiles, blades and "
        "monsters; they do not stop that.",
        "Nor will a shield stop yours: left hand D completes Cause Heavy Wounds, three points. "
        "Right hand W, the second gesture of the Counter-spell.",
    ),
    LessonTurn(
        "SS",
        "SD",
        "{rival}’s shield held off your goblin, but not your spell. And now that right hand has "
        "D F F D: the bolt comes with the next gesture.",
        "Right hand S: Counter-spell. Any spell cast at you this turn fails. The left hand "
        "makes S too, to prepare your next move.",
    ),
    LessonTurn(
        "DD",
        "FW",
        "The bolt has failed. {rival} has 12 points of damage, and both your hands have just "
        "made an S: the one that ended your Counter-spell counts again.",
        "Left hand D, right hand D: two Missiles. With the goblin that makes 15.",
    ),
)

FIRST_LESSON: Final = Lesson(
    slug="first",
    ruleset="bartle-1",
    setup=json.dumps({"wizards": [{"damage": 4}, {"damage": 3}]}),
    steps=FIRST_LESSON_TURNS,
    patience=24,
    won=(
        "You have won your first duel. Gestures, shields, a monster, a counter-spell, and two "
        "hands that work together: the rest of the spellbook is more of the same, only better."
    ),
    lost=(
        "{rival} has won this one. A first duel is never a disgrace, and the next starts "
        "whenever you like."
    ),
)
