"""Correction of orders, which removes fields that the engine rejects."""

import engine.orders
import engine.play
from engine.play import Position


def without_illegal_orders(
    position: Position, wizard: str, orders: engine.orders.Orders
) -> engine.orders.Orders:
    """Return these orders without illegal fields, or default orders if they are still illegal."""
    faults = engine.play.check(position, wizard, orders)
    while faults:
        refused = {fault.field for fault in faults}
        flat = engine.orders.fields(orders)
        kept = {field: value for field, value in flat.items() if field not in refused}
        if kept == flat:
            return engine.play.default_orders(position, wizard)
        orders = engine.orders.from_fields(kept)
        faults = engine.play.check(position, wizard, orders)
    return orders
