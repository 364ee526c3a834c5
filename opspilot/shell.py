"""What every page's frame needs: the company in words, the person and their preferences, the pages
their role opens, and on the way in whether a session has ended."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import structlog
from django.db import DatabaseError, transaction
from django.http import HttpRequest
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from approvals.inbox import selectors as approvals
from approvals.inbox.queue_rows import BOUND
from approvals.stops import stop_words, stopping
from opspilot.presentation.formats import bounded_text
from opspilot.tenancy import kept, returning
from opspilot.tenancy import selectors as people
from opspilot.tenancy.preferences import Preferences
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.roles import (
    ACCESS_READERS,
    AGENT_READERS,
    ASKERS,
    CONNECTOR_READERS,
    EVERYBODY,
    POLICY_READERS,
    TRAIL_READERS,
    WORK_KEEPERS,
)
from opspilot.tenancy.scope import scope_is_open

MENU_TENANTS = 8  # somebody with more chooses on a page: each name costs a query

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Page:
    url: str
    label: str | Promise
    icon: str
    key: str
    current: bool
    count: str = ""


_PAGES = (
    ("painel:index", _("Painel"), "panel", "i", EVERYBODY),
    ("harness:index", _("Perguntar"), "ask", "p", ASKERS),
    ("approvals:inbox", _("Aprovações"), "inbox", "a", EVERYBODY),
    ("grounding:index", _("Conhecimento"), "book", "c", EVERYBODY),
    ("audit:start", _("Trilha"), "trail", "t", TRAIL_READERS),
    ("acessos:index", _("Acessos"), "person", "s", ACCESS_READERS),
    ("policies:index", _("Políticas"), "shield", "o", POLICY_READERS),
    ("agents:index", _("Agentes"), "agent", "e", AGENT_READERS),
    ("conectores:index", _("Conectores"), "link", "n", CONNECTOR_READERS),
    ("dead_letter:index", _("Trabalho parado"), "clock", "f", WORK_KEEPERS),
)


def shell(request: HttpRequest) -> dict[str, Any]:
    """Template context. `shell` is None for somebody with no tenant, whose pages stand alone."""
    look = getattr(request, "preferences", None) or Preferences()
    principal: Principal | None = getattr(request, "principal", None)
    if principal is None or not scope_is_open():
        return {"shell": None, "look": look} | _way_in(request)
    pages = [_page(request, principal, *page) for page in _PAGES if principal.has(*page[4])]
    return {
        "look": look,
        "shell": {
            "tenant_name": principal.tenant_name,
            "user_name": principal.name,
            "pages": pages,
            "waiting": "".join(page.count for page in pages),
            "stops": _stops if principal.company_stopped else [],
            **_companies(request, principal),
        },
    }


def _stops() -> list[dict[str, str]]:
    """The emergency stops in force. Asked by the template, so that no part of a page asks; where
    they cannot be read the frame is drawn all the same."""
    try:
        with transaction.atomic():
            rows = stopping.in_force()
    except DatabaseError as exc:
        log.error("the stops could not be read", exc_info=exc)
        return []
    return [
        {"url": reverse("paradas:stop", args=[row.ref]), "label": stop_words.line(row)}
        for row in rows
    ]


def _companies(request: HttpRequest, principal: Principal) -> dict[str, Any]:
    """The other companies of the person, when there are any, as many as a menu can hold."""
    mine = getattr(request, "tenant_ids", [])
    others = [tenant_id for tenant_id in mine if tenant_id != principal.tenant_id]
    shown = others if len(others) < MENU_TENANTS else []
    return {"has_others": bool(others), "others": people.named(shown)}


def _way_in(request: HttpRequest) -> dict[str, bool]:
    """For the login page: somebody was here and did not leave, and whether words of theirs wait.
    Asks nothing of the database where it has already failed."""
    reached = hasattr(request, "preferences") and "next" in {*request.GET, *request.POST}
    if not reached or request.user.is_authenticated:
        return {"session_ended": False, "text_kept": False}
    return {
        "session_ended": returning.read(request) is not None,
        "text_kept": kept.is_waiting(request),
    }


def _page(
    request: HttpRequest,
    principal: Principal,
    name: str,
    label: Promise,
    icon: str,
    key: str,
    _roles: tuple[Role, ...],
) -> Page:
    url = reverse(name)
    current = request.path == url or (url != "/" and request.path.startswith(url))
    waiting = _to_decide(request, principal) if name == "approvals:inbox" else ""
    return Page(url, label, icon, key, current, waiting)


def _to_decide(request: HttpRequest, principal: Principal) -> str:
    """How many, in words; nothing for none, and where the queue cannot be read: the frame is drawn
    all the same, on error pages too. A page that has counted leaves it on the request."""
    count: int | None = getattr(request, "to_decide", None)
    try:
        if count is None:
            with transaction.atomic():
                count = approvals.to_decide(principal=principal)
    except DatabaseError as exc:
        log.error("the queue could not be counted", exc_info=exc)
    language = get_language() or "pt-br"
    return bounded_text(count, bound=BOUND, language=language) if count else ""
