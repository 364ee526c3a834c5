"""What stands around the frozen action on its page, as the shapes the templates draw."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from approvals import drafts
from approvals.actions import ISSUE_CREATED
from approvals.inbox import wording
from approvals.inbox.chain import Attempt, Chain
from approvals.inbox.open_issues import Seen
from approvals.models import AgenteAprovacao, Comment, State
from opspilot.presentation.formats import without_ids
from opspilot.presentation.hidden_text import invisible_count, lookalike_count
from opspilot.presentation.markdown import as_drawn
from opspilot.presentation.shapes import Entry, FrozenField

_FAULTS = {
    "destino_sem_acesso": lambda: _("o destino não deixou ler a lista"),
    "destino_ocupado": lambda: _("o destino pediu para esperar"),
    "lista_indisponivel": lambda: _("o destino não respondeu"),
}


@dataclass(frozen=True, slots=True)
class Said:
    """A line of a list of pairs. `mono` for what is compared sign by sign."""

    label: str
    value: str
    mono: bool = False


def drawn(proposal: AgenteAprovacao, marker: str) -> str:
    """The body as the issue tracker will draw it, marker included; "" for other kinds."""
    if proposal.acao != ISSUE_CREATED:
        return ""
    return as_drawn(drafts.body(proposal.proposta, marker)["description"])


def asked_by(proposal: AgenteAprovacao, owner_name: str) -> list[Said]:
    """Who asked and, where it was an agent, through what. Nothing that is unknown is left out."""
    if not proposal.agente:
        return [Said(_("Pessoa"), proposal.solicitante_nome)]
    unknown = _("não informado")
    return [
        Said(_("Agente"), f"{proposal.solicitante_nome} ({proposal.agente})"),
        Said(_("Responde por ele"), owner_name or proposal.agente_dono),
        Said(_("Modelo"), proposal.modelo or unknown, mono=bool(proposal.modelo)),
        Said(
            _("Versão da instrução"),
            proposal.instrucao_hash or unknown,
            mono=bool(proposal.instrucao_hash),
        ),
    ]


def attempts(proposal: AgenteAprovacao, chain: Chain) -> list[Entry]:
    """The whole chain in order, this proposal in its place. Empty when there is no other."""
    if not chain.attempts:
        return []
    here = Entry(proposal.criada_em, _("Esta proposta."), icon="check")
    earlier = [_attempt(item) for item in chain.attempts if not item.later]
    return [*earlier, here, *(_attempt(item) for item in chain.attempts if item.later)]


def _attempt(item: Attempt) -> Entry:
    proposal = item.proposal
    state, word = wording.state(proposal, item.execution)
    words = _("Tentativa anterior: %(state)s.")
    if item.later:
        words = _("Pedida de novo: %(state)s.")
    return Entry(
        proposal.criada_em,
        words % {"state": word},
        state=state,
        sub=" ".join(_fate(item)),
        url=reverse("approvals:detail", args=[proposal.ref]),
    )


def _fate(item: Attempt) -> Iterator[str]:
    """Who closed it and why, and why its effect stands where it stands."""
    proposal, execution = item.proposal, item.execution
    if proposal.decidida_por and proposal.estado != State.EXPIRADA:
        yield _("Por %(who)s.") % {"who": without_ids(proposal.decidida_por)}
    if proposal.motivo:
        yield _("Motivo: %(reason)s") % {"reason": proposal.motivo}
    if execution is not None and execution.reason:
        yield wording.reason(execution.reason).capitalize() + "."


def looked_words(seen: Seen) -> str:
    """How much is known of the open issues, in one sentence; its time stands beside it."""
    if seen.looked_at is None:
        fault = _FAULTS.get(seen.fault)
        if fault:
            return _("Não se sabe: %(why)s. O sistema tenta de novo.") % {"why": fault()}
        return _("Ainda não foi procurado. O sistema procura em instantes.")
    words = ngettext("%(n)s issue aberta lida", "%(n)s issues abertas lidas", seen.read) % {
        "n": seen.read
    }
    if not seen.complete:
        words = _("%(words)s, as mais novas; o projeto tem mais") % {"words": words}
    return words + "."


def fault_words(seen: Seen) -> str:
    """That the last try failed, where an earlier one is still shown."""
    fault = _FAULTS.get(seen.fault) if seen.looked_at else None
    return _("A tentativa mais nova falhou: %(why)s.") % {"why": fault()} if fault else ""


def hidden(
    proposal: AgenteAprovacao, fields: Sequence[FrozenField], said: Sequence[Comment]
) -> list[str]:
    """The names of what a reader sees here that has characters they would not see or would take
    for others."""
    shown: list[tuple[str, Any]] = [(field.label, field.value) for field in fields]
    shown += [
        (_("Quem pediu"), proposal.solicitante_nome),
        (_("Motivo de quem pediu"), proposal.justificativa),
        (_("Motivo da decisão"), proposal.motivo or ""),
        (_("Comentários"), [comment.text for comment in said]),
        (_("Modelo"), proposal.modelo),
    ]
    return [label for label, value in shown if _is_deceptive(value)]


def _is_deceptive(value: str | Sequence[str]) -> bool:
    texts = [value] if isinstance(value, str) else value
    return any(invisible_count(text) or lookalike_count(text) for text in texts)
