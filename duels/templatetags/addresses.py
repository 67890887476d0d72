"""Django's `url` tag, which looks each address up once in a process: a page names three dozen.

The settings make it a builtin of all templates. What it cannot keep it leaves to Django's own.
"""

from typing import Any

from django import template
from django.template.base import Parser, Token
from django.template.context import Context
from django.template.defaulttags import URLNode
from django.template.defaulttags import url as django_url
from django.utils.html import conditional_escape

from duels.pages.addresses import address_of

register = template.Library()


class CachedURLNode(URLNode):
    """An address by its name and arguments."""

    def render(self, context: Context) -> str:
        name = self.view_name.resolve(context)
        if self.kwargs or self.asvar or ":" in str(name):
            return super().render(context)
        found = address_of(name, *(arg.resolve(context) for arg in self.args))
        return conditional_escape(found) if context.autoescape else found


@register.tag
def url(parser: Parser, token: Token) -> CachedURLNode:
    """As Django's own."""
    node: Any = django_url(parser, token)
    return CachedURLNode(node.view_name, node.args, node.kwargs, node.asvar)
