"""Semaphore's answers, read defensively: what each means for the caller, and the values in them."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from opspilot.connectors.errors import (
    OutcomeUnknownError,
    RefusedByRemoteError,
    RemoteFaultError,
    ThrottledError,
)
from opspilot.connectors.http import Answer
from opspilot.connectors.tasks import (
    ARGUMENTS_LIMIT,
    LIMIT_NOT_ALLOWED,
    NOT_ANSIBLE,
    RemoteTask,
    RemoteTemplate,
    SurveyField,
)

Version = tuple[int, int]
# Since then a limit counts only where the template allows it, and stands in `params`.
LIMIT_IN_PARAMS: Version = (2, 13)
RAW_OUTPUT: Version = (2, 14)
MAX_WAIT = 3600.0  # seconds: the longest Retry-After we believe
_REFUSALS = frozenset({400, 401, 403, 404})
_FINGERPRINT = (
    "app",
    "playbook",
    "inventory_id",
    "repository_id",
    "git_branch",
    "arguments",
    "environment_id",
    "environment_ids",
    "task_params",
    "survey_vars",
)
_BARE_FLAGS = frozenset("bCDhJkKv")  # short options of ansible-playbook that take no value


def failure(answer: Answer) -> Exception:
    """Sort an answer that is not the success the call has. The remote's text is not kept.

    A 500 says nothing: a task may have been queued. So does whatever is not named here.
    """
    status = answer.status
    if status == 429:
        return ThrottledError("the remote is throttling", _wait(answer.headers))
    if status in _REFUSALS or 300 <= status < 400:
        return RefusedByRemoteError(f"the remote answered {status}", status)
    if status >= 500:
        return RemoteFaultError(f"the remote answered {status}")
    return OutcomeUnknownError(f"the remote answered {status}")


def version(row: Any) -> Version:
    """`v2.16.19-abc` is (2, 16)."""
    found = re.match(r"v?(\d{1,4})\.(\d{1,4})", str(field(row, "version")))
    if found is None:
        raise OutcomeUnknownError("the remote's version cannot be read")
    return int(found[1]), int(found[2])


def task(row: Any, *, of: Version, base_url: str) -> RemoteTask:
    """An answer that is not a task leaves the outcome unknown."""
    try:
        return _task(row, of, base_url)
    except (TypeError, ValueError, AttributeError, OverflowError) as exc:
        raise OutcomeUnknownError("the answer is not a task") from exc


def template(row: Any, *, of: Version) -> RemoteTemplate:
    try:
        return _template(row, of)
    except (TypeError, ValueError, AttributeError, OverflowError) as exc:
        raise OutcomeUnknownError("the answer is not a template") from exc


def rows(value: Any) -> list[dict[str, Any]]:
    """An empty list may come as null."""
    if value is None:
        return []
    if not isinstance(value, list) or not all(isinstance(row, dict) for row in value):
        raise OutcomeUnknownError("the list is not a list")
    return value


def moment(text: Any) -> dt.datetime | None:
    try:
        found = dt.datetime.fromisoformat(str(text))
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=dt.UTC)


def field(row: Any, name: str) -> Any:
    if not isinstance(row, dict) or name not in row:
        raise OutcomeUnknownError(f"the answer has no {name}")
    return row[name]


def number(row: Any, name: str) -> int:
    value = field(row, name)
    if not isinstance(value, int) or isinstance(value, bool):
        raise OutcomeUnknownError(f"the answer's {name} is not a number")
    return value


def _task(row: Any, of: Version, base_url: str) -> RemoteTask:
    ids = {name: number(row, name) for name in ("id", "project_id", "template_id")}
    place = f"/project/{ids['project_id']}/templates/{ids['template_id']}?t={ids['id']}"
    return RemoteTask(
        **ids,
        status=str(field(row, "status")),
        message=str(row.get("message") or ""),
        limit=_limit(row, of),
        playbook=str(row.get("playbook") or ""),
        user_id=int(row.get("user_id") or 0),
        url=base_url.rstrip("/") + place,
        created_at=moment(row.get("created")),
    )


def _limit(row: Mapping[str, Any], of: Version) -> tuple[str, ...]:
    if of < LIMIT_IN_PARAMS:
        text = str(row.get("limit") or "")
        return tuple(text.split(",")) if text else ()
    return tuple(str(host) for host in (row.get("params") or {}).get("limit") or ())


def _template(row: Any, of: Version) -> RemoteTemplate:
    return RemoteTemplate(
        id=number(row, "id"),
        project_id=number(row, "project_id"),
        name=str(field(row, "name")),
        app=str(row.get("app") or ""),
        playbook=str(row.get("playbook") or ""),
        inventory_id=int(row.get("inventory_id") or 0),
        survey=tuple(_survey(each) for each in row.get("survey_vars") or ()),
        fingerprint=_fingerprint(row),
        faults=tuple(_faults(row, of)),
    )


def _faults(row: Mapping[str, Any], of: Version) -> Iterator[str]:
    if row.get("app") != "ansible":
        yield NOT_ANSIBLE
    allowed = (row.get("task_params") or {}).get("allow_override_limit") is True
    if of >= LIMIT_IN_PARAMS and not allowed:
        yield LIMIT_NOT_ALLOWED
    if _widens(str(row.get("arguments") or "")):
        yield ARGUMENTS_LIMIT


def _widens(arguments: str) -> bool:
    """Whether they choose hosts or an inventory; also when they cannot be read."""
    try:
        words = json.loads(arguments or "[]")
    except ValueError:
        return True
    if not isinstance(words, list):
        return True
    return any(_chooses_hosts(str(word)) for word in words)


def _chooses_hosts(word: str) -> bool:
    """`--limit`, `-l`, `-i`, `--inventory`, shortened (`--lim`) or in a bunch (`-vl`) too."""
    if word.startswith("--"):
        name = word.partition("=")[0]
        return len(name) > 2 and any(
            option.startswith(name) for option in ("--limit", "--inventory", "--inventory-file")
        )
    if word.startswith("-"):
        return word[1:].lstrip("".join(_BARE_FLAGS))[:1] in {"l", "i"}
    return False


def _survey(row: Any) -> SurveyField:
    default = row.get("default_value") or ""
    return SurveyField(
        name=str(field(row, "name")),
        kind=str(row.get("type") or ""),
        required=row.get("required") is True,
        values=tuple(str(each.get("value") or "") for each in row.get("values") or ()),
        default=",".join(map(str, default)) if isinstance(default, list) else str(default),
    )


def _fingerprint(row: Mapping[str, Any]) -> str:
    """Of what decides what a task does. The git repository behind may still move."""
    kept = {name: row.get(name) for name in _FINGERPRINT}
    kept |= {name: value for name, value in row.items() if name.startswith("allow_override_")}
    text = json.dumps(kept, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()


def _wait(headers: Mapping[str, str]) -> float:
    given = headers.get("retry-after", "")
    seconds = float(given) if given.isascii() and given.isdigit() else 30.0
    return min(max(seconds, 1.0), MAX_WAIT)
