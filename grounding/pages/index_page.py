"""The health of a company's index as its admins read it: each line with what to do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db.models import QuerySet
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from grounding.intake import policies
from grounding.models import Collection, Document, KnowledgeIndex, Search
from grounding.pages import selectors
from grounding.pages.index_forms import CuttingForm
from grounding.reading.chunking import STANDARD, Policy
from grounding.upkeep import filling, growing
from opspilot.presentation.shapes import Fact, State
from opspilot.tenancy.principal import Principal

TEMPLATE = "grounding/index_health.html"


@dataclass(frozen=True, slots=True)
class Line:
    name: str
    number: int
    meaning: str
    act: str = ""
    names: Sequence[str] = field(default_factory=tuple)

    @property
    def state(self) -> State:
        return "attention" if self.act else "done"

    @property
    def word(self) -> str:
        return _("atenção") if self.act else _("em ordem")


def whole(principal: Principal, form: CuttingForm | None = None) -> dict[str, Any]:
    row = KnowledgeIndex.objects.first()
    mine, chosen = selectors.collection_rows(who=principal), policies.of_all()
    measured = bool(row and row.looked_at)
    return {
        "row": row,
        "facts": _facts(row) if row else [],
        "filling": _filling(row) if row and row.target else None,
        "lines": list(_lines(row, mine)) if row and measured else [],
        "chunkers": _chunkers(row, chosen) if row and measured else [],
        "collections": [(one, _form(one, chosen, form)) for one in mine],
    }


def _form(
    collection: Collection, chosen: Mapping[int, Policy], refused: CuttingForm | None
) -> CuttingForm:
    if refused is not None and refused.data.get("colecao") == str(collection.pk):
        return refused
    return CuttingForm.of(collection, chosen.get(collection.pk, STANDARD))


def _facts(row: KnowledgeIndex) -> list[Fact]:
    recall = "" if row.recall is None else _("acha %(share)s do que a exata acha") % {
        "share": f"{number_format(row.recall * 100, 1)} %"
    }  # fmt: skip
    off = row.search == Search.TURNED_OFF
    return [
        Fact(_("Trechos em uso"), number_format(row.health.get("passages", 0))),
        Fact(_("Busca por sentido"), str(Search(row.search).label), recall, "", row.recalled_at,
             "attention" if off else ""),
        Fact(_("Modelo da busca por sentido"), row.space.partition("/")[0], row.space.partition("/")[2]),
        Fact(_("Medido"), "" if row.looked_at else _("ainda não"), at=row.looked_at),
    ]  # fmt: skip


def _filling(row: KnowledgeIndex) -> dict[str, Any]:
    why = {
        filling.SILENT: _("O modelo novo não responde. A busca continua com o de antes."),
        filling.REFUSED: _("O modelo novo recusou um trecho. A busca continua com o de antes."),
        filling.NOBODY: _("O modelo novo não está mais configurado."),
    }
    return {
        "words": _("%(done)s de %(total)s trechos")
        % {"done": number_format(row.done), "total": number_format(row.total)},
        "target": row.target,
        "fault": why.get(row.fault, ""),
    }


def _lines(row: KnowledgeIndex, mine: QuerySet[Collection]) -> Iterator[Line]:
    found = row.health
    yield _orphans(found["orphans"])
    yield _unseen(found["unseen"])
    yield _stranded(found["stranded"])
    yield _drifted(found["drifted"])
    yield _textless(found["textless"])
    yield _alike(found, mine)
    yield _deletions(found["deletions"])
    if row.search == Search.TURNED_OFF:
        yield Line(
            _("Busca aproximada desligada"),
            1,
            _(
                "A medição da noite ficou abaixo de %(floor)s %%. A busca exata responde, mais lenta."
            )
            % {"floor": int(growing.FLOOR * 100)},
            _("Peça outra medição; se cair de novo, avise quem opera o sistema."),
        )


def _orphans(number: int) -> Line:
    act = _("Avise quem opera o sistema: o banco deveria impedir isto.") if number else ""
    return Line(
        _("Registros órfãos"), number, _("Termos, vetores ou trechos sem o seu documento."), act
    )


def _unseen(number: int) -> Line:
    act = _("Espere: o preenchimento é automático. Até lá a busca por palavras os acha.")
    return Line(
        _("Trechos sem vetor"), number, _("A busca por sentido não os vê."), act if number else ""
    )


def _stranded(number: int) -> Line:
    act = _("Nada a fazer: saem sozinhos uma hora depois da troca de modelo.")
    return Line(
        _("Vetores de outro modelo"), number, _("Restos de uma troca; ninguém os consulta."),
        act if number else "",
    )  # fmt: skip


def _drifted(number: int) -> Line:
    act = _("Espere: são recortados de novo, um documento por vez.")
    return Line(
        _("Documentos com recorte antigo"), number, _("Cortados por regra que já mudou."),
        act if number else "",
    )  # fmt: skip


def _textless(number: int) -> Line:
    act = _("Envie de novo um arquivo com texto, ou apague o documento.")
    return Line(
        _("Documentos sem texto"), number, _("Ativos, e sem um trecho que se possa achar."),
        act if number else "",
    )  # fmt: skip


def _alike(found: dict[str, Any], mine: QuerySet[Collection]) -> Line:
    names = dict(
        Document.objects.filter(
            collection__in=mine, pk__in=[one for pair in found["alike_pairs"] for one in pair]
        ).values_list("pk", "name")
    )
    pairs = [f"{names[a]} ≈ {names[b]}" for a, b in found["alike_pairs"] if {a, b} <= set(names)]
    compared = ngettext(
        "Pares de documentos com um trecho quase igual, em %(n)s trecho comparado.",
        "Pares de documentos com um trecho quase igual, nos %(n)s trechos mais novos.",
        found["compared"],
    )
    act = _("Confira se um deles é cópia: se for, apague-o. Se só um nome muda, deixe os dois.")
    return Line(
        _("Quase iguais"), found["alike"], compared % {"n": number_format(found["compared"])},
        act if found["alike"] else "", pairs,
    )  # fmt: skip


def _deletions(found: dict[str, Any]) -> Line:
    said = ngettext(
        "%(n)s documento apagado foi procurado pelo nome, e não pode ser achado.",
        "Os últimos %(n)s documentos apagados foram procurados pelo nome, e não podem ser achados.",
        found["asked"],
    )
    if not found["asked"]:
        said = _("Nenhum documento foi apagado ainda.")
    act = _("Avise quem opera o sistema: algo apagado ainda é achado.") if found["left"] else ""
    return Line(
        _("Exclusões provadas"),
        len(found["left"]),
        said % {"n": number_format(found["asked"])},
        act,
    )


def _chunkers(row: KnowledgeIndex, chosen: Mapping[int, Policy]) -> list[dict[str, Any]]:
    current = {STANDARD.chunker, *(policy.chunker for policy in chosen.values())}
    return [
        {"name": name, "documents": documents, "chunks": chunks, "current": name in current}
        for name, documents, chunks in row.health["chunkers"]
    ]
