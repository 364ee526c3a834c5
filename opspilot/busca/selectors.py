"""Where a search leads: one page by its id, or lists of what the person may open."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from approvals.inbox import selectors as approvals
from approvals.inbox import wording
from approvals.models import AgenteAprovacao
from audit.story import queries as trail
from grounding.access import readable
from grounding.models import Document
from opspilot.busca import typed
from opspilot.errors import NotFoundError
from opspilot.harness import selectors as runs
from opspilot.tenancy import sql
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.roles import ASKERS, EVERYBODY, POLICY_READERS, TRAIL_READERS

LIMIT = 10
_SQL = Path(__file__).parent / "sql"
_PAGES: tuple[tuple[str, Promise, tuple[Role, ...]], ...] = (
    ("painel:index", gettext_lazy("Painel"), EVERYBODY),
    ("harness:index", gettext_lazy("Perguntar"), ASKERS),
    ("rodadas:command", gettext_lazy("Comando explícito"), ASKERS),
    ("approvals:inbox", gettext_lazy("Aprovações"), EVERYBODY),
    ("grounding:index", gettext_lazy("Conhecimento"), EVERYBODY),
    ("audit:start", gettext_lazy("Trilha"), TRAIL_READERS),
    ("policies:index", gettext_lazy("Políticas"), POLICY_READERS),
)


@dataclass(frozen=True, slots=True)
class Found:
    url: str
    title: str
    sub: str = ""


@dataclass(frozen=True, slots=True)
class Group:
    """Results of one kind; `full` says that there may be more."""

    title: str
    items: list[Found]

    @property
    def full(self) -> bool:
        return len(self.items) == LIMIT


def page_of(*, principal: Principal, ref: UUID) -> str:
    """The address of the one thing with this id that the person may open; empty without one."""
    if AgenteAprovacao.objects.filter(ref=ref).exists():
        return reverse("approvals:detail", args=[ref])
    if Document.objects.filter(ref=ref, collection_id__in=readable.ids(principal)).exists():
        return reverse("grounding:document", args=[ref])
    try:
        return reverse("rodadas:run", args=[runs.run(principal=principal, ref=ref).ref])
    except NotFoundError:
        pass  # not a run, or not theirs to read: their trail may still know it
    if principal.has(*TRAIL_READERS) and trail.run_history(correlation_id=ref, limit=1):
        return reverse("audit:correlation", args=[ref])
    return ""


def groups(*, principal: Principal, text: str) -> list[Group]:
    """Everything of the company whose words hold the text, by kind; kinds without any are left out."""
    if len(text) < typed.SHORTEST:
        return []
    prefix = typed.as_hash_prefix(text)
    found = [
        Group(_("Páginas"), _pages(principal, text)),
        Group(
            _("Aprovações por código"), _proposals("by_hash", prefix=f"{prefix}%") if prefix else []
        ),
        Group(_("Aprovações"), _proposals("proposals", pattern=typed.pattern(text))),
        Group(_("Documentos"), _documents(principal, text)),
    ]
    return [group for group in found if group.items]


def _pages(principal: Principal, text: str) -> list[Found]:
    wanted = typed.pattern(text).strip("%")
    return [
        Found(reverse(name), str(label))
        for name, label, roles in _PAGES
        if principal.has(*roles) and wanted in typed.pattern(str(label))
    ]


def _proposals(name: str, **parameters: str) -> list[Found]:
    refs = [ref for (ref,) in sql.rows(_SQL / f"{name}.sql", limit=LIMIT, **parameters)]
    found = AgenteAprovacao.objects.filter(ref__in=refs).defer("evidencia", "justificativa")
    rows = approvals.with_progress(sorted(found, key=lambda row: refs.index(row.ref)))
    return [_proposal(row) for row in rows]


def _proposal(row: approvals.Row) -> Found:
    """With the state the queue shows: that of its effect, once there is one."""
    _drawn, state = wording.state(row.proposal, row.execution, row.effect)
    action = row.proposal.proposta
    title = str(action.get("title", "")) if isinstance(action, dict) else ""
    return Found(
        reverse("approvals:detail", args=[row.proposal.ref]),
        wording.sentence(row.proposal),
        " · ".join(part for part in (title, row.proposal.solicitante_nome, state) if part),
    )


def _documents(principal: Principal, text: str) -> list[Found]:
    rows = sql.rows(
        _SQL / "documents.sql",
        limit=LIMIT,
        pattern=typed.pattern(text),
        collections=readable.ids(principal),
    )
    return [
        Found(reverse("grounding:document", args=[ref]), title, f"{name} · {collection}")
        for ref, title, name, collection in rows
    ]
