"""Which rules a row carries, and the oldest handler that may act on it (I12).

A feature is a rule of a proposal that whoever carries it out must know. Each has the first schema
version that knows it: 1 is release 0.1.0, 2 is this code. A row names the features it needs in
`recursos`, and its `versao_esquema` is the highest of theirs; a worker's claim carries its own
version and cannot select a newer row. A plain issue needs nothing and stays at 1, so the release
before can still carry it out after a rollback.

To add a rule: name it here with its version. Give it 2 (or the next version) when a worker that does
not know it would do something else than was approved, or would end the row for good; give it 1, with
the reason, when everything about it is settled before the effect.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

SCHEMA_VERSION = 2
"""The newest rules this code knows; a claim never takes a newer row."""

PLAIN = "issue.criada"
TASK = "tarefa.executada"
CLOSING = "issue.fechada"
SENDING_AGAIN = "envio.repetido"

# Bind the effect: 0.1.0 would carry these out wrongly, or block them for good.
BY_RISK = "papel_por_risco"  # 0.1.0 cannot read such a policy and blocks what was made under it
WIDER_POLICY = "politica_ampliada"  # the same for any other field or section it does not know
TASKS = "tarefa_executada"  # it knows issues only and fails at the first field that is missing
EXTERNAL = "tipo_externo"  # an agent of the company carries it out; a worker has nothing to send
WINDOWS = "janela_de_mudanca"  # it asks no calendar: outside its windows it would send
SCHEDULED = "execucao_agendada"  # it would queue it for the moment of the approval
RESEND = "reenvio"  # it would not ask whether an earlier request may have arrived
REVERSAL = "reversao"  # it has no executor for it and would block it for good
REPEATED = "envio_repetido"  # the same
BY_AGENT = "proposta_de_agente"  # it would count the vote of the agent's owner

FEATURES: dict[str, int] = {
    BY_RISK: 2,
    WIDER_POLICY: 2,
    TASKS: 2,
    EXTERNAL: 2,
    WINDOWS: 2,
    SCHEDULED: 2,
    BY_AGENT: 2,
    RESEND: 2,
    REVERSAL: 2,
    REPEATED: 2,
    # Settled at the decision: whoever was let decide is written in the decision, and a worker only
    # counts the decisions.
    "delegacao": 1,
    "escalonamento": 1,
    "reautenticacao": 1,
    # Only for what an agent carries out itself: EXTERNAL already keeps an older worker away.
    "permissao_previa": 1,
    # Closes a proposal without an approval; a worker never sees it.
    "devolucao": 1,
    # `not_before` and the state of a withdrawn execution: 0.1.0 obeys both.
    "espera": 1,
    "retirada": 1,
    # A link to the proposal before. What it forbids concerns that other row: see `rollback`.
    "pedida_de_novo": 1,
}

_POLICY_1 = frozenset({"versao_esquema", "projects", "issue_criada"})
_PROJECT_1 = frozenset({"project_id", "path", "labels", "assignees", "risk"})
_RULE_1 = frozenset(
    {
        "requester_roles",
        "approver_role",
        "quorum",
        "expires_minutes",
        "execute_within_minutes",
        "hold_seconds",
        "max_assignees",
    }
)


def required_by(
    *,
    kind: str,
    document: Mapping[str, Any],
    from_agent: bool = False,
    scheduled: bool = False,
) -> tuple[str, ...]:
    """What a proposal's handler must know, sorted. `document` is the policy it was made under, as
    it is stored: a field that is there counts, also where it only says what is the default."""
    needed = {
        BY_AGENT: from_agent,
        SCHEDULED: scheduled,
        TASKS: kind == TASK,
        REVERSAL: kind == CLOSING,
        REPEATED: kind == SENDING_AGAIN,
        EXTERNAL: kind not in {PLAIN, TASK, CLOSING, SENDING_AGAIN},
    }
    return tuple(sorted({name for name, needs in needed.items() if needs} | of_policy(document)))


def of_policy(document: Mapping[str, Any]) -> set[str]:
    """Whose reader this policy needs; none for one that release 0.1.0 can read."""
    rule = _mapping(document.get("issue_criada"))
    fields = set(rule) - _RULE_1
    found = {BY_RISK} if "approver_roles" in fields else set()
    if "calendario" in document:
        found = found | {WINDOWS}
    others = fields - {"approver_roles"} | set(document) - _POLICY_1 - {"calendario"}
    for project in _mapping(document.get("projects")).values():
        others |= set(_mapping(project)) - _PROJECT_1
    wider = others or document.get("versao_esquema") != 1
    return found | {WIDER_POLICY} if wider else found


def version_of(features: Iterable[str]) -> int:
    """The oldest handler that knows them all; 1 when there are none."""
    return max((FEATURES[name] for name in features), default=1)


def unknown_to(features: Iterable[str], *, handler: int) -> list[str]:
    """Those a handler of this version does not know, also those of a release newer than ours."""
    return sorted(name for name in features if FEATURES.get(name, handler + 1) > handler)


def is_newer(versao_esquema: int) -> bool:
    """Made by a newer release: to be shown as such, decided by nobody and carried out by nothing
    of this one."""
    return versao_esquema > SCHEMA_VERSION


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
