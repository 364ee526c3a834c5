"""The seal in words, as the page of the trail's integrity and the dashboard draw it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import OuterRef, Subquery
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from audit.models import SealFault, TrailKey, TrailSeal, TrailVerification, TrailWatch
from audit.seal.windows import Reason
from audit.seal.windows import State as Kind
from opspilot.presentation.shapes import Fact, State

LATE = dt.timedelta(hours=2)  # nobody looked for so long: the worker stands still
SHOWN = 14  # checks on the page

_KINDS: dict[str, str | Promise] = {
    Kind.ALTERED: gettext_lazy("alterada"),
    Kind.MISSING: gettext_lazy("ausente"),
    Kind.FORGED: gettext_lazy("expiração forjada"),
}
_REASONS: dict[str, str | Promise] = {
    Reason.SEAL_CHANGED: gettext_lazy("O próprio selo foi mudado depois de assinado."),
    Reason.SEAL_UNPROVED: gettext_lazy("O selo foi feito com uma chave que ninguém apresentou."),
    Reason.SEAL_OFF_CHAIN: gettext_lazy("O selo não segue o anterior."),
    Reason.SEAL_GONE: gettext_lazy("O selo sumiu."),
    Reason.ROW_CHANGED: gettext_lazy("Uma linha foi mudada depois de escrita."),
    Reason.ROWS_GONE: gettext_lazy("Há menos linhas do que havia ao selar."),
    Reason.ROWS_ADDED: gettext_lazy("Há linhas que não havia ao selar."),
    Reason.ROWS_REWRITTEN: gettext_lazy("Linhas foram reescritas ou trocadas."),
    Reason.WINDOW_EMPTIED: gettext_lazy("Todas as linhas sumiram, e nenhuma expiração as explica."),
    Reason.NOT_SEALED: gettext_lazy("Há linhas deste dia que nenhum selo cobre."),
    Reason.HEAD_GONE: gettext_lazy("Sumiu o selo que uma conferência anterior anotou."),
    Reason.HEAD_CHANGED: gettext_lazy("O selo não é o que uma conferência anterior anotou."),
    Reason.FORGED_EXPIRY: gettext_lazy("A expiração não está assinada por uma chave de confiança."),
}
_FAULTS: dict[str, tuple[State, str | Promise, str | Promise]] = {
    SealFault.NO_KEY: (
        "failed",
        gettext_lazy("sem chave"),
        gettext_lazy("A trilha não está sendo selada: falta a chave do selo."),
    ),
    SealFault.BAD_KEY: (
        "failed",
        gettext_lazy("chave ilegível"),
        gettext_lazy("A trilha não está sendo selada: a chave do selo não pode ser lida."),
    ),
    SealFault.BAD_SEAL: (
        "failed",
        gettext_lazy("selo sem prova"),
        gettext_lazy("A trilha não está sendo selada: o último selo não é de uma chave conhecida."),
    ),
    SealFault.OPEN_WRITER: (
        "attention",
        gettext_lazy("à espera"),
        gettext_lazy("O selo espera por uma gravação que ainda não terminou."),
    ),
}


@dataclass(frozen=True, slots=True)
class Verdict:
    """The state in a word and a sentence, and what to do about it; no act while all is well."""

    state: State
    word: str
    text: str
    act: str = ""


@dataclass(frozen=True, slots=True)
class Check:
    at: dt.datetime
    day: dt.date
    windows: int
    rows: int
    state: State
    word: str
    found: str


@dataclass(frozen=True, slots=True)
class Integrity:
    verdict: Verdict
    facts: list[Fact]
    checks: list[Check]
    keys: list[TrailKey]


def integrity(now: dt.datetime) -> Integrity:
    """What the page shows of the scope's company."""
    seals = TrailSeal.objects.order_by("number")
    first, last = seals.first(), seals.last()
    checks = list(TrailVerification.objects.order_by("-id")[:SHOWN])
    found = verdict(_watch(), sealed=last is not None, now=now)
    facts = [Fact(_("Estado"), found.word, state=found.state), _since(first), _sealed(last)]
    if checks:
        facts.append(Fact(_("Última conferência"), at=checks[0].at))
    return Integrity(
        found, facts, [_check(row) for row in checks], list(TrailKey.objects.order_by("-id"))
    )


