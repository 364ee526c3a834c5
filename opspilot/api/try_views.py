"""`/agentes/<ref>/testar/`: what the policy and the runbooks would answer to this agent."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from approvals.policy import policy_pages, policy_test_forms
from grounding.evidence import passage_url
from grounding.pages import coverage_words
from grounding.retrieval.coverage import Coverage
from opspilot.api import agents, as_agent
from opspilot.api.as_agent import Seen
from opspilot.api.errors import EmbedderSilentError
from opspilot.api.forms import LookForm, policy_form
from opspilot.api.models import Agent
from opspilot.api.scopes import Scope
from opspilot.connectors.errors import UnavailableError
from opspilot.presentation.forms import checked, keeping_what_was_typed
from opspilot.presentation.shapes import Tab
from opspilot.tenancy.http import TenantRequest, keeps_typed, opens_own_scopes, requires
from opspilot.tenancy.roles import AGENT_READERS
from opspilot.tenancy.scope import tenant_scope

_PAGE = "api/agent_try.html"


@require_http_methods(["GET", "POST"])
@requires(*AGENT_READERS)
def propose(request: TenantRequest, ref: UUID) -> HttpResponse:
    """Whether it could propose this, rule by rule. Nothing is created."""
    agent = agents.get(ref=ref)
    kind = request.GET.get("acao", "")
    kind = kind if kind in policy_test_forms.FORMS else "issue"
    page = _page(agent, kind)
    if request.method == "GET":
        return render(request, _PAGE, page | {"form": policy_form(kind)})
    form = policy_form(kind, request.POST)
    who = as_agent.principal(agent, by=request.principal)
    with keeping_what_was_typed(_PAGE, lambda: page | {"form": form}):
        data = checked(form)
        found = as_agent.ask_policy(who, action=form.action(), coverage=data["cobertura"] or None)
    door = as_agent.door(agent, who, Scope.PROPOSE)
    allowed = found.allowed and all(check.ok for check in door)
    answer = {
        "answer_title": _("Seria proposta") if allowed else _("Seria recusada"),
        "answer_words": policy_pages.answer_words(found),
        "answer_by": _("pela política %(number)s") % {"number": found.policy},
        "answer_facts": policy_pages.answer_facts(found),
        "checks": [*door, *found.checks],
    }
    return render(request, _PAGE, page | {"form": form} | answer)


@opens_own_scopes
@require_http_methods(["GET", "POST"])
@requires(*AGENT_READERS)
@keeps_typed("pergunta")
def look(request: TenantRequest, ref: UUID) -> HttpResponse:
    """What it would find. No receipt, no row: nobody consulted anything."""
    tenant_id = request.principal.tenant_id
    form = LookForm(request.POST) if request.method == "POST" else LookForm()
    with tenant_scope(tenant_id):
        agent = agents.get(ref=ref)
        page = _page(agent, "consulta") | {"form": form}
        if request.method == "GET":
            return render(request, _PAGE, page)
        who = as_agent.principal(agent, by=request.principal)
        door = as_agent.door(agent, who, Scope.GROUND)
    with keeping_what_was_typed(_PAGE, lambda: page):
        text = checked(form)["pergunta"]
    try:
        seen = as_agent.look(who, by=request.principal, text=text)
    except UnavailableError as exc:
        raise EmbedderSilentError from exc
    with tenant_scope(tenant_id):
        title = _("O que ele receberia") if all(one.ok for one in door) else _("Seria recusada")
        answer = {"checks": door, "answer_title": title} | _seen(seen)
        return render(request, _PAGE, page | answer)


def _page(agent: Agent, kind: str) -> dict[str, Any]:
    words = {
        "issue": _("Propor uma issue"),
        "tarefa": _("Propor uma tarefa"),
        "agente": _("Propor uma ação sua"),
    }
    here = reverse("agents:try", args=[agent.ref])
    consult = reverse("agents:look", args=[agent.ref])
    tabs = [Tab(text, f"{here}?acao={name}", name == kind) for name, text in words.items()]
    tabs.append(Tab(_("Consultar"), consult, kind == "consulta"))
    address = consult if kind == "consulta" else f"{here}?acao={kind}"
    return {"agent": agent, "tabs": tabs, "here": address}


def _seen(seen: Seen) -> dict[str, Any]:
    return {
        "seen": seen,
        "collections": ", ".join(seen.collections),
        "lines": [(source, passage_url(source)) for source in seen.sources],
    } | _covered(seen.coverage)


def _covered(found: Coverage | None) -> dict[str, Any]:
    if found is None:
        return {}
    return {
        "level": coverage_words.level(found.level),
        "reasons": coverage_words.reasons(found.reasons),
    }
