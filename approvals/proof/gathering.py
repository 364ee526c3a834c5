"""Everything there is about one effect, as the database has it at this moment.

Nothing is judged here, and nothing is left out because it looks wrong.
"""

from __future__ import annotations

import datetime as dt
from typing import Any

from approvals import drafts
from approvals.actions import SENT_AGAIN
from approvals.agents import uses
from approvals.deciders import escalation, owners
from approvals.models import (
    AgenteAprovacao,
    Decision,
    Execution,
    ExecutionAttempt,
)
from approvals.proof import moments
from audit.proving import proof_document as form
from audit.proving import run_seals, run_texts
from opspilot.tenancy import clock
from opspilot.tenancy import selectors as people


def proof(proposal: AgenteAprovacao, *, seconds: float | None = None) -> form.Proof:
    """Reads; needs the scope of the proposal's company. Raises SealsTooSlowError where reading the
    sealed hours takes longer than that; None = as long as it takes."""
    execution = Execution.objects.filter(approval=proposal).first()
    found = ExecutionAttempt.objects.filter(execution=execution) if execution else ()
    attempts = sorted(found, key=lambda row: row.pk)
    run = run_texts.of_run(correlation_id=proposal.correlacao_id)
    return form.Proof(
        emitida_em=clock.now(),
        empresa=proposal.tenant_id,
        proposta=_proposal(proposal),
        decisoes=_decisions(proposal),
        escalonamentos=[
            form.Escalation(papel=row.to_role, em=row.at)
            for row in escalation.of(proposal=proposal)
        ],
        politicas=list(
            moments.policies(proposal, [row for row in attempts if row.kind == "envio"])
        ),
        execucao=_execution(proposal, execution) if execution else None,
        tentativas=[_attempt(row) for row in attempts],
        reenvios=_resends(proposal),
        corpo=_body(proposal, execution.marker) if execution else None,
        consumo=_use(proposal),
        linhas=[form.Row(texto=row.text, linha_hash=row.hash) for row in run.rows],
        linhas_cortadas=run.is_cut,
        selos=run_seals.over(run.rows, seconds=seconds),
        chaves=run_seals.presented(),
        selado_ate=run_seals.sealed_until(),
        meses_expirados=run_seals.expired_months(since=proposal.criada_em),
    )


def _proposal(row: AgenteAprovacao) -> form.Proposal:
    return form.Proposal(
        ref=row.ref,
        id=row.pk,
        correlacao_id=row.correlacao_id,
        criada_em=row.criada_em,
        acao=row.acao,
        acao_hash=row.acao_hash,
        conteudo=row.proposta,
        solicitante=row.solicitante,
        solicitante_nome=row.solicitante_nome,
        agente=row.agente,
        barrados=sorted(owners.barred(row) - {row.solicitante}),
        risco=row.risco,
        aprovacoes_exigidas=row.aprovacoes_exigidas,
        papel_exigido=row.papel_exigido,
        expira_em=row.expira_em,
        executar_de=row.executar_de,
        executar_ate=row.executar_ate,
        estado=row.estado,
        decidida_em=row.decidida_em,
        decidida_por=row.decidida_por,
        politica_versao=row.politica_versao,
    )


def _decisions(proposal: AgenteAprovacao) -> list[form.Decision]:
    rows = Decision.objects.filter(approval=proposal).order_by("pk")
    since = people.remembered_since()
    return [
        form.Decision(
            sujeito=row.subject,
            nome=row.subject_name,
            veredito=row.verdict,
            hash_mostrado=row.seen_hash,
            em=row.decided_at,
            em_nome_de=row.on_behalf_of,
            em_nome_de_nome=row.on_behalf_of_name,
            papeis=_roles(row, since),
        )
        for row in rows
    ]


def _roles(row: Decision, since: dt.datetime | None) -> list[str] | None:
    """Of whoever's power it used, at that moment; None from before anybody's roles are known."""
    if since is None or row.decided_at < since:
        return None
    power = row.on_behalf_of or row.subject
    held = (m.roles for m in people.members_at(row.decided_at) if m.subject == power)
    return sorted(str(role) for role in next(held, frozenset()))


def _execution(proposal: AgenteAprovacao, row: Execution) -> form.Execution:
    return form.Execution(
        estado=row.state,
        motivo=row.reason,
        marcador=row.marker,
        marcador_recalculado=drafts.marker_for(proposal),
        espera_s=moments.hold_seconds(proposal),
        reenvio_ate=row.resend_until,
        remoto=row.remote,
    )


def _attempt(row: ExecutionAttempt) -> form.Attempt:
    return form.Attempt.model_validate(
        {
            "numero": row.number,
            "tipo": row.kind,
            "em": row.at,
            "token": row.claim_token,
            "resultado": row.outcome,
            "detalhe": row.detail,
            "corpo_sha256": row.body_sha256,
        }
    )


def _resends(proposal: AgenteAprovacao) -> list[form.Resend]:
    rows = AgenteAprovacao.objects.filter(sobre=proposal, acao=SENT_AGAIN).order_by("pk")
    return [
        form.Resend(ref=row.ref, estado=row.estado, decidida_em=row.decidida_em) for row in rows
    ]


def _body(proposal: AgenteAprovacao, marker: str) -> dict[str, Any] | None:
    """What the worker would make of the stored action now; None where it makes nothing of it."""
    try:
        return drafts.body(proposal.proposta, marker)
    except (KeyError, TypeError):  # an altered action may have lost any of its fields
        return None


def _use(proposal: AgenteAprovacao) -> form.Use | None:
    found = uses.of(proposal)
    if found is None:
        return None
    row, report = found.consumption, found.report
    return form.Use(
        tipo=row.kind,
        sujeito=row.subject,
        nome=row.subject_name,
        hash_visto=row.seen_hash,
        em=row.at,
        relato=report.outcome if report else None,
        referencia=report.reference if report else "",
    )
