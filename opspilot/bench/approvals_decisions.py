"""Decisions by the service, in this process and on its own connections, beside the least a decision
can cost: a bare transaction with the two rows, whose trigger locks and counts as ever."""

from __future__ import annotations

import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from uuid import UUID, uuid4

from django.db import connection, connections, transaction
from django.utils import timezone

from approvals import decisions
from approvals.errors import AlreadyDecidedError
from approvals.models import AgenteAprovacao, Decision, State
from opspilot.tenancy import selectors
from opspilot.tenancy.models import Tenant, User
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.scope import tenant_scope
from opspilot.tenancy.services import grant_roles

ROUNDS = 3
EACH = 60  # decisions of a round, of each kind
WARM = 20
RIVALS = 10  # people at each proposal of the race
CONTESTED = 20
_DECIDED = """
INSERT INTO approval_decision (tenant_id, approval_id, subject, subject_name, verdict, reason, seen_hash)
VALUES (%s, %s, %s, %s, 'aprovar', '', %s)
"""
_TOLD = """
INSERT INTO agente_acao (
  tenant_id, correlacao_id, agente, agente_versao, modelo, instrucao_hash, acao, resultado,
  autorizacao, aprovado_por, aprovacao_id, politica_versao, entrada_resumo)
VALUES (%s, %s, 'console', 'console@0.1.0', 'nenhum', %s, 'aprovacao.concedida', 'ok', 'humana', %s,
        %s, %s, %s)
"""
Act = Callable[[AgenteAprovacao], None]


@dataclass(frozen=True, slots=True)
class Rates:
    """Decisions a second over all rounds; the two kinds took turns."""

    connections: int
    service: float
    bare: float

    @property
    def ratio(self) -> float:
        return self.service / self.bare


@dataclass(frozen=True, slots=True)
class Race:
    """RIVALS people approve or refuse each of CONTESTED proposals at once."""

    acts: int
    terminal: int
    double: int  # proposals with more than one verdict, or with more than one told winner
    lost: int  # winners whose verdict is not stored, and proposals left open
    other: int  # acts that ended neither as a decision nor as "already decided"


def rates(*, tenant_id: UUID, threads: int) -> Rates:
    (approver,) = approvers(tenant_id, 1)
    seconds = {"service": 0.0, "bare": 0.0}
    supply = iter(_simple(tenant_id, 2 * (ROUNDS * EACH + WARM)))
    kinds: dict[str, Act] = {
        "service": partial(by_service, approver),
        "bare": partial(_bare, approver),
    }
    for act in kinds.values():
        _timed(act, list(islice(supply, WARM)), threads)
    for _round in range(ROUNDS):
        for name, act in kinds.items():
            seconds[name] += _timed(act, list(islice(supply, EACH)), threads)
    done = ROUNDS * EACH
    return Rates(threads, done / seconds["service"], done / seconds["bare"])


def race(*, tenant_id: UUID, threads: int) -> Race:
    contested = _simple(tenant_id, CONTESTED)
    acts = [(p, who) for who in approvers(tenant_id, RIVALS) for p in contested]
    random.shuffle(acts)
    ended: list[tuple[int, str]] = []
    _spread([partial(_compete, ended, p, who) for p, who in acts], threads)
    won = Counter(pk for pk, how in ended if how == "won")
    keys = [p.pk for p in contested]
    with tenant_scope(tenant_id):
        stored = Counter(
            Decision.objects.filter(approval__in=keys).values_list("approval_id", flat=True)
        )
        states = AgenteAprovacao.objects.filter(pk__in=keys).values_list("estado", flat=True)
        open_ = sum(state == State.PENDENTE for state in states)
    return Race(
        acts=len(ended),
        terminal=len(keys) - open_,
        double=sum(max(stored[pk], won[pk]) > 1 for pk in keys),
        lost=open_ + sum(won[pk] > stored[pk] for pk in keys),
        other=sum(how not in {"won", "late"} for _, how in ended),
    )


