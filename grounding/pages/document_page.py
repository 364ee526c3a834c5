"""The page of one document: its text with the passages' borders, its versions, who cites it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from grounding.evidence import overdue_words
from grounding.life import citing, keeping, standing
from grounding.models import Chunk, Document, Upload, UploadState, Version
from grounding.pages import presenters, selectors, wording
from opspilot.errors import NotFoundError
from opspilot.presentation import differences
from opspilot.presentation.addresses import whole_number
from opspilot.presentation.shapes import Fact, Tab
from opspilot.tenancy.http import TenantRequest
from opspilot.tenancy.roles import UPLOADERS

VIEWS = ("texto", "trechos", "versoes", "citacoes")
SHOWN_PASSAGES, SHOWN_PLACES = 200, 50
MOST_LINES = 5_000  # of two texts that are compared: the time grows with their product


@dataclass(frozen=True, slots=True)
class Passage:
    """One passage between its borders."""

    number: int
    heading: str
    text: str
    url: str


@dataclass(frozen=True, slots=True)
class VersionLine:
    number: int
    word: str
    state: str
    version: Version
    url: str
    compare_url: str  # empty for the oldest and for a text that is gone


def whole(request: TenantRequest, document: Document) -> dict[str, Any]:
    """Everything on the page, of the version the address names or of the active one."""
    number = whole_number(request.GET.get("versao"))
    version = selectors.version(document=document, number=number)
    asked = request.GET.get("ver", "")
    view = asked if asked in VIEWS else "texto"
    active = Version.objects.filter(document=document, active=True).defer("text").first()
    return {
        "document": document,
        "version": version,
        "collection": document.collection,
        "admin": request.principal.has(*UPLOADERS),
        "facts": presenters.facts(version) + _keepers(document),
        "banner": _banner(document, version, active),
        "successor": _successor(standing.refused_successor(document, active), active),
        "tabs": _tabs(document, version, view),
        "view": view,
        **_VIEWS[view](request, document, version),
    }


def tombstone(document: Document) -> dict[str, Any]:
    """What stays of a deleted document: who, when and why."""
    versions = standing.versions(document)
    if not versions:
        raise NotFoundError
    return {
        "document": document,
        "version": versions[0],
        "collection": document.collection,
        "facts": [
            Fact(_("Apagado"), at=document.deleted_at),
            Fact(_("Por"), document.deleted_by_name),
            Fact(_("Motivo"), document.deleted_reason),
            Fact(_("Versões"), str(len(versions))),
            Fact("SHA-256", versions[0].sha256[:16]),
        ],
    }


def difference(before: Version, after: Version) -> list[differences.Line] | None:
    """None for texts too long to be compared on a page."""
    lines = before.text.count("\n") + after.text.count("\n")
    return None if lines > MOST_LINES else differences.changes(before.text, after.text)


def _text(request: TenantRequest, document: Document, version: Version) -> dict[str, Any]:
    span = (whole_number(request.GET.get("de")), whole_number(request.GET.get("ate")))
    chunk = selectors.chunk(version=version, number=whole_number(request.GET.get("trecho")))
    return {"reading": presenters.reading(version, chunk, span)}


def _passages(request: TenantRequest, document: Document, version: Version) -> dict[str, Any]:
    rows = Chunk.objects.filter(version=version).order_by("ordinal")
    shown = [_passage(row, document, version) for row in rows[:SHOWN_PASSAGES]]
    return {"passages": shown, "more": max(0, rows.count() - len(shown))}


def _passage(row: Chunk, document: Document, version: Version) -> Passage:
    query = urlencode({"versao": version.number, "trecho": row.ordinal + 1})
    url = f"{_address(document)}?{query}#trecho"
    return Passage(row.ordinal + 1, " › ".join(row.heading_path), row.text, url)


def _versions(request: TenantRequest, document: Document, version: Version) -> dict[str, Any]:
    found = standing.versions(document)
    compared = whole_number(request.GET.get("antes"))
    context: dict[str, Any] = {"versions": [_line(document, row) for row in found]}
    if compared is None or compared == version.number:
        return context
    before = selectors.version(document=document, number=compared)
    return context | {"before": before, "difference": difference(before, version)}


def _line(document: Document, row: Version) -> VersionLine:
    page, number = _address(document), row.number
    word, state = (_("ativa"), "done") if row.active else (_("substituída"), "pending")
    if not row.active and row.replaced_at is None:
        word, state = _("retirada"), "pending"
    query = urlencode({"versao": number, "ver": "versoes", "antes": number - 1})
    compare = f"{page}?{query}#diferenca" if number > 1 else ""
    return VersionLine(number, word, state, row, f"{page}?versao={number}", compare)


def _places(request: TenantRequest, document: Document, version: Version) -> dict[str, Any]:
    ids = list(Version.objects.filter(document=document).values_list("pk", flat=True))
    counted = citing.count(ids)
    places = citing.places(ids, principal=request.principal, limit=SHOWN_PLACES)
    return {"places": places, "counted": counted_words(counted)}


def counted_words(found: citing.Cited) -> str:
    answers = ngettext("%(n)s resposta", "%(n)s respostas", found.answers)
    proposals = ngettext("%(n)s proposta", "%(n)s propostas", found.proposals)
    waiting = ngettext("%(n)s à espera", "%(n)s à espera", found.waiting)
    said = [answers % {"n": found.answers}, proposals % {"n": found.proposals}]
    return ", ".join([*said, waiting % {"n": found.waiting}] if found.waiting else said)


def _keepers(document: Document) -> list[Fact]:
    late = standing.is_overdue(document)
    day = wording.date(document.review_by) if document.review_by else _("sem data")
    words = overdue_words(document.review_by) if late else day
    return [
        Fact(_("Tipo"), str(document.get_tipo_display())),
        Fact(_("Dono"), keeping.owner_words(document.dono) or _("ninguém")),
        Fact(_("Revisar até"), words, state="attention" if late else ""),
    ]


def _banner(document: Document, version: Version, active: Version | None) -> dict[str, str]:
    """What somebody who follows an old citation is told first; empty on the active version."""
    page = _address(document)
    if active is None:
        return _retired(document)
    if version.pk == active.pk:
        return {}
    replaced = version.replaced_at
    facts = {"day": wording.moment(replaced) if replaced else "", "number": active.number}
    query = urlencode({"versao": active.number, "ver": "versoes", "antes": version.number})
    return {
        "title": _("Substituído em %(day)s pela versão %(number)s.") % facts,
        "text": _("Você está lendo a versão %(number)s, que já foi substituída.")
        % {"number": version.number},
        "url": page,
        "link": _("Ler a versão ativa"),
        "compare_url": f"{page}?{query}#diferenca",
    }


def _retired(document: Document) -> dict[str, str]:
    if document.retired_at is None:
        return {}
    title = _("Retirado da busca em %(day)s.") % {"day": wording.moment(document.retired_at)}
    return {"title": title, "text": document.retired_reason}


def _successor(upload: Upload | None, active: Version | None) -> str:
    if upload is None or active is None:
        return ""
    facts = {
        "day": wording.moment(upload.created_at),
        "reason": wording.reason(upload).rstrip("."),
        "number": active.number,
    }
    if upload.state == UploadState.NEEDS_REVIEW:
        words = _(
            "O arquivo enviado em %(day)s está em quarentena; continua valendo a versão %(number)s."
        )
        return words % facts
    words = _(
        "O arquivo enviado em %(day)s foi recusado: %(reason)s. Continua valendo a versão %(number)s."
    )
    return words % facts


def _tabs(document: Document, version: Version, view: str) -> list[Tab]:
    labels = {
        "texto": _("Texto"),
        "trechos": _("Trechos"),
        "versoes": _("Versões"),
        "citacoes": _("Quem cita"),
    }
    counts = {
        "trechos": Chunk.objects.filter(version=version).count(),
        "versoes": Version.objects.filter(document=document).count(),
    }
    return [
        Tab(label, _tab_url(document, version, name), name == view, counts.get(name))
        for name, label in labels.items()
    ]


def _tab_url(document: Document, version: Version, name: str) -> str:
    asked = {} if version.active else {"versao": str(version.number)}
    asked |= {} if name == "texto" else {"ver": name}
    return f"{_address(document)}?{urlencode(asked)}" if asked else _address(document)


def _address(document: Document) -> str:
    return reverse("grounding:document", args=[document.ref])


_VIEWS = {"texto": _text, "trechos": _passages, "versoes": _versions, "citacoes": _places}
