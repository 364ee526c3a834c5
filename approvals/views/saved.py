"""The views a person keeps of the queue: made from the present address, renamed, deleted."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from approvals.forms import FirstViewForm, NamedViewForm, NewViewForm, ViewForm
from approvals.inbox import listing, queue_url, saved_views
from opspilot.presentation.forms import StrictForm, checked, keeping_what_was_typed
from opspilot.tenancy import kept
from opspilot.tenancy.http import TenantRequest, acts_by_post, keeps_typed, requires


@require_GET
@requires()
def index(request: TenantRequest) -> HttpResponse:
    """The views there are, and the form that keeps the queue of this address under a name."""
    here = {"endereco": queue_url.parse(request.GET).href("").removeprefix("?")}
    form = NewViewForm(initial=here | kept.fields(request))
    return render(request, "approvals/views.html", _page(request, form))


@acts_by_post
@requires()
@keeps_typed("nome", "endereco", page="../")
def save(request: TenantRequest) -> HttpResponse:
    form = NewViewForm(request.POST)
    with keeping_what_was_typed("approvals/views.html", lambda: _page(request, form)):
        data = checked(form)
        view = saved_views.save(
            principal=request.principal,
            name=data["nome"],
            queue=queue_url.parse_text(data["endereco"]),
        )
    messages.success(request, _("Visão guardada: %(name)s.") % {"name": view.name})
    return redirect(saved_views.queue_of(view).explicitly().href(reverse("approvals:inbox")))


@acts_by_post
@requires()
@keeps_typed(page="../")
def rename(request: TenantRequest) -> HttpResponse:
    form = NamedViewForm(request.POST)
    with keeping_what_was_typed("approvals/views.html", lambda: _page(request, form)):
        data = checked(form)
        saved_views.rename(principal=request.principal, ref=data["visao"], name=data["nome"])
    messages.success(request, _("Nome trocado."))
    return redirect("approvals:views")


@acts_by_post
@requires()
def delete(request: TenantRequest) -> HttpResponse:
    data = checked(ViewForm(request.POST))
    saved_views.delete(principal=request.principal, ref=data["visao"])
    messages.success(request, _("Visão apagada. As propostas continuam como estavam."))
    return redirect("approvals:views")


@acts_by_post
@requires()
def open_first(request: TenantRequest) -> HttpResponse:
    data = checked(FirstViewForm(request.POST))
    first = data["abre"] == "sim"
    saved_views.open_first(principal=request.principal, ref=data["visao"], first=first)
    messages.success(request, _("Gravado: vale na próxima vez que você abrir Aprovações."))
    return redirect("approvals:views")


def _page(request: TenantRequest, form: StrictForm) -> dict[str, Any]:
    """A form that was refused stands where the new one does, also when it was for another name."""
    views = saved_views.of(principal=request.principal)
    renaming = isinstance(form, NamedViewForm)
    new = queue_url.parse_text(str(form["endereco"].value() or "")) if not renaming else None
    return {
        "views": listing.kept_views(views, reverse("approvals:inbox")),
        "form": form,
        "form_url": reverse("approvals:rename_view" if renaming else "approvals:save_view"),
        "renaming": renaming,
        "words": listing.view_words(new) if new else "",
    }
