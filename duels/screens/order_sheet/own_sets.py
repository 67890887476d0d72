"""The reader's own gestures for the open turn, sealed or drafted, as rows of the history."""

from collections.abc import Mapping, Sequence

import engine.orders
import engine.play
from duels.queries.rows import DuelPage
from duels.screens.order_sheet.context import SubmittedForm
from duels.screens.order_sheet.form_parts import OrderForm
from duels.screens.parts.history.table import GridRow, OwnSet, open_rows
from duels.wording.order_fields import OrderField
from engine.play import NOTHING


def own_sets(page: DuelPage, typed: SubmittedForm | None) -> tuple[OwnSet, ...]:
    """Return the reader's sealed or drafted sets of gestures. Hands without a gesture are empty.

    If the order sheet shows the submitted form instead of the draft, its gestures are returned.
    """
    if page.sheet is None:
        return ()
    numbers = [part.number for part in page.sheet.sets]
    sealed = _sealed_fields(page)
    if typed is not None and typed.fills_sheet:
        is_sealed = _are_same_orders(typed.fields, sealed)
        return _own_sets_in_fields(typed.fields, numbers, is_sealed=is_sealed)
    if sealed and page.draft_saved_at is None:
        return _own_sets_in_fields(sealed, numbers, is_sealed=True)
    return _own_sets_in_fields(page.draft, numbers)


def grid_rows_in_fields(
    page: DuelPage, fields: Mapping[str, str], form: OrderForm
) -> tuple[GridRow, ...]:
    is_sealed = _are_same_orders(fields, _sealed_fields(page))
    numbers = [part.number for part in form.sets]
    return open_rows(page.view, _own_sets_in_fields(fields, numbers, is_sealed=is_sealed))


def _sealed_fields(page: DuelPage) -> Mapping[str, str]:
    """Return the fields of the reader's sealed orders, or {} if the orders are not sealed."""
    live = page.live_orders
    return live.fields if live is not None and not live.taken_back else {}


def _are_same_orders(fields: Mapping[str, str], sealed: Mapping[str, str]) -> bool:
    try:
        return engine.orders.fields(engine.orders.from_fields(fields)) == sealed
    except engine.play.InvalidData:
        return False


def _own_sets_in_fields(
    fields: Mapping[str, str], numbers: Sequence[int], *, is_sealed: bool = False
) -> tuple[OwnSet, ...]:
    names = [[OrderField("gesture", hand, number).name for hand in "LR"] for number in numbers]
    empty = NOTHING if is_sealed else ""
    return tuple(
        OwnSet(fields.get(left, empty), fields.get(right, empty), is_sealed)
        for left, right in names
    )
