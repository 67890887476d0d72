"""The public interface of messages for the rest of the project."""

from duels.messages.commands import mark_thread_read as mark_thread_read
from duels.messages.commands import messaging_refusal as messaging_refusal
from duels.messages.commands import quoted_with_context as quoted_with_context
from duels.messages.commands import report_message as report_message
from duels.messages.commands import send_message as send_message
from duels.messages.commands import set_consent as set_consent
from duels.messages.commands import set_muted as set_muted
from duels.messages.models import MAX_MESSAGE_LENGTH as MAX_MESSAGE_LENGTH
from duels.messages.models import Consent as Consent
from duels.messages.models import Participant as Participant
from duels.messages.queries import MESSAGES_PER_PAGE as MESSAGES_PER_PAGE
from duels.messages.queries import THREADS_PER_PAGE as THREADS_PER_PAGE
from duels.messages.queries import WizardRelation as WizardRelation
from duels.messages.queries import exported_messages as exported_messages
from duels.messages.queries import message_to as message_to
from duels.messages.queries import messages_of as messages_of
from duels.messages.queries import participant as participant
from duels.messages.queries import threads_of as threads_of
from duels.messages.queries import wizard_relation as wizard_relation
