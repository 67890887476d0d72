"""The public interface of the app for orders by email."""

from duels.replies.commands import receive_email as receive_email
from duels.replies.models import Outcome as Outcome
from duels.replies.models import Reply as Reply
