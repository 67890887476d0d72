"""Filters for printing."""

from collections.abc import Mapping

from django import template

register = template.Library()


@register.filter
def at(mapping: Mapping[str, str], key: str) -> str:
    """What a mapping holds under a key that is itself a variable."""
    return mapping.get(key, "")
