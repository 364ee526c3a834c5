"""Of a proof: its rows of the trail, each with its own hash, and what they tell (I8)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from audit.files import strict_json
from audit.proving.proof_decision import by_person, who
from audit.proving.proof_document import MOST_ROWS, Decision, Proof, sha256
from audit.proving.proof_lines import Line, ok, red, unknown
from audit.proving.proof_sending import DONE

_OF_A_VERDICT = {
    "aprovar": "aprovacao.concedida",
    "recusar": "aprovacao.recusada",
    "devolver": "aprovacao.devolvida",
    "cancelar": "aprovacao.cancelada",
    "expirar": "aprovacao.expirada",
}
_STAND_IN = re.compile(r"\[[^\]]+\]|…")
Fields = dict[str, Any]


def lines(proof: Proof) -> Iterator[Line]:
    yield _hashes(proof)
    yield _told(proof)


def fields_of(proof: Proof) -> list[Fields]:
    """The rows as their texts say, nothing of one that cannot be read."""
    return [_fields(row.texto) for row in proof.linhas]


def _fields(text: str) -> Fields:
    try:
        found = strict_json.loads(text)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _hashes(proof: Proof) -> Line:
    """Each row's hash, made anew of the row's own text, and that it is a row of this run."""
    if not proof.linhas:
        return _gone(proof) or red("linhas", "no_rows")
    rows = list(zip(proof.linhas, fields_of(proof), strict=True))
    odd = [_number(fields) for row, fields in rows if sha256(row.texto) != row.linha_hash]
    if odd:
        return red("linhas", "row_differs", rows=", ".join(odd))
    foreign = [_number(fields) for _row, fields in rows if not _is_of(proof, fields)]
    if foreign:
        return red("linhas", "row_foreign", rows=", ".join(foreign))
    return _cut(proof) or ok("linhas", "rows_same", count=len(rows))


def _gone(proof: Proof, name: str = "linhas") -> Line | None:
    """What went by law proves nothing any more, either way; its ledger is checked with the seals."""
    months = proof.meses_expirados
    return unknown(name, "rows_expired", months=", ".join(months)) if months else None


def _cut(proof: Proof, name: str = "linhas") -> Line | None:
    """What stands behind the last row of the file is not known; a short file was not cut by us."""
    is_cut = proof.linhas_cortadas and len(proof.linhas) >= MOST_ROWS
    return unknown(name, "rows_cut", count=len(proof.linhas)) if is_cut else None


def _is_of(proof: Proof, fields: Fields) -> bool:
    run = fields.get("correlacao_id") == str(proof.proposta.correlacao_id)
    return run and fields.get("tenant_id") == str(proof.empresa)


def _number(fields: Fields) -> str:
    return str(fields.get("id", "?"))


def _told(proof: Proof) -> Line:
    """What the tables say happened is what the trail was told, with the hash it was told of."""
    missing = list(_missing(proof, fields_of(proof)))
    if missing:
        not_known = _gone(proof, "trilha") or _cut(proof, "trilha")
        return not_known or red("trilha", "not_told", what=", ".join(missing))
    return ok("trilha", "told")


def _missing(proof: Proof, rows: list[Fields]) -> Iterator[str]:
    proposal = proof.proposta
    mine = [row for row in rows if row.get("aprovacao_id") == proposal.id]
    if not any(
        row.get("acao") == proposal.acao and row.get("resultado") == "pendente" for row in mine
    ):
        yield proposal.acao
    of_hash = [row for row in mine if row.get("entrada_resumo") == f"sha256 {proposal.acao_hash}"]
    for decision in proof.decisoes:
        action = _OF_A_VERDICT.get(decision.veredito, decision.veredito)
        if not any(_is_verdict(row, action, _signed(decision)) for row in of_hash):
            yield f"{action}: {who(decision)}"
    if proof.execucao is not None and proof.execucao.estado in DONE:
        address = str(proof.execucao.remoto.get("url") or "")
        if not any(_is_effect(row, proposal.acao, address) for row in of_hash):
            yield f"{proposal.acao}: {address}"


def _signed(decision: Decision) -> str | None:
    """As a row names who decided; None where no person did, and the row may name who allowed it."""
    is_a_person = by_person(decision) and decision.veredito != "expirar"
    return who(decision) if is_a_person else None


def _is_verdict(row: Fields, action: str, signed: str | None) -> bool:
    named = signed is None or _tells(str(row.get("aprovado_por") or ""), signed)
    return row.get("acao") == action and named


def _is_effect(row: Fields, action: str, address: str) -> bool:
    done = row.get("acao") == action and row.get("resultado") == "ok"
    return done and _tells(str(row.get("reversao_ref") or ""), address)


def _tells(stored: str, text: str) -> bool:
    """Whether the row has this text, masked or cut as the rules of its time had it."""
    pieces = _STAND_IN.split(stored)
    return re.fullmatch(".*".join(map(re.escape, pieces)), text, re.DOTALL) is not None
