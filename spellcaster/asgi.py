"""The site as one ASGI application, for the web server."""

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "spellcaster.settings")

application = get_asgi_application()
