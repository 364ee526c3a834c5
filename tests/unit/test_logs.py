from __future__ import annotations

import json
import logging

import pytest
import structlog

from opspilot import logs

SECRET = "529.982.247-25"


@pytest.fixture(autouse=True)
def json_lines(capsys: pytest.CaptureFixture[str]) -> None:
    """After the capture began, so that the handler writes into it."""
    logs.configure({"level": "INFO", "format": "json"})


def raised(message: str) -> BaseException:
    try:
        try:
            raise KeyError(message)
        except KeyError as cause:
            raise ValueError(message) from cause
    except ValueError as error:
        return error


@pytest.mark.parametrize("style", ["structlog", "standard library"])
def test_a_failure_is_logged_by_class_and_place_and_never_by_its_text(
    style: str, capsys: pytest.CaptureFixture[str]
) -> None:
    error = raised(f"a customer's number: {SECRET}")
    if style == "structlog":
        structlog.get_logger("x").error("work failed", exc_info=error)
    else:
        logging.getLogger("y").error("work failed", exc_info=error)
    line = capsys.readouterr().err.strip()
    assert SECRET not in line
    written = json.loads(line)
    assert [link["class"] for link in written["exception"]] == ["ValueError", "KeyError"]
    assert "test_logs.py" in written["exception"][0]["at"][-1]
