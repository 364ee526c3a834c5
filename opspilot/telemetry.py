"""OpenTelemetry at the product's boundaries. Off (the default) it costs a function call.

On when `OTEL_EXPORTER_OTLP_ENDPOINT` is set and `OTEL_SDK_DISABLED` is not true. Losing signals
blocks nothing and authorises nothing: the exporter works in a thread of its own and drops.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from opentelemetry import metrics, trace

if TYPE_CHECKING:
    from opentelemetry.sdk.metrics import MeterProvider
    from opentelemetry.sdk.metrics.export import MetricReader

# Only these attributes leave the process: no content, no personal data, few distinct values.
ALLOWED_ATTRIBUTES = frozenset({"kind", "leg", "outcome", "coverage", "state", "attempt", "action"})

# Figures of the whole installation, without attributes: nothing in them is anybody's.
FIGURES = ("pressure.level", "pressure.waiting", "pressure.oldest_seconds", "pressure.slots_held")

# What the instrumentations count by themselves carries the Host header and the method as strangers
# wrote them: text that is not ours, and a new row in memory for each.
DROPPED = ("http.*", "db.*")

_tracer = trace.get_tracer("opspilot")
_meter = metrics.get_meter("opspilot")
_gauges = {name: _meter.create_gauge(f"opspilot.{name}") for name in FIGURES}


def enabled() -> bool:
    """Whether the environment asks for telemetry."""
    off = os.environ.get("OTEL_SDK_DISABLED", "").lower() == "true"
    return bool(os.environ.get("OTEL_EXPORTER_OTLP_ENDPOINT")) and not off


def configure() -> None:
    """Install the exporter and the instrumentations, once per process, when enabled."""
    if not enabled():
        return
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.instrumentation.django import DjangoInstrumentor
    from opentelemetry.instrumentation.httpx import HTTPXClientInstrumentor
    from opentelemetry.instrumentation.psycopg import PsycopgInstrumentor
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    from opspilot.exporting import ListedExporter

    provider = TracerProvider(resource=Resource.create({"service.name": "opspilot"}))
    listed = ListedExporter(OTLPSpanExporter(), allowed=ALLOWED_ATTRIBUTES)
    provider.add_span_processor(BatchSpanProcessor(listed))
    trace.set_tracer_provider(provider)
    for instrumentor in (DjangoInstrumentor(), PsycopgInstrumentor(), HTTPXClientInstrumentor()):
        instrumentor.instrument()
    if os.environ.get("OTEL_METRICS_EXPORTER", "").lower() != "none":
        _export_figures()


def _export_figures() -> None:
    from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
    from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader

    metrics.set_meter_provider(provider_of(PeriodicExportingMetricReader(OTLPMetricExporter())))


def provider_of(reader: MetricReader) -> MeterProvider:
    """What collects FIGURES for the reader, and remembers nothing of what is DROPPED."""
    from opentelemetry.sdk.metrics import MeterProvider
    from opentelemetry.sdk.metrics.view import DropAggregation, View
    from opentelemetry.sdk.resources import Resource

    # Without attributes: one that is dropped would still be kept apart by them.
    views = [
        View(instrument_name=name, aggregation=DropAggregation(), attribute_keys=set())
        for name in DROPPED
    ]
    resource = Resource.create({"service.name": "opspilot"})
    return MeterProvider([reader], resource=resource, views=views)


def figure(name: str, value: float) -> None:
    """The newest value of one of FIGURES."""
    _gauges[name].set(value)


@contextmanager
def span(name: str, **attributes: str | int) -> Iterator[None]:
    """A span around one boundary: `retrieval`, `approval`, `execution`, `gitlab`, …"""
    unknown = attributes.keys() - ALLOWED_ATTRIBUTES
    if unknown:
        raise ValueError(f"attributes not on the list: {sorted(unknown)}")
    if isinstance(trace.get_tracer_provider(), trace.ProxyTracerProvider):  # nobody listens
        yield
        return
    # An exception's text may hold what a person typed: only that it failed leaves the process (I9).
    with _tracer.start_as_current_span(
        f"opspilot.{name}",
        attributes=attributes,
        record_exception=False,
        set_status_on_exception=False,
    ) as current:
        try:
            yield
        except BaseException:
            current.set_status(trace.StatusCode.ERROR)
            raise


def trace_id() -> str:
    """The current trace's id as 32 hex digits, or an empty string."""
    context = trace.get_current_span().get_span_context()
    return format(context.trace_id, "032x") if context.is_valid else ""
