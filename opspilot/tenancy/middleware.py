"""Opens the tenant's transaction around the view *and* the rendering of its answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from uuid import UUID

from django.core.exceptions import BadRequest, SuspiciousOperation
from django.http import HttpRequest, HttpResponse
from django.http.multipartparser import MultiPartParserError
from django.urls import Resolver404, resolve

from opspilot.tenancy import kept, returning, selectors
from opspilot.tenancy.models import User
from opspilot.tenancy.principal import Principal
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
        if not isinstance(user, User):
            return self.get_response(request)
        mine = selectors.tenants_of(user.pk)
        request.tenant_ids = mine  # type: ignore[attr-defined]
        tenant_id = chosen_tenant(request, user, mine)
        response = (
            self.get_response(request)
            if tenant_id is None
            else self._inside(request, user, tenant_id)
        )
        _leave_a_trace(request, response)
        return response

    def _inside(self, request: HttpRequest, user: User, tenant_id: UUID) -> HttpResponse:
        fault = _reading_fault(request)
        with tenant_scope(tenant_id):
            principal = selectors.principal(user)
            request.principal = principal  # type: ignore[attr-defined]
            if fault is not None:
                raise fault
            if principal is not None:
                kept.meet(request, principal)
            if not _opens_own_scopes(request):
                return self.get_response(request)
        return self.get_response(request)


def _opens_own_scopes(request: HttpRequest) -> bool:
    try:
        view = resolve(request.path_info).func
    except Resolver404:
        return False
    return bool(getattr(view, "opens_own_scopes", False))


def chosen_tenant(request: HttpRequest, user: User, mine: Sequence[UUID]) -> UUID | None:
    """The session's choice when the person still belongs to it; in a new session the one they
    were in before; else their first."""
    chosen = request.session.get(SESSION_KEY)
    before = returning.read(request)
    if chosen is None and before is not None and before.user_id == user.pk:
        chosen = str(before.tenant_id)
    return next((t for t in mine if str(t) == chosen), mine[0] if mine else None)


def _reading_fault(request: HttpRequest) -> Exception | None:
    """A slow upload is read here, before the transaction opens; one that breaks a limit is refused
    inside it, on a page of the tenant."""
    try:
        request.POST  # noqa: B018
    except (SuspiciousOperation, BadRequest, MultiPartParserError) as exc:
        return exc
    return None


def _leave_a_trace(request: HttpRequest, response: HttpResponse) -> None:
    """So that an ended session can be told from a stranger; somebody who logged out is one."""
    principal: Principal | None = getattr(request, "principal", None)
    if not request.user.is_authenticated:
        returning.forget(response)
    elif principal is not None:
        now = returning.Somebody(principal.user_id, principal.tenant_id)
        if returning.read(request) != now:
            returning.write(response, now)
