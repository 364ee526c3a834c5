"""The embedded PostgreSQL: one server per data folder, started by whoever comes first.

A port that answers proves nothing. A server counts as ours only after it has authenticated itself
by SCRAM with the password we hold and has named our own data directory.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from opspilot.bootstrap import postmaster
from opspilot.bootstrap.datadir import (
    PROJECT,
    DataDir,
    create,
    has_secrets,
    remember,
    remembered,
    secret,
    shown,
)
from opspilot.bootstrap.errors import BootstrapError
from opspilot.bootstrap.files import locked, tail, try_lock
from opspilot.bootstrap.network import HOST, free_port
from opspilot.bootstrap.place import Place, cluster_path, find_place, outside_folder
from opspilot.bootstrap.psql import Login, RefusedError, run_sql

ROLES = ("app", "reader", "owner", "maintenance", "backup")
DATABASE = "opspilot"
START_LIMIT = 120.0  # seconds; a recovery may have much to replay
INITDB = (
    "--username=postgres",
    "--encoding=UTF8",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--locale=C.UTF-8" if sys.platform == "linux" else "--locale=C",
    "--auth=scram-sha-256",
    "--data-checksums",
    "--no-instructions",
)


@dataclass(frozen=True)
class Server:
    port: int
    data_dir: Path
    cluster_dir: Path


def start(data_dir: Path, *, durable: bool = True) -> Server:
    """The one server of this folder, made or started if need be.

    `durable=False` is for tests: it survives the death of every process, not of the machine.
    """
    data = DataDir(data_dir.resolve())
    create(data)
    with locked(data.lock("server")):
        server = running(data.root)
        if server:
            return server
        place = find_place(data)
        _initialise(data, place, durable)
        server = _bring_up(data, place, durable)
        remember(data, "postgres_port", server.port)
    return server


def running(data_dir: Path) -> Server | None:
    """The server of this folder if it runs and has proved to be it. Starts and writes nothing."""
    data = DataDir(data_dir.resolve())
    cluster = cluster_path(data)
    found = postmaster.alive(cluster)
    if found is None or not has_secrets(data):
        return None
    server = Server(found.port, data.root, cluster)
    try:
        return server if _is_ours(server) else None
    except BootstrapError:
        return None


def responds(server: Server) -> bool:
    """Cheap enough for every second: whether its process is there. `running` is the proof."""
    return postmaster.alive(server.cluster_dir) is not None


def stop(server: Server) -> None:
    """Ends sessions at once and writes a checkpoint; harder if that does not end it."""
    with locked(DataDir(server.data_dir).lock("server")):
        for order, patience in (
            (signal.SIGINT, 20.0),
            (signal.SIGQUIT, 5.0),
            (signal.SIGKILL, 5.0),
        ):
            if not postmaster.send(server.cluster_dir, order):
                return
            if postmaster.wait_gone(server.cluster_dir, patience):
                return


@contextmanager
def in_use(data_dir: Path, *, durable: bool = True) -> Iterator[Server]:
    """The server for as long as the block lasts; the last of several users stops it."""
    data = DataDir(data_dir.resolve())
    create(data)
    try:
        with locked(data.lock("users"), shared=True):
            yield start(data.root, durable=durable)
    finally:
        _stop_if_unused(data)


def remove(data_dir: Path) -> None:
    """The server and all of its data, wherever it lies. Only for throw-away folders."""
    data = DataDir(data_dir.resolve())
    cluster = cluster_path(data)
    if postmaster.send(cluster, signal.SIGQUIT):
        postmaster.wait_gone(cluster, 10.0)
    shutil.rmtree(outside_folder(data), ignore_errors=True)
    shutil.rmtree(data.root, ignore_errors=True)


def prepare(server: Server) -> None:
    """Roles, database, extension. Safe to repeat."""
    data = DataDir(server.data_dir)
    # Through standard input: a command line is public.
    lines = [f"\\set {role}_password '{secret(data, f'opspilot_{role}')}'" for role in ROLES]
    lines.append(f"\\set database {DATABASE}")
    script = (PROJECT / "docs" / "deploy" / "roles.sql").read_text(encoding="utf-8")
    run_sql("\n".join([*lines, script]), superuser(server))


def version(server: Server) -> str:
    return run_sql("SHOW server_version", superuser(server))


def superuser(server: Server) -> Login:
    return Login(server.port, "postgres", secret(DataDir(server.data_dir), "postgres"))


def dsn(server: Server, role: str) -> str:
    user = f"opspilot_{role}"
    return _url(server.port, user, secret(DataDir(server.data_dir), user))


def admin_dsn(server: Server) -> str:
    """The superuser's. For the tests; nothing that serves requests is given it."""
    return _url(server.port, "postgres", superuser(server).password)


def _url(port: int, user: str, password: str) -> str:
    return f"postgresql://{user}:{password}@{HOST}:{port}/{DATABASE}"


def _is_ours(server: Server) -> bool:
    return Path(run_sql("SHOW data_directory", superuser(server))) == server.cluster_dir


def _stop_if_unused(data: DataDir) -> None:
    last = try_lock(data.lock("users"))
    if last is None:
        return
    try:
        server = running(data.root)
        if server:
            stop(server)
    finally:
        os.close(last)


def _initialise(data: DataDir, place: Place, durable: bool) -> None:
    made = (place.cluster / "PG_VERSION").exists()
    if made and not has_secrets(data):
        raise BootstrapError(
            f"The database in {shown(place.cluster)} is there, but {shown(data.secrets_file)} with its"
            " passwords is not; put that file back, or move the data folder away to start anew."
        )
    if not made:
        postmaster.initialise(
            place.cluster,
            binaries=place.binaries,
            account=place.account,
            password=secret(data, "postgres"),
            arguments=INITDB if durable else (*INITDB, "--no-sync"),
        )


def _bring_up(data: DataDir, place: Place, durable: bool) -> Server:
    """Launches, or waits for one that is still recovering, or still on its way out."""
    deadline = time.monotonic() + START_LIMIT
    port, attempt = remembered(data, "postgres_port"), None
    while time.monotonic() < deadline:
        found = postmaster.alive(place.cluster)
        if found is not None:
            server = Server(found.port, data.root, place.cluster)
            if _proved(server):
                return server
        elif attempt is None or attempt.ended():
            if attempt:
                port = _next_port(attempt, port)
            port = free_port(port)
            attempt = postmaster.launch(
                place.cluster,
                binaries=place.binaries,
                account=place.account,
                port=port,
                log=data.log("postgres"),
                durable=durable,
            )
        time.sleep(0.05)
    raise _no_start(data, f"PostgreSQL did not answer within {START_LIMIT:.0f} s")


def _proved(server: Server) -> bool:
    try:
        return _is_ours(server)
    except RefusedError:
        raise
    except BootstrapError:
        return False  # still starting, or already stopping


def _next_port(attempt: postmaster.Attempt, port: int | None) -> int | None:
    if attempt.said(postmaster.PORT_TAKEN):
        return None
    # Sessions of a killed server may need a moment to notice; a launch killed by hand left no reason.
    if attempt.said(*postmaster.NOT_YET_GONE) or (attempt.process.returncode or 0) < 0:
        time.sleep(0.2)
        return port
    raise _no_start(DataDir(attempt.log.parents[1]), "PostgreSQL did not start")


def _no_start(data: DataDir, sentence: str) -> BootstrapError:
    log = data.log("postgres")
    return BootstrapError(f"{sentence}; its log is {shown(log)}.", details=tail(log))
