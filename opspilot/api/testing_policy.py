"""The policy tester as an agent asks it: as itself, and nothing is created."""

from __future__ import annotations

from approvals.policy import tester
from approvals.policy.outcomes import Outcome
from approvals.policy.tester import Asker, TestResult
from opspilot.api.contract import OutcomeOut, PolicyAnswerOut, PolicyTestIn, RuleOut
from opspilot.api.errors import InvalidFieldsError
from opspilot.tenancy.principal import AgentPrincipal


def ask(*, principal: AgentPrincipal, data: PolicyTestIn) -> PolicyAnswerOut:
    """Every rule's answer for this action, asked for by this agent."""
    if "kind" in data.comando:
        raise InvalidFieldsError([{"campo": "comando.kind", "motivo": "extra_forbidden"}])
    asker = Asker(roles=principal.owner_roles, agent=principal.slug, coverage=data.cobertura)
    found = tester.test_action(asker=asker, action={**data.comando, "kind": data.acao}, draft=None)
    return PolicyAnswerOut(
        acao=found.kind,
        politica_versao=found.policy,
        permitida=found.allowed,
        codigos=list(found.codes),
        regras=_rules(found),
        resultado=_outcome(found.outcome),
        espera_segundos=found.hold_seconds,
        expira_minutos=found.expires_minutes,
        executar_minutos=found.execute_within_minutes,
    )


def _rules(found: TestResult) -> list[RuleOut]:
    return [
        RuleOut(
            regra=str(check.rule),
            permite=check.ok,
            codigo=check.code,
            motivo="" if check.ok else check.sentence,
        )
        for check in found.checks
    ]


def _outcome(outcome: Outcome | None) -> OutcomeOut | None:
    if outcome is None:
        return None
    return OutcomeOut(risco=outcome.risk, aprovacoes=outcome.quorum, papel=outcome.approver_role)
