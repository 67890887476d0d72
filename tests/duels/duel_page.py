"""The page of a duel, and its order sheet."""

from django.http import HttpResponse
from django.test import Client

from duels.models import Duel, Orders
from tests.cast import open_turn


def post_orders(client: Client, duel: Duel, fields: dict[str, str], **more: str) -> HttpResponse:
    """Post the order sheet, as a browser does."""
    typed = {"turn": str(open_turn(duel).ordinal), "form_seal": "", "do": "seal"}
    return client.post(f"/duels/{duel.pk}/orders", typed | fields | more)  # type: ignore[return-value]  # a response


def duel_html(client: Client, duel: Duel) -> str:
    return client.get(f"/duels/{duel.pk}/").content.decode()


def seal_count(duel: Duel) -> int:
    return Orders.objects.filter(turn__duel=duel).count()
