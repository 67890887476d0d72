"""The view of the two-minute introduction."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from duels.screens.primer.context import primer_context


@require_safe
def primer(request: HttpRequest) -> HttpResponse:
    return render(request, "duels/primer/primer.html", primer_context())
