"""The tester's page: every rule's answer for one action, under the policy in force or a draft."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from approvals import policies, rules
from approvals.policy import policy_pages, policy_test_forms, tester
from approvals.policy.policy_document import PolicyDocument
from approvals.rules import NoPolicyError
from opspilot.presentation.forms import checked, keeping_what_was_typed
from opspilot.presentation.shapes import Tab
from opspilot.tenancy.http import TenantRequest, requires
from opspilot.tenancy.principal import Role
from opspilot.tenancy.roles import POLICY_READERS

_PAGE = "approvals/policy_test.html"


@require_http_methods(["GET", "POST"])
@requires(*POLICY_READERS)
def test(request: TenantRequest) -> HttpResponse:
    """Nothing is created, sent or recorded as asked; what cannot be read is a refusal as
    everywhere."""
    kind = request.GET.get("acao", "")
    kind = kind if kind in policy_test_forms.FORMS else "issue"
    made, drafts = policy_test_forms.FORMS[kind], policies.open_drafts()
    chosen = request.POST.get("politica") or request.GET.get("rascunho", "")
    chosen = next((str(row.ref) for row in drafts if str(row.ref) == chosen), "")
    if request.method == "GET":
        first = {"papeis": [str(Role.OPERADOR)], "politica": chosen}
        form = made(drafts=drafts, initial=first)
        return render(request, _PAGE, _context(kind, chosen) | {"form": form})
    form = made(request.POST, drafts=drafts)
    with keeping_what_was_typed(_PAGE, lambda: _context(kind, chosen) | {"form": form}):
        checked(form)
        found = tester.test_action(asker=form.asker(), action=form.action(), draft=form.draft())
    answer = {
        "answer": found,
        "answer_title": policy_pages.answer_title(found),
        "answer_words": policy_pages.answer_words(found),
        "answer_by": _asked_of(found),
        "answer_facts": policy_pages.answer_facts(found),
    }
    return render(request, _PAGE, _context(kind, chosen) | {"form": form} | answer)


def _context(kind: str, draft: str) -> dict[str, Any]:
    """The tabs keep asking the draft that is being asked."""
    words = {
        "issue": _("Criar issue"),
        "tarefa": _("Executar tarefa"),
        "agente": _("Ação de agente"),
    }
    url, asked = reverse("policies:test"), f"&rascunho={draft}" if draft else ""
    return {
        "tabs": [
            Tab(words[name], f"{url}?acao={name}{asked}", current=name == kind)
            for name in policy_test_forms.offered(_in_force())
        ],
        "here": f"{url}?acao={kind}",
    }


def _in_force() -> PolicyDocument | None:
    try:
        return rules.in_force().document
    except NoPolicyError:
        return None


def _asked_of(found: tester.TestResult) -> str:
    if found.draft:
        words = _("pelo rascunho que começa da política %(number)s")
        return words % {"number": found.policy}
    return _("pela política %(number)s") % {"number": found.policy}
