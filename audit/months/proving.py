"""Whether an archive holds the very rows that were sealed: each window's root, made of its lines."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterator

from audit.months import archive
from audit.months.archive import Archive, Part
from audit.months.errors import ArchiveError
from audit.seal.ledger import seals_of
from audit.seal.merkle import Tree

_HEX = slice(2, None)  # PostgreSQL writes bytes as \x and their digits


def check(found: Archive, part: Part, month: dt.date) -> None:
    """In the scope of the part's company. Raises ArchiveError at the first window that differs.

    The hash each line carries is taken as it stands: `restoring` holds it against the line.
    """
    lines = _hashes(found, part)
    following = next(lines, None)
    for seal in seals_of(month):
        tree = Tree()
        while following is not None and following[0] < seal.until_at:
            tree.add(following[1])
            following = next(lines, None)
        if tree.root().hex() != seal.root:
            raise _differs(found, part)
    if following is not None:
        raise _differs(found, part)


def _hashes(found: Archive, part: Part) -> Iterator[tuple[dt.datetime, bytes]]:
    for line in archive.lines_of(found, part):
        row = json.loads(line)
        yield dt.datetime.fromisoformat(row["ocorrido_em"]), bytes.fromhex(row["linha_hash"][_HEX])


def _differs(found: Archive, part: Part) -> ArchiveError:
    return ArchiveError(
        f"{found.month}: {part.file} does not hold the rows that were sealed; nothing was removed. "
        "Move the month's folder away and run `partitions expire` again"
    )
