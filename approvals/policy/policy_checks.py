"""Each rule's answer for one proposal under the policy it was made under and under the one in
force, side by side. It explains; whether the policy has moved is `rules.moved`'s to say."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from approvals import rules
from approvals.authorization import Authorization, authorize
from approvals.models import AgenteAprovacao
from approvals.policy import stored
from approvals.policy.outcomes import ExternalOutcome, IssueOutcome, Outcome, Request, TaskOutcome
from approvals.policy.policy_document import PolicyDocument
from approvals.rules import Policy, UnreadablePolicyError, Version
from opspilot.presentation import risks
from opspilot.presentation.formats import money_text
from opspilot.tenancy.principal import Role


@dataclass(frozen=True, slots=True)
class Answer:
    """What one version says. `ok` None = a result, or a version that cannot be asked; `code` marks
    words that are names and ids."""

    ok: bool | None
    words: str
    code: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """One rule, or one result of all of them. `before` None = only the version in force has it."""

    label: str
    before: Answer | None
    now: Answer | None

    @property
    def moved(self) -> bool:
        return self.before != self.now


@dataclass(frozen=True, slots=True)
class Checks:
    """`number_now` 0 = no policy is in force."""

    number: int
    number_now: int
    lines: tuple[Line, ...]
    document: PolicyDocument | None  # the one the proposal was made under
    policy: Policy | None  # the one in force; None = there is none that can be read

    @property
    def moved(self) -> bool:
        return any(line.moved for line in self.lines)


def of(
    proposal: AgenteAprovacao, *, made_under: Version | None, in_force: Version | None
) -> Checks:
    """Raises nothing: a version that cannot be read answers to no rule, and its column says so."""
    before, policy = _readable(made_under), _readable(in_force)
    document, now = (found.document if found else None for found in (before, policy))
    then_answer = _ask(proposal, document)
    now_answer = then_answer if now is document else _ask(proposal, now)
    return Checks(
        number=proposal.politica_versao,
        number_now=in_force.number if in_force else 0,
        lines=(*_rules(then_answer, now_answer), *_results(_made_under(proposal), now_answer)),
        document=document,
        policy=policy,
    )


def _readable(version: Version | None) -> Policy | None:
    try:
        return rules.in_force(version) if version else None
    except UnreadablePolicyError:
        return None


def _ask(proposal: AgenteAprovacao, document: PolicyDocument | None) -> Authorization | None:
    """The requester's role is not asked again: what they were allowed to ask for, they asked for."""
    if document is None:
        return None
    try:
        request = Request(
            roles=rules.requesters(document, kind=proposal.acao),
            command=stored.named_in(proposal.proposta),
            coverage=proposal.cobertura,
            agent=proposal.agente,
        )
        return authorize(request=request, document=document)
    except (KeyError, TypeError, ValueError):  # a kind or a form this code does not know
        return None


def _rules(then: Authorization | None, now: Authorization | None) -> list[Line]:
    before, after = _answers(then), _answers(now)
    labels = [*after, *(label for label in before if label not in after)]
    return [Line(label, before.get(label), after.get(label)) for label in labels]


def _answers(found: Authorization | None) -> dict[str, Answer]:
    checks = found.checks if found else ()
    return {
        str(check.rule): Answer(check.ok, _("permite") if check.ok else check.sentence)
        for check in checks
    }


def _made_under(proposal: AgenteAprovacao) -> Outcome | None:
    """What the row itself carries: it is this that must still hold, not what the version says."""
    try:
        return stored.outcome_of(
            proposal.proposta,
            risk=proposal.risco,
            quorum=proposal.aprovacoes_exigidas,
            approver_role=proposal.papel_exigido,
        )
    except (KeyError, TypeError, ValueError):
        return None


def _results(made: Outcome | None, now: Authorization | None) -> list[Line]:
    return [Line(str(label), _said(made, word), _result(now, word)) for label, word in _RESULTS]


def _result(found: Authorization | None, word: Callable[[Outcome], str]) -> Answer:
    if found is not None and found.outcome is None:
        return Answer(False, _("recusada"))
    return _said(found.outcome if found else None, word)


def _said(outcome: Outcome | None, word: Callable[[Outcome], str]) -> Answer:
    if outcome is None:
        return Answer(None, _("não pode ser lida"))
    return Answer(None, word(outcome), code=word is _target)


def _target(found: Outcome) -> str:
    match found:
        case IssueOutcome():
            people = ", ".join(f"{name} ({number})" for name, number in found.assignees)
            parts = [f"{found.project_path} ({found.project_id})", *found.labels, people]
        case TaskOutcome():
            parts = [f"{found.project_id}/{found.template_id}", found.fingerprint, *found.hosts]
        case ExternalOutcome():
            parts = [_field(*field) for field in found.fields]
        case _:
            parts = []
    return " · ".join(part for part in parts if part)


def _field(name: str, kind: str, value: object) -> str:
    """A sum as money; of anything else also its type, so that another one reads otherwise."""
    if kind == "centavos" and isinstance(value, int):
        return f"{name}: {money_text(value, language=get_language() or 'pt-br')}"
    return f"{name}: {value} ({kind})"


_RESULTS: tuple[tuple[str | Promise, Callable[[Outcome], str]], ...] = (
    (gettext_lazy("Risco"), lambda found: risks.word(found.risk)),
    (gettext_lazy("Aprovações"), lambda found: str(found.quorum)),
    (gettext_lazy("Quem decide"), lambda found: str(Role(found.approver_role).label)),
    (gettext_lazy("Resolve para"), _target),
)
