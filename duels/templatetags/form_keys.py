"""A tag that adds a form key as a hidden field, like Django's `csrf_token`."""

from django import template
from django.template.context import Context
from django.utils.html import format_html
from django.utils.safestring import SafeString

from duels.requests import form_keys

register = template.Library()


@register.simple_tag(takes_context=True)
def form_key(context: Context) -> SafeString:
    """Return a hidden field with the key for this page's forms."""
    key = form_keys.page_key(context["request"])
    return format_html('<input type="hidden" name="{}" value="{}">', form_keys.FORM_KEY_FIELD, key)
