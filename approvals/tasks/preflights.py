"""What is known of a template before a task of it is proposed. Asks no remote: the worker reads."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from django.db.models import F
from django.db.models.functions import Greatest, Now
from django.utils.translation import gettext_lazy as _

from approvals.models import TemplatePreflight
from approvals.policy.outcomes import TaskOutcome, named
from approvals.tasks import task_survey
from approvals.tasks.task_refusals import (
    HostNotInInventoryError,
    PreflightPendingError,
    SurveyError,
    TaskRefusedError,
    TemplateChangedError,
    TemplateUnfitError,
)
from opspilot.queue import wake
from opspilot.tenancy import clock
from opspilot.tenancy.scope import current_tenant_id

FRESH = dt.timedelta(minutes=10)  # how old what was read may be when a proposal rests on it
AGAIN = dt.timedelta(minutes=8)  # so that it is read again before that
WANTED = dt.timedelta(minutes=30)
RETRY_AFTER = 5  # seconds, for whoever asks by program

Reading = Literal["pendente", "falhou", "lido"]
_FAULTS = {
    "app_nao_e_ansible": _("o template não é do Ansible, e um host não diz nada a ele"),
    "limite_nao_permitido": _("o template não deixa que o host seja dito a cada execução"),
    "argumentos_com_limite": _("os argumentos do próprio template já dizem outro host"),
}
_SURVEY = {
    "variavel_secreta": _("variável secreta, que este console não guarda nem envia"),
    "variavel_exigida_no_template": _("exigida pelo template e fora do comando"),
    "variavel_fora_do_template": _("o template não a tem"),
    "valor_fora_do_template": _("o template não aceita este valor"),
    "valor_nao_permitido": _("nome ou valor que nunca é enviado"),
}


@dataclass(frozen=True, slots=True)
class Preflight:
    """`reading` says whether the rest may be relied on now. `failure` is the last try's code."""

    reading: Reading
    failure: str = ""
    looked_at: dt.datetime | None = None
    name: str = ""
    playbook: str = ""
    fingerprint: str = ""
    faults: tuple[str, ...] = ()
    survey: tuple[Mapping[str, Any], ...] = ()
    hosts: frozenset[str] | None = None


def of(*, project: int, template: int) -> Preflight:
    row = TemplatePreflight.objects.filter(project=project, template=template).first()
    if row is None or row.looked_at is None or row.looked_at < clock.now() - FRESH:
        failed = row is not None and row.outcome != ""
        return Preflight("falhou" if failed else "pendente", row.outcome if row else "")
    return Preflight(
        "lido",
        row.outcome,
        row.looked_at,
        row.name,
        row.playbook,
        row.fingerprint,
        tuple(row.faults),
        tuple(row.survey),
        None if row.hosts is None else frozenset(row.hosts),
    )


def want(*, project: int, template: int) -> None:
    """Have the worker read it now and for a while; what is fresh is left alone."""
    until = Now() + WANTED
    row, made = TemplatePreflight.objects.get_or_create(
        tenant_id=current_tenant_id(),
        project=project,
        template=template,
        defaults={"wanted_until": clock.now() + WANTED},
    )
    if not made:
        mine = TemplatePreflight.objects.filter(pk=row.pk)
        mine.update(wanted_until=Greatest(F("wanted_until"), until))
        # Not sooner than a throttled remote asked for, and not again what has just been read.
        stale = row.looked_at is None or row.looked_at < clock.now() - AGAIN
        if stale and row.outcome != "destino_ocupado":
            mine.update(next_at=Now())
    wake("preflight")


def passed(*, outcome: TaskOutcome, pinned: str) -> Preflight:
    """A fresh reading that lets this outcome be proposed, or the refusal that says why not.

    `pinned` is the fingerprint that the policy has on record; "" = it has none.
    """
    found = of(project=outcome.project_id, template=outcome.template_id)
    if found.reading != "lido":
        raise PreflightPendingError(
            retry_after=RETRY_AFTER, project=outcome.project_id, template=outcome.template_id
        )
    for refusal in refusals(found, outcome=outcome, pinned=pinned):
        raise refusal
    return found


def refusals(found: Preflight, *, outcome: TaskOutcome, pinned: str) -> list[TaskRefusedError]:
    """Every reason why what was read does not fit, most important first."""
    refused: list[TaskRefusedError] = []
    if found.faults:
        refused.append(TemplateUnfitError(fault_words(found.faults)))
    if pinned and pinned != found.fingerprint:
        refused.append(TemplateChangedError())
    absent = sorted(set(outcome.hosts) - found.hosts) if found.hosts is not None else []
    if absent:
        words = named(_("O inventário do template não tem: %(name)s."), absent)
        refused.append(HostNotInInventoryError(words))
    odd = list(task_survey.faults(found.survey, dict(outcome.variables)))
    if odd:
        refused.append(SurveyError(_survey_words(odd)))
    return refused


def fault_words(codes: Sequence[str]) -> str:
    said = "; ".join(str(_FAULTS.get(code, code)) for code in codes)
    return str(_("Do jeito que está no Semaphore, não: %(why)s.")) % {"why": said}


def _survey_words(odd: Sequence[tuple[str, str]]) -> str:
    said = "; ".join(f"{name[:80]} ({_SURVEY[code]})" for code, name in odd[:5])
    return str(_("Variáveis que não servem: %(which)s.")) % {"which": said}
