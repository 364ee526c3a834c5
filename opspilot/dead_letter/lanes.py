"""Every lane that gives up, in the order of the page. A lane that never gives up is not here: what it
could not do stays due, and its own page says so."""

from __future__ import annotations

from django.db.models import IntegerField
from django.db.models.expressions import Subquery

from opspilot.dead_letter import asked, files, told
from opspilot.dead_letter.shapes import Lane
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.scope import current_tenant_id

BOUND = 1000
"""How far a count goes; a page says "1.000+" of anything longer."""

ALL: tuple[Lane, ...] = (
    asked.EFFECTS,
    asked.RUNS,
    asked.UPLOADS,
    told.NOTICES,
    told.LETTERS,
    files.TRACES,
    files.PACKS,
    files.REPORTS,
)
BY_SLUG = {lane.slug: lane for lane in ALL}


class _Count(Subquery):
    template = "(SELECT count(*) FROM (%(subquery)s) counted)"

    def __init__(self, lane: Lane) -> None:
        rows = lane.rows().order_by().values("pk")[: BOUND + 1]
        super().__init__(rows, output_field=IntegerField())


def counts() -> dict[str, int]:
    """By lane, in one statement; BOUND + 1 stands for any number over BOUND."""
    columns = {lane.slug: _Count(lane) for lane in ALL}
    found: dict[str, int] = (
        Tenant.objects.filter(pk=current_tenant_id()).annotate(**columns).values(*columns).get()
    )
    return found
