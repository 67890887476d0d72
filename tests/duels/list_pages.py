"""Pages with lists of duels or wizards."""

import re

from django.utils import timezone

from duels.commands import endings
from duels.models import Duel, Wizard
from tests.cast import NOW, Cast, begin, challenge, hands, seal, signed_in

DO_NOTHING = hands("-", "-")


def page_html(viewer: Wizard | None, address: str) -> str:
    answer = signed_in(viewer).get(address)
    assert answer.status_code == 200
    return str(answer.content.decode())


def listed_duels(html: str) -> list[int]:
    """Return the ids of the duels in the page's list, in order."""
    return [int(number) for number in re.findall(r'data-duel="(\d+)"', html)]


def next_page_address(html: str) -> str:
    """Return the address of the next page of the list, or an empty string."""
    found = re.search(r'href="([^"]+)" rel="next"', html)
    return found[1].replace("&amp;", "&") if found else ""


def one_duel_of_each_kind(cast: Cast) -> list[Duel]:
    waiting, running, over = (begin(cast.ada, cast.bram) for _ in range(3))
    seal(running, cast.ada, DO_NOTHING)
    endings.resign(duel_id=over.pk, wizard=cast.ada, now=NOW)
    return [waiting, running, over, challenge(cast.bram, now=timezone.now())]
