"""What views need of a request: a principal, and the roles that open the page."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, cast

from django.contrib.auth.views import redirect_to_login
from django.http import (
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    HttpResponseRedirect,
)
from django.views.decorators.http import require_POST
from django_htmx.http import HttpResponseClientRedirect
from django_htmx.middleware import HtmxDetails

from opspilot.errors import RoleRequiredError
from opspilot.tenancy.principal import Principal, Role

P = ParamSpec("P")


class TenantRequest(HttpRequest):
    """A request that TenantMiddleware has given a principal."""

    principal: Principal
    htmx: HtmxDetails


View = Callable[Concatenate[TenantRequest, P], HttpResponseBase]


def requires(
    *roles: Role,
) -> Callable[[View[P]], Callable[Concatenate[HttpRequest, P], HttpResponseBase]]:
    """Open the view to these roles only (any role when none is named); log in first."""

    def decorate(view: View[P]) -> Callable[Concatenate[HttpRequest, P], HttpResponseBase]:
        @wraps(view)
        def guarded(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
            principal: Principal | None = getattr(request, "principal", None)
            if principal is None and request.user.is_authenticated:
                raise RoleRequiredError  # the login page would send them straight back here
            if principal is None:
                return _to_login(request)
            if roles and not principal.has(*roles):
                raise RoleRequiredError(roles=sorted(roles))
            return view(request, *args, **kwargs)  # type: ignore[arg-type]

        return cast(Callable[Concatenate[HttpRequest, P], HttpResponseBase], guarded)

    return decorate


def acts_by_post(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """A POST-only address. Opened as a page (after a login, a language switch, from a bookmark) it
    leads to the page its form stands on, which is always its parent."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.method in {"GET", "HEAD"}:
            return HttpResponseRedirect(request.path.rstrip("/").rpartition("/")[0] + "/")
        return require_POST(view)(request, *args, **kwargs)

    return guarded


def _to_login(request: HttpRequest) -> HttpResponse:
    """A whole-page login, also when a fragment asked: never a login form inside a table cell."""
    response = redirect_to_login(request.get_full_path())
    if getattr(request, "htmx", False):
        return HttpResponseClientRedirect(response.url)
    return response
