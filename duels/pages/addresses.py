"""Where views are found: each address is looked up once in a process."""

from django.urls import get_script_prefix, get_urlconf, reverse

from duels.caches import named_cache


def address_of(name: str, *args: object) -> str:
    """Where a view is found."""
    return _address(name, args, get_urlconf(), get_script_prefix())


@named_cache("addresses", size=4096, key="name and arguments: an address is no secret")
def _address(name: str, args: tuple[object, ...], urlconf: str | None, prefix: str) -> str:
    return reverse(name, args=args, urlconf=urlconf)
