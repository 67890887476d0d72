"""Queries for wizards by name."""

from dataclasses import dataclass

from django.db.models import Count, Q, QuerySet

from duels.accounts.names import confusable_skeleton, name_slug, normalised_name
from duels.models import Act, ActKind, Marker, Wizard, WizardKind
from duels.queries.listing import PAGE_ROWS

LISTED_KINDS = (WizardKind.PLAYER, WizardKind.PRACTICE)  # guests cannot be found by name


@dataclass(frozen=True)
class WizardRow:
    """A wizard in a list, with the number of markers that they hold. rules: R114"""

    wizard: Wizard
    rank: int

    @property
    def is_practice(self) -> bool:
        return self.wizard.kind == WizardKind.PRACTICE


def find_wizards(beginning: str, after: str) -> tuple[list[WizardRow], str]:
    """Return up to fifty wizards whose names begin with this text or look like it, from after this
    slug, and the slug that the next page starts after, or "" at the end.
    """
    listed = _wizards_beginning_with(beginning)
    if after:
        listed = listed.filter(slug__gt=after)
    columns = ("name", "slug", "kind", "pronouns", "created_at")
    found = list(listed.order_by("slug").only(*columns)[: PAGE_ROWS + 1])
    shown = found[:PAGE_ROWS]
    held = Marker.objects.filter(holder__in=shown, returned_at=None).order_by()
    ranks = dict(held.values_list("holder").annotate(number=Count("pk")))
    rows = [WizardRow(wizard, ranks.get(wizard.pk, 0)) for wizard in shown]
    return rows, shown[-1].slug if len(found) > PAGE_ROWS else ""


def find_wizard(name: str) -> Wizard | None:
    """Return the listed wizard with this name, a name that looks like it, or this former name."""
    skeleton = confusable_skeleton(normalised_name(name))
    listed = _wizards_beginning_with("")
    return listed.filter(skeleton=skeleton).first() or find_by_former_name(name)


def find_by_former_name(name: str) -> Wizard | None:
    """Return the player who had this name last, according to the referees' log.

    Return None if a wizard has the name now, or if the account has been closed.
    """
    slug = name_slug(name)
    if Wizard.objects.filter(slug=slug).exists():
        return None
    renamed = renaming_acts().values_list("wizard_id", "facts")
    key = next((pk for pk, facts in renamed if name_slug(facts["from"]) == slug), None)
    return Wizard.objects.filter(pk=key or 0, kind=WizardKind.PLAYER, closed_at=None).first()


def renaming_acts() -> QuerySet[Act]:
    """Return the acts that renamed wizards, newest first."""
    return Act.objects.filter(kind=ActKind.RENAME, duel=None).order_by("-pk")


def find_player_names(beginning: str, limit: int) -> tuple[str, ...]:
    """Return up to `limit` players' names that begin with this text or look like it."""
    found = _wizards_beginning_with(beginning).filter(kind=WizardKind.PLAYER).order_by("slug")
    return tuple(found.values_list("name", flat=True)[:limit])


def _wizards_beginning_with(beginning: str) -> QuerySet[Wizard]:
    listed = Wizard.objects.filter(kind__in=LISTED_KINDS, closed_at__isnull=True)
    name = normalised_name(beginning)
    if not name:
        return listed
    return listed.filter(
        Q(slug__startswith=name_slug(name)) | Q(skeleton=confusable_skeleton(name))
    )
