"""Closing an issue of ours in GitLab: what undoes its creation. Closing twice is closing once."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.conf import settings

from approvals import drafts
from approvals.execution.issue_effect import path_fault, remote_of, summary_of
from approvals.execution.seen import Found, Progress, Seen
from approvals.models import AgenteAprovacao
from approvals.rules import Version
from opspilot.connectors.issues import IssueTracker, RemoteIssue

CLOSED = "closed"


class ClosingEffect:
    """An Effect. The issue's number is the key: it has no marker to be found by."""

    connector = "gitlab"
    may_resend = True

    def __init__(self, tracker: IssueTracker) -> None:
        self._tracker = tracker

    @property
    def timeout(self) -> float:
        return float(settings.OPSPILOT_GITLAB_TIMEOUT)

    def faults(self, proposal: AgenteAprovacao, *, version: Version | None = None) -> str:
        host = proposal.proposta["target"]["host"]
        return "" if host == settings.OPSPILOT_GITLAB_URL else "destino_mudou"

    def preflight(self, proposal: AgenteAprovacao) -> str:
        return path_fault(self._tracker, proposal)

    def body(self, proposal: AgenteAprovacao, marker: str) -> dict[str, Any]:
        return drafts.body(proposal.proposta, marker)

    def check(self, body: dict[str, Any]) -> None:
        """The tracker takes any text: what may stand in it was settled before the approval."""

    def send(self, proposal: AgenteAprovacao, body: dict[str, Any]) -> Seen:
        return _seen(proposal, self._tracker.close(*_key(proposal)))

    def find(self, proposal: AgenteAprovacao, marker: str, *, since: dt.datetime) -> Found:
        issue = self._tracker.get(*_key(proposal))
        closed = (_seen(proposal, issue),) if issue.state == CLOSED else ()
        return Found(closed, complete=True)

    def get(self, proposal: AgenteAprovacao, remote: dict[str, Any]) -> Seen:
        issue = self._tracker.get(*_key(proposal))
        return _seen(proposal, issue, *([] if issue.state == CLOSED else ["estado"]))

    def follow(
        self, proposal: AgenteAprovacao, remote: dict[str, Any], *, since: dt.datetime
    ) -> Progress:
        raise TypeError("an issue is closed at once")


def _key(proposal: AgenteAprovacao) -> tuple[int, int]:
    action = proposal.proposta
    return int(action["target"]["project_id"]), int(action["issue"]["iid"])


def _seen(proposal: AgenteAprovacao, issue: RemoteIssue, *differs: str) -> Seen:
    return Seen(remote_of(issue), list(differs), summary_of(proposal, issue))
