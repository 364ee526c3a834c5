"""What a proposal's project has open at the remote, as the worker last read it: the rows of that."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from approvals.actions import ISSUE_CREATED
from approvals.inbox.likeness import ALIKE, likeness
from approvals.models import AgenteAprovacao, OpenIssueList

SHOWN = 5


@dataclass(frozen=True, slots=True)
class OpenIssue:
    """An open issue that may be the same work."""

    iid: int
    title: str
    url: str
    likeness: float


@dataclass(frozen=True, slots=True)
class Seen:
    """What is known of the project's open issues, and since when.

    `looked_at` None = nobody has read the list yet. `fault` is the code of the last try when that
    one failed; what an earlier one read is still shown, with its own time. `complete` is false when
    the project has more open issues than the `read` ones.
    """

    looked_at: dt.datetime | None
    fault: str
    complete: bool
    read: int
    alike: tuple[OpenIssue, ...]
    more: int


def applies_to(proposal: AgenteAprovacao) -> bool:
    """Only what creates an issue can have a twin there."""
    return proposal.acao == ISSUE_CREATED and bool(proposal.destino_hash)


def want(proposal: AgenteAprovacao) -> None:
    """Have the worker read the list of this proposal's project until its deadline."""
    project = _project(proposal.proposta)
    if not applies_to(proposal) or project is None:
        return
    row, created = OpenIssueList.objects.get_or_create(
        tenant_id=proposal.tenant_id,
        destino_hash=proposal.destino_hash,
        defaults={"project": project, "wanted_until": proposal.expira_em},
    )
    if not created and row.wanted_until < proposal.expira_em:
        row.wanted_until = proposal.expira_em
        row.save(update_fields=["wanted_until"])


def seen(proposal: AgenteAprovacao, row: OpenIssueList | None) -> Seen | None:
    """None where the question makes no sense. From our own row, if there is one: the remote is
    not asked."""
    if not applies_to(proposal):
        return None
    if row is None or row.looked_at is None:
        return Seen(None, row.outcome if row else "", False, 0, (), 0)
    alike = _alike(str(proposal.proposta.get("title") or ""), row.issues)
    return Seen(
        looked_at=row.looked_at,
        fault=row.outcome,
        complete=row.complete,
        read=len(row.issues),
        alike=tuple(alike[:SHOWN]),
        more=max(0, len(alike) - SHOWN),
    )


def _alike(title: str, issues: list[Mapping[str, Any]]) -> list[OpenIssue]:
    """The most alike first."""
    found = [
        OpenIssue(row["iid"], row["title"], row["url"], likeness(title, row["title"]))
        for row in issues
    ]
    alike = [issue for issue in found if issue.likeness >= ALIKE]
    return sorted(alike, key=lambda issue: (-issue.likeness, -issue.iid))


def _project(action: Mapping[str, Any]) -> int | None:
    target = action.get("target")
    number = target.get("project_id") if isinstance(target, Mapping) else None
    return number if isinstance(number, int) else None
