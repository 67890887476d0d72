"""Entries for duels and challenges in lists."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Final

from django.template.defaultfilters import pluralize
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.timesince import timesince

import engine.words
from duels.loaded import adjudication
from duels.models import Duel, DuelStatus, Outcome, Seat, Stage
from duels.queries.rows import DuelRow, KnownClock
from duels.queries.stories import wizard_states
from duels.screens.parts.moment_html import clock_html
from duels.screens.parts.outcomes import OWN_OUTCOME_WORDS, way_words
from duels.standing.beings import GUEST_NAME_PREFIX
from engine.play import DEAD, BeingView
from engine.words import and_list, versus_text

NO_DEADLINE: Final = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True)
class ListEntry:
    """An entry in a list, with a link and a few words.

    `when` and `clocks` are set only if times are shown. `when` is a moment, with text that gives
    its distance from now. Each clock has the names of its wizards, or "" for the reader's own.
    """

    pk: int
    title: str
    about: str
    words: str = ""
    name: str = ""
    when: tuple[datetime, str] | None = None
    clocks: tuple[tuple[str, SafeString], ...] = ()
    damage: tuple[tuple[str, str], ...] = ()  # names, and damage as text
    hit_points: tuple[tuple[str, str], ...] = ()  # names, and hit points left as text
    sealed: str = ""
    news: str = ""


def list_entries(rows: Iterable[DuelRow], *, now: datetime | None = None) -> tuple[ListEntry, ...]:
    """Return the entries for these rows. The wizard to whom a row belongs is called "you".

    Entries with the same title and name also show the number of the duel.
    """
    told = tuple(_list_entry(row, now) for row in rows)
    alike = Counter((entry.title, entry.name) for entry in told)
    return tuple(
        replace(entry, about=f"duel {entry.pk} · {entry.about}")
        if alike[entry.title, entry.name] > 1
        else entry
        for entry in told
    )


def entries_with_figures(
    rows: Sequence[DuelRow], figures: Iterable[Iterable[str]], now: datetime
) -> tuple[ListEntry, ...]:
    """Return the entries for these rows, with each row's figures before its other words."""
    return tuple(
        replace(entry, about=" · ".join([*own, entry.about]))
        for entry, own in zip(list_entries(rows, now=now), figures, strict=True)
    )


def _list_entry(row: DuelRow, now: datetime | None) -> ListEntry:
    duel = row.duel
    if duel.status == DuelStatus.GATHERING:
        title, terms = _challenge_title(row), _terms_words(duel, row.free_places)
        return ListEntry(duel.pk, title, terms, duel.words, duel.name, _relative_time(row, now))
    names = [wizard.name for wizard in row.wizards]
    wizards = wizard_states(row)
    if row.mine is not None:
        title = f"Against {and_list(wizard.name for wizard in row.others)}"
    else:
        title = versus_text(names)
    about = [
        engine.words.turn_name(duel.ruleset, row.turn.kind, row.turn.number) if row.turn else "",
        "a question to answer" if row.turn and row.turn.stage == Stage.ANSWERS else "",
        _outcome_words(row, wizards),
        adjudication.ruleset_label(duel),
        "" if duel.is_over else duel.pace_words,
    ]
    return ListEntry(
        duel.pk,
        title,
        " · ".join(filter(None, about)),
        name=duel.name,
        when=_relative_time(row, now),
        clocks=_clock_lines(row, now),
        damage=_wounds_words(row, wizards, lambda wizard: wizard.damage),
        hit_points=_wounds_words(row, wizards, lambda wizard: wizard.hit_points),
        sealed=_sealed_note(row),
        news=_unread_note(row),
    )


def _wounds_words(
    row: DuelRow, found: Mapping[str, BeingView], points: Callable[[BeingView], int | None]
) -> tuple[tuple[str, str], ...]:
    """Return each wizard's points, the reader first, or ranges with more than two wizards."""
    seats = [seat for seat in row.seats if seat.code in found]
    seats.sort(key=lambda seat: seat is not row.mine)
    words = partial(_range_words, points=points)
    if len(seats) <= 2:
        return tuple((_name_of_seat(seat, row), words([found[seat.code]])) for seat in seats)
    own = [found[seat.code] for seat in seats if seat is row.mine]
    others = words(found[seat.code] for seat in seats if seat is not row.mine)
    return (("you", words(own)), ("others", others)) if own else (("", others),)


def _range_words(wizards: Iterable[BeingView], points: Callable[[BeingView], int | None]) -> str:
    """Return the points of the living wizards as a number or a range."""
    living = [wizard for wizard in wizards if wizard.state != DEAD]
    seen = {value for wizard in living if (value := points(wizard)) is not None}
    if not living:
        return "dead"
    return " to ".join(str(each) for each in sorted({min(seen), max(seen)})) if seen else "unseen"


