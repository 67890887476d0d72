"""Pages about the site itself."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

import engine


@require_safe
def about(request: HttpRequest) -> HttpResponse:
    return render(request, "duels/about/about.html", {"release": engine.RELEASE})


@require_safe
def privacy(request: HttpRequest) -> HttpResponse:
    return render(request, "duels/about/privacy.html")


@require_safe
def terms(request: HttpRequest) -> HttpResponse:
    return render(request, "duels/about/terms.html")
