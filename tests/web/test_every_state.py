"""Every state of an approval and of an execution, reached by what people, the worker, the clock and
the remote do, and seen on the page. TEST_SCREENS=1 photographs each.

Two things are done behind the console's back, because no person may do them: a deadline is moved
(a policy's shortest is a minute), and a stored action is altered.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import httpx
import psycopg
import pytest
from playwright.sync_api import Error, expect

from approvals.models import ExecutionState, State
from opspilot.bootstrap import postgres
from opspilot.bootstrap.instance import Instance
from opspilot.smoke.sandbox import Sandbox
from tests.web import acts
from tests.web.crawl import SCREENS
from tests.web.people import Person
from tests.web.queueing import put_in_force

pytestmark = pytest.mark.browser

REASON = "Falta dizer que o produtor precisa parar antes."
OVERDUE = "UPDATE agente_aprovacao SET expira_em = clock_timestamp() WHERE ref = %s"
ALTERED = 'UPDATE agente_aprovacao SET proposta = proposta || \'{"title": "Outro"}\' WHERE ref = %s'
UNREACHABLE = "UPDATE agente_aprovacao SET aprovacoes_exigidas = 5 WHERE ref = %s"


@dataclass
class Scene:
    """The people, the instance they use and the remote behind it."""

    console: Instance
    requester: Person
    decider: Person
    sandbox: Sandbox

    def proposed(self, project: str = "infra", label: str = "") -> str:
        acts.open_command(self.requester, project=project)
        if label:
            self.requester.choose("etiquetas", label)
        acts.fill_in(self.requester, title="Rever o alerta", description="Rever e anotar.")
        return acts.confirm(self.requester)

    def approved(self, project: str = "infra", label: str = "") -> str:
        path = self.proposed(project, label)
        acts.approve(self.decider, path)
        return path

    def configure(self, **values: Any) -> None:
        url = f"{self.console.sandbox_url}/_sandbox/config"
        httpx.post(url, json=values, trust_env=False).raise_for_status()

    def behind_the_back(self, statement: str, path: str) -> None:
        """What somebody with the server's keys could do."""
        assert self.console.server is not None
        dsn = postgres.admin_dsn(self.console.server)
        with psycopg.connect(dsn, autocommit=True) as database:
            database.execute(statement, [UUID(path.split("/")[2])])


@pytest.fixture
def scene(console: Instance, operador: Person, aprovador: Person) -> Iterator[Scene]:
    sandbox = Sandbox(console.sandbox_url)
    yield Scene(console, operador, aprovador, sandbox)
    sandbox.forget_faults()
    sandbox.close()


def _refused(scene: Scene) -> str:
    path = scene.proposed()
    _answer(scene.decider, path, "recusar", "Motivo")
    return path


def _sent_back(scene: Scene) -> str:
    path = scene.proposed()
    _answer(scene.decider, path, "devolver", "O que precisa mudar")
    return path


def _answer(person: Person, path: str, act: str, label: str) -> None:
    person.open(f"{path}?decidir={act}")
    person.page.get_by_label(label).fill(REASON)
    with person.page.expect_response(lambda found: found.request.method == "POST"):
        person.page.keyboard.press("Control+Enter")


def _cancelled(scene: Scene) -> str:
    path = scene.proposed()
    scene.requester.open(path)
    scene.requester.press("Cancelar pedido")
    return path


def _expired(scene: Scene) -> str:
    """The clock's own decision: the worker's sweep makes it within seconds."""
    path = scene.proposed()
    scene.behind_the_back(OVERDUE, path)
    return path


def _withdrawn(scene: Scene) -> str:
    with acts.worker_held(scene.console):
        path = scene.approved("pagamentos")
        scene.decider.press("Retirar")
        expect(scene.decider.main).to_contain_text("Execução retirada.")
    return path


def _held(scene: Scene) -> str:
    return scene.approved("pagamentos")


def _being_sent(scene: Scene) -> str:
    scene.sandbox.order("slow", seconds=14)
    return scene.approved()


def _refused_by_the_remote(scene: Scene) -> str:
    scene.sandbox.order("refuse", status=422)
    return scene.approved()


def _unknown(scene: Scene) -> str:
    scene.sandbox.order("drop_after")
    return scene.approved()


def _divergent(scene: Scene) -> str:
    """The remote drops the labels of somebody who may not set them."""
    scene.configure(rights={"set_metadata": False})
    path = scene.approved(label="incidente")
    _await(scene.decider, path, str(ExecutionState.DIVERGENTE.label))
    scene.configure(rights={"set_metadata": True})
    return path


def _blocked(scene: Scene) -> str:
    """The project has another address than the one that was approved."""
    scene.configure(projects={"413": {"path": "aurora/pagamentos-novo"}})
    path = scene.approved("pagamentos")
    _await(scene.decider, path, str(ExecutionState.BLOQUEADA.label))
    scene.configure(projects={"413": {"path": "aurora/pagamentos"}})
    return path


