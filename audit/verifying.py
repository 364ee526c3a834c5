"""Checks a file that left the console, with nothing but the file and no database.

Each format has one reader in a module of its own, named in READERS by the file's `formato`. A ZIP is
told by the `manifesto.json` inside it, everything else is read as JSON.
"""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from audit.files import strict_json, zip_shape
from audit.files.checks import FAULTS, Check, UnreadableError
from audit.proving import proof_file, sample_check
from audit.trace import layout, package_check

MOST_JSON = 64 * 1024 * 1024  # bytes of a manifest, or of a file that is one JSON

Reader = Callable[[Path, Ed25519PublicKey | None], list[Check]]
"""Every line of the check, good and bad. The key is the one the caller trusts, None = the file's."""

READERS: dict[str, Reader] = {
    layout.FORMAT: package_check.check,
    proof_file.FORMAT: proof_file.check,
    sample_check.FORMAT: sample_check.check,
}


@dataclass(frozen=True, slots=True)
class Report:
    """What was checked. A file is good when something was checked and nothing of it is bad."""

    format: str
    checks: list[Check] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        return bool(self.checks) and all(check.ok for check in self.checks)


def verify(path: Path, key: Ed25519PublicKey | None = None) -> Report:
    """Raises UnreadableError for what is no file of ours, or is so broken that it does not say which;
    a bad file of ours is a bad Report."""
    name = _format(path)
    reader = READERS.get(name)
    if reader is None:
        raise UnreadableError(f"nothing here reads the format {name!r}")
    try:
        if zipfile.is_zipfile(path):
            zip_shape.refuse_hidden(path)
        return Report(name, reader(path, key))
    except FAULTS as exc:
        return Report(name, [Check("file", False, f"is damaged: {exc}")])


def _format(path: Path) -> str:
    try:
        content = _manifest(path) if zipfile.is_zipfile(path) else _json(path)
    except FAULTS as exc:
        raise UnreadableError("the file is neither a package nor a proof of this console") from exc
    return str(content.get("formato", "")) if isinstance(content, dict) else ""


def _manifest(path: Path) -> Any:
    with zipfile.ZipFile(path) as package, package.open(layout.MANIFEST) as stream:
        return strict_json.loads(stream.read(MOST_JSON))


def _json(path: Path) -> Any:
    if path.stat().st_size > MOST_JSON:
        raise ValueError(path)
    return strict_json.loads(path.read_bytes())
