"""What an instance is told about letters and where it is reached."""

from __future__ import annotations

import os
from pathlib import Path

from opspilot.bootstrap.datadir import DataDir, create
from opspilot.bootstrap.surroundings import mail_folder, settings_for, stranger


def given(data: DataDir, **environ: str) -> dict[str, str]:
    create(data)
    given = {"PATH": os.environ["PATH"]} | environ
    return settings_for(data, given, port=8123, sandbox_port=1, semaphore_port=1)


def test_without_a_mail_server_letters_are_files_in_the_data_folder(tmp_path: Path) -> None:
    data = DataDir(tmp_path / "data")
    assert given(data)["EMAIL_URL"] == (tmp_path / "data" / "mail").as_uri()
    assert mail_folder(data).stat().st_mode & 0o777 == 0o700


def test_a_mail_server_that_is_named_is_used(tmp_path: Path) -> None:
    found = given(DataDir(tmp_path / "data"), EMAIL_URL="smtp://mail.example")
    assert found["EMAIL_URL"] == "smtp://mail.example"


def test_links_start_with_the_address_that_is_served(tmp_path: Path) -> None:
    assert given(DataDir(tmp_path / "data"))["OPSPILOT_BASE_URL"] == "http://127.0.0.1:8123"


def test_a_throw_away_instance_sends_nothing_by_the_caller_s_server() -> None:
    assert "EMAIL_URL" not in stranger({"EMAIL_URL": "smtp://mail.example", "PATH": "/bin"})
