"""Settings of workers that send webhook messages to the server of `tests.webhook_sink`.

SINK_PORT is the server's port, and SINK_CERTIFICATE the file with its certificate.
"""

import os

import pytest

from spellcaster.settings import *  # noqa: F403  # every setting
from tests.webhook_sink import connect_to_sink

connect_to_sink(pytest.MonkeyPatch(), int(os.environ["SINK_PORT"]), os.environ["SINK_CERTIFICATE"])
