"""Calls of test functions in a process of a site, with its settings, database and broker.

`SiteProcess(env)` is a separate process. The process starts with the first call and runs until
`close`, so that later calls are quick. A function must be at the top level of a module, and its
arguments and result must be valid JSON.
"""

import importlib
import json
import os
import subprocess
import sys
import traceback
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, ParamSpec, TypeVar, cast

from tests.services import ROOT

P = ParamSpec("P")
T = TypeVar("T")


class SiteProcess:
    def __init__(self, env: Mapping[str, str]) -> None:
        self.env = env
        self.process: subprocess.Popen[str] | None = None

    def call(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Call the function and return its result.

        If it fails, raise RuntimeError with its traceback.
        """
        return cast("T", self.ask(function.__module__, function.__qualname__, args, kwargs))

    def ask(
        self,
        module: str,
        function: str,
        args: Sequence[object] = (),
        kwargs: Mapping[str, object] = MappingProxyType({}),
    ) -> Any:
        """Call a function by name, if its module can be imported only with Django's settings."""
        if self.process is None:
            self.process = self._started()
        requests, answers = self.process.stdin, self.process.stdout
        assert requests is not None
        assert answers is not None
        requests.write(json.dumps([module, function, args, dict(kwargs)]) + "\n")
        requests.flush()
        told = answers.readline()
        if not told:
            raise RuntimeError(f"{function} ended the process that it ran in")
        answer = json.loads(told)
        if "failed" in answer:
            raise RuntimeError(f"{function} failed in the site:\n{answer['failed']}")
        return answer["answer"]

    def _started(self) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-m", "tests.inside"],
            cwd=ROOT,
            env=self.env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def close(self) -> None:
        if self.process is not None:
            self.process.communicate()  # the process exits when its input ends
            self.process = None


def main() -> None:
    """Read calls, one per line, and answer them until the input ends."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # keep printed text out of the responses

    import django

    django.setup()
    from django.db import close_old_connections

    for line in sys.stdin:
        close_old_connections()
        answers.write(json.dumps(_answer_call(line)) + "\n")
        answers.flush()


def _answer_call(line: str) -> dict[str, object]:
    module, name, args, kwargs = json.loads(line)
    try:
        function = getattr(importlib.import_module(module), name)
        return {"answer": function(*args, **kwargs)}
    except Exception:
        return {"failed": traceback.format_exc()}


if __name__ == "__main__":
    main()
