"""Destinations and notices as their pages draw them. An address is never shown whole: its path may
be the other side's secret."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from opspilot.notices import report_runs, seconds
from opspilot.notices.models import Destination, Kind, Notice, NoticeState
from opspilot.notices.selectors import Troubles
from opspilot.presentation.shapes import Fact, State

_STATE: dict[str, State] = {
    NoticeState.PENDENTE: "pending",
    NoticeState.ENVIADO: "done",
    NoticeState.FALHOU: "failed",
    NoticeState.DESCARTADO: "pending",
}
_OUTCOMES: dict[str, Promise] = {
    "nao_permitido": gettext_lazy(
        "o endereço não está na lista de saída, ou leva a uma rede privada"
    ),
    "sem_conexao": gettext_lazy("não foi possível conectar"),
    "sem_resposta": gettext_lazy("a resposta não veio"),
    "interrompido": gettext_lazy("o envio foi interrompido"),
}
_OFF: dict[str, Promise] = {
    "destino_410": gettext_lazy("o destino disse que não existe mais (410)"),
    "admin": gettext_lazy("um admin desligou"),
}


@dataclass(frozen=True, slots=True)
class Line:
    """A notice in a table. `url` leads to what it is about."""

    what: str
    channel: str
    at: dt.datetime
    attempts: int
    state: State
    word: str
    why: str
    url: str


def host(destination: Destination) -> str:
    return urlsplit(destination.url).netloc


def place_state(destination: Destination) -> tuple[State, str]:
    return ("done", _("ligado")) if destination.active else ("attention", _("desligado"))


def facts(destination: Destination) -> list[Fact]:
    state, word = place_state(destination)
    off = _OFF.get(destination.off_reason)
    return [
        Fact(_("Host"), host(destination)),
        Fact(_("Formato"), str(destination.get_format_display())),
        Fact(_("Estado"), word, state=state, note=str(off) if off else ""),
        Fact(_("Incluído"), at=destination.created_at),
    ]


def lines(notices: Sequence[Notice], places: dict[str, str]) -> list[Line]:
    return [_line(notice, places) for notice in notices]


def headline(found: Troubles) -> str:
    """What the page says of the deliveries, in one sentence."""
    if not (found.failed or found.waiting):
        return _("Tudo o que precisava sair saiu.")
    failed = ngettext(
        "%(count)s aviso não saiu nos últimos 7 dias",
        "%(count)s avisos não saíram nos últimos 7 dias",
        found.failed,
    ) % {"count": found.failed}
    waiting = ngettext(
        "%(count)s aviso espera por outra tentativa",
        "%(count)s avisos esperam por outra tentativa",
        found.waiting,
    ) % {"count": found.waiting}
    parts = [failed] * bool(found.failed) + [waiting] * bool(found.waiting)
    return "; ".join(parts) + "."


def _line(notice: Notice, places: dict[str, str]) -> Line:
    kind = str(notice.get_kind_display())
    return Line(
        what=f"{kind[:1].upper()}{kind[1:]}",
        channel=_channel(notice.recipient, places),
        at=notice.settled_at or notice.created_at,
        attempts=notice.attempts,
        state=_STATE[notice.state],
        word=str(notice.get_state_display()),
        why=_why(notice.outcome),
        url=_url(notice),
    )


def _url(notice: Notice) -> str:
    if notice.kind in seconds.KINDS:
        return seconds.path_of(notice)
    if notice.kind == Kind.RELATORIO:
        return report_runs.path_of(notice)
    return reverse("approvals:detail", args=[notice.approval.ref]) if notice.approval else ""


def _channel(recipient: str, places: dict[str, str]) -> str:
    """By which way; a person's letters are not told apart here."""
    if recipient in places:
        return places[recipient]
    return _("agente") if recipient.startswith("agente:") else _("e-mail")


def _why(outcome: str) -> str:
    if outcome.startswith("recusado_"):
        code = outcome.rpartition("_")[2]
        return _("o destino respondeu com o código %(code)s") % {"code": code}
    return str(_OUTCOMES.get(outcome, ""))
