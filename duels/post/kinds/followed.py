"""Notice that a duel has begun or ended, for followers of the duel or its wizards."""

from duels.models import Block, Outcome, Seat, Visibility
from duels.post.kinds.base import Context, NoticeKind
from duels.post.loading import reader_of
from duels.post.models import MailChoice, Notice


class Followed(NoticeKind):
    """The notice's turn is the first one if the duel has begun, or None if it is over."""

    code, label = "followed", "a duel that you follow"

    def context(self, notice: Notice) -> Context:
        seats = reader_of(notice).seats
        return {"winner": next((s.wizard.name for s in seats if s.outcome == Outcome.WON), "")}

    def time_limit(self, notice: Notice) -> str:
        return ""

    def is_wanted(self, choice: MailChoice) -> bool:
        return choice.followed

    def is_outdated(self, notice: Notice, seat: Seat | None) -> bool:
        """Return whether a duel that began is already over, or the reader may no longer see it."""
        duel, has_begun = notice.the_duel, notice.turn is not None
        blockers = Block.objects.filter(blocked=notice.wizard_id, wizard__seats__duel=duel)
        return (
            duel.is_over == has_begun or duel.visibility != Visibility.PUBLIC or blockers.exists()
        )
