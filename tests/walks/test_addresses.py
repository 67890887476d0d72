"""Tests that the list of all addresses is complete, and reports missing examples."""

from types import SimpleNamespace
from unittest import mock

import pytest
from django.http import HttpResponse
from django.urls import Resolver404, path, resolve

from tests.walks import addresses


def test_list_of_addresses_includes_every_part_of_the_site() -> None:
    names = {address.name for address in addresses.every_address()}
    assert {"home", "orders", "account_login", "mfa_index", "duels_orders_changelist"} <= names


def test_every_address_leads_to_its_own_view() -> None:
    for address in addresses.every_address():
        try:
            found = resolve(address.path)
        except Resolver404:
            raise AssertionError(f"{address} does not resolve: fix its examples") from None
        assert (found.url_name or "") == address.name, address


def test_argument_of_a_route_without_an_example_is_reported() -> None:
    tower = path("towers/<int:tower_id>/", lambda request, tower_id: HttpResponse(), name="tower")
    site = SimpleNamespace(url_patterns=[tower])
    with (
        mock.patch.object(addresses, "get_resolver", return_value=site),
        pytest.raises(AssertionError, match=r"towers/<int:tower_id>/.*\['tower_id'\]"),
    ):
        addresses.every_address()
