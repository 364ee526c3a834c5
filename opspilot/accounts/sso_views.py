"""To the company's provider and back. Never for somebody who is logged in: their page would hold a
tenant's transaction open across the network."""

from __future__ import annotations

from allauth.account.utils import get_next_redirect_url
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache

from opspilot.accounts import sso
from opspilot.accounts.admission import PROVIDER


@never_cache
def begin(request: HttpRequest) -> HttpResponse:
    after = get_next_redirect_url(request) or ""
    if request.user.is_authenticated:
        return redirect(after or "/")
    if not settings.OPSPILOT_OIDC_ISSUER:
        raise Http404
    return sso.begin(request, next_url=after)


@never_cache
def finish(request: HttpRequest, provider_id: str) -> HttpResponse:
    if request.user.is_authenticated:
        return redirect("/")
    if not settings.OPSPILOT_OIDC_ISSUER or provider_id != PROVIDER:
        raise Http404
    return sso.finish(request)


def cancelled(request: HttpRequest) -> HttpResponse:
    return render(request, "socialaccount/login_cancelled.html")
