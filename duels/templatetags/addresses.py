"""Cached replacements for Django's `url`, `static` and `csrf_token` tags.

The settings replace Django's own tags with these in all templates. A page has about 70 URLs, which
are the same for every request, and several forms with the same token.
"""

from typing import Any, Final

from django import template
from django.contrib.staticfiles.storage import staticfiles_storage
from django.template.base import FilterExpression, Parser, Token
from django.template.context import Context
from django.template.defaulttags import CsrfTokenNode, URLNode
from django.template.defaulttags import url as django_url
from django.templatetags.static import StaticNode
from django.urls import get_script_prefix, get_urlconf
from django.utils.html import conditional_escape
from django.utils.safestring import SafeString

from duels.caching.caches import named_cache
from duels.screens.parts.addresses import address_in_urlconf

URLCONF_KEY: Final = "URL configuration and prefix"
HIDDEN_FIELD: Final = "hidden field with the CSRF token"

register = template.Library()


@named_cache("escaped addresses", size=4096, key="the URL, which is not secret")
def escape_address(address: str) -> SafeString:
    return conditional_escape(address)


class CachedURLNode(URLNode):
    """A template node that renders the URL of a view."""

    def render(self, context: Context) -> str:
        args = tuple(_resolve_expression(arg, context) for arg in self.args)
        address = address_in_urlconf(
            *_urlconf_and_prefix(context), _resolve_expression(self.view_name, context), args
        )
        return escape_address(address) if context.autoescape else address


class CachedStaticNode(StaticNode):
    """A template node that renders the URL of a static file."""

    def render(self, context: Context) -> str:
        address = staticfiles_storage.url(_resolve_expression(self.path, context))
        return escape_address(address) if context.autoescape else address


class CachedCsrfTokenNode(CsrfTokenNode):
    """A template node for the hidden field with the CSRF token, which is made once per page."""

    def render(self, context: Context) -> SafeString:
        kept: Any = context.render_context.dicts[0]
        kept[HIDDEN_FIELD] = kept.get(HIDDEN_FIELD) or super().render(context)
        field: SafeString = kept[HIDDEN_FIELD]
        return field


def _resolve_expression(expression: FilterExpression, context: Context) -> Any:
    """Return the value of an expression. Unlike Django, do not wrap constants each time."""
    if expression.is_var or expression.filters:
        return expression.resolve(context)
    return expression.var


def _urlconf_and_prefix(context: Context) -> tuple[str | None, str]:
    """Return the URL configuration and the script prefix, which are looked up once per page."""
    kept: Any = context.render_context.dicts[0]
    if URLCONF_KEY not in kept:
        kept[URLCONF_KEY] = (get_urlconf(), get_script_prefix())
    place: tuple[str | None, str] = kept[URLCONF_KEY]
    return place


@register.tag
def url(parser: Parser, token: Token) -> template.Node:
    """Parse a `url` tag like Django's own, with caching for simple cases."""
    node: URLNode = django_url(parser, token)
    if node.kwargs or node.asvar or ":" in str(node.view_name):
        return node
    return CachedURLNode(node.view_name, node.args, node.kwargs, node.asvar)


@register.tag
def static(parser: Parser, token: Token) -> template.Node:
    """Parse a `static` tag like Django's own, with caching for simple cases."""
    node: StaticNode = StaticNode.handle_token(parser, token)
    return node if node.varname else CachedStaticNode(None, node.path)


@register.tag
def csrf_token(parser: Parser, token: Token) -> template.Node:
    return CachedCsrfTokenNode()
