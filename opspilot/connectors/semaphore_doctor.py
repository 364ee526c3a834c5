"""Whether Semaphore is as the policy takes it to be. Reads only, and ends with findings, never
raises for what the remote does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from opspilot.connectors.errors import ConnectorError, RefusedByRemoteError
from opspilot.connectors.findings import Finding, FindingState
from opspilot.connectors.tasks import RemoteTemplate

LIMIT_BY_TEMPLATE = (2, 13)  # from here on the template decides whether a limit counts
ROLE = "task_runner"
_WIDER = frozenset({"manager", "owner"})


@dataclass(frozen=True, slots=True)
class User:
    id: int
    username: str
    admin: bool


class SemaphoreReader(Protocol):
    """Each raises any ConnectorError."""

    def version(self) -> tuple[int, int]: ...

    def user(self) -> User: ...

    def role(self, project_id: int) -> str: ...

    def template(self, project_id: int, template_id: int) -> RemoteTemplate: ...

    def hosts(self, project_id: int, inventory_id: int) -> frozenset[str] | None: ...


@dataclass(frozen=True, slots=True)
class AllowedTemplate:
    """What a policy says of one template. `fingerprint` "" where it was never read."""

    project_id: int
    template_id: int
    hosts: tuple[str, ...]
    fingerprint: str = ""


def examine(
    *, reader: SemaphoreReader, templates: Sequence[AllowedTemplate]
) -> tuple[Finding, ...]:
    """Every check once for the instance and the user, once for each project and each template.

    A remote that cannot be reached has one finding, not one for every question nobody could ask.
    """
    found = list(_instance(reader))
    if found[0].state == "falha":
        return tuple(found)
    found += _asked("usuario_do_token", lambda: [_user(reader.user())], {})
    for project_id in sorted({allowed.project_id for allowed in templates}):
        found += _project(reader, project_id)
    for allowed in templates:
        found += _template(reader, allowed)
    return tuple(found)


def _instance(reader: SemaphoreReader) -> Iterator[Finding]:
    try:
        major, minor = reader.version()
    except ConnectorError as exc:
        yield Finding("alcance", "falha", _reason(exc))
        return
    yield Finding("alcance", "ok")
    by_template = (major, minor) >= LIMIT_BY_TEMPLATE
    facts = {"versao": f"{major}.{minor}", "limite_depende_do_template": by_template}
    yield Finding("versao", "ok", facts)


def _user(user: User) -> Finding:
    """An admin's token carries every right: it works, and is more than the console needs."""
    facts = {"usuario": user.id, "nome": user.username, "admin": user.admin}
    return Finding("usuario_do_token", "atencao" if user.admin else "ok", facts)


def _project(reader: SemaphoreReader, project_id: int) -> list[Finding]:
    known: dict[str, object] = {"projeto": project_id}

    def role() -> list[Finding]:
        held = reader.role(project_id)
        state: FindingState = "atencao" if held in _WIDER else _state(held == ROLE)
        return [Finding("papel", state, known | {"papel": held, "esperado": ROLE})]

    return _asked("papel", role, known)


def _template(reader: SemaphoreReader, allowed: AllowedTemplate) -> list[Finding]:
    known: dict[str, object] = {"projeto": allowed.project_id, "template": allowed.template_id}
    read: list[RemoteTemplate] = []

    def fit() -> list[Finding]:
        read.append(reader.template(allowed.project_id, allowed.template_id))
        return list(_fit(read[0], allowed, known))

    found = _asked("template", fit, known)
    if read:
        found += _asked("hosts", lambda: [_hosts(reader, read[0], allowed, known)], known)
    return found


def _fit(
    template: RemoteTemplate, allowed: AllowedTemplate, known: dict[str, object]
) -> Iterator[Finding]:
    facts = known | {"nome": template.name, "faltas": list(template.faults)}
    yield Finding("template", _state(not template.faults), facts)
    if allowed.fingerprint:
        same = template.fingerprint == allowed.fingerprint
        yield Finding("template_igual_ao_da_politica", _state(same), known)


def _hosts(
    reader: SemaphoreReader,
    template: RemoteTemplate,
    allowed: AllowedTemplate,
    known: dict[str, object],
) -> Finding:
    """Our own catalogue decides; the inventory can only confirm it."""
    present = reader.hosts(allowed.project_id, template.inventory_id)
    if present is None:
        return Finding("hosts", "atencao", known | {"motivo": "inventario_nao_visivel"})
    missing = [host for host in allowed.hosts if host not in present]
    return Finding("hosts", _state(not missing), known | {"faltam": missing})


def _asked(check: str, ask: Callable[[], list[Finding]], known: dict[str, object]) -> list[Finding]:
    """A question that gets no answer is a finding of its own."""
    try:
        return ask()
    except ConnectorError as exc:
        return [Finding(check, "falha", known | _reason(exc))]


def _reason(exc: ConnectorError) -> dict[str, object]:
    if isinstance(exc, RefusedByRemoteError):
        return {"motivo": "recusado", "codigo": exc.status}
    return {"motivo": "sem_resposta"}


def _state(good: bool) -> FindingState:
    return "ok" if good else "falha"
