"""`/politicas/rascunho/acoes/<kind>/`: a draft that changes one kind that agents carry out."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from approvals import policies, rules
from approvals.agents import external
from approvals.errors import PolicyTooLargeError
from approvals.models import PolicyVersion
from approvals.policy import policy_kind_forms
from approvals.policy.policy_kind_forms import KindForm
from opspilot.errors import FormPage, NotFoundError, RefusedError
from opspilot.presentation.forms import checked
from opspilot.tenancy import kept
from opspilot.tenancy.http import TenantRequest, keeps_typed, requires
from opspilot.tenancy.roles import POLICY_WRITERS

_PAGE = "approvals/policy_kind.html"
_FIELDS, _CHOICES = policy_kind_forms.typed()


@require_http_methods(["GET", "POST"])
@requires(*POLICY_WRITERS)
@keeps_typed(*_FIELDS, many=_CHOICES)
def edit(request: TenantRequest, kind: str) -> HttpResponse:
    """The editor of one kind, started from the policy in force."""
    if kind not in external.KINDS:
        raise NotFoundError
    start = policies.version_in_force()
    if request.method == "GET":
        form = _opened(start, kind, kept.fields(request))
        return render(request, _PAGE, _context(form, start))
    form = KindForm(request.POST, kind=kind)
    try:
        data = checked(form)
        draft = policies.draft(
            author=request.principal,
            document=form.document(start.document),
            reason=data["motivo"],
            based_on=data["base"],
        )
    except RefusedError as exc:  # another version came into force, too: nothing typed is lost
        exc.page = FormPage(_PAGE, lambda: _context(form, start))
        raise
    messages.success(request, _("Rascunho gravado. Outro admin o põe em vigor."))
    return redirect("policies:draft", draft.ref)


def _opened(start: PolicyVersion, kind: str, typed: dict[str, Any]) -> KindForm:
    document = rules.readable(start.document)
    if not policy_kind_forms.fits(document, kind):
        raise PolicyTooLargeError
    values = typed or policy_kind_forms.initial(document, kind) | {"base": start.number}
    return KindForm(kind=kind, initial=values)


def _context(form: KindForm, start: PolicyVersion) -> dict[str, Any]:
    return {"form": form, "start": start, "words": external.words(form.kind)}
