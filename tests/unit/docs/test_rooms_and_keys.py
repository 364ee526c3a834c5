"""The layout page knows every room and the ladder as it is; the keyboard page knows every key."""

from __future__ import annotations

import re
import tomllib

from django.urls import reverse

from opspilot import shell
from tests.unit.docs.documents import DOCS, ROOT

LAYOUT = (DOCS / "reference" / "layout.md").read_text(encoding="utf-8")
KEYBOARD = (DOCS / "how-to" / "use-the-keyboard.md").read_text(encoding="utf-8")
HELP = (ROOT / "templates" / "preferences" / "_keys.html").read_text(encoding="utf-8")
TABLE = KEYBOARD.split("\n**No single letter")[0]


def test_the_layout_page_names_every_room() -> None:
    rooms = {
        f"`opspilot/{path.parent.name}/`" for path in (ROOT / "opspilot").glob("*/__init__.py")
    }
    tops = {
        f"`{name}/`" for name in ("approvals", "audit", "grounding", "templates", "tests", "docs")
    }
    assert {room for room in rooms | tops if room not in LAYOUT} == set()


def test_the_layout_page_draws_the_ladder_of_the_contract() -> None:
    config = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
    ladder = next(c["layers"] for c in config["contracts"] if c["id"] == "ladder")
    block = LAYOUT.split("```\n")[1]
    assert block.splitlines() == ladder


def test_the_keyboard_page_names_every_key_of_the_help() -> None:
    keys = set(re.findall(r"<kbd>([^<{]+)</kbd>", HELP)) | {page[3] for page in shell._PAGES}
    assert {key for key in keys if f"`{key}`" not in TABLE} == set()


def test_the_pages_of_the_menu_are_there() -> None:
    assert [page[0] for page in shell._PAGES if not reverse(page[0])] == []
