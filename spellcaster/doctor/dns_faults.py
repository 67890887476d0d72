"""Checks of the DNS records that prove the origin of the site's emails (docs/POST.md).

If the resolver does not answer, no problem is reported.
"""

from collections.abc import Iterator
from email.utils import parseaddr
from typing import Final

import dns.resolver
from django.conf import settings
from dns.exception import DNSException

from spellcaster.doctor.problems import Problem

LIFETIME_SECONDS: Final = 5
# Domains without public records.
LOCAL_DOMAINS: Final = ("localhost", "local", "test", "example", "invalid")
MISSING_RECORD_REMEDY: Final = "Create the record (docs/POST.md, “Your own SMTP server”)."


def missing_records() -> Iterator[Problem]:
    sender = parseaddr(settings.DEFAULT_FROM_EMAIL)[1].rpartition("@")[2]
    incoming = {settings.REPLY_DOMAIN, settings.BOUNCE_DOMAIN} - {""}
    if settings.REAL_MAIL and not _is_local(sender):
        yield from _sender_faults(sender)
    for domain in sorted(each for each in incoming if not _is_local(each)):
        if _texts(domain, "MX") == [] and _texts(domain, "A") == []:
            text = f"{domain} has no MX record, so nobody can send replies or bounces to the site."
            yield Problem(text, MISSING_RECORD_REMEDY)


def _sender_faults(sender: str) -> Iterator[Problem]:
    # An email service uses its own envelope sender.
    if not settings.EMAIL_SERVICE:
        domain = settings.BOUNCE_DOMAIN or sender
        found = _texts(domain, "TXT")
        count = sum(text.startswith("v=spf1") for text in found or ())
        if found is not None and count != 1:
            yield Problem(
                f"{domain} has {count} SPF records instead of one.", MISSING_RECORD_REMEDY
            )
    if _texts(f"_domainkey.{sender}", "TXT", if_name_exists=["a name below it"]) == []:
        yield Problem(
            f"{sender} has no DKIM record, so emails are not signed.", MISSING_RECORD_REMEDY
        )
    labels = sender.split(".")
    domains = [".".join(labels[place:]) for place in range(len(labels) - 1)]  # with parent domains
    policies = [_texts(f"_dmarc.{domain}", "TXT") for domain in domains]
    if None not in policies and not any(
        text.startswith("v=DMARC1") for texts in policies for text in texts or ()
    ):
        yield Problem(f"{sender} has no DMARC record.", MISSING_RECORD_REMEDY)


def _is_local(domain: str) -> bool:
    return domain.rpartition(".")[2] in LOCAL_DOMAINS


def _texts(domain: str, kind: str, *, if_name_exists: list[str] | None = None) -> list[str] | None:
    """Return the domain's records of this kind, or None if the resolver does not answer.

    If the name has only records of other kinds, or only subdomains, return `if_name_exists`.
    """
    try:
        answer = dns.resolver.resolve(domain, kind, lifetime=LIFETIME_SECONDS)
    except dns.resolver.NXDOMAIN:
        return []
    except dns.resolver.NoAnswer:
        return if_name_exists or []
    except DNSException:
        return None
    return [record.to_text().replace('" "', "").strip('"') for record in answer]
