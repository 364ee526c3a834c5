"""ONNX Runtime reports to its maker unless it is told not to before it is loaded."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]
SOURCE = ("opspilot", "audit", "grounding", "approvals")
SAID_WHEN_LOADED = """
import builtins, os
load = builtins.__import__
def watched(name, *rest):
    if name == "onnxruntime":
        print(os.environ.get("ORT_DISABLE_TELEMETRY"))
        raise SystemExit
    return load(name, *rest)
builtins.__import__ = watched
import opspilot.connectors.embeddings
"""


def test_it_is_told_before_it_is_loaded() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", SAID_WHEN_LOADED],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={},
        timeout=60,
        check=True,
    )
    assert ended.stdout.strip() == "1"


def test_only_the_room_that_tells_it_loads_it() -> None:
    files = [path for folder in SOURCE for path in (ROOT / folder).rglob("*.py")]
    loads = [path for path in files if "import onnxruntime" in path.read_text(encoding="utf-8")]
    assert [path.parent.name for path in loads] == ["connectors"]
