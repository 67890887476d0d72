"""The site's URLs, and a bare page that does only the work that all pages have in common."""

from django.http import HttpRequest, HttpResponse
from django.urls import include, path


def bare_page(request: HttpRequest) -> HttpResponse:
    """Load the session and its user, and do nothing else."""
    return HttpResponse("signed in" if request.user.is_authenticated else "a visitor")


urlpatterns = [path("bench/bare/", bare_page), path("", include("spellcaster.urls"))]
