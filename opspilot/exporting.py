"""What of a span leaves the process: a list, whoever made the span.

The instrumentations note whole addresses, headers and the texts of errors; a path or a query may
hold what a person typed, and an error of the database a whole row (I9).
"""

from __future__ import annotations

from collections.abc import Sequence

from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export import SpanExporter, SpanExportResult
from opentelemetry.trace import Status

OF_LIBRARIES = frozenset(
    {
        "http.method",
        "http.request.method",
        "http.route",
        "http.status_code",
        "http.response.status_code",
        "db.system",
        "db.system.name",
        "db.operation.name",
    }
)


class ListedExporter(SpanExporter):
    """Hands on to another exporter what is on the list; no event, and no word beside a status."""

    def __init__(self, exporter: SpanExporter, *, allowed: frozenset[str]) -> None:
        self._exporter, self._allowed = exporter, allowed | OF_LIBRARIES

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        return self._exporter.export([self._listed(span) for span in spans])

    def shutdown(self) -> None:
        self._exporter.shutdown()

    def force_flush(self, timeout_millis: int = 30_000) -> bool:
        return self._exporter.force_flush(timeout_millis)

    def _listed(self, span: ReadableSpan) -> ReadableSpan:
        kept = {n: value for n, value in (span.attributes or {}).items() if n in self._allowed}
        return ReadableSpan(
            name=span.name,
            context=span.context,
            parent=span.parent,
            resource=span.resource,
            attributes=kept,
            kind=span.kind,
            status=Status(span.status.status_code),
            start_time=span.start_time,
            end_time=span.end_time,
            instrumentation_scope=span.instrumentation_scope,
        )
