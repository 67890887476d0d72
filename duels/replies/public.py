"""The public interface of orders by reply."""

from duels.replies.commands import receive
from duels.replies.models import Outcome, Reply

__all__ = ["Outcome", "Reply", "receive"]
