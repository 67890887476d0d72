"""Advice to one wizard about their own orders, based only on what they may see.

It includes cautions before sealing, orders as text, and what gestures lead to and give up.
"""

from engine.advice.cautions import cautions
from engine.advice.hints import GestureHint, HandHint, hints, setbacks
from engine.advice.orders_text import orders_text

__all__ = ["GestureHint", "HandHint", "cautions", "hints", "orders_text", "setbacks"]
