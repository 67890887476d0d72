"""The public interface of the app for push notifications."""

from duels.push.commands.delivering import deliver_due as deliver_due
from duels.push.commands.queueing import PushEvent as PushEvent
from duels.push.commands.queueing import queue_pushes as queue_pushes
from duels.push.commands.queueing import send_test as send_test
from duels.push.commands.subscribing import delete_push_data as delete_push_data
from duels.push.commands.subscribing import set_push_choice as set_push_choice
from duels.push.commands.subscribing import subscribe as subscribe
from duels.push.commands.subscribing import unsubscribe as unsubscribe
from duels.push.devices import device_name as device_name
from duels.push.models import YOUR_TURN as YOUR_TURN
from duels.push.models import Push as Push
from duels.push.models import PushKind as PushKind
from duels.push.models import PushSubscription as PushSubscription
from duels.push.models import PushText as PushText
from duels.push.queries import devices as devices
from duels.push.queries import push_choice as push_choice
from duels.push.queries import push_log as push_log
from duels.push.vapid import is_configured as is_configured
from duels.push.vapid import new_private_key as new_private_key
from duels.push.vapid import public_key as public_key
