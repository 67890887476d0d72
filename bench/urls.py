"""The site's addresses, and one page that costs what every page must."""

from django.http import HttpRequest, HttpResponse
from django.urls import include, path


def bare(request: HttpRequest) -> HttpResponse:
    """Loads the session and its user, and does nothing more."""
    return HttpResponse("signed in" if request.user.is_authenticated else "a visitor")


urlpatterns = [path("bench/bare/", bare), path("", include("spellcaster.urls"))]
