"""Documents into a company by its real door: sent, read, kept back, and by an admin released.

Quarantine is one guard and must not be the only one: the admin releases what it kept back, all but
every eleventh file, as somebody would who trusts the supplier.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from grounding.intake import ingest, quarantine, uploads
from grounding.models import Upload, UploadState
from opspilot.avaliacao.company import People
from opspilot.tenancy.scope import tenant_scope

COLLECTION = "runbooks"
KEPT = 11  # every eleventh of those kept back stays so
REASON = "Documento do fornecedor, conferido pela equipe."


@dataclass(frozen=True, slots=True)
class Shared:
    states: dict[str, int]
    held: int
    released: int


def share(people: People, files: Iterable[tuple[str, str]]) -> Shared:
    """(name, text) each. Every file is taken to its end."""
    sent = [uploads.File(name, len(text.encode()), text.encode()) for name, text in files]
    with tenant_scope(people.tenant_id):
        shelf = uploads.collection(principal=people.admin, slug=COLLECTION)
        rows = [
            row
            for group in uploads.groups(sent)
            for row in uploads.accept(principal=people.admin, collection=shelf, files=group)
        ]
    _take_in(people, rows)
    held = _in_quarantine(people)
    released = [row for number, row in enumerate(held) if number % KEPT]
    for row in released:
        _release(people, row)
    _take_in(people, released)
    with tenant_scope(people.tenant_id):
        states = Counter(Upload.objects.values_list("state", flat=True))
    return Shared(dict(states), len(held), len(released))


def _take_in(people: People, rows: Sequence[Upload]) -> None:
    for row in rows:
        ingest.advance(tenant_id=people.tenant_id, upload_id=row.pk)


def _in_quarantine(people: People) -> list[Upload]:
    with tenant_scope(people.tenant_id):
        return list(
            Upload.objects.filter(state=UploadState.NEEDS_REVIEW).defer("content").order_by("pk")
        )


def _release(people: People, row: Upload) -> None:
    with tenant_scope(people.tenant_id):
        quarantine.release(
            principal=people.admin, upload=row, seal=row.detail["seal"], reason=REASON
        )
