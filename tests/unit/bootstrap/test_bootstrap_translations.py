"""A start compiles the translations when they are not, and spares the process when they are."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from opspilot.bootstrap.instance import _is_compiled


@pytest.fixture
def locale(tmp_path: Path) -> Path:
    folder = tmp_path / "en" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    (folder / "django.po").write_text("source")
    return tmp_path


def compiled(locale: Path, *, seconds_later: float) -> None:
    source = locale / "en" / "LC_MESSAGES" / "django.po"
    result = source.with_suffix(".mo")
    result.write_text("compiled")
    moment = source.stat().st_mtime + seconds_later
    os.utime(result, (moment, moment))


def test_a_catalogue_that_was_never_compiled_is(locale: Path) -> None:
    assert not _is_compiled(locale)


def test_one_that_is_older_than_its_source_is_compiled_again(locale: Path) -> None:
    compiled(locale, seconds_later=-1)
    assert not _is_compiled(locale)


def test_one_that_is_younger_is_left_alone(locale: Path) -> None:
    compiled(locale, seconds_later=1)
    assert _is_compiled(locale)


def test_a_folder_without_sources_is_left_to_the_command(tmp_path: Path) -> None:
    assert not _is_compiled(tmp_path)
