"""A page that shows `manage.py doctor` how its own request reached the site."""

from typing import Final

from django.core import signing
from django.http import Http404, HttpRequest, JsonResponse
from django.views.decorators.http import require_safe

SALT: Final = "spellcaster.doctor"
TOKEN_SECONDS: Final = 60


def new_token() -> str:
    """Return the token that is needed to open the page."""
    return signing.dumps("", salt=SALT)


@require_safe
def show_request(request: HttpRequest, token: str) -> JsonResponse:
    try:
        signing.loads(token, salt=SALT, max_age=TOKEN_SECONDS)
    except signing.BadSignature:
        raise Http404 from None
    forwarded = request.headers.get("X-Forwarded-For", "")
    response = JsonResponse(
        {
            "proxies": len(forwarded.split(",")) if forwarded else 0,
            "is_parallel": any(
                request.META.get(f"wsgi.{name}", True) for name in ("multithread", "multiprocess")
            ),
        }
    )
    response["Cache-Control"] = "no-store"
    return response
