"""Orders put right: whatever the engine's check refuses of them is left out."""

import engine
from engine.position import Position


def lawful(position: Position, wizard: str, orders: engine.Orders) -> engine.Orders:
    """These orders without the fields that break a rule; the defaults if nothing else is left."""
    faults = engine.check(position, wizard, orders)
    while faults:
        refused = {fault.field for fault in faults}
        flat = engine.fields(orders)
        kept = {
            field: value
            for field, value in flat.items()
            if field not in refused and _first_of(field) not in refused
        }
        if kept == flat:
            return engine.default_orders(position, wizard)
        orders = engine.from_fields(kept)
        faults = engine.check(position, wizard, orders)
    return orders


def _first_of(field: str) -> str:
    """The field without which this one means nothing."""
    return field.replace("victim2:", "victim:").replace("charmed2:", "charmed:")
