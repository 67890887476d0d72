"""The door of orders by reply: what reads mails asks here."""

from duels.replies.commands import receive
from duels.replies.models import Outcome, Reply

__all__ = ["Outcome", "Reply", "receive"]
