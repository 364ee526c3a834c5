"""A large trace: memory over idle, and rows a second. Run alone: `-m machine -s`."""

from __future__ import annotations

import resource
import time
from pathlib import Path

import pytest
from pytest_django import Settings

from audit import verifying
from audit.files import folders
from tests import factories
from tests.db import tracing

pytestmark = [pytest.mark.machine, pytest.mark.usefixtures("committed")]

ROWS, MOST_MB, SLICE = 1_000_000, 50, 50_000


def peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def test_a_trace_of_a_million_rows_takes_little_memory(settings: Settings, tmp_path: Path) -> None:
    settings.OPSPILOT_EXPORT_DIR = str(tmp_path)
    settings.OPSPILOT_SEAL_KEY = tracing.pem(tracing.a_key())
    tenant = factories.a_tenant()
    small, large = (tracing.a_customer(tenant, "CPF ***.111.222-**") for _ in range(2))
    person = tracing.an_asker(tenant)
    tracing.rows_about(small, 3_000, approver=person.signature, input=person.signature)
    for _ in range(ROWS // SLICE):
        tracing.rows_about(large, SLICE, approver=person.signature, input=person.signature)
    verifying.verify(folders.package(tracing.build(tracing.asked(small, person))))
    idle, begun = peak_mb(), time.monotonic()
    trace = tracing.build(tracing.asked(large, person))
    took, grown = time.monotonic() - begun, peak_mb() - idle
    begun = time.monotonic()
    report = verifying.verify(folders.package(trace))
    checked = time.monotonic() - begun
    print(
        f"export_rows_s {trace.rows / took:.0f} export_growth_mb {grown:.1f} "
        f"size_mb {trace.size / 1e6:.1f} verify_export_rows_s {trace.rows / checked:.0f}"
    )
    assert trace.rows == ROWS
    assert report.ok
    assert grown <= MOST_MB
