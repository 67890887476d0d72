"""The hooks in `gunicorn.conf.py`."""

import logging
import runpy
from types import SimpleNamespace

import pytest

from tests.services import ROOT

GUNICORN_SETTINGS = runpy.run_path(str(ROOT / "gunicorn.conf.py"))


def log_of_start(caplog: pytest.LogCaptureFixture, worker_class: str) -> logging.Logger:
    log = logging.Logger("gunicorn.error")
    log.addHandler(caplog.handler)
    cfg = SimpleNamespace(worker_class_str=worker_class, workers=1)
    warn = SimpleNamespace(error_log=log, warning=log.warning)
    GUNICORN_SETTINGS["when_ready"](SimpleNamespace(LISTENERS=[], log=warn, cfg=cfg))
    return log


@pytest.mark.parametrize(
    ("worker_class", "proxies", "is_warned"),
    [("sync", "0", True), ("sync", "1", False), ("gthread", "0", False)],
)
def test_synchronous_worker_without_proxy_is_warned_about(
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
    worker_class: str,
    proxies: str,
    is_warned: bool,
) -> None:
    monkeypatch.setenv("TRUSTED_PROXIES", proxies)
    log_of_start(caplog, worker_class)
    assert ("1 slow clients stop the site" in caplog.text) == is_warned


def test_client_that_stops_sending_is_not_logged(caplog: pytest.LogCaptureFixture) -> None:
    log = log_of_start(caplog, "gthread")
    for error in (BlockingIOError(), ValueError("a fault")):
        try:
            raise error
        except (BlockingIOError, ValueError):
            log.exception("Socket error processing request.")
    (record,) = caplog.records
    assert record.exc_info
    assert isinstance(record.exc_info[1], ValueError)
