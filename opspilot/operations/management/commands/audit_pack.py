"""`manage.py audit_pack --quarter 2026-T4 --tenant T`: proofs of drawn effects in one signed ZIP."""

from __future__ import annotations

import json
import secrets
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from approvals.proof import packing, sampling
from audit.proving.sample_form import Manifest
from audit.seal import keys
from opspilot.tenancy.models import Tenant, tenant_id_of
from opspilot.tenancy.scope import tenant_scope


class Command(BaseCommand):
    help = "Draw effects of a quarter by a seed and write their proofs into one signed ZIP."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--quarter", required=True, help="for instance 2026-T4")
        parser.add_argument("--tenant", required=True)
        parser.add_argument("--size", type=int, default=25, help=f"at most {sampling.MOST}")
        parser.add_argument("--seed", help="of whoever audits; a random one where none is given")
        parser.add_argument("--out", type=Path, help="a file that is not there yet")
        parser.add_argument("--json", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        size, seed = options["size"], options["seed"] or secrets.token_hex(8)
        if not 1 <= size <= sampling.MOST:
            raise CommandError(f"--size is from 1 to {sampling.MOST}")
        path = options["out"] or Path(f"amostra-{options['tenant']}-{options['quarter']}.zip")
        try:
            manifest = _written(options["tenant"], path, options["quarter"], size, seed)
        except sampling.NotAQuarterError as exc:
            raise CommandError(f"no quarter: {exc} (2026-T4 is one)") from exc
        except FileExistsError as exc:
            raise CommandError(f"{path} is there already") from exc
        except (keys.NoKeyError, keys.BadKeyError) as exc:
            raise CommandError("there is no key to sign with: OPSPILOT_SEAL_KEY_FILE") from exc
        drawn, there_were = len(manifest.arquivos), len(manifest.universo)
        self.stdout.write(f"{path}: {drawn} of {there_were} effects, seed {seed}")
        if options["json"]:
            found = {"file": str(path), "drawn": drawn, "effects": there_were, "seed": seed}
            self.stdout.write(json.dumps(found))


def _written(tenant: str, path: Path, quarter: str, size: int, seed: str) -> Manifest:
    wanted = packing.Wanted(tenant_id_of(tenant), sampling.quarter(quarter), size, seed)
    with tenant_scope(wanted.tenant_id):
        if not Tenant.objects.filter(pk=wanted.tenant_id).exists():
            raise CommandError(f"no tenant {tenant!r}")
    return packing.write(path=path, wanted=wanted)
