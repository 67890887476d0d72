"""Print Web Push settings with a new key, for a site that has no key yet.

Keep the key for as long as the site exists. If it changes, notifications must be turned on again on
every device.
"""

from typing import Any

from django.core.management.base import BaseCommand

from duels.push import public as push


class Command(BaseCommand):
    help = __doc__

    def handle(self, **options: Any) -> None:
        self.stdout.write(f"VAPID_PRIVATE_KEY={push.new_private_key()}")
        self.stdout.write("VAPID_CONTACT=mailto:you@duels.example")
