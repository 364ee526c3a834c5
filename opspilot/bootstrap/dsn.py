"""`dsn --role R`: the address of the embedded server, for people with a client of their own."""

from __future__ import annotations

import argparse
import json

from opspilot.bootstrap import postgres
from opspilot.bootstrap.datadir import chosen, shown
from opspilot.bootstrap.errors import BootstrapError
from opspilot.bootstrap.terminal import say


def parse(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="manage.py dsn",
        description="Print the URL of the running embedded server. Starts nothing.",
    )
    parser.add_argument("--role", required=True, choices=postgres.ROLES)
    parser.add_argument("--data-dir", help="of the instance (.data)")
    parser.add_argument("--json", action="store_true", help="one JSON object as the last line")
    return parser.parse_args(arguments)


def run(options: argparse.Namespace) -> int:
    data = chosen(options.data_dir)
    server = postgres.running(data.root)
    if server is None:
        raise BootstrapError(f"No embedded server is running for {shown(data.root)}.")
    url = postgres.dsn(server, options.role)
    say(json.dumps({"role": options.role, "url": url}) if options.json else url)
    return 0
