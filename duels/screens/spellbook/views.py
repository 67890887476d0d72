"""The view of the spellbook, which can be sorted in three ways, and of its search."""

from urllib.parse import urlencode, urlsplit

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from duels.requests.access import ruleset_or_404
from duels.screens.parts.rules.spell_rows import SORT_ORDERS
from duels.screens.spellbook.context import spellbook_context
from duels.screens.spellbook.spell_search import MAX_SEARCH_LENGTH
from duels.wording.options import selected_options


@require_safe
def spellbook(request: HttpRequest, ruleset_id: str = "bartle-1") -> HttpResponse:
    """Show the spells of a ruleset by gesture, name or last gesture, or the results of a search."""
    ruleset = ruleset_or_404(ruleset_id)
    wanted = request.GET.get("with", "").split(",")
    options = tuple(
        option.name for option in selected_options(wanted) if option.name in ruleset.options
    )
    order = request.GET.get("order", "gesture")
    if order not in SORT_ORDERS:
        raise Http404("The spellbook cannot be sorted like this.")
    typed = request.GET.get("q", "")[:MAX_SEARCH_LENGTH].strip()
    context = spellbook_context(ruleset, options, order, typed)
    if request.GET.get("part") != "list":
        return render(request, "duels/spellbook/spellbook.html", context)
    response = render(request, "duels/spellbook/spell_list.html", context | {"is_answer": True})
    if _is_from_spellbook_page(request):
        query = {"with": ",".join(options), "order": order, "q": typed}
        filled = {name: value for name, value in query.items() if value}
        response.headers["HX-Replace-Url"] = f"{request.path}?{urlencode(filled)}"
    return response


def _is_from_spellbook_page(request: HttpRequest) -> bool:
    """Return whether the spellbook's own page, whose address changes, sent the search."""
    return urlsplit(request.headers.get("HX-Current-URL", "")).path.startswith(reverse("spellbook"))
