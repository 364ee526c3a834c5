"""A client made from the description by a generator that is not ours, against a real socket."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from approvals.models import AgenteAprovacao
from opspilot.api.description import schema
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.agents import at_the_door
from tests.db import agents_asking
from tests.db.live_door import open_door

pytestmark = pytest.mark.usefixtures("committed")
NAME = "the_door"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The folder of the client's package, which can be imported."""
    folder = tmp_path_factory.mktemp("client")
    (folder / "openapi.json").write_text(json.dumps(schema()), encoding="utf-8")
    (folder / "config.yml").write_text("post_hooks: []\n", encoding="utf-8")
    line = [sys.executable, "-m", "openapi_python_client", "generate", "--fail-on-warning"]
    line += ["--path", "openapi.json", "--config", "config.yml", "--meta", "none"]
    done = subprocess.run(
        [*line, "--output-path", NAME], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    sys.path.insert(0, str(folder))
    yield folder / NAME
    sys.path.remove(str(folder))


def operation(name: str) -> Any:
    return importlib.import_module(f"{NAME}.api.default.{name}")


def of(name: str) -> Any:
    return getattr(importlib.import_module(f"{NAME}.models"), name)


def test_it_has_every_operation_and_none_that_decides(made: Path) -> None:
    names = {path.stem for path in (made / "api" / "default").glob("[a-z]*.py")}
    described = [each for methods in schema()["paths"].values() for each in methods.values()]
    assert names == {each["operationId"] for each in described}
    assert not [name for name in names if "aprovar" in name or "decidir" in name]


def test_it_proposes_reads_and_records(made: Path) -> None:
    scene = agents_asking.a_scene()
    door = at_the_door(scene.tenant, owner=scene.owner, slug="agente-a")
    with open_door() as address:
        client = importlib.import_module(f"{NAME}.client").AuthenticatedClient(
            base_url=address, token=door.text
        )
        asked = of("ProposalIn").from_dict(
            {
                "acao": agents_asking.REFUND,
                "comando": agents_asking.FIELDS,
                "justificativa": "O cliente foi cobrado em dobro.",
            }
        )
        key = str(uuid.uuid4())
        first, again = (
            operation("propor").sync(client=client, body=asked, idempotency_key=key)
            for _ in range(2)
        )
        assert first.ref == again.ref
        with tenant_scope(scene.tenant.pk):
            proposal = AgenteAprovacao.objects.get(ref=first.ref)
        factories.approve(proposal, scene.approver)
        state = operation("ler").sync(first.ref, client=client, espera=5)
        assert state.situacao == "aprovada"
        row = {
            "chave": "estorno-1",
            "acao": agents_asking.REFUND,
            "correlacao_id": str(state.correlacao_id),
            "resultado": "ok",
            "autorizacao": "humana",
            "aprovacao": str(first.ref),
            "acao_hash": state.acao_hash,
        }
        written = operation("registrar").sync(client=client, body=of("ActionIn").from_dict(row))
        assert written.status == 201
        assert operation("ler").sync(first.ref, client=client).situacao == "consumida"


def test_a_refusal_is_a_problem_with_its_code(made: Path) -> None:
    with open_door() as address:
        client = importlib.import_module(f"{NAME}.client").AuthenticatedClient(
            base_url=address, token="opsk_00000000_" + "a" * 43
        )
        problem = operation("listar").sync(client=client)
    assert (problem.status, problem.codigo) == (401, "token_desconhecido")
