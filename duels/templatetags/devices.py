"""What a browser is called, in the list of where somebody is signed in."""

from django import template

from duels.push.public import device_name

register = template.Library()


@register.filter
def device(user_agent: str) -> str:
    """ "Firefox on Android", from what the browser says of itself."""
    return device_name(user_agent)
