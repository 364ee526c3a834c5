"""A stored action as the fields a person reads, in one fixed order for each kind. Nothing is left
out: what the order does not name comes last, as it is stored."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from approvals.actions import ISSUE_CREATED
from approvals.policy import stored
from approvals.policy.policy_document import PolicyDocument
from approvals.tasks.task_command import TASK_RUN
from opspilot.presentation.formats import money_text
from opspilot.presentation.shapes import FrozenField

Action = dict[str, Any]
# Said elsewhere on the page, and in the JSON: the form of the action, whose it is and who asked.
_FRAME = frozenset({"schema", "kind", "tenant", "requester", "executor"})
_TARGET_LABELS: dict[str, str | Promise] = {
    "system": gettext_lazy("Sistema"),
    "host": gettext_lazy("Destino"),
    "project_id": gettext_lazy("Projeto, id"),
    "project_path": gettext_lazy("Projeto"),
    "template_id": gettext_lazy("Modelo de tarefa, id"),
    "template_name": gettext_lazy("Modelo de tarefa"),
    "name": gettext_lazy("Modelo de tarefa"),
    "fingerprint": gettext_lazy("Impressão do modelo"),
}


def is_known(action: object) -> bool:
    """Whether this code can say of every field what it is; what it cannot is shown as JSON."""
    if not isinstance(action, Mapping):
        return False
    return stored.is_external(action) or action.get("kind") in _KINDS


def of(action: Action, marker: str, *, document: PolicyDocument | None = None) -> list[FrozenField]:
    """`document` is the policy the proposal was made under: it names the fields of external kinds.
    No `marker` = only what was approved. Nothing for a kind this code does not know."""
    if not is_known(action):
        return []
    if stored.is_external(action):
        return list(_external(action, document))
    return list(_KINDS[action["kind"]](action, marker))


def _issue(action: Action, marker: str) -> Iterator[FrozenField]:
    target = action["target"]
    resolved = _("alias “%(alias)s” resolvido para o id %(id)s")
    note = resolved % {"alias": action["alias"], "id": target["project_id"]}
    people = [f"{item['name']} · id {item['id']}" for item in action["assignees"]]
    confidential = _("sim") if action["confidential"] else _("não")
    yield FrozenField(_("Tipo"), "gitlab.issue", kind="mono")
    yield FrozenField(_("Destino"), target["host"], kind="host")
    yield FrozenField(_("Projeto"), target["project_path"], note=note, kind="mono")
    yield FrozenField(_("Título"), action["title"])
    yield FrozenField(_("Descrição"), action["description"], kind="pre")
    yield FrozenField(_("Etiquetas"), action["labels"], kind="tokens")
    yield FrozenField(_("Responsáveis"), people, kind="tokens")
    yield FrozenField(_("Confidencial"), confidential)
    shown = {"target", "alias", "title", "description", "labels", "assignees", "confidential"}
    yield from _rest(action, shown)
    if marker:
        found = _("Última linha da descrição: acha a issue se a resposta se perder.")
        yield FrozenField(_("Marcador"), marker, note=found, kind="mono")


def _task(action: Action, marker: str) -> Iterator[FrozenField]:
    yield FrozenField(_("Tipo"), action["kind"], kind="mono")
    yield FrozenField(_("Modelo pedido"), action["alias"], kind="mono")
    for name, value in sorted(action["target"].items()):
        label = str(_TARGET_LABELS.get(name, name))
        yield FrozenField(label, _text(value), kind="host" if name == "host" else "mono")
    yield FrozenField(_("Hosts"), action["hosts"], kind="tokens")
    for name, value in sorted(action["variables"].items()):
        yield FrozenField(name, _text(value), note=_("variável da tarefa"), kind="mono")
    yield from _rest(action, {"target", "alias", "hosts", "variables"})
    if marker:
        yield FrozenField(_("Marcador"), marker, kind="mono")


def _external(action: Action, document: PolicyDocument | None) -> Iterator[FrozenField]:
    """No marker: the agent that asked carries it out, and our worker sends nothing."""
    rule = document.acoes_externas.get(action["kind"]) if document else None
    yield FrozenField(_("Tipo"), action["kind"], kind="mono")
    for name, field in sorted(action["fields"].items()):
        label = rule.fields[name].label if rule and name in rule.fields else name
        yield _external_field(label, name, field)
    yield from _rest(action, {"fields", "authorization"})


def _external_field(label: str, name: str, field: Mapping[str, Any]) -> FrozenField:
    value = field["value"]
    if field["type"] == "centavos" and isinstance(value, int):
        exact = _("campo %(name)s: %(value)s centavos") % {"name": name, "value": value}
        money = money_text(value, language=get_language() or "pt-br")
        return FrozenField(label, money, note=exact, kind="mono")
    note = _("campo %(name)s") % {"name": name}
    kind: Any = "pre" if field["type"] == "texto" else "mono"
    return FrozenField(label, _text(value), note=note, kind=kind)


def _rest(action: Action, shown: set[str]) -> Iterator[FrozenField]:
    for name in sorted(action.keys() - shown - _FRAME):
        yield FrozenField(name, _text(action[name]), kind="mono")


def _text(value: object) -> str:
    """Text as it is; anything else in its canonical form."""
    return (
        value if isinstance(value, str) else json.dumps(value, sort_keys=True, ensure_ascii=False)
    )


_KINDS: dict[str, Callable[[Action, str], Iterator[FrozenField]]] = {
    ISSUE_CREATED: _issue,
    TASK_RUN: _task,
}
