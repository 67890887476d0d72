"""What a link to a duel unfolds to elsewhere: a title, a line and a picture.

Only of public duels, and only with what a spectator may know: whoever fetches the address elsewhere
is one. The picture's address names what is in it, so that no cache shows yesterday's.
"""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from django.conf import settings

import engine
from duels.models import Duel, Visibility
from duels.pages.addresses import address_of
from duels.pages.headlines import headline
from duels.pictures import HEIGHT, ROWS, STYLE, WIDTH
from duels.queries import PictureMoment
from engine import ALL, SPECTATOR

KEY_LENGTH = 16
OPEN_TO_ALL = (ALL, SPECTATOR)
MOST_NAMES = 4
LONGEST_ALT = 400  # what those who show pictures take


@dataclass(frozen=True)
class Card:
    """What the head of a page says of it to others, and the address to hand on."""

    title: str
    line: str
    canonical: str
    address: str  # of this very page, through the eyes that it shows
    picture: str
    alt: str
    width: int = WIDTH
    height: int = HEIGHT


def card(
    duel: Duel,
    view: engine.View,
    report: engine.TurnReport | None,
    *,
    title: str,
    at: PictureMoment,
    path: str,
    query: str = "",
    whole: bool = False,
    outcome: str = "",
) -> Card | None:
    """The card of a page of a public duel; None for a private one, whose pages open to few.

    `whole`: its picture is that of the duel as it stands, and not of one turn.
    """
    if duel.visibility != Visibility.PUBLIC:
        return None
    knows_no_more = view.observer in OPEN_TO_ALL
    if duel.is_over and knows_no_more:
        report = _as_all_read_it(view, report)
    return Card(
        title=title,
        line=headline(report, outcome) if knows_no_more else "A duel of wizards, turn by turn.",
        canonical=settings.SITE_URL + path,
        address=settings.SITE_URL + path + query,
        picture=settings.SITE_URL + picture_path(at, whole=whole),
        alt=described(view) if knows_no_more else "The gestures of the last turns, as a grid.",
    )


def _as_all_read_it(
    view: engine.View, report: engine.TurnReport | None
) -> engine.TurnReport | None:
    """The report without a "you": what is handed on is read by others."""
    if report is None:
        return None
    turns = tuple(turn for turn in view.turns if turn.ordinal == report.ordinal)
    return engine.narrate(replace(view, turns=turns))[0] if turns else engine.opening_report(view)


def picture_path(at: PictureMoment, *, whole: bool) -> str:
    """The address of a picture: of one turn, or of the whole duel as it stands."""
    if whole:
        path = address_of("picture", at.duel_id)
    else:
        path = address_of("turn_picture", at.duel_id, at.ordinal)
    return f"{path}?v={key_of(at)}"


def key_of(at: PictureMoment) -> str:
    """What the bytes of a picture depend on, in a few signs. No secret is in it."""
    parts = (STYLE, at.duel_id, at.ordinal, at.is_end, at.is_open, at.acts, *at.names)
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:KEY_LENGTH]


def title_of(names: Sequence[str], words: str) -> str:
    """Who duels, and the turn in words."""
    return f"{duellists_in_short(names)}, {words}"


def duellists_in_short(names: Sequence[str]) -> str:
    """Wizards against each other; of many, how many they are."""
    if len(names) > MOST_NAMES:
        return f"{len(names)} wizards"
    return engine.against(names)


def described(view: engine.View) -> str:
    """The picture in words."""
    text = f"The grid of gestures. {' '.join(_hands(view))}"
    return text if len(text) <= LONGEST_ALT else text[: LONGEST_ALT - 1].rstrip() + "…"


def _hands(view: engine.View) -> Iterator[str]:
    wounds = {being.id: being.damage for being in view.status}
    for wizard in view.wizards:
        rows = [row for turn in view.turns for row in turn.rows.get(wizard.id, ())][-ROWS:]
        left = " ".join(row.left.letter for row in rows) or "empty"
        right = " ".join(row.right.letter for row in rows) or "empty"
        damage = wounds.get(wizard.id)
        suffered = "" if damage is None else f", {damage} damage"
        yield f"{wizard.name}{suffered}: left hand {left}, right hand {right}."
