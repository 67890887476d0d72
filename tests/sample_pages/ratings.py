"""Pages with ratings: a finished duel, a wizard, two opponents, lists of duels, and ladders."""

from collections.abc import Iterator
from datetime import UTC, timedelta

from django.utils import timezone

from duels.archive.models import DailyDuel
from duels.commands import endings, profiles
from duels.models import Duel, Wizard
from duels.ratings.models import WizardRating
from tests.cast import begin, hands, make_wizard, play

REASON = (
    "Both wizards were rated 1700 or more; the winner had been 6 points of damage behind; it ended "
    "with a death on turn 23."
)
LOSER_SEQUENCE = "baabbaabaa"  # duels between the two wizards; each lasts three turns


def rated_pages() -> Iterator[tuple[str, str]]:
    """Play rated duels, and yield the name and address of each page."""
    ada, bert = make_wizard("Adalberta the Unfailing"), make_wizard("Bert")
    duels = [_rated_duel(ada, bert, bert if loser == "b" else ada) for loser in LOSER_SEQUENCE]
    now = timezone.now()
    WizardRating.objects.update(ranked_until=now + timedelta(days=30))
    begin(ada, bert)
    DailyDuel.objects.create(
        day=now.astimezone(UTC).date(), archived_id=duels[-1].pk, reason=REASON
    )
    about = "I answer every challenge, and most of them before breakfast."
    profiles.change_profile(wizard=ada, about=about, shows_last_seen=True, now=now)
    yield "rated duel", f"/duels/{duels[-1].pk}/"
    yield "rated wizard", f"/wizards/{ada.slug}/"
    yield "duels to watch by rating", "/duels/?show=watch&sort=rating"
    yield "archive by rating", "/archive/?sort=rating"
    yield "rated duels of two wizards", f"/wizards/{ada.slug}/against/{bert.slug}/"
    yield "ladder", "/ladders/bartle-1/"
    yield "ladder of reliable wizards", "/ladders/bartle-1/?by=reliability"
    yield "ladder empty", "/ladders/warlocks-1/?by=month"


def _rated_duel(one: Wizard, other: Wizard, loser: Wizard) -> Duel:
    duel = begin(one, other, rated=True)
    for _ in range(2):
        play(duel, {wizard: hands("W", "-") for wizard in (one, other)})
    return endings.resign(duel_id=duel.pk, wizard=loser, now=timezone.now())
