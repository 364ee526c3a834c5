"""The dashboard's lists, numbers and health as the components draw them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from approvals.inbox import wording
from approvals.inbox.listing import count_words
from approvals.inbox.selectors import Row
from approvals.models import AgenteAprovacao, Decision, PolicyDraft, StandingPermission
from audit.models import TrailRetention
from audit.months.inspecting import LEAST_AHEAD
from audit.seal.page import Verdict
from grounding.intake.batches import FileRow
from grounding.models import Upload, UploadState
from grounding.pages import wording as file_wording
from opspilot.conectores.page import Trouble
from opspilot.painel.queries import HOURS, STEPS, Day, Decided, Underway
from opspilot.presentation.formats import (
    clock_text,
    day_of_year_text,
    money_text,
    number_text,
    until_text,
    wait_text,
)
from opspilot.presentation.shapes import Point, State

RECENT = dt.timedelta(days=7)  # a refused file older than this was seen by whoever sent it
SLOW = dt.timedelta(minutes=5)


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a list: `level` and `deadline` of what is to decide, `state` of anything else."""

    url: str
    title: str
    sub: str
    level: str = ""
    deadline: dt.datetime | None = None
    state: State | None = None
    word: str = ""


@dataclass(frozen=True, slots=True)
class Metric:
    label: str
    value: str
    note: str
    points: list[Point]
    kind: str = "number"


@dataclass(frozen=True, slots=True)
class Health:
    label: str
    state: State
    word: str
    sub: str = ""


def to_decide(rows: Sequence[Row]) -> list[Line]:
    """By what it is, how risky, and until when there is time."""
    return [
        Line(
            url=reverse("approvals:detail", args=[row.proposal.ref]),
            title=wording.sentence(row.proposal),
            sub=f"{_title(row.proposal)} · {row.proposal.solicitante_nome}",
            level=row.proposal.risco,
            deadline=row.proposal.expira_em,
        )
        for row in rows
    ]


def followed(rows: Sequence[Row]) -> list[Line]:
    """By where each stands, with the reason where there is one."""
    return [_followed(row) for row in rows]


def _followed(row: Row) -> Line:
    state, word = wording.state(row.proposal, row.execution, row.effect)
    why = wording.reason(row.execution.reason) if row.execution else ""
    return Line(
        url=reverse("approvals:detail", args=[row.proposal.ref]),
        title=wording.sentence(row.proposal),
        sub=" · ".join(part for part in (_title(row.proposal), why) if part),
        state=state,
        word=word,
    )


def refused(files: Sequence[Upload], now: dt.datetime) -> list[Line]:
    """Files refused lately that no later sending of the same name has made good."""
    accepted: dict[str, dt.datetime] = {}
    for file in files:
        if file.state == UploadState.APPROVED:
            accepted[file.name] = max(file.created_at, accepted.get(file.name, file.created_at))
    return [
        Line(
            url=reverse("grounding:index"),
            title=file.name,
            sub=file_wording.detail(FileRow(file, "ended", 0)),
            state="failed",
            word=_("arquivo recusado"),
        )
        for file in files
        if file.state == UploadState.REJECTED
        and file.created_at > now - RECENT
        and file.created_at > accepted.get(file.name, now - RECENT)
    ]


def with_people(count: int) -> list[Line]:
    """Requests that wait for somebody to take them over."""
    if not count:
        return []
    words = ngettext(
        "%(count)s pedido espera por uma pessoa", "%(count)s pedidos esperam por uma pessoa", count
    ) % {"count": count}
    return [
        Line(
            url=reverse("rodadas:with_people"),
            title=words,
            sub=_("Repassados, ou em revisão depois de uma falha."),
            state="attention",
            word=_("ninguém assumiu"),
        )
    ]


