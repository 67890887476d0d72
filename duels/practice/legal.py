"""Correction of orders, by leaving out fields that the engine's check rejects."""

from dataclasses import replace

import engine.orders
import engine.play
from duels.wording.order_fields import order_field
from engine.play import Position


def without_faults(
    position: Position, wizard: str, orders: engine.orders.Orders
) -> engine.orders.Orders:
    """Return these orders without illegal fields, or default orders if they are still illegal."""
    faults = engine.play.check(position, wizard, orders)
    while faults:
        refused = {fault.field for fault in faults}
        flat = engine.orders.fields(orders)
        kept = {
            field: value
            for field, value in flat.items()
            if field not in refused and _parent_field(field) not in refused
        }
        if kept == flat:
            return engine.play.default_orders(position, wizard)
        orders = engine.orders.from_fields(kept)
        faults = engine.play.check(position, wizard, orders)
    return orders


def _parent_field(name: str) -> str:
    """Return the field that this one depends on, or the field itself."""
    field = order_field(name)
    return replace(field, number=1).name if field.kind in ("victim", "charmed") else name