def _simple(tenant_id: UUID, count: int) -> list[AgenteAprovacao]:
    """Proposals that wait for one vote of an aprovador, read before the clock starts."""
    with tenant_scope(tenant_id):
        found = AgenteAprovacao.objects.filter(
            estado=State.PENDENTE, aprovacoes_exigidas=1, papel_exigido=Role.APROVADOR
        )
        return list(found.order_by("-expira_em")[:count])


def approvers(tenant_id: UUID, count: int) -> list[Principal]:
    """People of the company, since a role is read again at the press. They have no password."""
    found = []
    for number in range(count):
        name = f"bench-{uuid4().hex[:12]}"
        user = User.objects.create(username=name, display_name=f"aprovador {number + 1}")
        with tenant_scope(tenant_id):
            grant_roles(tenant=Tenant.objects.get(pk=tenant_id), user=user, roles=[Role.APROVADOR])
            principal = selectors.principal(user)
        assert principal is not None
        found.append(principal)
    return found


def by_service(approver: Principal, proposal: AgenteAprovacao) -> None:
    with tenant_scope(proposal.tenant_id):
        decisions.approve(
            proposal=proposal,
            approver=approver,
            seen_hash=proposal.acao_hash,
            authenticated_at=timezone.now(),
        )


def _bare(approver: Principal, proposal: AgenteAprovacao) -> None:
    tenant, key, who = proposal.tenant_id, proposal.pk, approver.subject
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT set_config('opspilot.tenant_id', %s, true)", [str(tenant)])
        cursor.execute(_DECIDED, [tenant, key, who, approver.name, proposal.acao_hash])
        cursor.execute(
            _TOLD,
            [
                tenant, proposal.correlacao_id, proposal.acao_hash, approver.signature, key,
                proposal.politica_versao, f"sha256 {proposal.acao_hash}",
            ],
        )  # fmt: skip


def _compete(ended: list[tuple[int, str]], proposal: AgenteAprovacao, approver: Principal) -> None:
    ended.append((proposal.pk, _try(proposal, approver)))


def _try(proposal: AgenteAprovacao, approver: Principal) -> str:
    """Half of them approve, half refuse, each on the page they had open before."""
    seen = proposal.acao_hash
    try:
        with tenant_scope(proposal.tenant_id):
            fresh = AgenteAprovacao.objects.get(pk=proposal.pk)
            if approver.user_id % 2:
                decisions.approve(
                    proposal=fresh,
                    approver=approver,
                    seen_hash=seen,
                    authenticated_at=timezone.now(),
                )
            else:
                decisions.refuse(
                    proposal=fresh, approver=approver, seen_hash=seen, reason=f"recusa {uuid4()}"
                )
    except AlreadyDecidedError:
        return "late"
    return "won"


def _timed(act: Act, proposals: Sequence[AgenteAprovacao], threads: int) -> float:
    started = time.perf_counter()
    _spread([partial(act, proposal) for proposal in proposals], threads)
    return time.perf_counter() - started


def _spread(acts: Sequence[Callable[[], None]], threads: int) -> None:
    """All acts, over so many threads with a connection each; alone, on this thread's own."""
    waiting, faults = list(acts), list[Exception]()
    if threads == 1:
        _work(waiting)
        return
    barrier = threading.Barrier(threads)
    running = [
        threading.Thread(target=_on_own_connection, args=[waiting, barrier, faults])
        for _ in range(threads)
    ]
    for thread in running:
        thread.start()
    for thread in running:
        thread.join()
    if faults:
        raise faults[0]


def _on_own_connection(
    waiting: list[Callable[[], None]], barrier: threading.Barrier, faults: list[Exception]
) -> None:
    try:
        connections["default"].ensure_connection()
        barrier.wait()
        _work(waiting)
    except Exception as exc:  # noqa: BLE001 - raised again by whoever started the threads
        faults.append(exc)
    finally:
        connections.close_all()


def _work(waiting: list[Callable[[], None]]) -> None:
    while True:
        try:
            act = waiting.pop()
        except IndexError:  # another thread took the last one
            return
        act()
