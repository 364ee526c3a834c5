"""axe-core on a page as it stands: what it finds against WCAG 2.2 A and AA and good practice."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from tests.web.people import Person

AXE = (Path(__file__).parent / "vendor" / "axe.min.js").read_text(encoding="utf-8")
WIDTHS = (1280, 390)
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
# What a theme can change: it moves nothing and adds nothing, which a test of its own holds.
COLOURS = ["color-contrast", "link-in-text-block"]
THEMES = {
    "light": ("light", ""),
    "dark": ("dark", ""),
    "high contrast, light": ("light", "more"),
    "high contrast, dark": ("dark", "more"),
}
_SET = """([theme, contrast]) => {
  const data = document.documentElement.dataset;
  data.theme = theme;
  if (contrast) data.contrast = contrast; else delete data.contrast;
}"""
_RUN = """async ([only, without]) => {
  const rules = Object.fromEntries(without.map((rule) => [rule, { enabled: false }]));
  const found = await axe.run(document, { runOnly: only, rules, resultTypes: ["violations"] });
  return found.violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.target.join(" ")} ${node.failureSummary.split("\\n")[1] || ""}`));
}"""
_SHAPE = """() => [...document.querySelectorAll("body *")].map((el) => {
  const { x, y, width, height } = el.getBoundingClientRect();
  return [el.tagName, x, y, width, height].map((n) => (n.toFixed ? n.toFixed(1) : n)).join(" ");
})"""


def violations(
    person: Person, *, widths: Sequence[int] = WIDTHS, themes: Iterable[str] = THEMES
) -> list[str]:
    """Of the page this person looks at: every rule in the light theme at the first width, those that
    are not about colours at the others, and the colours in the other themes at the first one."""
    person.page.evaluate(AXE)  # by the debugger, which no policy of the page stops
    found = list[str]()
    for width in widths:
        person.page.set_viewport_size({"width": width, "height": 800})
        for theme in themes if width == widths[0] else ["light"]:
            wear(person, theme)
            rules = COLOURS if theme != "light" else TAGS
            left_out = COLOURS if width != widths[0] else []
            faults = person.page.evaluate(_RUN, [rules, left_out])
            found += [f"{theme}, {width}: {fault}" for fault in faults]
    return found


def wear(person: Person, theme: str) -> None:
    person.page.evaluate(_SET, THEMES[theme])


def shape(person: Person) -> list[str]:
    """Every element with its place and its size."""
    return [str(line) for line in person.page.evaluate(_SHAPE)]
