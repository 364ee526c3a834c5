"""An issue in GitLab: made once, found again by its marker, compared field by field."""

from __future__ import annotations

import datetime as dt
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.utils.translation import gettext as _

from approvals import drafts, links, neutral, rules
from approvals.execution.seen import Found, Progress, Seen
from approvals.models import AgenteAprovacao
from approvals.policy import issue_rules
from approvals.rules import Version
from opspilot.connectors.issues import IssueTracker, RemoteIssue

MOST_KEPT = 2_000  # characters of what the remote has in place of what was approved
MOVED = "projeto_mudou_de_endereco"


class IssueEffect:
    """An Effect. A second request cannot hide the first: both carry the same marker."""

    connector = "gitlab"
    may_resend = True

    def __init__(self, tracker: IssueTracker) -> None:
        self._tracker = tracker

    @property
    def timeout(self) -> float:
        return float(settings.OPSPILOT_GITLAB_TIMEOUT)

    def faults(self, proposal: AgenteAprovacao, *, version: Version | None = None) -> str:
        action = proposal.proposta
        if action["target"]["host"] != settings.OPSPILOT_GITLAB_URL:
            return "destino_mudou"
        inert = neutral.is_inert(action["description"]) and neutral.is_inert_line(action["title"])
        if not inert:
            return "texto_ativo"
        hosts = issue_rules.linkable(rules.in_force(version).document)
        words = (action["title"], action["description"])
        return (
            "" if all(links.are_inert(text, hosts) for text in words) else "link_fora_da_politica"
        )

    def preflight(self, proposal: AgenteAprovacao) -> str:
        """Read-only: the numeric id must still stand for the path that was approved."""
        return path_fault(self._tracker, proposal)

    def body(self, proposal: AgenteAprovacao, marker: str) -> dict[str, Any]:
        return drafts.body(proposal.proposta, marker)

    def check(self, body: dict[str, Any]) -> None:
        """The tracker takes any text: what may stand in it was settled before the approval."""

    def send(self, proposal: AgenteAprovacao, body: dict[str, Any]) -> Seen:
        issue = self._tracker.create(_project(proposal), body)
        return _compared(proposal, body, issue)

    def find(self, proposal: AgenteAprovacao, marker: str, *, since: dt.datetime) -> Found:
        """The port reads the whole list or raises: what it gives is complete."""
        issues = self._tracker.find(_project(proposal), marker, since=since)
        body = self.body(proposal, marker)
        return Found(tuple(_compared(proposal, body, issue) for issue in issues), complete=True)

    def get(self, proposal: AgenteAprovacao, remote: dict[str, Any]) -> Seen:
        """Whether this very issue is ours: made by our user, with our marker, as approved."""
        issue = self._tracker.get(_project(proposal), int(remote["iid"]))
        marker = drafts.marker_for(proposal)
        seen = _compared(proposal, self.body(proposal, marker), issue)
        if marker not in issue.description:
            seen.differs.append("marcador")
        if issue.author_id != self._tracker.own_id():
            seen.differs.append("autor")
        return seen

    def follow(
        self, proposal: AgenteAprovacao, remote: dict[str, Any], *, since: dt.datetime
    ) -> Progress:
        raise TypeError("an issue is made at once")


def path_fault(tracker: IssueTracker, proposal: AgenteAprovacao) -> str:
    target = proposal.proposta["target"]
    path = tracker.project_path(target["project_id"])
    return "" if path == target["project_path"] else MOVED


def remote_of(issue: RemoteIssue) -> dict[str, Any]:
    """What is kept of an issue: enough to speak of it again, and where a person opens it."""
    return {"iid": issue.iid, "id": issue.id, "project_id": issue.project_id, "url": issue.url}


def summary_of(proposal: AgenteAprovacao, issue: RemoteIssue) -> str:
    path = proposal.proposta["target"]["project_path"]
    return _("issue %(iid)s do projeto %(path)s") % {"iid": issue.iid, "path": path}


def differences(sent: dict[str, Any], issue: RemoteIssue) -> dict[str, Any]:
    """What the remote has, by field, where it is not what was sent; empty = as approved."""
    labels = frozenset(sent.get("labels", "").split(",")) - {""}
    found: dict[str, tuple[bool, Any]] = {
        "titulo": (issue.title == sent["title"], issue.title),
        "descricao": (
            issue.description.rstrip() == sent["description"].rstrip(),
            issue.description,
        ),
        "etiquetas": (issue.labels == labels, sorted(issue.labels)),
        "responsaveis": (
            issue.assignee_ids == frozenset(sent.get("assignee_ids", [])),
            sorted(issue.assignee_ids),
        ),
        "confidencial": (issue.confidential == sent["confidential"], issue.confidential),
        "estado": (issue.state == "opened", issue.state),
        "prazo": (not issue.due_date, issue.due_date),
        "marco": (not issue.has_milestone, issue.has_milestone),
        "bloqueio": (not issue.locked, issue.locked),
    }
    return {name: _bounded(value) for name, (same, value) in found.items() if not same}


def _compared(proposal: AgenteAprovacao, sent: dict[str, Any], issue: RemoteIssue) -> Seen:
    received = differences(sent, issue)
    path = _path(issue.url, proposal.proposta["target"]["host"])
    if path and path != proposal.proposta["target"]["project_path"]:
        received["endereco"] = _bounded(path)  # moved or renamed: others may read it there
    return Seen(remote_of(issue), list(received), summary_of(proposal, issue), received)


def _path(url: str, host: str) -> str:
    """The project's path in an issue's address; "" where the address does not tell."""
    path = urlsplit(url).path.removeprefix(urlsplit(host).path.rstrip("/"))
    found, is_told, _rest = path.partition("/-/")
    return found.removeprefix("/") if is_told else ""


def _project(proposal: AgenteAprovacao) -> int:
    return int(proposal.proposta["target"]["project_id"])


def _bounded(value: Any) -> Any:
    return value[:MOST_KEPT] if isinstance(value, str | list) else value
