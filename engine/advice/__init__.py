"""Advice to one wizard about their own orders, based only on what they may see.

It includes cautions before sealing, orders as text, and hints about what each gesture leads to or
gives up.
"""

from engine.advice.cautions import cautions
from engine.advice.hints import GestureHint, HandHint, hints, setbacks
from engine.advice.orders_text import orders_text

__all__ = ["GestureHint", "HandHint", "cautions", "hints", "orders_text", "setbacks"]
