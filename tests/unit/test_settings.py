"""A setting that nothing reads is a promise nobody keeps."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCE = ("opspilot", "audit", "grounding", "approvals")


def test_each_setting_of_our_own_is_read_somewhere() -> None:
    base = (ROOT / "opspilot" / "settings" / "base.py").read_text()
    declared = set(re.findall(r"^(OPSPILOT_[A-Z_]+)", base, re.MULTILINE))
    code = "\n".join(p.read_text() for folder in SOURCE for p in (ROOT / folder).rglob("*.py"))
    assert declared
    assert declared - set(re.findall(r"settings\.(OPSPILOT_[A-Z_]+)", code)) == set()