def _sealed_note(row: DuelRow) -> str:
    """Return a note that names the wizards who have sealed in the open turn, or counts them."""
    names = [_name_of_seat(seat, row) for seat in row.seats if seat.pk in row.sealed]
    if not names:
        return ""
    if len(names) > 2:
        return f"{len(names)} of {len(row.seats)} have sealed"
    verb = "has" if len(names) == 1 and names != ["you"] else "have"
    return f"{capfirst(and_list(names))} {verb} sealed"


def _name_of_seat(seat: Seat, row: DuelRow) -> str:
    """Return "you" for the reader's own seat, otherwise the name, without "Guest" to save space."""
    return "you" if seat is row.mine else seat.wizard.name.removeprefix(GUEST_NAME_PREFIX)


def _unread_note(row: DuelRow) -> str:
    """Return a note about turns and messages that the reader has not read yet."""
    messages = f"{row.unread} new message{pluralize(row.unread)}" if row.unread else ""
    return " · ".join(filter(None, ["new turn" if row.has_new_turn else "", messages]))


def _challenge_title(row: DuelRow) -> str:
    if not row.is_mine:
        return f"Challenge from {row.duel.challenger.name}"
    others = and_list(wizard.name for wizard in row.others)
    return f"Your challenge to {others}" if others else "Your challenge"


def _terms_words(duel: Duel, free_places: int) -> str:
    parts = [adjudication.ruleset_label(duel), f"{duel.size} wizards", duel.pace_words]
    if duel.rated:
        parts.append(duel.rated_words)
    if duel.size > 2 and free_places:
        parts.append(f"{free_places} free")
    return " · ".join(parts)


def _outcome_words(row: DuelRow, wizards: Mapping[str, BeingView]) -> str:
    """Return the outcome, for the reader if they took part, and the way in which the duel ended."""
    own = Outcome(row.mine.outcome if row.mine else "")
    words = OWN_OUTCOME_WORDS.get(own) or _result_words(row)
    has_way = own in (Outcome.RESIGNED, Outcome.FORFEITED, Outcome.REMOVED)
    if row.duel.status != DuelStatus.OVER or has_way:
        return words
    states = {id: wizard.state for id, wizard in wizards.items()}
    return f"{words} {way_words(row.duel, states)}".strip()


def _result_words(row: DuelRow) -> str:
    if row.duel.status == DuelStatus.ANNULLED:
        return "annulled"
    won = [seat.wizard.name for seat in row.seats if seat.outcome == Outcome.WON]
    if won:
        return f"{won[0]} won"
    return "drawn" if row.duel.is_over else ""


def _relative_time(row: DuelRow, now: datetime | None) -> tuple[datetime, str] | None:
    """Return when the challenge expires, when the duel ended, or when the current turn began."""
    if now is None:
        return None
    duel = row.duel
    if duel.status == DuelStatus.GATHERING:
        return (duel.expires_at, f"expires in {waiting_time(now, duel.expires_at)}")
    if duel.ended_at is not None:
        return (duel.ended_at, f"ended {waiting_time(duel.ended_at, now)} ago")
    if row.mine is not None and row.mine.awaited_since is not None and row.mine.awaited:
        since = row.mine.awaited_since
        return (since, f"your turn began {waiting_time(since, now)} ago")
    if row.turn is None:
        return None
    names = and_list(seat.wizard.name for seat in row.seats if seat.awaited)
    opened = row.turn.opened_at
    is_told = bool(names) and row.mine is not None and not row.clocks
    whose = f"waiting for {names}, whose turn" if is_told else "turn"
    return (opened, f"{whose} began {waiting_time(opened, now)} ago")


def waiting_time(since: datetime, now: datetime) -> str:
    """Return the time between two moments as text in its two largest units: "2 days, 23 hours".

    The result is rounded down, so that nobody has less time than shown.
    """
    if now - since < timedelta(minutes=1):
        return "less than a minute"
    return timesince(since, now)


def _clock_lines(row: DuelRow, now: datetime | None) -> tuple[tuple[str, SafeString], ...]:
    """Return the reader's clock if the reader must act, otherwise the other wizards', the earliest
    deadline first."""
    if now is None:
        return ()
    if row.mine is not None and row.mine.awaited:
        return tuple(("", clock_html(clock, now)) for seat, clock in row.clocks if seat is row.mine)
    together: dict[tuple[datetime | None, timedelta | None], tuple[KnownClock, list[str]]] = {}
    for seat, clock in sorted(row.clocks, key=lambda each: each[1].due_at or NO_DEADLINE):
        note = " (on vacation)" if seat.vacation_until else ""
        _, names = together.setdefault((clock.due_at, clock.left), (clock, []))
        names.append(seat.wizard.name + note)
    return tuple((and_list(names), clock_html(clock, now)) for clock, names in together.values())
