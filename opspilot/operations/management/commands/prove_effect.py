"""`manage.py prove_effect REF --tenant T`: the proof of one effect as a file, signed.

The page gives the same without a signature: the web process has no key to sign with.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError, CommandParser

from approvals.proof import packing
from audit.seal import keys
from opspilot.errors import NotFoundError
from opspilot.tenancy.models import tenant_id_of
from opspilot.tenancy.scope import tenant_scope


class Command(BaseCommand):
    help = "Write the signed proof of one effect, by the reference in its page's address."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("ref", type=UUID, metavar="REF")
        parser.add_argument("--tenant", required=True)
        parser.add_argument("--out", type=Path, help="a file that is not there yet")

    def handle(self, *args: Any, **options: Any) -> None:
        ref: UUID = options["ref"]
        path = options["out"] or Path(f"prova-{ref}.json")
        try:
            with tenant_scope(tenant_id_of(options["tenant"])):
                packing.write_one(path=path, ref=ref)
        except NotFoundError as exc:
            raise CommandError(f"{options['tenant']} has no proposal {ref}") from exc
        except FileExistsError as exc:
            raise CommandError(f"{path} is there already") from exc
        except (keys.NoKeyError, keys.BadKeyError) as exc:
            raise CommandError("there is no key to sign with: OPSPILOT_SEAL_KEY_FILE") from exc
        self.stdout.write(f"{path}: signed")