def undelivered(failed: int, waiting: int) -> list[Line]:
    """That people are not told what they should be, while it is so."""
    if not (failed or waiting):
        return []
    words = ngettext("%(count)s aviso não saiu", "%(count)s avisos não saíram", failed + waiting)
    return [
        Line(
            url=reverse("notices:index"),
            title=words % {"count": failed + waiting},
            sub=_("As decisões valem do mesmo jeito; quem devia saber não soube."),
            state="attention",
            word=_("avisos parados"),
        )
    ]


def connectors(found: Sequence[Trouble]) -> list[Line]:
    """Remote systems that the last check found otherwise than the policy takes them to be."""
    return [
        Line(
            url=reverse("conectores:index"),
            title=one.title,
            sub=one.sub,
            state=one.state,
            word=one.word,
        )
        for one in found
    ]


def seal(found: Verdict | None) -> list[Line]:
    """That the trail is not sealed, or not as it was sealed."""
    if found is None:
        return []
    title = _("Selo da trilha: %(word)s") % {"word": found.word}
    url = reverse("audit:integrity")
    return [Line(url=url, title=title, sub=found.text, state=found.state, word=found.word)]


def undecidable(count: int) -> list[Line]:
    """That proposals wait which nobody could decide."""
    if not count:
        return []
    words = ngettext(
        "%(count)s proposta sem aprovador elegível",
        "%(count)s propostas sem aprovador elegível",
        count,
    )
    return [
        Line(
            url=reverse("acessos:index"),
            title=words % {"count": count},
            sub=_("Sem mais gente no papel pedido, expiram sem decisão."),
            state="attention",
            word=_("faltam aprovadores"),
        )
    ]


def seconds(drafts: Sequence[PolicyDraft], permissions: Sequence[StandingPermission]) -> list[Line]:
    """What another admin wrote and this one can give."""
    lines = [
        Line(
            url=reverse("policies:draft", args=[row.ref]),
            title=_("Uma política espera por outro admin"),
            sub=f"{row.author_name} · {row.reason}",
            state="attention",
            word=_("espera por você"),
        )
        for row in drafts
    ]
    return lines + [
        Line(
            url=reverse("permissoes:permission", args=[row.ref]),
            title=_("Uma permissão permanente espera por outro admin"),
            sub=f"{row.proposed_name} · {row.reason}",
            state="attention",
            word=_("espera por você"),
        )
        for row in permissions
    ]


def retention(rule: TrailRetention | None) -> list[Line]:
    """How long the trail is kept, when another admin wrote it and this one can put it in force."""
    if rule is None:
        return []
    return [
        Line(
            url=reverse("audit:retention"),
            title=_("Uma regra de retenção da trilha espera por outro admin"),
            sub=f"{rule.author_name} · {rule.reason}",
            state="attention",
            word=_("espera por você"),
        )
    ]


def headline(count: int, lines: Sequence[Line]) -> str:
    """How much waits and until when there is time for the first of it."""
    if not lines or lines[0].deadline is None:
        return ""
    at = timezone.localtime(lines[0].deadline)
    words = ngettext(
        "%(count)s decisão espera por você. A mais próxima vence às %(at)s.",
        "%(count)s decisões esperam por você. A mais próxima vence às %(at)s.",
        count,
    )
    today = at.date() == timezone.localdate()
    day = day_of_year_text(at, language=_language())
    when = f"{at:%H:%M}" if today else f"{at:%H:%M} ({day})"
    return words % {"count": count_words(count), "at": when}


def last_decision(decision: Decision | None, proposal: AgenteAprovacao | None) -> str:
    if decision is None or proposal is None:
        return _("Ainda não houve decisão.")
    at = timezone.localtime(decision.decided_at)
    return _("Última decisão: %(what)s, %(who)s %(verdict)s às %(at)s de %(day)s.") % {
        "what": wording.sentence(proposal),
        "who": decision.subject_name,
        "verdict": decision.get_verdict_display(),
        "at": clock_text(at)[:5],
        "day": day_of_year_text(at, language=_language()),
    }


