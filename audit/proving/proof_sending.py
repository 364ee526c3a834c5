"""Of a proof: when it was sent, what was sent, how often, and what came of it (I2, I4)."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from audit.proving.proof_bodies import NoBodyError, body_of
from audit.proving.proof_document import Attempt, Proof, canonical, sha256
from audit.proving.proof_lines import Line, none, ok, red, unknown

SENT_AGAIN = "envio.repetido"  # its effect is one more attempt of another proposal
DONE = frozenset({"concluida", "revertida"})
NOTHING_DONE = frozenset({
    "NotSentError", "BreakerOpenError", "NoSlotError", "NotAllowedError", "ThrottledError",
    "RefusedByRemoteError",
})  # fmt: skip
"""Answers after which nothing was done; with any other, or with none, something may have been."""
SEEN = frozenset({"ok", "achado", "confere"})
INTERRUPTED, CLEAN = "interrompido", "nada_achado"
SLACK = dt.timedelta(minutes=5)  # between the last look at the clock and the row of the request
_OF_AN_AGENT = "by_an_agent"


def lines(proof: Proof) -> Iterator[Line]:
    yield _marker(proof)
    yield _time(proof)
    yield _attempts(proof)
    yield _body(proof)
    yield _once(proof)
    yield _effect(proof)


def sent(proof: Proof) -> list[Attempt]:
    return [row for row in proof.tentativas if row.tipo == "envio"]


def _marker(proof: Proof) -> Line:
    execution = proof.execucao
    if execution is None:
        return _nothing(proof, "marcador")
    values = {"marker": execution.marcador}
    if execution.marcador != execution.marcador_recalculado:
        return red("marcador", "marker_differs", **values)
    return ok("marcador", "marker_same", **values)


def _time(proof: Proof) -> Line:
    """Not before the hold was over or the chosen moment, and not after its time."""
    requests, proposal, execution = sent(proof), proof.proposta, proof.execucao
    if execution is None or not requests or proposal.decidida_em is None:
        return _nothing(proof, "espera")
    values: dict[str, Any] = {"seconds": execution.espera_s, "at": requests[0].em.isoformat()}
    earliest = proposal.decidida_em + dt.timedelta(seconds=execution.espera_s or 0)
    if requests[0].em < max(earliest, proposal.executar_de or earliest):
        return red("espera", "too_early", **values)
    last = max(proposal.executar_ate, execution.reenvio_ate or proposal.executar_ate)
    if requests[-1].em > last + SLACK:
        return red("espera", "too_late", until=last.isoformat(), **values)
    if execution.espera_s is None:
        return unknown("espera", "hold_unknown", **values)
    return ok("espera", "in_time", **values)


def _attempts(proof: Proof) -> Line:
    """Every request has its row before and its answer after, under one claim's token."""
    requests, answers = sent(proof), _answers(proof)
    if not requests:
        return _nothing(proof, "tentativas")
    numbers = [row.numero for row in requests]
    if numbers != list(range(1, len(numbers) + 1)) or not answers.keys() <= set(numbers):
        return red("tentativas", "attempt_missing", numbers=", ".join(map(str, numbers)))
    odd = [row.numero for row in requests if _is_of_another_claim(row, answers.get(row.numero))]
    if odd or len({row.token for row in requests}) < len(requests):
        return red("tentativas", "other_claim", numbers=", ".join(map(str, odd)))
    open_ = [number for number in numbers if number not in answers]
    if open_:
        return _open(proof, ", ".join(map(str, open_)))
    return ok("tentativas", "answered", count=len(requests))


def _open(proof: Proof, numbers: str) -> Line:
    """While it is being sent its answer is still to come; in any other state it was written first."""
    if proof.execucao is not None and proof.execucao.estado == "em_envio":
        return unknown("tentativas", "not_answered", numbers=numbers)
    return red("tentativas", "answer_missing", numbers=numbers)


def _answers(proof: Proof) -> dict[int, Attempt]:
    return {row.numero: row for row in proof.tentativas if row.tipo == "resposta"}


def _is_of_another_claim(request: Attempt, answer: Attempt | None) -> bool:
    """An interrupted one is closed by whoever found it; any other by who sent it."""
    if answer is None:
        return False
    late = answer.em < request.em
    return late or (answer.token != request.token and answer.resultado != INTERRUPTED)


