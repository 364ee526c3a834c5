"""A run as the page shows it. Quotes come from the database at the moment of reading."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from approvals import neutral, wording
from approvals.drafts import Draft
from approvals.policy_document import PolicyDocument
from grounding import evidence, search
from grounding.search import Source
from opspilot.harness.models import Run, RunState
from opspilot.presentation.shapes import Fact, State, Step
from opspilot.presentation.shapes import Source as Cited

_LEVELS: dict[str, State] = {
    "alta": "done",
    "media": "done",
    "baixa": "attention",
    "nenhuma": "pending",
}
_REASONS: dict[str, Promise] = {
    "terms_found": gettext_lazy("os termos da pergunta estão nos trechos"),
    "terms_missing": gettext_lazy("parte dos termos da pergunta não está nos trechos"),
    "close_passage": gettext_lazy("há um trecho de sentido próximo"),
    "no_close_passage": gettext_lazy("nenhum trecho tem sentido próximo"),
    "legs_agree": gettext_lazy("busca por palavras e por sentido acharam o mesmo runbook"),
    "legs_disagree": gettext_lazy("busca por palavras e por sentido acharam runbooks diferentes"),
    "unknown_identifier": gettext_lazy("há identificadores que nenhum runbook tem"),
    "languages_differ": gettext_lazy("pergunta e runbook estão em línguas diferentes"),
    "nothing_found": gettext_lazy("nada foi encontrado"),
}


_MARKUP = re.compile(r"`([^`\n]+)`|\*\*")


@dataclass(frozen=True, slots=True)
class Piece:
    """Part of a sentence, its Markdown emphasis or code drawn instead of spelled."""

    text: str
    code: bool = False
    strong: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence of the answer with the number and address of its citation."""

    text: str
    pieces: list[Piece]
    number: int
    url: str
    title: str


@dataclass(frozen=True, slots=True)
class Answer:
    lines: list[Line]
    sources: list[Cited]
    level_word: str
    level_state: State
    reasons: list[str]
    seconds: float


def steps(run: Run) -> list[Step]:
    """Where the wait stands."""
    queued = run.state == RunState.QUEUED
    return [
        Step(_("na fila"), "running" if queued else "done", current=queued),
        Step(_("buscando"), "pending" if queued else "running", current=not queued),
        Step(_("conferindo citações"), "pending"),
    ]


def answer(run: Run) -> Answer | None:
    """The answer, each sentence with its citation; None while there is none."""
    if run.state != RunState.ANSWERED:
        return None
    sentences = run.answer["sentences"]
    found = search.sources([s["chunk_id"] for s in sentences])
    order = list(dict.fromkeys(s["chunk_id"] for s in sentences if s["chunk_id"] in found))
    lines = [_line(s, found[s["chunk_id"]], order) for s in sentences if s["chunk_id"] in found]
    level = run.answer["coverage"]["level"]
    return Answer(
        lines=lines,
        sources=[_cited(found[chunk_id], sentences) for chunk_id in order],
        level_word=wording.coverage(level),
        level_state=_LEVELS[level],
        reasons=_reasons(run.answer),
        seconds=run.answer["duration_ms"] / 1000,
    )


def nearest(run: Run) -> list[Cited]:
    """Titles close to a question that found no basis."""
    if run.state != RunState.ABSTAINED:
        return []
    ids = run.answer.get("nearest", [])
    found = search.sources(ids)
    kept: dict[int, Source] = {}
    for chunk_id in ids:
        if chunk_id in found:
            kept.setdefault(found[chunk_id].document_id, found[chunk_id])
    return [
        Cited(source.title, evidence.passage_url(source), version=source.version_number,
              sub=source.collection_name)
        for source in list(kept.values())[:3]
    ]  # fmt: skip


def written(run: Run) -> dict[str, Any]:
    """The command as it was filled in before, for the person who goes back to correct it."""
    fields = run.command["fields"]
    return {
        "alias": fields["alias"],
        "titulo": fields["title"],
        "descricao": fields["description"],
        "etiquetas": fields["labels"],
        "responsaveis": fields["assignees"],
        "justificativa": run.command["justification"],
    }


def suggestion(run: Run, policy: PolicyDocument) -> dict[str, Any]:
    """A first draft of the issue from the answer, for the person to correct."""
    shown = answer(run)
    if shown is None:
        return {}
    # A table's row alone says nothing in a list.
    kept = [line.text for line in shown.lines if not line.text.startswith("|")]
    found = "\n".join(text if text.startswith(("-", "1")) else f"- {text}" for text in kept)
    cited = "\n".join(
        f"- {source.title}, {_('versão')} {source.version}, {_('trecho')} {source.part}"
        for source in shown.sources
    )
    return {
        "alias": next((s.sub for s in shown.sources if s.sub in policy.projects), ""),
        "titulo": shown.sources[0].title[:120] if shown.sources else "",
        "descricao": f"## {_('O que os runbooks dizem')}\n{found}\n\n## {_('Fontes')}\n{cited}",
    }


def draft_facts(draft: Draft, client: str) -> list[Fact]:
    outcome = draft.outcome
    customer = [Fact(_("Cliente"), client)] if client else []
    return [
        *customer,
        Fact(_("Risco"), level=outcome.risk),
        Fact(_("Aprovações"), str(outcome.quorum), note=outcome.approver_role),
        Fact(_("Política"), _("versão %(number)s") % {"number": draft.policy.number}),
        Fact(_("Cobertura"), wording.coverage(draft.coverage)),
    ]


def neutralised(typed: dict[str, Any], stored: dict[str, Any]) -> bool:
    """Whether something of what was typed was made inert, and not merely tidied, when stored."""
    title = " ".join(neutral.normalise(typed["title"]).split())
    text = neutral.normalise(typed["description"])
    return (title, text) != (stored["title"], stored["description"])


def _line(sentence: dict[str, Any], source: Source, order: list[int]) -> Line:
    return Line(
        text=sentence["text"],
        pieces=list(_pieces(sentence["text"])),
        number=order.index(sentence["chunk_id"]) + 1,
        url=evidence.passage_url(source, start=sentence["start"], end=sentence["end"]),
        title=source.title,
    )


def _pieces(text: str) -> Iterator[Piece]:
    """The sentence split at its markup. A lone pair of asterisks stays as it is written."""
    bold = sum(match.group() == "**" for match in _MARKUP.finditer(text)) % 2 == 0
    strong, start = False, 0
    for match in _MARKUP.finditer(text):
        if match.group() == "**" and not bold:
            continue
        if match.start() > start:
            yield Piece(text[start : match.start()], strong=strong)
        if match.group(1):
            yield Piece(match.group(1), code=True)
        else:
            strong = not strong
        start = match.end()
    if start < len(text):
        yield Piece(text[start:], strong=strong)


def _cited(source: Source, sentences: list[dict[str, Any]]) -> Cited:
    first = next(s for s in sentences if s["chunk_id"] == source.chunk_id)
    return Cited(
        title=source.title,
        url=evidence.passage_url(source, start=first["start"], end=first["end"]),
        version=source.version_number,
        part=source.ordinal + 1,
        sub=source.collection_name,
    )


def _reasons(content: dict[str, Any]) -> list[str]:
    return [str(_REASONS.get(code, code)) for code in content["coverage"]["reasons"]]
