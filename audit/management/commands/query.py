"""`manage.py query SLUG --tenant T`: a named query as the reader role, with the page's own answer."""

from __future__ import annotations

import json
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from audit.reports import coverage, formats, parameters, recording, screen
from audit.reports.catalogue import NAMED
from audit.reports.kinds import ParametersError
from audit.reports.parameters import Bound
from audit.reports.shapes import NamedQuery
from opspilot.errors import InvalidInputError
from opspilot.presentation.forms import UnknownFieldError
from opspilot.tenancy import clock
from opspilot.tenancy.models import Tenant, tenant_id_of
from opspilot.tenancy.scope import tenant_scope

_READER = "reader"
_BY = "linha de comando"


class Command(BaseCommand):
    help = "Answer a named query of the trail, as the auditors' role; the answer is recorded."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", choices=sorted(NAMED), metavar="SLUG")
        parser.add_argument("--tenant", required=True, help="the company's short name")
        parser.add_argument("--param", action="append", default=[], metavar="NAME=VALUE")
        parser.add_argument("--format", choices=sorted(formats.FORMATS), default="csv")
        parser.add_argument("--out", type=Path, help="a file; without it, the standard output")
        parser.add_argument("--json", action="store_true", help="end with one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        if _READER not in settings.DATABASES:
            raise CommandError("DATABASE_URL_READER is not set: reports run as the reader role")
        if options["format"] == "xlsx" and not options["out"]:
            raise CommandError("xlsx is written to a file: give --out FILE")
        found, tenant_id = NAMED[options["slug"]], tenant_id_of(options["tenant"])
        with ExitStack() as scopes:
            # The reader reads; the row that says so is the application's to write.
            for alias in ("default", _READER):
                scopes.enter_context(tenant_scope(tenant_id, using=alias))
            if not Tenant.objects.filter(pk=tenant_id).exists():
                raise CommandError(f"there is no company {options['tenant']}")
            self._answer(found, _bound(found, options["param"]), options)

    def _answer(self, found: NamedQuery, bound: Bound, options: dict[str, Any]) -> None:
        kind = formats.get(options["format"])
        try:
            result = self._write(found, bound, kind, options["out"])
        except InvalidInputError as exc:
            raise CommandError(f"{exc.sentence} {exc.next_step}") from exc
        by = recording.exported(_BY, found, bound, kind=kind, result=result)
        covered = coverage.of(bound, rows=result.rows, more=False, behind=False, using=_READER)
        said = f"{screen.covered(covered)} sha256 {result.sha256}"
        (self.stdout if options["out"] or options["json"] else self.stderr).write(said)
        if options["json"]:
            line = {
                "ok": True, "consulta": found.slug, "versao": found.version,
                "parametros": dict(bound.address), "linhas": result.rows,
                "sha256": result.sha256, "linha_da_trilha": by,
            }  # fmt: skip
            self.stdout.write(json.dumps(line, ensure_ascii=False))

    def _write(
        self, found: NamedQuery, bound: Bound, kind: formats.Format, path: Path | None
    ) -> formats.Written:
        if path is None:
            return formats.write(kind, found, bound, _stdout(self), using=_READER)
        try:
            with path.open("wb") as out:
                return formats.write(kind, found, bound, out, using=_READER)
        except (OSError, InvalidInputError) as exc:
            path.unlink(missing_ok=True)  # half a file would pass for a whole one
            if isinstance(exc, OSError):
                raise CommandError(f"{path}: {exc.strerror}") from exc
            raise


def _bound(found: NamedQuery, pairs: list[str]) -> Bound:
    raw = dict(pair.partition("=")[::2] for pair in pairs)
    try:
        return parameters.bind(found, raw, now=clock.now())
    except ParametersError as exc:
        faults = "; ".join(f"{name}: {' '.join(texts)}" for name, texts in exc.faults.items())
        raise CommandError(faults) from exc
    except UnknownFieldError as exc:
        known = sorted(parameters.blank_form(found).fields)
        raise CommandError(f"{found.slug} takes {', '.join(known)}") from exc


def _stdout(command: BaseCommand) -> IO[bytes]:
    """Bytes go past the text layer, which would change line ends."""
    command.stdout.flush()
    return sys.stdout.buffer
