"""The view of the two-minute introduction."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_safe

from duels.screens.primer.context import primer_context


@require_safe
def primer(request: HttpRequest) -> HttpResponse:
    """Show the introduction, with a link back to the page at `next`, such as an invitation."""
    back = request.GET.get("next", "")
    is_place = back.startswith("/") and url_has_allowed_host_and_scheme(back, None)
    context = primer_context() | {"back": back if is_place else ""}
    return render(request, "duels/primer/primer.html", context)