def trouble(now: dt.datetime) -> Verdict | None:
    """For the dashboard: nothing while the trail is sealed and as it was sealed."""
    watch = _watch()
    found = verdict(watch, sealed=True, now=now)
    return found if watch and found.act else None


def _watch() -> TrailWatch | None:
    """With the last check's outcome as `good`, read together."""
    newest = TrailVerification.objects.filter(tenant_id=OuterRef("tenant_id")).order_by("-id")
    return TrailWatch.objects.annotate(good=Subquery(newest.values("good")[:1])).first()


def verdict(watch: TrailWatch | None, *, sealed: bool, now: dt.datetime) -> Verdict:
    """`sealed`: there is a first seal. A check that failed stands before all else."""
    if watch is not None and getattr(watch, "good", None) is False:
        return _broken()
    if watch is not None and watch.fault:
        state, word, text = _FAULTS[watch.fault]
        return Verdict(state, str(word), str(text), _act_on(watch.fault))
    if watch is not None and watch.looked_at and now - watch.looked_at > LATE:
        text = _("Há mais de duas horas ninguém sela a trilha.")
        act = _("Quem cuida da instalação deve conferir se o processo worker está de pé.")
        return Verdict("attention", _("atrasada"), text, act)
    if not sealed:
        text = _("O primeiro selo sai quando terminar a primeira hora com registros.")
        return Verdict("pending", _("ainda não selada"), text)
    return Verdict("done", _("selada"), _held(watch))


def _held(watch: TrailWatch | None) -> str:
    if watch is None or getattr(watch, "good", None) is None:
        return _("O que terminou está selado; a primeira conferência ainda não foi feita.")
    return _("A última conferência encontrou tudo como foi selado.")


def _broken() -> Verdict:
    return Verdict(
        "failed",
        _("não confere"),
        _("A última conferência encontrou a trilha diferente de como foi selada."),
        _(
            "Não corrija nem apague nada. Guarde uma cópia do banco, rode verify_trail com a última"
            " cabeça que foi guardada fora e trate como incidente: a janela está na tabela abaixo."
        ),
    )


def _act_on(fault: str) -> str:
    if fault == SealFault.OPEN_WRITER:
        return _("O console tenta de novo sozinho; se durar, procure a transação aberta no banco.")
    if fault == SealFault.BAD_SEAL:
        return _(
            "Não apague nada. Guarde uma cópia do banco, rode verify_trail e trate como incidente:"
            " alguém escreveu um selo no lugar do worker, ou falta a chave anterior."
        )
    return _(
        "Quem cuida da instalação define OPSPILOT_SEAL_KEY_FILE para o worker e o reinicia."
        " O que ficou sem selo é selado então."
    )


def _since(first: TrailSeal | None) -> Fact:
    label = _("Selada desde")
    return Fact(label, at=first.from_at) if first else Fact(label, _("ainda não"))


def _sealed(last: TrailSeal | None) -> Fact:
    label = _("Último selo, até")
    if last is None:
        return Fact(label, _("nenhum"))
    return Fact(label, _("nº %(number)s") % {"number": last.number}, at=last.until_at)


def _check(row: TrailVerification) -> Check:
    state, word = _outcome(row)
    day = row.from_at.astimezone(dt.UTC).date()
    return Check(row.at, day, row.windows, row.rows, state, word, _found(row))


def _outcome(row: TrailVerification) -> tuple[State, str]:
    if not row.good:
        return "failed", str(_KINDS.get(row.first_bad.get("state", ""), ""))
    return ("done", _("intacta")) if row.windows else ("pending", _("nada a conferir"))


def _found(row: TrailVerification) -> str:
    if row.good and not row.windows:
        return _("Não houve linhas neste dia.")
    if row.good:
        return ngettext(
            "%(count)s linha como foi selada", "%(count)s linhas como foram seladas", row.rows
        ) % {"count": row.rows}
    return f"{_window(row.first_bad)} {_REASONS.get(row.first_bad.get('reason', ''), '')}"


def _window(bad: Mapping[str, Any]) -> str:
    if bad.get("number") is None:
        return _("Fora dos selos:")
    return _("Janela nº %(number)s:") % {"number": bad["number"]}
