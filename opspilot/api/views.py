"""The page about agents: who they are, who answers for each, and their tokens. And the API's own."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from opspilot.api import agents, description, presenters, reference, routes, tokens
from opspilot.api.forms import (
    AgentForm,
    DetailsForm,
    PauseForm,
    RevokeAllForm,
    RevokeForm,
    RotateForm,
    TokenForm,
    initial,
)
from opspilot.api.models import Agent
from opspilot.errors import NotFoundError
from opspilot.presentation.forms import ActForm, StrictForm, checked, keeping_what_was_typed
from opspilot.tenancy import kept
from opspilot.tenancy.http import TenantRequest, acts_by_post, keeps_typed, requires
from opspilot.tenancy.reauthentication import ensure_recent
from opspilot.tenancy.roles import AGENT_READERS, AGENT_WRITERS

_AGENT = "api/agent.html"
_EDIT = "api/agent_edit.html"
_TOKEN = "api/token_new.html"  # noqa: S105 - a template
_KEPT = (
    "nome_curto",
    "nome",
    "finalidade",
    "responsavel",
    "versao",
    "modelo",
    "instrucao_hash",
    "retorno",
)
_ACTS = ("trocar", "revogar", "pausar", "encerrar", "segredo")


@require_GET
@requires(*AGENT_READERS)
def index(request: TenantRequest) -> HttpResponse:
    context = {
        "lines": presenters.agent_lines(),
        "writes": request.principal.has(*AGENT_WRITERS),
    }
    return render(request, "api/agents.html", context)


@require_GET
@requires(*AGENT_READERS)
def detail(request: TenantRequest, ref: UUID) -> HttpResponse:
    return render(request, _AGENT, _detail(request, agents.get(ref=ref)))


@require_http_methods(["GET", "POST"])
@requires(*AGENT_WRITERS)
@keeps_typed(*_KEPT)
def create(request: TenantRequest) -> HttpResponse:
    if request.method == "GET":
        return render(
            request, _EDIT, {"form": AgentForm(initial=kept.fields(request)), "agent": None}
        )
    form = AgentForm(request.POST)
    with keeping_what_was_typed(_EDIT, lambda: {"form": form, "agent": None}):
        slug = checked(form)["nome_curto"]
        agent = agents.create(principal=request.principal, slug=slug, details=form.details())
    messages.success(request, _("Agente criado. Ele ainda não tem token."))
    return redirect("agents:detail", agent.ref)


@require_http_methods(["GET", "POST"])
@requires(*AGENT_WRITERS)
@keeps_typed(*_KEPT[1:])
def change(request: TenantRequest, ref: UUID) -> HttpResponse:
    agent = agents.get(ref=ref)
    if request.method == "GET":
        form = DetailsForm(initial=initial(agent) | kept.fields(request))
        return render(request, _EDIT, {"form": form, "agent": agent})
    form = DetailsForm(request.POST)
    with keeping_what_was_typed(_EDIT, lambda: {"form": form, "agent": agents.get(ref=ref)}):
        checked(form)
        details = form.details()
        if details.owner_id != agent.owner_id:  # as grave as issuing: it says who may decide
            ensure_recent(request)
        agents.change(principal=request.principal, agent=agent, details=details)
    messages.success(request, _("Agente alterado."))
    return redirect("agents:detail", ref)


@acts_by_post
@requires(*AGENT_WRITERS)
@keeps_typed("motivo", page="../?pausar=sim")
def pause(request: TenantRequest, ref: UUID) -> HttpResponse:
    agent, form = agents.get(ref=ref), PauseForm(request.POST)
    with keeping_what_was_typed(_AGENT, lambda: _typed(request, ref, "pausar", form)):
        reason = checked(form)["motivo"]
    agents.switch(principal=request.principal, agent=agent, active=False, reason=reason)
    messages.success(request, _("Agente pausado: nenhum token dele abre."))
    return redirect("agents:detail", ref)


@acts_by_post
@requires(*AGENT_WRITERS)
def resume(request: TenantRequest, ref: UUID) -> HttpResponse:
    checked(ActForm(request.POST))
    agents.switch(principal=request.principal, agent=agents.get(ref=ref), active=True)
    messages.success(request, _("Agente retomado: os tokens que valem voltam a abrir."))
    return redirect("agents:detail", ref)


@acts_by_post
@requires(*AGENT_WRITERS)
def revoke_all(request: TenantRequest, ref: UUID) -> HttpResponse:
    agent = agents.get(ref=ref)
    form = RevokeAllForm(request.POST, slug=agent.slug)
    with keeping_what_was_typed(_AGENT, lambda: _typed(request, ref, "encerrar", form)):
        checked(form)
    tokens.revoke_all(principal=request.principal, agent=agent)
    messages.success(request, _("Tokens revogados: nenhum abre mais nada."))
    return redirect("agents:detail", ref)


@require_http_methods(["GET", "POST"])
@requires(*AGENT_WRITERS)
@keeps_typed("dias", many=("escopos",))
def issue(request: TenantRequest, ref: UUID) -> HttpResponse:
    """The answer to the POST is the one place that ever shows the token."""
    ensure_recent(request)
    agent = agents.get(ref=ref)
    if request.method == "GET":
        token_form = TokenForm(initial=kept.fields(request))
        return render(request, _TOKEN, {"form": token_form, "agent": agent})
    form = TokenForm(request.POST)
    with keeping_what_was_typed(_TOKEN, lambda: {"form": form, "agent": agents.get(ref=ref)}):
        data = checked(form)
        issued = tokens.issue(
            principal=request.principal,
            agent=agent,
            ref=data["pedido"],
            scopes=data["escopos"],
            days=data["dias"],
        )
    return render(request, "api/token_shown.html", {"issued": issued, "agent": agent})


@acts_by_post
@requires(*AGENT_WRITERS)
def rotate(request: TenantRequest, ref: UUID) -> HttpResponse:
    ensure_recent(request)
    data = checked(RotateForm(request.POST))
    agent = agents.get(ref=ref)
    old = tokens.get(agent=agent, ref=data["token"])
    issued = tokens.rotate(principal=request.principal, token=old, ref=data["pedido"])
    old.refresh_from_db()
    context = {"issued": issued, "agent": agent, "old": old}
    return render(request, "api/token_shown.html", context)


@acts_by_post
@requires(*AGENT_WRITERS)
def revoke(request: TenantRequest, ref: UUID) -> HttpResponse:
    data = checked(RevokeForm(request.POST))
    token = tokens.get(agent=agents.get(ref=ref), ref=data["token"])
    tokens.revoke(principal=request.principal, token=token)
    messages.success(request, _("Token revogado: ele não abre mais nada."))
    return redirect("agents:detail", ref)


@acts_by_post
@requires(*AGENT_WRITERS)
def callback_secret(request: TenantRequest, ref: UUID) -> HttpResponse:
    ensure_recent(request)
    checked(ActForm(request.POST))
    agent = agents.get(ref=ref)
    secret = agents.rotate_callback_secret(principal=request.principal, agent=agent)
    return render(request, "api/secret_shown.html", {"secret": secret, "agent": agent})


@require_GET
@requires()
def docs(request: TenantRequest) -> HttpResponse:
    """The description of the API, drawn by us: no script of anybody else."""
    context = {
        "operations": reference.operations(description.schema()),
        "about": description.WORDS.replace("`", ""),
        "problems": reference.problems(),
        "schema_url": routes.SCHEMA,
    }
    return render(request, "api/docs.html", context)


def _detail(request: TenantRequest, agent: Agent) -> dict[str, Any]:
    line = presenters.agent_line(agent)
    writes = request.principal.has(*AGENT_WRITERS)
    return {
        "line": line,
        "agent": agent,
        "facts": presenters.facts(line),
        "reach": presenters.reach(agent, by=request.principal),
        "tokens": presenters.token_lines(agent),
        "writes": writes,
        **(_asked(request, agent) if writes else {}),
    }


def _asked(request: TenantRequest, agent: Agent) -> dict[str, Any]:
    """The act whose confirmation is open, if any: ?revogar=<token>, ?pausar=sim."""
    name = next((act for act in _ACTS if request.GET.get(act)), "")
    if name in {"trocar", "revogar"}:
        try:
            token = tokens.get(agent=agent, ref=UUID(request.GET[name]))
        except (ValueError, NotFoundError):
            return {}
        kind = RotateForm if name == "trocar" else RevokeForm
        return {"act": name, "token": token, "form": kind(initial={"token": token.ref})}
    if name == "pausar":
        return {"act": name, "form": PauseForm(initial=kept.fields(request))}
    if name == "encerrar":
        return {"act": name, "form": RevokeAllForm(slug=agent.slug)}
    return {"act": name}


def _typed(request: TenantRequest, ref: UUID, act: str, form: StrictForm) -> dict[str, Any]:
    """The agent's page with this act open, as it was filled in."""
    return _detail(request, agents.get(ref=ref)) | {"act": act, "form": form}
