"""Message-IDs of emails, in the site's domain. Django would use the name of the machine."""

from email.utils import make_msgid
from urllib.parse import urlsplit

from django.conf import settings


def site_domain() -> str:
    return urlsplit(settings.SITE_URL).hostname or "localhost"


def new_headers() -> dict[str, str]:
    """Return the headers of an automatic email, with a new Message-ID."""
    return {"Message-ID": make_msgid(domain=site_domain()), "Auto-Submitted": "auto-generated"}
