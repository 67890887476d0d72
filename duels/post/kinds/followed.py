"""Notice that a duel of interest to a follower has begun or is over."""

from duels.models import Block, Outcome, Seat, Visibility
from duels.post.kinds.base import Context, NoticeKind
from duels.post.loading import reader_of
from duels.post.models import MailChoice, Notice


class Followed(NoticeKind):
    """The notice has the first turn if the duel has begun, and no turn if it is over."""

    code, label = "followed", "a duel that you follow"

    def context(self, notice: Notice) -> Context:
        seats = reader_of(notice).seats
        return {"winner": next((s.wizard.name for s in seats if s.outcome == Outcome.WON), "")}

    def time_limit(self, notice: Notice) -> str:
        return ""

    def is_wanted(self, choice: MailChoice) -> bool:
        return choice.followed

    def is_outdated(self, notice: Notice, seat: Seat | None) -> bool:
        """Return whether the duel has moved on, or the reader may no longer follow it."""
        duel, has_begun = notice.the_duel, notice.turn is not None
        blockers = Block.objects.filter(blocked=notice.wizard_id, wizard__seats__duel=duel)
        return (
            duel.is_over == has_begun or duel.visibility != Visibility.PUBLIC or blockers.exists()
        )
