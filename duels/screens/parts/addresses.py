"""Addresses of views, cached so that each is looked up only once per process."""

from django.urls import get_script_prefix, get_urlconf, reverse

from duels.caching.caches import named_cache


def view_address(name: str, *args: object) -> str:
    return address_in_urlconf(get_urlconf(), get_script_prefix(), name, args)


@named_cache("addresses", size=4096, key="name and arguments: an address is not secret")
def address_in_urlconf(
    urlconf: str | None, prefix: str, name: str, args: tuple[object, ...]
) -> str:
    """Return the address of a view in this URL configuration, under this script prefix."""
    return reverse(name, args=args, urlconf=urlconf)
