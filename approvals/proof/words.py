"""The lines of a proof in words: what was asked, how it came out, and on what."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.timezone import localtime
from django.utils.translation import get_language, gettext_lazy, ngettext
from django.utils.translation import gettext as _

from approvals.inbox import execution_words, wording
from approvals.models import ExecutionState, Verdict
from approvals.proof.sentences import SENTENCES
from audit.proving import proof_lines
from audit.proving.proof_document import Attempt, Decision
from audit.proving.proof_lines import Line
from opspilot.presentation.formats import moment_text, short_hash
from opspilot.presentation.shapes import State
from opspilot.tenancy.principal import Role

_STATES: dict[proof_lines.State, tuple[State, Promise]] = {
    "ok": ("done", gettext_lazy("confere")),
    "red": ("failed", gettext_lazy("não confere")),
    "unknown": ("unknown", gettext_lazy("não se sabe")),
    "none": ("pending", gettext_lazy("não houve")),
}
_QUESTIONS: dict[str, Promise] = {
    "conteudo": gettext_lazy("O conteúdo guardado é o que foi proposto"),
    "identidade": gettext_lazy("O conteúdo é desta empresa, deste tipo e de quem pediu"),
    "mostrado": gettext_lazy("Cada decisão foi dada para exatamente este conteúdo"),
    "quorum": gettext_lazy("Pessoas diferentes aprovaram, em número bastante e no prazo"),
    "outra_pessoa": gettext_lazy("Quem decidiu não é quem pediu"),
    "papel": gettext_lazy("Quem aprovou tinha o papel naquele momento"),
    "politica_proposta": gettext_lazy("A política na proposta"),
    "politica_decisao": gettext_lazy("A política na decisão"),
    "politica_execucao": gettext_lazy("A política na execução"),
    "marcador": gettext_lazy("O marcador é o desta rodada e deste conteúdo"),
    "espera": gettext_lazy("Saiu depois da espera e dentro do prazo"),
    "tentativas": gettext_lazy("Cada pedido tem registro antes e resposta depois"),
    "corpo": gettext_lazy("O que saiu é o conteúdo guardado com o marcador"),
    "uma_vez": gettext_lazy("Nenhum pedido saiu de novo sem busca ou outra aprovação"),
    "destino": gettext_lazy("O efeito no destino"),
    "linhas": gettext_lazy("As linhas da trilha são as que foram gravadas"),
    "trilha": gettext_lazy("A trilha conta a proposta, as decisões e o efeito"),
    "selo": gettext_lazy("As linhas estão sob o selo da trilha"),
}
_SECTIONS: tuple[tuple[str, Promise, tuple[str, ...]], ...] = (
    (
        "decidido",
        gettext_lazy("O que foi proposto e decidido"),
        ("conteudo", "identidade", "mostrado", "quorum", "outra_pessoa", "papel"),
    ),
    (
        "politica",
        gettext_lazy("A política em cada momento"),
        ("politica_proposta", "politica_decisao", "politica_execucao"),
    ),
    (
        "efeito",
        gettext_lazy("O que saiu e o que voltou"),
        ("marcador", "espera", "tentativas", "corpo", "uma_vez", "destino"),
    ),
    ("trilha", gettext_lazy("O que a trilha guarda"), ("linhas", "trilha", "selo")),
)
_KINDS: dict[str, Promise] = {
    "envio": gettext_lazy("Pedido %(n)s"),
    "resposta": gettext_lazy("Resposta ao pedido %(n)s"),
    "busca": gettext_lazy("Busca %(n)s"),
}
_NOT_SEALED_YET = frozenset({"not_sealed", "nothing_sealed"})
_MOMENTS, _HASHES = frozenset({"at", "until"}), frozenset({"hash", "now", "marker"})


@dataclass(frozen=True, slots=True)
class Said:
    question: str
    state: State
    word: str
    sentence: str
    url: str


@dataclass(frozen=True, slots=True)
class Section:
    id: str
    title: str
    lines: list[Said]


@dataclass(frozen=True, slots=True)
class Decided:
    item: Decision
    verdict: str
    roles: str


@dataclass(frozen=True, slots=True)
class Attempted:
    item: Attempt
    what: str
    outcome: str


def decided(item: Decision) -> Decided:
    known = item.veredito in set(Verdict)
    verdict = str(Verdict(item.veredito).label) if known else item.veredito
    return Decided(item, verdict, ", ".join(_role(role) for role in item.papeis or ()))


def attempted(item: Attempt) -> Attempted:
    what = str(_KINDS.get(item.tipo, item.tipo)) % {"n": item.numero}
    return Attempted(item, what, execution_words.outcome(item.resultado))


def _role(code: str) -> str:
    return str(Role(code).label) if code in set(Role) else code


def sections(lines: Sequence[Line]) -> list[Section]:
    by_name = {line.name: line for line in lines}
    return [
        Section(id_, str(title), [_said(by_name[name]) for name in names])
        for id_, title, names in _SECTIONS
    ]


def verdict(lines: Sequence[Line], *, next_seal: dt.datetime | None) -> tuple[State, str, str]:
    """State, word and sentence of the whole: one red line is enough, and an unknown one is no green.
    Where only the seal has not come yet, that is said, and when it comes as far as that is known."""
    left = {line.code for line in lines if line.state in ("red", "unknown")}
    if left and left <= _NOT_SEALED_YET:
        return "pending", _("ainda não selado"), _waits(lines, next_seal)
    states = [line.state for line in lines]
    red, unknown, green = (states.count(state) for state in ("red", "unknown", "ok"))
    state: proof_lines.State = "red" if red else "unknown" if unknown else "ok"
    parts = [
        ngettext("%(n)s linha confere", "%(n)s linhas conferem", green) % {"n": green},
        ngettext("%(n)s não confere", "%(n)s não conferem", red) % {"n": red},
        ngettext("%(n)s não se sabe", "%(n)s não se sabem", unknown) % {"n": unknown},
    ]
    drawn, word = _STATES[state]
    return drawn, str(word), f"{', '.join(parts)}."


def _waits(lines: Sequence[Line], next_seal: dt.datetime | None) -> str:
    green = [line.state for line in lines].count("ok")
    holds = ngettext("%(n)s linha confere", "%(n)s linhas conferem", green) % {"n": green}
    if next_seal is None:
        return _("%(holds)s; ainda não selado, e o próximo selo não tem hora.") % {"holds": holds}
    at = f"{localtime(next_seal):%H:%M}"
    said = _("%(holds)s; ainda não selado: o próximo selo vem às %(at)s.")
    return said % {"holds": holds, "at": at}


def _said(line: Line) -> Said:
    state, word = _STATES[line.state]
    if line.code in _NOT_SEALED_YET:
        state, word = "pending", gettext_lazy("ainda não selado")
    values = {name: _shown(name, value) for name, value in line.values.items()}
    return Said(
        str(_QUESTIONS[line.name]),
        state,
        str(word),
        (str(SENTENCES[line.code]) % values).strip(),
        str(line.values.get("url") or "") if line.state == "ok" else "",
    )


def _shown(name: str, value: Any) -> str:
    """Times in the reader's zone, hashes as far as eyes compare them, codes in words."""
    if name in _MOMENTS:
        return _moment(str(value))
    if name in _HASHES:
        return short_hash(str(value)) or _("nenhum")
    if name == "role":
        return _role(str(value))
    if name == "state" and value in set(ExecutionState):
        return str(ExecutionState(value).label)
    if name == "reason":
        return f"{wording.reason(str(value)).capitalize()}." if value else ""
    if name == "window":
        return " – ".join(_moment(part) for part in str(value).split(" – "))
    return str(value)


def _moment(text: str) -> str:
    try:
        at = dt.datetime.fromisoformat(text)
    except ValueError:
        return text
    return moment_text(localtime(at), language=get_language() or "pt-br")
