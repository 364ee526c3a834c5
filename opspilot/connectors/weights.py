"""Model weights that come inside packages: found without running their code, checked by hash."""

from __future__ import annotations

import hashlib
from importlib.util import find_spec
from pathlib import Path


class WeightsError(Exception):
    """Bundled weights are missing, or are not the bytes this release was measured with."""


def package_folder(package: str) -> Path:
    """Where a package lies, without running any of its code."""
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise WeightsError(f"package {package} is not installed")
    return Path(spec.submodule_search_locations[0])


def verified_bytes(path: Path, sha256: str) -> bytes:
    try:
        content = path.read_bytes()
    except OSError as exc:
        raise WeightsError(f"{path.name} cannot be read") from exc
    found = hashlib.sha256(content).hexdigest()
    if found != sha256:
        raise WeightsError(f"{path.name}: sha256 is {found[:12]}, expected {sha256[:12]}")
    return content
