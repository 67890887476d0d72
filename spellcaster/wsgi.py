"""The site as a WSGI application, for the web server."""

import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "spellcaster.settings")
django.setup(set_prefix=False)

from spellcaster import startup  # noqa: E402  # they need the settings
from spellcaster.odd_requests import LenientWSGIHandler  # noqa: E402

startup.check_process("web process")
application = LenientWSGIHandler()
