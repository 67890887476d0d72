"""Tests that run every block of code in docs/ENGINE.md, *Using the engine*."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import engine.orders
import engine.play
import engine.proof
import engine.words

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "ENGINE.md").read_text(encoding="utf-8")
CODE_BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def test_page_has_only_python_and_shell_blocks() -> None:
    assert {language for language, _ in CODE_BLOCKS} == {"python", "sh"}
    assert PAGE.count("```") == 2 * len(CODE_BLOCKS)


def test_python_on_the_page_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each block can use names that earlier blocks define."""
    monkeypatch.chdir(ROOT)
    names: dict[str, Any] = {}
    for language, code in CODE_BLOCKS:
        if language == "python":
            exec(compile(code, "docs/ENGINE.md", "exec"), names)  # the page is part of the project


def test_commands_on_the_page_succeed(tmp_path: Path) -> None:
    environment = {"PYTHONPATH": str(ROOT), "PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin"}
    for language, code in CODE_BLOCKS:
        if language == "sh":
            done = subprocess.run(
                ["/bin/sh", "-e", "-c", code],
                cwd=tmp_path,
                env=environment,
                capture_output=True,
                text=True,
                check=False,
            )
            assert (done.returncode, done.stderr) == (0, "")


def test_every_name_on_the_page_is_public() -> None:
    for module, name in re.findall(r"engine\.(play|orders|words|proof)\.(\w+)", PAGE):
        assert hasattr(getattr(engine, module), name), f"engine.{module}.{name}"
