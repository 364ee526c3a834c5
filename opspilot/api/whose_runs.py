"""Whose a run is: no agent writes into one that is somebody else's."""

from __future__ import annotations

from uuid import UUID

from approvals.models import AgenteAprovacao
from audit.models import AgenteAcao
from opspilot.harness.models import Run
from opspilot.tenancy.principal import AgentPrincipal


def others_among(asked: set[UUID], agent: AgentPrincipal) -> set[UUID]:
    """The runs somebody else asked or proposed in. One that only the trail knows is of who wrote its
    first row: another agent that reported it, or the console."""
    runs = Run.objects.filter(ref__in=asked).values_list("ref", "requester")
    proposed = AgenteAprovacao.objects.filter(correlacao_id__in=asked)
    known = [*runs, *proposed.values_list("correlacao_id", "solicitante")]
    first = (
        AgenteAcao.objects.filter(correlacao_id__in=asked - {run for run, _who in known})
        .exclude(acao="entidade.registrada")  # the console's, on the way to anybody's own first row
        .order_by("correlacao_id", "ocorrido_em", "id")
        .distinct("correlacao_id")
        .values_list("correlacao_id", "agente")
    )
    foreign = {run for run, who in known if who != agent.subject}
    return foreign | {run for run, slug in first if slug != agent.slug}
