"""Case 1: forty items by keyboard alone, from the queue to the empty queue."""

from __future__ import annotations

import statistics

import pytest
from playwright.sync_api import Browser, Request, expect

from opspilot.bootstrap.instance import Instance
from tests.web import acts, queueing
from tests.web.people import Person

pytestmark = pytest.mark.browser

ITEMS = 40
REASON = "Falta a janela de manutenção."
# Counts what a hand on a mouse would cause, on every page; notes when the deciding key went down.
_WATCH = """() => {
  for (const kind of ["mousedown", "mousemove", "pointerdown", "wheel", "touchstart"])
    addEventListener(kind, (event) => { if (event.isTrusted) window.sawMouse(kind); }, true);
  addEventListener("keydown", (event) => {
    if (event.key === "Enter" && event.ctrlKey) sessionStorage.setItem("key", `${Date.now()}`);
  }, true);
}"""
_PAINTED = """() => new Promise((resolve) => new PerformanceObserver((list, watching) => {
  const [first] = list.getEntriesByName("first-contentful-paint");
  if (!first) return;
  watching.disconnect();
  resolve(performance.timeOrigin + first.startTime - Number(sessionStorage.getItem("key")));
}).observe({ type: "paint", buffered: true }))"""
_FOCUS = """() => {
  const e = document.activeElement, box = e.getBoundingClientRect();
  const seen = box.width > 0 && box.bottom > 0 && box.top < innerHeight;
  const right = e.matches("h1,h2,h3,a[href],button,input,select,textarea,summary");
  return `${e.tagName.toLowerCase()} ${right && seen ? "ok" : "lost"}`;
}"""


class Keyboard:
    """Somebody without a mouse; where their focus was after each act is kept."""

    def __init__(self, person: Person) -> None:
        self.person, self.page = person, person.page
        self.mouse: list[str] = []
        self.focus: list[str] = []
        self.painted: list[float] = []
        self.served: list[float] = []
        self.page.expose_function("sawMouse", lambda kind: self.mouse.append(kind))
        self.page.add_init_script(f"({_WATCH})()")
        self.page.on("requestfinished", self._served)

    def open_first(self) -> None:
        self.person.open("/aprovacoes/")
        self.page.keyboard.press("j")
        self._look()
        self.page.keyboard.press("Enter")
        expect(self.page.locator("h1")).to_be_focused()

    def decide(self, path: str, *, approve: bool) -> None:
        """From the page of `path` to the page that follows it."""
        expect(self.page.locator(".crumb")).to_be_visible()
        self._look()
        self.page.keyboard.press("a" if approve else "r")
        expect(self.page.locator("#h-confirmar")).to_be_focused()
        self._look()
        if not approve:
            self.page.keyboard.press("Tab")
            self.page.keyboard.type(REASON)
        self.page.keyboard.press("Control+Enter")
        self.page.wait_for_url(lambda url: path.split("/")[2] in url.partition("decidida=")[2])
        expect(self.page.locator("h1")).to_be_focused()
        self._look()
        self.painted.append(float(self.page.evaluate(_PAINTED)))

    def _look(self) -> None:
        self.focus.append(str(self.page.evaluate(_FOCUS)))

    def _served(self, request: Request) -> None:
        timing = request.timing
        if request.resource_type in {"document", "xhr"} and timing["responseStart"] > 0:
            self.served.append(timing["responseStart"] - timing["requestStart"])


def _p95(values: list[float]) -> float:
    return statistics.quantiles(values, n=20)[-1]


def test_forty_items_are_decided_without_a_mouse_and_the_focus_is_never_lost(
    console: Instance, chromium: Browser, stranger: Person, model: str
) -> None:
    person = Person(chromium, console, like=stranger)
    keyboard = Keyboard(person)
    with (
        queueing.waiting(console, "boreal", model, ITEMS) as paths,
        acts.worker_held(console),
    ):
        before = queueing.decisions(console, "boreal")
        keyboard.open_first()
        assert person.path == paths[0]
        for number, path in enumerate(paths):
            keyboard.decide(path, approve=number % 2 == 0)
        assert queueing.decisions(console, "boreal") - before == ITEMS
    expect(person.main).to_contain_text("Fila vazia")
    assert keyboard.mouse == []
    assert [seen for seen in keyboard.focus if not seen.endswith("ok")] == []
    assert person.complaints == []
    print(
        f"\n{ITEMS} items: server p95 {_p95(keyboard.served):.0f} ms of {len(keyboard.served)} "
        f"answers, next item painted p95 {_p95(keyboard.painted):.0f} ms after the key "
        f"(median {statistics.median(keyboard.painted):.0f} ms)"
    )
    person.leave()
