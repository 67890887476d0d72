"""Tags for dates and times in the reader's time zone. The settings load them in all templates."""

from django import template

from duels.screens.parts.moment_html import moment_html, time_html

register = template.Library()
register.simple_tag(moment_html, name="moment")
register.simple_tag(time_html, name="time")
