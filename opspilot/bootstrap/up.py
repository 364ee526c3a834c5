"""`up`: everything a person needs to try the product, on this machine, until Ctrl-C."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from opspilot.bootstrap import postgres
from opspilot.bootstrap.datadir import DataDir, chosen, create, remembered, rotate_logs, shown
from opspilot.bootstrap.errors import BusyError, StopRequestedError
from opspilot.bootstrap.files import is_locked, locked, read_json, try_lock
from opspilot.bootstrap.instance import STOP_ORDER, Instance, prepare_instance
from opspilot.bootstrap.network import HOST, free_port, port_is_free
from opspilot.bootstrap.processes import end_leftover, leftover_port
from opspilot.bootstrap.signals import StopSignal
from opspilot.bootstrap.supervisor import Supervisor
from opspilot.bootstrap.surroundings import embedded_urls, external_urls, mail_folder
from opspilot.bootstrap.terminal import Stage, say, stage


def parse(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="manage.py up", description="Start OpsPilot with its database, demo data and sandbox."
    )
    parser.add_argument(
        "--port", type=_port, default=8000, help="of the console (8000; 0 = any free one)"
    )
    parser.add_argument("--data-dir", help="everything the instance keeps (.data)")
    parser.add_argument("--no-demo", action="store_true", help="no demo tenants and users")
    return parser.parse_args(arguments)


def refuse_if_busy(options: argparse.Namespace) -> None:
    """Before anything is written: a living `up` on the folder, or a stranger on the port."""
    data = chosen(options.data_dir)
    if is_locked(data.up_lock):
        raise _held(data)
    ours = {leftover_port(data, name) for name in STOP_ORDER}
    if options.port and options.port not in ours and not port_is_free(options.port):
        raise _port_busy(options.port)
    external_urls(os.environ)


def run(options: argparse.Namespace) -> int:
    """Returns when asked to stop. Checks again: between the first check and this one much may pass."""
    data = chosen(options.data_dir)
    with StopSignal() as stop:
        try:
            refuse_if_busy(options)
            with _held_for_life(data, options.port):
                _run_until_stopped(data, options, stop)
        except StopRequestedError:
            say("OpsPilot stopped before it was ready.")
            return 130
    say("OpsPilot stopped.")
    return 0


def _run_until_stopped(data: DataDir, options: argparse.Namespace, stop: StopSignal) -> None:
    take_over(data)
    rotate_logs(data)
    if options.port and not port_is_free(options.port):
        raise _port_busy(options.port)
    with ExitStack() as cleanup:
        console = _with_database(data, options.port, cleanup)
        console.stopping = stop.is_requested
        cleanup.callback(console.stop_children)
        _stages(console, demo=not options.no_demo)
        _welcome(console)
        Supervisor(console, stop).run()
        say("\nStopping …")


def take_over(data: DataDir) -> None:
    """Ends the children of an `up` that was killed, also a step it was in the middle of."""
    noted = sorted(path.stem for path in (data.root / "run").glob("*.json"))
    for name in dict.fromkeys([*STOP_ORDER, *noted]):
        if end_leftover(data, name):
            say(f"  {name} left by an earlier run was ended")


def _with_database(data: DataDir, port: int, cleanup: ExitStack) -> Instance:
    web_port = port or free_port(remembered(data, "web_port"))
    urls = external_urls(os.environ)
    if urls is not None:
        say("  database        the server named by DATABASE_URL")
        return prepare_instance(data, port=web_port, urls=urls, environ=os.environ)
    # A command that started the server for itself must not stop it under us.
    cleanup.enter_context(locked(data.lock("users"), shared=True))
    with stage("database") as current:
        server = postgres.start(data.root)
        cleanup.callback(postgres.stop, server)
        current.text = f"PostgreSQL {postgres.version(server)} on port {server.port}"
    with stage("roles") as current:
        postgres.prepare(server)
        current.text = "owner, app, reader, maintenance, backup"
    return prepare_instance(
        data, port=web_port, urls=embedded_urls(server), environ=os.environ, server=server
    )


def _stages(console: Instance, *, demo: bool) -> None:
    with _step(console, "migrations") as current:
        console.migrate()
        current.text = "applied with the owner's role"
    with _step(console, "translations") as current:
        console.compile_translations()
        current.text = "compiled"
    with _step(console, "partitions") as current:
        console.create_partitions()
        current.text = "of the trail, in place"
    if demo:
        with _step(console, "demo data") as current:
            console.seed()
            tenants = {user.tenant for user in console.users}
            current.text = f"{len(console.users)} users in {len(tenants)} tenants"
    with _step(console, "sandbox GitLab") as current:
        current.text = f"on port {console.start_child('sandbox').port}"
    with _step(console, "sandbox tasks") as current:
        current.text = f"on port {console.start_child('semaphore').port}"
    with _step(console, "worker") as current:
        current.text = f"process {console.start_child('worker').pid}"
    with _step(console, "web") as current:
        current.text = f"process {console.start_child('web').pid}"
    if console.mcp_port:
        with _step(console, "mcp") as current:
            current.text = f"process {console.start_child('mcp').pid}"


@contextmanager
def _step(console: Instance, name: str) -> Iterator[Stage]:
    if console.stopping():
        raise StopRequestedError
    with stage(name) as current:
        yield current


def _welcome(console: Instance) -> None:
    say(f"\nOpsPilot      {console.url}/")
    say(f"Sandbox       {console.sandbox_url}/")
    say(f"Semaphore     {console.semaphore_url}/   (a sandbox too)")
    if console.mcp_port:
        say(f"MCP           {console.mcp_url}/mcp   (for agents, with their token)")
    letters = mail_folder(console.data)
    if console.settings.get("EMAIL_URL") == letters.as_uri():
        say(f"Mail          {shown(letters)}/   (letters as files)")
    if console.users:
        say(f"Password      {console.demo_password}   (every demo user)")
        width = max(len(user.username) for user in console.users)
        for user in console.users:
            say(f"  {user.username:<{width}}   {user.role:<14} {user.tenant}")
    say("\nCtrl-C stops everything.")


@contextmanager
def _held_for_life(data: DataDir, port: int) -> Iterator[None]:
    create(data)
    held = try_lock(data.up_lock, patience=0.5)
    if held is None:
        raise _held(data)
    try:
        # In place: a replaced file would carry no lock.
        os.ftruncate(held, 0)
        os.pwrite(held, json.dumps({"pid": os.getpid(), "port": port}).encode(), 0)
        yield
    finally:
        os.close(held)


def _held(data: DataDir) -> BusyError:
    pid = read_json(data.up_lock).get("pid", "unknown")
    return BusyError(
        f"Another `up` (process {pid}) already runs on {shown(data.root)}; nothing was changed."
        " Stop it first, or choose another --data-dir."
    )


def _port_busy(port: int) -> BusyError:
    return BusyError(
        f"Port {port} on {HOST} is in use by another program; nothing was changed."
        " Choose another one with --port."
    )


def _port(text: str) -> int:
    port = int(text)
    if not 0 <= port <= 65535:
        raise argparse.ArgumentTypeError("a port is between 0 and 65535")
    return port
