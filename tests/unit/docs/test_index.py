"""Every page is reached from the index, stands in a folder of its mode, and is one mode."""

from __future__ import annotations

import re

from tests.unit.docs.documents import DOCS, LINK, PAGES, ROOT

MODES = {"tutorial", "how-to", "reference", "explanation", "decisions", "runbooks"}
# The two doors and the list of changes stand beside the folders.
DOORS = {"LEIAME.md", "changelog.md", "index.md"}
PICTURE = re.compile(r"!\[([^\]]*)\]\(([^)]+)\)")
LIMIT = 120 * 1024  # bytes of a picture


def test_the_index_leads_to_every_page() -> None:
    linked = {(DOCS / link).resolve() for link in LINK.findall((DOCS / "index.md").read_text())}
    assert {path for path in PAGES if path.is_relative_to(DOCS)} - linked - {
        DOCS / "index.md"
    } == set()


def test_each_page_stands_in_the_folder_of_its_mode() -> None:
    pages = [path.relative_to(DOCS) for path in PAGES if path.is_relative_to(DOCS)]
    assert {str(path) for path in pages if path.parts[0] not in MODES | DOORS} == set()


def test_both_readmes_lead_to_the_index() -> None:
    assert "docs/index.md" in LINK.findall((ROOT / "README.md").read_text())
    assert "index.md" in LINK.findall((DOCS / "LEIAME.md").read_text())


def test_each_decision_says_context_choice_price_and_when_to_revisit() -> None:
    wanted = {"Context", "Choice", "Price", "When to revisit"}
    heads = {
        path.name: set(re.findall(r"^## (.+)$", path.read_text(), re.MULTILINE))
        for path in (DOCS / "decisions").glob("*.md")
    }
    assert {name: wanted - found for name, found in heads.items() if wanted - found} == {}


def test_a_picture_says_in_words_what_it_shows() -> None:
    found = [words for page in PAGES for words, _ in PICTURE.findall(page.read_text())]
    assert found
    assert [words for words in found if len(words) < 20] == []


def test_each_picture_is_there_and_small() -> None:
    files = [page.parent / file for page in PAGES for _, file in PICTURE.findall(page.read_text())]
    assert [str(file) for file in files if not file.is_file()] == []
    assert [str(file) for file in files if file.stat().st_size > LIMIT] == []


def test_no_picture_lies_there_unused() -> None:
    used = {
        (page.parent / file).resolve()
        for page in PAGES
        for _, file in PICTURE.findall(page.read_text())
    }
    assert {path for path in (DOCS / "pictures").glob("*") if path not in used} == set()
