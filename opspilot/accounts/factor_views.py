"""The pieces of the second factor that allauth does not draw as our pages need them."""

from __future__ import annotations

from typing import Any

from allauth.mfa.adapter import get_adapter
from allauth.mfa.totp.internal.auth import SECRET_SESSION_KEY
from allauth.mfa.webauthn.views import AddWebAuthnView, ReauthenticateWebAuthnView
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.generic.edit import FormView

from opspilot.accounts.second_factor import qr_svg
from opspilot.tenancy.reauthentication import ensure_recent


class AddKeyPage(AddWebAuthnView):  # type: ignore[misc]
    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Keeps the posted form and its errors, which allauth's view forgets."""
        context: dict[str, Any] = super().get_context_data(**kwargs)
        host = self.request.get_host().rpartition(":")[0] or self.request.get_host()
        return context | kwargs | {"numeric_host": host.strip("[]").replace(".", "").isdigit()}


class ConfirmKeyPage(ReauthenticateWebAuthnView):  # type: ignore[misc]
    """A key that is not accepted leaves the person here, not at the panel."""

    def form_invalid(self, form: Any) -> HttpResponse:
        response: HttpResponse = FormView.form_invalid(self, form)
        return response

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        context: dict[str, Any] = super().get_context_data(**kwargs)
        return context | kwargs


@never_cache
@login_required
def qr(request: HttpRequest) -> HttpResponse:
    """The drawing of the secret that the open enrolment page shows; 404 when none is open."""
    ensure_recent(request)
    secret = request.session.get(SECRET_SESSION_KEY)
    if not secret:
        raise Http404
    content = qr_svg(get_adapter().build_totp_url(request.user, secret))
    return HttpResponse(content, content_type="image/svg+xml")
