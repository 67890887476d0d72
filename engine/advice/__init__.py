"""Advice to one wizard about his own orders, from nothing but what he may know.

Cautions before sealing, the orders in plain words, what gestures lead to and what they give up.
"""

from engine.advice.cautions import cautions
from engine.advice.hints import GestureHint, HandHint, given_up, hints
from engine.advice.words import in_plain_words

__all__ = ["GestureHint", "HandHint", "cautions", "given_up", "hints", "in_plain_words"]
