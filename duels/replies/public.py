"""The public interface of the app for orders by email."""

from duels.replies.commands import receive_email as receive_email
from duels.replies.models import Reply as Reply
from duels.replies.models import ReplyOutcome as ReplyOutcome
