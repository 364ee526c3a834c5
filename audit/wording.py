"""Rows of the trail in the reader's language. What was stored as text stays as it was written."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any
from urllib.parse import urlsplit

from django.utils.translation import get_language, ngettext, override
from django.utils.translation import gettext as _

from audit import reasons
from audit.story.queries import RecentRun, TrailLine
from audit.trail import CONSOLE
from audit.vocabulary import ACTIONS, OWN_ACT, Authorization, Result
from opspilot.presentation.formats import money_text, number_text, without_ids
from opspilot.presentation.shapes import State
from opspilot.tenancy.principal import subject_in

_CODE = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)+")
_STATES: dict[str, State] = {
    Result.OK: "done",
    Result.RECUSADO: "failed",
    Result.ERRO: "attention",
    Result.DESCONHECIDO: "unknown",
    Result.PENDENTE: "pending",
    Result.EXPIRADO: "failed",
}


def action(name: str, result: str = "", said: str | None = None) -> str:
    """What was done, in words; an effect that only waits is a proposal, and a form that came back to
    be corrected is no refusal. `said`: the row's own output, which has the code of a refusal."""
    if name not in ACTIONS:
        return name
    if _is_to_correct(name, said):
        return _("Formulário a corrigir")
    if result == Result.PENDENTE:
        return _("Proposta preparada")
    return str(ACTIONS[name].words)


def state(name: str, result: str, said: str | None = None) -> State:
    """A search without basis ended as it should, and a form was only given back: nothing failed."""
    if name == "conhecimento.consultado" and result == Result.RECUSADO:
        return "pending"
    return "pending" if _is_to_correct(name, said) else _STATES[result]


def result(name: str, code: str, said: str | None = None) -> str:
    if name == "conhecimento.consultado" and code == Result.RECUSADO:
        return _("sem base")
    return _("devolvido") if _is_to_correct(name, said) else str(Result(code).label)


def _is_to_correct(name: str, said: str | None) -> bool:
    return name == "acao.recusada" and said is not None and reasons.is_to_correct(said)


def person(line: TrailLine | RecentRun) -> str:
    """Who decided or asked, by name; empty where only code was at work."""
    by = line.approved_by or line.input or ""
    return without_ids(by) if by and not by.startswith("sha256") else ""


def authorization(line: TrailLine) -> str:
    return authorized(line.authorization, agent=line.agent, who=line.input, result=line.result)


def authorized(code: str, *, agent: str | None, who: str | None, result: str) -> str:
    """On whose word, in words. What a person did by themselves in the console was decided by that
    person; what a rule refused, or did without anybody, was the rule's."""
    is_own = agent == CONSOLE and subject_in(who or "").startswith("usuario:")
    if code == Authorization.REGRA and is_own and result != Result.RECUSADO:
        return str(OWN_ACT)
    return str(Authorization(code).label)


def details(line: TrailLine) -> list[str]:
    """What else there is to say, each a few words."""
    entry = ACTIONS.get(line.action)
    tells_cost = line.cost != 0 or (entry is not None and entry.useful)
    said = [
        _("autorização: %(kind)s") % {"kind": authorization(line)},
        _("política %(number)s") % {"number": line.policy_version} if line.policy_version else "",
        passages(line.sources),
        cost(line.cost) if tells_cost else "",
        _("reversível") if line.reversible else "",
    ]
    return [words for words in said if words]


def stored(line: TrailLine) -> str:
    """The row's own words, in the language they were written in; a code reads as words."""
    texts = [files(line.sources), line.output or "", line.error or ""]
    return " · ".join(_readable(without_ids(text)) for text in texts if text)


def files(sources: Sequence[Mapping[str, Any]]) -> str:
    return ", ".join(str(source["arquivo"]) for source in sources if "arquivo" in source)


def passages(sources: Sequence[Mapping[str, Any]]) -> str:
    count = len({source.get("trecho") for source in sources} - {None})
    words = ngettext("%(count)s trecho", "%(count)s trechos", count)
    return words % {"count": count} if count else ""


def cost(amount: Decimal | None) -> str:
    """Unknown is said, and nothing is said to be nothing."""
    if amount == 0:
        return _("sem custo")
    words = (
        _("não informado")
        if amount is None
        else money_text(amount, language=get_language() or "pt-br")
    )
    return _("custo: %(amount)s") % {"amount": words}


def seconds(milliseconds: int | None) -> str:
    if milliseconds is None:
        return ""
    return f"{number_text(Decimal(milliseconds) / 1000, language=get_language() or 'pt-br')} s"


def reversal(reference: str) -> tuple[str, str]:
    """(address, words) of what undoes the row; no address for what a browser should not open."""
    try:
        parts = urlsplit(reference)
    except ValueError:
        return "", reference
    if parts.scheme in {"http", "https"} and parts.netloc:
        return reference, f"{parts.netloc}{parts.path}"
    return "", reference


def _readable(text: str) -> str:
    with override("pt-br"):  # the language of the words around it, and of their mark on the page
        return reason(text)


def reason(text: str) -> str:
    """A code as words, in the reader's language; any other text as it was written."""
    words = reasons.words(text)
    return words or (text.replace("_", " ") if _CODE.fullmatch(text) else text)
