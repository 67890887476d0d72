"""General template filters."""

from collections.abc import Mapping

from django import template

register = template.Library()


@register.filter
def at(mapping: Mapping[str, str], key: str) -> str:
    """Return the value in a mapping for a key that is itself a variable, or ""."""
    return mapping.get(key, "")
