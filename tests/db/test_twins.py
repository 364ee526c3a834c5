"""Two companies with runbooks about the same alerts: nothing of one ever answers the other."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from django.db import connection
from pytest_django import Settings

from grounding.models import Chunk, Document, Receipt
from grounding.retrieval import consult
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import AgentPrincipal, Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.agents import AtTheDoor, at_the_door
from tests.db import consults
from tests.db.browsing import a_browser
from tests.db.races import at_once

DATA = Path(__file__).parents[3] / "shared" / "data"
PAIRS = DATA / "runbooks-same-alert-pairs.tsv"
_MAIN = re.compile(r"<main.*?</main>", re.DOTALL)
_REQUEST = re.compile(r"[0-9a-f]{32}|[0-9a-f]{8}-[0-9a-f-]{27}|\d\d:\d\d:\d\d")  # its id, its clock
_SENTENCE = re.compile(r"[^.!?\n]{20,400}[.!?]")

pytestmark = pytest.mark.usefixtures("committed")


@dataclass(frozen=True, slots=True)
class Twins:
    """The company that asks, by its agent, and the other one, whose words are asked."""

    door: AtTheDoor
    other: Tenant
    sentences: list[str]


def pairs(count: int | None) -> list[tuple[str, str]]:
    if not PAIRS.exists():
        pytest.skip("the shared data are not here")
    with PAIRS.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))[:count]
    places = {"prometheus_operator_path": "prometheus-operator", "openshift_path": "openshift"}
    return [
        tuple(  # type: ignore[misc]
            (DATA / f"runbooks-{folder}" / "files" / row[name]).read_text(encoding="utf-8")
            for name, folder in places.items()
        )
        for row in rows
    ]


def twins(count: int | None) -> Twins:
    door, other = at_the_door(), factories.a_tenant()
    said: list[str] = []
    for number, (mine, theirs) in enumerate(pairs(count)):
        factories.a_published_document(door.tenant, text=mine, name=f"{number}.md")
        factories.a_published_document(other, text=theirs, name=f"{number}.md")
        said += [found for found in _SENTENCE.findall(theirs) if found not in mine]
    consults.give(door.tenant, f"agente:{door.agent.slug}")
    return Twins(door, other, said)


def leaks(found: Twins, sentences: list[str]) -> list[str]:
    """Questions whose answer, by the API, has anything that is not the asker's own."""
    with tenant_scope(found.door.tenant.pk):
        mine = {str(ref) for ref in Document.objects.values_list("ref", flat=True)}
        hashes = set(Chunk.objects.values_list("sha256", flat=True))
    return [
        sentence
        for sentence in sentences
        for answer in [
            found.door.post(
                "grounding/consultar",
                {"query": sentence, "contexto": {"agente_id": found.door.agent.slug}},
            ).data
        ]
        if answer["indices_consultados"] != ["plataforma"]
        or any(chunk["metadados"]["documento"] not in mine for chunk in answer["chunks"])
        or any(chunk["metadados"]["sha256"] not in hashes for chunk in answer["chunks"])
    ]


def test_a_twin_s_sentences_find_only_the_asker_s_own_passages() -> None:
    found = twins(1)
    assert len(found.sentences) >= 3
    assert leaks(found, found.sentences[:3]) == []


def test_a_twin_s_document_is_the_same_404_as_none() -> None:
    found = twins(1)
    with tenant_scope(found.other.pk):
        theirs = str(Document.objects.get().ref)
    person = a_browser(found.door.tenant, Role.ADMIN)
    pages = [
        person.client.get(f"/conhecimento/documentos/{ref}/")
        for ref in (theirs, "3f2b1c90-0000-4000-8000-000000000000")
    ]
    assert [page.status_code for page in pages] == [404, 404]
    shown = [_MAIN.findall(page.content.decode())[0] for page in pages]
    assert len({_REQUEST.sub("", text) for text in shown}) == 1


@pytest.mark.machine
def test_no_sentence_of_33_twins_finds_anything_of_the_other_company(settings: Settings) -> None:
    """Every sentence of one asked as the other, faster than an agent may otherwise."""
    settings.OPSPILOT_AGENT_REQUESTS_PER_MINUTE = 1_000_000
    found = twins(None)
    print(f"{len(found.sentences)} sentences of {len(pairs(None))} pairs")
    assert leaks(found, found.sentences) == []


def requests(companies: list[Tenant], count: int, mistakes: list[int]) -> Callable[[], int]:
    """One after the other on one connection, alternating companies; every tenth breaks off."""
    agents: list[AgentPrincipal] = [consults.an_agent(tenant, "fio") for tenant in companies]

    def run() -> int:
        for turn in range(count):
            agent = agents[turn % 2]
            try:
                if turn % 10 == 9:
                    with tenant_scope(agent.tenant_id):
                        raise RuntimeError("a request breaks off")
                if _is_foreign(agent):
                    mistakes.append(turn)
            except RuntimeError:
                pass
            if passages_without_a_tenant():
                mistakes.append(turn)
        return count

    return run


def _is_foreign(agent: AgentPrincipal) -> bool:
    found = consults.ask(agent)
    with tenant_scope(agent.tenant_id):
        kept = Receipt.objects.filter(ref=found.recibo).exists()
        mine = {str(ref) for ref in Document.objects.values_list("ref", flat=True)}
    return not kept or any(chunk.metadados["documento"] not in mine for chunk in found.chunks)


def passages_without_a_tenant() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM chunk")
        return int(cursor.fetchone()[0])


def reuse(monkeypatch: pytest.MonkeyPatch, *, threads: int, each: int) -> list[int]:
    companies = [factories.a_tenant(), factories.a_tenant()]
    for tenant in companies:
        factories.a_published_document(tenant)
        consults.give(tenant, "agente:fio")
    monkeypatch.setattr(consult, "prepare", consults.prepared(companies[0]))
    mistakes: list[int] = []
    acts = [requests(companies, each, mistakes) for _ in range(threads)]
    assert at_once(acts) == [each] * threads
    return mistakes


def test_a_connection_that_served_another_company_shows_nothing_of_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert reuse(monkeypatch, threads=2, each=10) == []


@pytest.mark.machine
def test_four_hundred_requests_of_two_companies_on_eight_connections(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert reuse(monkeypatch, threads=8, each=50) == []
