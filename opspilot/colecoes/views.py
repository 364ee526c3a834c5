"""`/conhecimento/colecoes/`: an admin sees who reads what, gives it and takes it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from grounding.access import granting
from opspilot.colecoes import page
from opspilot.colecoes.forms import GrantForm, RevokeForm
from opspilot.colecoes.page import One
from opspilot.presentation.forms import checked, keeping_what_was_typed
from opspilot.tenancy import kept
from opspilot.tenancy.http import TenantRequest, acts_by_post, keeps_typed, requires
from opspilot.tenancy.reauthentication import ensure_recent
from opspilot.tenancy.roles import GRANTORS

_ONE = "colecoes/collection.html"


@require_GET
@requires(*GRANTORS)
def index(request: TenantRequest) -> HttpResponse:
    return render(request, "colecoes/index.html", {"lines": page.lines()})


@require_GET
@requires(*GRANTORS)
def collection(request: TenantRequest, slug: str) -> HttpResponse:
    shown = page.one(page.collection(slug=slug))
    return render(request, _ONE, _context(shown, kept.fields(request)))


@acts_by_post
@requires(*GRANTORS)
@keeps_typed("quem", "motivo", page="../")
def grant(request: TenantRequest, slug: str) -> HttpResponse:
    ensure_recent(request)
    shown = page.one(page.collection(slug=slug))
    form = GrantForm(request.POST, offered=shown.others)
    with keeping_what_was_typed(_ONE, _again(slug, grants=form)):
        data = checked(form)
        granting.grant(principal=request.principal, **_said(shown, data))
    messages.success(request, _("Acesso dado. Vale a partir da próxima pergunta."))
    return redirect("colecoes:collection", slug)


@acts_by_post
@requires(*GRANTORS)
@keeps_typed("quem", "motivo", page="../")
def revoke(request: TenantRequest, slug: str) -> HttpResponse:
    ensure_recent(request)
    shown = page.one(page.collection(slug=slug))
    form = RevokeForm(request.POST, offered=shown.revocable)
    with keeping_what_was_typed(_ONE, _again(slug, revokes=form)):
        data = checked(form)
        granting.revoke(principal=request.principal, **_said(shown, data))
    messages.success(request, _("Acesso tirado. Vale a partir da próxima pergunta."))
    return redirect("colecoes:collection", slug)


def _said(shown: One, data: dict[str, Any]) -> dict[str, Any]:
    return {"collection": shown.collection, "subject": data["quem"], "reason": data["motivo"]}


def _context(shown: One, typed: dict[str, Any] | None = None) -> dict[str, Any]:
    """What was typed before a login goes back to the form that offers who was chosen."""
    said = typed or {}
    gives = said.get("quem") in dict(shown.others)
    return {
        "shown": shown,
        "grants": GrantForm(offered=shown.others, initial=said if gives else None),
        "revokes": RevokeForm(offered=shown.revocable, initial=None if gives else said),
    }


def _again(slug: str, **form: Any) -> Callable[[], dict[str, Any]]:
    """The page as it is after the rollback, around the form as it was filled in."""
    return lambda: _context(page.one(page.collection(slug=slug))) | form
