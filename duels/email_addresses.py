"""Functions that compare email addresses.

Differences in case, in the width of letters and in punycode are ignored on both sides of the `@`.
RFC 5321 allows servers to treat the part before the `@` as case-sensitive, but in practice none of
them does.
"""

import re
import unicodedata

import idna
from django.db.models import Q

_FULL_STOP_PATTERN = re.compile("[\N{IDEOGRAPHIC FULL STOP}\N{HALFWIDTH IDEOGRAPHIC FULL STOP}]")


def canonical_address(address: str) -> str:
    """Return the canonical form of this address, which is the same for all its spellings."""
    text = unicodedata.normalize("NFKC", address.strip().strip("<>")).lower()
    labels = re.split(r"([.@])", _FULL_STOP_PATTERN.sub(".", text))
    return unicodedata.normalize("NFC", "".join(map(_decoded_label, labels)).lower())


def is_same_address(one: str, other: str) -> bool:
    """Return whether two texts, if not empty, are spellings of the same address."""
    return bool(one and other) and canonical_address(one) == canonical_address(other)


def address_spellings(address: str) -> list[str]:
    """Return the spellings of this address: as given, in Unicode and in punycode."""
    canonical = canonical_address(address)
    local, _, domain = canonical.rpartition("@")
    return sorted({address, canonical, f"{local}@{_punycode_domain(domain)}"})


def address_condition(field: str, address: str) -> Q:
    """Return a condition that the field equals one of this address's spellings."""
    condition = Q()
    for each in address_spellings(address):
        condition |= Q(**{f"{field}__iexact": each})
    return condition


def _decoded_label(label: str) -> str:
    if not label.startswith("xn--"):
        return label
    try:
        return idna.decode(label)
    except UnicodeError:
        return label


def _punycode_domain(domain: str) -> str:
    try:
        return idna.encode(domain).decode()
    except UnicodeError:
        return domain
