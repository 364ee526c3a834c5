"""Identifiers in parts and negation: the hard cases 10 and 11, through the search that answers."""

from __future__ import annotations

import pytest

from grounding.answers import composing
from grounding.answers.composing import Answer
from grounding.reading.analysis import QueryTerms, Question
from grounding.retrieval import consult, search
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.db.indexing import collections_of

pytestmark = pytest.mark.django_db
RUNBOOKS = {
    "crash.md": "# KubePodCrashLooping\n\nA pod restarts again and again after it has started.\n",
    "volume.md": "# KubePersistentVolumeFillingUp\n\nThe volume of a pod is nearly full of data.\n",
    "oracle.md": "# Tabela ausente\n\nO erro ORA-00942 diz que a tabela ou a visão não existe.\n",
    "oracle-conexao.md": "# Listener\n\nO erro ORA-12541 diz que nenhum listener responde.\n",
    "kubelet.md": "# Pods órfãos\n\nOs arquivos ficam em /var/lib/kubelet/pods até a limpeza.\n",
    "etcd.md": "# Membros\n\nListe os membros com `kubectl -n openshift-etcd get pods -o wide`.\n",
    "ingress.md": "# Rotas\n\nListe as rotas com `kubectl -n openshift-ingress get routes`.\n",
}
NODE = """# Nó sem resposta

## Enquanto há réplicas no nó

Não reinicie o nó worker enquanto houver réplicas de banco nele: a perda de dados é certa.

## Depois da retirada

Com o nó worker vazio, reinicie o nó worker pelo console da nuvem e espere o estado Ready.
"""


@pytest.fixture
def tenant() -> Tenant:
    made = factories.a_tenant()
    for name, text in RUNBOOKS.items():
        factories.a_published_document(made, name=name, text=text)
    return made


def words(tenant: Tenant, question: str) -> list[str]:
    """Names of the documents that the words alone find, best first."""
    asked = QueryTerms.of(Question(question))
    within = collections_of(tenant)
    with tenant_scope(tenant.pk):
        hits = search.lexical(terms=asked.terms, collections=within)
        found = search.sources([hit.chunk_id for hit in hits])
    return [found[hit.chunk_id].document_name for hit in hits]


@pytest.mark.parametrize(
    ("question", "document"),
    [
        ("KubePodCrashLooping", "crash.md"),
        ("crash looping", "crash.md"),
        ("kube pod crash", "crash.md"),
        ("persistent volume filling", "volume.md"),
        ("ORA-00942", "oracle.md"),
        ("o que é o ora 00942?", "oracle.md"),
        ("kubelet", "kubelet.md"),
        ("/var/lib/kubelet/pods", "kubelet.md"),
        ("kubectl -n openshift-etcd", "etcd.md"),
        ("openshift-ingress", "ingress.md"),
    ],
)
def test_the_right_document_comes_first(tenant: Tenant, question: str, document: str) -> None:
    assert words(tenant, question)[0] == document


def test_a_flag_is_no_operator_and_takes_nothing_away(tenant: Tenant) -> None:
    assert {"etcd.md", "ingress.md"} <= set(words(tenant, "kubectl -n openshift"))


def test_the_negation_is_a_word_of_the_question() -> None:
    without = set(QueryTerms.of(Question("reiniciar o nó")).own)
    assert set(QueryTerms.of(Question("não reiniciar o nó")).own) - without == {"nao"}


def answer(tenant: Tenant, question: str) -> Answer:
    query = consult.prepare(question, tenant_id=tenant.pk)
    within = collections_of(tenant)
    with tenant_scope(tenant.pk):
        grounded = consult.consult(query=query, collections=within)
        return composing.checked(composing.draft(query=query, grounded=grounded))


@pytest.mark.parametrize("question", ["Posso reiniciar o nó worker?", "não reiniciar o nó worker"])
def test_a_prohibition_is_quoted_whole_and_first(question: str) -> None:
    tenant = factories.a_tenant()
    factories.a_published_document(tenant, name="no.md", text=NODE)
    quotes = [sentence.quote for sentence in answer(tenant, question).sentences]
    assert quotes[0].startswith("Não reinicie o nó worker enquanto houver réplicas")


def test_no_quote_begins_after_the_negation() -> None:
    tenant = factories.a_tenant()
    factories.a_published_document(tenant, name="no.md", text=NODE)
    for question in ("Como reinicio o nó worker?", "reinicie o nó worker enquanto houver réplicas"):
        for sentence in answer(tenant, question).sentences:
            assert not sentence.quote.startswith("reinicie o nó worker enquanto")


def test_both_legs_in_one_look_find_what_each_finds_alone(tenant: Tenant) -> None:
    query = consult.prepare("ORA-00942 kubelet pods", tenant_id=tenant.pk)
    within = collections_of(tenant)
    with tenant_scope(tenant.pk):
        known, lexical, vector = search.both(
            terms=query.terms.terms,
            embedding=query.vector,
            space=query.space,
            collections=within,
        )
        assert known == search.weights(terms=query.terms.terms, collections=within)
        alone = search.lexical(terms=query.terms.terms, collections=within)
        assert [one.chunk_id for one in lexical] == [one.chunk_id for one in alone]
        assert vector == search.vector(
            embedding=query.vector, space=query.space, collections=within
        )
