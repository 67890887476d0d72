"""Figures that are the same in every run: queries, statements, compressed bytes and renders.

Pages are measured in a process that has rendered them before, as is usual in production.
`tests/budgets.py` limits these figures.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from unittest import mock

from django.db import connection
from django.middleware.gzip import GZipMiddleware
from django.template import Template
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from bench.output import Figure
from bench.played import duel_at_turn, sample_duel, seal_turn, tasks_disabled
from bench.web import duel_path, fetch_page, quiet_poll, signed_in_client
from duels.commands import endings, practising, resolution
from duels.demonstration import SAMPLE_DUEL
from duels.lessons.first import FIRST_LESSON
from duels.models import Duel, Wizard
from tests.cast import NOW, challenge, make_wizard, open_turn, seal

PAST_TURN_ORDINAL = 12
RENDER_METHOD = "_render"  # Template's method that also renders included and parent templates


@dataclass(frozen=True)
class Page:
    """A page to measure, and the suffix of its figures' names, such as `_turn_20`."""

    name: str
    path: str
    client: Client
    suffix: str = ""

    def fetch(self, **headers: str) -> bytes:
        return fetch_page(self.client, self.path, **headers)


def figures(black: Wizard, white: Wizard, duels: Mapping[int, Duel]) -> Iterator[Figure]:
    """Yield the counts for each page and for a turn.

    `duels` maps turn numbers to duels in that turn. Black has not sealed yet in any of them.
    """
    pages = list(_pages(black, white, duels))
    for page in pages:
        page.fetch()
        yield f"{page.name}_queries{page.suffix}", query_count(page.fetch), "queries"
    poll = quiet_poll(signed_in_client(black), duel_path(duels[20]))
    yield "poll_queries", query_count(poll), "queries"
    for page in pages:
        yield f"{page.name}_compressed_bytes{page.suffix}", _compressed_size(page), "bytes"
    for page in pages:
        if page.name == "duel_page":
            yield f"{page.name}_renders{page.suffix}", _template_count(page), "templates"
    sealing, both = _statement_counts(make_wizard("Sealing"), make_wizard("Sealing last"))
    yield "statements_last_seal", sealing, "statements"
    yield "statements_seal_to_resolved", both, "statements"


def _pages(black: Wizard, white: Wizard, duels: Mapping[int, Duel]) -> Iterator[Page]:
    player, visitor = signed_in_client(black), Client()
    learner = make_wizard("Learner")
    lesson = practising.start_lesson(wizard=learner, lesson=FIRST_LESSON.slug, now=timezone.now())
    opened = challenge(white, now=timezone.now())
    over = duel_at_turn(20, black, white)
    endings.resign(duel_id=over.pk, wizard=white, now=NOW)
    yield from (
        Page("duel_page", duel_path(duel), player, f"_turn_{turn}") for turn, duel in duels.items()
    )
    turn = reverse("turn", args=[duels[20].pk, PAST_TURN_ORDINAL])
    yield Page("past_turn_page", turn, player)
    yield Page("lesson_page", duel_path(lesson), signed_in_client(learner))
    yield Page("challenge_page", duel_path(opened), player)
    yield Page("finished_duel_page", duel_path(over), player)
    yield Page("record", reverse("record", args=[over.pk]), player)
    yield Page("front_page", reverse("home"), visitor)
    yield Page("home_page", reverse("home"), player)
    yield Page("duels_page", reverse("duels"), player)
    yield Page("new_challenge_page", reverse("challenge_new"), player)
    yield Page("wizard_page", reverse("wizard", args=[white.slug]), player)
    yield Page("settings_page", reverse("settings"), player)
    yield Page("rules_page", reverse("rules", args=["bartle-1"]), visitor)
    yield Page("spellbook_page", reverse("spellbook"), visitor)


def query_count(run: Callable[[], object]) -> int:
    with CaptureQueriesContext(connection) as captured:
        run()
    return len(captured)


def _compressed_size(page: Page) -> int:
    """Return the size of the compressed body, without the random padding against BREACH."""
    with mock.patch.object(GZipMiddleware, "max_random_bytes", 0):
        return len(page.fetch(**{"accept-encoding": "br, gzip"}))


def _template_count(page: Page) -> int:
    """Return the number of rendered templates, including included and parent templates."""
    render = getattr(Template, RENDER_METHOD)
    with mock.patch.object(Template, RENDER_METHOD, autospec=True, side_effect=render) as rendered:
        page.fetch()
    return rendered.call_count


def _statement_counts(first: Wizard, last: Wizard) -> tuple[int, int]:
    """Return the numbers of SQL statements of a turn's last seal, without and with the resolution.

    Both counts include BEGIN and COMMIT.
    """
    with tasks_disabled():
        duel = sample_duel(first, last)
        (firsts, lasts), *_ = SAMPLE_DUEL
        seal(duel, first, firsts)
        turn = open_turn(duel)
        sealing = query_count(lambda: seal_turn(turn, last, lasts))
        resolving = query_count(lambda: resolution.resolve_turn(turn_id=turn.pk, now=NOW))
    return sealing, sealing + resolving
