"""Readers are programs of their own: without rights, without network, and soon over."""

from __future__ import annotations

import json
import os
import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from grounding.errors import UnreadableFileError
from grounding.formats import confinement
from grounding.intake import apart, extraction
from tests.unit.grounding import hostile

ROOT = Path(__file__).parents[3]
BOMB_SECONDS = 5
AS_ROOT = os.geteuid() == 0
TRIES = """
import ctypes, json, os, socket, subprocess, sys
sys.path.insert(0, {root!r})
from grounding.formats import confinement

"x".encode("idna")

def told(act):
    try:
        return str(act())
    except BaseException as exc:
        return type(exc).__name__

class Address(ctypes.Structure):
    _fields_ = [("family", ctypes.c_ushort), ("port", ctypes.c_ushort), ("host", ctypes.c_uint),
                ("rest", ctypes.c_char * 8)]

def past_python():
    here = Address(2, socket.htons({port}), 0x0100007F, b"")
    return ctypes.CDLL(None).connect(ctypes.CDLL(None).socket(2, 1, 0), ctypes.byref(here), 16)

alone = confinement.confine()
print(json.dumps({{
    "alone": alone,
    "user": os.getuid(),
    "environment": sorted(os.environ),
    "connection": told(lambda: socket.create_connection(("127.0.0.1", {port}))),
    "past python": told(past_python),
    "program": told(lambda: subprocess.run(["true"])),
    "fork": told(os.fork),
    "memory": told(lambda: len(bytearray(600 << 20))),
}}))
"""


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as made:
        made.setblocking(False)
        yield made


def was_asked(listener: socket.socket) -> bool:
    try:
        listener.accept()[0].close()
    except BlockingIOError:
        return False
    return True


def test_a_reader_has_no_rights_network_programs_or_memory_to_spare(
    listener: socket.socket, tmp_path: Path
) -> None:
    program = tmp_path / "tries.py"
    port = listener.getsockname()[1]
    program.write_text(TRIES.format(root=str(ROOT), port=port))
    said = json.loads(apart.read_by(program, [], b"", most=10_000).written)
    refused = "ConfinedError"
    assert said["environment"] == ["LC_ALL", "TMPDIR"]
    assert [said[name] for name in ("connection", "program", "fork")] == [refused] * 3
    assert said["memory"] == "MemoryError"
    if AS_ROOT:
        assert said["user"] == confinement.nobody()[0]
    if not said["alone"]:
        print("this system gives no network of one's own: what goes past Python is not checked")
        return
    assert said["past python"] == "-1"
    assert not was_asked(listener)


def test_what_a_document_refers_to_is_not_fetched(listener: socket.socket) -> None:
    address = f"http://127.0.0.1:{listener.getsockname()[1]}/x.png"
    relations = (
        f'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
        f'<Relationship Id="r9" Type="http://x/image" Target="{address}" TargetMode="External"/>'
        f"</Relationships>"
    )
    action = f"/AA << /O << /S /URI /URI ({address}) >> >>"
    files = {
        "a.html": f"<html><link rel=stylesheet href={address}><img src={address}><p>um".encode(),
        "a.docx": hostile.docx(
            hostile.paragraph("um"), **{"_rels/document__xml__rels": relations.encode()}
        ),
        "a.pdf": hostile.pdf(b"BT /F1 12 Tf 50 700 Td (um) Tj ET", extra=action),
    }
    texts = [extraction.extract(data, name).text for name, data in files.items()]
    assert texts == ["um"] * 3
    assert not was_asked(listener)


BOMBS: dict[str, Callable[[], bytes]] = {
    "inflated": hostile.zip_bomb,
    "entities": hostile.entity_bomb,
    "huge_image": lambda: hostile.huge_image("docx"),
}


@pytest.mark.parametrize("code", BOMBS)
def test_a_bomb_is_refused_by_name_and_at_once(code: str) -> None:
    data = BOMBS[code]()
    started = time.monotonic()
    with pytest.raises(UnreadableFileError) as caught:
        extraction.extract(data, "bomba")
    assert caught.value.code == code
    assert time.monotonic() - started < BOMB_SECONDS


@pytest.mark.parametrize("make", [hostile.stacked_filters, hostile.inflated_sheet])
def test_what_grows_inside_a_reader_kills_the_reader_alone(make: Callable[[], bytes]) -> None:
    data = make()
    started = time.monotonic()
    with pytest.raises(UnreadableFileError):
        extraction.extract(data, "bomba")
    assert time.monotonic() - started < BOMB_SECONDS


def test_a_reader_is_stopped_when_its_time_is_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(apart, "WALL_SECONDS", 0.3)
    program = tmp_path / "sleeps.py"
    program.write_text("import time\ntime.sleep(60)\n")
    ended = apart.run(program, [], b"", most=10, folder=tmp_path)
    assert ended.late
