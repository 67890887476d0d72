"""The public interface of orders by reply."""

from duels.replies.commands import receive_email as receive_email
from duels.replies.models import Outcome as Outcome
from duels.replies.models import Reply as Reply
