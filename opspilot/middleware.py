"""The only place where an error becomes a page, and a refusal of a person a row of the trail.
(Agents are answered the same way by `opspilot.api.problems`.)

A raise rolls the view's transaction back, so the refusal is recorded afterwards, in a transaction
of its own; recording it inside the service would lose it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import structlog
from allauth.core.exceptions import ReauthenticationRequired
from django.core.exceptions import (
    PermissionDenied,
    RequestDataTooBig,
    TooManyFieldsSent,
    TooManyFilesSent,
)
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import render

from audit import trail
from audit.months.errors import TrailClosedError
from opspilot import request_id
from opspilot.accounts.errors import TooManyAttemptsError
from opspilot.errors import (
    LaterError,
    NotFoundError,
    OpsPilotError,
    RoleRequiredError,
    StaleFormError,
    StaleFormKeptError,
    TooManyFieldsError,
    TooManyFilesError,
    TooMuchTextError,
    UnreadableRequestError,
    WrongMethodError,
)
from opspilot.tenancy import kept
from opspilot.tenancy.principal import Principal
from opspilot.tenancy.reauthentication import ReauthenticationRequiredError, to_confirmation
from opspilot.tenancy.scope import tenant_scope

log = structlog.get_logger(__name__)
_MEANING: dict[type[Exception], type[OpsPilotError]] = {
    Http404: NotFoundError,
    PermissionDenied: RoleRequiredError,
    ReauthenticationRequired: ReauthenticationRequiredError,
}
_FORESEEN: tuple[type[Exception], ...] = (OpsPilotError, *_MEANING)
_UNREADABLE: dict[type[Exception], type[OpsPilotError]] = {
    TooManyFilesSent: TooManyFilesError,
    TooManyFieldsSent: TooManyFieldsError,
    RequestDataTooBig: TooMuchTextError,
}


class RefusalMiddleware:
    """Outside TenantMiddleware: by the time it writes and renders, the view's transaction ended."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        error: OpsPilotError | None = getattr(request, "refusal", None)
        if error is None and isinstance(response, HttpResponseNotAllowed):
            error = WrongMethodError()
        if error is not None:
            allowed = response.get("Allow")
            response = _answer(request, error)
            if allowed:
                response["Allow"] = allowed
        if getattr(request, "principal", None) is not None:
            # A tenant's page stays in no cache, not even the browser's back-forward one.
            response.headers.setdefault("Cache-Control", "no-store")
        return response

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse:
        """Keep the error for after the rollback; anything unforeseen becomes a plain 500."""
        request.refusal = _meaning(exception)  # type: ignore[attr-defined]
        error: OpsPilotError = request.refusal  # type: ignore[attr-defined]
        if error.http_status >= 500 and not isinstance(error, LaterError):
            log.error("view failed", path=request.path, exc_info=exception)
        if transaction.get_connection().in_atomic_block:
            transaction.set_rollback(True)
        return HttpResponse(status=500)


def _meaning(exception: Exception) -> OpsPilotError:
    if isinstance(exception, OpsPilotError):
        return exception
    return _MEANING.get(type(exception), OpsPilotError)()


def _answer(request: HttpRequest, error: OpsPilotError) -> HttpResponse:
    if isinstance(error, ReauthenticationRequiredError):
        return to_confirmation(request)
    principal: Principal | None = getattr(request, "principal", None)
    if principal is None:
        return error_page(request, error)
    try:
        with tenant_scope(principal.tenant_id):
            if error.audit_action:
                trail.record_refusal(principal=principal, error=error)
            return error_page(request, error)
    except TrailClosedError as closed:  # not even a refusal can be recorded
        with tenant_scope(principal.tenant_id):
            return error_page(request, closed)


def error_page(request: HttpRequest, error: OpsPilotError) -> HttpResponse:
    """The one page (or fragment) every refusal and fault is shown on.

    The page of a refused form may be one that cannot be drawn any more, or never could: then what
    hinders that is the answer, on the plain page."""
    template = "includes/error_note.html" if getattr(request, "htmx", False) else "error.html"
    built: dict[str, Any] = {}
    if error.page is not None:
        try:
            template, built = error.page.template, error.page.build()
        except _FORESEEN as exc:
            return error_page(request, _plain(exc))
    return render(request, template, built | {"error": _words(error)}, status=error.http_status)


def _plain(exception: Exception) -> OpsPilotError:
    error = _meaning(exception)
    error.page = None
    return error


def _words(error: OpsPilotError) -> dict[str, Any]:
    return {
        "title": error.title,
        "what": error.sentence,
        "next_step": error.next_step,
        "code": error.code,
        "request_id": request_id.current(),
        "back_url": error.facts.get("back_url", "/"),
    }


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """handler400: a request that cannot be read at all. Inside RefusalMiddleware, it draws the
    page again, with the frame of the person's company around it."""
    error = _UNREADABLE.get(type(exception), UnreadableRequestError)(back_url=_parent(request))
    request.refusal = error  # type: ignore[attr-defined]
    return error_page(request, error)


def page_not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """handler404: an address no view answers."""
    return error_page(request, NotFoundError())


def server_error(request: HttpRequest) -> HttpResponse:
    """handler500: a fault outside every view."""
    return error_page(request, OpsPilotError())


def too_many_requests(request: HttpRequest) -> HttpResponse:
    """handler429, as allauth looks for it: asked too often."""
    response = error_page(request, TooManyAttemptsError(back_url="/conta/entrar/"))
    response["Retry-After"] = "900"
    return response


def locked_out(request: HttpRequest, response: HttpResponse, credentials: Any) -> HttpResponse:
    """AXES_LOCKOUT_CALLABLE: the login's answer while the door is closed."""
    return too_many_requests(request)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """A form that came without its token: an old page, or another site's.

    An old page is ours when the browser says so; then what was typed on it is kept, as it is when
    the session has ended: a login in another tab gives every form a new token.
    """
    page = kept.form_page(request)
    if page and request.headers.get("Sec-Fetch-Site") == "same-origin" and kept.keep(request):
        return error_page(request, StaleFormKeptError(back_url=page))
    return error_page(request, StaleFormError())


def _parent(request: HttpRequest) -> str:
    return request.path.rstrip("/").rpartition("/")[0] + "/"
