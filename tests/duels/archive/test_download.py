"""The nightly download of all public records."""

import json
import os
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from django.test import Client

import engine.proof
from duels.archive import download
from duels.archive.tasks import write_download
from duels.models import Duel
from duels.proof import records
from tests.cast import Cast
from tests.duels.archive.test_rows import cast_and_counter
from tests.duels.list_pages import page_html
from tests.duels.ratings.test_commands import played, resigned

pytestmark = [pytest.mark.django_db]


def test_download_contains_verifiable_records_of_public_duels(
    cast: Cast, settings: Any, tmp_path: Path
) -> None:
    settings.VAR_DIR = tmp_path
    public = [cast_and_counter(cast), resigned(cast.ada, cast.bram)]
    resigned(cast.ada, cast.bram, visibility="private", rated=False)
    played(cast.ada, cast.bram)
    write_download()
    assert [file.name for file in tmp_path.iterdir()] == ["records.zip"]
    answer = Client().get("/archive/records.zip")
    (tmp_path / "got.zip").write_bytes(answer.getvalue())
    with ZipFile(tmp_path / "got.zip") as packed:
        readme, *names = packed.namelist()
        records = [json.loads(packed.read(name)) for name in names]
    assert readme == "README.txt"
    assert [record["duel"] for record in records] == [duel.pk for duel in public]
    assert all(engine.proof.verify(record) == [] for record in records)


def test_duel_without_a_valid_record_does_not_stop_the_download(
    cast: Cast,
    settings: Any,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    settings.VAR_DIR = tmp_path
    bad, _ = resigned(cast.ada, cast.bram), resigned(cast.ada, cast.bram)
    record_of = records.duel_record

    def record(duel: Duel) -> dict[str, Any]:
        assert duel != bad, "a bad row"
        return record_of(duel)

    monkeypatch.setattr(download, "duel_record", record)
    assert download.write_download() == 1
    assert f"Duel {bad.pk} is not in the download: " in caplog.text


def test_files_of_a_killed_process_are_deleted_the_next_day(
    cast: Cast, settings: Any, tmp_path: Path
) -> None:
    settings.VAR_DIR = tmp_path
    other = tmp_path / "mail"
    killed, running = (tmp_path / f"{download.FOLDER_PREFIX}{name}" for name in ("1", "2"))
    yesterday = time.time() - download.MAX_WRITING_SECONDS - 60
    for folder in (other, killed, running):
        folder.mkdir()
        (folder / "records.zip").write_bytes(b"PK")
        if folder != running:
            os.utime(folder, (yesterday, yesterday))
    download.write_download()
    assert set(tmp_path.iterdir()) == {other, running, download.download_path()}


def test_download_is_written_once_a_day_even_if_a_night_was_missed(
    cast: Cast, settings: Any, tmp_path: Path
) -> None:
    settings.VAR_DIR = tmp_path
    night = datetime(2026, 3, 2, download.WRITING_HOUR, tzinfo=UTC)
    assert download.is_download_due(night), "there is no download yet"
    write_download()
    written = night.timestamp() + 1200
    os.utime(download.download_path(), (written, written))
    assert not download.is_download_due(night + timedelta(hours=1))
    assert not download.is_download_due(night + timedelta(hours=23, minutes=59))
    for hours in (24, 30, 24 * 7):
        assert download.is_download_due(night + timedelta(hours=hours))
    write_download()
    assert time.time() - download.download_path().stat().st_mtime < 60
    os.utime(download.download_path())
    stamp = download.download_path().stat().st_mtime_ns
    write_download()
    assert download.download_path().stat().st_mtime_ns == stamp, "today's download is kept"


def test_page_links_to_the_download_once_it_exists(
    cast: Cast, settings: Any, tmp_path: Path
) -> None:
    settings.VAR_DIR = tmp_path
    assert "Download all records" not in page_html(None, "/archive/")
    assert Client().get("/archive/records.zip").status_code == 404
    write_download()
    assert "Download all records" in page_html(None, "/archive/")
