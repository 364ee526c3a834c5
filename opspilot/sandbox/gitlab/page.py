"""A plain page to look at what arrived. No script, everything escaped."""

from __future__ import annotations

from html import escape

from opspilot.sandbox.gitlab.messages import Answer, Request, html_answer, refused
from opspilot.sandbox.gitlab.model import Issue, Project
from opspilot.sandbox.gitlab.shapes import Shapes
from opspilot.sandbox.gitlab.store import Store

_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none';"
        " frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}
_STYLE = """
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 sans-serif;
  color: #1f2328; background: #fff; }
header { border-bottom: 2px solid #8a5a00; }
article { border: 1px solid #9aa0a6; border-radius: 4px; padding: 0 1rem 1rem; margin: 1rem 0; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; }
dt { font-weight: 600; }
dd { margin: 0; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; background: #f4f4f2; padding: .75rem; }
a { color: #0b57a4; }
""".strip()
_STATES = {"opened": "aberta", "closed": "fechada"}


def answer(request: Request, store: Store, base_url: str) -> Answer:
    if request.method not in {"GET", "HEAD"}:
        raise refused(405, "405 Method Not Allowed")
    if request.path == "/style.css":
        return Answer(200, _STYLE.encode(), "text/css; charset=utf-8", _HEADERS)
    if request.path == "/":
        return _page("Projetos", _index(store, Shapes(store, base_url)))
    return _issue_page(request.path, store, Shapes(store, base_url))


def _issue_page(path: str, store: Store, shapes: Shapes) -> Answer:
    project_path, _, iid = path.strip("/").partition("/-/issues/")
    project = store.project_at(project_path)
    if project is None or not (iid.isascii() and iid.isdigit() and len(iid) < 10):
        return _page("Página não encontrada", "<p>Não há nada neste endereço.</p>", 404)
    issue = store.issue(project.id, int(iid))
    if issue is None:
        return _page("Issue não encontrada", "<p>Não há issue com este número.</p>", 404)
    body = _issue(issue, store, shapes) + _notes(issue, store)
    return _page(f"{project.path}#{issue.iid}", body)


def _index(store: Store, shapes: Shapes) -> str:
    return "".join(_project(project, store, shapes) for project in store.projects())


def _project(project: Project, store: Store, shapes: Shapes) -> str:
    issues = [issue for issue in store.every_issue() if issue.project_id == project.id]
    listed = "".join(_issue(issue, store, shapes) for issue in reversed(issues))
    labels = ", ".join(label.name for label in store.labels(project.id))
    return (
        f"<section><h2>{escape(project.path)}</h2>"
        f"<p>Projeto {project.id}. Etiquetas: {escape(labels) or 'nenhuma'}.</p>"
        f"{listed or '<p>Nenhuma issue.</p>'}</section>"
    )


def _issue(issue: Issue, store: Store, shapes: Shapes) -> str:
    people = [store.user(user_id) for user_id in issue.assignee_ids]
    facts = {
        "Estado": _STATES[issue.state],
        "Etiquetas": ", ".join(sorted(issue.labels)) or "nenhuma",
        "Responsáveis": ", ".join(user.username for user in people if user) or "ninguém",
        "Confidencial": "sim" if issue.confidential else "não",
        "Prazo": issue.due_date or "sem prazo",
        "Criada em": issue.created_at,
        "Comandos executados": _traced(issue, store, "quick_action"),
        "Pessoas notificadas": _traced(issue, store, "notification"),
        "Imagens que os leitores buscariam": _traced(issue, store, "image"),
        "Notas escritas em outras issues": _traced(issue, store, "cross_reference"),
        "Texto que o leitor não vê": _traced(issue, store, "hidden_text"),
        "Etiquetas criadas": _traced(issue, store, "label_created"),
        "Descartado sem aviso": _traced(issue, store, "dropped"),
    }
    rows = "".join(f"<dt>{name}</dt><dd>{escape(value)}</dd>" for name, value in facts.items())
    return (
        f'<article><h3><a href="{escape(shapes.issue_url(issue))}">#{issue.iid}</a> '
        f"{escape(issue.title)}</h3><dl>{rows}</dl>"
        f"<h4>Descrição, texto bruto</h4><pre>{escape(issue.description)}</pre></article>"
    )


def _traced(issue: Issue, store: Store, kind: str) -> str:
    values = [trace.value for trace in store.traces(issue) if trace.kind == kind]
    return ", ".join(values) or "nenhum registro"


def _notes(issue: Issue, store: Store) -> str:
    notes = store.notes(issue.project_id, issue.iid)
    listed = "".join(f"<li><pre>{escape(note.body)}</pre></li>" for note in notes)
    return f"<h2>Comentários</h2><ol>{listed}</ol>" if notes else "<p>Nenhum comentário.</p>"


def _page(title: str, body: str, status: int = 200) -> Answer:
    text = (
        '<!DOCTYPE html><html lang="pt-BR"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)} · Sandbox GitLab</title>"
        '<link rel="stylesheet" href="/style.css"></head><body>'
        '<header><p><a href="/">Sandbox GitLab</a>: nada aqui é real. '
        "Este servidor só existe nesta máquina, para demonstração e testes.</p></header>"
        f"<main><h1>{escape(title)}</h1>{body}</main></body></html>"
    )
    return html_answer(status, text, headers=_HEADERS)
