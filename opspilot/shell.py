"""What every page's frame needs: the tenant in words, the person, and the pages their role opens."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from approvals import selectors as approvals
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.roles import ASKERS, EVERYBODY, TRAIL_READERS
from opspilot.tenancy.scope import scope_is_open


@dataclass(frozen=True, slots=True)
class Page:
    url: str
    label: str | Promise
    icon: str
    key: str
    current: bool
    count: int | None = None


_PAGES = (
    ("painel:index", _("Painel"), "panel", "i", EVERYBODY),
    ("harness:index", _("Perguntar"), "ask", "p", ASKERS),
    ("approvals:inbox", _("Aprovações"), "inbox", "a", EVERYBODY),
    ("grounding:index", _("Conhecimento"), "book", "c", EVERYBODY),
    ("audit:lookup", _("Trilha"), "trail", "t", TRAIL_READERS),
)


def shell(request: HttpRequest) -> dict[str, Any]:
    """Template context; empty for somebody with no tenant, whose pages stand alone."""
    principal: Principal | None = getattr(request, "principal", None)
    if principal is None or not scope_is_open():
        return {"shell": None}
    return {
        "shell": {
            "tenant_name": principal.tenant_name,
            "user_name": principal.name,
            "pages": [
                _page(request, principal, *page) for page in _PAGES if principal.has(*page[4])
            ],
        }
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
    waiting = approvals.to_decide(principal=principal) if name == "approvals:inbox" else None
    return Page(url, label, icon, key, current, waiting)
