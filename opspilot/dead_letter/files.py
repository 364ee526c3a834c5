"""Given up of what is built for people to take along: traces, audit packs, saved reports."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from django.db.models import Exists, OuterRef, QuerySet, Subquery
from django.db.models.functions import Now
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from approvals.models import PackState, ProofPack
from approvals.proof import pack_asking
from audit.models import ReportState, SavedReport, SavedReportRun, Trace, TraceState
from audit.reports import saved
from audit.trace import asking
from opspilot.dead_letter.shapes import KEPT, Lane, Line, stopped
from opspilot.errors import NotFoundError
from opspilot.tenancy.principal import Principal
from opspilot.tenancy.roles import PACK_ASKERS

INTERRUPTED = "interrompido"
_FAULTS: dict[str, Promise] = {
    "disco_cheio": gettext_lazy("o disco da pasta de exportação está cheio"),
    "pasta_sem_acesso": gettext_lazy("a pasta de exportação não pode ser escrita"),
    "sem_chave": gettext_lazy("o worker não tem a chave que assina"),
    INTERRUPTED: gettext_lazy("o trabalho parou várias vezes no mesmo ponto"),
}


def _traces() -> QuerySet[Trace]:
    """One that was asked for anew by the same person is that one's affair by now."""
    newer = Trace.objects.filter(
        entity_type=OuterRef("entity_type"),
        entity_ref=OuterRef("entity_ref"),
        asked_by=OuterRef("asked_by"),
        pk__gt=OuterRef("pk"),
    )
    failed = Trace.objects.filter(state=TraceState.FAILED, asked_at__gt=Now() - KEPT)
    return failed.filter(~Exists(newer)).order_by("-pk")


def _trace_lines(rows: Sequence[Trace], _admin: Principal) -> list[Line]:
    """Whose trace it is stays with who asked for it."""
    return [
        Line(
            key=row.ref,
            title=_("Rastro de um cliente, pedido por %(name)s") % {"name": row.asked_by_name},
            why=_fault(row.code),
            at=row.asked_at,
        )
        for row in rows
    ]


def _trace_again(_admin: Principal, key: UUID) -> UUID:
    asking.begin_again(ref=stopped(_traces(), key).ref)
    return key


def _packs() -> QuerySet[ProofPack]:
    newer = ProofPack.objects.filter(
        quarter=OuterRef("quarter"), seed=OuterRef("seed"), pk__gt=OuterRef("pk")
    )
    failed = ProofPack.objects.filter(state=PackState.FAILED, asked_at__gt=Now() - KEPT)
    return failed.filter(~Exists(newer)).order_by("-pk")


def _pack_lines(rows: Sequence[ProofPack], admin: Principal) -> list[Line]:
    url = reverse("packs:index") if admin.has(*PACK_ASKERS) else ""
    return [
        Line(
            key=row.ref,
            title=_("Amostra de provas de %(quarter)s, pedida por %(name)s")
            % {"quarter": row.quarter, "name": row.asked_by_name},
            why=_fault(row.code),
            at=row.asked_at,
            url=url,
        )
        for row in rows
    ]


def _pack_again(_admin: Principal, key: UUID) -> UUID:
    pack_asking.begin_again(ref=stopped(_packs(), key).ref)
    return key


def _reports() -> QuerySet[SavedReport]:
    """Paused by the worker; one that a person paused has another last answer."""
    last = SavedReportRun.objects.filter(report=OuterRef("pk")).order_by("-pk")
    paused = SavedReport.objects.filter(state=ReportState.PAUSED).annotate(
        last_code=Subquery(last.values("code")[:1]), last_at=Subquery(last.values("at")[:1])
    )
    given_up = paused.filter(last_code=INTERRUPTED, last_at__gt=Now() - KEPT)
    return given_up.order_by("-pk")


def _report_lines(rows: Sequence[SavedReport], admin: Principal) -> list[Line]:
    return [_report_line(row, admin) for row in rows]


def _report_line(row: SavedReport, admin: Principal) -> Line:
    """An admin without a role for the query sees that it stopped, and neither reads nor starts it."""
    title = _("Relatório salvo de %(name)s") % {"name": row.owner_name}
    at, why = row.last_at, _fault(INTERRUPTED)  # type: ignore[attr-defined]
    if not _opens(admin, row.ref):
        return Line(row.ref, title, why, at, can_again=False, why_not=_("quem o salvou retoma"))
    return Line(row.ref, row.name, why, at, url=reverse("audit:saved_report", args=[row.ref]))


def _opens(admin: Principal, ref: UUID) -> bool:
    try:
        saved.one(person=admin, ref=ref)
    except NotFoundError:
        return False
    return True


def _report_again(admin: Principal, key: UUID) -> UUID:
    return saved.resume(person=admin, ref=stopped(_reports(), key).ref).ref


def _fault(code: str) -> str:
    return str(_FAULTS.get(code, code))


TRACES = Lane(
    slug="rastro",
    title=gettext_lazy("Rastros de clientes"),
    rule=gettext_lazy("Parados depois de cinco tentativas sem avanço, ou sem onde escrever."),
    rows=_traces,
    lines=_trace_lines,
    again=_trace_again,
)
PACKS = Lane(
    slug="amostra",
    title=gettext_lazy("Amostras de provas"),
    rule=gettext_lazy("Paradas depois de cinco tentativas, ou sem chave ou pasta."),
    rows=_packs,
    lines=_pack_lines,
    again=_pack_again,
)
REPORTS = Lane(
    slug="relatorio",
    title=gettext_lazy("Relatórios salvos"),
    rule=gettext_lazy("Pausados depois de cinco tentativas interrompidas; voltam ao seu horário."),
    rows=_reports,
    lines=_report_lines,
    again=_report_again,
)
