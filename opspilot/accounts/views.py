"""The person's own account: what it is, and proving who they are. The rest is allauth's views."""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.views import LoginView, ReauthenticateView
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import urlencode

from opspilot.accounts import outbox
from opspilot.tenancy.models import User


class LoginPage(LoginView):  # type: ignore[misc]
    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        context: dict[str, Any] = super().get_context_data(**kwargs)
        return context | {"sso_url": self._sso_url()}

    def _sso_url(self) -> str:
        if not settings.OPSPILOT_OIDC_ISSUER:
            return ""
        after = self.get_next_url()
        return reverse("accounts:sso") + (f"?{urlencode({'next': after})}" if after else "")


class ConfirmPage(ReauthenticateView):  # type: ignore[misc]
    """Who has neither a password nor a second factor confirms by entering again."""

    def _check_reauthentication_method_available(self, request: HttpRequest) -> HttpResponse | None:
        if get_adapter().get_reauthentication_methods(request.user):
            found: HttpResponse | None = super()._check_reauthentication_method_available(request)
            return found
        after = urlencode({"next": self.get_next_url() or "/"})
        login = f"{reverse('account_login')}?{after}"
        return render(request, "account/confirm_by_login.html", {"login_url": login})


@login_required
def index(request: HttpRequest) -> HttpResponse:
    user = request.user
    assert isinstance(user, User)
    context = {
        "person": user,
        "has_password": user.has_usable_password(),
        "factors": Authenticator.objects.filter(user=user).exclude(type="recovery_codes").count(),
        "sessions": UserSession.objects.filter(user=user).count(),
        "failed_mail": outbox.last_failure(user=user),
    }
    return render(request, "account/index.html", context)


@login_required
def no_password(request: HttpRequest) -> HttpResponse:
    """Where allauth would let somebody who enters by the company's provider make a password."""
    return render(request, "account/password_set.html")
