"""A plain page to look at what was started. No script, everything escaped."""

from __future__ import annotations

import re
from html import escape

from opspilot.sandbox.semaphore.messages import Answer, Request, html_answer, refused
from opspilot.sandbox.semaphore.model import Record, Task
from opspilot.sandbox.semaphore.runs import Runs

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
header { border-bottom: 2px solid #00695c; }
article { border: 1px solid #9aa0a6; border-radius: 4px; padding: 0 1rem 1rem; margin: 1rem 0; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; }
dt { font-weight: 600; }
dd { margin: 0; overflow-wrap: anywhere; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; background: #f4f4f2; padding: .75rem; }
a { color: #0b57a4; }
""".strip()
_STATES = {
    "waiting": "na fila",
    "starting": "começando",
    "running": "em andamento",
    "stopping": "parando",
    "stopped": "parada",
    "success": "terminou bem",
    "error": "terminou com erro",
}
_TEMPLATE_PAGE = re.compile(r"/project/(\d{1,9})/templates/(\d{1,9})")
_ANSI = re.compile(r"\x1b\[[0-9;]*m")
_MOST = 200


def answer(request: Request, runs: Runs) -> Answer:
    if request.method not in {"GET", "HEAD"}:
        raise refused(405)
    if request.path == "/style.css":
        return Answer(200, _STYLE.encode(), "text/css; charset=utf-8", _HEADERS)
    if request.path == "/":
        projects = runs.store.projects()
        return _page("Tarefas", "".join(_project(project, runs) for project in projects))
    return _task_page(request, runs)


def _task_page(request: Request, runs: Runs) -> Answer:
    """At the address where the remote shows a task: the template's page, with `?t=`."""
    found, number = _TEMPLATE_PAGE.fullmatch(request.path), request.first("t") or ""
    task = None
    if found and number.isascii() and number.isdigit() and len(number) < 10:
        task = runs.store.task(int(found[1]), int(number))
    if task is None:
        return _page("Página não encontrada", "<p>Não há nada neste endereço.</p>", 404)
    lines = [_ANSI.sub("", row["output"]) for row in runs.store.output(task.id)]
    output = escape("\n".join(lines)) or "Nenhuma linha."
    return _page(f"Tarefa {task.id}", f"{_task(task, runs)}<h2>Saída</h2><pre>{output}</pre>")


def _project(project: Record, runs: Runs) -> str:
    tasks = [task for task in runs.store.every_task() if task.project_id == project["id"]]
    newest = "".join(_task(task, runs) for task in reversed(tasks[-_MOST:]))
    return (
        f"<section><h2>{escape(project['name'])}</h2><p>Projeto {project['id']}.</p>"
        f"{newest or '<p>Nenhuma tarefa.</p>'}</section>"
    )


def _task(task: Task, runs: Runs) -> str:
    template = runs.store.get("template", task.project_id, task.template_id) or {}
    touched = runs.players.touched(task.id)
    facts = {
        "Estado": _STATES.get(task.status, task.status),
        "Template": f"{task.template_id} {template.get('name', '')}",
        "Limite pedido": task.limit or "nenhum",
        "Comando": " ".join(task.command or []) or "nenhum",
        "Hosts tocados": ", ".join(touched) or "nenhum",
        "Mensagem": task.message or "nenhuma",
        "Criada em": task.created,
        "Terminou em": task.end or "ainda não",
    }
    rows = "".join(f"<dt>{name}</dt><dd>{escape(value)}</dd>" for name, value in facts.items())
    url = f"/project/{task.project_id}/templates/{task.template_id}?t={task.id}"
    return f'<article><h3><a href="{url}">Tarefa {task.id}</a></h3><dl>{rows}</dl></article>'


def _page(title: str, body: str, status: int = 200) -> Answer:
    text = (
        '<!DOCTYPE html><html lang="pt-BR"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)} · Sandbox Semaphore</title>"
        '<link rel="stylesheet" href="/style.css"></head><body>'
        '<header><p><a href="/">Sandbox Semaphore</a>: nada aqui é real. '
        "Este servidor só existe nesta máquina, para demonstração e testes.</p></header>"
        f"<main><h1>{escape(title)}</h1>{body}</main></body></html>"
    )
    return html_answer(status, text, headers=_HEADERS)
