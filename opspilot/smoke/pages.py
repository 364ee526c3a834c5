"""A page as a browser sees it: its forms with their fields, its links and its text."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

_VOID = frozenset({"input", "br", "hr", "img", "meta", "link", "source", "wbr"})
_SILENT = frozenset({"script", "style", "title"})


class MissingError(AssertionError):
    """The page does not have what a person would use next."""


@dataclass(frozen=True, slots=True)
class Link:
    href: str
    text: str


@dataclass(slots=True)
class Form:
    """A form as it stands before a person touches it: unticked boxes are not sent."""

    action: str
    fields: list[tuple[str, str]] = field(default_factory=list)

    def value(self, name: str) -> str:
        for key, value in self.fields:
            if key == name:
                return value
        raise MissingError(f"the form {self.action} has no field {name}")

    def filled(self, values: dict[str, str]) -> list[tuple[str, str]]:
        kept = [(key, value) for key, value in self.fields if key not in values]
        return kept + list(values.items())


@dataclass(slots=True)
class Element:
    """One element that is asked for by name: its attributes and all the text inside it."""

    tag: str
    attributes: dict[str, str]
    parts: list[str] = field(default_factory=list)

    @property
    def raw(self) -> str:
        return "".join(self.parts)

    @property
    def text(self) -> str:
        return " ".join(self.raw.split())


class Page(HTMLParser):
    """Read once; nothing here speaks HTTP."""

    def __init__(self, html: str, *, status: int = 200, url: str = "") -> None:
        super().__init__(convert_charrefs=True)
        self.status, self.url, self.html = status, url, html
        self.elements: list[Element] = []
        self.forms: list[Form] = []
        self._open: list[Element] = []
        self._shown: list[str] = []
        self.feed(html)
        self.close()

    @property
    def text(self) -> str:
        return " ".join("".join(self._shown).split())

    @property
    def links(self) -> list[Link]:
        found = self.all("a")
        return [Link(item.attributes.get("href", ""), item.text) for item in found]

    @property
    def code(self) -> str:
        """The code of a refusal: the first of the small words under its explanation."""
        return self.codes[0] if self.codes and self.status >= 400 else ""

    @property
    def codes(self) -> list[str]:
        return [element.text for element in self.all("code") if element.text]

    def all(self, *tags: str) -> list[Element]:
        return [element for element in self.elements if element.tag in tags]

    def by_id(self, id_: str) -> Element:
        for element in self.elements:
            if element.attributes.get("id") == id_:
                return element
        raise MissingError(f"{self.url} has no element with id {id_}")

    def form(self, action: str) -> Form:
        for form in self.forms:
            if form.action == action:
                return form
        raise MissingError(f"{self.url} ({self.status}) has no form that posts to {action}")

    def link(self, *parts: str) -> str:
        """The first address that holds all of these."""
        for link in self.links:
            if all(part in link.href for part in parts):
                return link.href
        raise MissingError(f"{self.url} ({self.status}) has no link with {' '.join(parts)}")

    @property
    def poll(self) -> str | None:
        """The address the page asks again by itself, while something on it is still moving."""
        for element in self.elements:
            if "data-poll" in element.attributes:
                return element.attributes.get("hx-get")
        return None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, {name: value or "" for name, value in attrs})
        self.elements.append(element)
        if tag not in _VOID:
            self._open.append(element)
        if tag == "form":
            self.forms.append(Form(element.attributes.get("action", "")))
        elif tag == "input":
            self._input(element.attributes)

    def handle_endtag(self, tag: str) -> None:
        for position in range(len(self._open) - 1, -1, -1):
            if self._open[position].tag == tag:
                closed = self._open[position]
                del self._open[position:]
                self._closed(closed)
                return

    def handle_data(self, data: str) -> None:
        for element in self._open:
            element.parts.append(data)
        if not any(element.tag in _SILENT for element in self._open):
            self._shown.append(data)

    def _input(self, attributes: dict[str, str]) -> None:
        kind, name = attributes.get("type", "text"), attributes.get("name", "")
        left_out = kind in {"checkbox", "radio"} and "checked" not in attributes
        if self.forms and name and not left_out and kind not in {"file", "submit"}:
            default = "on" if kind == "checkbox" else ""
            self.forms[-1].fields.append((name, attributes.get("value", default)))

    def _closed(self, element: Element) -> None:
        name = element.attributes.get("name", "")
        if element.tag == "textarea" and self.forms and name:
            # A browser drops the line break that opens the text.
            self.forms[-1].fields.append((name, element.raw.removeprefix("\n")))
