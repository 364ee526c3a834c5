"""What the process that takes a zip apart leaves behind is its own doing, and read as such."""

from __future__ import annotations

from pathlib import Path

import pytest

from grounding.errors import UnreadableFileError
from grounding.intake import unpacking


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    """What we may read and that process may not."""
    place = tmp_path / "secret"
    place.write_bytes(b"ours")
    return place


def test_a_part_is_read(secret: Path) -> None:
    assert unpacking.bytes_of(secret) == b"ours"


def test_a_part_that_is_a_link_is_not_followed(secret: Path, tmp_path: Path) -> None:
    part = tmp_path / "0"
    part.symlink_to(secret)
    with pytest.raises(UnreadableFileError):
        unpacking.bytes_of(part)


def test_a_part_that_has_another_name_elsewhere_is_not_read(secret: Path, tmp_path: Path) -> None:
    part = tmp_path / "0"
    part.hardlink_to(secret)
    with pytest.raises(UnreadableFileError):
        unpacking.bytes_of(part)
