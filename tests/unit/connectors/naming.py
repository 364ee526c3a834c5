"""A name server that answers by script, or never, and connections that are only written down."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import httpcore
import pytest


def resolving(monkeypatch: pytest.MonkeyPatch, *answers: Sequence[str] | Exception) -> list[str]:
    """These answers, one after the other; returns what was asked."""
    asked: list[str] = []
    left = list(answers)

    def lookup(host: str, port: int, **_rest: object) -> list[tuple[object, ...]]:
        asked.append(host)
        answer = left.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return [(0, 0, 0, "", (address, port)) for address in answer]

    monkeypatch.setattr(socket, "getaddrinfo", lookup)
    return asked


def connecting(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """No connection is made; returns the addresses that one was wanted to."""
    connected: list[str] = []

    def connect(_backend: object, host: str, port: int, **_rest: object) -> httpcore.NetworkStream:
        connected.append(host)
        raise httpcore.ConnectError("no network in tests")

    monkeypatch.setattr(httpcore.SyncBackend, "connect_tcp", connect)
    return connected


@contextmanager
def hanging_names(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """No name is resolved before the block ends; what was asked."""
    asked: list[str] = []
    end = threading.Event()

    def lookup(host: str, port: int, **_rest: object) -> list[tuple[object, ...]]:
        asked.append(host)
        end.wait(20)
        raise socket.gaierror(-3, "too late")

    monkeypatch.setattr(socket, "getaddrinfo", lookup)
    try:
        yield asked
    finally:
        end.set()
