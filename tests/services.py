"""Servers that tests need. Each server is started by its program and stopped by its process id.

All listen on a free port of 127.0.0.1 and write to a temporary folder.

    postgresql()            the address of a PostgreSQL server, for DATABASE_URL
    redis()                 the address of a Redis server, for REDIS_URL
    celery_workers(env)     Celery workers for turns and for the post; the value is their log file
    celery_beat(env)        the scheduler of their rounds; the value is its log file
    mail_sink()             an SMTP server that stores the emails it receives: `.url`, `.mails`
    smtp_server(handler)    the port of an SMTP server that passes emails to a handler
    silent_server()         the port of a server that accepts connections and never answers
    temporary_folder()      the path of a new folder
    running_server(...)     any other server, started by its command
    free_port()             a port that no server uses
    chromium_path()         the path of Debian's Chromium
    missing_programs()      programs that are not installed, with their Debian packages
    clean_environment(...)  the environment of a site, without this process's settings
    example_environment()   the variables in .env.example

All except the last five are context managers. `tests/sites.py` starts the whole site, and
`tests/conftest.py` has fixtures for most of these.
"""

import email
import email.policy
import os
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, field
from email.message import EmailMessage
from pathlib import Path

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

ROOT = Path(__file__).resolve().parent.parent
PATIENCE_SECONDS = 180  # the machine may be busy
STOP_ATTEMPTS, STOP_ATTEMPT_SECONDS = 5, 30  # together less than a test may take

# Playwright turns off the first group by default, but this list replaces that default. The last
# group would draw each window's buttons in a separate process, although the windows are never
# visible.
DISABLED_CHROMIUM_FEATURES = (
    "AimEnabled",
    "AvoidCorsURLLoaderRestartOnRedirect",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsFirstBalancedModeAutoEnable",
    "HttpsUpgrades",
    "LensOverlay",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PaintHolding",
    "PreconnectToSearch",
    "TcpPortRandomizationWin",
    "ThirdPartyStoragePartitioning",
    "InitialWebUI",
    "WebUIBackForwardButton",
    "WebUIHomeButton",
    "WebUILocationBar",
    "WebUIReloadButton",
    "WebUISplitTabsButton",
    "WebUIToolbar",
)

# flags for Chromium without a desktop, and without requests of its own
CHROMIUM_FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    f"--disable-features={','.join(DISABLED_CHROMIUM_FEATURES)}",
)

# variables that a server must not inherit from a test run
SITE_VARIABLES = (
    "ALLOWED_HOSTS",
    "ANYMAIL_WEBHOOK_SECRET",
    "BOUNCE_DOMAIN",
    "CACHE_URL",
    "DATABASE_URL",
    "DEBUG",
    "EMAIL_SERVICE",
    "EMAIL_TIMEOUT",
    "EMAIL_URL",
    "HTTPS",
    "LOG_JSON",
    "METRICS_TOKEN",
    "MOST_DUELS_AT_ONCE",
    "NOTICES_KEPT_DAYS",
    "PUSH_SERVICES",
    "PUSH_TIMEOUT",
    "REDIS_URL",
    "SEAL_KEYS",
    "SECRET_KEY",
    "SITE_URL",
    "STATIC_ROOT",
    "TRUSTED_PROXIES",
    "VAPID_CONTACT",
    "VAPID_PRIVATE_KEY",
    "VAR_DIR",
)

# keys that are only for test sites
TEST_KEYS = {
    "SECRET_KEY": "for-tests-only-" + "0123456789abcdefghijklmnopqrstuvwxyz" * 2,
    "SEAL_KEYS": "Zm9yLXRlc3RzLW9ubHktZm9yLXRlc3RzLW9ubHktMDA=",
}
# settings of a test site that sends notifications
VAPID_SETTINGS = {
    "VAPID_PRIVATE_KEY": "Zm9yLXRlc3RzLW9ubHktZm9yLXRlc3RzLW9ubHktMDA",
    "VAPID_CONTACT": "mailto:keeper@duels.example",
}


# Programs


def postgresql_folder() -> Path | None:
    """Return the folder of the newest PostgreSQL's programs on Debian, or None."""
    folders = Path("/usr/lib/postgresql").glob("*/bin")
    with_server = [folder for folder in folders if (folder / "postgres").exists()]
    return max(with_server, key=lambda folder: int(folder.parent.name), default=None)


def chromium_path() -> str | None:
    """Return the path of headless Chromium, which is twice as fast, or of full Chromium."""
    return shutil.which("chromium-headless-shell") or shutil.which("chromium")


