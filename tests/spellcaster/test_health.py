"""Tests of the URLs that show whether a process responds, and whether the site is ready."""

from typing import Any
from unittest import mock

import pytest
from django.db import OperationalError, connection
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client
from pytest_django import Settings

from tests import services
from tests.sites import Site
from tests.spellcaster.test_production import Visitor

READY_ANSWER = {"database": "ok", "migrations": "ok", "cache": "ok", "broker": "ok"}


@pytest.fixture
def proxy_client(settings: Settings) -> Client:
    """A client that connects to an IP address, without HTTPS."""
    settings.SECURE_SSL_REDIRECT = True
    return Client(headers={"host": "10.0.0.7:8000"})


def test_healthz_does_not_need_a_database(proxy_client: Client) -> None:
    response = proxy_client.get(
        "/healthz"
    )  # this test cannot use a database, because it is not marked
    assert (response.status_code, response.text) == (200, "ok\n")


@pytest.mark.sqlite
@pytest.mark.django_db
def test_readyz_is_ok_if_everything_responds(proxy_client: Client) -> None:
    response = proxy_client.get("/readyz")
    assert response.status_code == 200
    assert response.json() == READY_ANSWER
    assert response["Cache-Control"] == "no-store"


@pytest.mark.django_db
def test_readyz_names_the_database_if_it_does_not_respond(proxy_client: Client) -> None:
    with mock.patch.object(connection, "cursor", side_effect=OperationalError):
        response = proxy_client.get("/readyz")
    assert response.status_code == 503
    assert response.json() == READY_ANSWER | {
        "database": "OperationalError",
        "migrations": "OperationalError",
    }


@pytest.mark.django_db
def test_readyz_names_pending_migrations(proxy_client: Client) -> None:
    MigrationRecorder(connection).record_unapplied("sessions", "0001_initial")
    response = proxy_client.get("/readyz")
    assert response.status_code == 503
    assert response.json() == READY_ANSWER | {"migrations": "PendingMigrations"}


@pytest.mark.django_db
def test_readyz_names_a_broker_that_is_down(
    proxy_client: Client, settings: Settings, broken_broker: Any
) -> None:
    broken_broker(services.free_port())
    settings.REDIS_URL = "redis://127.0.0.1/0"
    response = proxy_client.get("/readyz")
    assert response.status_code == 503
    assert response.json() == READY_ANSWER | {"broker": "OperationalError"}


@pytest.mark.services
def test_site_with_all_services_is_ready(services_site: Site) -> None:
    assert Visitor(services_site).get("/readyz")[0] == 200
