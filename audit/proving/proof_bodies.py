"""What must leave for an approved action, written a second time from the contract alone.

The worker has its own: here nothing of it is used, so a proof does not repeat its mistakes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from audit.proving.proof_document import canonical

Body = dict[str, Any]


class NoBodyError(ValueError):
    """The action cannot be read, or nothing of this kind is sent as one request."""


def body_of(action: Any, marker: str) -> Body:
    """Raises NoBodyError."""
    try:
        return _BODIES[action["kind"]](action, marker)
    except (KeyError, TypeError, AttributeError) as exc:
        raise NoBodyError("nothing of this action is sent as one request") from exc


def _issue(action: Mapping[str, Any], marker: str) -> Body:
    body: Body = {
        "title": action["title"],
        "description": f"{action['description']}\n\n{marker}",
        "confidential": action["confidential"],
    }
    if action["labels"]:
        body["labels"] = ",".join(action["labels"])
    if action["assignees"]:
        body["assignee_ids"] = [person["id"] for person in action["assignees"]]
    return body


def _closing(_action: Mapping[str, Any], _marker: str) -> Body:
    return {"state_event": "close"}


def _task(action: Mapping[str, Any], marker: str) -> Body:
    hosts = list(action["hosts"])
    return {
        "template_id": action["target"]["template_id"],
        "params": {"limit": hosts},
        "limit": ",".join(hosts),
        "environment": canonical(action["variables"]),
        "message": marker,
    }


_BODIES: dict[str, Callable[[Mapping[str, Any], str], Body]] = {
    "issue.criada": _issue,
    "issue.fechada": _closing,
    "tarefa.executada": _task,
}
