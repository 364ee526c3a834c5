"""Writers of the trail beside what is measured, in a process of their own: no thread of the measuring
process holds them up. They write until their standard input ends, and then say how long each row took.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from uuid import UUID

import psycopg

WRITERS = 2
PAUSE = 0.004  # seconds between two rows of a writer
Sample = tuple[float, float]
"""When a row's transaction began, by the system's monotonic clock, and the seconds it took."""

_TENANT = "SELECT set_config('opspilot.tenant_id', %s, true)"
_INSERT = (
    "INSERT INTO agente_acao (tenant_id, correlacao_id, agente, agente_versao, modelo, "
    "instrucao_hash, acao, resultado, autorizacao, entrada_resumo) VALUES (%s, gen_random_uuid(), "
    "'console', 'console@0.1.0', 'nenhum', 'x', 'historico.lido', 'ok', 'regra', 'sob carga')"
)


class Load:
    """`samples` are there once the load has ended."""

    def __init__(self) -> None:
        self.samples: list[Sample] = []


@contextmanager
def under_load(tenant_id: UUID) -> Iterator[Load]:
    line = [sys.executable, "-m", "opspilot.bench.audit_load", str(tenant_id)]
    load = Load()
    pipe = subprocess.PIPE
    child = subprocess.Popen(line, stdin=pipe, stdout=pipe, text=True)  # noqa: S603 - our own module
    with child:
        try:
            yield load
        finally:
            output, _none = child.communicate()
    load.samples = [(begun, took) for begun, took in json.loads(output)]


def longest(samples: Sequence[Sample], begun: float, ended: float) -> float:
    """Milliseconds of the slowest row that was being written at some time between these moments."""
    within = [took for at, took in samples if at < ended and at + took > begun]
    if not within:
        raise AssertionError("no row was written while it was measured")
    return max(within) * 1000


def main(tenant_id: str) -> None:
    samples: list[Sample] = []
    ended = threading.Event()
    writers = [
        threading.Thread(target=_write, args=[tenant_id, samples, ended]) for _ in range(WRITERS)
    ]
    for writer in writers:
        writer.start()
    sys.stdin.read()
    ended.set()
    for writer in writers:
        writer.join()
    sys.stdout.write(json.dumps(samples))


def _write(tenant_id: str, samples: list[Sample], ended: threading.Event) -> None:
    with closing(psycopg.connect(os.environ["DATABASE_URL"])) as connection:
        while not ended.wait(PAUSE):
            begun = time.monotonic()
            connection.execute(_TENANT, [tenant_id])
            connection.execute(_INSERT, [tenant_id])
            connection.commit()
            samples.append((begun, time.monotonic() - begun))


if __name__ == "__main__":
    main(sys.argv[1])
