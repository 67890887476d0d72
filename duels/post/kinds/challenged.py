"""Notice of a challenge."""

from duels.loaded import adjudication
from duels.models import DuelStatus, Seat
from duels.post.kinds.base import Context, LimitGroup, NoticeKind
from duels.post.models import Notice
from duels.post.queries import has_played_with
from duels.queries.terms import changed_terms
from duels.wording.moments import moment_words
from duels.wording.options import selected_options
from duels.wording.rule_index import differences


class Challenged(NoticeKind):
    code, label = "challenged", "you were challenged"
    limit_group = LimitGroup.UNASKED

    def time_limit(self, notice: Notice) -> str:
        return f"Open until {moment_words(notice.the_duel.expires_at, 'day')}."

    def context(self, notice: Notice) -> Context:
        duel = notice.the_duel
        is_known = notice.about is not None and has_played_with(notice.wizard, notice.about)
        return {
            "differences": differences(adjudication.ruleset_of(duel)),
            "changed_terms": changed_terms(duel),
            "options": selected_options(duel.options),
            "expires_on": moment_words(duel.expires_at, "day"),
            # Strangers could email anything to anyone in a challenge's message, so only its page
            # shows it.
            "words": duel.words if is_known else "",
        }

    def is_outdated(self, notice: Notice, seat: Seat | None) -> bool:
        gathering = notice.the_duel.status == DuelStatus.GATHERING
        return not gathering or seat is None or seat.accepted_at is not None
