"""The site as an ASGI application, for the web server."""

import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "spellcaster.settings")
django.setup(set_prefix=False)

from spellcaster import startup  # noqa: E402  # they need the settings
from spellcaster.odd_requests import LenientASGIHandler  # noqa: E402

startup.check_process("web process")
application = LenientASGIHandler()
