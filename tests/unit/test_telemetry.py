from __future__ import annotations

import pytest
from django.test import Client
from opentelemetry import trace
from opentelemetry.instrumentation.django import DjangoInstrumentor
from opentelemetry.sdk.metrics.export import InMemoryMetricReader

from opspilot import telemetry


def collected(reader: InMemoryMetricReader) -> list[str]:
    data = reader.get_metrics_data()
    resources = data.resource_metrics if data is not None else []
    scopes = [scope for resource in resources for scope in resource.scope_metrics]
    return [metric.name for scope in scopes for metric in scope.metrics]


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


def test_only_our_own_figures_are_collected_whatever_strangers_write_into_a_host() -> None:
    reader = InMemoryMetricReader()
    provider = telemetry.provider_of(reader)
    instrumentor = DjangoInstrumentor()
    instrumentor.instrument(meter_provider=provider)
    try:
        client = Client()
        for port in (1, 2, 3):
            assert client.get("/livez", headers={"Host": f"testserver:{port}"}).status_code == 200
    finally:
        instrumentor.uninstrument()
    provider.get_meter("opspilot").create_gauge("opspilot.pressure.level").set(1)
    assert collected(reader) == ["opspilot.pressure.level"]
