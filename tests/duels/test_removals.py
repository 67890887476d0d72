"""Whom a referee has removed is told apart from who resigned: everywhere, and in rows of before."""

from importlib import import_module

import pytest
from django.apps import apps
from django.test import Client

from duels import commands
from duels.models import ActKind, Turn
from duels.post import emails
from duels.post.models import Notice, NoticeKind
from duels.records import record
from engine.verify import verify
from tests.cast import LATER, Cast, begin, hands, play
from tests.duels.refereeing import done, make_referee

pytestmark = pytest.mark.django_db
IDLE = hands("-", "-")


def test_whom_a_referee_removed_is_said_to_have_resigned_nowhere(cast: Cast):
    """Report, list of beings, transcript, the turn's own page and the mails tell who did it."""
    duel = begin(cast.ada, cast.bram, cast.cleo)
    done(ActKind.REMOVE, make_referee(), duel, seat="w2")
    play(duel, {cast.ada: IDLE, cast.bram: IDLE})
    done(ActKind.REMOVE, make_referee(), duel, seat="w1")
    told = "A referee has removed {} from the duel."
    pages = {"": "Bram", "turns/1/": "Cleo", "turns/2/": "Bram", "transcript.txt": "Cleo"}
    for path, name in pages.items():
        text = Client().get(f"/duels/{duel.pk}/{path}").content.decode()
        assert "resign" not in text.replace("/resign", "").lower(), path
        assert told.format(name) in text, path
    assert "was removed by a referee" in Client().get(f"/duels/{duel.pk}/").content.decode()
    (his,) = Notice.objects.filter(kind=NoticeKind.OVER, wizard=cast.bram)
    (hers,) = Notice.objects.filter(kind=NoticeKind.OVER, wizard=cast.ada)
    for notice, words in ((his, "has removed you from it"), (hers, "has removed a player")):
        message = emails.over(notice, "reader@example.org")
        assert words in " ".join(message.body.split())
        assert "resign" not in message.body


@pytest.mark.parametrize(
    ("kind", "words"),
    [(ActKind.ANNUL, "A referee has annulled it"), (ActKind.DECLARE, "has declared this result")],
)
def test_the_mail_of_the_end_says_what_a_referee_made_of_it(cast: Cast, kind: ActKind, words: str):
    duel = begin(cast.ada, cast.bram)
    done(kind, make_referee(), duel, **({"result": "w0"} if kind == ActKind.DECLARE else {}))
    for notice in Notice.objects.filter(kind=NoticeKind.OVER):
        message = emails.over(notice, "reader@example.org")
        assert words in " ".join(message.body.split())
        assert ("annulled" in message.subject) == (kind == ActKind.ANNUL)
        assert "draw" not in message.body


def test_rows_from_before_removals_were_told_apart_are_rewritten_branch_by_branch(cast: Cast):
    """Cleo was removed; after a roll back they resigned. There and back, nothing is otherwise."""
    three = (cast.ada, cast.bram, cast.cleo)
    duel, by = begin(*three), make_referee()
    play(duel, dict.fromkeys(three, IDLE))
    done(ActKind.REMOVE, by, duel, seat="w2")
    play(duel, {cast.ada: IDLE, cast.bram: IDLE})
    done(ActKind.ROLL_BACK, by, duel, turn="2")
    commands.resign(duel_id=duel.pk, wizard=cast.cleo, now=LATER)
    play(duel, {cast.ada: IDLE, cast.bram: IDLE}, now=LATER)
    done(ActKind.REMOVE, by, duel, seat="w1")
    rows = Turn.with_voided.filter(duel=duel).order_by("pk")
    before = list(rows.values("position", "events")), duel.final_position
    migration = import_module("duels.migrations.0034_whom_referees_removed")
    migration.tell_resignations(apps, None)
    duel.refresh_from_db()
    assert "removed" not in str([*rows.values("position", "events"), duel.final_position])
    migration.tell_removals(apps, None)
    duel.refresh_from_db()
    assert (list(rows.values("position", "events")), duel.final_position) == before
    assert verify(record(duel)) == []