def _body(proof: Proof) -> Line:
    """The stored action and the marker make the body anew: its hash is what each request left with."""
    execution, requests = proof.execucao, sent(proof)
    if execution is None or not requests:
        return _nothing(proof, "corpo")
    try:
        body = body_of(proof.proposta.conteudo, execution.marcador)
    except NoBodyError:
        return red("corpo", "body_unreadable")
    expected = sha256(canonical(body))
    odd = [str(row.numero) for row in requests if row.corpo_sha256 != expected]
    if odd or proof.corpo != body:
        return red("corpo", "body_differs", numbers=", ".join(odd), hash=expected)
    return ok("corpo", "body_same", hash=expected)


def _once(proof: Proof) -> Line:
    """A second request only after it was looked for in vain, twice, or by another approval."""
    requests = sent(proof)
    if not requests:
        return _nothing(proof, "uma_vez")
    looked = sum(row.tipo == "busca" for row in proof.tentativas)
    open_ = [pair for pair in pairwise(requests) if _may_have_worked(proof, pair[0])]
    odd = [str(later.numero) for first, later in open_ if not _is_allowed(proof, first, later)]
    if odd:
        return red("uma_vez", "sent_unsearched", numbers=", ".join(odd))
    values = {"count": len(requests), "looked": looked}
    return ok("uma_vez", "sent_again" if open_ else "sent_once", **values)


def _may_have_worked(proof: Proof, request: Attempt) -> bool:
    answer = _answers(proof).get(request.numero)
    return answer is None or answer.resultado not in NOTHING_DONE


def _is_allowed(proof: Proof, first: Attempt, later: Attempt) -> bool:
    between = [r for r in proof.tentativas if r.tipo == "busca" and first.em <= r.em <= later.em]
    approved = any(
        row.estado == "aprovada" and row.decidida_em and first.em <= row.decidida_em <= later.em
        for row in proof.reenvios
    )
    return approved or sum(row.resultado == CLEAN for row in between) > 1


def _effect(proof: Proof) -> Line:
    execution = proof.execucao
    if execution is None:
        return _use(proof)
    if proof.proposta.acao == SENT_AGAIN:
        return none("destino", "sent_by_another")
    values = {
        "state": execution.estado,
        "reason": execution.motivo,
        "remote": str(execution.remoto.get("iid") or execution.remoto.get("id") or ""),
        "url": str(execution.remoto.get("url") or ""),
    }
    if execution.estado in DONE:
        return _done(proof, values)
    return _unfinished(execution.estado, values)


def _done(proof: Proof, values: dict[str, str]) -> Line:
    """What is found right before another request would leave has no row among the attempts."""
    if _was_seen(proof.tentativas) and values["remote"]:
        return ok("destino", "done", **values)
    if any(_may_have_worked(proof, row) for row in sent(proof)) and values["remote"]:
        return unknown("destino", "done_unwitnessed", **values)
    return red("destino", "done_unseen", **values)


def _unfinished(state: str, values: dict[str, str]) -> Line:
    if state == "divergente":
        return red("destino", "effect_differs", **values)
    if state in {"recusada", "bloqueada", "retirada"}:
        return none("destino", "nothing_done", **values)
    return unknown("destino", "outcome_unknown", **values)


def _was_seen(rows: Sequence[Attempt]) -> bool:
    """The remote said so, or it was found there."""
    return any(row.tipo != "envio" and row.resultado in SEEN for row in rows)


def _use(proof: Proof) -> Line:
    """What an agent carried out itself: its taking is ours to prove, the effect its own word."""
    use = proof.consumo
    if use is None:
        return none("destino", "not_reached")
    values = {"who": f"{use.nome} ({use.sujeito})", "report": use.relato or ""}
    if use.tipo == "retirada":
        return none("destino", "taken_back", **values)
    if use.hash_visto != proof.proposta.acao_hash or use.sujeito != proof.proposta.solicitante:
        return red("destino", "used_otherwise", **values)
    return unknown("destino", "agents_word", **values)


def _nothing(proof: Proof, name: str) -> Line:
    return none(name, _OF_AN_AGENT if proof.consumo is not None else "not_reached")
