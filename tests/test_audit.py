"""Tests that the audit distinguishes safe, vulnerable and unchecked packages."""

import json
import subprocess
from typing import Any

import pytest

from tests import audit

SAFE_PACKAGE: dict[str, Any] = {"name": "django", "version": "5.2.19", "vulns": []}
VULNERABLE_PACKAGE: dict[str, Any] = {
    "name": "pillow",
    "version": "1.0",
    "vulns": [{"id": "PYSEC-2014-10", "fix_versions": ["2.3.1"]}],
}
UNKNOWN_PACKAGE: dict[str, Any] = {"name": "ours", "skip_reason": "Dependency not found on PyPI"}


def set_audit_output(monkeypatch: pytest.MonkeyPatch, report: str) -> None:
    done = subprocess.CompletedProcess("", 0, report)
    monkeypatch.setattr("subprocess.run", lambda *arguments, **named: done)


def test_audit_fails_if_a_vulnerability_is_known(monkeypatch: Any, capsys: Any) -> None:
    set_audit_output(
        monkeypatch,
        json.dumps({"dependencies": [SAFE_PACKAGE, VULNERABLE_PACKAGE, UNKNOWN_PACKAGE]}),
    )
    assert audit.main() == 1
    told = capsys.readouterr().out
    assert "pillow 1.0: PYSEC-2014-10, mended in 2.3.1" in told
    assert "does not know them: ours." in told


def test_audit_reports_unchecked_packages_without_failing(monkeypatch: Any, capsys: Any) -> None:
    for told in ("", "no JSON", json.dumps({"dependencies": [UNKNOWN_PACKAGE]})):
        set_audit_output(monkeypatch, told)
        assert audit.main() == 0
        assert "could not be asked for" in capsys.readouterr().out


def test_audit_reports_that_no_vulnerability_is_known(monkeypatch: Any, capsys: Any) -> None:
    set_audit_output(monkeypatch, json.dumps({"dependencies": [SAFE_PACKAGE]}))
    assert audit.main() == 0
    assert "No vulnerability is known of 1 packages" in capsys.readouterr().out
