"""The public interface of the app for emails."""

from duels.post.bounce_address import BouncedNotice as BouncedNotice
from duels.post.bounce_address import parse_bounce_address as parse_bounce_address
from duels.post.bounce_codes import CODE_WITHOUT_REASON as CODE_WITHOUT_REASON
from duels.post.bounce_codes import BounceEffect as BounceEffect
from duels.post.bounce_codes import bounce_effect as bounce_effect
from duels.post.bounce_codes import bounce_status as bounce_status
from duels.post.commands.addressing import confirm_address as confirm_address
from duels.post.commands.addressing import delete_guest_address as delete_guest_address
from duels.post.commands.addressing import (
    request_address_confirmation as request_address_confirmation,
)
from duels.post.commands.bouncing import delete_silenced_addresses as delete_silenced_addresses
from duels.post.commands.bouncing import process_bounce as process_bounce
from duels.post.commands.bouncing import reactivate_addresses as reactivate_addresses
from duels.post.commands.choosing import delete_mail_choices as delete_mail_choices
from duels.post.commands.choosing import set_duel_mail_choice as set_duel_mail_choice
from duels.post.commands.choosing import set_mail_choice as set_mail_choice
from duels.post.commands.choosing import unsubscribe_by_token as unsubscribe_by_token
from duels.post.commands.delivering import deliver_due as deliver_due
from duels.post.commands.delivering import resend_own_notice as resend_own_notice
from duels.post.commands.queueing import drop_queued as drop_queued
from duels.post.commands.queueing import new_notice as new_notice
from duels.post.commands.queueing import notify as notify
from duels.post.commands.queueing import queue_gathering_notice as queue_gathering_notice
from duels.post.commands.queueing import queue_notices as queue_notices
from duels.post.commands.queueing import queue_speech as queue_speech
from duels.post.commands.reading import mark_all_read as mark_all_read
from duels.post.commands.reading import mark_page_read as mark_page_read
from duels.post.commands.reading import mark_turn_read as mark_turn_read
from duels.post.commands.reading import update_paths as update_paths
from duels.post.kinds.base import NoticeKind as NoticeKind
from duels.post.kinds.registry import kind_of as kind_of
from duels.post.models import DroppedFor as DroppedFor
from duels.post.models import EmailTiming as EmailTiming
from duels.post.models import GuestAddress as GuestAddress
from duels.post.models import Notice as Notice
from duels.post.models import SilencedAddress as SilencedAddress
from duels.post.models import SilencedFor as SilencedFor
from duels.post.models import UnclearBounce as UnclearBounce
from duels.post.queries import delivery_log as delivery_log
from duels.post.queries import duel_mail_choice as duel_mail_choice
from duels.post.queries import gets_emails as gets_emails
from duels.post.queries import guest_address as guest_address
from duels.post.queries import has_notice as has_notice
from duels.post.queries import mail_choice as mail_choice
from duels.post.queries import newest_notices as newest_notices
from duels.post.queries import notified_wizards as notified_wizards
from duels.post.queries import silenced_addresses as silenced_addresses
from duels.post.receipts import seal_words as seal_words
from duels.post.reply_address import ReplyRecipient as ReplyRecipient
from duels.post.reply_address import make_reply_address as make_reply_address
from duels.post.reply_address import parse_reply_address as parse_reply_address
from duels.post.tokens import read_address_token as read_address_token
from duels.post.tokens import read_unsubscribe_token as read_unsubscribe_token
