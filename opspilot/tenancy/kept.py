"""Text somebody was writing when their session ended: kept on the server until they are back.

One form, its named fields only, in the session that the browser has now. It is offered once, on
the page of that form, to the same person in the same company; anybody else's login drops it. A
view declares what it keeps with `tenancy.http.keeps_typed`: never a password, never a document
number (I9), never a file.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import urljoin

from django.contrib import messages
from django.http import HttpRequest
from django.utils.translation import gettext as _

from opspilot.tenancy import returning
from opspilot.tenancy.principal import Principal

MAX_CHARACTERS = 20_000
_KEY = "texto_guardado"


@dataclass(frozen=True, slots=True)
class Keeping:
    """What a view keeps of a POST: fields of one value, fields of several, and whether it had
    files, which are never kept. `page` leads from the view's address to that of its form."""

    fields: tuple[str, ...] = ()
    many: tuple[str, ...] = ()
    files: bool = False
    page: str = ""


def form_page(request: HttpRequest) -> str | None:
    """The local address of the page this POST's form stands on, if its view keeps anything. What
    the address asked for (a filter, a place in a queue) goes along."""
    keeping, asked = _declared(request), request.META.get("QUERY_STRING", "")
    if keeping is None:
        return None
    page = urljoin(request.path, keeping.page)
    return f"{page}{'&' if '?' in page else '?'}{asked}" if asked else page


def keep(request: HttpRequest) -> bool:
    """Keep what this POST carried for the person who was here. False when nothing was kept."""
    keeping, who = _declared(request), returning.read(request)
    if keeping is None or who is None or request.method != "POST":
        return False
    fields: dict[str, Any] = {
        name: request.POST[name] for name in keeping.fields if request.POST.get(name)
    }
    fields |= {name: request.POST.getlist(name) for name in keeping.many if name in request.POST}
    if sum(len(str(value)) for value in fields.values()) > MAX_CHARACTERS:
        return False
    request.session[_KEY] = {
        "page": form_page(request),
        "fields": fields,
        "files": keeping.files,
        "user": who.user_id,
        "tenant": str(who.tenant_id),
    }
    return bool(fields)


def is_waiting(request: HttpRequest) -> bool:
    """Whether words (not only the news of lost files) wait for somebody to log in."""
    session = getattr(request, "session", None)
    return session is not None and bool(session.get(_KEY, {}).get("fields"))


def meet(request: HttpRequest, principal: Principal) -> None:
    """Give the text back on its page, with a word about it; drop it for anybody else."""
    waiting = request.session.get(_KEY)
    if waiting is None:
        return
    mine = (waiting["user"], waiting["tenant"]) == (principal.user_id, str(principal.tenant_id))
    opened = request.method == "GET" and request.get_full_path() == waiting["page"]
    if mine and not opened:
        return
    del request.session[_KEY]
    if mine:
        request.kept = waiting["fields"]  # type: ignore[attr-defined]
        _announce(request, waiting)


def fields(request: HttpRequest) -> dict[str, Any]:
    """What came back for this page, by field name: initial values of its form, or nothing."""
    return dict(getattr(request, "kept", {}))


def _announce(request: HttpRequest, waiting: dict[str, Any]) -> None:
    if waiting["fields"]:
        messages.info(request, _("O que você escrevia voltou. Nada foi enviado ainda."))
    if waiting["files"]:
        messages.warning(
            request,
            _("A sessão terminou antes do envio: nenhum arquivo foi guardado. Envie de novo."),
        )


def _declared(request: HttpRequest) -> Keeping | None:
    match = request.resolver_match
    return getattr(match.func, "keeping", None) if match else None
