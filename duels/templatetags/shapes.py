"""General filters for templates."""

from collections.abc import Mapping

from django import template

register = template.Library()


@register.filter
def at(mapping: Mapping[str, str], key: str) -> str:
    """Return a mapping's value for this key, or "". The key can be a variable."""
    return mapping.get(key, "")
