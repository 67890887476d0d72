"""Processes that are restarted whenever they end, as a service manager does."""

import os
import signal
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from tests.services import ROOT

RESTART_SECONDS = 1  # pause before a process is started again
STOP_SECONDS = 30  # seconds until a process that does not stop is killed


class SupervisedProcess:
    """A process that runs until `stop`, with its processor time."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        log: Path,
        env: Mapping[str, str] | None = None,
        user: str | None = None,
    ) -> None:
        self.command, self.log, self.env, self.user = command, log, env, user
        self.started_at = 0.0  # time on the monotonic clock
        self._is_stopping = threading.Event()
        self._process = self._started()
        self._thread = threading.Thread(target=self._restart, daemon=True)
        self._thread.start()

    def send_signal(self, sent: signal.Signals) -> None:
        """Send a signal to the main process."""
        with suppress(ProcessLookupError):
            self._process.send_signal(sent)

    def children(self) -> list[int]:
        """Return the process ids of the main process's children."""
        with suppress(FileNotFoundError, ProcessLookupError):
            pid = self._process.pid
            return [
                int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
            ]
        return []

    def processor_seconds(self) -> float:
        """Return the processor time of the main process, its children and those that have ended."""
        ticks = sum(_processor_ticks(pid) for pid in (self._process.pid, *self.children()))
        return ticks / os.sysconf("SC_CLK_TCK")

    def stop(self, sent: signal.Signals = signal.SIGTERM) -> None:
        self._is_stopping.set()
        self.send_signal(sent)
        self._thread.join(STOP_SECONDS)
        while self._thread.is_alive():
            self.send_signal(signal.SIGKILL)
            self._thread.join(1)

    def _started(self) -> subprocess.Popen[bytes]:
        self.started_at = time.monotonic()
        with self.log.open("ab") as out:
            return subprocess.Popen(
                self.command,
                cwd="/" if self.user else ROOT,
                env=self.env,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                process_group=0,
                user=self.user,
                group=self.user,
                extra_groups=[] if self.user else None,
            )

    def _restart(self) -> None:
        while True:
            self._process.wait()
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)  # children that survived
            if self._is_stopping.wait(RESTART_SECONDS):
                return
            self._process = self._started()


def _processor_ticks(pid: int) -> int:
    """Return the processor time of a process and of its children that have ended."""
    with suppress(FileNotFoundError, ProcessLookupError):
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return sum(int(each) for each in fields[11:15])
    return 0
