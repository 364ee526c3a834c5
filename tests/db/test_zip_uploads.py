"""A zip becomes its files: rows of one batch, each with a fate of its own."""

from __future__ import annotations

import pytest

from grounding.models import Upload
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.unit.grounding import hostile

pytestmark = pytest.mark.django_db
GUIDE = factories.RUNBOOK.encode()


def taken_apart(tenant: Tenant, parts: dict[str, bytes]) -> list[Upload]:
    """The zip's row first, then those of its files."""
    row = factories.an_upload(tenant, hostile.zipped(parts), name="pacote.zip")
    factories.read_upload(row)
    with tenant_scope(tenant.pk):
        return list(Upload.objects.filter(batch=row.batch).order_by("pk"))


def test_each_file_of_a_zip_is_a_row_of_the_same_batch() -> None:
    tenant = factories.a_tenant()
    row, *files = taken_apart(tenant, {"a/fila.md": GUIDE, "../../b.md": b"# B\n\nEspere."})
    assert (row.state, row.detail, row.content) == ("unpacked", {"files": 2}, None)
    assert [(file.name, file.parent_id) for file in files] == [
        ("a/fila.md", row.pk),
        ("b.md", row.pk),
    ]
    assert factories.read_upload(files[0]).state == "approved"


def test_a_zip_inside_a_zip_is_refused_and_holds_up_nothing() -> None:
    inner = hostile.zipped({"x.md": b"# X"})
    _row, nested, file = taken_apart(factories.a_tenant(), {"b.zip": inner, "a.md": GUIDE})
    assert factories.read_upload(nested).code == "nested_zip"
    assert file.state == "uploaded"


@pytest.mark.parametrize(
    ("parts", "code"), [({"__MACOSX/._a": b"a"}, "no_files"), ({"a": bytes(60 << 20)}, "inflated")]
)
def test_a_zip_that_gives_nothing_is_refused_by_name(parts: dict[str, bytes], code: str) -> None:
    (row,) = taken_apart(factories.a_tenant(), parts)
    assert (row.state, row.code) == ("rejected", code)
