from __future__ import annotations

import pytest
from opentelemetry import trace

from opspilot import telemetry


def test_telemetry_is_off_without_an_endpoint(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OTEL_EXPORTER_OTLP_ENDPOINT", raising=False)
    assert not telemetry.enabled()


def test_the_standard_switch_turns_it_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:4318")
    assert telemetry.enabled()
    monkeypatch.setenv("OTEL_SDK_DISABLED", "true")
    assert not telemetry.enabled()


def test_an_attribute_that_is_not_on_the_list_is_refused() -> None:
    with pytest.raises(ValueError, match="question"), telemetry.span("retrieval", question="x"):
        pass


def test_off_there_is_no_trace_id_and_the_work_runs() -> None:
    with telemetry.span("retrieval", leg="lexical"):
        assert telemetry.trace_id() == ""
    assert isinstance(trace.get_tracer_provider(), trace.ProxyTracerProvider)
