"""Tests of the connection to Redis over which tasks are sent."""

import signal
from pathlib import Path
from typing import Any

import pytest
import redis
from kombu import Connection

from spellcaster.broker import Transport
from tests import services
from tests.conftest import require_programs


@pytest.mark.services
def test_channel_counts_as_closed_even_if_redis_has_ended(tmp_path: Path) -> None:
    """Otherwise the worker of an unfinished task ends when it closes the channel again."""
    require_programs("Redis")
    port = services.free_port()
    with services.running_server(
        services.redis_command(port, tmp_path),
        log=tmp_path / "log",
        ready=lambda: services.accepts_connections(port),
        stop=signal.SIGKILL,
    ):
        connection = Connection(f"redis://127.0.0.1:{port}/0")
        assert isinstance(connection.transport, Transport)
        queue = connection.SimpleQueue("turns")
        queue.put("a turn")
        queue.get(timeout=services.PATIENCE_SECONDS)  # an unfinished task
        channel: Any = queue.channel
        channel._brpop_start()  # the worker also waits for the next task
    with pytest.raises(redis.ConnectionError):
        channel.close()
    assert channel.closed
