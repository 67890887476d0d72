"""Settings of gunicorn, which finds this file in its working directory.

    gunicorn

`WEB_CONCURRENCY` (2) is the number of processes, `PORT` (8000) the port on 127.0.0.1. To override
other settings, use options on the command line or in `GUNICORN_CMD_ARGS`.
"""

import logging
import os
import socket
import struct
from typing import Any

wsgi_app = "spellcaster.wsgi"
bind = f"127.0.0.1:{os.environ.get('PORT', '8000')}"
workers = int(os.environ.get("WEB_CONCURRENCY", "2"))
# A thread waits for each client whose request has not arrived completely. Waiting costs almost
# nothing, so there are far more threads than requests that run at the same time.
threads = 64
# Seconds until an unresponsive process is killed. A stopping process has the same time to finish
# its requests.
timeout = 30
graceful_timeout = 30
# Replace processes from time to time, one after another, in case they leak memory.
max_requests = 10_000
max_requests_jitter = 2_000
# The heartbeat of a process must not block on a disk.
worker_tmp_dir = "/dev/shm" if os.path.isdir("/dev/shm") else None  # noqa: S108  # no Path here
control_socket_disable = True  # by default, gunicorn creates this socket in the home folder

if os.environ.get("LOG_JSON", "").lower() in {"on", "true", "yes", "1"}:
    logconfig_dict = {
        "formatters": {"generic": {"()": "spellcaster.logs.JsonFormatter"}},
        "loggers": {
            "gunicorn.error": {"handlers": ["error_console"], "propagate": False},
            "gunicorn.access": {"propagate": False},
        },
    }

CLIENT_TIMEOUT = 20  # seconds without progress after which a connection is closed


def when_ready(server: Any) -> None:
    """Limit how long a thread waits for a client. Connections inherit this from the listener."""
    server.log.error_log.addFilter(is_not_client_timeout)
    if server.cfg.worker_class_str == "sync" and os.environ.get("TRUSTED_PROXIES", "0") == "0":
        server.log.warning(
            "Without threads and without a proxy, %s slow clients stop the site.",
            server.cfg.workers,
        )
    limit = struct.pack("ll", CLIENT_TIMEOUT, 0)
    for listener in server.LISTENERS:
        listener.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, limit)
        listener.sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, limit)


def is_not_client_timeout(record: logging.LogRecord) -> bool:
    """Return whether to log the record. Disconnected clients are common and need no stack trace."""
    return not (record.exc_info and isinstance(record.exc_info[1], BlockingIOError))
