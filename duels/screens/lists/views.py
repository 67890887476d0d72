"""Views for the lists of duels, and for the list of wizards by name."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from duels.loaded.database_clock import site_now
from duels.queries import listing, lists
from duels.queries.listing import ALL_DUELS, FigurePlace
from duels.queries.wizard_search import find_player_names, find_wizards
from duels.requests.access import wizard_or_404
from duels.screens.lists import kinds
from duels.screens.lists.forms import ListFilterForm
from duels.screens.lists.watching import watch_context
from duels.sign_in.guests import wizard_of

MAX_NAME_LENGTH = 40  # longest search text
SUGGESTED_NAMES = 8  # maximum number of suggested names


@require_safe
def duels(request: HttpRequest) -> HttpResponse:
    """Show one list of duels, fifty at a time.

    The query string can contain the kind of list (`show`), a wizard, to list only their duels
    (`wizard`), the fields of `ListFilterForm`, and the place after which the page starts (`after`).
    """
    viewer, now = wizard_of(request), site_now()
    of = wizard_or_404(request.GET["wizard"]) if request.GET.get("wizard") else None
    codes = kinds.WIZARD_LISTS if of else kinds.DUELLIST_LISTS if viewer else kinds.VISITOR_LISTS
    code = request.GET.get("show", codes[0])
    if code not in codes:
        raise Http404("There is no such list.")
    counts = lists.own_counts(viewer, now) if viewer and of is None else None
    tabs = {"groups": kinds.tab_groups(codes, of, counts)}
    if code == "watch" and of is None:
        context = watch_context(request.GET, viewer, now) | tabs
        return render(request, "duels/lists/duels.html", context)
    place = FigurePlace.parse(request.GET.get("after", ""))
    is_own = of is not None or kinds.LIST_KINDS[code].is_own
    form = ListFilterForm(request.GET, is_own=is_own, is_over=code in ("finished", "read"))
    wanted = form.wanted
    duels = (
        kinds.duel_list_of_wizard(code, of, viewer) if of else kinds.duel_list(code, viewer, now)
    )
    duels = duels.matching(wanted).starting_after(place)
    found = listing.load_duel_lists({code: duels}, viewer)[code]
    rest = kinds.list_address(code, of, found.next or "", wanted)
    context = {
        "of": of,
        "counts": counts,
        "list": kinds.list_to_show(code, found, now=now, wizard=of, address=rest),
        "form": form,
        "is_filtered": wanted != ALL_DUELS,
        "unfiltered": kinds.list_address(code, of),
        "is_continued": place is not None,
        **tabs,
        "first": kinds.list_address(code, of, wanted=wanted),
    }
    return render(request, "duels/lists/duels.html", context)


@require_safe
def wizards(request: HttpRequest) -> HttpResponse:
    """List wizards whose names begin with `q`, in alphabetical order, fifty at a time, from after
    the name `after`.

    With `part=names`, return only a few names, as suggestions for a text field.
    """
    is_offer = request.GET.get("part") == "names"
    typed = request.GET.get("opponent" if is_offer else "q", "").replace("\0", "")[:MAX_NAME_LENGTH]
    if is_offer:
        offered = find_player_names(typed, SUGGESTED_NAMES) if typed.strip() else ()
        return render(request, "duels/lists/wizard_names.html", {"names": offered})
    after = request.GET.get("after", "").replace("\0", "")
    rows, following = find_wizards(typed, after)
    context = {"typed": typed, "rows": rows, "next": following, "is_continued": bool(after)}
    return render(request, "duels/lists/wizards.html", context)
