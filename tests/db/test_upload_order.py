"""Whichever upload comes last is what stands, however late an earlier one is tried again."""

from __future__ import annotations

import datetime as dt
import threading

import pytest
from django.db import connections
from django.db.models.functions import Now

from grounding.intake import ingest, publishing
from grounding.models import Document, Upload, Version
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.scope import tenant_scope
from tests import factories

OLDER = b"# Older\n\nRestart the consumer by hand and wait for an hour.\n"
NEWER = b"# Newer\n\nRestart the consumer with systemctl and look at the panel.\n"


def an_upload_whose_worker_died(tenant: Tenant, content: bytes, *, name: str = "fila.md") -> Upload:
    """Taken once and never finished; its lease has ended."""
    upload = factories.an_upload(tenant, content, name=name)

    def killed(_upload: Upload) -> None:
        raise KeyboardInterrupt

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(ingest, "_parse", killed)
        with pytest.raises(KeyboardInterrupt):
            factories.read_upload(upload)
    with tenant_scope(tenant.pk):
        Upload.objects.filter(pk=upload.pk).update(lease_until=Now() - dt.timedelta(seconds=1))
    return upload


def active_texts(tenant: Tenant) -> list[str]:
    with tenant_scope(tenant.pk):
        active = Version.objects.filter(active=True).order_by("pk")
        return list(active.values_list("text", flat=True))


def test_a_late_retry_does_not_bring_older_text_back(committed: None) -> None:
    tenant = factories.a_tenant()
    older = an_upload_whose_worker_died(tenant, OLDER)
    newer = factories.read_upload(factories.an_upload(tenant, NEWER))
    row = factories.read_upload(older)
    assert (row.state, row.detail, row.content) == ("superseded", {"version": 1}, None)
    assert (row.version_id, row.finished_at is None) == (newer.version_id, False)
    assert active_texts(tenant) == [NEWER.decode()]


def test_a_late_retry_yields_to_a_later_upload_of_the_text_that_was_active(committed: None) -> None:
    tenant = factories.a_tenant()
    factories.read_upload(factories.an_upload(tenant, NEWER))
    older = an_upload_whose_worker_died(tenant, OLDER)
    assert factories.read_upload(factories.an_upload(tenant, NEWER)).state == "same"
    assert factories.read_upload(older).state == "superseded"
    assert active_texts(tenant) == [NEWER.decode()]


def test_a_late_retry_is_published_beside_a_later_upload_of_another_name(committed: None) -> None:
    tenant = factories.a_tenant()
    older = an_upload_whose_worker_died(tenant, OLDER)
    factories.read_upload(factories.an_upload(tenant, NEWER, name="outro.md"))
    assert factories.read_upload(older).state == "approved"
    with tenant_scope(tenant.pk):
        assert Document.objects.count() == 2


def test_a_copy_of_what_is_just_being_replaced_is_published(
    committed: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    tenant = factories.a_tenant()
    factories.read_upload(factories.an_upload(tenant, NEWER))
    between = factories.an_upload(tenant, OLDER)
    last = factories.an_upload(tenant, NEWER)
    one_at_a_time = publishing.one_at_a_time

    def after_the_other(document: Document) -> None:
        monkeypatch.setattr(publishing, "one_at_a_time", one_at_a_time)
        other = threading.Thread(target=elsewhere, args=[between])
        other.start()
        other.join(timeout=20)
        one_at_a_time(document)

    monkeypatch.setattr(publishing, "one_at_a_time", after_the_other)
    assert factories.read_upload(last).state == "approved"
    assert active_texts(tenant) == [NEWER.decode()]


def elsewhere(upload: Upload) -> None:
    try:
        assert factories.read_upload(upload).state == "approved"
    finally:
        connections.close_all()
