"""`manage.py verify_export FILE`: is this file what a console signed? Needs the file and nothing else."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from audit import verifying
from audit.files import signatures
from audit.files.checks import UnreadableError


class Command(BaseCommand):
    help = "Verify a file that left the console, offline: a customer's trace, or the proof of an effect."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE")
        parser.add_argument(
            "--key",
            metavar="PUBLIC",
            help="the public key that is trusted: a PEM file, or 32 bytes in hexadecimal or base64;"
            " without it the key in the file is believed, and its fingerprint is printed",
        )
        parser.add_argument("--json", action="store_true", help="end with one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        """Exit 0 when every line is good, 1 when one is bad or there is nothing to check."""
        try:
            key = signatures.public_key(options["key"]) if options["key"] else None
            report = verifying.verify(options["file"], key)
        except UnreadableError as exc:
            self.stderr.write(f"cannot be verified: {exc}")
            self._end(options, {"ok": False, "format": "", "fault": str(exc), "checks": []})
            raise SystemExit(1) from exc
        for check in report.checks:
            mark = "BAD" if not check.ok else "ok " if check.known else " ? "
            self.stdout.write(f"{mark} {check.name}: {check.detail}")
        self.stdout.write("verified" if report.ok else "NOT verified")
        checks = [asdict(check) for check in report.checks]
        self._end(options, {"ok": report.ok, "format": report.format, "checks": checks})
        if not report.ok:
            raise SystemExit(1)

    def _end(self, options: dict[str, Any], found: dict[str, Any]) -> None:
        if options["json"]:
            self.stdout.write(json.dumps(found, ensure_ascii=False))
