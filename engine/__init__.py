"""The adjudication of Spellcaster: a pure function and some questions beside it.

No framework, no clock, no file, no network: positions, orders, answers and dice go in, positions
and events come out. RULES.md holds the rules that the code cites.
"""

from engine.advice import GestureHint, HandHint, cautions, given_up, hints, in_plain_words
from engine.begin import Duellist, Setup, begin, options_of
from engine.check import Fault, check
from engine.codec import dump, load, load_events, load_position
from engine.dice import AnyDice, Dice, NoDice, RecordedDice
from engine.events import Event
from engine.history import History, Turn
from engine.narrate import (
    Line,
    TurnReport,
    narrate,
    opening,
    option_text,
    question_text,
    told,
    turn_name,
)
from engine.notation import Misreading, UnreadableOrders, parse, stated, write
from engine.orders import HandSet, Orders, fields, from_fields
from engine.plain import InvalidData
from engine.position import Effect, Monster, Position, Wizard
from engine.progress import Progress, Step
from engine.questions import Question
from engine.resolve import IllegalOrders, drop, questions, resign, resolve, settled
from engine.resolve.markers import markers_moved
from engine.rulesets import RULESETS, Ruleset
from engine.sheet import (
    Advance,
    BankSheet,
    Capture,
    Caution,
    CharmedHand,
    Completion,
    GestureOption,
    HandSheet,
    MonsterSheet,
    SetSheet,
    Sheet,
    SubjectChoice,
    acting,
    awaited,
    being_name,
    default_orders,
    sheet,
)
from engine.view import (
    BeingView,
    Cell,
    EffectView,
    HandView,
    Row,
    Run,
    Square,
    TurnView,
    View,
    WizardView,
    view,
)

__all__ = [
    "RULESETS",
    "Advance",
    "AnyDice",
    "BankSheet",
    "BeingView",
    "Capture",
    "Caution",
    "Cell",
    "CharmedHand",
    "Completion",
    "Dice",
    "Duellist",
    "Effect",
    "EffectView",
    "Event",
    "Fault",
    "GestureHint",
    "GestureOption",
    "HandHint",
    "HandSet",
    "HandSheet",
    "HandView",
    "History",
    "IllegalOrders",
    "InvalidData",
    "Line",
    "Misreading",
    "Monster",
    "MonsterSheet",
    "NoDice",
    "Orders",
    "Position",
    "Progress",
    "Question",
    "RecordedDice",
    "Row",
    "Ruleset",
    "Run",
    "SetSheet",
    "Setup",
    "Sheet",
    "Square",
    "Step",
    "SubjectChoice",
    "Turn",
    "TurnReport",
    "TurnView",
    "UnreadableOrders",
    "View",
    "Wizard",
    "WizardView",
    "acting",
    "awaited",
    "begin",
    "being_name",
    "cautions",
    "check",
    "default_orders",
    "drop",
    "dump",
    "fields",
    "from_fields",
    "given_up",
    "hints",
    "in_plain_words",
    "load",
    "load_events",
    "load_position",
    "markers_moved",
    "narrate",
    "opening",
    "option_text",
    "options_of",
    "parse",
    "question_text",
    "questions",
    "resign",
    "resolve",
    "settled",
    "sheet",
    "stated",
    "told",
    "turn_name",
    "view",
    "write",
]
