"""Asks any OpenAI-compatible `/chat/completions` for one answer in a strict shape.

The answer is read as it is made, so that a provider that dies in the middle is told from one that
has ended; no part of it is passed on before its end.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from openai import APIStatusError, OpenAI, OpenAIError, Stream
from openai.types.chat import ChatCompletionChunk

from opspilot.connectors import http
from opspilot.connectors.errors import (
    BrokenOffError,
    ConnectorError,
    NotAllowedError,
    NotSentError,
    OutputError,
    RefusedByRemoteError,
    ThrottledError,
    UnavailableError,
)
from opspilot.connectors.ports import Asked, Completed, ProviderRoute

_AGAIN = 30.0  # seconds to wait where a provider asks for time without saying how much
_LONGEST_WAIT = 3600.0
_DATED = re.compile(r"[-@:]v?\d[\w.-]*")
_THROTTLED = 429
_FAULT = 500  # statuses from here on are the provider's own
# Tokens: more than any model takes, and few enough for a row of the trail to hold their cost.
_MOST_COUNTED = 100_000_000


@dataclass(frozen=True, slots=True)
class Provider:
    """Where a model is asked. `key` never leaves this process but in the request's header."""

    name: str
    url: str
    key: str
    model: str
    timeout: float  # seconds, of the whole answer
    most_tokens: int
    route: ProviderRoute = "standard"

    def __repr__(self) -> str:
        return f"Provider({self.name!r}, model={self.model!r})"


class OpenAICompleter:
    """One provider. What it is sent is the instruction and the data, and leaves to `url` only."""

    def __init__(self, provider: Provider) -> None:
        self.name, self.model = provider.name, provider.model
        self.route = provider.route
        self.most_tokens = provider.most_tokens
        self._client = OpenAI(
            base_url=provider.url,
            api_key=provider.key
            or "none",  # the library refuses an empty one; local servers ask none
            timeout=provider.timeout,
            max_retries=0,
            # The library names a fork of httpx, and takes the original.
            http_client=http.client_for_library(timeout=provider.timeout),  # type: ignore[arg-type]
        )

    def complete(self, asked: Asked) -> Completed:
        with _errors():
            return _whole(self._stream(asked), Completed("", self.model, self.model))

    def _stream(self, asked: Asked) -> Stream[ChatCompletionChunk]:
        return self._client.chat.completions.create(
            model=self.model,
            messages=[
                {"role": "system", "content": asked.instruction},
                {"role": "user", "content": asked.data},
            ],
            response_format={
                "type": "json_schema",
                "json_schema": {"name": asked.name, "schema": dict(asked.schema), "strict": True},
            },
            max_tokens=self.most_tokens,
            temperature=0,
            stream=True,
            stream_options={"include_usage": True},
        )


def _whole(stream: Stream[ChatCompletionChunk], completed: Completed) -> Completed:
    """To the answer's own end. Without one the provider died in the middle."""
    parts: list[str] = []
    refused, end = False, ""
    for chunk in stream:
        completed = _counted(completed, chunk)
        for choice in chunk.choices[:1]:
            parts.append(choice.delta.content or "")
            refused = refused or bool(choice.delta.refusal)
            end = choice.finish_reason or end
    if not end:
        raise BrokenOffError("the answer broke off in the middle")
    completed = replace(completed, content="".join(parts))
    if not _is_the_same(completed.served, completed.asked):
        raise OutputError("other_model", completed)
    if refused or end == "content_filter":
        raise OutputError("refusal", completed)
    if end != "stop":
        raise OutputError("truncated", completed)
    return completed


def _is_the_same(served: str, asked: str) -> bool:
    """By name, or by a dated form of it: `m-4o-2026-08-06` for `m-4o`, and not `m-4o-mini`."""
    name, wanted = served.casefold(), asked.casefold()
    dated = name.startswith(wanted) and _DATED.fullmatch(name.removeprefix(wanted))
    return name == wanted or bool(dated)


def _counted(completed: Completed, chunk: ChatCompletionChunk) -> Completed:
    served = _printable(chunk.model) or completed.served
    if chunk.usage is None:
        return replace(completed, served=served)
    return replace(
        completed,
        served=served,
        tokens_in=_count(chunk.usage.prompt_tokens),
        tokens_out=_count(chunk.usage.completion_tokens),
    )


def _count(told: object) -> int | None:
    """None for what is no count: what was spent is then not known."""
    return told if type(told) is int and 0 <= told <= _MOST_COUNTED else None


def _printable(told: str) -> str:
    """A name is kept on the run and in the trail, where some signs cannot stand."""
    return "".join(filter(str.isprintable, told or ""))


@contextmanager
def _errors() -> Iterator[None]:
    try:
        yield
    except APIStatusError as exc:
        raise _refusal(exc) from exc
    except (NotAllowedError, NotSentError) as exc:  # of the door
        raise NotSentError("the provider may not, or cannot, be reached") from exc
    except OpenAIError as exc:
        if isinstance(exc.__cause__, http.NOT_REACHED):
            raise NotSentError("the provider could not be reached") from exc
        raise UnavailableError("the provider did not answer") from exc
    except (AttributeError, KeyError, TypeError, ValueError) as exc:  # a stream we cannot read
        raise UnavailableError("the provider's answer is unreadable") from exc


def _refusal(exc: APIStatusError) -> ConnectorError:
    if exc.status_code == _THROTTLED:
        return ThrottledError("the provider asks for time", _wait(exc))
    if exc.status_code >= _FAULT:
        return UnavailableError(f"the provider answered {exc.status_code}")
    return RefusedByRemoteError("the provider refused the request", exc.status_code)


def _wait(exc: APIStatusError) -> float:
    """Seconds; a date, or nonsense, counts as not told."""
    told = exc.response.headers.get("retry-after", "")
    return min(float(told), _LONGEST_WAIT) if told.isdecimal() else _AGAIN
