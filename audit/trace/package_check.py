"""Checks one customer's trace, line by line of its files, with memory for one line.

What is proved: the files are the ones that were signed, they tell of the same rows, each row is about
the named entity and in order, and each row that leaves nothing out still has the hash that the
database gave it when it was written.
"""

from __future__ import annotations

import csv
import hashlib
import io
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from audit.files import signatures, strict_json
from audit.files.checks import FAULTS, Check, UnreadableError
from audit.files.row_text import parse, row_hash
from audit.trace import layout, manifest_form
from audit.trace.manifest_form import Entry, Manifest

CHUNK = 1024 * 1024
MOST_MANIFEST = 1024 * 1024
MOST_LINE = 4 * 1024 * 1024  # bytes of one row


def check(path: Path, key: Ed25519PublicKey | None) -> list[Check]:
    with zipfile.ZipFile(path) as package:
        raw = _small(package, layout.MANIFEST)
        signature = _signature(package, raw, key)
        try:
            manifest = manifest_form.read(raw)
        except UnreadableError:
            return [Check("manifest", False, f"not of the form {layout.FORMAT} 1"), signature]
        found = [_names(package, manifest), signature]
        if not found[0].ok:
            return found
        found += [_hash(package, entry) for entry in manifest.arquivos]
        return found + (_rows(package, manifest) if all(c.ok for c in found[2:]) else [])


def _names(package: zipfile.ZipFile, manifest: Manifest) -> Check:
    """A name that stands twice in a ZIP is two files to two programs."""
    there = sorted(package.namelist())
    signed = there.count(layout.SIGNATURE) <= 1
    listed = sorted(entry.nome for entry in manifest.arquivos)
    wanted = sorted([*layout.SIGNED_FILES, layout.MANIFEST])
    ours = [name for name in there if name != layout.SIGNATURE]
    good = signed and ours == wanted and listed == sorted(layout.SIGNED_FILES)
    return Check("files", good, f"{len(there)} files; listed: {', '.join(listed)}")


def _signature(package: zipfile.ZipFile, raw: bytes, trusted: Ed25519PublicKey | None) -> Check:
    if layout.SIGNATURE not in package.namelist():
        return Check("signature", False, "not signed: nothing says which console wrote this")
    try:
        said = strict_json.loads(_small(package, layout.SIGNATURE))
        own = signatures.public_key(said["chave_publica"])
        statement = signatures.package(layout.FORMAT, raw)
        good = signatures.is_signed_by(trusted or own, str(said["assinatura"]), statement)
    except FAULTS:
        return Check("signature", False, "the signature cannot be read")
    name = signatures.fingerprint(trusted or own)
    whose = "the key given" if trusted else "the key in the file; compare its fingerprint"
    return Check("signature", good, f"{whose}: {name}" if good else f"does not fit {name}")


def _hash(package: zipfile.ZipFile, entry: Entry) -> Check:
    """Never reads more than the manifest says: what unpacks to a terabyte is not unpacked."""
    name, left, digest = entry.nome, entry.bytes, hashlib.sha256()
    try:
        with package.open(name) as stream:
            while left >= 0 and (piece := stream.read(CHUNK)):
                left -= len(piece)
                digest.update(piece)
    except FAULTS:
        return Check(f"sha256:{name}", False, "cannot be unpacked")
    good = left == 0 and digest.hexdigest() == entry.sha256
    return Check(f"sha256:{name}", good, entry.sha256 if good else "is not what was signed")


@dataclass(slots=True)
class _Seen:
    """What the rows of linhas.json say together."""

    rows: int = 0
    recomputed: int = 0
    ids: Any = field(default_factory=hashlib.sha256)
    last: tuple[str, int] = ("", 0)
    altered: list[int] = field(default_factory=list)
    strangers: list[int] = field(default_factory=list)
    in_order: bool = True


