"""Policies as the shapes their pages draw."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _

from approvals.deciders import escalation_words
from approvals.inbox.outcome_words import RISK, outcome_words, role_word, target_words
from approvals.models import PolicyDraft, PolicyVersion
from approvals.policy import policy_changes, policy_issue_words, simulation, simulation_pages
from approvals.policy.policy_document import RISKS, KindRule, PolicyDocument, Template
from approvals.policy.policy_task_words import variable_words
from approvals.policy.policy_words import Change, changes
from approvals.policy.simulation_pages import Report
from approvals.policy.tester import TestResult
from approvals.rules import readable
from approvals.stops import calendar_words
from opspilot.presentation.shapes import Fact


@dataclass(frozen=True, slots=True)
class TemplateLine:
    """A template that may be run. `variables` are (name, what it takes)."""

    alias: str
    template: Template
    variables: list[tuple[str, str]]
    runners: str


def differences(before: PolicyVersion | None, draft: PolicyDraft) -> list[Change]:
    if before is None:
        return []
    return changes(readable(before.document), readable(draft.document))


def facts(document: PolicyDocument) -> list[Fact]:
    """The rule of issues."""
    rule = document.issue_criada
    return [
        *_rule(rule),
        Fact(_("Responsáveis"), _("até %(n)s") % {"n": rule.max_assignees}),
        Fact(_("Links"), policy_issue_words.links(rule)),
        Fact(_("Reversão"), policy_issue_words.reversal(rule)),
    ]


def task_facts(document: PolicyDocument) -> list[Fact]:
    """The rule of tasks; none where the policy allows no task."""
    return list(_rule(document.tarefa_executada)) if document.tarefa_executada else []


def calendar_facts(document: PolicyDocument) -> list[Fact]:
    """When an approved effect may start."""
    return calendar_words.facts(document.calendario)


def template_lines(document: PolicyDocument) -> list[TemplateLine]:
    rule = document.tarefa_executada
    return [
        TemplateLine(
            alias=alias,
            template=template,
            variables=[
                (name, variable_words(variable)) for name, variable in template.variables.items()
            ],
            runners=_runners(template),
        )
        for alias, template in (rule.templates.items() if rule else ())
    ]


def _runners(template: Template) -> str:
    people = ", ".join(role_word(role) for role in template.roles) or _("todos os que pedem")
    return ", ".join([people, *template.agents])


def _rule(rule: KindRule) -> Iterator[Fact]:
    quorum = " · ".join(f"{RISK[risk]} {rule.quorum[risk]}" for risk in RISKS)
    hold = " · ".join(f"{RISK[risk]} {rule.hold_seconds[risk]} s" for risk in RISKS)
    others = [(risk, rule.approver_roles[risk]) for risk in RISKS if risk in rule.approver_roles]
    deciders = ", ".join(f"{RISK[risk]}: {role_word(role)}" for risk, role in others)
    yield Fact(_("Quem pede"), ", ".join(role_word(role) for role in rule.requester_roles))
    yield Fact(_("Quem decide"), role_word(rule.approver_role), note=deciders)
    yield Fact(_("Aprovações"), quorum)
    yield Fact(_("Espera"), hold)
    yield Fact(_("Prazo"), _minutes(rule.expires_minutes))
    yield Fact(_("Executar até"), _("%(n)s min depois") % {"n": rule.execute_within_minutes})
    yield Fact(_("Escalonamento"), escalation_words.rule(rule.escalonamento))
    yield Fact(_("Consulta aos runbooks"), policy_changes.consult_word(rule.must_consult))


def _minutes(count: int) -> str:
    return _("%(n)s min") % {"n": count}


def answer_title(found: TestResult) -> str:
    return _("Permitida") if found.allowed else _("Recusada")


def answer_facts(found: TestResult) -> list[Fact]:
    """What an allowed action would take; none for one that is refused."""
    if found.outcome is None:
        return []
    return [
        Fact(_("Destino"), target_words(found.outcome)),
        Fact(_("Risco"), level=found.outcome.risk),
        Fact(_("Aprovações"), str(found.outcome.quorum)),
        Fact(_("Quem decide"), role_word(found.outcome.approver_role)),
        Fact(_("Espera"), _("%(n)s s") % {"n": found.hold_seconds}),
        Fact(_("Prazo"), _minutes(found.expires_minutes or 0)),
        Fact(_("Executar até"), _("%(n)s min depois") % {"n": found.execute_within_minutes}),
        Fact(_("Início"), found.start),
    ]


def answer_words(found: TestResult) -> str:
    return outcome_words(found.outcome) if found.outcome else ""


def simulate(draft: PolicyDraft, *, only: str, page: int) -> Report:
    found = simulation.simulate(document=readable(draft.document))
    return simulation_pages.report(found, only=only, page=page)