def metrics(day: Day, decided: Decided, now: dt.datetime) -> list[Metric]:
    return [
        Metric(
            _("Decididas"), str(sum(decided.counts)), _median(decided), _points(decided.counts, now)
        ),
        Metric(
            _("Expiradas"),
            str(sum(day.expired)),
            _("sem decisão no prazo"),
            _points(day.expired, now),
        ),
        _handed_over(day, now),
        _spent(day, now),
    ]


def partitions(months: Sequence[str], today: dt.date) -> Health:
    """How far ahead of this month the trail has room."""
    ahead = sum(month > f"{today:%Y-%m}" for month in months)
    words = ngettext("%(count)s mês à frente", "%(count)s meses à frente", ahead)
    state: State = "done" if ahead >= LEAST_AHEAD else "failed"
    return Health(_("Partições"), state, words % {"count": ahead})


def underway(found: Underway, now: dt.datetime) -> Health:
    if found.oldest is None:
        return Health(_("Fila"), "done", _("nada em andamento"))
    words = ngettext("%(count)s em andamento", "%(count)s em andamento", found.count)
    slow = now - found.oldest > SLOW
    since = until_text(found.oldest, now=now, language=_language())
    return Health(
        _("Fila"),
        "attention" if slow else "running",
        words % {"count": found.count},
        _("a mais antiga %(since)s") % {"since": since},
    )


def given_up(count: int) -> Health:
    """What the worker deals with no more; admins have it on a page."""
    if not count:
        return Health(_("Trabalho parado"), "done", _("nada parado"))
    words = ngettext("%(count)s parado", "%(count)s parados", count) % {"count": count}
    return Health(_("Trabalho parado"), "attention", words, _("um admin pode tentar de novo"))


def provider(documents: int) -> Health:
    """Answers come from the runbooks alone in this version: a mode, not a fault."""
    words = ngettext(
        "Responde só com trechos de %(count)s documento ativo, sem modelo externo.",
        "Responde só com trechos de %(count)s documentos ativos, sem modelo externo.",
        documents,
    )
    return Health(_("Provedor"), "done", _("modo embutido"), words % {"count": documents})


def _title(proposal: AgenteAprovacao) -> str:
    return str(proposal.proposta.get("title", ""))


def _median(decided: Decided) -> str:
    if decided.median_seconds is None:
        return _("nenhuma decisão")
    span = wait_text(round(decided.median_seconds), language=_language())
    return _("mediana até decidir: %(span)s") % {"span": span}


def _handed_over(day: Day, now: dt.datetime) -> Metric:
    """The rate of the queue's health, of one day."""
    over, whole = sum(day.handed_over), sum(day.handed_over) + sum(day.effects)
    share = f"{number_text(round(100 * over / whole, 1), language=_language())} %" if whole else "–"
    note = _("de repasses e efeitos concluídos")
    return Metric(_("Repasse a uma pessoa"), share, note, _points(day.handed_over, now))


def _spent(day: Day, now: dt.datetime) -> Metric:
    total = sum(day.spent)
    known = total > 0 or day.spent_unknown == 0
    amount = money_text(total, language=_language()) if known else _("não informado")
    note = _("modo embutido: sem custo")
    if day.spent_unknown:
        note = ngettext(
            "%(count)s linha sem custo informado",
            "%(count)s linhas sem custo informado",
            day.spent_unknown,
        ) % {"count": day.spent_unknown}
    return Metric(
        _("Gasto"),
        amount,
        note if total == 0 or day.spent_unknown else "",
        _points(day.spent, now),
        "centavos",
    )


def _points(values: Sequence[int | Decimal], now: dt.datetime) -> list[Point]:
    """Each value under the local time at which its two hours begin."""
    step = dt.timedelta(hours=HOURS / STEPS)
    first = timezone.localtime(now) - dt.timedelta(hours=HOURS)
    return [Point(f"{first + step * place:%H:%M}", value) for place, value in enumerate(values)]


def _language() -> str:
    return get_language() or "pt-br"
