"""The list of sensitive words stands in the documents as the guard has it."""

from __future__ import annotations

import re

from audit.guard import sensitive
from tests.unit.docs.documents import DOCS


def test_the_documents_list_every_sensitive_word_and_no_other() -> None:
    text = (DOCS / "reference/what-never-enters.md").read_text(encoding="utf-8")
    section = text.partition("## Sensitive words")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| [a-z ]+ \| (.+) \|$", section, re.MULTILINE)
    listed = [word for row in rows[1:] for word in row.split(", ")]
    assert sorted(listed) == sorted(sensitive.TERMS)
