"""Opens the tenant's transaction around the view *and* the rendering of its answer."""

from __future__ import annotations

from collections.abc import Callable
from uuid import UUID

from django.http import HttpRequest, HttpResponse

from opspilot.tenancy import selectors
from opspilot.tenancy.models import User
from opspilot.tenancy.scope import tenant_scope

SESSION_KEY = "tenant"


class TenantMiddleware:
    """Tenant comes from the logged-in person's memberships, never from a parameter.

    No view calls the outside world: what leaves the machine is the worker's, so the transaction
    is never open across a network call.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        user = request.user
        tenant_id = chosen_tenant(request, user) if isinstance(user, User) else None
        if tenant_id is None or not isinstance(user, User):
            return self.get_response(request)
        request.POST  # noqa: B018 - a slow upload is read before the transaction opens
        with tenant_scope(tenant_id):
            request.principal = selectors.principal(user)  # type: ignore[attr-defined]
            return self.get_response(request)


def chosen_tenant(request: HttpRequest, user: User) -> UUID | None:
    """The session's choice when the person still belongs to it, else their first tenant."""
    mine = selectors.tenants_of(user.pk)
    chosen = request.session.get(SESSION_KEY)
    return next((t for t in mine if str(t) == chosen), mine[0] if mine else None)
