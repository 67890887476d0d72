"""IP addresses of public hosts, which everyone can reach."""

import pytest

from duels.delivery.public_hosts import is_public_address

PRIVATE_ADDRESSES = [
    "127.0.0.1",
    "127.8.9.1",
    "0.0.0.0",
    "10.1.2.3",
    "172.16.0.1",
    "192.168.1.1",
    "169.254.169.254",  # the metadata service of cloud providers
    "100.64.0.1",  # the network within a provider
    "192.0.0.8",
    "192.0.2.1",
    "192.88.99.1",
    "198.18.0.1",
    "203.0.113.1",
    "224.0.0.1",
    "239.1.1.1",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::127.0.0.1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "::ffff:8.8.8.8",
    "64:ff9b::7f00:1",  # translated IPv4
    "64:ff9b:1::a00:1",
    "2002:7f00:1::",
    "2001::1",
    "2001:db8::1",
    "3fff::1",
    "fc00::1",
    "fd00:ec2::254",
    "fe80::1",
    "fe80::1%1",
    "fec0::1",
    "ff02::1",
    "100::1",
]


@pytest.mark.parametrize("address", PRIVATE_ADDRESSES)
def test_private_addresses_are_not_public(address: str):
    assert not is_public_address(address)


@pytest.mark.parametrize("address", ["8.8.8.8", "162.159.128.233", "2606:4700::1", "2a00:1450::1"])
def test_addresses_that_everyone_can_reach_are_public(address: str):
    assert is_public_address(address)