def _rows(package: zipfile.ZipFile, manifest: Manifest) -> list[Check]:
    try:
        seen = _read(package, set(manifest.entidade.ids), manifest.periodo.ate)
    except FAULTS as exc:
        return [Check("rows", False, f"{layout.ROWS_JSON} cannot be read: {exc}")]
    wanted = manifest.linhas
    return [
        Check("rows", seen.rows == wanted, f"{seen.rows} rows, {wanted} signed for"),
        _same(package, layout.ROWS_CSV, ",", seen),
        _same(package, layout.ROWS_EXCEL, ";", seen),
        Check("about", not seen.strangers, _numbers("about somebody else", seen.strangers)),
        Check("order", seen.in_order, "by moment and number, none twice, none after the end"),
        Check(
            "row_hashes",
            not seen.altered,
            f"{_numbers('other than when they were written', seen.altered)}; {_recomputed(seen)}",
            known=bool(seen.recomputed or not seen.rows),
        ),
    ]


def _recomputed(seen: _Seen) -> str:
    """What the count says, and what is to be done about the rest of them."""
    left = seen.rows - seen.recomputed
    said = f"{seen.recomputed} of {seen.rows} recomputed"
    if not left:
        return said
    return (
        f"{said}: from the other {left} somebody else was taken out (`mascarado` says where), so "
        "their hash cannot be made again from this file. That they are as written rests on the "
        "signature; ask whoever gave you the file to run `manage.py verify_trail` for the period"
    )


def _read(package: zipfile.ZipFile, ids: set[str], until: str) -> _Seen:
    seen = _Seen()
    with package.open(layout.ROWS_JSON) as stream:
        for line in _lines(stream):
            _take(seen, parse(line), ids, until)
    return seen


def _take(seen: _Seen, item: dict[str, Any], ids: set[str], until: str) -> None:
    row, place = item["linha"], (_moment(item["linha"]["ocorrido_em"]), int(item["linha"]["id"]))
    seen.rows += 1
    seen.ids.update(f"{place[1]}\n".encode())
    seen.in_order &= seen.last < place and place[0] < _moment(until)
    seen.last = place
    if row["entidade_id"] not in ids:
        seen.strangers.append(place[1])
    if not item["mascarado"]:
        seen.recomputed += 1
        if row_hash(row) != item["linha_hash"]:
            seen.altered.append(place[1])


def _lines(stream: IO[bytes]) -> Iterator[bytes]:
    """The rows of linhas.json. Anything before, after or between them is a fault."""
    if stream.readline(MOST_LINE).strip() != layout.ROWS_HEAD.encode():
        raise UnreadableError("not the head of this format")
    more = True
    while (line := stream.readline(MOST_LINE).strip()) != layout.ROWS_FOOT.encode():
        if not line or not more:
            raise UnreadableError("the list of rows is broken")
        more = line.endswith(b",")
        yield line.removesuffix(b",")
    if stream.read(1).strip():
        raise UnreadableError("there is something after the rows")


def _same(package: zipfile.ZipFile, name: str, delimiter: str, seen: _Seen) -> Check:
    ids, count = hashlib.sha256(), 0
    try:
        with package.open(name) as stream:
            text = io.TextIOWrapper(stream, "utf-8-sig", newline="")
            for row in csv.DictReader(text, delimiter=delimiter):
                ids.update(f"{row['id']}\n".encode())
                count += 1
    except FAULTS:
        return Check(f"same_rows:{name}", False, "cannot be read")
    good = (count, ids.digest()) == (seen.rows, seen.ids.digest())
    return Check(f"same_rows:{name}", good, f"{count} rows")


def _moment(text: str) -> str:
    """Comparable as text: PostgreSQL leaves the zeros at the end of a fraction out."""
    whole, _point, rest = text.partition(".")
    fraction, _plus, _zone = rest.partition("+")
    return f"{whole[:19]}.{fraction:0<6}"


def _numbers(what: str, rows: list[int]) -> str:
    first = ", ".join(map(str, rows[:5]))
    return f"{len(rows)} rows {what}{f': {first}' if rows else ''}"


def _small(package: zipfile.ZipFile, name: str) -> bytes:
    with package.open(name) as stream:
        return stream.read(MOST_MANIFEST)