def missing_programs() -> dict[str, str]:
    """Return the programs that are not installed, with their Debian packages."""
    found = {
        "PostgreSQL": (postgresql_folder(), "postgresql"),
        "Redis": (shutil.which("redis-server"), "redis-server"),
        "Chromium": (chromium_path(), "chromium-headless-shell"),
        "valgrind": (shutil.which("valgrind"), "valgrind"),
    }
    return {name: package for name, (program, package) in found.items() if program is None}


# Starting and stopping


def free_port() -> int:
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def running_server(
    command: list[str],
    *,
    log: Path,
    ready: Callable[[], bool],
    env: Mapping[str, str] | None = None,
    user: str | None = None,
    stop: signal.Signals = signal.SIGTERM,
    cwd: Path = ROOT,
) -> Iterator[subprocess.Popen[bytes]]:
    """Run a server during the block. Wait until it is ready before the block begins."""
    with log.open("ab") as out:
        server = subprocess.Popen(
            command,
            cwd="/" if user else cwd,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
            user=user,
            group=user,
            extra_groups=[] if user else None,
        )
    try:
        _wait_for(ready, server, log)
        yield server
    finally:
        _stop(server, stop)


def _stop(server: subprocess.Popen[bytes], signal_number: signal.Signals) -> None:
    """Stop a server with this signal, and kill it if it never ends.

    The signal is repeated, because beat's handler raises an exception, which Python ignores while
    it deletes an object.
    """
    for _ in range(STOP_ATTEMPTS):
        server.send_signal(signal_number)
        with suppress(subprocess.TimeoutExpired):
            server.wait(STOP_ATTEMPT_SECONDS)
            return
    server.kill()
    server.wait()


def _wait_for(ready: Callable[[], bool], server: subprocess.Popen[bytes], log: Path) -> None:
    give_up = time.monotonic() + PATIENCE_SECONDS
    while not ready():
        if server.poll() is not None or time.monotonic() > give_up:
            raise RuntimeError(f"{server.args!r} did not start:\n{log.read_text()}")
        time.sleep(0.05)


def accepts_connections(port: int) -> bool:
    with closing(socket.socket()) as probe:
        probe.settimeout(1)
        return probe.connect_ex(("127.0.0.1", port)) == 0


@contextmanager
def temporary_folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="spellcaster-") as folder:
        yield Path(folder)


# Servers


@dataclass(frozen=True)
class PostgreSQLCluster:
    """The folder and the port of a PostgreSQL server.

    If this process runs as root, the server runs as another `user`, as required.
    """

    programs: Path
    folder: Path
    port: int
    user: str | None

    @property
    def url(self) -> str:
        return f"postgres://spellcaster@127.0.0.1:{self.port}/postgres"

    @property
    def log(self) -> Path:
        return self.folder / "log"

    def command(self, **settings: str) -> list[str]:
        """Return the command that runs the server, without a socket file."""
        settings = {"unix_socket_directories": "", "fsync": "off", "jit": "off"} | settings
        command = [str(self.programs / "postgres"), "-D", str(self.folder / "data")]
        command += ["-p", str(self.port), "-h", "127.0.0.1"]
        return command + [part for pair in settings.items() for part in ("-c", "=".join(pair))]

    def is_ready(self) -> bool:
        command = [str(self.programs / "pg_isready"), "-q", "-h", "127.0.0.1"]
        return not subprocess.run([*command, "-p", str(self.port)], check=False).returncode


@contextmanager
def postgresql_cluster() -> Iterator[PostgreSQLCluster]:
    """Create a database cluster that no server uses yet."""
    programs = postgresql_folder()
    if programs is None:
        raise RuntimeError("PostgreSQL is not installed")
    user = "postgres" if os.geteuid() == 0 else None
    with temporary_folder() as folder:
        if user:
            shutil.chown(folder, user)
            folder.chmod(0o755)
        command = [str(programs / "initdb"), "-D", str(folder / "data"), "-U", "spellcaster"]
        subprocess.run(
            [*command, "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"],
            cwd="/",
            check=True,
            stdout=subprocess.DEVNULL,
            user=user,
            group=user,
            extra_groups=[] if user else None,
        )
        yield PostgreSQLCluster(programs, folder, free_port(), user)


# no protection against crashes, and enough connections for several sites with many threads each
POSTGRESQL_TEST_SETTINGS = {
    "full_page_writes": "off",
    "synchronous_commit": "off",
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "max_connections": "400",
}


@contextmanager
def postgresql() -> Iterator[str]:
    """Start a PostgreSQL server."""
    with (
        postgresql_cluster() as cluster,
        running_server(
            cluster.command(**POSTGRESQL_TEST_SETTINGS),
            log=cluster.log,
            ready=cluster.is_ready,
            user=cluster.user,
            stop=signal.SIGINT,  # shut down fast, without waiting for clients
        ),
    ):
        yield cluster.url


def redis_command(port: int, folder: Path) -> list[str]:
    command = ["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--dir", str(folder)]
    return [*command, "--save", "", "--appendonly", "no"]


