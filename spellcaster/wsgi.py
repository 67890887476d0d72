"""The site as one WSGI application, for the web server."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "spellcaster.settings")

application = get_wsgi_application()
