"""`python -m opspilot.sandbox.semaphore --port N --data DIR`: serves until it is told to stop."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

from opspilot.sandbox.semaphore import seed
from opspilot.sandbox.semaphore.server import HOST, Server, open_sandbox

TOKEN_VARIABLE = "OPSPILOT_SANDBOX_TOKEN"  # noqa: S105 -- the variable's name


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    token = options.token or os.environ.get(TOKEN_VARIABLE, "")
    if not token:
        sys.stderr.write(f"a token is needed: --token, or {TOKEN_VARIABLE} in the environment\n")
        return 2
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    first = seed.first_content(version=options.version, player=options.player)
    sandbox = open_sandbox(data=options.data, token=token, first=first)
    if sandbox.runs.players.program is None:
        sys.stderr.write("no ansible-playbook here: tasks are played, with the same recap\n")
    with Server(options.port, sandbox) as server:
        threading.Thread(target=server.serve_forever, args=(0.1,), daemon=True).start()
        sys.stdout.write(f"sandbox semaphore ready on {HOST}:{server.server_port}\n")
        sys.stdout.flush()
        stop.wait()
        sandbox.store.clock.stop()  # a request that waits must not hold the end up
        server.shutdown()
    sandbox.runs.close()
    sandbox.store.close()
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="opspilot.sandbox.semaphore", description=__doc__)
    parser.add_argument("--port", type=int, required=True, help="0 chooses a free one")
    parser.add_argument("--data", type=Path, required=True, help="folder of store, log, witnesses")
    parser.add_argument("--version", default="2.18.0", help="whose rules hold in a new data folder")
    parser.add_argument(
        "--player",
        choices=("ansible", "played"),
        default="ansible",
        help="who runs a task; without an ansible-playbook it is played in any case",
    )
    parser.add_argument("--token", help=f"the user's token; else {TOKEN_VARIABLE}")
    return parser


if __name__ == "__main__":
    sys.exit(main())
