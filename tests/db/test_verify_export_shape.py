"""A file in which two programs could read two things is not verified: a ZIP beside its list, a JSON
that says a thing twice."""

from __future__ import annotations

import io
import struct
import warnings
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from pytest_django import Settings

from audit import verifying
from audit.files.checks import UnreadableError
from tests import factories
from tests.db import tracing
from tests.db.tracing import Package

pytestmark = pytest.mark.usefixtures("committed")


@pytest.fixture
def package(settings: Settings, tmp_path: Path) -> Package:
    settings.OPSPILOT_EXPORT_DIR = str(tmp_path)
    settings.OPSPILOT_SEAL_KEY = tracing.pem(tracing.a_key())
    customer = tracing.a_customer(factories.a_tenant(), "CPF ***.111.222-**")
    tracing.rows_about(customer, 2)
    return tracing.a_package(customer)


def is_good(content: bytes, target: Path) -> bool:
    target.write_bytes(content)
    try:
        return verifying.verify(target).ok
    except UnreadableError:
        return False


def with_one_more(content: bytes, name: str) -> bytes:
    out = io.BytesIO(content)
    with warnings.catch_warnings(), zipfile.ZipFile(out, "a") as package:
        warnings.simplefilter("ignore")
        package.writestr(name, package.read("assinatura.json"))
    return out.getvalue()


def hidden(content: bytes) -> bytes:
    """A file with its own head, before the directory, that the directory does not list."""
    other = io.BytesIO()
    with zipfile.ZipFile(other, "w") as package:
        package.writestr("linhas.csv", "outras")
        end = package.start_dir
    (at,) = struct.unpack("<I", content[-6:-2])
    forged = content[:at] + other.getvalue()[:end] + content[at:]
    return forged[:-6] + struct.pack("<I", at + end) + forged[-2:]


def replaced(name: str, before: bytes, after: bytes) -> Callable[[bytes], bytes]:
    def change(content: bytes) -> bytes:
        out = io.BytesIO()
        with (
            zipfile.ZipFile(io.BytesIO(content)) as package,
            zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made,
        ):
            for one in package.namelist():
                kept = package.read(one)
                assert one != name or before in kept
                made.writestr(one, kept.replace(before, after, 1) if one == name else kept)
        return out.getvalue()

    return change


@pytest.mark.parametrize(
    "change",
    [
        lambda content: b"#!/bin/sh\n" + content,
        lambda content: content + b"mais",
        lambda content: content[:-2] + struct.pack("<H", 4) + b"mais",
        lambda content: with_one_more(content, "assinatura.json"),
        hidden,
        replaced("assinatura.json", b"{", b'{"assinatura": "00", '),
        replaced("manifesto.json", b"{", b'{"linhas": 9, '),
        replaced("manifesto.json", b"{", b"[" * 100_000),
        replaced("assinatura.json", b"{", b"[" * 100_000),
        replaced("assinatura.json", b'"assinatura": "', b'"assinatura": "\\ud800'),
    ],
    ids=[
        "before", "after", "comment", "two-signatures", "hidden", "double-key",
        "double-key-in-manifest", "deep-manifest", "deep-signature", "half-a-character",
    ],
)  # fmt: skip
def test_what_could_be_read_in_two_ways_is_not_verified(
    package: Package, tmp_path: Path, change: Callable[[bytes], bytes]
) -> None:
    content = package.path.read_bytes()
    assert is_good(content, tmp_path / "same.zip")
    assert not is_good(change(content), tmp_path / "changed.zip")


def test_a_zip_that_was_packed_again_as_a_stream_is_still_good(
    package: Package, tmp_path: Path
) -> None:
    """Sizes then stand behind each file, as in what a download manager rewrites."""

    class Stream(io.BytesIO):
        def seekable(self) -> bool:
            return False

        def seek(self, *_args: int) -> int:
            raise io.UnsupportedOperation

    out = Stream()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
        for name, content in package.files.items():
            made.writestr(name, content)
    assert is_good(out.getvalue(), tmp_path / "stream.zip")
