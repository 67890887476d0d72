"""An annotation for seats with the id of their duel's newest message.

It saves a query if the duel has no messages.
"""

from django.db.models import OuterRef, Subquery
from django.db.models.functions import Coalesce

from duels.models import Speech

_SAID = Speech.objects.filter(duel=OuterRef("duel_id")).order_by("-pk")

LAST_SAID = Coalesce(Subquery(_SAID.values("pk")[:1]), 0)
