"""Tests of accounts and guests while Redis is down and attempts are counted in the database."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.contrib.auth import get_user
from django.core import mail
from django.core.cache import cache, caches
from django.core.cache.backends.base import BaseCache
from django.db import connection
from django.test import Client, override_settings

from duels.caching.volatile import cache as volatile
from duels.models import Wizard
from spellcaster import settings as site_settings
from spellcaster import shared_cache
from spellcaster.redis_urls import next_database_url
from spellcaster.shared_cache import SharedCache
from tests import services
from tests.cast import PASSWORD, make_user, make_wizard

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


@contextmanager
def use_caches_at(url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Configure the caches as on a site that has Redis at this address."""
    monkeypatch.setattr(site_settings, "CACHE_URL", url)
    monkeypatch.setattr(shared_cache._Backoff, "until", 0.0)
    made = {
        "default": site_settings.cache_settings("spellcaster.shared_cache.SharedCache", "shared"),
        "volatile": site_settings.cache_settings("spellcaster.shared_cache.RedisCache", "volatile"),
    }
    with override_settings(CACHES=made):
        yield


@pytest.fixture
def redis_down(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with use_caches_at(f"redis://127.0.0.1:{services.free_port()}/1", monkeypatch):
        assert isinstance(caches["default"], SharedCache)
        yield


def sign_in(client: Client, password: str = PASSWORD) -> Any:
    form = {"login": "ada@example.org", "password": password}
    return client.post("/accounts/login/", form)


@pytest.mark.usefixtures("redis_down")
def test_users_can_sign_in_and_guests_can_play_while_redis_is_down(client: Client):
    make_wizard("Ada")
    sign_in(client)
    assert get_user(client).is_authenticated
    assert client.get("/").status_code == 200
    assert client.post("/practice/", {"ruleset": "bartle-1"}).status_code == 302

    form = {"email": "bram@example.org", "password1": PASSWORD, "name": "Bram", "pronouns": "he"}
    assert Client().post("/accounts/signup/", form).status_code == 302
    assert (
        Client().post("/accounts/password/reset/", {"email": "ada@example.org"}).status_code == 302
    )
    assert Client().post("/accounts/login/code/", {"email": "ada@example.org"}).status_code == 302
    assert len(mail.outbox) == 3

    guest = Client()
    assert guest.post("/play").status_code == 302
    assert guest.post("/practice/", {"ruleset": "bartle-1"}).status_code == 302
    assert Wizard.objects.filter(kind="guest").exists()


@pytest.mark.usefixtures("redis_down")
def test_number_of_guesses_is_limited_while_redis_is_down(client: Client):
    make_user("ada@example.org")
    for _ in range(10):
        sign_in(client, "a wrong guess")
    sign_in(client)
    assert not get_user(client).is_authenticated, "even the right password is rejected now"
    assert Client().get("/accounts/login/").status_code == 200


def test_redis_that_does_not_respond_is_tried_only_once(
    client: Client, monkeypatch: pytest.MonkeyPatch, connection_timeouts: list[float | None]
):
    make_user("ada@example.org")
    with (
        services.silent_server() as port,
        use_caches_at(f"redis://127.0.0.1:{port}/1", monkeypatch),
    ):
        sign_in(client)
        assert get_user(client).is_authenticated
        assert connection_timeouts == [1]


def assert_cache_works(cache: BaseCache) -> None:
    assert cache.get("count", []) == []
    cache.set("count", [2.5, 1.25], 60)
    assert cache.get("count") == [2.5, 1.25]
    assert not cache.add("count", [], 60)
    assert cache.add("lock", True, 60)
    assert cache.touch("lock", 90)
    assert not cache.touch("none", 90)
    assert cache.delete("lock")
    assert not cache.delete("lock")
    assert cache.add("lock", True, None)
    cache.set("gone", 1, -1)
    assert cache.get("gone") is None
    assert cache.add("gone", 2, 60)
    assert cache.get_many(["gone", "count", "none"]) == {"gone": 2, "count": [2.5, 1.25]}
    cache.clear()
    assert cache.get("count") is None


@pytest.mark.usefixtures("redis_down")
def test_shared_cache_works_while_redis_is_down():
    assert_cache_works(caches["default"])


@pytest.mark.services
def test_cache_stores_json_in_a_separate_redis_database(redis_server: str, monkeypatch):
    import redis

    url = next_database_url(next_database_url(redis_server))
    with use_caches_at(url, monkeypatch), redis.Redis.from_url(url) as server:
        assert_cache_works(caches["default"])
        cache.set("count", [2.5], 60)
        cache.set("number", 7, 60)
        volatile.set("told", ("version", "digest"), 60)
        kept = {key: json.loads(server.get(key) or b"") for key in server.scan_iter()}
        assert sorted(kept.values(), key=str) == [7, ["version", "digest"], [2.5]]
        assert stored_rows() == 0
        for each in (cache, volatile):
            each.clear()
        with pytest.raises(TypeError):
            cache.set("object", object(), 60)


@pytest.mark.usefixtures("redis_down")
def test_full_database_cache_deletes_expired_rows(monkeypatch: pytest.MonkeyPatch):
    shared: Any = caches["default"]
    monkeypatch.setattr(shared.table, "_max_entries", 2)
    for key in ("old", "older", "oldest"):
        cache.set(key, 1, -60)
    assert stored_rows() == 3
    cache.set("new", 1, 60)
    assert stored_rows() == 1


def stored_rows() -> int:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT COUNT(*) FROM {shared_cache.CACHE_TABLE}")
        count: int = cursor.fetchone()[0]
    return count


@pytest.mark.parametrize(
    ("broker", "cache_url"),
    [
        ("", ""),
        ("redis://redis", "redis://redis/1"),
        ("redis://:word@redis:6380/3", "redis://:word@redis:6380/4"),
        ("rediss://redis/0?ssl_cert_reqs=none", "rediss://redis/1?ssl_cert_reqs=none"),
        (
            "redis://redis?db=2&health_check_interval=9",
            "redis://redis?health_check_interval=9&db=3",
        ),
        ("unix:///run/redis.sock?db=0", "unix:///run/redis.sock?db=1"),
        ("unix:///run/redis.sock", "unix:///run/redis.sock?db=1"),
        ("redis://redis/first", "redis://redis/first"),
    ],
)
def test_cache_uses_the_redis_database_with_the_next_number(broker: str, cache_url: str):
    assert next_database_url(broker) == cache_url
