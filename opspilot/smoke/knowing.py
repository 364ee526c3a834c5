"""Steps: a runbook goes in, its fact comes out cited, and nothing comes out where nothing is known."""

from __future__ import annotations

from opspilot.smoke.cast import Cast
from opspilot.smoke.expectation import expect
from opspilot.smoke.pages import Page
from opspilot.smoke.people import Person

COLLECTION = "plataforma"


def upload_published(cast: Cast) -> None:
    """Two files at once: one new, one the same text under another name."""
    page = cast.admin.open("/conhecimento/")
    text = runbook(cast.made_up).encode()
    names = (f"{cast.made_up}.md", f"{cast.made_up}-copia.md")
    files = [("arquivos", (name, text, "text/markdown")) for name in names]
    sent = cast.admin.submit(page.form("/conhecimento/enviar/"), files=files, colecao=COLLECTION)
    page = cast.admin.settled(sent)
    rows = {row.text.split()[0]: row.text for row in page.all("tr") if row.text}
    expect(" ativo " in rows.get(names[0], ""), "the new file did not become ativo")
    expect("igual a existente" in rows.get(names[1], ""), "the copy is not igual a existente")


def answer_cited(cast: Cast) -> None:
    """The citation is followed: the quote must stand, marked, in the runbook itself."""
    question = f"Qual é a pressão máxima da válvula {cast.made_up}?"
    page = ask(cast.operador, question)
    answer = page.by_id("rodada").text
    expect(FACT in answer, "the answer does not give the fact")
    citation = page.link("/conhecimento/documentos/", "de=", "#trecho")
    marked = cast.operador.open(citation).all("mark")
    expect(len(marked) == 1, "the citation opens no marked passage")
    expect(cast.made_up in marked[0].text or FACT in marked[0].text, "another passage is marked")
    expect(marked[0].text in answer, "what is marked is not what the answer quotes")
    cast.answered = page.url


def abstained(cast: Cast) -> None:
    page = ask(cast.operador, "Qual é a receita tradicional do bolo de fubá com goiabada?")
    answer = page.by_id("rodada").text
    expect("cobertura nenhuma" in answer, "an unrelated question did not end without a basis")
    proposes = [link for link in page.links if link.href.endswith("/proposta/")]
    expect(not proposes, "a proposal is offered where nothing was found")


FACT = "37 bar"


def runbook(name: str) -> str:
    return (
        f"# Válvula {name}\n\n## Limites\n\n"
        f"A pressão máxima da válvula {name} é de {FACT} em regime contínuo.\n\n"
        "## Quem avisar\n\nO plantão de infraestrutura acompanha a troca do filtro.\n"
    )


def ask(person: Person, question: str) -> Page:
    form = person.open("/perguntar/").form("/perguntar/enviar/")
    return person.settled(person.submit(form, pergunta=question))
