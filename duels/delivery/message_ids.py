"""Message-IDs of emails, in the site's domain. Django would use the name of the machine."""

from email.utils import make_msgid
from urllib.parse import urlsplit

from django.conf import settings


def site_domain() -> str:
    return urlsplit(settings.SITE_URL).hostname or "localhost"


def new_message_id() -> str:
    """Return a new, unique Message-ID."""
    return make_msgid(domain=site_domain())
