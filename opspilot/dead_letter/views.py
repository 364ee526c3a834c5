"""`/fila/`: read what was given up; have it tried again, as admin."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET

from opspilot.dead_letter import page, redriving
from opspilot.dead_letter.forms import AgainForm
from opspilot.dead_letter.redriving import Outcome
from opspilot.presentation.forms import checked, keeping_what_was_typed
from opspilot.tenancy import kept
from opspilot.tenancy.http import TenantRequest, acts_by_post, keeps_typed, requires
from opspilot.tenancy.roles import WORK_KEEPERS

_PAGE = "dead_letter/index.html"


@require_GET
@requires(*WORK_KEEPERS)
def index(request: TenantRequest) -> HttpResponse:
    form = AgainForm(initial=kept.fields(request))
    return render(request, _PAGE, _context(request, form))


@acts_by_post
@requires(*WORK_KEEPERS)
@keeps_typed("motivo", page="../")
def again(request: TenantRequest) -> HttpResponse:
    form, marked = AgainForm(request.POST), request.POST.getlist("marcado")
    with keeping_what_was_typed(_PAGE, lambda: _context(request, form, marked)):
        data = checked(form)
        done = redriving.try_again(
            admin=request.principal, marked=data["marcado"], reason=data["motivo"]
        )
    if done.queued:
        messages.success(request, _queued(done))
    if done.left:
        messages.warning(request, _left(done))
    return redirect("dead_letter:index")


def _queued(done: Outcome) -> str:
    words = ngettext("%(count)s voltou à fila.", "%(count)s voltaram à fila.", done.queued)
    return words % {"count": done.queued}


def _left(done: Outcome) -> str:
    words = ngettext(
        "%(count)s não estava mais parado.", "%(count)s não estavam mais parados.", done.left
    )
    return words % {"count": done.left}


def _context(request: TenantRequest, form: AgainForm, marked: Sequence[str] = ()) -> dict[str, Any]:
    sections = page.sections(request.principal, marked=marked)
    offers = any(offered.name for section in sections for offered in section.lines)
    return {"sections": sections, "offers": offers, "form": form, "none": _("nada parado")}