@contextmanager
def redis() -> Iterator[str]:
    port = free_port()
    with (
        temporary_folder() as folder,
        running_server(
            redis_command(port, folder), log=folder / "log", ready=lambda: accepts_connections(port)
        ),
    ):
        yield f"redis://127.0.0.1:{port}/0"


def worker_command(queues: str, *, concurrency: int = 2, include: str = "") -> list[str]:
    """Return the command of a Celery worker for these queues, separated by commas."""
    return [
        sys.executable,
        "-m",
        "celery",
        "-A",
        "spellcaster",
        "worker",
        f"--queues={queues}",
        f"--hostname={queues.partition(',')[0]}@%h",
        "--loglevel=INFO",
        f"--concurrency={concurrency}",
        *(["--include", include] if include else []),
    ]


def beat_command(folder: Path) -> list[str]:
    """Return the command of Celery beat, which stores its schedule in the folder."""
    command = [sys.executable, "-m", "celery", "-A", "spellcaster", "beat", "--loglevel=INFO"]
    return [*command, "--pidfile=", f"--schedule={folder / 'schedule'}"]


@contextmanager
def celery_workers(
    env: Mapping[str, str],
    *,
    concurrency: int = 2,
    include: str = "",
    queues: Sequence[str] = ("turns,sweep", "post"),
) -> Iterator[Path]:
    """Start a worker for turns and one for post, as in production."""
    with temporary_folder() as folder, ExitStack() as stack:
        log = folder / "log"

        def are_ready() -> bool:
            return log.read_bytes().count(b" ready.") == len(queues)

        for queue in queues:
            command = worker_command(queue, concurrency=concurrency, include=include)
            # The workers start at the same time, so wait only after starting the last worker.
            ready = are_ready if queue == queues[-1] else lambda: True
            stack.enter_context(running_server(command, log=log, env=env, ready=ready))
        yield log


@contextmanager
def celery_beat(env: Mapping[str, str]) -> Iterator[Path]:
    """Start Celery beat, which sends the periodic tasks, and yield its log file."""
    with temporary_folder() as folder:
        log = folder / "log"
        with running_server(
            beat_command(folder), log=log, env=env, ready=lambda: b"Starting" in log.read_bytes()
        ):
            yield log


class _StoringHandler:
    """A handler that appends every email to a list."""

    def __init__(self, mails: list[EmailMessage]) -> None:
        self.mails = mails

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        self.mails.append(parse_email(envelope.original_content or b""))
        return "250 Message accepted for delivery"


def parse_email(content: bytes) -> EmailMessage:
    return email.message_from_bytes(content, policy=email.policy.default)


@dataclass(frozen=True)
class MailSink:
    url: str
    mails: list[EmailMessage] = field(default_factory=list)


@contextmanager
def smtp_server(handler: object) -> Iterator[int]:
    """Start a server that passes emails to this aiosmtpd handler, and yield its port."""
    port = free_port()
    controller = Controller(handler, hostname="127.0.0.1", port=port)
    controller.start()
    try:
        yield port
    finally:
        controller.stop()


@contextmanager
def mail_sink() -> Iterator[MailSink]:
    mails: list[EmailMessage] = []
    with smtp_server(_StoringHandler(mails)) as port:
        yield MailSink(f"smtp://127.0.0.1:{port}", mails)


@contextmanager
def silent_server() -> Iterator[int]:
    """Yield the port of a server that accepts connections and never answers."""
    with closing(socket.create_server(("127.0.0.1", 0))) as listener:
        held: list[socket.socket] = []

        def accept_connections() -> None:
            while True:
                try:
                    held.append(listener.accept()[0])
                except OSError:  # the listener was closed because the test is over
                    return

        thread = threading.Thread(target=accept_connections, daemon=True)
        thread.start()
        yield int(listener.getsockname()[1])
        listener.shutdown(socket.SHUT_RDWR)
        thread.join()
        for connection in held:
            connection.close()


# Environments


def clean_environment(**variables: str) -> dict[str, str]:
    """Return this process's environment, without the site's settings, and with these variables."""
    left_out = {*SITE_VARIABLES, "PYTHONDONTWRITEBYTECODE"}  # so programs start with compiled files
    inherited = {name: value for name, value in os.environ.items() if name not in left_out}
    return inherited | {"DJANGO_SETTINGS_MODULE": "spellcaster.settings"} | variables


def example_environment() -> dict[str, str]:
    """Return the settings of the example production environment."""
    lines = (ROOT / ".env.example").read_text().splitlines()
    settings = [line for line in lines if line and not line.startswith("#")]
    words = (word for line in settings for word in shlex.split(line))
    return {name: value for name, _, value in (word.partition("=") for word in words)}
