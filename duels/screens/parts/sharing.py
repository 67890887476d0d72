"""Previews for links on other sites, with a title, a line and a picture.

Private duels do not have a preview, and previews of public duels show only what a spectator may
see. The picture's address contains a hash of its contents, so that caches never show an outdated
picture. Challenges and pages about the site share one picture, which `docs/preview.py` makes.
"""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage

import engine.play
import engine.words
from duels.models import Duel, Visibility
from duels.pictures.columns import HEIGHT, WIDTH
from duels.pictures.painting import STYLE
from duels.pictures.scene import ROWS
from duels.queries.pictures import PictureMoment
from duels.screens.parts.addresses import view_address
from duels.screens.parts.headlines import headline
from engine.play import ALL, SPECTATOR

KEY_LENGTH = 16
OPEN_TO_ALL = (ALL, SPECTATOR)
MOST_NAMES = 4
PICTURE = "img/preview.png"
LONGEST_ALT = 400  # limit on sites that show previews


@dataclass(frozen=True)
class Card:
    """A page's link preview, and the address to share."""

    title: str
    line: str
    canonical: str
    address: str  # the page's own address, including the observer
    picture: str
    alt: str
    width: int = WIDTH
    height: int = HEIGHT


def preview_card(
    duel: Duel,
    view: engine.play.View,
    report: engine.words.TurnReport | None,
    *,
    title: str,
    moment: PictureMoment,
    path: str,
    query: str = "",
    whole: bool = False,
    outcome: str = "",
) -> Card | None:
    """Return the preview of a public duel's page, or None if the duel is private.

    With `whole`, the picture shows the current state of the duel instead of one turn.
    """
    if duel.visibility != Visibility.PUBLIC:
        return None
    knows_no_more = view.observer in OPEN_TO_ALL
    if duel.is_over and knows_no_more:
        report = _report_without_you(view, report)
    return Card(
        title=title,
        line=headline(report, outcome) if knows_no_more else "A duel of wizards, turn by turn.",
        canonical=settings.SITE_URL + path,
        address=settings.SITE_URL + path + query,
        picture=settings.SITE_URL + picture_path(moment, whole=whole),
        alt=alt_text(view) if knows_no_more else "The gestures of the last turns, as a grid.",
    )


def site_card(title: str, line: str, path: str) -> Card:
    """Return the preview of a challenge's page, or of a page about the site."""
    address = settings.SITE_URL + path
    return Card(
        title=title,
        line=line,
        canonical=address,
        address=address,
        picture=settings.SITE_URL + staticfiles_storage.url(PICTURE),
        alt="A wizard’s hat and the six gestures of the game.",
    )


def _report_without_you(
    view: engine.play.View, report: engine.words.TurnReport | None
) -> engine.words.TurnReport | None:
    """Return the report without "you", because other people will read it."""
    if report is None:
        return None
    turns = tuple(turn for turn in view.turns if turn.ordinal == report.ordinal)
    return (
        engine.words.narrate(replace(view, turns=turns))[0]
        if turns
        else engine.words.opening_report(view)
    )


def picture_path(moment: PictureMoment, *, whole: bool) -> str:
    """Return the address of a picture of one turn, or of the duel's current state."""
    if whole:
        path = view_address("picture", moment.duel_id)
    else:
        path = view_address("turn_picture", moment.duel_id, moment.ordinal)
    return f"{path}?v={picture_key(moment)}"


def picture_key(moment: PictureMoment) -> str:
    """Return a short hash of everything that a picture depends on. It contains no secrets."""
    parts = (
        STYLE,
        moment.duel_id,
        moment.ordinal,
        moment.is_end,
        moment.is_open,
        moment.acts,
        *moment.names,
    )
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:KEY_LENGTH]


def preview_title(names: Sequence[str], words: str) -> str:
    """Return a title that names the duellists and the turn."""
    return f"{duellists_in_short(names)}, {words}"


def duellists_in_short(names: Sequence[str]) -> str:
    """Return "A against B" or, with many wizards, only their number."""
    if len(names) > MOST_NAMES:
        return f"{len(names)} wizards"
    return engine.words.versus_text(names)


def alt_text(view: engine.play.View) -> str:
    """Return a description of the picture."""
    text = f"The grid of gestures. {' '.join(_hand_descriptions(view))}"
    return text if len(text) <= LONGEST_ALT else text[: LONGEST_ALT - 1].rstrip() + "…"


def _hand_descriptions(view: engine.play.View) -> Iterator[str]:
    wounds = {being.id: being.damage for being in view.status}
    for wizard in view.wizards:
        rows = [row for turn in view.turns for row in turn.rows.get(wizard.id, ())][-ROWS:]
        left = " ".join(row.left.letter for row in rows) or "empty"
        right = " ".join(row.right.letter for row in rows) or "empty"
        damage = wounds.get(wizard.id)
        suffered = "" if damage is None else f", {damage} damage"
        yield f"{wizard.name}{suffered}: left hand {left}, right hand {right}."