def _reversed(scene: Scene) -> str:
    """A proposal of its own, decided by another person, closes the issue."""
    path = scene.approved()
    _await(scene.decider, path, str(ExecutionState.CONCLUIDA.label))
    scene.requester.open(path)
    scene.requester.page.get_by_role("link", name="Propor a reversão").click()
    scene.requester.page.get_by_label("Por quê").fill(REASON)
    scene.requester.press("Confirmar e pedir aprovação")
    expect(scene.requester.main.get_by_role("heading", level=1)).to_contain_text("Fechar a issue")
    acts.approve(scene.decider, scene.requester.path)
    return path


Reach = Callable[[Scene], str]
APPROVALS: dict[str, Reach] = {
    State.PENDENTE: Scene.proposed,
    State.RECUSADA: _refused,
    State.DEVOLVIDA: _sent_back,
    State.CANCELADA: _cancelled,
    State.EXPIRADA: _expired,
}
EXECUTIONS: dict[str, Reach] = {
    ExecutionState.RETIDA: _held,
    ExecutionState.RETIRADA: _withdrawn,
    ExecutionState.EM_ENVIO: _being_sent,
    ExecutionState.CONCLUIDA: Scene.approved,
    ExecutionState.RECUSADA: _refused_by_the_remote,
    ExecutionState.DESCONHECIDA: _unknown,
    ExecutionState.DIVERGENTE: _divergent,
    ExecutionState.BLOQUEADA: _blocked,
    ExecutionState.REVERTIDA: _reversed,
}


def test_every_state_has_a_way_to_it() -> None:
    """An approved proposal shows the state of its effect, from the moment it is approved."""
    assert set(APPROVALS) | {State.APROVADA} == set(State.values)
    assert set(EXECUTIONS) == set(ExecutionState.values)


@pytest.mark.parametrize("state", list(APPROVALS))
def test_each_state_of_an_approval_is_reached_and_named(scene: Scene, state: str) -> None:
    path = APPROVALS[state](scene)
    _await(scene.decider, path, str(State(state).label))
    _photograph(scene.decider, f"aprovacao-{state}")
    may_decide = scene.decider.main.get_by_role("link", name="Aprovar…").count() == 1
    assert may_decide == (state == State.PENDENTE)


@pytest.mark.parametrize("state", list(EXECUTIONS))
def test_each_state_of_an_execution_is_reached_and_named(scene: Scene, state: str) -> None:
    path = EXECUTIONS[state](scene)
    _await(scene.decider, path, str(ExecutionState(state).label))
    _photograph(scene.decider, f"execucao-{state}")
    expect(scene.decider.page.locator("#linha")).to_contain_text("aprovador 1 aprovou")


@pytest.mark.parametrize(
    ("name", "statement", "words"),
    [
        ("conteudo-mudou", ALTERED, "O conteúdo guardado não é o que foi proposto."),
        ("sem-aprovador", UNREACHABLE, "Sem aprovador elegível."),
    ],
)
def test_what_cannot_be_approved_says_why_before_anybody_tries(
    scene: Scene, name: str, statement: str, words: str
) -> None:
    path = scene.proposed()
    scene.behind_the_back(statement, path)
    scene.decider.open(path)
    expect(scene.decider.main).to_contain_text(words)
    assert scene.decider.main.get_by_role("link", name="Aprovar…").count() == 0
    _photograph(scene.decider, name)
    scene.requester.open(path)
    scene.requester.press("Cancelar pedido")


def test_a_policy_that_moved_is_marked_line_by_line_before_anybody_tries(scene: Scene) -> None:
    path = scene.proposed()
    _set_risk(scene, "medio")
    try:
        scene.decider.open(path)
        expect(scene.decider.main).to_contain_text("A política mudou desde a proposta.")
        row = scene.decider.main.get_by_role("row", name="Risco")
        for words in ("mudou", "baixo", "médio"):
            expect(row).to_contain_text(words)
        assert scene.decider.main.get_by_role("link", name="Aprovar…").count() == 0
        _photograph(scene.decider, "politica-mudou")
    finally:
        _set_risk(scene, "baixo")


def _set_risk(scene: Scene, risk: str) -> None:
    put_in_force(scene.console, "aurora", project="infra", risk=risk)


def _await(person: Person, path: str, word: str) -> None:
    """The page follows what moves; what the sweep does, it learns when it is opened again."""
    state = person.page.locator("#andamento .head .state")
    for _try in range(15):
        _open(person, path)
        if state.inner_text().strip() == word:
            return
        person.page.wait_for_timeout(1000)
    raise AssertionError(f"{path} came to {state.inner_text()!r} and not to {word!r}")


def _open(person: Person, path: str) -> None:
    """Also while what a decision leads to is still being opened, which a browser lets win."""
    for _attempt in range(5):
        with suppress(Error):
            person.open(path)
            return
        person.page.wait_for_load_state()
    raise AssertionError(f"{path} did not open")


def _photograph(person: Person, name: str) -> None:
    if os.environ.get("TEST_SCREENS"):
        SCREENS.mkdir(exist_ok=True)
        person.page.screenshot(path=SCREENS / f"estado-{name}.png", full_page=True)
