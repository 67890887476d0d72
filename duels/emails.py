"""The mails: one function and three templates for each kind of notice.

A mail is written from what its reader may see (`queries.story`). Its links only open pages.
Nobody's address is in another's mail.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.urls import reverse

import engine
from duels import adjudication, queries
from duels.models import Duel, Notice, NoticeKind, Outcome, Wizard
from duels.turns import turn_label
from engine.differences import differences

HEADERS = {"Auto-Submitted": "auto-generated"}


def message(notice: Notice) -> EmailMultiAlternatives | None:
    """The mail for this notice; None when there is nobody to send it to."""
    address = address_of(notice.wizard)
    return MAILS[NoticeKind(notice.kind)](notice, address) if address else None


def address_of(wizard: Wizard) -> str:
    """Where the wizard's user reads mail: an address that has been verified, or none."""
    if wizard.user_id is None:
        return ""
    verified = EmailAddress.objects.filter(user=wizard.user_id, verified=True)
    return verified.order_by("-primary").values_list("email", flat=True).first() or ""


def challenged(notice: Notice, address: str) -> EmailMultiAlternatives:
    ruleset = engine.RULESETS[notice.duel.ruleset]
    return _mail("challenged", notice, address, differences=differences(ruleset))


def accepted(notice: Notice, address: str) -> EmailMultiAlternatives:
    return _mail("accepted", notice, address)


def declined(notice: Notice, address: str) -> EmailMultiAlternatives:
    return _mail("declined", notice, address)


def started(notice: Notice, address: str) -> EmailMultiAlternatives:
    return _mail("started", notice, address, **_story(notice))


def your_turn(notice: Notice, address: str) -> EmailMultiAlternatives:
    assert notice.turn is not None
    position = notice.turn.position
    seat = notice.duel.seats.get(wizard=notice.wizard)
    decides = seat.code in engine.awaited(adjudication.loaded_position(position))
    # Waited for without anything to decide: see `resolution.MOST_TURNS_AT_ONCE`.
    stopped = notice.turn.is_open and seat.awaited and not decides
    return _mail("your-turn", notice, address, decides=decides, stopped=stopped, **_story(notice))


def question(notice: Notice, address: str) -> EmailMultiAlternatives:
    seat = notice.duel.seats.get(wizard=notice.wizard)
    questions = queries.questions_for(notice.turn, seat)
    return _mail("question", notice, address, questions=questions, **_story(notice))


def draw_offered(notice: Notice, address: str) -> EmailMultiAlternatives:
    return _mail("draw-offered", notice, address)


def over(notice: Notice, address: str) -> EmailMultiAlternatives:
    seat = notice.duel.seats.get(wizard=notice.wizard)
    winner = notice.duel.seats.filter(outcome=Outcome.WON).select_related("wizard").first()
    return _mail(
        "over",
        notice,
        address,
        outcome=seat.outcome,
        winner=winner.wizard.name if winner else "",
        **_story(notice),
    )


MAILS: dict[NoticeKind, Callable[[Notice, str], EmailMultiAlternatives]] = {
    NoticeKind.CHALLENGED: challenged,
    NoticeKind.ACCEPTED: accepted,
    NoticeKind.DECLINED: declined,
    NoticeKind.STARTED: started,
    NoticeKind.YOUR_TURN: your_turn,
    NoticeKind.QUESTION: question,
    NoticeKind.DRAW_OFFERED: draw_offered,
    NoticeKind.OVER: over,
}


def _mail(name: str, notice: Notice, address: str, **more: Any) -> EmailMultiAlternatives:
    context = {
        "wizard": notice.wizard,
        "duel": notice.duel,
        "turn": notice.turn,
        "turn_name": _turn_name(notice),
        "about": notice.about,
        "rules": engine.RULESETS[notice.duel.ruleset].name,
        "others": _others(notice.duel, notice.wizard),
        "url": settings.SITE_URL + reverse("duel", args=[notice.duel_id]),
        **more,
    }
    subject = " ".join(render_to_string(f"emails/{name}-subject.txt", context).split())
    mail = EmailMultiAlternatives(
        subject=subject,
        body=render_to_string(f"emails/{name}-body.txt", context).strip() + "\n",
        to=[address],
        headers=HEADERS,
    )
    mail.attach_alternative(render_to_string(f"emails/{name}-body.html", context), "text/html")
    return mail


def _turn_name(notice: Notice) -> str:
    """The notice's turn in words; of the challenge and the end there is none."""
    turn = notice.turn
    return engine.turn_name(notice.duel.ruleset, turn.kind, turn.number) if turn else ""


def _others(duel: Duel, wizard: Wizard) -> str:
    """The names of the others: "Bram", "Bram and Cleo", "Bram, Cleo and Dorn"."""
    seats = duel.seats.exclude(wizard=wizard).select_related("wizard")
    names = [seat.wizard.name for seat in seats]
    return " and ".join([", ".join(names[:-1]), names[-1]] if names[1:] else names)


def _story(notice: Notice) -> dict[str, Any]:
    """What has just happened, and the grid, as the reader may see them."""
    story = queries.story(notice.duel, notice.wizard, notice.turn)
    return {"reports": story.reports, "grid": grid(story.view)}


@dataclass(frozen=True)
class Grid:
    """The history of all hands: two columns for each wizard, the newest turn at the bottom."""

    names: tuple[str, ...]
    lines: tuple["GridLine", ...]

    @property
    def text(self) -> str:
        """The grid in letters of one width."""
        widths = [max(len(name), 5) for name in self.names]
        heads = [name.ljust(width) for name, width in zip(self.names, widths, strict=True)]
        lines = ["turn  " + "  ".join(heads)]
        for line in self.lines:
            cells = [
                f"{pair[0]:<2} {pair[1]:<2}".ljust(width)
                for pair, width in zip(line.cells, widths, strict=True)
            ]
            lines.append(f"{line.number:>4}  " + "  ".join(cells))
        return "\n".join(line.rstrip() for line in lines)


@dataclass(frozen=True)
class GridLine:
    """One line of the grid: a number, and for each wizard two cells, left and right."""

    number: str
    cells: tuple[tuple[str, str], ...]
    is_break: bool = False


BREAK = ("~~", "~~")
BLANK = ("", "")


def grid(view: engine.View) -> Grid:
    """The view's grid. `?` is fog, `(C` half a clap, `~~` where a sequence was broken."""
    wizards = [wizard.id for wizard in view.wizards]
    lines: list[GridLine] = []
    for turn in view.turns:
        height = max((len(rows) for rows in turn.rows.values()), default=0)
        for number in range(height):
            label = turn_label(view.ruleset, turn.number, turn.kind) if number == 0 else ""
            pairs = (_pair(turn.rows.get(wizard, ()), number) for wizard in wizards)
            lines.append(GridLine(label, tuple(pairs)))
        if turn.breaks:
            marks = (BREAK if wizard in turn.breaks else BLANK for wizard in wizards)
            lines.append(GridLine("", tuple(marks), is_break=True))
    return Grid(tuple(wizard.name for wizard in view.wizards), tuple(lines))


def _pair(rows: tuple[engine.Row, ...], number: int) -> tuple[str, str]:
    if number >= len(rows):
        return BLANK
    return _cell(rows[number].left), _cell(rows[number].right)


def _cell(cell: engine.Cell) -> str:
    return f"({cell.letter}" if cell.mark == "half_clap" else cell.letter
