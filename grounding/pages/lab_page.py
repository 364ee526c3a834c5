"""What the laboratory's pages show."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.formats import number_format
from django.utils.translation import gettext as _

from grounding.access import readable
from grounding.access.readable import Readable
from grounding.evidence import passage_url
from grounding.lab import looking, questions, trying
from grounding.lab.looking import Hit, Look, Missing, Place
from grounding.lab.trying import Figures, Measured
from grounding.models import Document, LabQuestion, LabState
from grounding.pages import coverage_words
from grounding.pages.lab_forms import FusionForm, LabAskForm, LabelForm, MissingForm
from grounding.retrieval import consult
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.scope import tenant_scope

TEMPLATE = "grounding/lab.html"
QUESTION = "grounding/lab_question.html"
MEASURES = "grounding/lab_measures.html"


@dataclass(frozen=True, slots=True)
class Line:
    """A passage that came, with its place in each leg."""

    number: int
    title: str
    url: str
    name: str
    score: str
    lexical: str
    vector: str


@dataclass(frozen=True, slots=True)
class Row:
    """A slice of the saved questions under one fusion."""

    slice: str
    fusion: str
    questions: int
    ndcg: str
    interval: str
    recall: str


def whole(form: LabAskForm | None = None) -> dict[str, Any]:
    return {
        "form": form or LabAskForm(),
        "waiting": _rows(LabState.WAITING),
        "tests": _rows(LabState.TEST),
        "history": _rows(LabState.ASKED),
    }


def question(
    principal: Principal, found: LabQuestion, *, about: str = "", role: str = ""
) -> dict[str, Any]:
    """Opens its own scopes: the question is translated and embedded with none open."""
    query = consult.prepare(found.text, tenant_id=principal.tenant_id)
    with tenant_scope(principal.tenant_id):
        mine = readable.by(principal)
        look = looking.look(query=query, readable=_as_role(role, mine), about=about, known=mine)
        return {
            "question": found,
            "lines": list(_lines(look.hits)),
            "level": coverage_words.level(look.coverage.level),
            "reasons": coverage_words.reasons(look.coverage.reasons),
            "calibration": look.coverage.calibration,
            "probability": number_format(look.coverage.probability, 2),
            "missing": _absence(look.missing) if look.missing else "",
            "missing_form": MissingForm(initial={"documento": about, "papel": role}),
            "label_form": _label_form(found, look, mine),
        }


def documents_to_label(principal: Principal) -> list[tuple[int, str]]:
    """Every document they may read: which of them a page has shown is no matter of trust."""
    mine = Document.objects.filter(collection_id__in=readable.ids(principal), deleted_at=None)
    return list(mine.values_list("pk", "name"))


def measures(measured: Measured, form: FusionForm | None = None) -> dict[str, Any]:
    return {
        "rows": list(_measured_rows(measured)),
        "in_force": measured.in_force.label,
        "other": measured.other.label,
        "difference": _difference(measured),
        "supported": measured.speaks_for_the_other,
        "floor": number_format(trying.FLOOR, 2),
        "least": trying.LEAST,
        "form": form or FusionForm(initial={"fusao": measured.other.value}),
    }


def _rows(state: LabState) -> list[dict[str, Any]]:
    return [
        {
            "title": one.text,
            "url": reverse("grounding:lab_question", args=[one.ref]),
            "sub": one.note or one.by_name,
            "at": one.at,
        }
        for one in questions.listed(state)
    ]


def _as_role(role: str, mine: list[Readable]) -> list[Readable]:
    """What the role reads of what they read themselves: trying a role shows nobody more."""
    if role not in Role.values:
        return mine
    theirs = readable.by_subjects([readable.role_subject(role)])
    return [one for one in mine if one in theirs]


def _lines(hits: Sequence[Hit]) -> Iterator[Line]:
    for number, hit in enumerate(hits, start=1):
        yield Line(
            number=number,
            title=hit.source.title,
            url=passage_url(hit.source),
            name=hit.source.document_name,
            score=number_format(hit.score, 2),
            lexical=_place(hit.lexical),
            vector=_place(hit.vector),
        )


def _place(place: Place | None) -> str:
    if place is None:
        return _("fora das 100")
    return _("%(rank)sª, %(score)s") % {
        "rank": place.rank,
        "score": number_format(place.score, 2),
    }


def _absence(missing: Missing) -> str:
    words = {
        "unknown": _("Nenhum documento tem este nome."),
        "deleted": _("Este documento foi apagado."),
        "unpublished": _("Este documento não tem versão ativa."),
        "not_granted": _("Um documento com este nome está numa coleção que não é lida aqui."),
        "not_in_pool": _("Não está entre os 100 melhores trechos de nenhuma das duas buscas."),
        "below": _("Foi achado, mas ficou abaixo do que se mostra."),
        "found": _("Está entre os trechos mostrados."),
    }
    places = [
        (_("juntas"), missing.rank),
        (_("por palavras"), missing.lexical),
        (_("por sentido"), missing.vector),
    ]
    said = ", ".join(f"{name}: {rank}º" for name, rank in places if rank is not None)
    return f"{missing.name}: {words[missing.why]}" + (f" ({said})" if said else "")


def _label_form(found: LabQuestion, look: Look, mine: Sequence[Readable]) -> LabelForm:
    shown = {hit.source.document_id: hit.source.document_name for hit in look.hits}
    expected = Document.objects.filter(
        pk__in=found.expected, collection_id__in=[one.id for one in mine]
    )
    marked = dict(expected.values_list("pk", "name"))
    return LabelForm(
        documents=list((shown | marked).items()),
        initial={
            "documentos": found.expected,
            "nenhum": found.state == LabState.TEST and not found.expected,
        },
    )


def _measured_rows(measured: Measured) -> Iterator[Row]:
    for name, figures in measured.slices.items():
        for fusion, each in figures.items():
            yield _row(name, str(fusion.label), each)


def _row(name: str, fusion: str, figures: Figures) -> Row:
    low, high = figures.interval
    return Row(
        slice={"": _("todas"), "pt": _("em português"), "en": _("em inglês")}.get(name, name),
        fusion=fusion,
        questions=figures.questions,
        ndcg=number_format(figures.ndcg, 3),
        interval=f"{number_format(low, 2)} – {number_format(high, 2)}",
        recall=number_format(figures.recall, 3),
    )


def _difference(measured: Measured) -> str:
    if not measured.difference:
        return ""
    found = measured.difference
    return _("nDCG@10 %(difference)s (de %(low)s a %(high)s)") % {
        "difference": f"{found['difference']:+.3f}",
        "low": f"{found['low']:+.3f}",
        "high": f"{found['high']:+.3f}",
    }
