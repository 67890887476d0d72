"""Duels as text, for players.

- Reports: `narrate` turns a view's events into sentences, each with its rule. `opening_report` has
  the lines before turn 1, `turn_name` the name of a turn, and `story_of` and `highlights` the
  turning points of a finished duel.
- Questions: `question_text` and `option_text`.
- Text orders (docs/ORDERS.md): `parse_orders` and `write_orders`.
- Rules: `rulebook` reads RULES.md, `fill_quotations` fills in text that quotes it, and
  `differences` compares two rulesets.
- Names: `and_list`, `or_list`, `versus_text`, `hand_text`, `future_being_text`.

All texts are plain English without markup. If a function takes a view, it uses nothing else, so its
text reveals only what the view's observer may see.
"""

from engine.rules_text.differences import differences as differences
from engine.rules_text.differences import row_differences as row_differences
from engine.rules_text.play_text import Difference as Difference
from engine.rules_text.quoting import Rulebook as Rulebook
from engine.rules_text.quoting import fill_quotations as fill_quotations
from engine.rules_text.quoting import rulebook as rulebook
from engine.rules_text.wording import DRAWN_OPPONENT as DRAWN_OPPONENT
from engine.rules_text.wording import PLACE_WORDS as PLACE_WORDS
from engine.rules_text.wording import and_list as and_list
from engine.rules_text.wording import future_being_text as future_being_text
from engine.rules_text.wording import hand_text as hand_text
from engine.rules_text.wording import or_list as or_list
from engine.rules_text.wording import versus_text as versus_text
from engine.rules_text.wording import with_set_name as with_set_name
from engine.text_orders.notation import UnreadableOrders as UnreadableOrders
from engine.text_orders.notation import parse_orders as parse_orders
from engine.text_orders.notation import stated_fields as stated_fields
from engine.text_orders.notation import write_orders as write_orders
from engine.text_orders.order_parser import Misreading as Misreading
from engine.words.highlights import Highlight as Highlight
from engine.words.highlights import highlights as highlights
from engine.words.narrate import Line as Line
from engine.words.narrate import TurnReport as TurnReport
from engine.words.narrate import narrate as narrate
from engine.words.narrate import narrate_events as narrate_events
from engine.words.narrate import opening_report as opening_report
from engine.words.narrate import turn_name as turn_name
from engine.words.prose import OPTION_WORDS as OPTION_WORDS
from engine.words.questions import option_text as option_text
from engine.words.questions import question_text as question_text
from engine.words.story import ForgoneSpells as ForgoneSpells
from engine.words.story import SpellCount as SpellCount
from engine.words.story import Story as Story
from engine.words.story import StoryTurn as StoryTurn
from engine.words.story import TurningPoint as TurningPoint
from engine.words.story import WizardDamage as WizardDamage
from engine.words.story import WizardStory as WizardStory
from engine.words.story import story_of as story_of
