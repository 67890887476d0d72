"""The order sheet: its data structures, their construction, and orders as text."""

from duels.pages.order_sheet.build import order_form, question_choices
from duels.pages.order_sheet.groups import being_groups
from duels.pages.order_sheet.shapes import (
    Book,
    Choice,
    HandPart,
    Hint,
    Option,
    OrderForm,
    SetPart,
)
from duels.pages.order_sheet.words import said

__all__ = [
    "Book",
    "Choice",
    "HandPart",
    "Hint",
    "Option",
    "OrderForm",
    "SetPart",
    "being_groups",
    "order_form",
    "question_choices",
    "said",
]
