"""Advice to one wizard about their own orders, from nothing but what they may know.

Cautions before sealing, the orders in plain words, what gestures lead to and what they give up.
"""

from engine.advice.cautions import cautions
from engine.advice.hints import GestureHint, HandHint, hints, setbacks
from engine.advice.orders_in_words import orders_in_words

__all__ = ["GestureHint", "HandHint", "cautions", "hints", "orders_in_words", "setbacks"]
