"""A person at a browser: a session of their own, forms with their tokens, pages that update."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Self

import httpx

from opspilot.smoke.pages import Form, MissingError, Page

PACE = 0.5  # seconds between two looks at a page that still moves
PATIENCE = 60.0
_HEADERS = {"Accept-Language": "pt-BR", "Accept": "text/html"}

Files = list[tuple[str, tuple[str, bytes, str]]]


@dataclass(frozen=True, slots=True)
class Fetched:
    status: int
    size: int  # bytes of the body as sent, compressed where it is
    seconds: float  # from the request's first byte to the answer's last
    text: str


class Person:
    """Acts only through pages, and follows redirects as a browser does."""

    def __init__(self, base_url: str, username: str) -> None:
        self.base_url, self.username = base_url, username
        self._client = httpx.Client(
            base_url=base_url,
            headers=_HEADERS,
            follow_redirects=True,
            timeout=httpx.Timeout(30.0),
            trust_env=False,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._client.close()

    def log_in(self, password: str) -> None:
        page = self.open("/conta/entrar/")
        form = page.form("/conta/entrar/")
        page = self.submit(form, login=self.username, password=password)
        if page.status != 200 or "/conta/entrar/" in page.url:
            raise MissingError(f"{self.username} could not log in ({page.status})")

    def open(self, url: str) -> Page:
        return _page(self._client.get(url))

    def fetch(self, url: str) -> Fetched:
        """One answer as it came over the wire, redirects not followed."""
        started = time.perf_counter()
        answer = self._client.get(url, follow_redirects=False)
        seconds = time.perf_counter() - started
        return Fetched(answer.status_code, answer.num_bytes_downloaded, seconds, answer.text)

    def submit(self, form: Form, *, files: Files | None = None, **values: str) -> Page:
        return self.post(form.action, form.filled(values), files=files)

    def post(
        self, action: str, fields: list[tuple[str, str]], *, files: Files | None = None
    ) -> Page:
        data: dict[str, list[str]] = {}
        for name, value in fields:
            data.setdefault(name, []).append(value)
        # A browser names the page's own site with every form, and the server checks it.
        headers = {"Origin": str(self._client.base_url).rstrip("/")}
        return _page(self._client.post(action, data=data, files=files, headers=headers))

    def settled(self, page: Page, *, patience: float = PATIENCE, forgiving: bool = False) -> Page:
        """The page once it no longer updates itself. `forgiving` goes on while nobody answers."""
        deadline, moving = time.monotonic() + patience, page
        while moving.poll:
            if time.monotonic() > deadline:
                raise MissingError(f"{page.url} was still moving after {patience:.0f} s")
            time.sleep(PACE)
            moving = self._look_again(moving, forgiving=forgiving)
        return self.open(page.url)

    def until(self, url: str, words: str, *, patience: float = PATIENCE) -> Page:
        """The page as soon as it says so, looked at again and again."""
        deadline = time.monotonic() + patience
        while words not in (page := self.open(url)).text:
            if time.monotonic() > deadline:
                raise MissingError(f"{url} did not say “{words}” within {patience:.0f} s")
            time.sleep(PACE)
        return page

    def _look_again(self, page: Page, *, forgiving: bool) -> Page:
        try:
            answer = self._client.get(page.poll or page.url, headers=_ASKED_BY_THE_PAGE)
        except httpx.TransportError:
            if forgiving:
                return page
            raise
        if forgiving and answer.status_code >= 500:
            return page
        answer.raise_for_status()
        return _page(answer)


_ASKED_BY_THE_PAGE: Mapping[str, str] = {"HX-Request": "true"}


def _page(answer: httpx.Response) -> Page:
    return Page(answer.text, status=answer.status_code, url=str(answer.url))
