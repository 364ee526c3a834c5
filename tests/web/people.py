"""A person at a browser: their context, what their pages complained of and what they asked for."""

from __future__ import annotations

from typing import ClassVar

from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Locator,
    Page,
    Request,
    Response,
)

from opspilot.bootstrap.instance import Instance

# A 4xx is a page like any other here; the browser reports each as an error.
_EXPECTED = "Failed to load resource: the server responded with a status of 4"


class Person:
    present: ClassVar[list[Person]] = []

    @classmethod
    def all_at_a_desk(cls) -> None:
        """What an earlier test left of a phone's width, a dark room or a printer is over."""
        for person in [p for p in cls.present if not p.page.is_closed()]:
            person.page.set_viewport_size(person.size)
            person.page.emulate_media(media="null", color_scheme="null")

    def __init__(
        self,
        browser: Browser,
        console: Instance,
        *,
        script: bool = True,
        like: Person | None = None,
        touch: bool = False,
    ) -> None:
        """`like` is already logged in; this context starts with the same session. `touch`: a phone."""
        self.url, self._password = console.url, console.demo_password
        self.context: BrowserContext = browser.new_context(
            base_url=console.url,
            locale="pt-BR",
            java_script_enabled=script,
            storage_state=like.context.storage_state() if like else None,
            viewport={"width": 390 if touch else 1280, "height": 800},
            has_touch=touch,
            is_mobile=touch,
        )
        self.context.set_default_timeout(20_000)
        self.name = "visitante"
        self.complaints: list[str] = []
        self.requested: list[str] = []
        self.context.on("console", self._heard)
        self.context.on("weberror", lambda error: self.complaints.append(str(error.error)))
        self.context.on("request", self._asked)
        self.page: Page = self.context.new_page()
        self.size = self.page.viewport_size or {"width": 1280, "height": 800}
        Person.present.append(self)

    def log_in(self, username: str, *, password: str | None = None) -> Person:
        if "/conta/entrar/" not in self.page.url:
            self.open("/conta/entrar/")
        self.page.get_by_label("Usuário", exact=True).fill(username)
        self.page.get_by_label("Senha").fill(self._password if password is None else password)
        with self.page.expect_navigation():
            self.page.get_by_role("button", name="Entrar").click()
        self.name = username
        return self

    def open(self, path: str) -> Response:
        response = self.page.goto(path)
        assert response is not None
        return response

    def press(self, label: str) -> None:
        """The button or link with these words, inside the page and not the frame around it."""
        main = self.page.locator("main")
        main.get_by_role("button", name=label).or_(main.get_by_role("link", name=label)).click()

    def choose(self, name: str, *values: str) -> None:
        for value in values:
            self.page.locator(f"[name={name}][value='{value}']").check()

    @property
    def main(self) -> Locator:
        return self.page.locator("main")

    @property
    def path(self) -> str:
        return self.page.url.removeprefix(self.url)

    def focused(self) -> str:
        """The tag of what has the focus; "body" means it was lost."""
        script = "() => { const e = document.activeElement; return e.tagName.toLowerCase(); }"
        return str(self.page.evaluate(script))

    def elsewhere(self) -> list[str]:
        """What was asked of any other origin."""
        return [url for url in self.requested if not url.startswith((self.url + "/", "data:"))]

    def leave(self) -> None:
        if self in Person.present:
            Person.present.remove(self)
        self.context.close()

    def _heard(self, message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"} and not message.text.startswith(_EXPECTED):
            self.complaints.append(message.text)

    def _asked(self, request: Request) -> None:
        self.requested.append(request.url)
