"""Removed wizards, who must not be described as having resigned, even in old rows."""

import pytest
from django.test import Client

from duels.models import ActKind
from duels.post import emails
from duels.post.models import Notice
from tests.cast import Cast, begin, hands, play
from tests.duels.referees.acts.refereeing import make_referee, perform_act

pytestmark = pytest.mark.django_db
IDLE = hands("-", "-")


def test_no_text_says_that_a_removed_wizard_resigned(cast: Cast):
    """Texts are the report, the list of beings, the transcript, the turn's page and emails."""
    duel = begin(cast.ada, cast.bram, cast.cleo)
    perform_act(ActKind.REMOVE, make_referee(), duel, seat="w2")
    play(duel, {cast.ada: IDLE, cast.bram: IDLE})
    perform_act(ActKind.REMOVE, make_referee(), duel, seat="w1")
    told = "A referee has removed {} from the duel."
    pages = {"": "Bram", "turns/1/": "Cleo", "turns/2/": "Bram", "transcript.txt": "Cleo"}
    for path, name in pages.items():
        text = Client().get(f"/duels/{duel.pk}/{path}").content.decode()
        assert "resign" not in text.replace("/resign", "").lower(), path
        assert told.format(name) in text, path
    assert "was removed by a referee" in Client().get(f"/duels/{duel.pk}/").content.decode()
    (his,) = Notice.objects.filter(kind="over", wizard=cast.bram)
    (hers,) = Notice.objects.filter(kind="over", wizard=cast.ada)
    for notice, words in ((his, "has removed you from it"), (hers, "has removed a player")):
        message = emails.email_for([notice])
        assert message
        assert words in " ".join(message.body.split())
        assert "resign" not in message.body


@pytest.mark.parametrize(
    ("kind", "words"),
    [(ActKind.ANNUL, "A referee has annulled it"), (ActKind.DECLARE, "has declared this result")],
)
def test_email_about_the_result_mentions_the_referees_act(cast: Cast, kind: ActKind, words: str):
    duel = begin(cast.ada, cast.bram)
    perform_act(kind, make_referee(), duel, **({"result": "w0"} if kind == ActKind.DECLARE else {}))
    for notice in Notice.objects.filter(kind="over"):
        message = emails.email_for([notice])
        assert message
        assert words in " ".join(message.body.split())
        assert ("annulled" in message.subject) == (kind == ActKind.ANNUL)
        assert "draw" not in message.body
