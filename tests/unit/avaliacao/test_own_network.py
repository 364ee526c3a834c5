"""A network of its own, and the kernel's count of what wanted out."""

from __future__ import annotations

import subprocess
import sys

import pytest

PROGRAM = """
import socket
from opspilot.avaliacao import own_network
alone = own_network.enter()
before = own_network.foreign_packets() if alone else 0
server = socket.create_server(("127.0.0.1", 0))
socket.create_connection(server.getsockname()).close()
inside = own_network.foreign_packets() - before if alone else 0
try:
    socket.create_connection(("192.0.2.1", 80), 1)
except OSError:
    pass
print(alone, inside, own_network.foreign_packets() - before - inside if alone else 0)
"""


def test_loopback_is_not_foreign_and_whatever_else_is_counted() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=60, check=True
    )
    alone, inside, outside = ended.stdout.split()
    if alone == "False":
        pytest.skip("this system gives a process no network of its own")
    assert (inside, outside) == ("0", "1")
