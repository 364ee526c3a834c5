"""That a saved report has an answer: told to its owner, by a link and nothing else."""

from __future__ import annotations

from django.urls import reverse

from audit.models import ReportState, SavedReportRun
from opspilot.notices import recipients
from opspilot.notices.models import Kind, Notice, Urgency
from opspilot.queue import wake
from opspilot.tenancy import clock
from opspilot.tenancy.models import User
from opspilot.tenancy.principal import subject_of


def tell(run: SavedReportRun) -> None:
    """In the transaction of the answer: who wants no letters finds it on the page."""
    user = recipients.person(run.report.owner)
    if user is None or not recipients.wants(user, Kind.RELATORIO):
        return
    Notice.objects.create(
        tenant_id=run.tenant_id,
        kind=Kind.RELATORIO,
        about=str(run.ref),
        recipient=subject_of(user.pk),
        urgency=Urgency.AGORA,
        next_at=clock.now(),
    )
    wake("notice")


def is_news(notice: Notice, user: User) -> bool:
    """Not of a report that was deleted meanwhile, nor to who wants no letters any more."""
    run = _run(notice)
    kept = run is not None and run.report.state != ReportState.DELETED
    return kept and recipients.wants(user, Kind.RELATORIO)


def path_of(notice: Notice) -> str:
    run = _run(notice)
    if run is None:
        return reverse("audit:saved_reports")
    return reverse("audit:saved_report", args=[run.report.ref])


def _run(notice: Notice) -> SavedReportRun | None:
    return SavedReportRun.objects.filter(ref=notice.about).select_related("report").first()
