"""Requests for pages that nobody is looking at yet."""

from typing import Final

from django.http import HttpRequest

# Header of scripts that update a page in a background tab.
HIDDEN_PAGE_HEADER: Final = "X-Page-Hidden"
PURPOSE_HEADER: Final = "Sec-Purpose"  # header of browsers that load a page in advance


def is_in_view(request: HttpRequest) -> bool:
    """Return whether the response will be shown, so that its news counts as read."""
    is_in_advance = request.headers.get(PURPOSE_HEADER, "").startswith("prefetch")
    return HIDDEN_PAGE_HEADER not in request.headers and not is_in_advance
