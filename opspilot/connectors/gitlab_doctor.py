"""Whether GitLab is as the policy takes it to be. Reads only, and ends with findings, never raises
for what the remote does.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from opspilot.connectors.errors import ConnectorError, RefusedByRemoteError
from opspilot.connectors.findings import Finding, FindingState

MIN_VERSION = (16, 7)  # from here on a moved project says so (301 and 405)
SCOPES = frozenset({"api"})
NEAR_EXPIRY = dt.timedelta(days=14)
MAX_SKEW = 60.0  # seconds between our clock and the remote's
GUEST = 10  # the least access with which a person can be given an issue


@dataclass(frozen=True, slots=True)
class Version:
    """`skew`: seconds that the remote's clock is ahead of ours; None where it told no time."""

    number: str
    skew: float | None


@dataclass(frozen=True, slots=True)
class Token:
    active: bool
    revoked: bool
    scopes: frozenset[str]
    user_id: int
    expires_on: dt.date | None


@dataclass(frozen=True, slots=True)
class Project:
    id: int
    path: str
    archived: bool
    issues: str  # "disabled", "private", "enabled"; "" where the remote does not say


@dataclass(frozen=True, slots=True)
class Member:
    id: int
    state: str
    access_level: int
    expires_on: dt.date | None


class GitLabReader(Protocol):
    """Each raises any ConnectorError."""

    def version(self) -> Version: ...

    def token(self) -> Token: ...

    def user_id(self) -> int: ...

    def project(self, project_id: int) -> Project: ...

    def labels(self, project_id: int) -> frozenset[str]: ...

    def members(self, project_id: int, user_ids: Sequence[int]) -> tuple[Member, ...]: ...


@dataclass(frozen=True, slots=True)
class AllowedProject:
    """What a policy says of one project. Labels are compared with case."""

    id: int
    path: str
    labels: tuple[str, ...] = ()
    assignee_ids: tuple[int, ...] = ()


def examine(
    *,
    reader: GitLabReader,
    projects: Sequence[AllowedProject],
    bot_id: int | None = None,
    today: dt.date,
) -> tuple[Finding, ...]:
    """Every check once for the instance and the token, then once for each project.

    A remote that cannot be reached has one finding, not one for every question nobody could ask.
    """
    found = list(_instance(reader))
    if found[0].state == "falha":
        return tuple(found)
    found += _asked("token_ativo", lambda: list(_token(reader.token(), today)))
    found += _asked("usuario_do_token", lambda: [_user(reader.user_id(), bot_id)])
    for project in projects:
        found += _project(reader, project, today)
    return tuple(found)


def _instance(reader: GitLabReader) -> Iterator[Finding]:
    try:
        version = reader.version()
    except ConnectorError as exc:
        yield Finding("alcance", "falha", _reason(exc))
        return
    yield Finding("alcance", "ok")
    enough = _numbers(version.number) >= MIN_VERSION
    yield Finding("versao", _state(enough), {"versao": version.number, "minima": "16.7"})
    if version.skew is None:
        yield Finding("relogio", "atencao", {"motivo": "sem_hora"})
    else:
        near = abs(version.skew) <= MAX_SKEW
        yield Finding("relogio", _state(near), {"diferenca_segundos": round(version.skew)})


def _token(token: Token, today: dt.date) -> Iterator[Finding]:
    alive = token.active and not token.revoked
    yield Finding("token_ativo", _state(alive))
    yield _expiry(token.expires_on, today)
    scopes = {"escopos": sorted(token.scopes), "esperado": sorted(SCOPES)}
    if token.scopes == SCOPES:
        yield Finding("token_escopos", "ok", scopes)
    else:
        # More than needed still works; without `api` nothing can be written.
        yield Finding("token_escopos", "atencao" if token.scopes > SCOPES else "falha", scopes)


def _expiry(expires_on: dt.date | None, today: dt.date) -> Finding:
    if expires_on is None:
        return Finding("token_validade", "ok", {"vence_em": ""})
    facts = {"vence_em": expires_on.isoformat(), "dias": (expires_on - today).days}
    if expires_on <= today:
        return Finding("token_validade", "falha", facts)
    near = expires_on - today < NEAR_EXPIRY
    return Finding("token_validade", "atencao" if near else "ok", facts)


def _user(user_id: int, bot_id: int | None) -> Finding:
    facts = {"usuario": user_id, "configurado": bot_id}
    return Finding("usuario_do_token", _state(bot_id in {None, user_id}), facts)


def _project(reader: GitLabReader, allowed: AllowedProject, today: dt.date) -> list[Finding]:
    found = _asked("projeto", lambda: list(_place(reader.project(allowed.id), allowed)), allowed)
    if not found or "motivo" in found[0].facts:
        return found
    if allowed.labels:
        found += _asked("etiquetas", lambda: [_labels(reader.labels(allowed.id), allowed)], allowed)
    if allowed.assignee_ids:
        found += _asked(
            "responsaveis",
            lambda: [_members(reader.members(allowed.id, allowed.assignee_ids), allowed, today)],
            allowed,
        )
    return found


def _place(project: Project, allowed: AllowedProject) -> Iterator[Finding]:
    known = _of(allowed)
    same = (project.id, project.path) == (allowed.id, allowed.path)
    yield Finding("projeto", _state(same), known | {"caminho_atual": project.path})
    yield Finding("projeto_arquivado", _state(not project.archived), known)
    if project.issues == "":
        yield Finding("projeto_issues", "atencao", known | {"acesso": ""})
    else:
        on = project.issues != "disabled"
        yield Finding("projeto_issues", _state(on), known | {"acesso": project.issues})


def _labels(present: frozenset[str], allowed: AllowedProject) -> Finding:
    """A label that is not there would be made, or dropped, without a word."""
    missing = [label for label in allowed.labels if label not in present]
    return Finding("etiquetas", _state(not missing), _of(allowed) | {"faltam": missing})


def _members(members: Sequence[Member], allowed: AllowedProject, today: dt.date) -> Finding:
    """Somebody who is not an active member would vanish from the issue without a word."""
    active = {member.id for member in members if _takes_issues(member, today)}
    missing = [user_id for user_id in allowed.assignee_ids if user_id not in active]
    return Finding("responsaveis", _state(not missing), _of(allowed) | {"faltam": missing})


def _takes_issues(member: Member, today: dt.date) -> bool:
    lasting = member.expires_on is None or member.expires_on > today
    return member.state == "active" and member.access_level >= GUEST and lasting


def _asked(
    check: str, ask: Callable[[], list[Finding]], allowed: AllowedProject | None = None
) -> list[Finding]:
    """A question that gets no answer is a finding of its own."""
    try:
        return ask()
    except ConnectorError as exc:
        known = _of(allowed) if allowed else {}
        return [Finding(check, "falha", known | _reason(exc))]


def _of(allowed: AllowedProject) -> dict[str, object]:
    return {"projeto": allowed.id, "caminho": allowed.path}


def _reason(exc: ConnectorError) -> dict[str, object]:
    if isinstance(exc, RefusedByRemoteError):
        return {"motivo": "recusado", "codigo": exc.status}
    return {"motivo": "sem_resposta"}


def _state(good: bool) -> FindingState:
    return "ok" if good else "falha"


def _numbers(version: str) -> tuple[int, ...]:
    """`19.1.0-ee` is (19, 1); what is no version is below every one."""
    found = re.match(r"(\d{1,4})\.(\d{1,4})", version)
    return (int(found[1]), int(found[2])) if found else ()
