"""What a person may say about an outcome that nobody knows."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from approvals.execution import proving
from approvals.forms import ProofForm
from approvals.inbox import selectors
from approvals.views import proposal
from opspilot.presentation.forms import checked, keeping_what_was_typed
from opspilot.queue import wake
from opspilot.tenancy.http import TenantRequest, acts_by_post, keeps_typed, requires
from opspilot.tenancy.roles import RESUMERS


@acts_by_post
@requires(*RESUMERS)
@keeps_typed("endereco", page="../")
def point(request: TenantRequest, ref: UUID) -> HttpResponse:
    """Which issue it is, for the worker to look at: the word alone settles nothing."""
    form = ProofForm(request.POST)
    with keeping_what_was_typed(
        "approvals/detail.html",
        lambda: (
            proposal.page(request, selectors.proposal(ref=ref)) | {"proof_form": form, "form": None}
        ),
    ):
        iid = proving.say(
            proposal=selectors.proposal(ref=ref),
            person=request.principal,
            address=checked(form)["endereco"],
        )
    wake("execution")
    messages.success(request, _("Conferindo a issue %(iid)s no destino.") % {"iid": iid})
    return redirect("approvals:detail", ref=ref)
