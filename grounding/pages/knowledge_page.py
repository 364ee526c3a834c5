"""What the knowledge page shows, from its address: the files sent, the list, and its filters."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import Any, get_args
from urllib.parse import urlencode
from uuid import UUID

from django.core.signing import Signer
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from grounding.access.readable import Readable
from grounding.intake import batches, quarantine
from grounding.intake.batches import Batch, FileRow
from grounding.intake.uploads import INTERRUPTED
from grounding.models import Upload, UploadState
from grounding.pages import catalogue, selectors, wording
from grounding.pages.catalogue import OF_FILES, Page, Row, State
from grounding.pages.forms import UploadForm
from opspilot.presentation.addresses import whole_number
from opspilot.presentation.shapes import Chip
from opspilot.presentation.shapes import State as Drawn
from opspilot.tenancy import kept
from opspilot.tenancy.http import TenantRequest
from opspilot.tenancy.principal import Principal
from opspilot.tenancy.roles import UPLOADERS

_LABELS: dict[State, Promise] = {
    "ativo": gettext_lazy("ativo"),
    "processando": gettext_lazy("processando"),
    "quarentena": gettext_lazy("em quarentena"),
    "recusado": gettext_lazy("recusado"),
    "substituido": gettext_lazy("substituído"),
    "vencido": gettext_lazy("revisão vencida"),
    "a_retirar": gettext_lazy("fora da fonte"),
    "retirado": gettext_lazy("retirado"),
    "apagado": gettext_lazy("apagado"),
}
_DRAWN: dict[State, Drawn] = {
    "ativo": "done",
    "substituido": "pending",
    "vencido": "attention",
    "a_retirar": "attention",
    "retirado": "pending",
    "apagado": "pending",
}
_SELDOM: tuple[State, ...] = ("vencido", "a_retirar", "retirado", "apagado")
"""Offered as a filter only where there is something to see."""


@dataclass(frozen=True, slots=True)
class FileLine:
    """A file as a row of the table draws it."""

    row: FileRow
    state: Drawn
    word: str
    detail: str
    can_retry: bool
    url: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """A document or a file of the list."""

    row: Row
    state: Drawn
    word: str
    url: str
    note: str


@dataclass(frozen=True, slots=True)
class Where:
    """The filters of the address; what it does not know it leaves out."""

    state: State = "ativo"
    collection: str = ""
    page: int = 1

    def url(self, **changes: Any) -> str:
        asked = {"state": self.state, "collection": self.collection, "page": 1} | changes
        names = {"state": "estado", "collection": "colecao", "page": "pagina"}
        plain = {"state": "ativo", "collection": "", "page": 1}
        kept = {names[key]: value for key, value in asked.items() if value != plain[key]}
        return (
            f"?{urlencode(kept)}#documentos" if kept else f"{reverse('grounding:index')}#documentos"
        )


def whole(request: TenantRequest) -> dict[str, Any]:
    """Everything on the page."""
    where, collections = _where(request), selectors.collections(who=request.principal)
    mine = [found.id for found in collections]
    slug = where.collection or (collections[0].slug if collections else "")
    batch = uuid.uuid4()
    token = _signer(request.principal).sign(str(batch))
    initial = {"colecao": slug, "envio": token} | kept.fields(request)
    return (
        _live(request, mine)
        | _list(request.principal, where, collections, mine)
        | {"form": UploadForm(initial=initial)}
        | {"upload_url": f"?{urlencode({'envio': batch, 'vistos': catalogue.newest()})}"}
    )


def live(request: TenantRequest) -> dict[str, Any]:
    """The part that follows the worker: the files sent, and what was published meanwhile."""
    return _live(request, selectors.collection_ids(who=request.principal))


def _live(request: TenantRequest, mine: list[int]) -> dict[str, Any]:
    admin = request.principal.has(*UPLOADERS)
    ref = _uuid(request.GET.get("envio", ""))
    page = whole_number(request.GET.get("envio_pagina")) or 1
    shown = batches.batch(ref, readable=mine, number=page) if ref else batches.latest(readable=mine)
    seen = whole_number(request.GET.get("vistos")) if request.htmx else None
    seen = catalogue.newest() if seen is None else seen
    silence = batches.silence() if admin else None
    return {
        "admin": admin,
        "batch": ref,
        "files": [_file_line(row) for row in shown.rows] if admin else [],
        "is_open": admin and shown.is_open,
        "summary": wording.summary(shown.states),
        "silence": wording.silence(silence) if silence else "",
        "fresh": catalogue.published_after(seen, readable=mine),
        "follow_url": _follow_url(ref, page, seen),
        "batch_pages": _batch_pages(shown, ref),
    }


def batch_of(principal: Principal, token: str) -> UUID:
    """The batch a page began for this person; a new one without a token. Raises BadSignature.

    Signed, because the batch is what the trail groups by: nobody may write into another's story.
    """
    return UUID(_signer(principal).unsign(token)) if token else uuid.uuid4()


def _list(
    principal: Principal, where: Where, collections: list[Readable], mine: list[int]
) -> dict[str, Any]:
    admin = principal.has(*UPLOADERS)
    allowed = where.state not in OF_FILES or admin
    page = (
        catalogue.page(
            readable=mine, state=where.state, collection=where.collection, number=where.page
        )
        if allowed
        else Page([], 1, 0)
    )
    return {
        "allowed": allowed,
        "where": where,
        "lines": _lines(where.state, page),
        "shown": _shown(page),
        "previous_url": where.url(page=page.number - 1) if page.number > 1 else "",
        "next_url": where.url(page=page.number + 1) if page.has_next else "",
        "states": _state_chips(where, mine, admin=admin),
        "collections": _collection_chips(where, collections),
        "filtered": where != Where(),
        "clear_url": Where().url(),
        "none_words": _none_words(where),
        "total": catalogue.counts(readable=mine, states=["ativo"])["ativo"],
        "collection_count": len(collections),
    }


def _lines(state: State, page: Page) -> list[Line]:
    files = [row.upload for row in page.rows if row.upload is not None]
    located = {found.upload.pk: found for found in batches.located(files)} if files else {}
    return [_line(state, row, located) for row in page.rows]


def _line(state: State, row: Row, located: dict[int, FileRow]) -> Line:
    if row.upload is not None:
        found = located[row.upload.pk]
        return Line(row, *wording.state(found), _file_url(row.upload), wording.detail(found))
    url = reverse("grounding:document", args=[row.ref])
    url = f"{url}?versao={row.number}" if state == "substituido" else url
    return Line(row, _DRAWN[state], str(_LABELS[state]), url, wording.findings([*row.findings]))


def _file_line(row: FileRow) -> FileLine:
    retry = row.upload.code == INTERRUPTED
    url = _file_url(row.upload)
    return FileLine(row, *wording.state(row), wording.detail(row), retry, url)


def _file_url(upload: Upload) -> str:
    """Where the findings of a file stand that is or was in quarantine."""
    if upload.state == UploadState.NEEDS_REVIEW or upload.code == quarantine.REFUSED:
        return reverse("grounding:quarantined", args=[upload.ref])
    return ""


def _state_chips(where: Where, mine: list[int], *, admin: bool) -> list[Chip]:
    states = [state for state in _LABELS if admin or state not in OF_FILES]
    counts = catalogue.counts(readable=mine, states=states, collection=where.collection)
    return [
        Chip(str(_LABELS[s]), where.url(state=s), on=s == where.state, count=counts[s])
        for s in states
        if counts[s] or s == where.state or s not in _SELDOM
    ]


def _collection_chips(where: Where, collections: list[Readable]) -> list[Chip]:
    if len(collections) < 2 and not where.collection:
        return []
    chips = [Chip(_("todas"), where.url(collection=""), on=not where.collection)]
    return chips + [
        Chip(found.name, where.url(collection=found.slug), on=found.slug == where.collection)
        for found in collections
    ]


def _none_words(where: Where) -> str:
    label = str(_LABELS[where.state])
    if where.collection:
        return _("Nada em estado “%(state)s” na coleção %(collection)s.") % {
            "state": label,
            "collection": where.collection,
        }
    return _("Nada em estado “%(state)s”.") % {"state": label}


def _shown(page: Page) -> str:
    """How much of the list is on the page; empty when it is all of it."""
    if page.total <= len(page.rows):
        return ""
    facts = {"first": page.first, "last": page.last, "total": page.total}
    return _("%(first)s a %(last)s de %(total)s") % facts


def _batch_pages(shown: Batch, ref: UUID | None) -> list[Chip]:
    count = -(-shown.total // batches.PAGE)
    if ref is None or count < 2:
        return []
    return [
        Chip(str(page), f"?envio={ref}&envio_pagina={page}#envio", on=page == shown.number)
        for page in range(1, count + 1)
    ]


def _follow_url(ref: UUID | None, page: int, seen: int) -> str:
    asked = {"envio": str(ref), "envio_pagina": page} if ref else {}
    return f"{reverse('grounding:index')}?{urlencode(asked | {'vistos': seen})}"


def _where(request: TenantRequest) -> Where:
    state = request.GET.get("estado", "")
    collection = request.GET.get("colecao", "")
    return Where(
        state=state if state in get_args(State) else "ativo",  # type: ignore[arg-type]
        collection=collection if collection.isprintable() else "",
        page=whole_number(request.GET.get("pagina")) or 1,
    )


def _signer(principal: Principal) -> Signer:
    return Signer(salt=f"grounding.envio/{principal.tenant_id}/{principal.subject}")


def _uuid(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None
