"""The database of an instance and what its commands are given, with nothing that runs beside them: a
worker would seal and count meanwhile, and no page is asked for over HTTP."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from opspilot.bootstrap import postgres
from opspilot.bootstrap.datadir import DataDir, create
from opspilot.bootstrap.instance import Instance, prepare_instance
from opspilot.bootstrap.network import free_port
from opspilot.bootstrap.surroundings import embedded_urls, stranger
from opspilot.smoke.throwaway import stopping_cleanly, throwaway_folder


@contextmanager
def database_alone(purpose: str = "bench", *, on_disk: bool = True) -> Iterator[Instance]:
    """On a disk where time counts: a folder in memory would make every commit look free."""
    place = Path(tempfile.gettempdir()) if on_disk else None
    with stopping_cleanly(), throwaway_folder(purpose, place=place) as folder:
        data = DataDir(folder)
        create(data)
        with postgres.in_use(data.root) as server:
            postgres.prepare(server)
            found = prepare_instance(
                data,
                port=free_port(),
                urls=embedded_urls(server),
                environ=stranger(os.environ),
                server=server,
            )
            found.migrate()
            found.create_partitions()
            yield found
