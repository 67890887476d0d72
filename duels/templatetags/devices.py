"""A filter that names the browsers in the list of sessions."""

from django import template

from duels.push.public import device_name

register = template.Library()


@register.filter
def device(user_agent: str) -> str:
    """Return a name such as "Firefox on Android" for this user agent."""
    return device_name(user_agent)
