"""Navigation between the turns of a duel, and context for the page of a turn."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from django.utils.text import capfirst

import engine.words
from duels.loaded import adjudication
from duels.models import Stage
from duels.queries.rows import SealRow, TurnPage
from duels.screens.order_sheet.order_words import orders_as_pairs
from duels.screens.parts.addresses import view_address
from duels.screens.parts.duellists_html import reader_names
from duels.screens.parts.history.table import history_grid
from duels.screens.parts.sharing import preview_card
from duels.screens.spellbook.context import book_options_of
from duels.sealing import seeds
from duels.standing.state import state_of
from engine.play import ALL, SPECTATOR, BeingView


@dataclass(frozen=True)
class TurnNavigation:
    """The navigation bar on the page of a turn, or of a duel's current state.

    Turns are counted from 1 without gaps. The current state comes after the last turn.
    """

    here: int
    last: int
    turns: str  # path that the addresses of turns begin with
    words: str = ""  # name of the turn
    seen: str = ""  # the observer, if the path does not contain it
    beyond: str = ""  # address of the page that follows the last turn
    beyond_words: str = ""

    def address(self, turn: int) -> str:
        """Return a turn's address for the same observer, or "" if there is no such turn."""
        if not 1 <= turn <= self.last:
            return ""
        return f"{self.turns}{turn}/{self.query}"

    @property
    def query(self) -> str:
        return f"?seen={self.seen}" if self.seen else ""

    @property
    def first(self) -> str:
        return self.address(1) if self.here > 1 else ""

    @property
    def before(self) -> str:
        return self.address(self.here - 1)

    @property
    def after(self) -> str:
        return self.address(self.here + 1)

    @property
    def newest(self) -> str:
        return self.address(self.last) if self.here < self.last else ""

    @property
    def is_beyond(self) -> bool:
        return self.here > self.last

    @property
    def has_slider(self) -> bool:
        return self.last > 1 and not self.is_beyond


@dataclass(frozen=True)
class Viewpoint:
    words: str
    address: str
    is_mine: bool  # whether the page shows the turn from this point of view


def address_as_known_then(page: TurnPage) -> str:
    """Return the current address of a turn, for redirects from outdated addresses.

    If the duel is over, the page at this address shows what the reader could see during the duel.
    """
    path = view_address("turn", page.duel.pk, page.turn.ordinal)
    own = next((seat.code for seat in page.seats if seat.you), SPECTATOR)
    return f"{path}?seen={own}" if page.duel.is_over else path


def step_announcement(
    words: str, stepping: TurnNavigation, status: Sequence[BeingView], *, shows_left: bool = False
) -> str:
    """Return the text that screen readers announce after a step, with the turn and the wounds.

    Wounds are hit points left if `shows_left` is True, otherwise damage.
    """
    stand = (
        f"{being.name}, "
        + (f"{being.hit_points} hit points left" if shows_left else f"{being.damage} damage")
        for being in status
        if being.kind == "wizard" and being.damage is not None
    )
    return f"{words}, {stepping.here} of {stepping.last}. {'; '.join(stand)}."


def _viewpoints(page: TurnPage, stepping: TurnNavigation) -> tuple[Viewpoint, ...]:
    """Return the points of view from which the reader can choose, or () if there is only one."""
    if len(page.viewpoints) == 1:
        return ()
    return tuple(
        Viewpoint(
            _viewpoint_words(page, seen),
            replace(stepping, seen=seen if seen != page.viewpoints[0] else "").address(
                stepping.here
            ),
            seen == page.observer,
        )
        for seen in page.viewpoints
    )


def _viewpoint_words(page: TurnPage, observer: str) -> str:
    if observer == ALL:
        return "Everything"
    if observer == SPECTATOR:
        return "As a spectator" if page.duel.is_over else "As a spectator sees it"
    seat = next(seat for seat in page.seats if seat.code == observer)
    if not page.duel.is_over:
        return "As you see it"
    return "As you saw it" if seat.you else f"As {seat.name} saw it"


def _seal_lines(seal: SealRow, page: TurnPage) -> Iterable[tuple[str, str]]:
    """Return the fields and values of a seal as text, as far as the reader may see them."""
    fields = seal.fields or {}
    if seal.stage == Stage.ORDERS:
        return orders_as_pairs(fields, page.view.names, page.view.rules.spell_names)
    return fields.items()  # the text of questions is only stored while they are open


def turn_context(page: TurnPage, *, shows_left: bool) -> dict[str, object]:
    """Return the context of a turn's page, with hit points left or damage as the reader prefers."""
    duel, turn = page.duel, page.turn
    words = engine.words.turn_name(duel.ruleset, turn.kind, turn.number)
    seats = sorted(page.seats, key=lambda seat: seat.code)
    duel_title = engine.words.versus_text(reader_names(seats))
    seen = page.observer if page.observer != page.viewpoints[0] else ""
    reports = tuple(report for report in (page.opening, page.report) if report)
    stepping = TurnNavigation(
        here=turn.ordinal,
        last=page.newest,
        turns=view_address("turns", duel.pk),
        words=capfirst(words),
        seen=seen,
        beyond=view_address("duel", duel.pk),
        beyond_words="The end" if duel.is_over else "Current turn",
    )
    return {
        "page": page,
        "title": f"{capfirst(words)} of {duel_title}",
        "turn_words": capfirst(words),
        "duel_title": duel_title,
        "ruleset_name": adjudication.ruleset_label(duel),
        "book_options": book_options_of(duel),
        "stepping": stepping,
        "viewpoints": _viewpoints(page, stepping),
        "grid": history_grid(page.view),
        "proofs": [(seal, _seal_lines(seal, page)) for seal in page.seals],
        "seed_commitment": seeds.seed_commitment_after(page.duel, page.turn.roll_backs),
        "older": page.view.turns[0].ordinal - 1 if page.view.turns else 0,
        "state": state_of(page.view),
        "reports": reports,
        "announced": step_announcement(
            capfirst(words), stepping, page.view.status, shows_left=shows_left
        ),
        "card": preview_card(
            page,
            page.report,
            words=words,
            ordinal=turn.ordinal,
            path=view_address("turn", duel.pk, turn.ordinal),
            query=stepping.query,
        ),
    }
