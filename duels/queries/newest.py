"""A duel's newest speech, as it comes with the seats: most duels have none, and ask no more."""

from django.db.models import OuterRef, Subquery
from django.db.models.functions import Coalesce

from duels.models import Speech

_SAID = Speech.objects.filter(duel=OuterRef("duel_id")).order_by("-pk")

LAST_SAID = Coalesce(Subquery(_SAID.values("pk")[:1]), 0)
