"""A named query says what it answers, knows its company, is run by somebody and is listed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.docs.documents import DOCS, ROOT

TOPS = ("approvals", "audit", "grounding", "opspilot")
QUERIES = sorted(path for top in TOPS for path in (ROOT / top).rglob("sql/*") if path.is_file())
PAGE = DOCS / "reference" / "queries.md"


def name(path: Path) -> str:
    return path.name


@pytest.mark.parametrize("path", QUERIES, ids=name)
def test_a_query_begins_with_what_it_answers(path: Path) -> None:
    assert path.suffix == ".sql"
    assert path.read_text(encoding="utf-8").startswith("-- ")


@pytest.mark.parametrize("path", QUERIES, ids=name)
def test_a_query_names_the_company(path: Path) -> None:
    assert "%(tenant_id)s" in path.read_text(encoding="utf-8")


@pytest.mark.parametrize("path", QUERIES, ids=name)
def test_a_query_is_run_by_its_room(path: Path) -> None:
    code = "\n".join(file.read_text() for file in path.parents[1].rglob("*.py"))
    assert f'"{path.stem}"' in code or f'"{path.name}"' in code


def test_the_page_lists_each_query_and_no_other() -> None:
    rows = [line.split("`") for line in PAGE.read_text(encoding="utf-8").splitlines()]
    listed = [row[1] for row in rows if row[0] == "| "]
    assert sorted(listed) == sorted(path.name for path in QUERIES)
