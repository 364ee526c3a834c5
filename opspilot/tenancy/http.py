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
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST
from django_htmx.middleware import HtmxDetails

from opspilot.errors import RoleRequiredError
from opspilot.tenancy import kept
from opspilot.tenancy.principal import Principal, Role

TICK_HEADER = "X-OpsPilot-Tick"
"""On what the ticker asks: nobody pressed anything, so no answer may take the page away."""

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
            if not principal.has(*(roles or tuple(Role))):
                raise RoleRequiredError(roles=sorted(roles))
            return view(request, *args, **kwargs)  # type: ignore[arg-type]

        return cast(Callable[Concatenate[HttpRequest, P], HttpResponseBase], guarded)

    return decorate


def opens_own_scopes(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Outermost on a view that asks a model: no transaction is open around it. The view opens its
    own for what it reads, writes and draws."""
    view.opens_own_scopes = True  # type: ignore[attr-defined]
    return view


def acts_by_post(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """A POST-only address. Opened as a page (after a login, a language switch, from a bookmark) it
    leads to the page its form stands on, which is always its parent."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.method in {"GET", "HEAD"}:
            return HttpResponseRedirect(request.path.rstrip("/").rpartition("/")[0] + "/")
        return require_POST(view)(request, *args, **kwargs)

    return guarded


def keeps_typed(
    *fields: str, many: tuple[str, ...] = (), files: bool = False, page: str = ""
) -> Callable[[View[P]], View[P]]:
    """When the session has ended, what was typed in these fields waits for the login. Stands
    under `requires`. `page` leads from this address to the page of the form: "../?decidir=…"."""

    def decorate(view: View[P]) -> View[P]:
        view.keeping = kept.Keeping(fields, many, files, page)  # type: ignore[attr-defined]
        return view

    return decorate


def _to_login(request: HttpRequest) -> HttpResponse:
    """A whole-page login, also when a fragment asked: never a login form inside a table cell.

    What a script asked by itself (the ticker, an upload with progress) gets a bare 401 instead:
    the page stays, with what is being written on it, and says that the session ended.
    """
    if _asked_by_the_script(request):
        return HttpResponse(status=401)
    kept.keep(request)
    response = redirect_to_login(_return_address(request))
    if getattr(request, "htmx", False):
        return HttpResponse(status=204, headers={"HX-Redirect": response.url})
    return response


def _asked_by_the_script(request: HttpRequest) -> bool:
    if TICK_HEADER in request.headers:
        return True
    fetched = request.headers.get("Sec-Fetch-Dest") == "empty"
    return fetched and not getattr(request, "htmx", False)


def _return_address(request: HttpRequest) -> str:
    """The page to come back to: of a form its page, of a fragment the page around it."""
    htmx: HtmxDetails | None = getattr(request, "htmx", None)
    around = htmx.current_url_abs_path if htmx else None
    address = kept.form_page(request) or around or request.get_full_path()
    local = url_has_allowed_host_and_scheme(address, allowed_hosts=None)
    return address if local else request.get_full_path()
