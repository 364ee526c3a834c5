"""A run as its worker holds it: every write names the claim, so a late worker changes nothing."""

from __future__ import annotations

from django.db.models import QuerySet

from opspilot.harness.asking import LateRunError
from opspilot.harness.models import Run
from opspilot.tenancy import lease
from opspilot.tenancy.scope import tenant_scope


def mine(run: Run) -> QuerySet[Run, Run]:
    """The run, while this worker's claim is the newest."""
    return Run.objects.filter(pk=run.pk, claim_token=run.claim_token)


def hold(run: Run) -> None:
    """Lock the run in the open transaction and go on with its lease; `run.stop_by` is then who wants
    it stopped. Raises LateRunError where it is another worker's by now."""
    if lease.renew(mine(run).filter(stop_by="")):
        return
    if not lease.renew(mine(run)):
        raise LateRunError(run.pk)
    run.stop_by = mine(run).values_list("stop_by", flat=True).get()


def still_mine(run: Run) -> bool:
    """Go on with the lease, in a scope of its own."""
    with tenant_scope(run.tenant_id):
        return lease.renew(mine(run))
