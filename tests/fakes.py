"""Stand-ins for the outside world. They answer by script and remember what they were asked."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from opspilot.connectors.errors import RefusedByRemoteError, UnavailableError
from opspilot.connectors.issues import RemoteIssue
from opspilot.connectors.ports import Embedder

OUR_USER = 1  # the id the remote knows our token's user by
Answer = RemoteIssue | BaseException | Callable[[int, Mapping[str, Any]], RemoteIssue]


@dataclass(frozen=True, slots=True)
class Call:
    """One thing the tracker was asked for."""

    what: str
    project_id: int
    body: Mapping[str, Any] | None = None
    marker: str = ""
    since: dt.datetime | None = None
    iid: int = 0


class FakeTracker:
    """An IssueTracker that gives the scripted answers in order, then its defaults.

    Defaults: the path is `path`, a creation echoes the body, a look-up finds nothing.
    """

    def __init__(
        self,
        *,
        path: str = "aurora/infra",
        paths: Iterable[str | BaseException] = (),
        creates: Iterable[Answer] = (),
        finds: Iterable[list[RemoteIssue] | BaseException] = (),
        gets: Iterable[RemoteIssue | BaseException] = (),
        closes: Iterable[RemoteIssue | BaseException] = (),
    ) -> None:
        self.path = path
        self.calls: list[Call] = []
        self._paths = list(paths)
        self._creates = list(creates)
        self._finds = list(finds)
        self._gets = list(gets)
        self._closes = list(closes)

    def count(self, what: str) -> int:
        return sum(call.what == what for call in self.calls)

    @property
    def bodies(self) -> list[Mapping[str, Any]]:
        return [call.body for call in self.calls if call.body is not None]

    def project_path(self, project_id: int) -> str:
        self.calls.append(Call("project_path", project_id))
        answer = self._paths.pop(0) if self._paths else self.path
        if isinstance(answer, BaseException):
            raise answer
        return answer

    def create(self, project_id: int, body: Mapping[str, Any]) -> RemoteIssue:
        self.calls.append(Call("create", project_id, body=dict(body)))
        answer = self._creates.pop(0) if self._creates else echo
        if isinstance(answer, BaseException):
            raise answer
        return answer if isinstance(answer, RemoteIssue) else answer(project_id, body)

    def find(self, project_id: int, marker: str, *, since: dt.datetime) -> list[RemoteIssue]:
        self.calls.append(Call("find", project_id, marker=marker, since=since))
        answer = self._finds.pop(0) if self._finds else []
        if isinstance(answer, BaseException):
            raise answer
        return answer

    def get(self, project_id: int, iid: int) -> RemoteIssue:
        """By script only: without one, there is no such issue."""
        self.calls.append(Call("get", project_id, iid=iid))
        answer = self._gets.pop(0) if self._gets else RefusedByRemoteError("gone", 404)
        if isinstance(answer, BaseException):
            raise answer
        return answer

    def close(self, project_id: int, iid: int) -> RemoteIssue:
        self.calls.append(Call("close", project_id, iid=iid))
        answer = self._closes.pop(0) if self._closes else _closed(project_id, iid)
        if isinstance(answer, BaseException):
            raise answer
        return answer

    def own_id(self) -> int:
        return OUR_USER


def echo(project_id: int, body: Mapping[str, Any], *, iid: int = 7) -> RemoteIssue:
    """The issue a faithful remote makes of this body."""
    return RemoteIssue(
        project_id=project_id,
        iid=iid,
        id=9000 + iid,
        url=f"http://gitlab.example/{project_id}/issues/{iid}",
        title=body["title"],
        description=body["description"],
        labels=frozenset(str(body.get("labels", "")).split(",")) - {""},
        assignee_ids=frozenset(body.get("assignee_ids", [])),
        confidential=body["confidential"],
        state="opened",
        author_id=OUR_USER,
    )


def _closed(project_id: int, iid: int) -> RemoteIssue:
    body = {"title": "", "description": "", "confidential": False}
    return replace(echo(project_id, body, iid=iid), state="closed")


def echo_with(**differences: Any) -> Callable[[int, Mapping[str, Any]], RemoteIssue]:
    """A remote that stores something else than it was sent."""
    return lambda project_id, body: replace(echo(project_id, body), **differences)


class FlakyEmbedder:
    """Another embedder behind a line that can be `down`."""

    def __init__(self, behind: Embedder) -> None:
        self.behind = behind
        self.down = True

    @property
    def space(self) -> str:
        return self.behind.space

    @property
    def dimensions(self) -> int:
        return self.behind.dimensions

    def embed_passages(self, texts: Sequence[str]) -> list[list[float]]:
        self._reach()
        return self.behind.embed_passages(texts)

    def embed_query(self, text: str) -> list[float]:
        self._reach()
        return self.behind.embed_query(text)

    def _reach(self) -> None:
        if self.down:
            raise UnavailableError("the endpoint did not answer")


class CountingEmbedder:
    """Vectors by the text's letters; `texts` are the passages it was asked for."""

    space, dimensions = "counting/1", 2

    def __init__(self) -> None:
        self.texts: list[str] = []

    def embed_passages(self, texts: Sequence[str]) -> list[list[float]]:
        self.texts += texts
        return [self.embed_query(text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        return [float(ord(text[0])), 0.5]
