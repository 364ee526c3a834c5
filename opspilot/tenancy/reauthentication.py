"""Proof that the person at the keyboard is the one who logged in: asked before what is grave.

    ensure_recent(request)                          # in a view, before the act
    ensure_recent(request, within=timedelta(minutes=1))

Without recent proof the middleware leads to /conta/confirmar/ and back. Password, app code, recovery
code and security key all count, and so does the login itself.
"""

from __future__ import annotations

import datetime as dt
import time
from urllib.parse import urlsplit

from allauth.account.internal.flows.login import get_authentication_records
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme, urlencode
from django.utils.translation import gettext_lazy as _
from django_htmx.http import HttpResponseClientRedirect

from opspilot.errors import OpsPilotError
from opspilot.tenancy import kept

WITHIN = dt.timedelta(minutes=5)
# A reset link proves the mailbox, not the person.
_PROOFS = frozenset({"password", "mfa", "socialaccount"})


class ReauthenticationRequiredError(OpsPilotError):
    """The act waits for a proof of who is asking. Not a refusal: it leaves no trail row."""

    code = "confirmacao_exigida"
    http_status = 403
    title = _("Confirme que é você")
    what = _("Esta ação pede uma confirmação recente da sua identidade. Nada foi alterado.")
    next_step = _("Confirme e repita a ação.")


def ensure_recent(request: HttpRequest, *, within: dt.timedelta = WITHIN) -> None:
    """Raise ReauthenticationRequiredError unless this session proved who it is within that time."""
    if not is_recent(request, within=within):
        raise ReauthenticationRequiredError


def is_recent(request: HttpRequest, *, within: dt.timedelta = WITHIN) -> bool:
    at = authenticated_at(request)
    return at is not None and 0 <= time.time() - at.timestamp() < within.total_seconds()


def authenticated_at(request: HttpRequest) -> dt.datetime | None:
    """When this session last proved who it is; None for one that never did."""
    if not request.user.is_authenticated:
        return None
    proofs = [
        record["at"]
        for record in get_authentication_records(request, request.user)
        if record.get("method") in _PROOFS
    ]
    return dt.datetime.fromtimestamp(max(proofs), dt.UTC) if proofs else None


def to_confirmation(request: HttpRequest) -> HttpResponse:
    """Whole-page, also for a fragment. Afterwards comes the page the person was on, with what they
    were writing; a POST is not repeated for them."""
    kept.keep(request)
    target = f"{reverse('account_reauthenticate')}?{urlencode({'next': _page(request)})}"
    if getattr(request, "htmx", False):
        return HttpResponseClientRedirect(target)
    return HttpResponseRedirect(target)


def _page(request: HttpRequest) -> str:
    form = kept.form_page(request)
    if form is not None:
        return form
    if request.method in {"GET", "HEAD"} and not getattr(request, "htmx", False):
        return request.get_full_path()
    claimed = request.headers.get("HX-Current-URL") or request.headers.get("Referer", "")
    if url_has_allowed_host_and_scheme(claimed, allowed_hosts={request.get_host()}):
        parts = urlsplit(claimed)
        return f"{parts.path or '/'}{'?' + parts.query if parts.query else ''}"
    return request.path
