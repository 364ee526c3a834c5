"""The only place that builds the adapters which read; apps see the ports."""

from __future__ import annotations

from functools import cache
from typing import Literal

from django.conf import settings

from opspilot.connectors.completions import OpenAICompleter, Provider
from opspilot.connectors.embeddings import DIMENSIONS, BundledEmbedder, OpenAIEmbedder
from opspilot.connectors.gitlab import GitLabLists
from opspilot.connectors.gitlab_doctor import GitLabReader
from opspilot.connectors.gitlab_reads import GitLabReads
from opspilot.connectors.http import BoundedClient
from opspilot.connectors.issues import IssueLists
from opspilot.connectors.ports import Completer, Embedder, Translator
from opspilot.connectors.semaphore import SemaphoreTasks
from opspilot.connectors.semaphore_doctor import SemaphoreReader
from opspilot.connectors.tasks import TaskReader
from opspilot.connectors.translation import NoTranslator, bundled_translator


@cache
def embedder(
    kind: Literal["bundled", "openai"] = "bundled",
    *,
    threads: int = 1,
    base_url: str = "",
    api_key: str = "",
    model: str = "",
    dimensions: int = DIMENSIONS,
) -> Embedder:
    """One a process for each set of arguments; the first call loads the weights (0.2 s)."""
    if kind == "bundled":
        return BundledEmbedder(threads=threads)
    if not (base_url and model):
        raise ValueError("an OpenAI-compatible embedder needs base_url and model")
    return OpenAIEmbedder(base_url=base_url, api_key=api_key, model=model, dimensions=dimensions)


@cache
def translator(kind: Literal["bundled", "none"] = "bundled") -> Translator:
    return NoTranslator() if kind == "none" else bundled_translator()


@cache
def completers() -> tuple[Completer, ...]:
    """The configured providers of models, in the order in which they are tried."""
    return tuple(OpenAICompleter(Provider(**one)) for one in settings.OPSPILOT_PROVIDERS)


LIST_TIMEOUT = 10.0  # seconds a page of a list may take: it informs, nobody waits for it


@cache
def issue_lists() -> IssueLists:
    """The configured GitLab, to be read only. One client a process."""
    return GitLabLists(
        BoundedClient(
            base_url=settings.OPSPILOT_GITLAB_URL,
            token=settings.OPSPILOT_GITLAB_TOKEN,
            timeout=min(LIST_TIMEOUT, settings.OPSPILOT_GITLAB_TIMEOUT),
        )
    )


@cache
def gitlab_reader() -> GitLabReader:
    """The configured GitLab as its check reads it. One client a process."""
    return GitLabReads(
        BoundedClient(
            base_url=settings.OPSPILOT_GITLAB_URL,
            token=settings.OPSPILOT_GITLAB_TOKEN,
            timeout=min(LIST_TIMEOUT, settings.OPSPILOT_GITLAB_TIMEOUT),
        )
    )


@cache
def _semaphore() -> SemaphoreTasks:
    client = BoundedClient(
        base_url=settings.OPSPILOT_SEMAPHORE_URL,
        token=settings.OPSPILOT_SEMAPHORE_TOKEN,
        timeout=settings.OPSPILOT_SEMAPHORE_TIMEOUT,
    )
    return SemaphoreTasks(client, base_url=settings.OPSPILOT_SEMAPHORE_URL)


def task_reader() -> TaskReader:
    """The configured Semaphore, to be read only. One client a process."""
    return _semaphore()


def semaphore_reader() -> SemaphoreReader:
    """The same, as its check reads it."""
    return _semaphore()
