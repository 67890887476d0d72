"""Caches within a process: their keys, their sizes, and separate entries for each observer."""

import gzip

import pytest
from django.template import Context, Template
from django.test import Client
from django.urls import NoReverseMatch, get_resolver, reverse

from duels.caching import caches
from duels.caching.caches import CACHES, KeyedCache
from duels.commands import endings, sealing
from duels.queries import pages
from duels.screens.parts.view_cache import sheet_key, view_key
from tests.cast import NOW, Cast, begin, hands, open_turn, play, seal, signed_in
from tests.states import People, sample

pytestmark = pytest.mark.django_db
MAX_PAGE_BYTES = 10_000  # the compressed page of a duel after twenty turns


@pytest.fixture
def small_cache() -> KeyedCache[str, str]:
    CACHES.pop("a test's own", None)
    return KeyedCache("a test's own", size=2, key="a word")


def test_cached_value_is_computed_once_per_key_and_the_oldest_is_evicted(
    small_cache: KeyedCache[str, str],
):
    made: list[str] = []

    def cached(key: str) -> str:
        def compute() -> str:
            made.append(key)
            return key.upper()

        return small_cache.get(key, compute)

    assert [cached(key) for key in ("a", "b", "a", "c", "a", "b")] == ["A", "B", "A", "C", "A", "B"]
    assert made == ["a", "b", "c", "b"]
    caches.clear_all()
    assert cached("a") == "A"
    assert made == ["a", "b", "c", "b", "a"]


def test_value_without_a_key_is_not_cached(small_cache: KeyedCache[str, str]):
    made = iter("ab")
    assert [small_cache.get(None, lambda: next(made)) for _ in range(2)] == ["a", "b"]


def test_every_cache_documents_its_key():
    get_resolver().url_patterns  # noqa: B018 # a cache is known once the views that use it are
    assert len(CACHES) > 10
    assert all(cache.name == name and cache.size and cache.key for name, cache in CACHES.items())


def test_cache_keys_of_a_page_depend_on_observer_turn_and_draft(cast: Cast):
    duel = begin(cast.ada, cast.bram)
    ada, bram, nobody = (pages.duel_page(duel, each) for each in (cast.ada, cast.bram, None))
    keys = [view_key(page) for page in (ada, bram, nobody)]
    assert len({key.observer for key in keys if key}) == len(set(keys)) == 3
    assert sheet_key(ada, hands("S", "-")) != sheet_key(ada, hands("W", "-"))
    assert sheet_key(ada, hands("S", "-")) != sheet_key(bram, hands("S", "-"))
    assert sheet_key(ada, {"left": "nonsense"}) is None
    play(duel, {cast.ada: hands("S", "-"), cast.bram: hands("W", "-")})
    assert view_key(pages.duel_page(duel, cast.ada)) not in keys


def test_view_of_a_finished_duel_is_not_cached(cast: Cast):
    duel = begin(cast.ada, cast.bram)
    endings.resign(duel_id=duel.pk, wizard=cast.ada, now=NOW)
    duel.refresh_from_db()
    assert duel.is_over
    assert view_key(pages.duel_page(duel, cast.bram)) is None


def test_each_reader_and_draft_has_a_separate_cached_sheet(cast: Cast):
    """A second reader of the same turn, served by the same process, must see their own sheet."""
    duel = begin(cast.ada, cast.bram)
    ada, bram = signed_in(cast.ada), signed_in(cast.bram)
    address = f"/duels/{duel.pk}/"

    def is_s_chosen(client: Client) -> bool:
        html = client.get(address).content.decode()
        return 'name="left" value="S" aria-describedby="hint-left-3" checked' in html

    assert [is_s_chosen(ada), is_s_chosen(bram)] == [False, False]
    sealing.save_draft(turn_id=open_turn(duel).pk, wizard=cast.ada, fields=hands("S", "W"), now=NOW)
    assert [is_s_chosen(ada), is_s_chosen(bram), is_s_chosen(ada)] == [True, False, True]
    seal(duel, cast.ada, hands("W", "W"))
    assert [is_s_chosen(ada), is_s_chosen(bram)] == [False, False]


def test_page_is_the_same_with_filled_and_empty_caches(cast: Cast):
    duel = begin(cast.ada, cast.bram)
    play(duel, {cast.ada: hands("S", "-"), cast.bram: hands("W", "P")})
    for client in (signed_in(cast.ada), signed_in(cast.bram), Client()):
        kept = without_tokens(client.get(f"/duels/{duel.pk}/").content.decode())
        assert without_tokens(client.get(f"/duels/{duel.pk}/").content.decode()) == kept
        caches.clear_all()
        assert without_tokens(client.get(f"/duels/{duel.pk}/").content.decode()) == kept


def without_tokens(html: str) -> list[str]:
    return [line for line in html.splitlines() if "csrfmiddlewaretoken" not in line]


def test_page_of_a_long_duel_stays_small():
    """Each gesture is described only once, and icons are not embedded in the page."""
    state = sample(People(), turns=19)
    assert state.viewer is not None
    page = signed_in(state.viewer).get(state.path).content
    assert page.count(b"<tr data-turn=") == 19
    assert len(gzip.compress(page)) < MAX_PAGE_BYTES
    assert b"<svg" not in page


def test_url_tag_of_the_site_behaves_like_that_of_django():
    def rendered(text: str, **context: object) -> str:
        return Template(text).render(Context(context))

    for _ in range(2):
        assert rendered("{% url 'duel' number %}", number=7) == reverse("duel", args=[7])
        assert rendered("{% url 'duel' number as it %}[{{ it }}]", number=8) == "[/duels/8/]"
        assert rendered("{% url 'duel' duel_id=9 %}") == "/duels/9/"
    with pytest.raises(NoReverseMatch):
        rendered("{% url 'nowhere' %}")
