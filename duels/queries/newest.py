"""An annotation of seats with their duel's newest message.

With it, duels without messages need no further query.
"""

from django.db.models import OuterRef, Subquery
from django.db.models.functions import Coalesce

from duels.models import Speech

_SAID = Speech.objects.filter(duel=OuterRef("duel_id")).order_by("-pk")

LAST_SAID = Coalesce(Subquery(_SAID.values("pk")[:1]), 0)
