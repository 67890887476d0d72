"""What there is not, or is hidden, is told by the site's own page with DEBUG on as well.

Django's page for programmers in its place leads nobody from a mail to signing in, and lists every
address.
"""

from collections.abc import Callable

from django.conf import settings
from django.core.exceptions import MiddlewareNotUsed
from django.http import Http404, HttpRequest, HttpResponseBase, HttpResponseNotFound
from django.views.defaults import page_not_found


class ShowsOwnPage:
    """A middleware, the last one: whatever the page asks for is known to the request."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        if not settings.DEBUG:
            raise MiddlewareNotUsed
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if isinstance(response, HttpResponseNotFound):
            return page_not_found(request, Http404())
        return response
