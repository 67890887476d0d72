"""The public interface of webhooks for the rest of the project."""

from duels.webhooks.addresses import ADDRESS_FORMATS as ADDRESS_FORMATS
from duels.webhooks.commands.changing import MAX_WEBHOOKS as MAX_WEBHOOKS
from duels.webhooks.commands.changing import add_webhook as add_webhook
from duels.webhooks.commands.changing import delete_webhook as delete_webhook
from duels.webhooks.commands.changing import send_test as send_test
from duels.webhooks.commands.changing import turn_on_webhook as turn_on_webhook
from duels.webhooks.commands.delivering import deliver_due as deliver_due
from duels.webhooks.models import Service as Service
from duels.webhooks.models import WebhookMessage as WebhookMessage
from duels.webhooks.queries import exported_webhooks as exported_webhooks
from duels.webhooks.queries import failing_hosts as failing_hosts
from duels.webhooks.queries import webhooks_of as webhooks_of
