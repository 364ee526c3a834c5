"""An embedder that does not answer delays files and questions, and is never their fault."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest
from django.db.models import F
from django.db.models.functions import Now

from grounding.intake import holding, ingest, uploads
from grounding.models import Upload
from opspilot.connectors import readers
from opspilot.harness import loop, services
from opspilot.harness.models import Run, RunState
from opspilot.tenancy.principal import Role
from opspilot.tenancy.scope import tenant_scope
from opspilot.worker import tasks
from tests import factories
from tests.fakes import FlakyEmbedder

pytestmark = pytest.mark.django_db
MANY = ingest.MAX_ATTEMPTS + 2
A_MINUTE = dt.timedelta(seconds=61)


@pytest.fixture
def embedder(monkeypatch: pytest.MonkeyPatch) -> FlakyEmbedder:
    flaky = FlakyEmbedder(readers.embedder())
    monkeypatch.setattr(readers, "embedder", lambda *_arguments, **_values: flaky)
    return flaky


def a_question() -> Run:
    """Over a collection that is there to be read: about nothing, no embedder would be asked."""
    tenant = factories.a_tenant()
    by, admin = factories.a_principal(tenant), factories.a_principal(tenant, Role.ADMIN)
    with tenant_scope(by.tenant_id):
        uploads.collection(principal=admin, slug="plataforma")
        return services.ask(principal=by, question="How do I restart the consumer?")


def advanced(run: Run) -> Run:
    loop.advance(tenant_id=run.tenant_id, run_id=run.pk)
    with tenant_scope(run.tenant_id):
        return Run.objects.get(pk=run.pk)


def let_a_minute_pass(row: Upload | Run) -> None:
    with tenant_scope(row.tenant_id):
        type(row).objects.filter(pk=row.pk).update(lease_until=F("lease_until") - A_MINUTE)


def an_upload() -> Upload:
    return factories.an_upload(factories.a_tenant(), factories.RUNBOOK.encode())


def test_a_file_outlives_an_outage_longer_than_its_attempts(embedder: FlakyEmbedder) -> None:
    upload = an_upload()
    for _ in range(MANY):
        row = factories.read_upload(upload)
        assert (row.state, row.attempts, row.claim_token) == ("extracted", 0, None)
        let_a_minute_pass(upload)
    embedder.down = False
    assert factories.read_upload(upload).state == "approved"


def test_a_question_outlives_an_outage_longer_than_its_attempts(embedder: FlakyEmbedder) -> None:
    run = a_question()
    for _ in range(MANY):
        row = advanced(run)
        assert (row.state, row.attempts, row.claim_token) == (RunState.QUEUED, 0, None)
        let_a_minute_pass(run)
    embedder.down = False
    assert advanced(run).state == RunState.ABSTAINED


@pytest.mark.parametrize(
    ("kind", "made", "act"),
    [("upload", an_upload, factories.read_upload), ("run", a_question, advanced)],
)
def test_what_waits_for_the_embedder_is_not_due_before_a_lease_has_passed(
    embedder: FlakyEmbedder,
    kind: Any,
    made: Callable[[], Any],
    act: Callable[[Any], Any],
) -> None:
    row = made()
    pair = (row.tenant_id, row.pk)
    assert pair in tasks.due(kind, 10_000)
    act(row)
    assert pair not in tasks.due(kind, 10_000)
    let_a_minute_pass(row)
    assert pair in tasks.due(kind, 10_000)


def test_a_worker_that_lost_its_lease_meanwhile_postpones_nothing(embedder: FlakyEmbedder) -> None:
    upload = an_upload()
    with tenant_scope(upload.tenant_id):
        taken = ingest._claim(upload.pk)
        assert taken is not None
        Upload.objects.filter(pk=upload.pk).update(lease_until=Now() - A_MINUTE)
        again = ingest._claim(upload.pk)
        assert again is not None
        holding.postpone(taken)
        row = Upload.objects.get(pk=upload.pk)
    assert (row.claim_token, row.attempts) == (again.claim_token, 2)
