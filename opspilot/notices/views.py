"""`/avisos/`: where the company's webhooks go, and what could not be delivered."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.cache import add_never_cache_headers
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from opspilot.notices import destinations, presenters, recipients, selectors, signing
from opspilot.notices.forms import DestinationForm
from opspilot.notices.models import Destination, Format
from opspilot.presentation.forms import ActForm, checked, keeping_what_was_typed
from opspilot.tenancy.http import TenantRequest, acts_by_post, keeps_typed, requires
from opspilot.tenancy.reauthentication import ensure_recent
from opspilot.tenancy.roles import NOTICE_KEEPERS

_SHOW_ONCE = "aviso_segredo"  # in the session: of which new destination the secret is still to show


@require_GET
@requires(*NOTICE_KEEPERS)
def index(request: TenantRequest) -> HttpResponse:
    return render(request, "notices/index.html", _index(DestinationForm()))


@acts_by_post
@requires(*NOTICE_KEEPERS)
@keeps_typed("nome", page="../")
def add(request: TenantRequest) -> HttpResponse:
    ensure_recent(request)
    form = DestinationForm(request.POST)
    with keeping_what_was_typed("notices/index.html", lambda: _index(form)):
        data = checked(form)
        row = destinations.add(
            admin=request.principal,
            name=data["nome"],
            url=data["endereco"],
            format_=data["formato"],
        )
    request.session[_SHOW_ONCE] = str(row.ref)
    messages.success(request, _("Destino incluído. Faça um teste antes de contar com ele."))
    return redirect("notices:detail", ref=row.ref)


@require_GET
@requires(*NOTICE_KEEPERS)
def detail(request: TenantRequest, ref: UUID) -> HttpResponse:
    row = destinations.one(ref=ref)
    state, word = presenters.place_state(row)
    context = {
        "destination": row,
        "facts": presenters.facts(row),
        "state": state,
        "word": word,
        "secret": _secret_once(request, row),
        "lines": presenters.lines(selectors.sent_to(row), _places([row])),
    }
    response = render(request, "notices/detail.html", context)
    add_never_cache_headers(response)
    return response


@acts_by_post
@requires(*NOTICE_KEEPERS)
def try_out(request: TenantRequest, ref: UUID) -> HttpResponse:
    checked(ActForm(request.POST))
    destinations.try_out(admin=request.principal, ref=ref)
    messages.success(request, _("Teste na fila. O resultado aparece nesta página."))
    return redirect("notices:detail", ref=ref)


@acts_by_post
@requires(*NOTICE_KEEPERS)
def switch_off(request: TenantRequest, ref: UUID) -> HttpResponse:
    checked(ActForm(request.POST))
    destinations.switch_off(admin=request.principal, ref=ref)
    messages.success(request, _("Destino desligado. Nada mais é enviado para lá."))
    return redirect("notices:detail", ref=ref)


def _index(form: DestinationForm) -> dict[str, Any]:
    rows, troubles = selectors.destinations(), selectors.troubles()
    return {
        "form": form,
        "rows": [(row, presenters.host(row), *presenters.place_state(row)) for row in rows],
        "headline": presenters.headline(troubles),
        "lines": presenters.lines(troubles.newest, _places(rows)),
    }


def _places(rows: list[Destination]) -> dict[str, str]:
    return {recipients.name_of(row): row.name for row in rows}


def _secret_once(request: TenantRequest, row: Destination) -> str:
    """The signing secret on the first page after it was made, and never again."""
    if request.session.get(_SHOW_ONCE) != str(row.ref):
        return ""
    del request.session[_SHOW_ONCE]
    return signing.secret(row) if row.format == Format.PADRAO else ""
