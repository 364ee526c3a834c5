"""An answer that did not help: one press, and an optional word why."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from audit.guard.typed import WordsField
from grounding.lab import questions
from opspilot.errors import RefusedError
from opspilot.harness import selectors
from opspilot.harness.models import RunState
from opspilot.presentation.forms import StrictForm, checked
from opspilot.tenancy.http import TenantRequest, acts_by_post, keeps_typed, requires

ANSWERED = (RunState.ANSWERED, RunState.ABSTAINED)


class NothingToJudgeError(RefusedError):
    """The run has no answer, or was no question."""

    code = "sem_resposta_para_avaliar"
    what = gettext_lazy("Esta rodada não tem resposta que se possa avaliar. Nada foi gravado.")
    next_step = gettext_lazy("Espere a resposta e tente de novo.")


class DidNotHelpForm(StrictForm):
    motivo = WordsField(
        label=gettext_lazy("O que faltou (opcional)"), max_length=500, required=False
    )


@acts_by_post
@requires()
@keeps_typed("motivo", page="../")
def did_not_help(request: TenantRequest, ref: UUID) -> HttpResponse:
    found = selectors.run(principal=request.principal, ref=ref)
    data = checked(DidNotHelpForm(request.POST))
    if not found.question or found.state not in ANSWERED:
        raise NothingToJudgeError
    questions.did_not_help(
        principal=request.principal,
        text=found.question[: questions.LONGEST],
        run=found.ref,
        note=data["motivo"],
    )
    messages.success(request, _("Anotado. A pergunta espera um admin na bancada."))
    return redirect("rodadas:run", ref)
