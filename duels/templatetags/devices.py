"""A filter that names the browsers in the list of sessions."""

from django import template

from duels.push.public import device_name

register = template.Library()
register.filter("device", device_name)
