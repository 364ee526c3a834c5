"""Whether an archive can be restored: every line becomes a row of the trail's own type again, in the
database and without writing to it, keeps every field, and gives the hash it carries."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from django.db import connection, transaction

from audit.months import archive
from audit.months.archive import Archive, Part
from audit.months.errors import ArchiveError
from opspilot.tenancy.sql import named

_QUERY = Path(__file__).parents[1] / "sql" / "restored_rows.sql"
_BATCH = 1_000


@dataclass(frozen=True, slots=True)
class Restored:
    month: str
    rows: int
    sha256: str


def check(folder: Path) -> Restored:
    """Read the whole archive and make rows of it. Raises ArchiveError naming the file at fault."""
    try:
        found = archive.read(folder)
    except OSError as exc:
        raise ArchiveError(f"{folder.name}: cannot be read ({exc.strerror})") from exc
    for part in found.parts:
        _check(found, part)
    return Restored(found.month, sum(part.rows for part in found.parts), found.sha256)


def _check(found: Archive, part: Part) -> None:
    source = archive.lines_of(found, part)
    while lines := list(islice(source, _BATCH)):
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SELECT set_config('TimeZone', 'UTC', true)")
            values: dict[str, Any] = {
                "lines": [line.decode() for line in lines],
                "tenant_id": part.tenant,
            }
            cursor.execute(named(_QUERY), values)
            counts = cursor.fetchone()
        if set(counts) != {len(lines)}:
            raise ArchiveError(f"{found.month}: a row of {part.file} cannot be restored as it was")
