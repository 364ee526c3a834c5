"""The port to a task runner, and the values that cross it."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

T = TypeVar("T")

ENDED = frozenset({"success", "error", "stopped"})
# Why a template may not be run with a limit.
NOT_ANSIBLE = "app_nao_e_ansible"
LIMIT_NOT_ALLOWED = "limite_nao_permitido"
ARGUMENTS_LIMIT = "argumentos_com_limite"

MAX_RECAP = 1_000  # hosts: far more than a task is ever approved for
MAX_NAME = 253  # characters of a host
# They redirect the connection or stand for what the playbook believes of its hosts.
_FOREIGN = ("ansible", "semaphore", "inventory_")
_FOREIGN_NAMES = frozenset({"groups", "group_names", "hostvars", "play_hosts", "omit"})
_MOST = 999_999_999
_ANSI = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_HEADER = re.compile(r"PLAY RECAP \*+\s*")
_ROW = re.compile(
    r"(?P<host>\S+)\s+: ok=(?P<ok>[0-9]+)\s+changed=(?P<changed>[0-9]+)"
    r"\s+unreachable=(?P<unreachable>[0-9]+)\s+failed=(?P<failed>[0-9]+)(?:\s.*)?"
)


@dataclass(frozen=True, slots=True)
class SurveyField:
    """`kind` is "" (text), int, enum, text, select or secret. The remote enforces none of it."""

    name: str
    kind: str
    required: bool
    values: tuple[str, ...]
    default: str


@dataclass(frozen=True, slots=True)
class RemoteTemplate:
    """`fingerprint` changes with whatever decides what a task does; the remote has no revision.

    `faults`: why it may not be run with a limit (codes above); empty means it is fit.
    """

    id: int
    project_id: int
    name: str
    app: str
    playbook: str
    inventory_id: int
    survey: tuple[SurveyField, ...]
    fingerprint: str
    faults: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RemoteTask:
    """A task as the remote says it is. `limit` is what the remote's version would apply.

    It is an echo, not a proof: the remote repeats a limit that it ignores. `playbook` is "" unless
    the task overrides the template's own. `created_at` None: the remote did not say.
    """

    id: int
    project_id: int
    template_id: int
    status: str
    message: str
    limit: tuple[str, ...]
    playbook: str
    user_id: int
    url: str
    created_at: dt.datetime | None

    @property
    def ended(self) -> bool:
        """False for a status we do not know: the caller's deadline decides."""
        return self.status in ENDED


@dataclass(frozen=True, slots=True)
class Found(Generic[T]):
    """Lowest id first. Without `reaches_back` an empty result says nothing."""

    tasks: tuple[T, ...]
    reaches_back: bool


@dataclass(frozen=True, slots=True)
class HostResult:
    ok: int
    changed: int
    unreachable: int
    failed: int

    def __add__(self, other: HostResult) -> HostResult:
        return HostResult(
            self.ok + other.ok,
            self.changed + other.changed,
            self.unreachable + other.unreachable,
            self.failed + other.failed,
        )


class TaskReader(Protocol):
    """A task runner that can be read and nothing else. Every call raises any ConnectorError."""

    def template(self, project_id: int, template_id: int) -> RemoteTemplate: ...

    def hosts(self, project_id: int, inventory_id: int) -> frozenset[str] | None:
        """Host names only. None: this kind of inventory cannot be seen."""
        ...

    def task(self, project_id: int, task_id: int) -> RemoteTask: ...

    def output(self, project_id: int, task_id: int) -> str:
        """Without terminal codes. At most 1 MiB: beginning and end, and it says so."""
        ...

    def find(
        self, project_id: int, template_id: int, marker: str, *, since: dt.datetime
    ) -> Found[RemoteTask]:
        """Our own tasks of this template whose message is the marker."""
        ...


class TaskRunner(TaskReader, Protocol):
    def start(self, project_id: int, body: Mapping[str, Any]) -> RemoteTask:
        """Send exactly this body, once; never retries. ValueError: not a body we may send."""
        ...

    def stop(self, project_id: int, task_id: int, *, force: bool) -> None:
        """Ask it to stop. It may have done its work before, and go on afterwards."""
        ...


def is_foreign(name: str) -> bool:
    """Whether a variable's name is the remote's or Ansible's own, however it is spelt."""
    lowered = name.lower()
    return lowered.startswith(_FOREIGN) or lowered in _FOREIGN_NAMES


def plain(output: str) -> str:
    """Without terminal codes and control signs, with plain line ends: text that can be kept."""
    text = _ANSI.sub("", output).replace("\r\n", "\n")
    return _SURROGATE.sub("\ufffd", _CONTROL.sub("", text))


def recap(output: str) -> dict[str, HostResult]:
    """What each host came to, by the PLAY RECAP; {} when there is none.

    A second recap (a playbook that runs another one) adds to the first: no host and no failure is
    hidden by what was printed later. A row cut in half is no row. An absurd one (a name or a count
    of thousands of signs) is cut and stays a row; past MAX_RECAP hosts no new one is told.
    """
    found: dict[str, HostResult] = {}
    for host, result in _rows(plain(output)):
        if host in found:
            found[host] += result
        elif len(found) < MAX_RECAP:
            found[host] = result
    return found


def _rows(output: str) -> Iterator[tuple[str, HostResult]]:
    inside = False
    for line in output.split("\n"):
        row = _ROW.fullmatch(line.rstrip()) if inside else None
        if row is not None:
            counts = (_count(row[name]) for name in ("ok", "changed", "unreachable", "failed"))
            yield _name(row["host"]), HostResult(*counts)
        elif line.strip():
            inside = _HEADER.fullmatch(line) is not None


def _name(host: str) -> str:
    """One that was cut is no other host's name."""
    return host if len(host) <= MAX_NAME else f"{host[: MAX_NAME - 1]}…"


def _count(digits: str) -> int:
    return int(digits) if len(digits) <= 9 else _MOST
