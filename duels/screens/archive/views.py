"""Views of the archive."""

from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlencode

from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.defaultfilters import pluralize
from django.views.decorators.http import require_safe

from duels.archive.public import FoundDuel, archive_page, download_path
from duels.loaded.database_clock import site_now
from duels.screens.archive.forms import ArchiveForm
from duels.screens.lists.lines import entries_with_figures
from duels.sign_in.guests import wizard_of


@require_safe
def archive(request: HttpRequest) -> HttpResponse:
    """Search the finished public duels. The query string has the fields of `ArchiveForm`."""
    form = ArchiveForm(request.GET)
    is_valid = form.is_valid()
    found, following = archive_page(form.search, wizard_of(request)) if is_valid else ([], None)
    query = {name: request.GET[name] for name in form.fields if request.GET.get(name)}
    is_continued = bool(query.pop("after", ""))
    context = {
        "form": form,
        "duels": entries_with_figures(
            [duel.row for duel in found], map(_length_and_rating, found), site_now()
        ),
        "is_filtered": bool(query.keys() - {"sort"}),
        "is_continued": is_continued,
        "first": urlencode(query),
        "download": _download_details(),
        "next": urlencode({**query, "after": following}) if following else "",
    }
    return render(request, "duels/archive/archive.html", context, status=200 if is_valid else 400)


@require_safe
def download_records(request: HttpRequest) -> FileResponse:
    """Download the records of all archived duels."""
    try:
        file = download_path().open("rb")
    except FileNotFoundError:
        raise Http404("The file has not been written yet.") from None
    # The file is already compressed, so keep the middleware from compressing it again.
    return FileResponse(file, as_attachment=True, headers={"Content-Encoding": "identity"})


def _download_details() -> dict[str, Any] | None:
    """Return the size of the file with all records in bytes, and when it was written."""
    try:
        status = download_path().stat()
    except FileNotFoundError:
        return None
    return {"size": status.st_size, "written_at": datetime.fromtimestamp(status.st_mtime, UTC)}


def _length_and_rating(duel: FoundDuel) -> list[str]:
    figures = [f"{duel.turns} turn{pluralize(duel.turns)}"]
    if duel.rating is not None:
        figures.append(f"highest rating {duel.rating}")
    if duel.watched:
        figures.append(f"watched by {duel.watched}")
    return figures
