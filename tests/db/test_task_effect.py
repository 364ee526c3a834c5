"""A task is started once, exactly as approved, and only its recap says that it was done."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.db.models.functions import Now

from approvals import drafts
from approvals.execution import advancing
from approvals.execution.task_effect import TaskEffect
from approvals.models import (
    AgenteAprovacao,
    Execution,
    ExecutionState,
    TaskOutput,
)
from approvals.tasks import task_outputs
from audit.models import AgenteAcao
from opspilot.connectors.errors import (
    NotSentError,
    OutcomeUnknownError,
    RefusedByRemoteError,
    RemoteFaultError,
    UnavailableError,
)
from opspilot.tenancy import clock
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.db import tasking
from tests.db.browsing import as_
from tests.db.task_runner import FakeRunner, recap_of

pytestmark = pytest.mark.usefixtures("committed")
HOST = "srv-pag-02"


class Task:
    """An approved task, and what the worker makes of it with one runner."""

    def __init__(self, tenant: Tenant, execution: Execution) -> None:
        self.tenant, self.pk = tenant, execution.pk

    def step(self, runner: FakeRunner) -> Execution:
        """One step, all waits over."""
        past = Now() - dt.timedelta(seconds=1)
        with tenant_scope(self.tenant.pk):
            mine = Execution.objects.filter(pk=self.pk)
            mine.filter(state="retida").update(not_before=past)
            mine.exclude(next_lookup_at=None).update(next_lookup_at=past)
        advancing.advance(tenant_id=self.tenant.pk, execution_id=self.pk, runner=runner)
        return self.now()

    def now(self) -> Execution:
        with tenant_scope(self.tenant.pk):
            return Execution.objects.get(pk=self.pk)

    def proposal(self) -> AgenteAprovacao:
        with tenant_scope(self.tenant.pk):
            return AgenteAprovacao.objects.get(pk=self.now().approval_id)

    def trail(self, action: str = "tarefa.executada") -> list[AgenteAcao]:
        with tenant_scope(self.tenant.pk):
            rows = AgenteAcao.objects.filter(acao=action).exclude(resultado="pendente")
            return list(rows.order_by("id"))

    def output(self) -> TaskOutput:
        with tenant_scope(self.tenant.pk):
            return TaskOutput.objects.get(execution_id=self.pk)


@pytest.fixture
def home() -> Tenant:
    return factories.a_tenant()


@pytest.fixture
def operador(home: Tenant) -> Principal:
    return factories.a_principal(home, Role.OPERADOR)


@pytest.fixture
def task(home: Tenant, operador: Principal) -> Task:
    return Task(home, tasking.an_approved_task(home, operador))


def ended(task: Task, status: str, printed: str) -> tuple[Execution, FakeRunner]:
    runner = FakeRunner()
    task.step(runner)
    runner.ends(status, printed)
    return task.step(runner), runner


def test_the_body_is_the_approved_one_and_nothing_else(task: Task) -> None:
    runner = FakeRunner()
    task.step(runner)
    (body,) = runner.bodies
    assert body == {
        "template_id": 21,
        "params": {"limit": [HOST]},
        "limit": HOST,
        "environment": '{"server_action":"restart","server_name":"liq-worker-3"}',
        "message": task.now().marker,
    }


def test_a_started_task_is_followed_and_not_yet_done(task: Task) -> None:
    runner = FakeRunner()
    found = task.step(runner)
    assert (found.state, found.remote["id"]) == (ExecutionState.EM_ENVIO, 900)
    assert found.next_lookup_at is not None
    assert task.step(runner).state == ExecutionState.EM_ENVIO
    assert len(runner.bodies) == 1


def test_success_with_a_recap_of_exactly_the_approved_hosts_is_done(task: Task) -> None:
    found, runner = ended(task, "success", recap_of(HOST))
    assert (found.state, found.reason) == (ExecutionState.CONCLUIDA, "")
    (row,) = task.trail()
    assert row.resultado == "ok"
    assert "tarefa 900 do template servico-acao em srv-pag-02" in (row.saida_resumo or "")
    assert runner.stopped == []


@pytest.mark.parametrize(
    ("status", "printed", "reason"),
    [
        ("success", recap_of(HOST, failed=1), "falhou_em_hosts"),
        ("error", recap_of(HOST, failed=1), "falhou_em_hosts"),
        ("error", recap_of(HOST, unreachable=1), "falhou_em_hosts"),
        ("error", recap_of(HOST), "falhou_em_hosts"),
        ("success", recap_of(HOST, "srv-pag-03"), "host_fora_do_aprovado"),
        ("stopped", recap_of(HOST), "tarefa_parada"),
    ],
)
def test_what_ran_otherwise_than_approved_is_an_incident_with_its_reason(
    task: Task, status: str, printed: str, reason: str
) -> None:
    found, _runner = ended(task, status, printed)
    assert (found.state, found.reason) == (ExecutionState.DIVERGENTE, reason)
    assert task.trail()[-1].resultado == "erro"


def test_a_host_outside_the_approved_set_has_a_row_of_its_own(task: Task) -> None:
    ended(task, "success", recap_of(HOST, "srv-pag-03"))
    (row,) = task.trail("incidente.aberto")
    assert "srv-pag-03" in (row.saida_resumo or "")


@pytest.mark.parametrize(
    ("status", "reason"), [("success", "nada_executado"), ("error", "falhou_sem_resumo")]
)
def test_an_end_without_a_recap_is_believed_only_after_the_last_lines_had_their_time(
    task: Task, status: str, reason: str
) -> None:
    found, runner = ended(task, status, "TASK [x]\nskipping: no hosts matched\n")
    assert found.state == ExecutionState.EM_ENVIO
    with tenant_scope(task.tenant.pk):
        first = (clock.now() - dt.timedelta(seconds=11)).isoformat()
        Execution.objects.filter(pk=task.pk).update(remote=found.remote | {"ended_at": first})
    found = task.step(runner)
    assert (found.state, found.reason) == (ExecutionState.DIVERGENTE, reason)


def test_a_recap_that_comes_after_the_end_is_waited_for(task: Task) -> None:
    found, runner = ended(task, "success", "TASK [x]\n")
    assert found.state == ExecutionState.EM_ENVIO
    runner.printed = recap_of(HOST)
    assert task.step(runner).state == ExecutionState.CONCLUIDA


@pytest.mark.parametrize(
    ("echo", "field"),
    [
        ({"limit": ()}, "destino"),
        ({"limit": (HOST, "srv-pag-03")}, "destino"),
        ({"template_id": 22}, "template"),
        ({"playbook": "outro.yml"}, "playbook"),
        ({"message": "outra"}, "marcador"),
    ],
)
def test_an_echo_that_is_not_what_was_sent_stops_the_task_at_once(
    task: Task, echo: dict[str, Any], field: str
) -> None:
    runner = FakeRunner(echo=echo)
    found = task.step(runner)
    assert (found.state, found.reason) == (ExecutionState.DIVERGENTE, field)
    assert runner.stopped == [(900, True)]


def test_a_stop_without_an_answer_is_said(task: Task) -> None:
    runner = FakeRunner(echo={"limit": ()}, failing={"stop": RemoteFaultError("lost")})
    assert task.step(runner).reason == "destino,parada_nao_confirmada"


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"fingerprint": "b" * 64}, "template_mudou"),
        ({"faults": ("limite_nao_permitido",)}, "template_sem_limite"),
    ],
)
def test_a_template_that_changed_after_the_approval_is_not_started(
    task: Task, change: dict[str, Any], reason: str
) -> None:
    runner = FakeRunner(template_changes=change)
    found = task.step(runner)
    assert (found.state, found.reason) == (ExecutionState.BLOQUEADA, reason)
    assert runner.bodies == []


def test_a_host_that_left_the_inventory_is_not_asked_for(task: Task) -> None:
    runner = FakeRunner(inventory=frozenset({"srv-pag-03"}))
    assert task.step(runner).reason == "host_fora_do_inventario"
    assert runner.bodies == []


def test_another_address_of_the_runner_is_not_the_approved_target(
    task: Task, settings: Any
) -> None:
    settings.OPSPILOT_SEMAPHORE_URL = "http://outro.example"
    runner = FakeRunner()
    assert task.step(runner).reason == "destino_mudou"
    assert runner.asked == []


def test_a_lost_answer_is_looked_for_and_the_task_that_is_found_is_followed(task: Task) -> None:
    runner = FakeRunner(failing={"start": OutcomeUnknownError("lost")})
    assert task.step(runner).state == ExecutionState.DESCONHECIDA
    runner.failing = {}
    twin = FakeRunner()
    twin.start(4, runner.bodies[0])
    assert task.step(twin).state == ExecutionState.EM_ENVIO
    twin.ends("success", recap_of(HOST))
    assert task.step(twin).state == ExecutionState.CONCLUIDA
    assert len(twin.bodies) == 1


def test_a_lost_answer_that_is_found_nowhere_is_never_sent_again(task: Task) -> None:
    runner = FakeRunner(failing={"start": OutcomeUnknownError("lost")})
    task.step(runner)
    for _look in range(8):
        found = task.step(runner)
    assert (found.state, found.next_lookup_at) == (ExecutionState.DESCONHECIDA, None)
    assert len(runner.bodies) == 1


def test_an_unknown_task_is_not_promised_to_be_sent_again(task: Task, operador: Principal) -> None:
    task.step(FakeRunner(failing={"start": OutcomeUnknownError("lost")}))
    page = as_(operador).read(f"/aprovacoes/{task.proposal().ref}/")
    assert "Ela nunca é reenviada." in page


def test_a_failure_on_a_host_is_said_in_words(task: Task, operador: Principal) -> None:
    ended(task, "error", recap_of(HOST, failed=1))
    page = as_(operador).read(f"/aprovacoes/{task.proposal().ref}/")
    assert "a tarefa rodou e falhou em pelo menos um host" in page
    run = as_(operador).read(f"/aprovacoes/{task.proposal().ref}/?ver=json")
    assert "a rodada mostra o que cada host fez" in run


def test_a_list_that_does_not_reach_back_proves_nothing(task: Task) -> None:
    runner = FakeRunner(failing={"start": OutcomeUnknownError("lost")}, reaches_back=False)
    task.step(runner)
    assert task.step(runner).reason == "lista_indisponivel"


@pytest.mark.parametrize(
    ("failure", "state"),
    [
        (NotSentError("down"), ExecutionState.RETIDA),
        (RefusedByRemoteError("no", 403), ExecutionState.RECUSADA),
    ],
)
def test_what_was_not_begun_is_said_as_that(
    task: Task, failure: Exception, state: ExecutionState
) -> None:
    assert task.step(FakeRunner(failing={"start": failure})).state == state


def test_a_task_past_its_deadline_has_an_unknown_outcome(
    task: Task, monkeypatch: pytest.MonkeyPatch
) -> None:
    runner = FakeRunner()
    task.step(runner)
    now = clock.now()
    monkeypatch.setattr(clock, "now", lambda: now + dt.timedelta(minutes=31))
    found = task.step(runner)
    assert (found.state, found.reason) == (ExecutionState.DESCONHECIDA, "tarefa_sem_fim")
    assert found.next_lookup_at is None
    assert task.trail()[-1].resultado == "desconhecido"


def test_a_remote_that_stops_answering_is_asked_until_the_deadline(
    task: Task, monkeypatch: pytest.MonkeyPatch
) -> None:
    runner = FakeRunner()
    task.step(runner)
    runner.failing = {"task": UnavailableError("down")}
    assert task.step(runner).state == ExecutionState.EM_ENVIO
    now = clock.now()
    monkeypatch.setattr(clock, "now", lambda: now + dt.timedelta(minutes=31))
    assert task.step(runner).reason == "tarefa_sem_fim"


def test_the_output_is_kept_masked_and_its_recap_by_host(task: Task) -> None:
    printed = f"senha=muito-secreta-123\n{recap_of(HOST)}"
    ended(task, "success", printed)
    kept = task.output()
    assert "muito-secreta" not in kept.text
    assert kept.recap == {HOST: {"ok": 3, "changed": 1, "unreachable": 0, "failed": 0}}
    assert (kept.status, kept.ended) == ("success", True)


def test_a_flood_of_output_is_cut_and_keeps_both_ends(task: Task) -> None:
    ended(task, "success", "começo\n" + "linha\n" * 80_000 + recap_of(HOST))
    text = task.output().text
    assert len(text) < 257 * 1024
    assert text.startswith("começo")
    assert "PLAY RECAP" in text


@pytest.mark.parametrize("sign", ["\x00", "\ud800", "\x1b"], ids=ascii)
def test_a_sign_that_cannot_be_kept_holds_up_no_end(task: Task, sign: str) -> None:
    found, _runner = ended(task, "success", f"{sign}{recap_of(HOST)}{HOST}2{sign} : ok=1")
    assert found.state == ExecutionState.CONCLUIDA
    assert sign not in task.output().text


@pytest.mark.parametrize(
    "row",
    ["\x00 : ok=1 changed=0", f" : ok={'9' * 5000} changed=0", "\ud800 : ok=1 changed=0"],
    ids=["nul", "digits", "half-a-pair"],
)
def test_whatever_a_task_prints_its_deadline_comes(
    task: Task, monkeypatch: pytest.MonkeyPatch, row: str
) -> None:
    runner = FakeRunner()
    task.step(runner)
    runner.ends("running", f"PLAY RECAP *****\n{HOST}{row} unreachable=0 failed=0\n")
    assert task.step(runner).state == ExecutionState.EM_ENVIO
    now = clock.now()
    monkeypatch.setattr(clock, "now", lambda: now + dt.timedelta(minutes=31))
    assert task.step(runner).reason == "tarefa_sem_fim"


@pytest.mark.parametrize("where", ["task_effect.recap", "searching.task_outputs.keep"])
def test_what_cannot_be_read_or_kept_is_no_answer_and_ends_with_the_deadline(
    task: Task, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    def fails(*_given: Any, **_named: Any) -> None:
        raise ValueError("unreadable")

    monkeypatch.setattr(f"approvals.execution.{where}", fails)
    runner = FakeRunner()
    task.step(runner)
    found = task.step(runner)
    assert (found.state, found.lease_until) == (ExecutionState.EM_ENVIO, None)
    assert found.next_lookup_at is not None
    now = clock.now()
    monkeypatch.setattr(clock, "now", lambda: now + dt.timedelta(minutes=31))
    assert task.step(runner).reason == "tarefa_sem_fim"


def test_a_body_that_would_not_leave_is_blocked_before_there_is_an_attempt(
    task: Task, operador: Principal, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = drafts.body

    def widened(action: dict[str, Any], marker: str) -> dict[str, Any]:
        return drawn(action, marker) | {"playbook": "outro.yml"}

    monkeypatch.setattr("approvals.execution.task_effect.drafts.body", widened)
    runner = FakeRunner()
    found = task.step(runner)
    assert (found.state, found.reason) == (ExecutionState.BLOQUEADA, "corpo_invalido")
    assert (found.attempts, runner.bodies) == (0, [])
    page = as_(operador).read(f"/aprovacoes/{task.proposal().ref}/")
    assert "o pedido não tem a forma que pode sair" in page


def test_a_worker_that_comes_late_does_not_replace_the_end(task: Task, home: Tenant) -> None:
    ended(task, "success", recap_of(HOST))
    proposal = task.proposal()
    with tenant_scope(home.pk):
        task_outputs.keep(proposal, status="running", text="", recap={}, ended=False)
    assert task.output().status == "success"


def test_the_hosts_of_an_altered_action_are_asked_again_before_it_leaves(task: Task) -> None:
    """Even when hash and policy agree with it, a pattern is no host."""
    proposal = task.proposal()
    for hosts in ([], ["all"], ["*"], ["srv-pag-02,srv-pag-03"], [""]):
        proposal.proposta = proposal.proposta | {"hosts": hosts}
        assert TaskEffect(FakeRunner()).faults(proposal) == "destino_nao_e_um_host"
