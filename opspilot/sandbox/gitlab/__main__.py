"""`python -m opspilot.sandbox.gitlab --port N --data DIR`: serves until it is told to stop."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

from opspilot.sandbox.gitlab import seed
from opspilot.sandbox.gitlab.server import HOST, Server, open_sandbox

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
    first = seed.read_seed(options.seed)
    sandbox = open_sandbox(data=options.data, token=token, first=first)
    with Server(options.port, sandbox) as server:
        threading.Thread(target=server.serve_forever, args=(0.1,), daemon=True).start()
        sys.stdout.write(f"sandbox gitlab ready on {HOST}:{server.server_port}\n")
        sys.stdout.flush()
        stop.wait()
        sandbox.store.clock.stop()
        server.shutdown()
    sandbox.store.close()
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="opspilot.sandbox.gitlab", description=__doc__)
    parser.add_argument("--port", type=int, required=True, help="0 chooses a free one")
    parser.add_argument("--data", type=Path, required=True, help="folder of store and log")
    parser.add_argument("--seed", type=Path, help="JSON file for an empty data folder")
    parser.add_argument("--token", help=f"the bot's token; else {TOKEN_VARIABLE}")
    return parser


if __name__ == "__main__":
    sys.exit(main())
